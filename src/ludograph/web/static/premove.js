// A move that is chosen on the other's turn: it stays in this browser, and is played at one's own turn if it is possible then.

const CHOSEN = "The marked move is played at your turn, if it is possible then. A click on its last cell cancels it.";

export class Premove {
  /**
   * @param {import("./board.js").Board} board
   * @param {(text: string, wrong?: boolean) => void} reply
   */
  constructor(board, reply) {
    this.board = board;
    this.reply = reply;
    this.on = false;
    /** @type {number[]} in the order in which they were clicked on */
    this.cells = [];
  }

  /** Takes a click on a place out of turn; returns whether it was one on a cell. */
  take(place) {
    if (!this.on || place?.cell === undefined) return false;
    this.cells = this.cells.at(-1) === place.cell ? [] : [...this.cells, place.cell];
    this.board.mark(this.cells);
    this.reply(this.cells.length ? CHOSEN : "");
    return true;
  }

  /** Plays what was chosen; called when this person is asked. */
  play() {
    const { cells } = this;
    this.cells = [];
    if (!cells.length) return;
    this.reply("");
    if (!this.board.playCells(cells)) this.reply("The move that you have chosen before is not possible now.", true);
  }

  /** Forgets what was chosen. */
  clear() {
    if (!this.cells.length) return;
    this.cells = [];
    this.board.mark(null);
    this.reply("");
  }
}
