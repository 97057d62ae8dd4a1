// The camera of a board: which part of it is seen, zoomed and dragged by people or moved to where something can be put.
//
// It moves by itself where a piece is put beside the cells, on pictures that grow without end: nearer to what is put
// there, and back when it is played. While a large board moves, the picture as it was drawn is moved and stretched, which
// the browser does with what it has painted already; when it rests it is drawn again, as sharp as it can be.

import { clamp, FEWEST, SIDE, turned, unturned } from "./cells.js";
import { make } from "./page.js";

const MARGIN = 60;
const MOST_ZOOM = 40;
const SEAM_FROM = 9; // pixels of a cell
const REST = 180; // milliseconds after which a board that does not move rests
const FINGER = 44; // pixels that something needs to be tapped on with ease
const AROUND = 3; // pieces that are in view across and down, at least, when the camera goes nearer to one
const LARGER = 2; // how much larger a board is under the lens
const TILE = 3 * SIDE; // the side of what a growing picture is made of
const ROOM = { first: 3, step: 2 }; // tiles on each side of the first one, and how many more it gets at a time
const GLIDE = 240; // milliseconds from one view to the next

/**
 * Where the room ends that a growing picture gets on one side, if it reaches to `edge`: some tiles away from the first
 * one, and then further away in steps of some tiles, so that the scale changes seldom.
 * @param {number} edge in units of pictures, from the middle of the first tile
 */
function roomFor(edge) {
  const steps = Math.ceil((Math.abs(edge) / TILE - 0.5 - ROOM.first) / ROOM.step);
  return Math.sign(edge) * (0.5 + ROOM.first + ROOM.step * Math.max(0, steps)) * TILE;
}

/** The corners of the rectangle around some points. @param {number[][]} points */
function around(points) {
  return [Math.min, Math.max].map((most) => [0, 1].map((axis) => most(...points.map((point) => point[axis]))));
}

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
    this.before = null; // the view from which it was gone nearer
    this.lens = make("svg", { class: "lens", "aria-hidden": "true" });
    make("use", { href: `#${svg.firstElementChild.id}` }, this.lens);
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
    this.svg.classList.toggle("grows", Boolean(sketches));
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
    this.middle = [clamp(this.middle[0], x - slack[0], x + slack[0]), clamp(this.middle[1], y - slack[1], y + slack[1])];
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
  }

  /** Zooms as the person wishes; later moves keep this zoom. */
  scale(factor, point = null) {
    const center = point ? this.seen(point) : this.middle;
    const zoom = clamp(this.zoom * factor, 1, MOST_ZOOM);
    const share = this.zoom / zoom;
    this.middle = [0, 1].map((axis) => center[axis] + (this.middle[axis] - center[axis]) * share);
    this.zoom = zoom;
    this.view({ moving: true });
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

  /** Shows what is under a finger above it, larger, unless it is large enough to be seen beside the finger. */
  magnify({ clientX, clientY }) {
    const unit = this.unit();
    if (SIDE / unit > FINGER) return;
    const across = 128 * unit / LARGER;
    const [x, y] = this.seen(this.toBoard(clientX, clientY));
    this.lens.setAttribute("viewBox", `${x - across / 2} ${y - across / 2} ${across} ${across}`);
    Object.assign(this.lens.style, { left: `${clamp(clientX, 66, innerWidth - 66)}px`, top: `${Math.max(clientY, 190)}px` });
    this.svg.after(this.lens);
  }

  extent(part) {
    const [low, high] = around(this.state.input.corners(part).map((corner) => this.seen(corner)));
    return { center: this.seen(part.center), low, high };
  }

  /** Looks nearer at something that is put somewhere and not played yet. */
  attend() {
    const chosen = this.state.input.chosenPlace();
    if (chosen) this.goNear(this.extent(chosen));
    else if (this.state.input.asks) this.goBack(); // what was played is looked at until something else is to be seen
  }

  /** Has what was laid last seen, on a picture that grows: from as far away as before it was gone nearer. */
  keepLastInView() {
    const { focus } = this.state.picture;
    if (this.zoom <= 1 || !focus || this.state.input.chosenPlace() || this.isInView(this.seen(focus))) return;
    this.glide(this.before?.unit ?? this.unit(), this.seen(focus));
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
    const unit = Math.min(this.unit(), (AROUND * across) / Math.min(clientWidth, clientHeight));
    const half = this.half(unit);
    const isSeen = [0, 1].every((axis) => Math.abs(center[axis] - this.middle[axis]) < half[axis] - across);
    if (unit < this.unit() || !isSeen) this.glide(unit, center);
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

  /** Shows the whole board. */
  whole() {
    this.before = null;
    this.glide(this.wholeUnit(), this.seen(this.home()));
  }
}
