// Variations of a recorded game: moves that are tried on the board form a tree, which the address keeps.

import { element } from "./panel.js";
import { dataOf } from "./sentences.js";

/**
 * A move that was tried, and those that were tried behind it.
 * @typedef {{text: string, children: Branch[]}} Branch
 */

/**
 * All that is drawn follows from it.
 * @typedef {object} VariationState
 * @property {Map<number, Branch[]>} tree the moves that were tried, by the step of the game from which they start
 * @property {number | null} step from which step the shown variation starts; null while the game itself is shown
 * @property {string[]} path the moves of the shown variation
 * @property {any} ask the legal moves behind it
 */

export class Variations {
  /**
   * @param {HTMLElement} place
   * @param {import("./board.js").Board} board
   * @param {{base: string, step: () => number, shown: (now: any, shapes: any[], step: number, ways: number[][]) => void, back: (step: number) => void, said: (text: string) => void}} on
   *   `step()` is the step that the page shows, `shown` takes a position, `back` shows a step of the game again
   */
  constructor(place, board, on) {
    this.place = place;
    this.board = board;
    this.on = on;
    /** @type {VariationState} */
    this.state = { tree: new Map(), step: null, path: [], ask: null };
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

  /** Adds a line to the tree. */
  add(step, path) {
    const { tree } = this.state;
    if (!tree.has(step)) tree.set(step, []);
    let branches = tree.get(step);
    for (const text of path) {
      let branch = branches.find((each) => each.text === text);
      if (!branch) branches.push(branch = { text, children: [] });
      branches = branch.children;
    }
  }

  /** Shows a variation, which is added to the tree. */
  async open(step, path) {
    const query = new URLSearchParams([["step", String(step)], ...path.map((text) => ["move", text])]);
    let data = { error: "The server cannot be reached." };
    try { data = await dataOf(await fetch(`${this.on.base}/variation?${query}`)); } catch { /* the sentence says it */ }
    if (data.error) { this.on.said(data.error); return; }
    const { now, shapes, ask, ways } = /** @type {any} */ (data);
    if (path.length) this.add(step, path);
    Object.assign(this.state, { step, path, ask });
    const interned = shapes.map((shape) => this.board.intern(shape));
    this.board.addShapes(0, shapes);
    this.on.shown(now, interned, step, ways);
    this.board.ask(ask);
    history.replaceState(null, "", this.address(step));
    this.render();
  }

  /** Takes a move that was chosen on the board. */
  move(code) {
    const { step, path, ask } = this.state;
    return this.open(step, [...path, ask.moves.find(([each]) => each === code)[1]]);
  }

  /** Leaves the shown variation; the tree stays. */
  leave() {
    if (!this.shown) return;
    Object.assign(this.state, { step: null, path: [], ask: null });
    this.board.ask(null);
    this.render();
  }

  render() {
    const { tree, step, path } = this.state;
    const button = (name, text) => element("button", { type: "button", "data-do": name }, text);
    const rows = [...tree].filter(([, branches]) => branches.length).sort(([first], [second]) => first - second).map(([from, branches]) => element("li", {},
      element("span", { class: "faint" }, from ? `After move ${from}: ` : "From the start: "),
      listOf(branches, from, [], this.shown ? [step, ...path].join("/") : "")));
    this.place.replaceChildren(this.shown ? button("back", "Back to the game") : button("try", "Try moves"), element("ul", {}, ...rows));
    this.place.dataset.shown = this.shown ? [step, ...path].join("/") : "";
  }

  events() {
    this.place.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("button");
      if (!button) return;
      const { step } = this.state;
      if (button.dataset.do === "try") this.open(this.on.step(), []);
      else if (button.dataset.do === "back") { this.leave(); this.on.back(step); }
      else this.open(Number(button.dataset.step), JSON.parse(button.dataset.path));
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

/** Branches as a list: a move that only one follows stands before it in the same row. */
function listOf(branches, step, before, shown) {
  return element("ul", {}, ...branches.map((first) => {
    const row = element("li", {});
    let [branch, path] = [first, before];
    for (;;) {
      path = [...path, branch.text];
      const button = element("button", { type: "button", "data-step": String(step), "data-path": JSON.stringify(path) }, branch.text);
      if ([step, ...path].join("/") === shown) button.setAttribute("aria-current", "step");
      row.append(button);
      if (branch.children.length !== 1) break;
      [branch] = branch.children;
    }
    if (branch.children.length) row.append(listOf(branch.children, step, path, shown));
    return row;
  }));
}
