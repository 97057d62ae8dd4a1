// Keys of a page with a board: they work wherever the focus is, unless a person types or a window is open.

import { pressKey } from "./board_events.js";
import { all, at, open } from "./panel.js";

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
    || (["Enter", " "].includes(event.key) && focused.closest(PRESSED)));
}

/**
 * Gives a board the keys of its page; ? opens the list of keys, and / goes to the field for moves.
 * @param {import("./board.js").Board} board
 */
export function listenToPageKeys(board) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTaken(event)) return;
    if (event.key === "?") openKeys();
    else if (event.key === "/" && at("typing") && !at("typing").hidden) { at("typing").open = true; at("text").focus(); }
    else if (board.svg.contains(/** @type {Node} */ (event.target))) return; // the board has taken the key
    else if (SCROLLING.includes(event.key) && event.target !== document.body) return;
    else if (!pressKey(board, event.key)) return;
    else if (event.target === document.body) { board.svg.focus({ preventScroll: true }); board.setKeyed(true); }
    event.preventDefault();
  });
  at("show-keys").addEventListener("click", openKeys);

  function openKeys() {
    const isGrowing = !board.state.picture?.fills; // only pieces that make the board can be turned
    for (const each of all(".turning-key")) each.hidden = !isGrowing;
    open(at("keys"));
  }
}
