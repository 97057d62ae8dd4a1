// The camera of a board: which part of it is seen, zoomed and dragged by people or moved to where something can be put.
//
// It moves by itself for places beside the cells only, on pictures that grow without end: where the whole picture
// would make them too small, a part is shown, and where more of them lie, beyond its edges, arrows lead. While a large
// board moves, the picture as it was drawn is moved and stretched, which the browser does with what it has painted
// already; when it rests it is drawn again, as sharp as it can be.

import { clamp, FEWEST, SIDE, turned, unturned } from "./cells.js";

const MARGIN = 60;
const MOST_ZOOM = 40;
const SEAM_FROM = 9; // pixels of a cell
const REST = 180; // milliseconds after which a board that does not move rests
const FINGER = 44; // pixels that something needs to be tapped on with ease
const TAPPED = 24; // with which a place can still be tapped on, so that the whole board is in view
const POINTER = 18; // and to be clicked on
const WITHIN = 3; // how many small places are side by side in a cell, where a piece is put on it
const AROUND = 9; // cells that are in view across and down, at least, when the camera goes nearer
const ENOUGH = 0.75; // the part of the wanted size of a cell with which it goes no nearer
const TILE = WITHIN * SIDE; // the side of what a growing picture is made of
const ROOM = { first: 3, step: 2 }; // tiles on each side of the first one, and how many more it gets at a time
const ROOM_OF_PHONES = { first: 2, step: 1 }; // fingers need large tiles
const GLIDE = 240; // milliseconds from one view to the next
const SIDES = [["left", "‹", -1, 0], ["right", "›", 1, 0], ["up", "‹", 0, -1], ["down", "›", 0, 1]];
const ALONG = [0, 0.3, -0.3, 0.6, -0.6, 0.85, -0.85]; // where an arrow may be, from the middle of its edge

/**
 * Where the room ends that a growing picture gets on one side, if it reaches to `edge`: some tiles away from the first
 * one, and then further away in steps of some tiles, so that the scale changes seldom.
 * @param {number} edge in units of pictures, from the middle of the first tile
 */
function roomFor(edge) {
  const { first, step } = isTouched() ? ROOM_OF_PHONES : ROOM;
  const steps = Math.ceil((Math.abs(edge) / TILE - 0.5 - first) / step);
  return Math.sign(edge) * (0.5 + first + step * Math.max(0, steps)) * TILE;
}

/** The corners of the rectangle around some points. @param {number[][]} points */
function around(points) {
  return [Math.min, Math.max].map((most) => [0, 1].map((axis) => most(...points.map((point) => point[axis]))));
}

/** Whether people point with fingers. */
function isTouched() { return matchMedia("(pointer: coarse)").matches; }

export class Camera {
  /**
   * @param {HTMLElement} element around the picture
   * @param {SVGSVGElement} svg the picture
   * @param {import("./board.js").BoardState} state
   */
  constructor(element, svg, state) {
    this.svg = svg;
    this.state = state;
    this.zoom = 1;
    this.middle = [0, 0];
    this.own = null; // units per pixel that the person has chosen; null before
    this.before = null; // the view from which it was gone nearer
    this.covered = 0; // pixels at the lower edge that buttons cover
    this.arrows = SIDES.map(([side, sign, right, down]) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: `beyond ${side}`, hidden: true, textContent: sign });
      button.addEventListener("click", () => this.goOn(right, down));
      element.append(button);
      return button;
    });
  }

  /** Begins again, for another board. */
  reset() {
    this.room = null;
    this.zoom = 1;
  }

  /** The middle of the picture. @returns {[number, number]} */
  home() {
    const [left, top, right, bottom] = this.state.picture?.bounds ?? [0, 0, 0, 0];
    return [(left + right) / 2, (top + bottom) / 2];
  }

  /** Where on the board a point of the window is. @returns {[number, number]} */
  toBoard(x, y) {
    const box = this.svg.parentElement.getBoundingClientRect();
    const unit = this.unit();
    return unturned(this.state.turn, [this.middle[0] + (x - box.left - box.width / 2) * unit, this.middle[1] + (y - box.top - box.height / 2) * unit]);
  }

  /** Where in the window a point of the board is. */
  toWindow(point) {
    const [x, y] = this.seen(point);
    const box = this.svg.parentElement.getBoundingClientRect();
    const unit = this.unit();
    return [box.left + box.width / 2 + (x - this.middle[0]) / unit, box.top + box.height / 2 + (y - this.middle[1]) / unit];
  }

  /** Where a point of the board is drawn; the camera moves over what is drawn. */
  seen(point) { return turned(this.state.turn, point); }

  /** Units of the board per pixel. */
  unit() { return this.wholeUnit() / this.zoom; }

  /** Units per pixel where the whole board is seen. */
  wholeUnit() {
    const { clientWidth, clientHeight } = this.svg.parentElement;
    const [, , wide, high] = this.box;
    return Math.max(wide / clientWidth, high / clientHeight);
  }

  /** Shows the whole picture, unless the person looks at a part of it. */
  fit() {
    if (!this.state.picture) return;
    const { bounds: [west, north, east, south], columns, rows, sketches } = this.state.picture;
    const spots = this.state.input.spots({ all: true }).flatMap(({ part }) => this.state.input.corners(part));
    let [[left, top], [right, bottom]] = around([[west, north], [east, south], ...spots]);
    if (sketches) { // around what is laid there is room for what comes next, which stays, so that nothing jumps between two moves
      const [low, high] = around([[left, top], [right, bottom], [west - TILE, north - TILE], [east + TILE, south + TILE]]);
      [[left, top], [right, bottom]] = this.room = around([...this.room ?? [], low.map(roomFor), high.map(roomFor), [0, 0]]);
    }
    const tick = 0.026 * Math.max(right - left, bottom - top, FEWEST * SIDE);
    const under = columns.length ? 1.6 * tick : 0;
    const widest = Math.max(sketches ? 2 : 0, ...rows.map(([, text]) => text.length));
    const beside = widest ? (0.6 * widest + 0.5) * tick : 0;
    const sizes = [Math.max(right - left + beside, FEWEST * SIDE) + 2 * MARGIN, Math.max(bottom - top + under, FEWEST * SIDE) + 2 * MARGIN];
    const [wide, high] = this.seen(sizes).map(Math.abs);
    const box = [...this.seen([(left - beside + right) / 2, (top + bottom + under) / 2]), wide, high];
    if (String(box) !== String(this.box)) {
      const seen = this.box && this.zoom > 1 && this.unit(); // a part stays in view
      this.box = box;
      const aspect = sketches ? 1 : Math.max(0.7, wide / high); // what grows gets a square, for good
      this.svg.parentElement.parentElement.style.setProperty("--aspect", aspect.toFixed(2));
      if (seen) this.zoom = clamp(this.wholeUnit() / seen, 1, MOST_ZOOM);
      if (this.zoom === 1) this.middle = [box[0], box[1]];
    }
    this.view();
  }

  /** Shows the part that is to be seen; with `moving` it will be another one soon. */
  view({ moving = false } = {}) {
    if (!this.box || !this.svg.parentElement.clientWidth) return;
    const [x, y, wide, high] = this.box;
    if (this.zoom <= 1) this.middle = [x, y];
    this.svg.classList.toggle("zoomed", this.zoom > 1);
    const slack = [Math.max(0, (wide - wide / this.zoom) / 2), Math.max(0, (high - high / this.zoom) / 2)];
    this.middle = [clamp(this.middle[0], x - slack[0], x + slack[0]), clamp(this.middle[1], y - slack[1], y + slack[1] + this.covered * this.unit())];
    clearTimeout(this.resting);
    if (moving && this.state.cells.areMany && this.drawnView) this.move();
    else this.redraw(wide / this.zoom, high / this.zoom);
  }

  /** Moves and stretches the picture that is there. */
  move() {
    const unit = this.unit();
    const [x, y] = [0, 1].map((axis) => (this.drawnView.middle[axis] - this.middle[axis]) / unit);
    this.svg.style.willChange = "transform";
    this.svg.style.transform = `translate(${x}px, ${y}px) scale(${this.drawnView.unit / unit})`;
    this.resting = setTimeout(() => this.view(), REST);
  }

  redraw(w, h) {
    if (this.svg.style.transform) { this.svg.style.transform = this.svg.style.willChange = ""; }
    const pixels = (SIDE * this.svg.clientWidth) / w;
    this.svg.classList.toggle("bare", this.state.cells.areMany && pixels < SEAM_FROM); // no seams between its cells
    this.drawnView = { middle: this.middle, unit: this.unit() };
    this.svg.setAttribute("viewBox", `${this.middle[0] - w / 2} ${this.middle[1] - h / 2} ${w} ${h}`);
    this.drawArrows();
  }

  /** Zooms as the person wishes; later moves keep this zoom. */
  scale(factor, point = null) {
    const center = point ? this.seen(point) : this.middle;
    const zoom = clamp(this.zoom * factor, 1, MOST_ZOOM);
    const share = this.zoom / zoom;
    this.middle = [0, 1].map((axis) => center[axis] + (this.middle[axis] - center[axis]) * share);
    this.zoom = zoom;
    this.view({ moving: true });
    if (!this.before) this.own = this.zoom > 1 ? this.unit() : null;
  }

  /** Moves the part that is seen with a pointer that goes over some pixels. */
  drag(right, down) {
    if (this.zoom <= 1) return;
    const unit = this.unit();
    this.middle = [this.middle[0] - right * unit, this.middle[1] - down * unit];
    this.view({ moving: true });
  }

  /** Has the cursor seen. */
  keepInView() {
    if (this.zoom <= 1 || !this.state.cursor) return;
    const [, , wide, high] = this.box;
    const center = this.seen(this.state.cursor.center);
    const away = [0, 1].map((axis) => Math.abs(center[axis] - this.middle[axis]));
    if (away[0] > (0.45 * wide) / this.zoom || away[1] > (0.45 * high) / this.zoom) {
      this.middle = center;
      this.view();
    }
  }

  /** Pixels that a target needs. */
  need() { return isTouched() ? FINGER : POINTER; }

  /** The places where a piece can be put, for the current choice. */
  places() {
    const of = [this.state.input, this.state.turn];
    if (this.placesOf?.every((each, place) => each === of[place]) !== true) {
      this.placesOf = of;
      this.found = this.state.input.spots({ all: true }).map(({ part }) => this.extent(part));
    }
    return this.found;
  }

  extent(part) {
    const [low, high] = around(this.state.input.corners(part).map((corner) => this.seen(corner)));
    return { center: this.seen(part.center), low, high };
  }

  /** Looks at what can be chosen; nearer while something is put somewhere and not played yet. */
  attend({ again = false, covered = 0 } = {}) {
    const chosen = this.state.input.chosenPlace();
    this.covered = chosen ? covered : 0;
    if (chosen) this.goNear(this.extent(chosen));
    else if (again) { this.before = null; this.goWhere(this.places()); }
    else if (this.state.input.asks) this.goBack(); // what was played is looked at until something else is to be seen
  }

  /** Has what was laid last seen, on a picture that grows: from farther away, if it was gone nearer before. */
  keepLastInView() {
    const { focus } = this.state.picture;
    if (this.zoom <= 1 || !focus || this.state.input.chosenPlace() || this.isInView(this.seen(focus))) return;
    const unit = this.before?.unit ?? this.unit();
    this.before = null;
    this.glide(unit, this.seen(focus));
  }

  /** Whether a cell around a point, as it is drawn, is in view. */
  isInView(point) {
    const half = this.half(this.unit());
    return [0, 1].every((axis) => Math.abs(point[axis] - this.middle[axis]) + SIDE / 2 <= half[axis] + 1);
  }

  goBack() {
    const { before } = this;
    this.before = null;
    if (before) this.glide(before.unit, before.middle);
  }

  goNear({ center, low, high }) {
    this.before ??= { unit: this.unit(), middle: this.middle };
    const across = Math.min(high[0] - low[0], high[1] - low[1]);
    const { clientWidth, clientHeight } = this.svg.parentElement;
    const wanted = Math.min(WITHIN * this.need(), Math.min(clientWidth, clientHeight) / AROUND);
    const isEnough = across / this.unit() >= ENOUGH * wanted;
    const unit = isEnough ? this.unit() : across / wanted;
    const half = this.half(unit);
    const below = (this.covered * unit) / 2; // the middle of what is not covered lies above that of the board
    const isSeen = Math.abs(center[0] - this.middle[0]) < half[0] - across && Math.abs(center[1] + below - this.middle[1]) < half[1] - below - across / 2;
    if (unit < this.unit() || !isSeen) this.glide(unit, [center[0], center[1] + below]);
  }

  /**
   * Shows the whole board if its places can be tapped on so, else those around where something has happened last.
   * It moves nothing if all places are in view.
   */
  goWhere(places) {
    if (!places.length) return;
    const [x, y] = this.box;
    const last = this.state.picture.focus;
    const across = Math.min(...places.map(({ low, high }) => Math.min(high[0] - low[0], high[1] - low[1])));
    const whole = this.wholeUnit();
    if (this.zoom > 1 && !this.own && [...places.map(({ center }) => center), ...(last ? [this.seen(last)] : [])].every((each) => this.isInView(each))) return;
    const unit = this.own ?? (across / whole >= Math.min(TAPPED, this.need()) ? whole : across / this.need());
    const [low, high] = around(places.flatMap((each) => [each.low, each.high]));
    const half = this.half(unit);
    const focus = last ? this.seen(last) : [x, y];
    const middle = [0, 1].map((axis) => {
      const [least, most] = [low[axis] + half[axis] - across / 4, high[axis] - half[axis] + across / 4];
      return least >= most ? (low[axis] + high[axis]) / 2 : clamp(focus[axis], least, most);
    });
    this.glide(unit, middle);
  }

  /** Half of the visible width and height, at a number of units per pixel. */
  half(unit) {
    const { clientWidth, clientHeight } = this.svg.parentElement;
    return [(clientWidth * unit) / 2, (clientHeight * unit) / 2];
  }

  /** Goes over to another view, so that the eye can follow. */
  glide(unit, middle) {
    const from = this.drawnView;
    this.zoom = clamp(this.wholeUnit() / unit, 1, MOST_ZOOM);
    this.middle = middle;
    this.view();
    if (!from || this.state.cells.areMany || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const now = this.unit();
    const scale = now / from.unit;
    const [right, down] = [0, 1].map((axis) => ((this.middle[axis] - from.middle[axis]) / now) * scale);
    this.gliding?.cancel();
    if (Math.abs(scale - 1) < 0.01 && Math.hypot(right, down) < 2) return;
    this.gliding = this.svg.animate([{ transform: `translate(${right}px, ${down}px) scale(${scale})` }, { transform: "none" }], { duration: GLIDE, easing: "ease-in-out" });
  }

  /** Shows the whole board; from there, what it would show by itself. */
  whole() {
    const whole = this.zoom <= 1;
    this.own = whole ? null : this.wholeUnit();
    this.before = null;
    if (whole) this.goWhere(this.places());
    else this.glide(this.wholeUnit(), this.seen(this.home()));
  }

  /** The places on each side, out of sight. */
  beyond() {
    const found = SIDES.map(() => []);
    const places = this.state.input.chosenPlace() ? [] : this.places();
    if (!places.length) return found; // nothing is laid out again for that
    const half = this.half(this.unit());
    for (const { center } of places) {
      const [right, down] = [0, 1].map((axis) => (center[axis] - this.middle[axis]) / half[axis]);
      if (Math.max(Math.abs(right), Math.abs(down)) < 1) continue;
      found[Math.abs(right) > Math.abs(down) ? (right < 0 ? 0 : 1) : (down < 0 ? 2 : 3)].push(center);
    }
    return found;
  }

  drawArrows() {
    this.beyond().forEach((places, number) => {
      const [arrow, [side]] = [this.arrows[number], SIDES[number]];
      arrow.hidden = !places.length;
      arrow.setAttribute("aria-label", `${places.length} more ${side === "up" || side === "down" ? side : `to the ${side}`}`);
      if (places.length) this.putArrow(arrow, ...SIDES[number].slice(2));
    });
  }

  /** Puts an arrow at its edge, beside what can be chosen there. */
  putArrow(arrow, right, down) {
    const unit = this.unit();
    const half = this.half(unit);
    const across = right ? 1 : 0;
    const at = (along) => (across ? [right * (half[0] - 20 * unit), along * half[1]] : [along * half[0], down * (half[1] - 20 * unit)]);
    const free = (along) => Math.min(...this.places().map(({ center }) => Math.hypot(...[0, 1].map((axis) => center[axis] - this.middle[axis] - at(along)[axis])))) / unit;
    const best = ALONG.find((along) => free(along) > FINGER) ?? ALONG.reduce((one, other) => (free(other) > free(one) ? other : one));
    arrow.style.setProperty(across ? "top" : "left", `${50 + 50 * best}%`);
  }

  /** Goes on to the nearest of the places that an arrow points at. */
  goOn(right, down) {
    const side = SIDES.findIndex(([, , x, y]) => x === right && y === down);
    const [center] = this.beyond()[side].sort((a, b) => (a[0] - b[0]) * right + (a[1] - b[1]) * down);
    const half = this.half(this.unit());
    this.glide(this.unit(), center ? [0, 1].map((axis) => clamp(center[axis], this.middle[axis] - half[axis], this.middle[axis] + half[axis])) : this.middle);
  }
}
