// Which part of a board is seen: all of it, or a part that is zoomed to and dragged.

import { SIDE } from "./cells.js";
import { Drawing, FEWEST, clamp } from "./drawing.js";

const MARGIN = 60;
const MOST_ZOOM = 40;
const SEAM_FROM = 9; // pixels of a cell

export class View extends Drawing {
  constructor(element) {
    super(element);
    this.zoom = 1;
    this.middle = [0, 0];
  }

  toBoard(x, y) {
    const matrix = this.svg.getScreenCTM();
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  /** Units of the board per pixel. */
  unit() { return 1 / this.svg.getScreenCTM().a; }

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
      this.box = box;
      this.svg.parentElement.parentElement.style.setProperty("--aspect", Math.max(0.7, wide / high).toFixed(2));
      if (this.zoom === 1) this.middle = [box[0], box[1]];
    }
    this.view();
  }

  view() {
    if (!this.box) return;
    const [x, y, wide, high] = this.box;
    if (this.zoom <= 1) this.middle = [x, y];
    const slack = [Math.max(0, (wide - wide / this.zoom) / 2), Math.max(0, (high - high / this.zoom) / 2)];
    this.middle = [clamp(this.middle[0], x - slack[0], x + slack[0]), clamp(this.middle[1], y - slack[1], y + slack[1])];
    const [w, h] = [wide / this.zoom, high / this.zoom];
    if (this.large) {
      const pixels = (SIDE * this.svg.clientWidth) / w;
      this.cellsLayer.setAttribute("class", pixels < SEAM_FROM ? "cells bare" : "cells");
    }
    this.svg.setAttribute("viewBox", `${this.middle[0] - w / 2} ${this.middle[1] - h / 2} ${w} ${h}`);
  }

  scale(factor, around = this.middle) {
    const zoom = clamp(this.zoom * factor, 1, MOST_ZOOM);
    const share = this.zoom / zoom;
    this.middle = [0, 1].map((axis) => around[axis] + (this.middle[axis] - around[axis]) * share);
    this.zoom = zoom;
    this.svg.setAttribute("class", zoom > 1 ? "zoomed" : "");
    this.view();
  }

  whole() { this.zoom = 1; this.scale(1); }

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
