// Puzzles of a recorded game: the one move that wins is to be found on the board.

import { Board } from "./board.js";
import { all, at } from "./page.js";
import { drawChoices, drawSeats } from "./panel.js";
import { ask } from "./requests.js";
import { nameSeats } from "./sentences.js";
import { ownSeats } from "./settings.js";

/**
 * All that is drawn follows from it.
 * @typedef {object} PuzzleState
 * @property {any[]} puzzles
 * @property {number} shown which of them
 * @property {string} said what was said last
 * @property {boolean} wrong whether that was a refusal
 * @property {boolean} solved whether the answer is known
 */

const page = at("puzzle");
/** @type {PuzzleState} */
const state = { puzzles: [], shown: 0, said: "Looking for puzzles in this game …", wrong: false, solved: false };

const board = new Board(at("board"), {
  move: (code) => { answer(code); render(); },
  described: (text) => { at("status").textContent = text; },
  choices: (list) => drawChoices(at("choices"), list, (each) => board.press(each)),
});

const puzzle = () => state.puzzles[state.shown];

/** Takes a move of the person. */
function answer(code) {
  const { move, line, ask } = puzzle();
  const text = ask.moves.find(([each]) => each === code)[1];
  if (code === move) solve(`Right: ${line[0]}.`);
  else Object.assign(state, { said: `${text} does not win. Try again.`, wrong: true });
}

function solve(said) {
  const rest = puzzle().line.slice(1);
  Object.assign(state, { said: rest.length ? `${said} With best play it goes on: ${rest.join(" ")}.` : said, wrong: false, solved: true });
}

function go(step) {
  const shown = Math.min(Math.max(state.shown + step, 0), state.puzzles.length - 1);
  Object.assign(state, { shown, said: "", wrong: false, solved: false });
  history.replaceState(null, "", `#${shown + 1}`);
}

/** Draws the state. */
function render() {
  at("status").textContent = state.said;
  at("status").classList.toggle("wrong", state.wrong);
  const now = puzzle();
  at("actions").hidden = !now;
  if (!now) return;
  at("task").textContent = `Puzzle ${state.shown + 1} of ${state.puzzles.length}: ${now.question}`;
  drawSeats(at("seats"), now.now);
  board.show(now.now.picture, { still: true });
  board.ask(state.solved ? null : now.ask);
  board.mark(state.solved ? now.cells : null);
  for (const button of all("[data-do]")) {
    button.disabled = { before: !state.shown, show: state.solved, next: state.shown === state.puzzles.length - 1 }[button.dataset.do];
  }
  at("replay").href = `${page.dataset.base.replace("/puzzles/", "/replay/")}#${now.ply}`;
  page.dataset.shown = String(state.shown + 1);
}

function events() {
  const doing = { before: () => go(-1), next: () => go(1), show: () => solve(`The answer is ${puzzle().line[0]}.`) };
  for (const button of all("[data-do]")) button.addEventListener("click", () => { doing[button.dataset.do](); render(); });
}

events();
render();
const data = await ask(`${page.dataset.base}/found`);
if (data.error) state.said = data.error;
else {
  state.puzzles = data.puzzles;
  for (const { now } of state.puzzles) nameSeats(now.seats, JSON.parse(page.dataset.people), ownSeats(page.dataset.base.split("/").at(-1), now.seats));
  state.shown = Math.min(Math.max((Number(location.hash.slice(1)) || 1) - 1, 0), Math.max(data.puzzles.length - 1, 0));
  state.said = data.puzzles.length ? "" : "No puzzle was found in this game: no position with exactly one winning move was proven.";
  board.setBoard(data.board);
  board.addShapes(0, data.shapes);
}
board.stopWaiting();
render();
page.dataset.ready = "yes";
