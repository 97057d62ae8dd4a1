// Draws overlays over a picture: sets of cells, numbers as discs, short texts, moves as arrows or heat.
//
// What lies on a cell stays in sight: there a disc is a ring, and a text stands small in the corner.

import { fullCells } from "./board_state.js";
import { make, SIDE, upright } from "./cells.js";
import { element } from "./panel.js";

export const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"]; // that color-blind people can distinguish

const LARGEST = 0.36 * SIDE;
const [THINNEST, WIDEST] = [8, 50]; // arrows
const [CORNER, EDGE] = [0.58, 0.8]; // the sizes of a short and of a long text beside what lies on a cell, as parts of those in its middle
const FAINT = 0.18; // how opaque a disc is over what lies there
const HOTTEST = 0.75; // how opaque the most visited cell is
const LIKELY = 0.02; // the share from which on a chance is written

/**
 * Returns the elements of overlays: heat lies below the pieces; above them sets, then arrows, numbers, texts.
 * @param {any[]} overlays
 * @param {import("./board_state.js").BoardState} state of the board
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

// Arrows along cells.

/**
 * A line with a head that ends short of what stands on the last cell.
 * @param {number[][]} points
 * @param {{color: string, width?: number, around?: number, opacity?: number, clear?: boolean}} look `around` makes all of it wider, for a casing;
 *   `clear`: it begins beside what stands on the first cell
 */
export function arrow(points, { color, width = 20, around = 0, opacity = 1, clear = false }) {
  const [[px, py], [qx, qy]] = points.slice(-2);
  const length = Math.hypot(qx - px, qy - py) || 1;
  const [dx, dy] = [(qx - px) / length, (qy - py) / length];
  const [short, head] = [Math.min(0.4 * SIDE, 0.42 * length), Math.min(0.3 * SIDE, 0.42 * length)];
  const [tx, ty] = [qx - short * dx, qy - short * dy];
  const [nx, ny] = [tx - head * dx, ty - head * dy];
  const half = Math.max(0.19 * SIDE, 0.9 * width);
  const [wx, wy] = [-half * dy, half * dx];
  const shaft = [...points.slice(0, -1), [nx, ny]];
  if (clear) shaft[0] = beside(shaft[0], shaft[1]);
  const group = make("g", { opacity });
  make("path", { d: `M${shaft.map((point) => point.join(" ")).join("L")}`, fill: "none", stroke: color, "stroke-width": width + around, "stroke-linecap": "round", "stroke-linejoin": "round" }, group);
  make("path", { d: `M${tx} ${ty}L${nx + wx} ${ny + wy}L${nx - wx} ${ny - wy}Z`, fill: color, stroke: color, "stroke-width": around, "stroke-linejoin": "round" }, group);
  return group;
}

/**
 * A point on the way to another one, beside what stands on the first.
 * @param {number[]} from
 * @param {number[]} to
 */
function beside([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const share = Math.min(0.36 * SIDE, 0.4 * length) / length;
  return [x + share * (toX - x), y + share * (toY - y)];
}

// The thoughts of a strategy about its move: a line of text, and overlays of the board to switch on.

function switchedOn() {
  try { return new Set(JSON.parse(localStorage.getItem("overlays") ?? "[]")); } catch { return new Set(); }
}

export class Thoughts {
  constructor(board, place) {
    this.board = board;
    this.place = place;
    this.on = switchedOn();
    this.overlays = []; // those of the shown thoughts, each with its color
    this.seen = false; // whether there were any thoughts
    this.text = element("p", { class: "thinks" });
    this.switches = element("div", { class: "switches", role: "group", "aria-label": "Overlays" });
    place.replaceChildren(this.text, this.switches);
  }

  /** Shows a player's thoughts; null hides them. */
  show(view, who = "") {
    this.overlays = (view?.overlays ?? []).flatMap(withChances).map((overlay, number) => ({ ...overlay, color: COLORS[number % COLORS.length] }));
    const section = this.place.closest("details"); // stays once there was anything in it, so that nothing moves
    (section ?? this.place).hidden = !view && !(section && this.seen);
    this.seen ||= Boolean(view);
    this.text.textContent = view ? `${who}${who && view.text ? " " : ""}${view.text}` : "";
    this.switches.replaceChildren(...this.overlays.map((overlay) => {
      const key = element("span", { class: "swatch", "aria-hidden": "true" });
      key.style.background = overlay.color;
      const button = element("button", { type: "button", "aria-pressed": String(this.on.has(overlay.name)) }, key, overlay.name);
      button.addEventListener("click", () => this.toggle(overlay.name, button));
      return button;
    }));
    this.lay();
  }

  toggle(name, button) {
    if (!this.on.delete(name)) this.on.add(name);
    button.setAttribute("aria-pressed", String(this.on.has(name)));
    try { localStorage.setItem("overlays", JSON.stringify([...this.on])); } catch { /* not kept, then */ }
    this.lay();
  }

  lay() {
    this.board.lay(this.overlays.filter((overlay) => this.on.has(overlay.name)));
  }
}

/** An overlay of moves, and one more of their chances if any is known. */
function withChances(overlay) {
  if (!overlay.moves?.some(({ text }) => text)) return [overlay];
  return [overlay, { name: "chances", chances: overlay.moves }];
}
