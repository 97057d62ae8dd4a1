// Draws overlays over a picture: sets of cells, numbers as discs, short texts.

import { SIDE, make } from "./cells.js";

export const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"]; // that color-blind people can distinguish

const LARGEST = 0.36 * SIDE;

/** Returns the elements of overlays: sets below numbers, numbers below texts. */
export function drawn(overlays, cells) {
  const [areas, numbers, texts] = [[], [], []];
  for (const overlay of overlays) {
    const inside = overlay.cells.filter((cell) => cell < cells.size);
    if (overlay.values) numbers.push(...discs(overlay, cells));
    else if (!overlay.texts && inside.length) areas.push(area(overlay, inside, cells));
    if (overlay.texts) texts.push(...written(overlay, cells));
  }
  return [...areas, ...numbers, ...texts];
}

function area({ color }, inside, cells) {
  return make("path", { d: inside.map((cell) => cells.path(cell)).join(""), fill: color, "fill-opacity": 0.3, stroke: color, "stroke-width": 12, "stroke-dasharray": "40 24" });
}

/** A disc for each number, in proportion to its area; a hollow disc is below zero. */
function discs({ cells: own, values, color }, cells) {
  const greatest = Math.max(...values.map(Math.abs));
  return own.flatMap((cell, place) => {
    const value = values[place];
    if (!value || cell >= cells.size) return [];
    const [cx, cy] = cells.center(cell);
    const r = Math.max(0.03 * SIDE, LARGEST * Math.sqrt(Math.abs(value) / greatest));
    return [make("circle", { cx, cy, r, fill: value > 0 ? color : "none", "fill-opacity": 0.8, stroke: value > 0 ? "#fff" : color, "stroke-width": 9 })];
  });
}

function written({ cells: own, texts, color }, cells) {
  return own.flatMap((cell, place) => {
    if (cell >= cells.size) return [];
    const [x, y] = cells.center(cell);
    const size = texts[place].length > 2 ? 54 : 80;
    const text = make("text", { x, y: y + 0.355 * size, "font-size": size, fill: "#26262b", "text-anchor": "middle" });
    text.textContent = texts[place];
    return [make("circle", { cx: x, cy: y, r: 0.3 * SIDE, fill: "#fff", "fill-opacity": 0.92, stroke: color, "stroke-width": 11 }), text];
  });
}
