// Looking back while a game goes on: the board shows an earlier move, and the game waits behind it.

import { at } from "./page.js";
import { markMove } from "./panel.js";
import { patientFetch } from "./requests.js";

/**
 * What is looked at; all that is drawn follows from it.
 * @typedef {object} LookBackState
 * @property {number | null} shown the plies played by then; null while the board shows the present
 * @property {number} last the plies played by now
 * @property {Map<number, Promise<any>>} frames pictures that were fetched, by the plies played
 */

const SPARE = 8; // a frame more for each seat that may have dropped out: its forfeit has one of its own

export class LookBack {
  /**
   * @param {import("./board.js").Board} board
   * @param {{base: string, moves: (ply: number) => number, present: () => void}} on `base` is the address of the game's record,
   *   `moves(ply)` the number of moves of players among the plies until there, `present()` shows the present on the board
   */
  constructor(board, on) {
    this.board = board;
    this.on = on;
    /** @type {LookBackState} */
    this.state = { shown: null, last: 0, frames: new Map() };
    this.place = at("past");
    this.moves = at("moves");
    const [back, next, text, present] = /** @type {any} */ (this.place.children);
    this.text = text;
    this.buttons = { back, next, present };
    this.events();
    this.render();
  }

  /** Whether the board shows an earlier move. */
  get looking() { return this.state.shown !== null; }

  /** Takes notice of the plies played by now; if some were taken back, the present is shown. */
  setLast(last) {
    const { state } = this;
    if (last < state.last) {
      state.frames.clear();
      this.return();
    }
    state.last = last;
  }

  /** Shows what the address says: the board after a number of plies, as #12. */
  follow() {
    const said = /^#(\d+)$/.exec(location.hash);
    if (said) this.go(Number(said[1]));
    else if (!location.hash) this.return();
    if (said && !this.looking) this.keep(); // there is no such move
  }

  /** Writes into the address what is shown. */
  keep() {
    history.replaceState(null, "", this.looking ? `#${this.state.shown}` : location.pathname + location.search);
  }

  /** Shows the board after a number of plies. */
  async go(ply) {
    const { state } = this;
    if (ply >= state.last) { this.return(); return; }
    state.shown = Math.max(ply, 0);
    this.render();
    this.keep();
    const wanted = state.shown;
    if (!state.frames.has(wanted)) state.frames.set(wanted, this.fetch(wanted));
    const found = await state.frames.get(wanted);
    if (state.shown !== wanted) return; // another move was chosen meanwhile
    if (!found) { state.frames.delete(wanted); this.return(); return; }
    this.board.ask(null);
    this.board.lay([]);
    this.board.show(found.picture, { shapes: found.shapes, still: true });
    this.place.dataset.shown = String(wanted);
  }

  /** Returns the picture after a number of plies; null if there is none. */
  async fetch(ply) {
    const { frames, shapes } = await patientFetch(`${this.on.base}/frames?first=${ply}&count=${SPARE}`, () => {}).catch(() => ({ frames: [], shapes: [] }));
    const frame = frames.findLast((each) => each.ply === ply);
    return frame ? { picture: frame.picture, shapes: shapes.map((shape) => this.board.intern(shape)) } : null;
  }

  /** Shows the present again. */
  return() {
    if (!this.looking) return;
    this.state.shown = null;
    this.keep();
    delete this.place.dataset.shown;
    this.on.present();
    this.render();
  }

  render() {
    const { shown, last } = this.state;
    const now = shown ?? last;
    this.place.hidden = !last;
    this.buttons.back.disabled = now === 0;
    this.buttons.next.disabled = shown === null;
    this.buttons.present.hidden = shown === null;
    const moves = shown === null ? 0 : this.on.moves(shown);
    this.text.textContent = shown === null ? "" : moves ? `${moves} of ${this.on.moves(last)}` : "The start";
    markMove(this.moves, now);
  }

  events() {
    const { buttons, state } = this;
    const now = () => state.shown ?? state.last;
    addEventListener("hashchange", () => this.follow());
    buttons.back.addEventListener("click", () => this.go(now() - 1));
    buttons.next.addEventListener("click", () => this.go(now() + 1));
    buttons.present.addEventListener("click", () => { this.return(); this.board.svg.focus({ preventScroll: true }); });
    this.moves.addEventListener("click", ({ target }) => {
      const item = target.closest("li");
      if (item) this.go([...this.moves.children].indexOf(item) + 1);
    });
    this.moves.addEventListener("keydown", (event) => {
      const ply = { ArrowLeft: now() - 1, ArrowRight: now() + 1, Home: 0, End: state.last, Escape: state.last }[event.key];
      if (ply === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.go(ply);
    });
  }
}
