// One's own turn: how it is announced, and a move that is chosen before it.

import { switchOf } from "./settings.js";

// It is your turn, or somebody waits for your answer: the tab's title says it, and a sound if it is switched on.

const NOTES = [[660, 0], [880, 0.12]]; // hertz, seconds after the first
const LOUDNESS = 0.12;

export class TurnSignal {
  /** @param {HTMLElement} button switches the sound */
  constructor(button) {
    this.title = document.title;
    this.mine = null; // unknown before the first position
    this.asked = false; // a request waits for an answer of this page
    /** @type {AudioContext | null} */
    this.audio = null;
    switchOf(button, "sound", false, (on, byHand) => {
      this.sounds = on;
      if (on && byHand) this.play(); // shows what is to be heard
    });
  }

  /** Takes notice of whose turn it is. */
  show(mine) {
    if (mine && this.mine === false && this.sounds) this.play();
    this.mine = mine;
    this.write();
  }

  /** Takes notice of whether a request waits for an answer of this page. */
  ask(asked) {
    if (asked && !this.asked && this.sounds) this.play();
    this.asked = asked;
    this.write();
  }

  write() { document.title = this.mine || this.asked ? `● ${this.title}` : this.title; }

  play() {
    this.audio ??= new AudioContext();
    this.audio.resume(); // a browser lets a page sound after the first click on it
    for (const [pitch, after] of NOTES) {
      const start = this.audio.currentTime + after;
      const tone = new OscillatorNode(this.audio, { frequency: pitch });
      const gain = new GainNode(this.audio, { gain: 0 });
      gain.gain.setTargetAtTime(LOUDNESS, start, 0.01);
      gain.gain.setTargetAtTime(0, start + 0.08, 0.05);
      tone.connect(gain).connect(this.audio.destination);
      tone.start(start);
      tone.stop(start + 0.5);
    }
  }
}

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
