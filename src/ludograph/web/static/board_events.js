// What people do with a board: where a click, a finger, the wheel or a key becomes a call of the board.

import { EMPTY } from "./cells.js";
import { all, at } from "./page.js";

/**
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("./board.js").BoardState} BoardState
 * @typedef {import("./board.js").Place} Place
 */

const FINGER = 22; // pixels around the middle of a small place that are meant for it
const DRAG = 6; // pixels from which on a pointer that moves is no click
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Listens to all that is done with a board.
 * @param {HTMLElement} element around the board
 * @param {Board} board
 * @returns {Record<string, HTMLElement>} the buttons that switch signs, names, numbers and holders, by name
 */
export function events(element, board) {
  const { svg, camera, state } = board;
  const pointOf = ({ clientX, clientY }) => camera.toBoard(clientX, clientY);
  const pointers = new Map(); // that are down: where they were last
  let moved = false;
  let aims = false; // a finger that is down shows what it would choose

  svg.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = false;
    state.keyed = false;
    aims = event.pointerType === "touch" && pointers.size === 1 && state.input.asks;
    if (aims) aim(event);
    else camera.lens.remove();
  });
  svg.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) { hover(event); return; }
    const now = [event.clientX, event.clientY];
    if (!moved && Math.hypot(now[0] - last[0], now[1] - last[1]) < DRAG) return;
    if (!moved) { moved = true; svg.setPointerCapture(event.pointerId); }
    if (aims && camera.zoom <= 1) { aim(event); return; } // a larger board is dragged
    camera.lens.remove();
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    if (other) {
      const [before, after] = [last, now].map((point) => Math.hypot(point[0] - other[0], point[1] - other[1]));
      camera.scale(after / Math.max(before, 1), camera.toBoard(other[0], other[1]));
    } else {
      camera.drag(now[0] - last[0], now[1] - last[1]);
    }
    pointers.set(event.pointerId, now);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    svg.addEventListener(name, (event) => {
      pointers.delete(event.pointerId);
      camera.lens.remove();
      const point = pointOf(event);
      if (aims && moved && camera.zoom <= 1 && name === "pointerup" && placeAt(point)) click(point);
      aims = false;
    });
  }
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") board.askAbout(null);
    board.pointAt(null);
  });
  svg.addEventListener("click", (event) => { if (!moved) click(pointOf(event)); });
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.scale(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), pointOf(event));
  }, { passive: false });
  new ResizeObserver(() => camera.view()).observe(element);

  svg.addEventListener("keydown", (event) => {
    if (isTaken(event)) return;
    state.keyed = true;
    if (pressKey(board, event.key)) event.preventDefault();
  });
  svg.addEventListener("focus", () => { if (svg.matches(":focus-visible")) board.setKeyed(true); });
  svg.addEventListener("blur", () => board.setKeyed(false));

  at("hand")?.addEventListener("click", () => board.press({ kind: "turn", text: "" }));
  const tools = {
    in: () => camera.scale(1.4), out: () => camera.scale(1 / 1.4), fit: () => camera.whole(),
    turn: () => board.turn(), mirror: () => board.turn({ mirror: true }),
  };
  const switches = {};
  for (const button of all("[data-tool]")) {
    const name = button.dataset.tool;
    if (!tools[name]) switches[name] = button;
    button.addEventListener("click", tools[name] ?? (() => board.toggle(name)));
  }
  return switches;

  /** Shows what a finger would choose, larger. */
  function aim(event) {
    board.pointAt(placeAt(pointOf(event)));
    camera.magnify(event);
  }

  /** Shows what is under a pointer that is not down. */
  function hover(event) {
    const point = pointOf(event);
    const place = placeAt(point);
    if (event.pointerType === "mouse") board.askAbout(place ? null : state.regions.at(...point));
    board.pointAt(place);
  }

  /** Chooses what is at a point, or asks about it. */
  function click(point) {
    const place = placeAt(point);
    if (place) state.cursor = place;
    const region = place || state.input.chosen.length ? null : state.regions.at(...point);
    board.askAbout(region);
    if (region) return;
    if (!state.input.asks) board.on.idle?.(place);
    else if (place) board.choose(place);
    else if (state.input.chosen.length) { state.input.back(); board.changed(); }
    else board.on.where?.(point.map(Math.round));
  }

  /** What is at a point: a place beside the cells first, as it is drawn over them. @returns {Place | null} */
  function placeAt([x, y]) {
    const spot = state.input.spotNear(x, y, FINGER * camera.unit()) ?? state.input.spotAt(x, y);
    if (spot !== null) return { part: spot, center: state.input.parts[spot].center };
    const cell = state.picture?.fills ? state.cells.at(x, y) : -1;
    return cell >= 0 ? { cell, center: state.cells.center(cell) } : null;
  }
}

/**
 * Does what a key says; returns whether it says anything.
 * @param {Board} board
 * @param {string} key
 */
function pressKey(board, key) {
  const { camera, state } = board;
  const { input } = state;
  if (key in STEPS && input.asks) board.step(STEPS[key][0], STEPS[key][1]);
  else if (key === "n" || key === "PageDown") board.jump(1);
  else if (key === "p" || key === "PageUp") board.jump(-1);
  else if ((key === "Enter" || key === " ") && input.asks) {
    const node = state.cursor;
    const confirm = input.buttons().find((each) => each.kind === "play");
    if (key === "Enter" && confirm && isConfirmedAt(board, node)) board.after(confirm.move);
    else board.choose(node);
    board.follow();
  } else if (key === "r") { input.turn(); board.changed(); }
  else if (key === "Escape") { input.back(); board.follow(); board.changed(); }
  else if (key === "+" || key === "=") camera.scale(1.3);
  else if (key === "-") camera.scale(1 / 1.3);
  else if (key === "0") camera.whole();
  else if (key === "s") board.toggle("signs");
  else if (key === "c") board.toggle("names");
  else if (key === "t") board.turn();
  else if (key === "m") board.turn({ mirror: true });
  else if (key === "#") board.toggle("numbers");
  else if (key === "w") board.askNext();
  else return false;
  return true;
}

/** Whether Enter plays what is chosen while the cursor is at a place; elsewhere it chooses another move. */
function isConfirmedAt({ confirms, state: { input } }, node) {
  if (node?.part !== undefined) return input.isChosen(node.part);
  return !node || !confirms || input.confirmedBy(node.cell) !== undefined;
}

// The cursor of a board: the places to which keys can go, and the next one in a direction.

/**
 * All that the cursor can go to: cells, and places beside them.
 * @param {BoardState} state
 * @returns {Place[]}
 */
export function places({ picture, cells, input }) {
  const found = [];
  (picture?.fills ?? []).forEach((fill, cell) => { if (fill !== EMPTY) found.push({ cell, center: cells.center(cell) }); });
  for (const { number, part } of input.spots({ own: true })) found.push({ part: number, center: part.center });
  return found;
}

/** The places that can be chosen, from the top to the bottom. @param {BoardState} state */
export function targets(state) {
  const cells = state.input.marked();
  return places(state).filter(({ part, cell }) => part !== undefined || cells.has(cell))
    .sort((a, b) => a.center[1] - b.center[1] || a.center[0] - b.center[0]);
}

/**
 * The place nearest to a point; null if there is none.
 * @param {Place[]} found
 * @param {number[]} point
 * @returns {Place | null}
 */
export function nearest(found, [x, y]) {
  const away = ({ center }) => Math.hypot(center[0] - x, center[1] - y);
  return found.length ? found.reduce((best, place) => (away(place) < away(best) ? place : best)) : null;
}

/**
 * The place next to another one in a direction; null if there is none.
 * @param {Place[]} found
 * @param {Place} from
 * @returns {Place | null}
 */
export function beside(found, from, right, down) {
  const [x, y] = from.center;
  let best = null;
  let least = Infinity;
  for (const place of found) {
    const [dx, dy] = [place.center[0] - x, place.center[1] - y];
    const along = dx * right + dy * down;
    const across = Math.abs(dx * down) + Math.abs(dy * right);
    if (along <= 1 || across > 2 * along) continue;
    const far = along + 1.2 * across;
    if (far < least) { least = far; best = place; }
  }
  return best;
}

/**
 * The target that comes some steps behind the cursor, round and round; null if there is none.
 * @param {BoardState} state
 * @returns {Place | null}
 */
export function further(state, step) {
  const found = targets(state);
  if (!found.length) return null;
  const place = found.findIndex(({ part, cell }) => part === state.cursor?.part && cell === state.cursor?.cell);
  return found[(place < 0 ? 0 : place + step + found.length) % found.length];
}

// Keys of a page with a board: they work wherever the focus is, unless a person types or a window is open.

const FIELDS = "input, select, textarea, dialog";
const PRESSED = "button, summary, a"; // Enter and Space press them
const SCROLLING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown"];

/**
 * Whether a key belongs to what has the focus, or to the browser.
 * @param {KeyboardEvent} event
 */
export function isTaken(event) {
  const focused = /** @type {Element} */ (event.target);
  return Boolean(event.ctrlKey || event.metaKey || event.altKey || focused.closest(FIELDS)
    || (["Enter", " "].includes(event.key) && focused.closest(PRESSED))
    || (event.key === "Escape" && document.querySelector(":popover-open")));
}

/**
 * Gives a board the keys of its page; ? opens the list of keys, and / goes to the field for moves.
 * @param {Board} board
 */
export function listenToPageKeys(board) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTaken(event)) return;
    if (event.key === "?") at("keys").showPopover();
    else if (event.key === "/" && at("typing") && !at("typing").hidden) { at("typing").open = true; at("text").focus(); }
    else if (board.svg.contains(/** @type {Node} */ (event.target))) return; // the board has taken the key
    else if (SCROLLING.includes(event.key) && event.target !== document.body) return;
    else if (!pressKey(board, event.key)) return;
    else if (event.target === document.body) { board.svg.focus({ preventScroll: true }); board.setKeyed(true); }
    event.preventDefault();
  });
}
