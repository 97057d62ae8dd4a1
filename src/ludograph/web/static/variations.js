// Variations of a recorded game: moves that are tried on the board form a tree, which the address keeps.

import { element } from "./page.js";
import { moverOf } from "./panel.js";
import { ask } from "./requests.js";
import { displayNames } from "./sentences.js";

const SLOW = 300; // milliseconds after which the page says that it waits for the server

/**
 * A move that was tried, and those that were tried behind it; `told` is what is known of it, as in `ludograph.web.positions.serializers.line_data`.
 * @typedef {{text: string, told: any, children: Branch[]}} Branch
 */

/**
 * All that is drawn follows from it.
 * @typedef {object} VariationState
 * @property {Map<number, Branch[]>} tree the moves that were tried, by the step of the game from which they start
 * @property {number | null} step from which step the shown variation starts; null while the game itself is shown
 * @property {string[]} path the moves of the shown variation
 * @property {string[]} line the moves of the variation that was opened last, of which the shown one is the beginning
 * @property {any[]} told what is known of the moves of the shown variation, as in `ludograph.web.positions.serializers.line_data`
 * @property {any[]} seats as in a frame
 * @property {any} now the position behind it, as a frame
 * @property {any} ask the legal moves behind it
 * @property {{move: string, text: string, share: number}[]} outcomes what chance can bring behind it
 * @property {number} draws how many times chance was drawn here: each draw has its own seed
 * @property {Map<string, string>} chances what a strategy expects for the seat to move behind a variation, by its path
 */

export class Variations {
  /**
   * @param {HTMLElement} place the moves that were tried
   * @param {HTMLElement} tools the buttons for them
   * @param {import("./board.js").Board} board
   * @param {{base: string, step: () => number, where: (step: number) => string, shown: (now: any, shapes: any[], step: number, line: any[]) => void, back: (step: number) => void, said: (text: string) => void}} on
   *   `step()` is the step that the page shows, `where(step)` says where in the game a step is, `shown` takes a position, `back` shows a step of the game again
   */
  constructor(place, tools, board, on) {
    this.place = place;
    this.tools = tools;
    this.board = board;
    this.on = on;
    this.walking = Promise.resolve(); // until the steps are shown that were asked for
    /** @type {VariationState} */
    this.state = { tree: new Map(), step: null, path: [], line: [], told: [], seats: [], now: null, ask: null, outcomes: [], draws: 0, chances: new Map() };
    this.read(location.hash);
    this.events();
    this.render();
  }

  /** Whether a variation is shown. */
  get shown() { return this.state.step !== null; }

  /** The part of the address behind #: the shown variation first, then the ends of all others. */
  address(step) {
    const { state } = this;
    const written = (from, path) => [from, ...path.map(encodeURIComponent)].join("/");
    const first = this.shown ? written(state.step, state.path) : String(step);
    const ends = [...state.tree].flatMap(([from, branches]) => branches.flatMap(endsOf).map((path) => written(from, path)));
    return `#${[first, ...ends.filter((end) => end !== first)].join(";")}`;
  }

  /** Takes the variations of an address; returns the shown one. */
  read(hash) {
    const lines = hash.slice(1).split(";").map((line) => line.split("/")).map(([step, ...path]) => ({ step: Number(step) || 0, path: path.map(decoded) }));
    for (const { step, path } of lines) if (path.length) this.add(step, path);
    return lines[0];
  }

  /** Adds a line to the tree; `told` is what is known of its moves. */
  add(step, path, told = []) {
    const { tree } = this.state;
    if (!tree.has(step)) tree.set(step, []);
    let branches = tree.get(step);
    path.forEach((text, place) => {
      let branch = branches.find((each) => each.text === text);
      if (!branch) branches.push(branch = { text, told: null, children: [] });
      branch.told ??= told[place] ?? null;
      branches = branch.children;
    });
  }

  /** Asks who makes the moves of the lines of an address. */
  async complete() {
    for (const [step, branches] of this.state.tree) {
      for (const path of branches.flatMap(endsOf)) {
        const data = await this.fetch(step, path);
        if (!data.error) this.add(step, path, data.line);
      }
    }
    this.render();
  }

  /** Asks the server for the position behind moves. */
  async fetch(step, path, seed = null) {
    const query = new URLSearchParams([["step", String(step)], ...path.map((text) => ["move", text]), ...(seed === null ? [] : [["draw", seed]])]);
    const slow = setTimeout(() => this.on.said("One moment …"), SLOW);
    const data = await ask(`${this.on.base}/variation?${query}`);
    clearTimeout(slow);
    return data;
  }

  /** Opens a line of moves behind a step of the game, and shows its first ones; the steps go on through the line. */
  async openLine(step, told, count) {
    const line = told.map(({ move }) => move);
    this.add(step, line, told);
    await this.open(step, line.slice(0, count), null, line);
  }

  /** Takes the shown move out of the tree, with all that was tried behind it. */
  async remove() {
    const { step, path, tree } = this.state;
    let branches = tree.get(step);
    for (const text of path.slice(0, -1)) branches = branches.find((each) => each.text === text).children;
    branches.splice(branches.findIndex((each) => each.text === path.at(-1)), 1);
    if (path.length > 1) { await this.open(step, path.slice(0, -1), null, path.slice(0, -1)); return; }
    this.leave();
    this.on.back(step);
  }

  /**
   * Shows a variation, which is added to the tree; with a seed chance is drawn at its end.
   * @param {number} step
   * @param {string[]} path
   * @param {string | null} seed
   * @param {string[] | null} whole the line of which it is the beginning, if another one than before
   */
  async open(step, path, seed = null, whole = null) {
    const data = await this.fetch(step, path, seed);
    if (data.error) { this.on.said(data.error); return; }
    const { line: told, now, shapes, ask, outcomes } = data;
    path = told.map(({ move }) => move);
    if (path.length) this.add(step, path, told);
    const { line: before } = this.state;
    const line = whole ?? (this.state.step === step && path.every((text, place) => text === before[place]) ? before : path);
    Object.assign(this.state, { step, path, line, told, seats: now.seats, now, ask, outcomes });
    const interned = shapes.map((shape) => this.board.intern(shape));
    this.board.addShapes(0, shapes);
    this.on.shown(now, interned, step, told);
    this.board.ask(ask);
    history.replaceState(null, "", this.address(step));
    this.render();
  }

  /**
   * Goes some moves on within the line that was opened last, back if negative; before its first move, and where it
   * has none, along the game.
   * @param {number} moves
   */
  walk(moves) {
    this.walking = this.walking.then(async () => {
      const { step, path, line } = this.state;
      if (step === null) return;
      const reached = Math.min(path.length + moves, line.length);
      if (reached >= 0 && reached !== path.length) await this.open(step, line.slice(0, reached));
      else if (!path.length && Number.isFinite(moves)) { this.leave(); this.on.back(step + moves); }
    });
    return this.walking;
  }

  /** Takes a move that was chosen on the board. */
  move(code) {
    const { step, path, ask } = this.state;
    return this.open(step, [...path, ask.moves.find(([each]) => each === code)[1]]);
  }

  /** Keeps what a strategy expects behind the shown variation. */
  setChance(text) {
    const { now, chances } = this.state;
    chances.set(this.key, `${now.seats[now.turn].color || `player ${now.turn + 1}`} ${text}`);
    this.render();
  }

  /** The name of the shown variation; empty while the game itself is shown. */
  get key() { return this.shown ? [this.state.step, ...this.state.path].join("/") : ""; }

  /** Leaves the shown variation; the tree stays. */
  leave() {
    if (!this.shown) return;
    Object.assign(this.state, { step: null, path: [], line: [], told: [], now: null, ask: null, outcomes: [] });
    this.board.ask(null);
    this.render();
  }

  render() {
    const { tree, path } = this.state;
    const button = (name, text) => element("button", { type: "button", "data-do": name }, text);
    const rows = [...tree].filter(([, branches]) => branches.length).sort(([first], [second]) => first - second).map(([from, branches]) => element("li", {},
      element("span", { class: "faint" }, `${this.on.where(from)}: `),
      listOf(branches, from, [], this.key, this.state)));
    const buttons = this.shown ? [button("back", "Back to the game"), ...(path.length ? [button("delete", "Delete from here")] : [])] : [button("try", "Try moves")];
    this.tools.replaceChildren(...this.chance(), ...buttons);
    this.place.replaceChildren(element("ul", {}, ...rows));
    this.tools.dataset.shown = this.key;
  }

  /** What chance brings is chosen, or drawn with a seed. */
  chance() {
    const { outcomes } = this.state;
    if (!outcomes.length) return [];
    const options = outcomes.map(({ move, text, share }) => element("option", { value: move }, `${text} (${Math.round(100 * share)} %)`));
    const explained = element("p", { class: "faint small" }, "Chance is to move here. Choose its outcome, or draw one at random. The value is the average over all outcomes.");
    return [explained, element("div", { class: "chance", role: "group", "aria-label": "Chance" },
      element("select", { "aria-label": "Outcome of chance" }, ...options), element("button", { type: "button", "data-do": "choose" }, "Choose"),
      element("button", { type: "button", "data-do": "draw" }, "Draw"))];
  }

  events() {
    this.place.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("button");
      if (button) this.open(Number(button.dataset.step), JSON.parse(button.dataset.path));
    });
    this.tools.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("button");
      if (!button) return;
      const { step, path } = this.state;
      if (button.dataset.do === "try") this.open(this.on.step(), []);
      else if (button.dataset.do === "choose") this.open(step, [...path, this.tools.querySelector("select").value]);
      else if (button.dataset.do === "draw") this.open(step, path, String(++this.state.draws));
      else if (button.dataset.do === "delete") this.remove();
      else { this.leave(); this.on.back(step); }
    });
  }
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** The paths to the ends of a branch. @param {Branch} branch @returns {string[][]} */
function endsOf({ text, children }) {
  return children.length ? children.flatMap(endsOf).map((path) => [text, ...path]) : [[text]];
}

/** Branches as a list: a move that only one follows stands before it in the same row. Behind a move stands its chance, if one is known. */
function listOf(branches, step, before, shown, { seats, chances }) {
  const names = displayNames(seats);
  return element("ul", {}, ...branches.map((first) => {
    const row = element("li", {});
    let [branch, path] = [first, before];
    for (;;) {
      path = [...path, branch.text];
      const button = moveButton(branch.text, branch.told, seats, names);
      Object.assign(button.dataset, { step: String(step), path: JSON.stringify(path) });
      const key = [step, ...path].join("/");
      if (key === shown) button.setAttribute("aria-current", "step");
      if (chances.get(key)) button.append(element("span", { class: "faint" }, ` ${chances.get(key)}`));
      row.append(button);
      if (branch.children.length !== 1) break;
      [branch] = branch.children;
    }
    if (branch.children.length) row.append(listOf(branch.children, step, path, shown, { seats, chances }));
    return row;
  }));
}

/**
 * The moves of a line that one can go through: a button for each, which asks for the line until there.
 * @param {any[]} line of `ludograph.web.positions.move_input.shown_line`
 * @param {any[]} seats as in a frame
 * @param {(count: number) => void} go
 * @param {(move: any) => void} point shows the first move on the board while the pointer or the focus is on it; null: no longer
 */
export function lineButtons(line, seats, go, point) {
  const names = displayNames(seats);
  const first = line.findIndex(({ number }) => number);
  return line.map((move, place) => {
    const button = moveButton(move.move, move, seats, names, place === first);
    button.addEventListener("click", () => go(place + 1));
    if (move.cells) { // the first move can be shown on the board
      for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => point(move));
      for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => point(null));
    }
    return button;
  });
}

/** A button for a move of a line: its number, if that is to be shown, who makes it, if that is known, and what it is, in the words of the list of moves. */
function moveButton(text, told, seats, names, numbered = true) {
  const mover = told && told.seat !== null && seats.length > 1 ? moverOf(told, seats, names) : [];
  const who = told && told.seat !== null ? `${names[told.seat]} ` : "";
  return element("button", { type: "button", class: "line-move", title: told ? `${told.number ? `${told.number}: ` : ""}${who}${told.announcement || told.text}` : text },
    ...(numbered && told?.number ? [element("span", { class: "ply" }, `${told.number}.`)] : []), ...mover, told?.text || text);
}
