// What a board looks at by itself: where something can be put, as large as who points at it needs it.
//
// Only places beside the cells are looked at so, on pictures that grow without end: where the whole picture
// would make them too small, a part is shown, and where more of them lie, beyond its edges, arrows lead.

import { clamp } from "./drawing.js";
import { MOST_ZOOM, View } from "./view.js";

const FINGER = 44; // pixels that something needs to be tapped on
const POINTER = 18; // and to be clicked on
const WITHIN = 3; // what is put somewhere has so many of them, across, to be chosen from
const GLIDE = 240; // milliseconds from one view to the next
const LEAVE = 350; // and until what was played is looked at from farther away, unless something is asked before
const SIDES = [["left", "‹", -1, 0], ["right", "›", 1, 0], ["up", "‹", 0, -1], ["down", "›", 0, 1]];
const ALONG = [0, 0.3, -0.3, 0.6, -0.6, 0.85, -0.85]; // where an arrow may be, from the middle of its edge

export class Gaze extends View {
  constructor(element) {
    super(element);
    this.own = null; // units per pixel that somebody has chosen, once they have
    this.before = null; // the view from which it was gone nearer
    this.arrows = SIDES.map(([side, sign, right, down]) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: `beyond ${side}`, hidden: true, textContent: sign });
      button.addEventListener("click", () => this.goOn(right, down));
      element.append(button);
      return button;
    });
  }

  /** Pixels that a target needs. */
  need() { return matchMedia("(pointer: coarse)").matches ? FINGER : POINTER; }

  /** Where something can be put, as long as one thing is asked. */
  places() {
    if (this.placesOf !== this.chooser) {
      this.placesOf = this.chooser;
      this.found = this.chooser.spots({ all: true }).map(({ part }) => this.extent(part));
    }
    return this.found;
  }

  extent(part) {
    const [across, down] = [0, 1].map((axis) => this.chooser.corners(part).map((corner) => corner[axis]));
    return { center: part.center, low: [Math.min(...across), Math.min(...down)], high: [Math.max(...across), Math.max(...down)] };
  }

  /** Looks at what can be chosen; nearer while something is put somewhere and not played yet. */
  attend({ anew = false } = {}) {
    const chosen = this.chooser.chosenPlace();
    if (chosen) { this.goNear(this.extent(chosen)); return; }
    clearTimeout(this.leaving);
    if (anew) { this.before = null; this.goWhere(this.places()); }
    else if (this.chooser.asks) this.goBack();
    else if (this.before) this.leaving = setTimeout(() => this.goBack(), LEAVE);
  }

  goBack() {
    const { before } = this;
    this.before = null;
    if (before) this.glide(before.unit, before.middle);
  }

  goNear({ center, low, high }) {
    this.before ??= { unit: this.unit(), middle: this.middle };
    const across = Math.min(high[0] - low[0], high[1] - low[1]);
    const unit = Math.min(this.unit(), across / (WITHIN * this.need()));
    const [wide, high_] = this.half(unit);
    const near = (axis, half) => Math.abs(center[axis] - this.middle[axis]) < half - 1.5 * across;
    if (unit < this.unit() || !near(0, wide) || !near(1, high_)) this.glide(unit, center);
  }

  /** Shows places: all if they are large enough so, else those around where something has happened last. */
  goWhere(places) {
    if (!places.length) return;
    const [x, y] = this.box;
    const across = Math.min(...places.map(({ low, high }) => Math.min(high[0] - low[0], high[1] - low[1])));
    const unit = this.own ?? Math.min(this.wholeUnit(), across / this.need());
    const [low, high] = [0, 1].map((side) => [0, 1].map((axis) => (side ? Math.max : Math.min)(...places.map((each) => each[side ? "high" : "low"][axis]))));
    const half = this.half(unit);
    const focus = this.picture.focus ?? [x, y];
    const middle = [0, 1].map((axis) => {
      const [least, most] = [low[axis] + half[axis] - across / 4, high[axis] - half[axis] + across / 4];
      return least >= most ? (low[axis] + high[axis]) / 2 : clamp(focus[axis], least, most);
    });
    this.glide(unit, middle);
  }

  /** Half of what is seen, across and down, at so many units per pixel. */
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
    if (!from || this.large || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const now = this.unit();
    const scale = now / from.unit;
    const [right, down] = [0, 1].map((axis) => ((this.middle[axis] - from.middle[axis]) / now) * scale);
    this.gliding?.cancel();
    if (Math.abs(scale - 1) < 0.01 && Math.hypot(right, down) < 2) return;
    this.gliding = this.svg.animate([{ transform: `translate(${right}px, ${down}px) scale(${scale})` }, { transform: "none" }], { duration: GLIDE, easing: "ease-in-out" });
  }

  /** Looks nearer or from farther away, as somebody wishes; that stays so for what is asked next. */
  scale(factor, around) {
    super.scale(factor, around);
    if (!this.before) this.own = this.zoom > 1 ? this.unit() : null;
  }

  /** Shows the whole board; from there, what it would show by itself. */
  whole() {
    const whole = this.zoom <= 1;
    this.own = whole ? null : this.wholeUnit();
    this.before = null;
    if (whole) this.goWhere(this.places());
    else this.glide(this.wholeUnit(), this.home());
  }

  redraw(wide, high) {
    super.redraw(wide, high);
    this.drawArrows();
  }

  /** The places on each side, out of sight. */
  beyond() {
    const found = SIDES.map(() => []);
    const places = this.chooser.chosenPlace() ? [] : this.places();
    if (!places.length) return found; // nothing is laid out anew for that
    const half = this.half(this.unit());
    for (const { center } of places) {
      const [right, down] = [0, 1].map((axis) => (center[axis] - this.middle[axis]) / half[axis]);
      if (Math.max(Math.abs(right), Math.abs(down)) < 1) continue;
      found[Math.abs(right) > Math.abs(down) ? (right < 0 ? 0 : 1) : (down < 0 ? 2 : 3)].push(center);
    }
    return found;
  }

  drawArrows() {
    if (!this.arrows) return;
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
