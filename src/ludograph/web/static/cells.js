// Where the cells of a board are: their outlines, their centers, which one is under a point.

const SVG = "http://www.w3.org/2000/svg";

/** The side of the usual cell, in the unit of all pictures. */
export const SIDE = 200;

/** What a picture without cells stands on. */
export const NO_CELLS = { cells: 0, offsets: [0], points: [], centers: [], radii: [], discs: [], names: [] };

/** Keeps a value between two others. */
export function clamp(value, low, high) { return Math.min(Math.max(value, low), high); }

/** Makes an element of an SVG picture. */
export function make(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
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
      const [left, top, right, bottom] = this.box(cell);
      for (let x = Math.floor(left / SIDE); x <= Math.floor(right / SIDE); x++) {
        for (let y = Math.floor(top / SIDE); y <= Math.floor(bottom / SIDE); y++) {
          const key = x * 65536 + y;
          if (!this.grid.has(key)) this.grid.set(key, []);
          this.grid.get(key).push(cell);
        }
      }
    }
  }

  box(cell) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 2 * this.offsets[cell]; i < 2 * this.offsets[cell + 1]; i += 2) {
      left = Math.min(left, this.points[i]); right = Math.max(right, this.points[i]);
      top = Math.min(top, this.points[i + 1]); bottom = Math.max(bottom, this.points[i + 1]);
    }
    return [left, top, right, bottom];
  }

  /** @returns {[number, number]} */
  center(cell) { return [this.centers[2 * cell], this.centers[2 * cell + 1]]; }

  path(cell) {
    let path = this.paths[cell];
    if (path === undefined && this.discs.length) {
      const [[x, y], r] = [this.center(cell), this.discs[cell]];
      path = this.paths[cell] = `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;
    } else if (path === undefined) {
      const corners = [];
      for (let i = this.offsets[cell]; i < this.offsets[cell + 1]; i++) {
        corners.push(`${this.points[2 * i]} ${this.points[2 * i + 1]}`);
      }
      path = this.paths[cell] = corners.length ? `M${corners.join("L")}Z` : "";
    }
    return path;
  }

  at(x, y) {
    for (const cell of this.grid.get(Math.floor(x / SIDE) * 65536 + Math.floor(y / SIDE)) ?? []) {
      let inside = false;
      const [first, last] = [this.offsets[cell], this.offsets[cell + 1]];
      for (let i = first, j = last - 1; i < last; j = i++) {
        const [xi, yi, xj, yj] = [this.points[2 * i], this.points[2 * i + 1], this.points[2 * j], this.points[2 * j + 1]];
        if ((yi > y) !== (yj > y) && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
      }
      if (inside) return cell;
    }
    return -1;
  }
}

// How a board lies: turned by quarters, mirrored, or both.
//
// The picture keeps its own coordinates. It is drawn turned, and only texts and pieces stay upright.

/**
 * @typedef {object} Turn
 * @property {number} quarters quarter turns to the right
 * @property {boolean} mirrored whether left and right were exchanged before
 */

/**
 * Where a point of the picture is drawn.
 * @param {Turn} turn
 * @param {number[]} point
 * @returns {[number, number]}
 */
export function turned({ quarters, mirrored }, [x, y]) {
  if (mirrored) x = -x;
  for (let done = 0; done < quarters; done++) [x, y] = [-y, x];
  return [x, y];
}

/**
 * Which point of the picture is drawn somewhere.
 * @param {Turn} turn
 * @param {number[]} point
 * @returns {[number, number]}
 */
export function unturned({ quarters, mirrored }, [x, y]) {
  for (let done = 0; done < quarters; done++) [x, y] = [y, -x];
  return [mirrored ? -x : x, y];
}

/**
 * Turns all that is drawn in an element.
 * @param {Turn} turn
 * @param {Element} element
 */
export function turn(turn, element) {
  element.setAttribute("transform", `matrix(${[...turned(turn, [1, 0]), ...turned(turn, [0, 1])].join(" ")} 0 0)`);
}

/**
 * The transform by which something at a point stays upright on a turned board.
 * @param {Turn} turn
 * @param {number} x
 * @param {number} y
 */
export function upright(turn, x = 0, y = 0) {
  const [a, b] = unturned(turn, [1, 0]);
  const [c, d] = unturned(turn, [0, 1]);
  return `matrix(${a} ${b} ${c} ${d} ${x - a * x - c * y} ${y - b * x - d * y})`;
}
