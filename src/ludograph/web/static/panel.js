// The panel beside a board: the players, their clocks, the moves.

import { at, chip, element } from "./page.js";
import { capital, displayNames } from "./sentences.js";
import { keepSetting, keptData } from "./settings.js";

/** Draws the seats; the one to move is marked. */
export function drawSeats(list, now, own = undefined) {
  const names = displayNames(now.seats, own);
  at("remains").textContent = now.remains;
  at("remains").hidden = !now.remains;
  const below = own?.length === 1 ? own[0] : now.seats.length - 1; // on a phone this one's seat is below the board
  list.replaceChildren(...now.seats.map((seat, number) => {
    const turn = now.turn === number;
    const name = names[number];
    const best = now.ranks?.[number] === 1;
    const place = best ? (now.ranks.filter((rank) => rank === 1).length > 1 ? "draws" : "wins") : now.leads === number ? "leads" : "";
    const more = [seat.color, seat.holding, seat.stuck, seat.terms, place, seat.away ? "not here" : ""].filter(Boolean).join(", ");
    const marks = Object.entries({ turn, best, below: number === below }).filter(([, is]) => is).map(([mark]) => mark);
    const item = element("li", { class: marks.join(" ") }, chip(seat.chip),
      element("span", { class: "name", title: [...new Set([name, seat.spec || seat.name])].join(", ") }, !seat.color && now.seats.length > 1 ? `${number + 1}: ${name}` : name),
      element("span", { class: "clock" }));
    if (turn) item.setAttribute("aria-current", "true");
    if (more) item.append(element("span", { class: "more" }, more));
    return item;
  }));
}

/** Lets the points that seats have just got rise from them; the sentence about the move says them, too. */
export function raisePoints(list, gains) {
  for (const [seat, points] of gains) list.children[seat].append(element("span", { class: "gain", "aria-hidden": "true" }, `+${points}`));
}

const COUNTED = 900; // milliseconds in which points are counted up

/** Writes what each seat has at the end; the first number counts up, unless the person prefers less motion. */
export function drawTotals(list, now, names) {
  const held = now.seats.some(({ holding }) => holding);
  list.replaceChildren(...(held ? now.seats : []).map((seat, place) => {
    const total = element("span", { class: "total" }, seat.holding);
    countUp(total, seat.holding);
    return element("li", now.ranks?.[place] === 1 ? { class: "best" } : {}, chip(seat.chip), element("span", { class: "name" }, names[place]), total);
  }));
}

function countUp(place, text) {
  const [number] = /\d+/.exec(text) ?? [];
  if (!number || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, Math.max(0, now - begun) / COUNTED);
    place.textContent = text.replace(number, String(Math.round(share * Number(number))));
    if (share < 1) requestAnimationFrame(step);
  };
  step(begun);
}

/** Draws the buttons by which a move, or a part of one, is chosen; the keyboard focus stays. */
export function drawChoices(place, list, press) {
  if (!list.length && !place.childElementCount) return;
  const focused = [...place.children].indexOf(document.activeElement);
  const isOneOfMany = list.some(({ kind }) => kind === "add") && !list.some(({ chosen }) => chosen); // no choice is the main one yet
  place.replaceChildren(...list.map((each) => {
    const button = element("button", { type: "button", class: each.kind === "play" && !isOneOfMany ? "confirms primary" : each.kind === "play" ? "confirms" : each.kind }, each.text);
    if (each.kind === "add") button.setAttribute("aria-pressed", String(each.chosen));
    button.addEventListener("click", () => press(each, button));
    return button;
  }));
  if (focused >= 0) place.children[focused]?.focus();
}

/** A time as clocks show it: 1:05, and tenths in the last ten seconds. */
export function clockText(seconds) {
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/** A move in a list: its number, who made it, by color or by number, and what it was. What chance brings has no number. */
export function moveItem(move, seats, names) {
  const item = element("li", {}, element("span", { class: "ply" }, move.number ? `${move.number}.` : ""));
  if (move.seat === null) item.classList.add("faint");
  else if (names.length > 1) item.append(...moverOf(move, seats, names));
  item.append(element("span", { class: "label" }, move.text));
  if (move.code) item.append(element("span", { class: "code" }, move.code));
  if (move.opening) item.append(element("span", { class: "note" }, "opening"));
  const who = move.seat === null || move.seat === undefined ? "" : `${names[move.seat]} `;
  item.title = [`${who}${move.announcement ?? ""}`.trim(), move.seat === null ? "" : `${move.seconds?.toFixed?.(2) ?? "?"} s`].filter(Boolean).join(", ");
  return item;
}

/** Who made a move: a chip of the color that the seat had, else the number of the seat; the name for a screen reader. */
export function moverOf({ seat, color }, seats, names) {
  const own = color && seats.find((each) => each.color === color)?.chip;
  const mark = chip(own, own ? "chip" : "chip number");
  if (!own) mark.append(String(seat + 1));
  return [mark, element("span", { class: "unseen" }, `${names[seat]}: `)];
}

/** Marks one move of a list and keeps it in view, without moving the page. */
export function markMove(list, number) {
  const before = list.querySelector(".now");
  before?.classList.remove("now");
  before?.removeAttribute("aria-current");
  const made = list.children[number - 1];
  const item = made?.classList.contains("faint") ? made.nextElementSibling ?? made.previousElementSibling : made;
  if (!item) { list.scrollTop = 0; return; }
  item.classList.add("now");
  item.setAttribute("aria-current", "step");
  const top = item.offsetTop; // within the list, which is positioned
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = Math.min(top, Math.max(top - list.clientHeight / 2, top + item.offsetHeight - list.clientHeight + 6));
  }
}

// The table of points: what the points of each seat are for, if the game tells it.

const ROOMY = "(max-width: 52rem), (min-height: 56rem)"; // a panel that has room for the table during the game

/**
 * Draws the table of a frame; it is hidden where there is none, and opens with the end of the game.
 * @param {HTMLDetailsElement} place
 * @param {any} now the frame
 * @param {string[]} names by seat
 */
export function drawBreakdown(place, now, names) {
  const { breakdown, seats, over } = now;
  if (!breakdown) { place.hidden = true; return; }
  if (place.hidden) place.open = matchMedia(ROOMY).matches;
  place.hidden = false;
  if (over && !place.dataset.over) place.open = true;
  if (over) place.dataset.over = "yes";
  else delete place.dataset.over;
  const title = over ? "Points" : "Points so far";
  const head = element("tr", {}, element("th", { scope: "col" }, "Player"), ...[...breakdown.columns, "total"].map((text) => element("th", { scope: "col", class: "n" }, capital(text))));
  const rows = breakdown.rows.map((cells, seat) => {
    const best = now.ranks?.[seat] === 1;
    return element("tr", best ? { class: "best" } : {}, element("th", { scope: "row", title: names[seat] }, chip(seats[seat].chip), names[seat]), ...cells.map((text) => element("td", { class: "n" }, text)));
  });
  const table = element("table", {}, element("caption", {}, breakdown.caption ? `Points ${breakdown.caption}` : element("span", { class: "unseen" }, title)), element("thead", {}, head), element("tbody", {}, ...rows));
  if (place.lastElementChild?.outerHTML === table.outerHTML && place.firstElementChild?.textContent === title) return;
  place.replaceChildren(element("summary", {}, title), table);
}

// The thoughts of a strategy about its move: a line of text, and overlays of the board to switch on.

const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"]; // that color-blind people can distinguish

export class Thoughts {
  constructor(board, place) {
    this.board = board;
    this.place = place;
    /** @type {Set<string>} */
    this.on = new Set(keptData("overlays", []));
    this.overlays = []; // those of the shown thoughts, each with its color
    this.seen = false; // whether there were any thoughts
    this.text = element("p", { class: "thinks" });
    this.switches = element("div", { class: "switches", role: "group", "aria-label": "Overlays" });
    place.replaceChildren(this.text, this.switches);
  }

  /** Shows a player's thoughts; null hides them. */
  show(view, who = "") {
    this.overlays = (view?.overlays ?? []).flatMap(withChances).map((overlay, number) => ({ ...overlay, color: COLORS[number % COLORS.length] }));
    const section = this.place.closest("details"); // stays once there was anything in it, so that nothing moves
    (section ?? this.place).hidden = !view && !(section && this.seen);
    this.seen ||= Boolean(view);
    this.text.textContent = view ? `${who}${who && view.text ? " " : ""}${view.text}` : "";
    this.switches.replaceChildren(...this.overlays.map((overlay) => {
      const button = element("button", { type: "button", "aria-pressed": String(this.on.has(overlay.name)) }, chip(overlay.color, "swatch"), overlay.name);
      button.addEventListener("click", () => this.toggle(overlay.name, button));
      return button;
    }));
    this.lay();
  }

  toggle(name, button) {
    if (!this.on.delete(name)) this.on.add(name);
    button.setAttribute("aria-pressed", String(this.on.has(name)));
    keepSetting("overlays", JSON.stringify([...this.on]));
    this.lay();
  }

  lay() {
    this.board.lay(this.overlays.filter((overlay) => this.on.has(overlay.name)));
  }
}

/** An overlay of moves, and one more of their chances if any is known. */
function withChances(overlay) {
  if (!overlay.moves?.some(({ text }) => text)) return [overlay];
  return [overlay, { name: "chances", chances: overlay.moves }];
}
