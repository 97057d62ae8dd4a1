// The board editor: vertices where a person clicks, edges between them, named sets of vertices.

import { drawings, keepDrawing, parsed, sendBoard, sendDrawing } from "./drawings.js";
import { all, at, element, make } from "./page.js";
import { keepSetting, setting } from "./settings.js";

const NEAR = 26;
const GRID = 50; // from one point of the grid to the next
const MOST_STEPS = 200; // that can be undone
const WHAT = {
  draw: "Click on a free place to add a vertex. Click one vertex and then another to draw the edge between them, or to delete it. Drag a vertex to move it.",
  chain: "Click one place or vertex after the other: an edge leads to each from the one before. Click the last one again, or press Esc, to end the chain.",
  mark: "Click a vertex to give it the mark, or to take the mark away.",
  delete: "Click a vertex to delete it with its edges.",
};
const [canvas, called, points, lines, complaint] = ["canvas", "called", "points", "lines", "complaint"].map(at);
let vertices = []; // { x, y, marks }
let edges = []; // pairs of numbers
let first = null; // the vertex from which an edge begins
let held = null;
let tool = "draw";
let snaps = false; // to the grid
let unsent = false; // whether the drawing has changed since it was opened or sent
const [undone, done] = [[], []]; // earlier and later drawings, the nearest one last

function now() { return { name: called.value, points: points.value, lines: lines.value }; }

function draw() {
  const edge = ([a, b]) => make("path", { class: "edge", d: `M${vertices[a].x} ${vertices[a].y}L${vertices[b].x} ${vertices[b].y}` });
  const vertex = ({ x, y, marks }, number) => {
    const group = make("g", { class: `vertex${number === first ? " first" : ""}${marks.size ? " marked" : ""}` });
    const circle = make("circle", { cx: x, cy: y, r: 17 }, group);
    const color = [...marks].find((name) => CSS.supports("color", name));
    if (color) circle.style.fill = color;
    make("text", { x, y: y + 6 }, group).textContent = number;
    if (marks.size) make("text", { class: "marks", x, y: y + 36 }, group).textContent = [...marks].join(", ");
    return group;
  };
  const dots = [];
  for (let x = GRID; snaps && x < 1000; x += GRID) for (let y = GRID; y < 700; y += GRID) dots.push(`M${x} ${y}h.1`);
  canvas.replaceChildren(make("path", { class: "grid", d: dots.join("") }), ...edges.map(edge), ...vertices.map(vertex));
  at("what").textContent = WHAT[tool];
  at("undo").disabled = !undone.length;
  at("redo").disabled = !done.length;
}

/** Takes notice that the drawing has changed: a draft of it is kept in the browser. */
function changed() {
  unsent = true;
  keepSetting("draft", JSON.stringify(now()));
}

/** Keeps the drawing as it is, for Undo. */
function remember() {
  undone.push(now());
  undone.splice(0, undone.length - MOST_STEPS);
  done.length = 0;
}

function write() {
  points.value = vertices.map(({ x, y, marks }) => [x, y, ...marks].join(" ")).join("\n");
  lines.value = edges.map((pair) => pair.join(" ")).join("\n");
  changed();
  draw();
}

/** Takes over what the fields hold. */
function read() {
  ({ vertices, edges } = parsed(now()));
  first = null;
  draw();
}

/** Puts another drawing in place of this one. */
function show({ name, ...texts }) {
  [called.value, points.value, lines.value] = [name, texts.points, texts.lines];
  changed();
  read();
}

/** Goes to the last drawing of one list, and keeps this one in the other. */
function step(from, to) {
  if (!from.length) return;
  to.push(now());
  show({ ...from.pop(), name: called.value });
}

/**
 * The place of a pointer on the drawing.
 * @param {number} unit its coordinates are rounded to multiples of it
 * @returns {[number, number]}
 */
function place(event, unit = 1) {
  const box = canvas.getBoundingClientRect();
  const clamp = (value, most) => Math.round(Math.min(Math.max(value, 0), most) / unit) * unit;
  return [clamp(((event.clientX - box.left) / box.width) * 1000, 1000), clamp(((event.clientY - box.top) / box.height) * 700, 700)];
}

function unit() { return snaps ? GRID : 1; }

function under([x, y]) { return vertices.findIndex((each) => Math.hypot(each.x - x, each.y - y) < NEAR); }

function areJoined(a, b) { return edges.some((pair) => pair.includes(a) && pair.includes(b)); }

function join(a, b) {
  edges = areJoined(a, b) ? edges.filter((pair) => !(pair.includes(a) && pair.includes(b))) : [...edges, [a, b]];
}

function remove(number) {
  vertices.splice(number, 1);
  edges = edges.filter((pair) => !pair.includes(number)).map((pair) => pair.map((end) => (end > number ? end - 1 : end)));
}

/** Puts a vertex on a place that has none; returns its number, or that of the vertex there. */
function vertexAt(point, number) {
  return number >= 0 ? number : vertices.push({ x: point[0], y: point[1], marks: new Set() }) - 1;
}

function click(point, number) {
  remember();
  if (tool === "delete") { if (number >= 0) remove(number); }
  else if (tool === "mark") {
    const name = at("mark").value.trim().replace(/[\s,]+/g, "-");
    if (number >= 0 && name && !vertices[number].marks.delete(name)) vertices[number].marks.add(name);
  } else if (tool === "chain") {
    const next = vertexAt(point, number);
    if (first !== null && first !== next && !areJoined(first, next)) join(first, next);
    first = first === next ? null : next;
  } else if (number < 0) {
    const next = vertexAt(point, number);
    if (first !== null) join(first, next);
    first = null;
  } else if (first === null) first = number;
  else { if (first !== number) join(first, number); first = null; }
  const before = undone[undone.length - 1];
  write();
  if (before.points === points.value && before.lines === lines.value) undone.pop(); // it has changed nothing
  draw();
}

canvas.addEventListener("pointerdown", (event) => {
  held = { number: under(place(event)), moved: false };
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (!held || held.number < 0 || (tool !== "draw" && tool !== "chain")) return;
  const [x, y] = place(event, unit());
  const vertex = vertices[held.number];
  if (!held.moved && Math.hypot(vertex.x - x, vertex.y - y) < 8) return;
  if (!held.moved) remember();
  held.moved = true;
  Object.assign(vertex, { x, y });
  write();
});
canvas.addEventListener("pointerup", (event) => {
  if (held && !held.moved) click(place(event, unit()), held.number);
  held = null;
});

let typed = null; // the drawing before somebody types
for (const each of [points, lines]) {
  each.addEventListener("focus", () => { typed = now(); });
  each.addEventListener("change", () => {
    if (typed) undone.push(typed);
    typed = now();
    changed();
    read();
  });
}
called.addEventListener("change", changed);

/** @param {string} wanted one of the tools */
function choose(wanted) {
  first = null;
  tool = wanted;
  for (const button of all("[data-do]")) button.setAttribute("aria-pressed", String(button.dataset.do === wanted));
  draw();
}

for (const button of all("[data-do]")) button.addEventListener("click", () => choose(button.dataset.do));
for (const button of all("[data-mark]")) {
  button.addEventListener("click", () => { at("mark").value = button.dataset.mark; choose("mark"); });
}
at("grid").addEventListener("click", () => {
  snaps = !snaps;
  at("grid").setAttribute("aria-pressed", String(snaps));
  draw();
});
at("clear").addEventListener("click", () => { remember(); show({ name: called.value, points: "", lines: "" }); });
at("undo").addEventListener("click", () => step(undone, done));
at("redo").addEventListener("click", () => step(done, undone));
document.addEventListener("keydown", (event) => {
  const types = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  if (event.key === "Escape") { first = null; draw(); }
  if (types || !(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  const again = key === "y" || (key === "z" && event.shiftKey);
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (again) step(done, undone); else step(undone, done);
});

for (const drawing of drawings()) {
  const button = element("button", { type: "button" }, drawing.name);
  button.addEventListener("click", () => { remember(); show(drawing); });
  at("drawings").append(button);
  at("drawings").hidden = false;
}

/** The drawing that was not finished in this browser; null without one. */
function draft() {
  try {
    const kept = JSON.parse(setting("draft", "null"));
    return kept?.points ? kept : null;
  } catch { return null; }
}

/** Offers the draft, if another drawing stands here. */
function offerDraft() {
  const kept = draft();
  if (!kept || (kept.points === points.value && kept.lines === lines.value)) return;
  const button = element("button", { type: "button" }, "Continue it");
  button.addEventListener("click", () => { remember(); show(kept); at("draft").hidden = true; });
  at("draft").replaceChildren(`An unfinished drawing of ${parsed(kept).vertices.length} vertices is kept in this browser. `, button);
  at("draft").hidden = false;
}

/**
 * Shows a sentence on what is wrong with the board, or the page of the board.
 * @param {{url?: string, error?: string}} answer
 */
function conclude({ url, error }) {
  if (url) {
    unsent = false;
    location.assign(url);
    return;
  }
  complaint.textContent = error;
  complaint.hidden = false;
}

at("play").addEventListener("click", async () => {
  read();
  const drawing = { ...now(), name: called.value.trim() || called.placeholder };
  const answer = await sendDrawing(drawing);
  if (answer.url) {
    keepDrawing(drawing);
    keepSetting("draft", "null");
  }
  conclude(answer);
});
at("file").addEventListener("change", async () => {
  const [file] = at("file").files;
  if (file) conclude(await sendBoard(file, `?${new URLSearchParams({ name: file.name, called: called.value })}`));
});
addEventListener("beforeunload", (event) => { if (unsent && vertices.length) event.preventDefault(); });
addEventListener("pageshow", () => { // here a browser has put back what the fields held before
  const [navigation] = performance.getEntriesByType("navigation");
  const [last] = drawings();
  if (!points.value && last && /** @type {PerformanceNavigationTiming} */ (navigation)?.type === "back_forward" && !draft()) {
    [called.value, points.value, lines.value] = [last.name, last.points, last.lines];
  }
  read();
  offerDraft();
});
read();
