// The page of a live match: events come from the server, requests of the person go to it.

import { Board } from "./board.js";
import { listenToPageKeys } from "./board_events.js";
import { LookBack } from "./look_back.js";
import { Thoughts } from "./overlays.js";
import { Premove, TurnSignal } from "./own_turn.js";
import { at, clockText, drawBreakdown, drawChoices, drawSeats, element, moveItem, open, raisePoints } from "./panel.js";
import { People, Proposals } from "./people.js";
import { dataOf, reloadWhenRunning, reloadWhenThere, sendOnce } from "./requests.js";
import { capital as upper, displayNames, gained, gainsOf, inSecondPerson, ordinal, spoken } from "./sentences.js";
import { keep, kept, switchOf } from "./settings.js";

const page = at("match");
const { number, key } = page.dataset;
if (!key && kept(number)) location.replace(`/match/${number}?key=${encodeURIComponent(kept(number))}${location.hash}`);
const [task, status, answer, seats, moves, choices, after, actions] = ["task", "status", "answer", "seats", "moves", "choices", "after", "actions"].map(at);
const MOST_SAID = 5; // sentences
const DOUBLE = 500; // milliseconds within which a second tap means nothing
let own = [];
let now = null;
let played = []; // the moves
let turn = null; // the legal moves, while a person at this page is to move
let over = false;
let result = ""; // the sentence on the end of the game
let begun = false; // the clocks run
let waiting = false; // the answer line says that the server is busy
const SHORT = 120; // characters of an answer that fit beside the board

let region = ""; // the answer line's text about a region
let since = performance.now();
let resigning = false; // resign was typed, and is to be typed once more
let lately = []; // the announcements since this person's last move, that move included

const board = new Board(at("board"), {
  move: (code) => wish("move", code),
  why: async (cells) => {
    const answered = await wish("why", cells);
    if (answered) reply(answered.why, true);
  },
  where: async (point) => {
    const places = board.state.input.spots({ all: true }).length;
    if (!places) { reply("There is nothing to click on here.", true); return; }
    const answered = await wish("where", point);
    if (answered) reply(`${answered.why} Choose ${places === 1 ? "the" : "a"} dashed place.`, true);
  },
  described: (text) => reply(text),
  region: (text) => { if (text || answer.textContent === region) reply(text); region = text; },
  accepted: () => { if (turn) reply(""); },
  idle: (place) => {
    if (past.looking) past.return();
    else if (begun && own.length && !over && !(mayChooseBefore() && premove.take(place))) reply("It is not your turn.", true);
  },
  choices: (list, chosen, turns) => {
    drawChoices(choices, list, (each, button) => {
      if (button.ariaDisabled) return;
      if (each.kind === "play") for (const action of actions?.children ?? []) rest(action); // they come where this button was
      if (each.kind !== "move" || !board.confirms || button.dataset.sure) { board.press(each); return; }
      button.dataset.sure = "yes"; // a move without a place is confirmed by its own button
      button.textContent = `Confirm – ${each.text}`;
      rest(button);
    });
    if (turn?.parts.some((part) => part.at)) choices.parentElement.classList.add("some"); // choices of this game are many
    if (turn) write(task, turnText(chosen, turns));
  },
  covered: () => { // on a short screen the buttons stay in sight at its lower edge
    const [own, buttons] = [at("board"), choices.parentElement].map((each) => each.getBoundingClientRect());
    const isBeside = buttons.left >= own.right || buttons.right <= own.left;
    return isBeside ? 0 : Math.max(0, Math.min(own.bottom - buttons.top, own.height / 2));
  },
});

const thoughts = new Thoughts(board, at("views"));

const past = new LookBack(board, {
  base: `/replay/here/${number}`,
  moves: (ply) => played.slice(0, ply).filter((move) => move.seat !== null).length,
  present: () => { board.show(now.picture, { still: true }); board.ask(turn); thoughts.lay(); },
});

const people = new People({
  names, draw, tell: (sentence) => add(sentence), send: (name) => wish("name", name), reply,
});

const proposals = new Proposals({ own: () => own, names, undone: movesFrom, send: wish, asked: (waits) => signal?.ask(waits), reply });

const signal = at("sound") ? new TurnSignal(at("sound")) : null;
if (at("confirm")) switchOf(at("confirm"), "confirm", matchMedia("(pointer: coarse)").matches, (on) => { board.confirms = on; });

for (const form of after.querySelectorAll("form")) sendOnce(form);

const premove = new Premove(board, reply);
if (at("premove")) switchOf(at("premove"), "premove", false, (on) => { premove.on = on; premove.clear(); });

/** Whether a move can be chosen before the turn of this person, who is not out. */
function mayChooseBefore() { return own.length === 1 && now.turn !== null && now.turn !== own[0] && !now.seats[own[0]].stuck; }

function names() { return displayNames(now.seats, own); }

/** The last move of a seat and those after it, as a list. */
function movesFrom(seat) {
  const first = played.map((move) => move.seat).lastIndexOf(seat);
  const undone = played.slice(first).filter((move) => move.seat !== null);
  const few = undone.length <= 3;
  return few ? undone.map(({ text, number: each }) => `${each}. ${text}`).join(", ") : `the moves ${undone[0].number} to ${undone.at(-1).number}`;
}

function think(view, seat) {
  thoughts.show(view, view && seat !== null ? names()[seat] : "");
  if (past.looking) board.lay([]); // they are about the present
}

/** Writes the status line: what has happened. */
function say(text, wrong = false) {
  write(status, text);
  status.classList.toggle("wrong", wrong);
  if (!wrong) reply("");
}

/** Writes the answer line: a hint, what is under the cursor, why a move is illegal. */
function reply(text, wrong = false) {
  write(answer, text);
  answer.classList.toggle("wrong", wrong);
}

/** Writes a text if it has changed, to save a new layout. */
function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Announces a move, after the announcements since this person's last move. */
function tell(seat, announcement, points = "") {
  if (!announcement) return;
  if (own.includes(seat)) lately = [];
  const mine = own.length === 1 && own[0] === seat;
  add(seat === null ? `Chance ${announcement}.` : `${upper(names()[seat])} ${mine ? inSecondPerson(announcement) : announcement}.${points}`);
}

/** Adds a sentence to the last few in the status line, or to the result of the game. */
function add(sentence) {
  if (over) { say(`${result} ${sentence}`); return; }
  const few = own.some((each) => !now.seats[each].stuck) ? MOST_SAID : own.length ? 2 : 1; // a spectator sees the moves
  lately = [...lately, sentence].slice(-few);
  say(lately.join(" "));
}

async function wish(kind, value = null) {
  let data;
  try {
    const response = await fetch(`/match/${number}/wish`, {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind, key, ply: now?.ply ?? 0, value }),
    });
    data = await dataOf(response);
    if (response.ok) return data;
  } catch {
    data = { error: "the server cannot be reached; it is tried again" };
  }
  reply(capital(data.error), true);
  if (turn && (kind === "move" || kind === "type")) board.ask(turn);
  return null;
}

function capital(text) {
  const whole = upper(text);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** The sentence on a game that has not begun: players are prepared, or other people are missing. */
function waitText() {
  if (page.dataset.shared) return "The game begins when everybody is here.";
  const others = names().filter((_, seat) => !own.includes(seat));
  return `The game begins when ${others.length === 1 ? `${others[0]} is` : "all players are"} ready.`;
}

/** The sentence on whose turn it is, with the instruction for the next part of a move. */
function turnText(chosen = 0, turns = board.state.input.canTurn()) {
  if (now.turn === null) return "";
  if (!begun) return waitText();
  const { color, person, called } = now.seats[now.turn];
  const out = own.length === 1 && now.seats[own[0]].stuck;
  if (out) return `You are out: ${out}. ${person ? "The others play" : `${names()[now.turn]} plays`} on …`;
  if (!own.includes(now.turn)) return person ? `Waiting for ${called || color || `the ${ordinal(now.turn)} player`} …` : `${names()[now.turn]} is thinking …`;
  const whose = `Your move${color ? `, ${color}` : own.length > 1 ? `, ${ordinal(now.turn)} player` : ""}`;
  const isWhole = chosen === Infinity && board.confirms && !turn?.parts.some((part) => part.at);
  const wanted = isWhole ? "Confirm, or choose another move" : turn?.tasks[Math.min(chosen, turn.tasks.length - 1)];
  return wanted ? `${whose}: ${wanted.slice(0, 1).toLowerCase()}${wanted.slice(1)}${turns ? ", or turn it" : ""}.` : `${whose}.`;
}

/** The result of the game for the person at this page. */
function verdict(ranks) {
  if (!ranks) return "The game is over.";
  const best = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (ranks.length === 1) return "The game is over.";
  if (best.length > 1) return own.length === 1 && !best.includes(own[0]) ? "You lose." : "A draw.";
  if (own.length === 1) return best[0] === own[0] ? "You win!" : "You lose.";
  return `${names()[best[0]]} wins.`;
}

/** Draws the seats. */
function draw() {
  if (!now) return;
  people.mark(now.seats);
  drawSeats(seats, now, own);
  drawBreakdown(at("breakdown"), now, names());
  tick();
}

function show(frame, way = [], still = false) {
  now = frame;
  signal?.show(own.includes(now.turn));
  since = performance.now();
  if (!past.looking) board.show(now.picture, { way, still });
  draw();
}

function begin(ask) {
  turn = ask;
  if (ask && waiting) { reply(""); waiting = false; }
  if (!past.looking) board.ask(ask);
  write(task, turnText());
  refreshActions();
  past.render(); // the list may have less room than before
  if (ask && premove.cells.length) { past.return(); premove.play(); }
}

/** Shows a hint for the person at this page, if an answer of the server is one. */
function showAdvice(answered) {
  if (answered?.move === undefined) return;
  past.return();
  board.hint(answered.move);
  const written = at("typing")?.open && turn?.moves.find(([code]) => code === answered.move)?.[1]; // a person who types needs it
  reply(`Hint: ${answered.text}${written ? ` (${written})` : ""}`);
}

function start() {
  begun = true;
  since = performance.now();
  if (waiting) { reply(""); waiting = false; }
  write(task, turnText());
}

/** Whether a move can be taken back, perhaps with the consent of the person who is to move. */
function mayTakeBack() {
  if (turn) return !turn.kept;
  return Boolean(page.dataset.shared && now?.seats[now.turn]?.person) && played.some(({ seat }) => own.includes(seat));
}

function refreshActions() {
  for (const button of actions?.querySelectorAll("button") ?? []) {
    const kind = button.dataset.wish;
    button.disabled = over || (kind === "hint" && !turn) || (kind === "undo" && !mayTakeBack());
    if (kind === "undo") button.title = turn?.kept || (page.dataset.shared ? "The others are asked first" : "");
  }
  const typed = at("typed");
  if (typed) for (const each of typed.elements) each.disabled = over || !turn;
}

function end(outcome) {
  over = outcome.state === "over" || outcome.state === "suspended" || outcome.state === "failed";
  if (outcome.text && outcome.state === "waiting") reply(outcome.text);
  else if (outcome.text) {
    result = now ? spoken(outcome.text, now.seats, own) : outcome.text;
    say(result, outcome.state === "failed");
  }
  if (!over) return;
  turn = null;
  premove.clear();
  proposals.show(null);
  signal?.show(false);
  board.ask(null);
  if (board.camera.zoom > 1) board.camera.whole(); // shows the whole board at the end
  if (outcome.state !== "waiting") task.textContent = outcome.state === "over" ? verdict(outcome.ranks) : "The game is not over.";
  after.hidden = false;
  task.classList.toggle("verdict", outcome.state === "over");
  at("go-on").hidden = outcome.state !== "suspended";
  for (const each of [actions, choices, at("typing")]) if (each) each.hidden = true;
  if (now) {
    Object.assign(now, { turn: null, leads: null, ranks: outcome.ranks });
    draw();
  }
  if (outcome.state === "suspended") reloadWhenRunning(number);
}

/** Lists the moves. */
function listMoves() {
  moves.replaceChildren(...played.map((move) => moveItem(move, now.seats, names())));
}

/** Says that a rematch has begun, and shows the link to it. */
function showRematch({ number: next, key: seatKey }) {
  const link = at("next-match");
  link.href = `/match/${next}${seatKey ? `?key=${encodeURIComponent(seatKey)}` : ""}`;
  link.hidden = false;
  if (at("rematch")) at("rematch").hidden = true;
  people.moveOn();
  add("The rematch has begun.");
}

const handlers = {
  whole(event) {
    own = event.own;
    if (own.length) keep(number, key, own);
    premove.clear();
    people.begin(event.away);
    board.setBoard(event.board);
    board.addShapes(0, event.shapes);
    show(event.now, [], true);
    played = event.moves;
    if (played.some(({ seat }) => own.includes(seat))) people.play();
    listMoves();
    past.setLast(event.moves.length);
    think(event.view, event.moves.at(-1)?.seat ?? null);
    waiting = event.status.state === "waiting";
    lately = [];
    const last = event.moves.findLastIndex(({ seat }) => own.includes(seat));
    for (const { seat, announcement } of event.moves.slice(Math.max(last, event.moves.length - 2 * now.seats.length, 0))) tell(seat, announcement);
    if (!event.moves.length) say("");
    begun = event.status.state !== "waiting";
    begin(event.ask);
    end(event.status);
    proposals.show(event.proposal);
    if (event.rematch) showRematch(event.rematch);
    past.follow();
  },
  begun() { start(); },
  proposal(event) { proposals.show(event.proposal); },
  settled(event) { proposals.settle(event); },
  presence(event) { people.change(event.away); },
  names(event) {
    now.seats.forEach((seat, place) => { seat.called = event.names[place]; });
    draw();
    listMoves();
    past.render();
    write(task, over ? task.textContent : turnText());
  },
  rematch(event) {
    if (own.length && !event.key) return; // a spectator's
    showRematch(event);
    if (event.key) location.assign(at("next-match").href);
  },
  shapes(event) { board.addShapes(event.first, event.shapes); },
  move(event) {
    if (event.shapes) board.addShapes(event.first, event.shapes);
    const [before, stuck] = [now.scores, now.seats.map((seat) => seat.stuck)];
    show(event.now, event.move.way);
    raisePoints(seats, gainsOf(before, now.scores));
    played.push(event.move);
    moves.append(moveItem(event.move, now.seats, names()));
    past.setLast(event.now.ply);
    const { seat, announcement } = event.move;
    think(event.move.view, seat);
    tell(seat, announcement, gained(before, now.scores, seat, names(), announcement ?? ""));
    now.seats.forEach((each, place) => {
      if (each.stuck && !stuck[place]) add(`${upper(names()[place])} ${names()[place] === "You" ? "are" : "is"} out: ${each.stuck}.`);
    });
    if (seat !== null && own.includes(seat)) { turn = null; board.ask(null); people.play(); }
    write(task, turnText());
    refreshActions();
  },
  now(event) {
    if (event.shapes) board.addShapes(event.first, event.shapes);
    show(event.now);
    say(capital(spoken(event.text, now.seats, own)));
  },
  back(event) {
    premove.clear();
    turn = null; // if it is still this person's, the server asks again
    board.ask(null);
    lately = [];
    show(event.now);
    think(null);
    const gone = played.splice(event.now.ply).filter((move) => move.seat !== null).length;
    while (moves.children.length > event.now.ply) moves.lastChild.remove();
    past.setLast(event.now.ply);
    say(capital(spoken(event.text, now.seats, own)).replace(/\btakes? back\b/, `$& ${gone === 1 ? "a move" : `${gone} moves`}`));
    write(task, turnText());
    refreshActions();
  },
  ask(event) { begin(event.ask); },
  said(event) { reply(upper(event.text)); waiting = true; },
  end(event) { end(event.status); },
};

const source = new EventSource(`/match/${number}/events${key ? `?key=${encodeURIComponent(key)}` : ""}`);
source.addEventListener("message", (message) => {
  const event = JSON.parse(message.data);
  handlers[event.type](event);
  page.dataset.ready = String(Number(page.dataset.ready ?? 0) + 1);
});
source.addEventListener("close", () => source.close());
source.addEventListener("error", () => {
  if (over) return;
  reply("The connection is lost; it is tried again …", true);
  // The server was started again and knows no such match; the game can go on.
  if (source.readyState === EventSource.CLOSED) reloadWhenThere(number, Boolean(page.dataset.alone));
});

function tick() {
  if (!now) return;
  const passed = (performance.now() - since) / 1000;
  now.seats.forEach((seat, place) => {
    const clock = seats.children[place]?.querySelector(".clock");
    if (!clock || seat.left === null) return;
    const left = seat.left - (now.turn === place && begun && !over ? passed : 0);
    clock.textContent = clockText(left);
    clock.classList.toggle("short", left < 10);
  });
}
setInterval(tick, 200);

/** Lets a button mean nothing for a moment: a double tap is one wish. */
function rest(button) {
  button.ariaDisabled = "true";
  setTimeout(() => { button.ariaDisabled = null; }, DOUBLE);
}

for (const button of actions?.querySelectorAll("button") ?? []) {
  button.addEventListener("click", async () => {
    const kind = button.dataset.wish;
    if (button.ariaDisabled) return;
    past.return();
    if ((kind === "resign" || kind === "stop") && !button.dataset.sure) {
      const before = button.textContent;
      button.dataset.sure = "yes";
      button.textContent = kind === "stop" ? "Stop it now?" : "Resign now?";
      rest(button);
      setTimeout(() => { delete button.dataset.sure; button.textContent = before; }, 3000);
      return;
    }
    if (kind === "undo" && board.back()) return; // first the chosen parts of an unfinished move
    if (kind === "hint") reply("Thinking …");
    showAdvice(await wish(kind));
  });
}

at("typed")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = at("text");
  const text = field.value.trim();
  field.value = "";
  if (!text) return;
  const word = text.toLowerCase();
  if (["?", "help"].includes(word)) { open(at("help")); return; }
  const sure = resigning;
  resigning = word === "resign" && !sure;
  if (resigning) { reply("Type resign once more to resign."); return; }
  const answered = await wish("type", text);
  if (!answered?.lines) { showAdvice(answered); return; }
  const short = answered.lines.join("  ");
  if (answered.lines.length === 1 || short.length <= SHORT) reply(short);
  else list(answered.lines);
});

at("text")?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  at("text").value = "";
  board.svg.focus({ preventScroll: true });
});

/** Shows a list of lines over the page. */
function list(lines) {
  at("lines").replaceChildren(...lines.map((line) => element("li", {}, line)));
  open(at("listed"));
}

listenToPageKeys(board);
at("how").addEventListener("click", () => open(at("help")));
at("rematch")?.addEventListener("click", () => wish("rematch"));
at("watch")?.addEventListener("click", async () => {
  const link = `${location.origin}/match/${number}`;
  try {
    await navigator.clipboard.writeText(link);
    reply("The link for spectators is copied.");
  } catch { // without https a browser has no clipboard for pages
    reply(`Link for spectators: ${link}`);
  }
});
