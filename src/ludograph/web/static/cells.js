// Where things of a board are: its cells, its regions, and how the board lies.

/** The side of the usual cell, in the unit of all pictures. */
export const SIDE = 200;

/** What a picture without cells stands on. */
export const NO_CELLS = { cells: 0, offsets: [0], points: [], centers: [], radii: [], discs: [], names: [] };

export const EMPTY = -1; // what fills a place of a picture that has no cell
export const FEWEST = 5; // cells across, at least: one lone cell need not fill the page
const LARGE = 1000; // cells

/** Keeps a value between two others. */
export function clamp(value, low, high) { return Math.min(Math.max(value, low), high); }

// The browser knows which outlines a point is in.

const context = document.createElement("canvas").getContext("2d");
const outlines = new Map(); // by their texts

function outline(d) {
  if (!outlines.has(d)) outlines.set(d, new Path2D(d));
  return outlines.get(d);
}

/** Whether a point is inside an outline. */
export function isInside(d, x, y) { return context.isPointInPath(outline(d), x, y); }

/** Whether a point is on a line of some width. */
function isOn(d, width, x, y) {
  context.lineWidth = width;
  return context.isPointInStroke(outline(d), x, y);
}

/** Cells, and a grid of places that finds them. */
export class Cells {
  /** @param {{cells: number, offsets: number[], points: number[], centers: number[], radii: number[], discs: number[], names: [number, string][]}} board */
  constructor(board) {
    this.size = board.cells;
    this.offsets = board.offsets; // by cell: the number of its first corner; one more, where the last one ends
    this.points = board.points; // x and y of each corner
    this.centers = board.centers; // x and y of each cell
    this.radii = board.radii; // of the largest circle inside each cell
    this.discs = board.discs; // radii of the nodes of a drawn graph, which have no other outlines
    this.names = board.names; // pairs of a cell and what moves call it
    this.paths = new Array(this.size);
    this.grid = new Map();
    for (let cell = 0; cell < this.size; cell++) {
      const corners = this.corners(cell);
      const [across, down] = [0, 1].map((axis) => corners.map((corner) => Math.floor(corner[axis] / SIDE)));
      for (let x = Math.min(...across); x <= Math.max(...across); x++) {
        for (let y = Math.min(...down); y <= Math.max(...down); y++) {
          const key = x * 65536 + y;
          if (!this.grid.has(key)) this.grid.set(key, []);
          this.grid.get(key).push(cell);
        }
      }
    }
  }

  /** Whether the board is so large that its cells are drawn in fewer, larger elements. */
  get areMany() { return this.size > LARGE; }

  /** @returns {[number, number]} */
  center(cell) { return [this.centers[2 * cell], this.centers[2 * cell + 1]]; }

  corners(cell) {
    const found = [];
    for (let i = 2 * this.offsets[cell]; i < 2 * this.offsets[cell + 1]; i += 2) found.push([this.points[i], this.points[i + 1]]);
    return found;
  }

  outline(cell) {
    const corners = this.corners(cell).map((corner) => corner.join(" "));
    return corners.length ? `M${corners.join("L")}Z` : "";
  }

  /** What is drawn of a cell. */
  path(cell) { return this.paths[cell] ??= this.discs.length ? circle(...this.center(cell), this.discs[cell]) : this.outline(cell); }

  at(x, y) {
    const near = this.grid.get(Math.floor(x / SIDE) * 65536 + Math.floor(y / SIDE)) ?? [];
    return near.find((cell) => isInside(this.outline(cell), x, y)) ?? -1;
  }
}

/** A circle as a path. */
export function circle(x, y, r) { return `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`; }

/** The regions of a picture of sketches: which one is under a point, and who owns it. */
export class Regions {
  /** Takes each as its text, the color of its owner, and the sketches that cover it. */
  constructor(regions = [], shapes = []) {
    this.all = regions.map(([text, color, cover]) => ({ text, color, cover: cover.map(([number, x, y]) => ({ ...shapes[number], x, y })) }));
  }

  get held() { return this.all.filter(({ color }) => color); }

  /** The region under a point: the last one, as it is drawn over the others. */
  at(x, y) {
    const covers = (each) => each.shape.some(({ d, fill, width }) => (fill ? isInside(d, x - each.x, y - each.y) : isOn(d, width, x - each.x, y - each.y)));
    return this.all.findLast(({ cover }) => cover.some(covers)) ?? null;
  }
}

// How a board lies: a matrix of quarter turns and mirrors. The picture keeps its own coordinates; it is drawn turned,
// and only texts and pieces stay upright.

/** @typedef {DOMMatrix} Turn */

/** Where a point of the picture is drawn. @param {Turn} turn @returns {[number, number]} */
export function turned(turn, [x, y]) {
  const seen = turn.transformPoint({ x, y });
  return [seen.x, seen.y];
}

/** Which point of the picture is drawn somewhere. @param {Turn} turn */
export function unturned(turn, point) { return turned(turn.inverse(), point); }

/** The transform by which something at a point stays upright on a turned board. @param {Turn} turn */
export function upright(turn, x = 0, y = 0) { return String(new DOMMatrix().translate(x, y).multiply(turn.inverse()).translate(-x, -y)); }
