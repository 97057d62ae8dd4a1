// A live match as one page shows it: its state, and all that is drawn of it. What changes it is in `match_events.js`.

import { Board } from "./board.js";
import { LookBack } from "./look_back.js";
import { at } from "./page.js";
import { clockText, drawBreakdown, drawSeats, drawTotals, moveItem, Thoughts } from "./panel.js";
import { People, Proposals } from "./people.js";
import { ask } from "./requests.js";
import { capital, displayNames, inSecondPerson, ordinal, sentence } from "./sentences.js";
import { switchOf } from "./settings.js";

// One's own turn: the tab's title says it, and a sound if it is switched on, as it does where somebody waits for an answer.

const NOTES = [[660, 0], [880, 0.12]]; // hertz, seconds after the first
const LOUDNESS = 0.12;

class TurnSignal {
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

class Premove {
  /**
   * @param {Board} board
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

// The match ------------------------------------------------------------------------------------

export const page = at("match");
export const { number, key } = page.dataset;
const MOST_SAID = 5; // sentences
const [task, status, answer, seats, moves, choices, after] = ["task", "status", "answer", "seats", "moves", "choices", "after"].map(at);

/**
 * All that is drawn follows from it.
 * @typedef {object} MatchState
 * @property {number[]} own the seats of this page
 * @property {any} now the last frame; null before the first one
 * @property {number} since when that came
 * @property {any[]} played the moves
 * @property {any} turn the legal moves, while a person at this page is to move
 * @property {boolean} begun whether the clocks run
 * @property {any} end how the match has ended, by the server; null while it goes on
 * @property {string} result the sentence on that
 * @property {string[]} lately the announcements since this person's last move, that move included
 * @property {boolean} waiting whether the answer line says that the server is busy
 */

/** @type {MatchState} */
export const state = { own: [], now: null, since: performance.now(), played: [], turn: null, begun: false, end: null, result: "", lately: [], waiting: false };

export const board = new Board(at("board"), {});
export const thoughts = new Thoughts(board, at("views"));
export const past = new LookBack(board, {
  base: `/replay/here/${number}`,
  moves: (ply) => state.played.slice(0, ply).filter((move) => move.seat !== null).length,
  present: () => { board.show(state.now.picture, { still: true }); board.ask(state.turn); thoughts.lay(); },
});
export const people = new People({ names, draw: render, send: (name) => wish("name", name), reply, unsay });
const signal = at("sound") ? new TurnSignal(at("sound")) : null;
export const proposals = new Proposals({ own: () => state.own, names, undone: movesFrom, send: wish, asked: (waits) => signal?.ask(waits), reply });
export const premove = new Premove(board, reply);

/** Sends what this person wants; returns the answer, or null after saying why it is refused. */
export async function wish(kind, value = null) {
  const answered = await ask(`/match/${number}/wish`, JSON.stringify({ kind, key, ply: state.now?.ply ?? 0, value }));
  if (!answered.error) return answered;
  reply(sentence(answered.error), true);
  if (state.turn && (kind === "move" || kind === "type")) board.ask(state.turn);
  return null;
}

export function names() { return displayNames(state.now.seats, state.own); }

/** The last move of a seat and those after it, as a list. */
function movesFrom(seat) {
  const first = state.played.map((move) => move.seat).lastIndexOf(seat);
  const undone = state.played.slice(first).filter((move) => move.seat !== null);
  const few = undone.length <= 3;
  return few ? undone.map(({ text, number: each }) => `${each}. ${text}`).join(", ") : `the moves ${undone[0].number} to ${undone.at(-1).number}`;
}

/** Whether the person at this page is out, while the others play on. */
function isOut() { return state.own.length === 1 && Boolean(state.now.seats[state.own[0]].stuck); }

/** Whether a move can be chosen before the turn of this person. */
export function mayChooseBefore() {
  const { own, now } = state;
  return own.length === 1 && now.turn !== null && now.turn !== own[0] && !isOut();
}

/** Whether a move can be taken back, perhaps with the consent of the person who is to move. */
function mayTakeBack() {
  const { now, own, played, turn } = state;
  if (turn) return !turn.kept;
  return Boolean(page.dataset.shared && now?.seats[now.turn]?.person) && played.some(({ seat }) => own.includes(seat));
}

// The lines of text ---------------------------------------------------------------------------

/** Writes a text if it has changed, to save a new layout. */
function write(place, text, wrong = false) {
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("wrong", wrong);
}

/** Writes the status line: what has happened. */
export function say(text, wrong = false) {
  write(status, text, wrong);
  if (!wrong) reply("");
}

/** Writes the answer line: a hint, what is under the cursor, why a move is illegal. */
export function reply(text, wrong = false) { write(answer, text, wrong); }

/** Takes a sentence out of the answer line, if it is still there. */
export function unsay(text) { if (answer.textContent === text) reply(""); }

/** Announces a move, after the announcements since this person's last move. */
export function tell(seat, announcement, points = "") {
  const { own } = state;
  if (!announcement) return;
  if (own.includes(seat)) state.lately = [];
  const mine = own.length === 1 && own[0] === seat;
  add(seat === null ? `Chance ${announcement}.` : `${capital(names()[seat])} ${mine ? inSecondPerson(announcement) : announcement}.${points}`);
}

/** Adds a sentence to the last few in the status line, or to the result of the game. */
export function add(text) {
  const { own, now } = state;
  if (state.end) { say(`${state.result} ${text}`); return; }
  const few = own.some((each) => !now.seats[each].stuck) ? MOST_SAID : own.length ? 2 : 1; // a spectator sees the moves
  state.lately = [...state.lately, text].slice(-few);
  say(state.lately.join(" "));
}

/** The sentence on whose turn it is, with the instruction for the next part of a move; before the game, on who is missing. */
function turnText() {
  const { now, own, turn } = state;
  if (now.turn === null) return "";
  if (!state.begun) {
    if (page.dataset.shared) return "The game begins when everybody is here.";
    const others = names().filter((_, seat) => !own.includes(seat));
    return `The game begins when ${others.length === 1 ? `${others[0]} is` : "all players are"} ready.`;
  }
  const { color, person, called } = now.seats[now.turn];
  if (isOut()) return `You are out: ${now.seats[own[0]].stuck}. ${person ? "The others play" : `${names()[now.turn]} plays`} on …`;
  if (!own.includes(now.turn)) return person ? `Waiting for ${called || color || `the ${ordinal(now.turn)} player`} …` : `${names()[now.turn]} is thinking …`;
  const whose = `Your move${color ? `, ${color}` : own.length > 1 ? `, ${ordinal(now.turn)} player` : ""}`;
  const { input } = board.state;
  const chosen = input.stage();
  const isWhole = chosen === Infinity && board.confirms && !turn?.parts.some((part) => part.at);
  const wanted = isWhole ? "Confirm, or choose another move" : turn?.tasks[Math.min(chosen, turn.tasks.length - 1)];
  return wanted ? `${whose}: ${wanted.slice(0, 1).toLowerCase()}${wanted.slice(1)}${input.canTurn() ? ", or turn it" : ""}.` : `${whose}.`;
}

/** The result of the game for the person at this page. */
function verdict({ state: how, ranks }) {
  const { own } = state;
  if (how !== "over") return "The game is not over.";
  if (!ranks || ranks.length === 1) return "The game is over.";
  const best = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (own.length === 1 && !best.includes(own[0])) return "You lose.";
  if (best.length > 1) return "A draw.";
  return own.length === 1 ? "You win!" : `${names()[best[0]]} wins.`;
}

// What is drawn -------------------------------------------------------------------------------

/** Draws the state. */
export function render() {
  const { now, own } = state;
  if (!now) return;
  people.mark(now.seats);
  drawSeats(seats, now, own);
  drawBreakdown(at("breakdown"), now, names());
  tick();
  renderTurn();
}

/** Draws what is to be done next. */
export function renderTask() { write(task, state.end ? verdict(state.end) : turnText()); }

/** Draws how the game has ended, at the board: who has won, why, and what can be done now. */
function renderEnd() {
  const { end, now, result } = state;
  if (end && after.hidden) {
    write(at("verdict"), verdict(end));
    write(at("result"), result);
    drawTotals(at("totals"), now, names());
  }
  after.hidden = !end;
  at("go-on").hidden = end?.state !== "suspended";
}

/** Draws whose turn it is, and what can be done. */
export function renderTurn() {
  const { end, now, own, turn } = state;
  if (!now) return;
  signal?.show(!end && own.includes(now.turn));
  renderTask();
  task.classList.toggle("verdict", end?.state === "over");
  renderEnd();
  for (const each of [at("actions"), choices, at("typing")]) if (each) each.hidden = Boolean(end) || (each === choices && !own.length);
  for (const button of at("actions")?.children ?? []) {
    const kind = button.dataset.wish;
    button.disabled = Boolean(end) || (kind === "hint" && !turn) || (kind === "undo" && !mayTakeBack());
    if (kind === "undo") button.title = turn?.kept || (page.dataset.shared ? "The others are asked first" : "");
  }
  for (const each of at("typed")?.elements ?? []) each.disabled = Boolean(end) || !turn;
  past.render(); // the list may have less room than before
}

/** Lists the moves, those from a number on. */
export function listMoves(first = 0) {
  while (moves.children.length > first) moves.lastChild.remove();
  moves.append(...state.played.slice(first).map((move) => moveItem(move, state.now.seats, names())));
}

/** Writes the clocks. */
function tick() {
  const { begun, end, now, since } = state;
  now?.seats.forEach((seat, place) => {
    const clock = seats.children[place]?.querySelector(".clock");
    if (!clock || seat.left === null) return;
    const left = seat.left - (now.turn === place && begun && !end ? (performance.now() - since) / 1000 : 0);
    clock.textContent = clockText(left);
    clock.classList.toggle("short", left < 10);
  });
}
setInterval(tick, 200);
