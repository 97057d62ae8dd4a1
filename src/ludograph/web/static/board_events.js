// What people do with a board: pointers, fingers, wheel, keys and tool buttons, as calls of the board.

import { all, at } from "./panel.js";

/** @typedef {import("./board.js").Board} Board */

const FINGER = 22; // pixels around the middle of a small place that are meant for it
const DRAG = 6; // pixels from which on a pointer that moves is no click
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Listens to all that is done with a board.
 * @param {HTMLElement} element around the board
 * @param {Board} board
 * @returns {Record<string, HTMLElement>} the buttons that switch signs, names, numbers and holders, by name
 */
export function listen(element, board) {
  listenToKeys(board);
  listenToPointers(board);
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    board.camera.scale(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), board.camera.toBoard(event.clientX, event.clientY));
  }, { passive: false });
  new ResizeObserver(() => board.camera.view()).observe(element);
  return listenToTools(element, board);
}

/**
 * Listens to the buttons beside a board.
 * @param {HTMLElement} element
 * @param {Board} board
 */
function listenToTools(element, board) {
  const switches = {};
  for (const button of all("[data-tool]", element.parentElement)) {
    const name = button.dataset.tool;
    if (["signs", "names", "numbers", "holders"].includes(name)) switches[name] = button;
    const tools = {
      in: () => board.camera.scale(1.4), out: () => board.camera.scale(1 / 1.4), fit: () => board.camera.whole(),
      turn: () => board.turn(), mirror: () => board.turn({ mirror: true }),
    };
    button.addEventListener("click", tools[name] ?? (() => board.toggle(name)));
  }
  at("hand")?.addEventListener("click", () => board.press({ kind: "turn", text: "" }));
  return switches;
}

/** @param {Board} board */
function listenToKeys(board) {
  const { svg } = board;
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    board.state.keyed = true;
    if (pressKey(board, event.key)) event.preventDefault();
  });
  svg.addEventListener("focus", () => { if (svg.matches(":focus-visible")) board.setKeyed(true); });
  svg.addEventListener("blur", () => board.setKeyed(false));
}

/**
 * Does what a key says; returns whether it says anything.
 * @param {Board} board
 * @param {string} key
 */
export function pressKey(board, key) {
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

/**
 * Whether Enter plays what is chosen while the cursor is at a place; elsewhere it chooses another move.
 * @param {Board} board
 * @param {import("./board_state.js").Place | null} node
 */
function isConfirmedAt({ confirms, state: { input } }, node) {
  if (node?.part !== undefined) return input.isChosen(node.part);
  return !node || !confirms || input.confirmedBy(node.cell) !== undefined;
}

/** @param {Board} board */
function listenToPointers(board) {
  const { svg, camera, state } = board;
  const pointers = new Map(); // that are down: where they were last
  let moved = false;
  svg.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = false;
    state.keyed = false;
  });
  svg.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) { hover(board, event); return; }
    if (!moved && Math.hypot(event.clientX - last[0], event.clientY - last[1]) < DRAG) return;
    if (!moved) { moved = true; svg.setPointerCapture(event.pointerId); }
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    drag(board, last, [event.clientX, event.clientY], others[0]);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  const end = (event) => { pointers.delete(event.pointerId); };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") board.askAbout(null);
    board.pointAt(null);
  });
  svg.addEventListener("click", (event) => { if (!moved) click(board, camera.toBoard(event.clientX, event.clientY)); });
}

/**
 * Shows what is under a pointer that is not down.
 * @param {Board} board
 * @param {PointerEvent} event
 */
function hover(board, event) {
  const point = board.camera.toBoard(event.clientX, event.clientY);
  const place = placeAt(board, point);
  if (event.pointerType === "mouse") board.askAbout(place ? null : board.state.regions.at(...point));
  board.pointAt(place);
}

/**
 * Moves the view with one pointer, or zooms it with two.
 * @param {Board} board
 * @param {number[]} from
 * @param {number[]} to
 * @param {number[] | undefined} other where the second pointer is
 */
function drag({ camera }, from, to, other) {
  if (other) {
    const [before, after] = [from, to].map((point) => Math.hypot(point[0] - other[0], point[1] - other[1]));
    camera.scale(after / Math.max(before, 1), camera.toBoard(other[0], other[1]));
  } else {
    camera.drag(to[0] - from[0], to[1] - from[1]);
  }
}

/**
 * Chooses what is at a point, or asks about it.
 * @param {Board} board
 * @param {[number, number]} point
 */
function click(board, point) {
  const { state } = board;
  const place = placeAt(board, point);
  if (place) state.cursor = place;
  const region = place || state.input.chosen.length ? null : state.regions.at(...point);
  board.askAbout(region);
  if (region) return;
  if (!state.input.asks) board.on.idle?.(place);
  else if (place) board.choose(place);
  else if (state.input.chosen.length) { state.input.back(); board.changed(); }
  else board.on.where?.(point.map(Math.round));
}

/**
 * What is at a point: a place beside the cells first, as it is drawn over them.
 * @param {Board} board
 * @param {[number, number]} point
 * @returns {import("./board_state.js").Place | null}
 */
function placeAt({ state, camera }, [x, y]) {
  const spot = state.input.spotNear(x, y, FINGER * camera.unit()) ?? state.input.spotAt(x, y);
  if (spot !== null) return { part: spot, center: state.input.center(spot) };
  const cell = state.picture?.fills ? state.cells.at(x, y) : -1;
  return cell >= 0 ? { cell, center: state.cells.center(cell) } : null;
}
