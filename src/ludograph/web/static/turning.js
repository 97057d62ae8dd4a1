// How a board lies: turned by quarters, mirrored, or both.
//
// The picture keeps its own coordinates. It is drawn turned, and only texts and pieces stay upright.

/**
 * @typedef {object} Turn
 * @property {number} quarters quarter turns to the right
 * @property {boolean} mirrored whether left and right were exchanged before
 */

/**
 * Where a point of the picture is drawn.
 * @param {Turn} turn
 * @param {number[]} point
 * @returns {[number, number]}
 */
export function turned({ quarters, mirrored }, [x, y]) {
  if (mirrored) x = -x;
  for (let done = 0; done < quarters; done++) [x, y] = [-y, x];
  return [x, y];
}

/**
 * Which point of the picture is drawn somewhere.
 * @param {Turn} turn
 * @param {number[]} point
 * @returns {[number, number]}
 */
export function unturned({ quarters, mirrored }, [x, y]) {
  for (let done = 0; done < quarters; done++) [x, y] = [y, -x];
  return [mirrored ? -x : x, y];
}

/**
 * Turns all that is drawn in an element.
 * @param {Turn} turn
 * @param {Element} element
 */
export function turn(turn, element) {
  element.setAttribute("transform", `matrix(${[...turned(turn, [1, 0]), ...turned(turn, [0, 1])].join(" ")} 0 0)`);
}

/**
 * The transform by which something at a point stays upright on a turned board.
 * @param {Turn} turn
 * @param {number} x
 * @param {number} y
 */
export function upright(turn, x = 0, y = 0) {
  const [a, b] = unturned(turn, [1, 0]);
  const [c, d] = unturned(turn, [0, 1]);
  return `matrix(${a} ${b} ${c} ${d} ${x - a * x - c * y} ${y - b * x - d * y})`;
}
