// Boards that were drawn in this browser: kept by their names, read from text, sent to the server.

import { ask } from "./requests.js";
import { capital } from "./sentences.js";
import { keepSetting, keptData } from "./settings.js";

const MOST = 12; // are kept in the browser

/** @typedef {{name: string, points: string, lines: string}} Drawing a line for each vertex (x, y, marks), and one for each edge */

/** The boards that were drawn in this browser, the last one first. @returns {Drawing[]} */
export function drawings() { return keptData("drawings", []); }

/** @param {Drawing} drawing takes the place of another one of its name */
export function keepDrawing(drawing) {
  const others = drawings().filter(({ name }) => name !== drawing.name);
  keepSetting("drawings", JSON.stringify([drawing, ...others].slice(0, MOST)));
}

/** The vertices and edges that a drawing's texts mean; edges without two vertices are left out. */
export function parsed({ points, lines }) {
  const rows = (text) => text.split("\n").map((row) => row.trim()).filter(Boolean).map((row) => row.split(/[\s,]+/));
  const vertices = rows(points).map(([x, y, ...marks]) => ({ x: Number(x) || 0, y: Number(y) || 0, marks: new Set(marks) }));
  const edges = rows(lines).map((pair) => pair.map(Number)).filter(([a, b]) => vertices[a] && vertices[b] && a !== b);
  return { vertices, edges };
}

/** @param {Drawing} drawing */
export function sendDrawing(drawing) {
  const { vertices, edges } = parsed(drawing);
  const marks = {};
  vertices.forEach((vertex, number) => { for (const name of vertex.marks) (marks[name] ??= []).push(number); });
  return sendBoard(JSON.stringify({ positions: vertices.map(({ x, y }) => [x / 100, y / 100]), edges, marks, name: drawing.name }), "");
}

/**
 * Sends a board to the server.
 * @param {BodyInit} body
 * @param {string} query
 * @returns {Promise<{url?: string, error?: string}>} the address of the board's page, or a sentence on what is wrong
 */
export async function sendBoard(body, query) {
  const data = await ask(`/boards${query}`, body);
  return data.error ? { error: capital(data.error) } : data;
}
