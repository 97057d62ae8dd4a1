// A recorded game: forward, back, at a speed, by a click into the moves or the graph.

import { Board } from "./board.js";
import { isTaken, listenToPageKeys } from "./board_events.js";
import { make } from "./cells.js";
import { Evaluation, MARKS } from "./evaluation.js";
import * as graph from "./graph.js";
import { keyOf } from "./graph.js";
import { Thoughts } from "./overlays.js";
import { all, at, drawBreakdown, drawChoices, drawSeats, element, judgeMove, lineButtons, markMove, moveItem } from "./panel.js";
import { dataOf, patientFetch } from "./requests.js";
import { addressed, capital, displayNames, gained, inSecondPerson, nameSeats, spoken } from "./sentences.js";
import { ownSeats } from "./settings.js";
import { Variations } from "./variations.js";

// The numbers of moves, for games in which a move fills a cell.

/**
 * By cell, the number of the move that has filled it: a move whose way is that cell alone. A move over several cells takes away what was there.
 * @param {{way?: number[], number?: number}[]} moves of seats and of chance, which has no numbers
 * @returns {Map<number, string>}
 */
function numbersOf(moves) {
  const numbers = new Map();
  for (const { way = [], number } of moves) {
    for (const cell of way) numbers.delete(cell);
    if (way.length === 1 && number) numbers.set(way[0], String(number));
  }
  return numbers;
}

// A tournament that is followed: the page plays a game that has ended, and then opens the latest one that ended after it.

const EVERY = 3000; // milliseconds
const LOOK = 4000; // for which the end of a game is shown at least

const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/**
 * Opens the latest game of a tournament as soon as one has ended after the game that is shown.
 * @param {string} tournament
 * @param {number} shown the number of the game that is shown
 * @param {() => boolean} wanted whether the page still follows
 */
async function openNext(tournament, shown, wanted) {
  await pause(LOOK);
  while (wanted()) {
    const { game } = await patientFetch(`/tournaments/${tournament}/latest`, () => {});
    if (!wanted()) return;
    if (game > shown) { location.replace(`/replay/store/${game}?follow=${tournament}`); return; }
    await pause(EVERY);
  }
}

const CHUNK = 24;
const { base, slim, follow: tournament } = at("replay").dataset; // slim: the page is within that of another site
let story = null; // the game, once it has arrived
const people = JSON.parse(at("replay").dataset.people); // their names by seat, if they have any
const board = new Board(at("board"), {
  region: (text) => { at("answer").textContent = text; },
  move: (code) => variations.move(code),
  choices: (list) => drawChoices(at("choices"), list, (each) => board.press(each)),
  idle: (place) => tryAt(place),
});
const variations = new Variations(at("variations"), at("tries"), board, {
  base,
  step: () => { stop(); return shown; },
  where: (step) => whereIs(step),
  shown: showVariation,
  back: (step) => go(step, true),
  said: (text) => { at("answer").textContent = text; },
});
const thoughts = new Thoughts(board, at("views"));
const evaluation = new Evaluation(at("evaluation"), {
  go: (step) => jump(step),
  line: openLine,
  point,
  marked: (step, mark) => judgeMove(moves, step, mark, MARKS[mark]?.[0]),
});
const frames = new Map(); // by step: the frame and the shapes that its picture names
const chunks = new Map(); // by first step: the promise of its frames
const slider = at("ply");
const moves = at("moves");
let shown = -1;
let wanted = -1; // the step that was chosen last; its frame may still be on its way
let playing = null;

let advised = null; // the advice whose move is shown on the board

/** Shows on the board a move that the person points at; null: that of the advice again, if there is one. */
function point(move) {
  const { cells = null, places = null } = move ?? advised ?? {};
  board.mark(cells, places);
}

function say(text) { at("status").textContent = text; }

function callSeats(seats) { nameSeats(seats, people, ownSeats(base.split("/").at(-1), seats)); }

async function fetchFrames(first) {
  const chunk = await patientFetch(`${base}/frames?first=${first}&count=${CHUNK}`, say);
  const shapes = chunk.shapes.map((shape) => board.intern(shape));
  for (const { seats } of chunk.frames) callSeats(seats);
  chunk.frames.forEach((frame, place) => frames.set(chunk.first + place, { frame, shapes }));
}

function frame(step) {
  const first = step - (step % CHUNK);
  if (frames.has(step)) return Promise.resolve();
  if (!chunks.has(first)) {
    chunks.set(first, fetchFrames(first).catch((error) => { chunks.delete(first); say(error.message); throw error; }));
  }
  return chunks.get(first);
}

async function go(step, still = false) {
  step = Math.min(Math.max(step, 0), story.steps.length - 1);
  variations.leave();
  wanted = step;
  slider.value = step;
  slider.setAttribute("aria-valuetext", story.steps[step].moves ? `Move ${story.steps[step].moves}` : "The start");
  await frame(step);
  if (wanted !== step) return; // another step was chosen meanwhile
  const { frame: now, shapes } = frames.get(step);
  const { way = [] } = story.steps[step];
  board.setMoveNumbers(numbersOf(movesUntil(step)));
  board.show(now.picture, { shapes, still, way: step === shown + 1 ? way : [] });
  shown = step;
  if (step === story.steps.length - 1 && story.ranks) Object.assign(now, { ranks: story.ranks, leads: null });
  drawSeats(at("seats"), now);
  drawBreakdown(at("breakdown"), now, displayNames(now.seats));
  drawKeys();
  markMove(moves, step);
  at("status").textContent = sentenceOf(step, now.seats);
  at("answer").textContent = "";
  const { view = null, seat } = story.steps[step];
  thoughts.show(view, view ? `Before this move, ${displayNames(now.seats)[seat]}` : "");
  advised = null;
  point(null);
  at("link").href = variations.address(step);
  if (slim) at("whole").href = `${base}${variations.address(step)}`;
  at("svg").href = `${base}/picture.svg?ply=${now.ply}`;
  at("png").href = `${base}/picture.png?ply=${now.ply}`;
  at("gif").href = `${base}/animation.gif?ply=${now.ply}`;
  at("until").href = `${base}/record.jsonl?ply=${now.ply}`;
  history.replaceState(null, "", variations.address(step));
  mark(step);
  at("replay").dataset.shown = step;
  if (step + CHUNK / 2 < story.steps.length) frame(step + CHUNK / 2);
}

/** The moves of the game until a step: without the seats that have dropped out. */
function movesUntil(step) {
  return story.steps.slice(1, step + 1).filter((each, place) => each.ply !== story.steps[place].ply);
}

/** Says where in the game a step is: before chance has moved, or after it. */
function whereIs(step) {
  const { moves = 0, seat } = story?.steps[step] ?? {};
  if (seat === null) return moves ? `After move ${moves} and chance` : "After chance";
  return moves ? `After move ${moves}` : "From the start";
}

function sentenceOf(step, seats) {
  const last = step === story.steps.length - 1 ? ` ${spoken(story.sentence, seats)}` : "";
  const { seat, announcement: text, text: label, number, scores, opening = false } = story.steps[step];
  if (step === 0) return `The start.${last}`;
  const names = displayNames(seats);
  const points = seat === null ? "" : gained(story.steps[step - 1].scores, scores, seat, names, text ?? "");
  if (seat === null) return `${text ? `Chance ${text}` : `Chance: ${label}`}.${last}`;
  const prefix = number ? `${number}${opening ? " (opening)" : ""}: ` : ""; // a seat that drops out makes no move
  return `${prefix}${names[seat]} ${names[seat] === "You" ? inSecondPerson(text) : text}.${points}${last}`;
}

// The graph of scores -------------------------------------------------------------------------

let scores = null; // the state of the graph of scores
const keys = []; // how each seat's line is drawn

function drawScores() {
  const { steps } = story;
  const values = steps.flatMap((step) => step.scores).filter(Number.isFinite);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const tells = steps.slice(1, -1).some(({ scores }) => scores.some((score, seat) => score !== steps[0].scores[seat]));
  at("graph").hidden = steps.length < 3 || low === high || !tells; // a game whose scores come with its end has nothing to show
  if (at("graph").hidden) return;
  story.names.forEach((_, seat) => { keys[seat] = keyOf(frames.get(0).frame.seats[seat], seat); });
  const curves = keys.map((key, seat) => ({ key, points: steps.map((step, place) => /** @type {[number, number]} */ ([place, step.scores[seat]])) }));
  scores = { label: `Scores by move, from ${low} to ${high}; a click goes there`, last: steps.length - 1, moves: steps.map(({ moves }) => moves), low, high, curves, ends: [`${low}`, `score ${high}`], shown: 0, told: scoresAt };
  graph.render(at("graph"), scores);
  graph.events(at("graph"), scores, jump);
}

/** The scores at a step, in words. */
function scoresAt(step) {
  const names = displayNames(frames.get(0).frame.seats);
  return story.steps[step].scores.map((score, seat) => `${names[seat]}: ${score}.`).join(" ");
}

/** Shows at each seat which line of the graph is its own. */
function drawKeys() {
  keys.forEach((key, seat) => {
    const svg = make("svg", { class: "key", viewBox: "0 0 32 10", "aria-hidden": "true" });
    make("path", { d: "M0 5H32", ...key }, svg);
    at("seats").children[seat].querySelector(".clock").replaceChildren(svg);
  });
}

/** Goes to a step that somebody has chosen. */
function jump(step) {
  stop();
  return go(step);
}

function mark(step) {
  if (scores) graph.mark(at("graph"), Object.assign(scores, { shown: step }));
  evaluation.show(step, frames.get(step).frame.seats);
}

// Steps ---------------------------------------------------------------------------------------

const play = document.querySelector("[data-step=play]");

function stop() {
  clearTimeout(playing);
  playing = null;
  play.textContent = "▶ Play";
}

async function onward() {
  if (shown >= story.steps.length - 1) {
    stop();
    const end = shown;
    if (tournament) openNext(tournament, Number(base.split("/").at(-1)), () => shown === end && playing === null);
    return;
  }
  await go(shown + 1);
  if (playing !== null) playing = setTimeout(onward, Number(at("speed").value));
}

const steps = {
  first: () => go(0),
  back: () => variations.shown ? variations.walk(-1) : go(wanted - 1),
  next: () => variations.shown ? variations.walk(1) : go(wanted + 1),
  last: () => variations.shown ? variations.walk(Infinity) : go(story.steps.length - 1),
  nextMistake: () => go(evaluation.next(1)),
  lastMistake: () => go(evaluation.next(-1)),
};

function step(name) {
  const was = playing !== null;
  stop();
  if (name !== "play") { steps[name](); return; }
  if (was) return;
  play.textContent = "❚❚ Stop";
  if (shown >= story.steps.length - 1) go(0);
  playing = setTimeout(onward, shown >= story.steps.length - 1 ? Number(at("speed").value) : 0);
}

for (const button of all("[data-step]")) button.addEventListener("click", () => step(button.dataset.step));
slider.addEventListener("input", () => jump(Number(slider.value)));
moves.addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (item) jump([...moves.children].indexOf(item) + 1);
});
// Before the board, on which these keys would move the cursor.
document.addEventListener("keydown", (event) => {
  if (isTaken(event) || ([" ", "n", "p"].includes(event.key) && variations.shown)) return;
  const name = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play", n: "nextMistake", p: "lastMistake" }[event.key];
  if (!name) return;
  event.preventDefault();
  event.stopPropagation();
  step(name);
}, { capture: true });
listenToPageKeys(board);
addEventListener("hashchange", () => { stop(); follow(); });

/** Shows what the address says: a step of the game, or a variation. */
async function follow() {
  const { step, path } = variations.read(location.hash);
  await go(step, true);
  if (path.length) await variations.open(step, path);
  await variations.complete();
}

/** Shows the position behind moves that were tried. */
function showVariation(now, shapes, step, line) {
  callSeats(now.seats);
  board.setMoveNumbers(numbersOf([...movesUntil(step), ...line]));
  board.show(now.picture, { shapes, still: true });
  drawSeats(at("seats"), now);
  drawKeys();
  thoughts.show(null);
  drawBreakdown(at("breakdown"), now, displayNames(now.seats));
  at("status").textContent = variationSentence(now, step, line);
  at("answer").textContent = "";
  advised = null;
  point(null);
  evaluation.showVariation(now, step, line);
}

/** What the last tried move was, and who is to move behind it. */
function variationSentence(now, step, line) {
  const names = displayNames(now.seats);
  const last = line.at(-1);
  const who = last && (last.seat === null ? "chance" : names[last.seat]);
  const move = last ? `. ${last.number ? `${last.number}: ` : ""}${who} ${last.announcement || last.text}, ` : ": ";
  return addressed(`A variation${move}${now.over ? "the game is over here" : `${now.turn === null || now.turn < 0 ? "chance" : names[now.turn]} is to move`}.`);
}

/** Opens a line of moves behind a step of the game, with the board in sight. */
async function openLine(step, line, count) {
  stop();
  await variations.openLine(step, line, count);
  at("board").scrollIntoView({ block: "nearest" });
}

/** Tries a move that begins at a place of the board, if one does. */
async function tryAt(place) {
  if (!place || variations.shown) return;
  stop();
  const step = shown;
  await variations.open(step, []);
  if (board.state.input.targets().has(place.cell) || board.targets().some(({ cell }) => cell === place.cell)) board.choose(place);
  else if (variations.key === String(step)) { variations.leave(); go(step, true); }
}

// What would a strategy do here? ---------------------------------------------------------------

const ask = at("ask");

async function wonder(player) {
  const { key, state: { path: moves, now } } = variations;
  const step = now ? variations.state.step : shown;
  stop();
  for (const button of ask.querySelectorAll("button")) button.disabled = true;
  at("answer").textContent = player ? `${player} thinks …` : "Solving …";
  let advice = { error: "the server cannot be reached" };
  try {
    const answer = await fetch(`${base}/thoughts`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ step, player, moves }),
    });
    advice = await dataOf(answer);
  } catch { /* the sentence says it */ }
  for (const button of ask.querySelectorAll("button")) button.disabled = false;
  if (variations.key !== key || (!now && shown !== step)) return; // something else is shown meanwhile
  const { seats } = now ?? frames.get(step).frame;
  const who = player ? `After ${advice.seconds} s, ${player} ` : "";
  const text = advice.error ?? spoken(`${who}${advice.text}`, seats);
  at("answer").textContent = `${advice.error ? capital(text) : text}${/[.!?]$/.test(text) ? "" : "."}`;
  if (advice.error) return;
  if (now && advice.chance) variations.setChance(advice.chance);
  if (advice.view) advice.view.text = spoken(advice.view.text, seats);
  thoughts.show(advice.view, player ?? "");
  advised = advice;
  point(null);
  if (!advice.line.length) return;
  const before = variations.state.told;
  at("answer").append(" ", ...lineButtons(advice.line, seats, (count) => openLine(step, [...before, ...advice.line], before.length + count), point));
}

ask.addEventListener("submit", (event) => {
  event.preventDefault();
  wonder(at("player").value);
});
at("solve").addEventListener("click", () => wonder(null));

try {
  story = await patientFetch(`${base}/story`, say);
} catch (error) {
  say(String(/** @type {Error} */ (error).message));
  board.stopWaiting();
  throw error;
}
board.setBoard(story.board);
ask.hidden = !story.askable.length;
at("solve").hidden = !story.solvable;
at("puzzles").hidden = !story.solvable || story.names.length !== 2;
at("player").replaceChildren(...story.askable.map((name) => element("option", {}, name)));
slider.max = story.steps.length - 1;
await frame(0);
const { seats } = frames.get(0).frame;
const heading = document.querySelector("h1");
heading.textContent = document.title = `${heading.textContent.split(": ")[0]}: ${displayNames(seats).join(" – ")}`;
moves.replaceChildren(...story.steps.slice(1).map((each) => moveItem(each, seats, displayNames(seats))));
drawScores();
if (!slim) evaluation.begin(base, story, seats);
new ResizeObserver(() => markMove(moves, shown)).observe(moves); // the graph above takes room of it
if (location.hash) await follow();
else if (tournament) { await go(0, true); step("play"); }
else await go(story.steps.length - 1, true);
