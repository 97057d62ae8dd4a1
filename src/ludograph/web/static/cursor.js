// The cursor of a board: the places to which keys can go, and the next one in a direction.

import { EMPTY } from "./picture.js";

/**
 * @typedef {import("./board_state.js").BoardState} BoardState
 * @typedef {import("./board_state.js").Place} Place
 */

/**
 * All that the cursor can go to: cells, and places beside them.
 * @param {BoardState} state
 * @returns {Place[]}
 */
export function places({ picture, cells, input }) {
  const found = [];
  const fills = picture?.fills ?? [];
  for (let cell = 0; cell < fills.length; cell++) {
    if (fills[cell] !== EMPTY) found.push({ cell, center: cells.center(cell) });
  }
  for (const { number, part } of input.spots({ own: true })) found.push({ part: number, center: part.center });
  return found;
}

/**
 * The places that can be chosen, from the top to the bottom.
 * @param {BoardState} state
 */
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
 * @param {number} right
 * @param {number} down
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
 * @param {number} step
 * @returns {Place | null}
 */
export function further(state, step) {
  const found = targets(state);
  if (!found.length) return null;
  const place = found.findIndex(({ part, cell }) => part === state.cursor?.part && cell === state.cursor?.cell);
  return found[(place < 0 ? 0 : place + step + found.length) % found.length];
}
