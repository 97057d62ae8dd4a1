// The page of a live match: what the server tells of it, such as a new move, and what the person at the page does.

import { listenToPageKeys } from "./board_events.js";
import * as match from "./match.js";
import { add, board, key, names, number, page, past, people, premove, proposals, render, renderTurn, reply, say, state, tell, thoughts, unsay, wish } from "./match.js";
import { all, at, copied, element } from "./page.js";
import { drawChoices, raisePoints } from "./panel.js";
import { reloadWhenRunning, reloadWhenThere, sendOnce } from "./requests.js";
import { capital, gained, gainsOf, sentence, spoken } from "./sentences.js";
import { keep, kept, switchOf } from "./settings.js";

if (!key && kept(number)) location.replace(`/match/${number}?key=${encodeURIComponent(kept(number))}${location.hash}`);
const DOUBLE = 500; // milliseconds within which a second tap means nothing
const SURE = 3000; // in which a button waits for its second click
const SHORT = 120; // characters of an answer that fit beside the board
const [choices, actions] = ["choices", "actions"].map(at);

// What the server tells -----------------------------------------------------------------------

/** Takes a frame, and shows it unless the person looks back. */
function show(now, way = [], still = false) {
  Object.assign(state, { now, since: performance.now() });
  if (!past.looking) board.show(now.picture, { way, still });
}

/** Lets the person at this page choose a move, or none. */
function letChoose(turn) {
  state.turn = turn;
  if (!past.looking || !turn) board.ask(turn);
}

function think(view, seat = null) {
  thoughts.show(view, view && seat !== null ? names()[seat] : "");
  if (past.looking) board.lay([]); // they are about the present
}

/** The server is not busy with this match any more. */
function stopWaiting() {
  if (state.waiting) reply("");
  state.waiting = false;
}

function end(status) {
  if (status.state === "waiting" && status.text) { reply(status.text); return; }
  if (!["over", "suspended", "failed"].includes(status.state)) return;
  const { now } = state;
  if (status.text) {
    state.result = now ? spoken(status.text, now.seats, state.own) : status.text;
    if (status.why) state.result += ` ${sentence(status.why)}`;
    say(state.result, status.state === "failed");
  }
  if (now) Object.assign(now, { turn: null, leads: null, ranks: status.ranks });
  state.end = status;
  premove.clear();
  proposals.show(null);
  letChoose(null);
  if (board.camera.zoom > 1) board.camera.whole(); // shows the whole board at the end
  render();
  if (status.state === "suspended") reloadWhenRunning(number);
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

const told = {
  whole({ own, away, board: shown, shapes, now, moves, view, status, ask, proposal, rematch }) {
    Object.assign(state, { own, played: moves, begun: status.state !== "waiting", waiting: status.state === "waiting", lately: [], end: null });
    if (own.length) keep(number, key, own);
    premove.clear();
    people.begin(away);
    board.setBoard(shown);
    board.addShapes(0, shapes);
    const isFirst = !state.now;
    show(now, [], true);
    if (isFirst) board.stand();
    if (moves.some(({ seat }) => own.includes(seat))) people.play();
    match.listMoves();
    past.setLast(moves.length);
    think(view, moves.at(-1)?.seat);
    const last = moves.findLastIndex(({ seat }) => own.includes(seat));
    for (const { seat, announcement } of moves.slice(Math.max(last, moves.length - 2 * now.seats.length, 0))) tell(seat, announcement);
    if (!moves.length) say("");
    letChoose(ask);
    render();
    end(status);
    proposals.show(proposal);
    if (rematch) showRematch(rematch);
    past.follow();
  },
  begun() {
    Object.assign(state, { begun: true, since: performance.now() });
    stopWaiting();
    renderTurn();
  },
  shapes({ first, shapes }) { board.addShapes(first, shapes); },
  move({ first, shapes = [], now, move }) {
    const { own, now: before } = state;
    const { seat, announcement, view, way } = move;
    board.addShapes(first, shapes);
    show(now, way);
    state.played.push(move);
    match.listMoves(state.played.length - 1);
    past.setLast(now.ply);
    think(view, seat);
    tell(seat, announcement, gained(before.scores, now.scores, seat, names(), announcement ?? ""));
    now.seats.forEach(({ stuck }, place) => {
      if (stuck && !before.seats[place].stuck) add(`${capital(names()[place])} ${names()[place] === "You" ? "are" : "is"} out: ${stuck}.`);
    });
    if (seat !== null && own.includes(seat)) { letChoose(null); people.play(); }
    render();
    raisePoints(at("seats"), gainsOf(before.scores, now.scores));
  },
  now({ first, shapes = [], now, text }) {
    board.addShapes(first, shapes);
    show(now);
    say(sentence(spoken(text, now.seats, state.own)));
    render();
  },
  back({ now, text }) {
    premove.clear();
    letChoose(null); // if it is still this person's turn, the server asks again
    state.lately = [];
    show(now);
    think(null);
    const gone = state.played.splice(now.ply).filter((move) => move.seat !== null).length;
    match.listMoves(now.ply);
    past.setLast(now.ply);
    say(sentence(spoken(text, now.seats, state.own)).replace(/\btakes? back\b/, `$& ${gone === 1 ? "a move" : `${gone} moves`}`));
    render();
  },
  ask({ ask }) {
    if (ask) stopWaiting();
    letChoose(ask);
    renderTurn();
    if (ask && premove.cells.length) { past.return(); premove.play(); }
  },
  said({ text }) { reply(capital(text)); state.waiting = true; },
  end({ status }) { end(status); },
  presence({ away }) { people.change(away); },
  names({ names: called }) {
    state.now.seats.forEach((seat, place) => { seat.called = called[place]; });
    match.listMoves();
    render();
  },
  proposal({ proposal }) { proposals.show(proposal); },
  settled(event) { proposals.settle(event); },
  rematch(event) {
    if (state.own.length && !event.key) return; // a spectator's
    showRematch(event);
    if (event.key) location.assign(at("next-match").href);
  },
};

const source = new EventSource(`/match/${number}/events${key ? `?key=${encodeURIComponent(key)}` : ""}`);
source.addEventListener("message", ({ data }) => {
  const event = JSON.parse(data);
  told[event.type](event);
  page.dataset.ready = String(Number(page.dataset.ready ?? 0) + 1);
});
source.addEventListener("close", () => source.close());
source.addEventListener("error", () => {
  if (state.end) return;
  reply("The connection is lost; it is tried again …", true);
  // The server was started again and knows no such match; the game can go on.
  if (source.readyState === EventSource.CLOSED) reloadWhenThere(number, Boolean(page.dataset.alone));
});

// What the person does on the board -----------------------------------------------------------

let region = ""; // the answer line's text about a region

board.on = {
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
  region: (text) => { if (text) reply(text); else unsay(region); region = text; },
  accepted: () => { if (state.turn) reply(""); },
  idle: (place) => {
    if (past.looking) past.return();
    else if (state.end) closeEnd();
    else if (state.begun && state.own.length && !(match.mayChooseBefore() && premove.take(place))) reply("It is not your turn.", true);
  },
  choices: (list) => {
    drawChoices(choices, list, (each, button) => {
      if (button.ariaDisabled) return;
      if (each.kind === "play") for (const action of actions?.children ?? []) rest(action); // they come where this button was
      if (each.kind !== "move" || !board.confirms || button.dataset.sure) { board.press(each); return; }
      button.dataset.sure = "yes"; // a move without a place is confirmed by its own button
      button.textContent = `Confirm – ${each.text}`;
      rest(button);
    });
    if (state.turn) match.renderTask();
  },
};
listenToPageKeys(board);

/** Lets a button mean nothing for a moment: a double tap is one wish. */
function rest(button) {
  button.ariaDisabled = "true";
  setTimeout(() => { button.ariaDisabled = null; }, DOUBLE);
}

// What the person does beside it --------------------------------------------------------------

/** Frees the board from the words on the end of the game. */
function closeEnd() { at("after").classList.add("closed"); }

/** Shows a hint for the person at this page, if an answer of the server is one. */
function showAdvice(answered) {
  if (answered?.move === undefined) return;
  past.return();
  board.hint(answered.move);
  const written = at("typing")?.open && state.turn?.moves.find(([code]) => code === answered.move)?.[1]; // a person who types needs it
  reply(`Hint: ${answered.text}${written ? ` (${written})` : ""}`);
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
      setTimeout(() => { delete button.dataset.sure; button.textContent = before; }, SURE);
      return;
    }
    if (kind === "undo" && board.back()) return; // first the chosen parts of an unfinished move
    if (kind === "hint") reply("Thinking …");
    showAdvice(await wish(kind));
  });
}

let resigning = false; // resign was typed, and is to be typed once more

at("typed")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = at("text");
  const text = field.value.trim();
  field.value = "";
  if (!text) return;
  const word = text.toLowerCase();
  if (["?", "help"].includes(word)) { at("help").showPopover(); return; }
  const sure = resigning;
  resigning = word === "resign" && !sure;
  if (resigning) { reply("Type resign once more to resign."); return; }
  const answered = await wish("type", text);
  if (!answered?.lines) { showAdvice(answered); return; }
  const short = answered.lines.join("  ");
  if (answered.lines.length === 1 || short.length <= SHORT) { reply(short); return; }
  at("lines").replaceChildren(...answered.lines.map((line) => element("li", {}, line)));
  at("listed").showPopover();
});

at("text")?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  at("text").value = "";
  board.svg.focus({ preventScroll: true });
});

at("after").querySelector(".close").addEventListener("click", closeEnd);
at("rematch")?.addEventListener("click", () => wish("rematch"));
at("watch")?.addEventListener("click", async () => {
  const link = `${location.origin}/match/${number}`;
  at("menu").hidePopover(); // it may lie on the answer
  reply(await copied(link) ? "The link for spectators is copied." : `Link for spectators: ${link}`);
});
for (const form of all("#after form")) sendOnce(form);
if (at("confirm")) switchOf(at("confirm"), "confirm", matchMedia("(pointer: coarse)").matches, (on) => { board.confirms = on; });
if (at("premove")) switchOf(at("premove"), "premove", false, (on) => { premove.on = on; premove.clear(); });
