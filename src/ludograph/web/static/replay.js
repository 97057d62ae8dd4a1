// A recorded game: forward, back, at a speed, by a click into the moves or the graph.

import { Board } from "./board.js";
import { isTaken, listenToPageKeys } from "./board_events.js";
import { Evaluation, judgeMove, MARKS } from "./evaluation.js";
import * as graph from "./graph.js";
import { all, at, copied, element, make } from "./page.js";
import { drawBreakdown, drawChoices, drawSeats, markMove, moveItem, Thoughts } from "./panel.js";
import * as requests from "./requests.js";
import { addressed, displayNames, gained, inSecondPerson, nameSeats, sentence, spoken } from "./sentences.js";
import { ownSeats } from "./settings.js";
import { lineButtons, Variations } from "./variations.js";

const CHUNK = 24; // frames that are asked for together
const EVERY = 3000; // milliseconds between two looks at a tournament that is followed
const LOOK = 4000; // for which the end of a game is shown at least
const { base, slim, follow: tournament } = at("replay").dataset; // slim: the page is within that of another site
const number = base.split("/").at(-1);
const people = JSON.parse(at("replay").dataset.people); // their names by seat, if they have any
const [moves, slider, answer, asking] = ["moves", "ply", "answer", "ask"].map(at);
const play = document.querySelector("[data-step=play]");

/**
 * All that is drawn follows from it, and from the shown variation.
 * @typedef {object} ReplayState
 * @property {any} story the game, once it has arrived
 * @property {Map<number, {frame: any, shapes: any[]}>} frames by step, with the shapes that the picture names
 * @property {Map<number, Promise<void>>} chunks frames that are on their way, by their first step
 * @property {number} shown the step
 * @property {number} wanted the step that was chosen last; its frame may still be on its way
 * @property {any} playing the timer of the next step, while the game is played
 * @property {any} advised the advice whose move is shown on the board
 * @property {any} scores the graph of scores
 */

/** @type {ReplayState} */
const state = { story: null, frames: new Map(), chunks: new Map(), shown: -1, wanted: -1, playing: null, advised: null, scores: null };

const board = new Board(at("board"), {
  region: reply,
  move: (code) => variations.move(code),
  choices: (list) => drawChoices(at("choices"), list, (each) => board.press(each)),
  idle: tryAt,
});
const variations = new Variations(at("variations"), at("tries"), board, {
  base,
  step: () => { stop(); return state.shown; },
  where: whereIs,
  shown: showVariation,
  back: (step) => go(step, true),
  said: reply,
});
const thoughts = new Thoughts(board, at("views"));
const evaluation = new Evaluation(at("evaluation"), {
  go: jump,
  line: openLine,
  point,
  marked: (step, mark) => judgeMove(moves, step, mark, MARKS[mark]?.[0]),
});

function say(text) { at("status").textContent = text; }

function reply(text) { answer.textContent = text; }

/** Shows on the board a move that the person points at; null: that of the advice again, if there is one. */
function point(move) {
  const { cells = null, places = null } = move ?? state.advised ?? {};
  board.mark(cells, places);
}

function callSeats(seats) { nameSeats(seats, people, ownSeats(number, seats)); }

// The frames of the game ----------------------------------------------------------------------

async function fetchFrames(first) {
  const chunk = await requests.patientFetch(`${base}/frames?first=${first}&count=${CHUNK}`, say);
  const shapes = chunk.shapes.map((shape) => board.intern(shape));
  chunk.frames.forEach((frame, place) => {
    callSeats(frame.seats);
    state.frames.set(chunk.first + place, { frame, shapes });
  });
}

/** Has the frame of a step fetched, with those beside it. */
function fetchFrame(step) {
  const { chunks, frames } = state;
  const first = step - (step % CHUNK);
  if (frames.has(step)) return Promise.resolve();
  if (!chunks.has(first)) chunks.set(first, fetchFrames(first).catch((error) => { chunks.delete(first); say(error.message); throw error; }));
  return chunks.get(first);
}

// What is shown -------------------------------------------------------------------------------

/** Shows a step of the game. */
async function go(step, still = false) {
  const { story } = state;
  step = Math.min(Math.max(step, 0), story.steps.length - 1);
  variations.leave();
  state.wanted = step;
  slider.value = step;
  slider.setAttribute("aria-valuetext", story.steps[step].moves ? `Move ${story.steps[step].moves}` : "The start");
  await fetchFrame(step);
  if (state.wanted !== step) return; // another step was chosen meanwhile
  const { frame: now, shapes } = state.frames.get(step);
  const { way = [], view = null, seat } = story.steps[step];
  if (step === story.steps.length - 1 && story.ranks) Object.assign(now, { ranks: story.ranks, leads: null });
  render(now, movesUntil(step), { shapes, still, way: step === state.shown + 1 ? way : [] });
  if (state.shown < 0) board.stand();
  say(sentenceOf(step, now.seats));
  state.shown = step;
  thoughts.show(view, view ? `Before this move, ${displayNames(now.seats)[seat]}` : "");
  markMove(moves, step);
  const address = variations.address(step);
  at("link").value = new URL(`${base}${address}`, location.href).href;
  if (slim) at("whole").href = `${base}${address}`;
  for (const link of all("#sharing [data-file]")) link.href = `${base}/${link.dataset.file}?ply=${now.ply}`;
  history.replaceState(null, "", address);
  if (state.scores) graph.mark(at("graph"), Object.assign(state.scores, { shown: step }));
  evaluation.show(step, now.seats);
  at("replay").dataset.shown = step;
  if (step + CHUNK / 2 < story.steps.length) fetchFrame(step + CHUNK / 2);
}

/** Shows the position behind moves that were tried. */
function showVariation(now, shapes, step, line) {
  callSeats(now.seats);
  render(now, [...movesUntil(step), ...line], { shapes, still: true });
  say(variationSentence(now, line));
  thoughts.show(null);
  evaluation.showVariation(now, step, line);
}

/** Draws a position behind moves. */
function render(now, before, options) {
  board.setMoveNumbers(numbersOf(before));
  board.show(now.picture, options);
  drawSeats(at("seats"), now);
  drawKeys();
  drawBreakdown(at("breakdown"), now, displayNames(now.seats));
  reply("");
  state.advised = null;
  point(null);
}

/** The moves of the game until a step: without the seats that have dropped out. */
function movesUntil(step) {
  const { steps } = state.story;
  return steps.slice(1, step + 1).filter((each, place) => each.ply !== steps[place].ply);
}

/**
 * By cell, the number of the move that has filled it: a move whose way is that cell alone. A move over several cells takes away what was there.
 * @param {{way?: number[], number?: number}[]} made moves of seats and of chance, which has no numbers
 * @returns {Map<number, string>}
 */
function numbersOf(made) {
  const numbers = new Map();
  for (const { way = [], number: each } of made) {
    for (const cell of way) numbers.delete(cell);
    if (way.length === 1 && each) numbers.set(way[0], String(each));
  }
  return numbers;
}

/** Says where in the game a step is: before chance has moved, or after it. */
function whereIs(step) {
  const { moves: made = 0, seat } = state.story?.steps[step] ?? {};
  if (seat === null) return made ? `After move ${made} and chance` : "After chance";
  return made ? `After move ${made}` : "From the start";
}

function sentenceOf(step, seats) {
  const { steps, sentence: end } = state.story;
  const last = step === steps.length - 1 ? ` ${spoken(end, seats)}` : "";
  const { seat, announcement: text, text: label, number: each, scores, opening = false } = steps[step];
  if (step === 0) return `The start.${last}`;
  if (seat === null) return `${text ? `Chance ${text}` : `Chance: ${label}`}.${last}`;
  const names = displayNames(seats);
  const prefix = each ? `${each}${opening ? " (opening)" : ""}: ` : ""; // a seat that drops out makes no move
  return `${prefix}${names[seat]} ${names[seat] === "You" ? inSecondPerson(text) : text}.${gained(steps[step - 1].scores, scores, seat, names, text ?? "")}${last}`;
}

/** What the last tried move was, and who is to move behind it. */
function variationSentence(now, line) {
  const names = displayNames(now.seats);
  const last = line.at(-1);
  const who = last && (last.seat === null ? "chance" : names[last.seat]);
  const move = last ? `. ${last.number ? `${last.number}: ` : ""}${who} ${last.announcement || last.text}, ` : ": ";
  return addressed(`A variation${move}${now.over ? "the game is over here" : `${now.turn === null || now.turn < 0 ? "chance" : names[now.turn]} is to move`}.`);
}

/** Draws the graph of scores, unless they come with the end of the game. */
function drawScores(seats) {
  const { steps } = state.story;
  const values = steps.flatMap((step) => step.scores).filter(Number.isFinite);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const tells = steps.slice(1, -1).some(({ scores }) => scores.some((score, seat) => score !== steps[0].scores[seat]));
  at("graph").hidden = steps.length < 3 || low === high || !tells;
  if (at("graph").hidden) return;
  const names = displayNames(seats);
  const curves = seats.map((each, seat) => ({ key: graph.keyOf(each, seat), points: steps.map((step, place) => /** @type {[number, number]} */ ([place, step.scores[seat]])) }));
  const told = (step) => steps[step].scores.map((score, seat) => `${names[seat]}: ${score}.`).join(" ");
  state.scores = { label: `Scores by move, from ${low} to ${high}; a click goes there`, last: steps.length - 1, moves: steps.map(({ moves: made }) => made), low, high, curves, ends: [`${low}`, `score ${high}`], shown: 0, told };
  graph.render(at("graph"), state.scores);
  graph.events(at("graph"), state.scores, jump);
}

/** Shows at each seat which line of the graph is its own. */
function drawKeys() {
  state.scores?.curves.forEach(({ key }, seat) => {
    const svg = make("svg", { class: "key", viewBox: "0 0 32 10", "aria-hidden": "true" });
    make("path", { d: "M0 5H32", ...key }, svg);
    at("seats").children[seat].querySelector(".clock").replaceChildren(svg);
  });
}

// Steps ---------------------------------------------------------------------------------------

const atEnd = () => state.shown >= state.story.steps.length - 1;

function stop() {
  clearTimeout(state.playing);
  state.playing = null;
  play.textContent = "▶ Play";
}

/** Goes to a step that somebody has chosen. */
function jump(step) {
  stop();
  return go(step);
}

async function onward() {
  if (atEnd()) {
    stop();
    if (tournament) followTournament(state.shown);
    return;
  }
  await go(state.shown + 1);
  if (state.playing !== null) state.playing = setTimeout(onward, Number(at("speed").value));
}

/** Opens the latest game of the tournament that is followed as soon as one has ended after this one, unless the person goes elsewhere in it. */
async function followTournament(end) {
  const isWanted = () => state.shown === end && state.playing === null;
  await requests.pause(LOOK);
  while (isWanted()) {
    const { game } = await requests.patientFetch(`/tournaments/${tournament}/latest`, () => {});
    if (!isWanted()) return;
    if (game > Number(number)) { location.replace(`/replay/store/${game}?follow=${tournament}`); return; }
    await requests.pause(EVERY);
  }
}

const steps = {
  first: () => go(0),
  back: () => variations.shown ? variations.walk(-1) : go(state.wanted - 1),
  next: () => variations.shown ? variations.walk(1) : go(state.wanted + 1),
  last: () => variations.shown ? variations.walk(Infinity) : go(state.story.steps.length - 1),
  nextMistake: () => go(evaluation.next(1)),
  lastMistake: () => go(evaluation.next(-1)),
};

function step(name) {
  const was = state.playing !== null;
  stop();
  if (name !== "play") { steps[name](); return; }
  if (was) return;
  play.textContent = "❚❚ Stop";
  const wait = atEnd() ? Number(at("speed").value) : 0;
  if (atEnd()) go(0);
  state.playing = setTimeout(onward, wait);
}

/** Shows what the address says: a step of the game, or a variation. */
async function follow() {
  stop();
  const { step: wanted, path } = variations.read(location.hash);
  await go(wanted, true);
  if (path.length) await variations.open(wanted, path);
  await variations.complete();
}

/** Opens a line of moves behind a step of the game, with the board in sight. */
async function openLine(from, line, count) {
  stop();
  await variations.openLine(from, line, count);
  at("board").scrollIntoView({ block: "nearest" });
}

/** Tries a move that begins at a place of the board, if one does. */
async function tryAt(place) {
  if (!place || variations.shown) return;
  stop();
  const from = state.shown;
  await variations.open(from, []);
  if (board.state.input.targets().has(place.cell) || board.targets().some(({ cell }) => cell === place.cell)) board.choose(place);
  else if (variations.key === String(from)) { variations.leave(); go(from, true); }
}

// What would a strategy do here? ---------------------------------------------------------------

async function wonder(player) {
  const { key, state: { path, now, told: before } } = variations;
  const from = now ? variations.state.step : state.shown;
  stop();
  for (const button of all("button", asking)) button.disabled = true;
  reply(player ? `${player} thinks …` : "Solving …");
  const advice = await requests.ask(`${base}/thoughts`, JSON.stringify({ step: from, player, moves: path }));
  for (const button of all("button", asking)) button.disabled = false;
  if (variations.key !== key || (!now && state.shown !== from)) return; // something else is shown meanwhile
  if (advice.error) { reply(sentence(advice.error)); return; }
  const { seats } = now ?? state.frames.get(from).frame;
  const text = spoken(`${player ? `After ${advice.seconds} s, ${player} ` : ""}${advice.text}`, seats);
  reply(`${text}${/[.!?]$/.test(text) ? "" : "."}`);
  if (now && advice.chance) variations.setChance(advice.chance);
  if (advice.view) advice.view.text = spoken(advice.view.text, seats);
  thoughts.show(advice.view, player ?? "");
  state.advised = advice;
  point(null);
  if (advice.line.length) answer.append(" ", ...lineButtons(advice.line, seats, (count) => openLine(from, [...before, ...advice.line], before.length + count), point));
}

// To show it to others -------------------------------------------------------------------------

/** Fetches the game as a GIF, which the server may draw for a while, and hands it on as a file. */
async function fetchGif(address) {
  if (!at("drawing").hidden) return;
  at("drawing").hidden = false;
  at("shared").textContent = "The pictures are drawn …";
  const file = await requests.fetchFile(address);
  at("drawing").hidden = true;
  at("shared").textContent = sentence(file.error ?? "The GIF is ready");
  if (file.blob) element("a", { href: URL.createObjectURL(file.blob), download: `${state.story.game}.gif` }).click();
}

function events() {
  at("share").addEventListener("click", () => { at("shared").textContent = ""; });
  at("copy").addEventListener("click", async () => {
    at("shared").textContent = await copied(at("link").value, at("link")) ? "The link is copied." : "Copy the link with Ctrl+C.";
    at("link").select();
  });
  for (const gif of all('#sharing [href$=".gif"], [data-file$=".gif"]')) gif.addEventListener("click", (event) => { event.preventDefault(); fetchGif(gif.href); });
  for (const button of all("[data-step]")) button.addEventListener("click", () => step(button.dataset.step));
  slider.addEventListener("input", () => jump(Number(slider.value)));
  moves.addEventListener("click", ({ target }) => {
    const item = target.closest("li");
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
  addEventListener("hashchange", follow);
  asking.addEventListener("submit", (event) => {
    event.preventDefault();
    wonder(at("player").value);
  });
  at("solve").addEventListener("click", () => wonder(null));
  new ResizeObserver(() => markMove(moves, state.shown)).observe(moves); // the graph above takes room of it
}

async function begin() {
  const story = state.story = await requests.patientFetch(`${base}/story`, say).catch((error) => {
    say(error.message);
    board.stopWaiting();
    throw error;
  });
  board.setBoard(story.board);
  asking.hidden = !story.askable.length;
  at("solve").hidden = !story.solvable;
  at("puzzles").hidden = !story.solvable || story.names.length !== 2;
  at("player").replaceChildren(...story.askable.map((name) => element("option", {}, name)));
  slider.max = story.steps.length - 1;
  await fetchFrame(0);
  const { seats } = state.frames.get(0).frame;
  const names = displayNames(seats);
  const heading = document.querySelector("h1");
  heading.textContent = document.title = `${heading.textContent.split(": ")[0]}: ${names.join(" – ")}`;
  moves.replaceChildren(...story.steps.slice(1).map((each) => moveItem(each, seats, names)));
  drawScores(seats);
  if (!slim) evaluation.begin(base, story, seats);
  if (location.hash) await follow();
  else if (tournament) { await go(0, true); step("play"); }
  else await go(story.steps.length - 1, true);
}

events();
await begin();
