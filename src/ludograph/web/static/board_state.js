// The state of a board: what it shows, what can be chosen, and where pointer and keys are.

import { Cells, make, NO_CELLS } from "./cells.js";
import { MoveInput } from "./move_input.js";

/**
 * A place on the board: a cell by its number, or a part of a move beside the cells.
 * @typedef {{cell?: number, part?: number, center: number[]}} Place
 */

/**
 * All that is drawn follows from it.
 * @typedef {object} BoardState
 * @property {Cells} cells where the board's cells are
 * @property {any} picture what `ludograph.web.serializers` makes of a scene; null before the first one
 * @property {any[]} shapes what pieces look like, by number
 * @property {Regions} regions the regions that a person can select
 * @property {any} selectedRegion the region that a person has selected
 * @property {MoveInput} input which moves can be chosen, and what is chosen of one
 * @property {any[] | null} hinted the parts of a move that is advised
 * @property {any[] | null} sent the parts of the move that was sent and is not answered yet
 * @property {Place | null} cursor where keys have gone
 * @property {Place | null} over what the pointer is on
 * @property {boolean} keyed whether keys were used last: then the cursor is drawn
 * @property {boolean} signs whether cells bear the signs of their colors
 * @property {boolean} names whether cells bear the names that moves call them by
 * @property {boolean} numbers whether pieces bear the numbers of their moves
 * @property {Map<number, string>} moveNumbers these numbers, by cell
 * @property {import("./cells.js").Turn} turn how the board lies
 * @property {boolean} holders whether regions have the color of their owners
 */

const LARGE = 1000; // cells

/** @returns {BoardState} the state of a board without a picture */
export function emptyState() {
  return {
    cells: new Cells(NO_CELLS),
    picture: null,
    shapes: [],
    regions: new Regions(),
    selectedRegion: null,
    input: new MoveInput(null),
    hinted: null,
    sent: null,
    cursor: null,
    over: null,
    keyed: false,
    signs: isKept("signs"),
    names: isKept("names"),
    holders: isKept("holders"),
    numbers: isKept("numbers"),
    moveNumbers: new Map(),
    turn: { quarters: 0, mirrored: false },
  };
}

/**
 * Whether a board is so large that its cells are drawn in fewer, larger elements.
 * @param {BoardState} state
 */
export function isLarge(state) { return state.cells.size > LARGE; }

/**
 * Returns the function that tells whether a piece, a sign or a number is drawn on a cell: marks leave it in sight.
 * @param {BoardState} state
 * @returns {(cell: number) => boolean}
 */
export function fullCells({ cells, picture, signs, numbers, moveNumbers }) {
  const pieces = new Set((picture?.pieces ?? []).map(([, x, y]) => `${x}:${y}`));
  const texts = new Set((picture?.labels ?? []).map(([cell]) => cell));
  const sign = (cell) => picture.signs[cell] ?? picture.palette[picture.fills[cell]]?.[2] ?? "";
  return (cell) => pieces.has(cells.center(cell).join(":")) || texts.has(cell) || (numbers && moveNumbers.has(cell)) || (signs && sign(cell).trim() !== "");
}

/**
 * Switches signs, names, numbers of moves or holders on or off, for the next visit too.
 * @param {BoardState} state
 * @param {"signs" | "names" | "numbers" | "holders"} name
 */
export function toggle(state, name) {
  state[name] = !state[name];
  try { localStorage.setItem(name, state[name] ? "yes" : "no"); } catch { /* not kept, then */ }
}

function isKept(name) {
  try { return localStorage.getItem(name) === "yes"; } catch { return false; }
}

// The regions of a picture of sketches: which one is under a point, and who owns it.

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
