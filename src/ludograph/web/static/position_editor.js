// The position editor: a piece is chosen, and put on cells by clicks or by Enter.

import { Board } from "./board.js";
import { at, chip, element } from "./page.js";
import { ask } from "./requests.js";

const { game } = at("arrange").dataset;
const fields = Object.fromEntries(new URLSearchParams(location.search));
const status = at("status");
let start = null; // the server's description of the board: picture, cells, pieces
let fills = [];
let piece = 0;

const board = new Board(at("board"), {
  move: (cell) => { put(cell); keep(); show(); },
  why: () => say("Nothing can be put there.", true),
  described: (text) => say(text),
});

function say(text, wrong = false) {
  status.textContent = text;
  status.classList.toggle("wrong", wrong);
}

/** Puts the chosen piece on a cell; takes it away again where it lies already. */
function put(cell) {
  fills[cell] = fills[cell] === piece ? start.picture.fills[cell] : piece;
  say("");
}

function show() {
  const changed = (cell) => fills[cell] !== start.picture.fills[cell];
  board.show({ ...start.picture, fills, labels: start.picture.labels.filter(([cell]) => !changed(cell)) }, { still: true });
  board.ask({ moves: start.cells.map(([cell, name], part) => [cell, name, [part]]), parts: start.cells.map(([cell]) => ({ cells: [cell] })), tasks: [] });
}

/** Keeps the position in the address: a character for each cell on which pieces can be put. */
function keep() {
  const changed = fills.some((fill, cell) => fill !== start.picture.fills[cell]);
  const address = `${location.pathname}${location.search}`;
  history.replaceState(null, "", changed ? `${address}#${start.cells.map(([cell]) => fills[cell].toString(36)).join("")}` : address);
}

/** Shows the position of the address, or the start where the address has none that fits the board. */
function begin() {
  fills = [...start.picture.fills];
  const kept = [...location.hash.slice(1)].map((each) => parseInt(each, 36));
  if (kept.length === start.cells.length && kept.every((each, place) => start.pieces.includes(each) || each === fills[start.cells[place][0]])) {
    start.cells.forEach(([cell], place) => { fills[cell] = kept[place]; });
  }
  show();
}

function clear() {
  fills = [...start.picture.fills];
  keep();
  show();
}

function choices() {
  at("pieces").replaceChildren(...start.pieces.map((number) => {
    const [name, color] = start.picture.palette[number];
    const radio = element("input", { type: "radio", name: "piece", value: number });
    radio.addEventListener("change", () => { piece = number; });
    return element("label", {}, radio, chip(color), name);
  }));
  piece = start.pieces[1];
  at("pieces").querySelectorAll("input")[1].checked = true;
}

async function send(play) {
  say("Getting ready …");
  const { url, error } = await ask(`/games/${game}/set-up`, JSON.stringify({ fields, fills, play }));
  if (url) location.assign(url);
  else say(error, true);
}

at("analyze").addEventListener("click", () => send(false));
at("play").addEventListener("click", () => send(true));
at("clear").addEventListener("click", clear);
start = await ask(`/games/${game}/set-up/board${location.search}`);
if (start.error) say(start.error, true);
else {
  board.setBoard(start.board);
  choices();
  begin();
  addEventListener("hashchange", begin);
  at("arrange").dataset.ready = "yes";
}
