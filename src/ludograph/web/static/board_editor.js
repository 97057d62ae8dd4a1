// The board editor: vertices where a person clicks, edges between them, named sets of vertices.

import { make } from "./cells.js";
import { all, at, element } from "./panel.js";
import { dataOf } from "./sentences.js";
import { keepSetting, setting } from "./settings.js";

const NEAR = 26;
const MOST_DRAWINGS = 12; // are kept in the browser
const [canvas, called, points, lines, complaint] = ["canvas", "called", "points", "lines", "complaint"].map(at);
let vertices = []; // { x, y, marks }
let edges = []; // pairs of numbers
let first = null; // the vertex from which an edge begins
let held = null;
let tool = "draw";

function draw() {
  const edge = ([a, b]) => make("path", { class: "edge", d: `M${vertices[a].x} ${vertices[a].y}L${vertices[b].x} ${vertices[b].y}` });
  const vertex = ({ x, y, marks }, number) => {
    const group = make("g", { class: `vertex${number === first ? " first" : ""}` });
    make("circle", { cx: x, cy: y, r: 17 }, group);
    make("text", { x, y: y + 6 }, group).textContent = number;
    if (marks.size) make("text", { class: "marks", x, y: y + 36 }, group).textContent = [...marks].join(", ");
    return group;
  };
  canvas.replaceChildren(...edges.map(edge), ...vertices.map(vertex));
}

function write() {
  points.value = vertices.map(({ x, y, marks }) => [x, y, ...marks].join(" ")).join("\n");
  lines.value = edges.map((pair) => pair.join(" ")).join("\n");
  draw();
}

/** Takes over what was typed. */
function read() {
  const rows = (text) => text.split("\n").map((row) => row.trim()).filter(Boolean).map((row) => row.split(/[\s,]+/));
  vertices = rows(points.value).map(([x, y, ...marks]) => ({ x: Number(x) || 0, y: Number(y) || 0, marks: new Set(marks) }));
  edges = rows(lines.value).map((pair) => pair.map(Number)).filter(([a, b]) => vertices[a] && vertices[b] && a !== b);
  first = null;
  draw();
}

/** @returns {[number, number]} */
function place(event) {
  const box = canvas.getBoundingClientRect();
  const clamp = (value, most) => Math.round(Math.min(Math.max(value, 0), most));
  return [clamp(((event.clientX - box.left) / box.width) * 1000, 1000), clamp(((event.clientY - box.top) / box.height) * 700, 700)];
}

function under([x, y]) { return vertices.findIndex((each) => Math.hypot(each.x - x, each.y - y) < NEAR); }

function join(a, b) {
  const others = edges.filter((pair) => !(pair.includes(a) && pair.includes(b)));
  edges = others.length < edges.length ? others : [...edges, [a, b]];
}

function remove(number) {
  vertices.splice(number, 1);
  edges = edges.filter((pair) => !pair.includes(number)).map((pair) => pair.map((end) => (end > number ? end - 1 : end)));
}

function click(point) {
  const number = under(point);
  if (tool === "delete") { if (number >= 0) remove(number); }
  else if (tool === "mark") {
    const name = at("mark").value.trim().replace(/[\s,]+/g, "-");
    if (number >= 0 && name && !vertices[number].marks.delete(name)) vertices[number].marks.add(name);
  } else if (number < 0) {
    vertices.push({ x: point[0], y: point[1], marks: new Set() });
    if (first !== null) join(first, vertices.length - 1);
    first = null;
  } else if (first === null) first = number;
  else { if (first !== number) join(first, number); first = null; }
  write();
}

canvas.addEventListener("pointerdown", (event) => {
  held = { number: under(place(event)), moved: false };
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (!held || held.number < 0 || tool !== "draw") return;
  const [x, y] = place(event);
  const vertex = vertices[held.number];
  if (!held.moved && Math.hypot(vertex.x - x, vertex.y - y) < 8) return;
  held.moved = true;
  Object.assign(vertex, { x, y });
  write();
});
canvas.addEventListener("pointerup", (event) => {
  if (held && !held.moved) click(place(event));
  held = null;
});
for (const each of [points, lines]) each.addEventListener("change", read);

for (const button of all("[data-do]")) {
  button.addEventListener("click", () => {
    first = null;
    if (button.dataset.do === "clear") { vertices = []; edges = []; write(); return; }
    tool = button.dataset.do;
    for (const other of all("[data-do][aria-pressed]")) other.setAttribute("aria-pressed", String(other === button));
    draw();
  });
}

/**
 * The boards that were drawn in this browser, the last one first.
 * @returns {{name: string, points: string, lines: string}[]}
 */
function drawings() {
  try { return JSON.parse(setting("drawings", "[]")); } catch { return []; }
}

function keepDrawing() {
  const drawing = { name: called.value.trim() || called.placeholder, points: points.value, lines: lines.value };
  const others = drawings().filter(({ name }) => name !== drawing.name);
  keepSetting("drawings", JSON.stringify([drawing, ...others].slice(0, MOST_DRAWINGS)));
}

for (const drawing of drawings()) {
  const button = element("button", { type: "button" }, drawing.name);
  button.addEventListener("click", () => {
    [called.value, points.value, lines.value] = [drawing.name, drawing.points, drawing.lines];
    read();
  });
  at("drawings").append(button);
  at("drawings").hidden = false;
}

/**
 * @param {BodyInit} body
 * @param {string} query
 * @param {() => void} taken what is done if the server takes the board
 */
async function send(body, query, taken) {
  let data = { error: "The server cannot be reached." };
  try {
    const answer = await fetch(`/boards${query}`, { method: "POST", body });
    data = await dataOf(answer);
    if (answer.ok) { taken(); location.assign(data.url); return; }
  } catch { /* the sentence says it */ }
  complaint.textContent = data.error.slice(0, 1).toUpperCase() + data.error.slice(1);
  complaint.hidden = false;
}

at("play").addEventListener("click", () => {
  read();
  const marks = {};
  vertices.forEach((vertex, number) => { for (const name of vertex.marks) (marks[name] ??= []).push(number); });
  send(JSON.stringify({ positions: vertices.map(({ x, y }) => [x / 100, y / 100]), edges, marks, name: called.value }), "", keepDrawing);
});
at("file").addEventListener("change", () => {
  const [file] = at("file").files;
  if (file) send(file, `?${new URLSearchParams({ name: file.name, called: called.value })}`, () => {});
});
read();
