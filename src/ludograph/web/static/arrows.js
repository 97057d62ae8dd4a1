// Arrows along cells.

import { SIDE, make } from "./cells.js";

/**
 * A line with a head that ends short of what stands on the last cell.
 * @param {number[][]} points
 * @param {{color: string, width?: number, around?: number, opacity?: number, clear?: boolean}} look `around` makes all of it wider, for a casing;
 *   `clear`: it begins beside what stands on the first cell
 */
export function arrow(points, { color, width = 20, around = 0, opacity = 1, clear = false }) {
  const [[px, py], [qx, qy]] = points.slice(-2);
  const length = Math.hypot(qx - px, qy - py) || 1;
  const [dx, dy] = [(qx - px) / length, (qy - py) / length];
  const [short, head] = [Math.min(0.4 * SIDE, 0.42 * length), Math.min(0.3 * SIDE, 0.42 * length)];
  const [tx, ty] = [qx - short * dx, qy - short * dy];
  const [nx, ny] = [tx - head * dx, ty - head * dy];
  const half = Math.max(0.19 * SIDE, 0.9 * width);
  const [wx, wy] = [-half * dy, half * dx];
  const shaft = [...points.slice(0, -1), [nx, ny]];
  if (clear) shaft[0] = beside(shaft[0], shaft[1]);
  const group = make("g", { opacity });
  make("path", { d: `M${shaft.map((point) => point.join(" ")).join("L")}`, fill: "none", stroke: color, "stroke-width": width + around, "stroke-linecap": "round", "stroke-linejoin": "round" }, group);
  make("path", { d: `M${tx} ${ty}L${nx + wx} ${ny + wy}L${nx - wx} ${ny - wy}Z`, fill: color, stroke: color, "stroke-width": around, "stroke-linejoin": "round" }, group);
  return group;
}

/**
 * A point on the way to another one, beside what stands on the first.
 * @param {number[]} from
 * @param {number[]} to
 */
function beside([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const share = Math.min(0.36 * SIDE, 0.4 * length) / length;
  return [x + share * (toX - x), y + share * (toY - y)];
}
