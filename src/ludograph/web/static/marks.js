// What is laid over the picture of a board: marks of what can be chosen, what is chosen already and where the pointer
// and the cursor are; overlays of a strategy's thoughts. What lies on a cell stays in sight.

import { circle, SIDE, upright } from "./cells.js";
import { make } from "./page.js";
import { arrow, drawSketch } from "./picture.js";

/**
 * Returns the function that tells whether a piece, a sign or a number is drawn on a cell.
 * @param {import("./board.js").BoardState} state
 * @returns {(cell: number) => boolean}
 */
function fullCells({ picture, pieces, signs, numbers, moveNumbers }) {
  const texts = new Set((picture?.labels ?? []).map(([cell]) => cell));
  const sign = (cell) => picture.signs[cell] ?? picture.palette[picture.fills[cell]]?.[2] ?? "";
  return (cell) => pieces.has(cell) || texts.has(cell) || (numbers && moveNumbers.has(cell)) || (signs && sign(cell).trim() !== "");
}

/** Draws marks into their layers, above the picture. */
export class Marks {
  /**
   * @param {Record<string, SVGElement>} layers
   * @param {SVGSVGElement} svg
   * @param {import("./board.js").BoardState} state
   * @param {import("./camera.js").Camera} camera
   */
  constructor(layers, svg, state, camera) {
    this.layers = layers;
    this.svg = svg;
    this.state = state;
    this.camera = camera;
    this.targetsOf = null; // of what targets were drawn last
    this.overlays = [];
  }

  /** Lays overlays over the picture, and heat below its pieces, until others are laid. */
  lay(overlays = this.overlays) {
    this.overlays = overlays;
    const { below, above } = drawn(this.state.picture?.fills ? overlays : [], this.state);
    this.layers.heat.replaceChildren(...below);
    this.layers.thoughts.replaceChildren(...above);
  }

  draw() {
    const { camera, layers, state, svg } = this;
    const { input, over, picture } = state;
    this.drawTargets();
    layers.marks.replaceChildren(...(picture ? [...chosen(state), ...spots(state, camera.unit()), ...pointedAt(state), ...advised(state), ...cursor(state)] : []));
    svg.classList.toggle("near", Boolean(input.chosenPlace()));
    const can = over && input.asks && (over.part !== undefined || input.targets().has(over.cell));
    const pointer = can ? "pointer" : camera.zoom > 1 ? "grab" : "default";
    if (svg.style.cursor !== pointer) svg.style.cursor = pointer; // all that is drawn inherits it
  }

  /** The cell from which a piece is picked up and seen elsewhere already; null if none is. */
  lifted() {
    const [from, to] = this.state.input.picked;
    return to !== undefined && this.state.pieces.has(from) ? from : null;
  }

  /** The color of a cell without what lies on it. */
  groundOf(cell) {
    const { fills, palette } = this.state.picture;
    return palette[fills[cell]][1];
  }

  /** Marks what can be chosen; again only if that, or the picture, is another one. */
  drawTargets() {
    const wanted = [this.state.input, this.state.input.chosen.join(), this.state.picture, this.state.signs];
    if (this.targetsOf?.every((each, place) => each === wanted[place])) return;
    this.targetsOf = wanted;
    const targets = this.state.picture ? this.markedTargets() : [];
    const isFull = fullCells(this.state);
    const lifted = this.lifted();
    const isHeld = (cell) => cell !== lifted && isFull(cell); // a dot would hide what lies there
    const held = targets.filter(isHeld);
    const dots = targets.filter((cell) => !isHeld(cell)).map((cell) => {
      const r = Math.max(14, Math.round(0.24 * (this.state.cells.radii[cell] || 80)));
      return circle(...this.state.cells.center(cell), r);
    });
    /** @type {[string, string[]][]} */
    const drawn = [["able", held.map((cell) => this.state.cells.path(cell))], ["dots", dots]];
    const cover = lifted === null ? [] : [make("path", { d: this.state.cells.path(lifted), fill: this.groundOf(lifted) })];
    this.layers.targets.replaceChildren(...cover, ...drawn.filter(([, paths]) => paths.length).map(([name, paths]) => make("path", { class: name, d: paths.join("") })));
  }

  /** The targets, unless they are all cells of their colors, which the picture shows. */
  markedTargets() {
    const { fills, palette } = this.state.picture;
    if (!fills || !this.state.input.asks) return [];
    const targets = [...this.state.input.marked()];
    if (this.state.input.marksSome) return targets;
    const names = fills.map((fill) => palette[fill]?.[0]); // tints of one color have one name
    const colors = new Set(targets.map((cell) => names[cell]));
    const bare = (cell) => !this.state.pieces.has(cell);
    const some = targets.some((cell) => !bare(cell));
    const alike = names.reduce((sum, name, cell) => sum + (colors.has(name) && (some || bare(cell)) ? 1 : 0), 0);
    return alike > targets.length ? targets : [];
  }
}

// The marks of a state, each kind as its elements.

/** @typedef {import("./board.js").BoardState} BoardState */

/** The outlines of cells. @param {BoardState} state */
function outline({ cells }, some, name) { return make("path", { class: name, d: some.map((cell) => cells.path(cell)).join("") }); }

/** What is chosen of a move, or was sent: cells, and pieces where they go. @param {BoardState} state */
function chosen(state) {
  const { cells, input, pieces, sent, shapes } = state;
  const found = input.picked.map((cell) => outline(state, [cell], pieces.has(cell) ? "chosen held" : "chosen"));
  const [from, to] = input.picked;
  const moved = to !== undefined && shapes[pieces.get(from)?.[0]];
  if (moved) { // what is picked up is seen where it goes
    const piece = standing(state, moved.shape, ...cells.center(to));
    piece.classList.add("moved");
    found.push(piece);
  }
  const own = (sent ?? []).filter((part) => part.cells?.length === 1).flatMap((part) => part.cells);
  if (own.length) found.push(outline(state, own, "chosen"));
  const sketches = [...input.sketches(), ...(sent ?? []).flatMap((part) => part.pieces ?? [])].filter(([number]) => shapes[number]);
  return [...found, ...sketches.map(([number, x, y]) => standing(state, shapes[number].shape, x, y))];
}

/** A piece as it lies on the board: on cells it stands upright. @param {BoardState} state */
function standing({ cells, turn }, shape, x, y) {
  const piece = drawSketch(shape, x, y);
  if (cells.size) piece.setAttribute("transform", `translate(${x} ${y}) ${upright(turn)}`);
  return piece;
}

/** Pieces that are not there yet. @param {BoardState} state */
function ghosts(state, pieces = []) {
  return pieces.filter(([number]) => state.shapes[number]).map(([number, x, y]) => {
    const ghost = standing(state, state.shapes[number].shape, x, y);
    ghost.classList.add("ghost");
    return ghost;
  });
}

/**
 * The places beside the cells that can be chosen; small ones have the piece that can be put there, and what it brings.
 * @param {BoardState} state
 */
function spots(state, unit) {
  const { input, over, turn } = state;
  const elsewhere = input.ways().length ? input.spots({ all: true }).filter(({ number }) => !input.isChosen(number)) : []; // where it could lie as well
  const small = input.chosen.length > 0;
  const offered = input.spots();
  const found = offered.filter(({ number }) => !input.chosen.includes(number)).flatMap(({ number, part }) => { // what was put there is drawn
    const name = over?.part === number ? " over" : "";
    if (!small) return [make("path", { class: `spot${name}`, d: part.at })];
    const [x, y] = part.center;
    const piece = make("g", { class: `offer${name}` });
    piece.append(...ghosts(state, part.pieces));
    const size = Math.max(14 * unit, 60);
    const note = make("text", { x: x + 0.55 * size, y: y + 0.9 * size, "font-size": size, transform: upright(turn, x, y) }, piece);
    note.textContent = part.note;
    return [piece];
  });
  return [...elsewhere.map(({ part }) => make("path", { class: "spot pale", d: part.at })), ...found];
}

/** The cells that a click would choose. @param {BoardState} state */
function pointedAt(state) {
  const { input, over, pieces } = state;
  const part = over?.cell !== undefined && input.asks ? input.parts[input.nextAt(over.cell)] : undefined;
  const cells = part?.cells ?? [];
  return cells.length ? [outline(state, cells, cells.length === 1 && pieces.has(cells[0]) ? "glow held" : "glow"), ...ghosts(state, part.pieces)] : [];
}

/** The parts of a move that is advised. @param {BoardState} state */
function advised(state) {
  return (state.hinted ?? []).flatMap((part) => {
    const ring = (name) => part.at ? make("path", { class: name, d: part.at }) : outline(state, part.cells.slice(0, 4000), name);
    return [...ghosts(state, part.pieces), ring("hint-casing"), ring("hint")];
  });
}

/** @param {BoardState} state */
function cursor(state) {
  const { cursor: node, input, keyed } = state;
  if (!node || !keyed) return [];
  return [node.part === undefined ? outline(state, [node.cell], "cursor") : make("path", { class: "cursor", d: input.parts[node.part]?.at ?? "" })];
}

// Overlays: sets of cells, numbers as discs, short texts, moves as arrows or heat. A disc over what lies on a cell is a
// ring, and a text there stands small in the corner.

const LARGEST = 0.36 * SIDE;
const [THINNEST, WIDEST] = [8, 50]; // arrows
const [CORNER, EDGE] = [0.58, 0.8]; // the sizes of a short and of a long text beside what lies on a cell, as parts of those in its middle
const FAINT = 0.18; // how opaque a disc is over what lies there
const HOTTEST = 0.75; // how opaque the most visited cell is
const LIKELY = 0.02; // the share from which on a chance is written

/**
 * Returns the elements of overlays: heat lies below the pieces; above them sets, then arrows, numbers, texts.
 * @param {any[]} overlays
 * @param {import("./board.js").BoardState} state of the board
 */
export function drawn(overlays, state) {
  const { cells } = state;
  const isFull = fullCells(state);
  const [below, areas, arrows, numbers, texts] = [[], [], [], [], []];
  for (const overlay of overlays) {
    if (overlay.chances) texts.push(...chances(overlay, state, isFull));
    else if (overlay.moves) {
      const { color } = overlay;
      const [single, several, arrowed] = sorted(overlay.moves);
      below.push(...single.flatMap((move) => heat(move, color, cells)));
      numbers.push(...several.flatMap(({ parts: [own], share }) => discs({ cells: own, values: own.map(() => share), color }, cells, isFull, 1)));
      arrows.push(...arrowed.reverse().flatMap((move) => way(move, color, cells))); // the widest above
    } else {
      const inside = overlay.cells.filter((cell) => cell < cells.size);
      if (overlay.values) numbers.push(...discs(overlay, cells, isFull));
      else if (!overlay.texts && inside.length) areas.push(area(overlay, inside, cells));
      if (overlay.texts) texts.push(...overlay.cells.flatMap((cell, place) => written(cell, overlay.texts[place], overlay.color, state, isFull)));
    }
  }
  return { below, above: [...areas, ...arrows, ...numbers, ...texts] };
}

function area({ color }, inside, cells) {
  return make("path", { d: inside.map((cell) => cells.path(cell)).join(""), fill: color, "fill-opacity": 0.3, stroke: color, "stroke-width": 12, "stroke-dasharray": "40 24" });
}

/** A disc for each number, in proportion to its area; a hollow disc is below zero, and where something lies it is nearly hollow. */
function discs({ cells: own, values, color }, cells, isFull, greatest = Math.max(...values.map(Math.abs))) {
  return own.flatMap((cell, place) => {
    const value = values[place];
    if (!value || cell >= cells.size) return [];
    const [cx, cy] = cells.center(cell);
    const r = Math.max(0.03 * SIDE, LARGEST * Math.sqrt(Math.abs(value) / greatest));
    const over = isFull(cell);
    const disc = make("circle", { cx, cy, r, fill: value > 0 ? color : "none", "fill-opacity": over ? FAINT : 0.8, stroke: value > 0 && !over ? "#fff" : color, "stroke-width": 9 });
    return over ? [make("circle", { cx, cy, r, fill: "none", stroke: "#fff", "stroke-width": 17, "stroke-opacity": 0.8 }), disc] : [disc];
  });
}

/** Moves that are a cell, moves that are any cell of a set, and moves that go from cell to cell. */
function sorted(moves) {
  const kind = ({ parts }) => (parts.length > 1 ? 2 : parts[0].length > 1 ? 1 : 0);
  return [0, 1, 2].map((number) => moves.filter((move) => kind(move) === number));
}

/** A move that is a cell: the more visits, the less transparent. */
function heat({ parts: [[cell]], share }, color, cells) {
  return cell < cells.size ? [make("path", { d: cells.path(cell), fill: color, "fill-opacity": (HOTTEST * share).toFixed(3) })] : [];
}

/** A move from a cell to another: the more visits, the wider the arrow; a dashed line leads to cells of further parts. */
function way({ parts, share }, color, cells) {
  if (parts.some(([cell]) => cell >= cells.size)) return [];
  const width = THINNEST + (WIDEST - THINNEST) * share;
  const opacity = 0.3 + 0.3 * share;
  const points = parts.map(([cell]) => cells.center(cell));
  const drawn = [arrow(points.slice(0, 2), { color, width, opacity, clear: true })];
  if (points.length > 2) {
    const d = `M${points.slice(1).map((point) => point.join(" ")).join("L")}`;
    drawn.unshift(make("path", { d, fill: "none", stroke: color, "stroke-width": Math.max(THINNEST, width / 3), "stroke-dasharray": "16 14", opacity }));
  }
  return drawn;
}

/** The chance of each move, at the cell to which it goes; the best of those that go there. */
function chances({ chances: moves, color }, state, isFull) {
  const seen = new Set();
  return moves.flatMap(({ parts, share, text }) => {
    const cell = middle(parts[1] ?? parts[0], state.cells);
    if (!text || share < LIKELY || seen.has(cell)) return [];
    seen.add(cell);
    return written(cell, text, color, state, isFull);
  });
}

/** The cell of a set that is nearest to its middle. */
function middle(own, cells) {
  const centers = own.filter((cell) => cell < cells.size).map((cell) => cells.center(cell));
  const [x, y] = [0, 1].map((axis) => centers.reduce((sum, center) => sum + center[axis], 0) / centers.length);
  const away = (cell) => Math.hypot(cells.center(cell)[0] - x, cells.center(cell)[1] - y);
  return own.reduce((best, cell) => (away(cell) < away(best) ? cell : best));
}

/**
 * A short text in a disc, which is stretched for a longer one: in the middle of a cell on which nothing lies; else small,
 * a short one in the upper corner, a longer one at the edge where no name of the cell stands.
 */
function written(cell, content, color, { cells, turn, names }, isFull) {
  if (cell >= cells.size) return [];
  const [x, y] = cells.center(cell);
  const long = content.length > 2;
  const full = isFull(cell);
  const scale = full ? (long ? EDGE : CORNER) : 1;
  const size = long ? 54 : 80;
  const [half, r] = [Math.max(0.3 * SIDE, 0.38 * size * content.length), content.length > 3 ? 0.22 * SIDE : 0.3 * SIDE];
  const text = make("text", { x: 0, y: 0.355 * size, "font-size": size, fill: "#26262b", "text-anchor": "middle" });
  text.textContent = content;
  const away = full ? 0.62 * (cells.radii[cell] || 80) : 0;
  const [right, down] = long ? [0, names ? -away : away] : [away, -away];
  const group = make("g", { transform: `${upright(turn, x, y)} translate(${x + right} ${y + down}) scale(${scale})` });
  group.append(make("rect", { x: -half, y: -r, width: 2 * half, height: 2 * r, rx: r, fill: "#fff", "fill-opacity": 0.92, stroke: color, "stroke-width": 11 }), text);
  return [group];
}
