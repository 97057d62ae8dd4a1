// The regions of a picture of sketches: which one is under a point, and who owns it.

import { make } from "./cells.js";

export class Regions {
  constructor() {
    this.context = document.createElement("canvas").getContext("2d");
    this.paths = new Map();
    this.all = [];
  }

  /** Takes the regions of a picture, each as its text, the color of its owner, and the sketches that cover it. */
  set(regions = [], shapes = []) {
    this.all = regions.map(([text, color, cover]) => ({ text, color, cover: cover.map(([number, x, y]) => ({ ...shapes[number], x, y })) }));
  }

  get held() { return this.all.filter(({ color }) => color); }

  /** The region under a point: the last one, as it is drawn over the others. */
  at(x, y) { return this.all.findLast(({ cover }) => cover.some((each) => this.covers(each, x - each.x, y - each.y))) ?? null; }

  covers({ shape }, x, y) {
    return shape.some(({ d, fill, width }) => {
      if (!this.paths.has(d)) this.paths.set(d, new Path2D(d));
      if (fill) return this.context.isPointInPath(this.paths.get(d), x, y);
      this.context.lineWidth = width;
      return this.context.isPointInStroke(this.paths.get(d), x, y);
    });
  }
}

/** Draws what a region covers, in a color. */
export function cover(region, color, name) {
  const group = make("g", { class: name, color });
  for (const { shape, x, y } of region.cover) {
    for (const { d, fill, width } of shape) {
      const look = fill ? { fill: "currentColor" } : { fill: "none", stroke: "currentColor", "stroke-width": width };
      make("path", { d, transform: `translate(${x} ${y})`, ...look }, group);
    }
  }
  return group;
}
