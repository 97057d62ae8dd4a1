// Which part of a board is seen: all of it, or a part that is zoomed to and dragged.
//
// While a large board moves, the picture as it was drawn is moved and stretched, which the browser does
// with what it has painted already; when it rests it is drawn anew, as sharp as it can be.

import { SIDE } from "./cells.js";
import { Chooser } from "./chooser.js";
import { Drawing, FEWEST, clamp } from "./drawing.js";

const MARGIN = 60;
export const MOST_ZOOM = 40;
const SEAM_FROM = 9; // pixels of a cell
const REST = 180; // milliseconds after which a board that does not move rests

export class View extends Drawing {
  constructor(element) {
    super(element);
    this.chooser = new Chooser(null); // there is room for the places that can be chosen
    this.cursor = null; // the place to which keys have gone: it is kept in view
    this.zoom = 1;
    this.middle = [0, 0];
  }

  show(picture, options) {
    super.show(picture, options);
    this.fit();
  }

  /**
   * The middle of the picture.
   * @returns {[number, number]}
   */
  home() {
    const [left, top, right, bottom] = this.picture?.bounds ?? [0, 0, 0, 0];
    return [(left + right) / 2, (top + bottom) / 2];
  }

  /**
   * Where on the board a point of the window is.
   * @returns {[number, number]}
   */
  toBoard(x, y) {
    const box = this.svg.parentElement.getBoundingClientRect();
    const unit = this.unit();
    return [this.middle[0] + (x - box.left - box.width / 2) * unit, this.middle[1] + (y - box.top - box.height / 2) * unit];
  }

  /** Where in the window a point of the board is. */
  toWindow([x, y]) {
    const box = this.svg.parentElement.getBoundingClientRect();
    const unit = this.unit();
    return [box.left + box.width / 2 + (x - this.middle[0]) / unit, box.top + box.height / 2 + (y - this.middle[1]) / unit];
  }

  /** Units of the board per pixel. */
  unit() { return this.wholeUnit() / this.zoom; }

  /** Units per pixel where the whole board is seen. */
  wholeUnit() {
    const { clientWidth, clientHeight } = this.svg.parentElement;
    const [, , wide, high] = this.box;
    return Math.max(wide / clientWidth, high / clientHeight);
  }

  /** Makes room for all that there is, unless somebody looks at a part of it. */
  fit() {
    if (!this.picture) return;
    let [left, top, right, bottom] = this.picture.bounds;
    for (const { part } of this.chooser.spots({ all: true })) {
      for (const [x, y] of this.chooser.corners(part)) {
        left = Math.min(left, x); right = Math.max(right, x);
        top = Math.min(top, y); bottom = Math.max(bottom, y);
      }
    }
    if (this.picture.sketches) { // what has grown stays as large, so that nothing jumps between two moves
      this.room ??= [left, top, right, bottom];
      [left, top] = [Math.min(left, this.room[0]), Math.min(top, this.room[1])];
      [right, bottom] = [Math.max(right, this.room[2]), Math.max(bottom, this.room[3])];
      this.room = [left, top, right, bottom];
    }
    const tick = 0.026 * Math.max(right - left, bottom - top, FEWEST * SIDE);
    const under = this.picture.columns.length ? 1.6 * tick : 0;
    const widest = Math.max(0, ...this.picture.rows.map(([, text]) => text.length));
    const beside = widest ? (0.6 * widest + 0.5) * tick : 0;
    const wide = Math.max(right - left + beside, FEWEST * SIDE) + 2 * MARGIN;
    const high = Math.max(bottom - top + under, FEWEST * SIDE) + 2 * MARGIN;
    const box = [(left - beside + right) / 2, (top + bottom + under) / 2, wide, high];
    if (String(box) !== String(this.box)) {
      const seen = this.box && this.zoom > 1 && this.unit(); // who looks at a part goes on to
      this.box = box;
      const aspect = this.picture.sketches ? 1 : Math.max(0.7, wide / high); // what grows gets a square, for good
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
    if (moving && this.large && this.drawnView) this.move();
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
    if (this.large) {
      const pixels = (SIDE * this.svg.clientWidth) / w;
      this.cellsLayer.setAttribute("class", pixels < SEAM_FROM ? "cells bare" : "cells");
    }
    this.drawnView = { middle: this.middle, unit: this.unit() };
    this.svg.setAttribute("viewBox", `${this.middle[0] - w / 2} ${this.middle[1] - h / 2} ${w} ${h}`);
  }

  scale(factor, around = this.middle) {
    const zoom = clamp(this.zoom * factor, 1, MOST_ZOOM);
    const share = this.zoom / zoom;
    this.middle = [0, 1].map((axis) => around[axis] + (this.middle[axis] - around[axis]) * share);
    this.zoom = zoom;
    this.view({ moving: true });
  }

  keepInView() {
    if (this.zoom <= 1 || !this.cursor) return;
    const [, , wide, high] = this.box;
    const away = [0, 1].map((axis) => Math.abs(this.cursor.center[axis] - this.middle[axis]));
    if (away[0] > (0.45 * wide) / this.zoom || away[1] > (0.45 * high) / this.zoom) {
      this.middle = [...this.cursor.center];
      this.view();
    }
  }
}
