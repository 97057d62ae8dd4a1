// The board editor: vertices where a person clicks, edges between them, named sets of vertices.

import { drawings, keepDrawing, parsed, sendBoard, sendDrawing } from "./drawings.js";
import { all, at, element, make } from "./page.js";
import { ask } from "./requests.js";
import { capital } from "./sentences.js";
import { keepSetting, keptData } from "./settings.js";

const NEAR = 26;
const GRID = 50; // from one point of the grid to the next
const MOST_STEPS = 200; // that can be undone
const [WIDE, HIGH] = [1000, 700]; // the canvas
const EXAMPLE = { // a small town
  name: "",
  points: "200 150\n400 120\n620 170\n800 130\n180 350\n400 330\n600 360\n820 340\n300 540\n520 560\n740 530",
  lines: "0 1\n1 2\n2 3\n4 5\n5 6\n6 7\n8 9\n9 10\n0 4\n1 5\n2 6\n3 7\n4 8\n5 8\n5 9\n6 9\n6 10\n7 10",
};
const WHAT = {
  draw: "Click on a free place to add a vertex. Click one vertex and then another to draw the edge between them, or to delete it. Drag a vertex to move it.",
  chain: "Click one place or vertex after the other: an edge leads to each from the one before. Click the last one again, or press Esc, to end the chain.",
  mark: "Click a vertex to give it the mark, or to take the mark away.",
  delete: "Click a vertex to delete it with its edges.",
};
const [canvas, called, points, lines, complaint] = ["canvas", "called", "points", "lines", "complaint"].map(at);

/**
 * What is drawn follows from it, and from the drawing itself, which is what the fields hold.
 * @typedef {object} EditorState
 * @property {number | null} first the vertex from which an edge begins
 * @property {{number: number, moved: boolean} | null} held the vertex that a pointer holds
 * @property {string} tool
 * @property {boolean} snaps to the grid
 * @property {boolean} unsent whether the drawing has changed since it was opened or sent
 * @property {import("./drawings.js").Drawing[]} undone earlier drawings, the nearest one last
 * @property {import("./drawings.js").Drawing[]} done later drawings, the nearest one last
 */

/** @type {EditorState} */
const state = { first: null, held: null, tool: "draw", snaps: false, unsent: false, undone: [], done: [] };

/** The drawing as texts. */
function now() { return { name: called.value, points: points.value, lines: lines.value }; }

function render() {
  const { done, first, snaps, tool, undone } = state;
  const { vertices, edges } = parsed(now());
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
  for (let x = GRID; snaps && x < WIDE; x += GRID) for (let y = GRID; y < HIGH; y += GRID) dots.push(`M${x} ${y}h.1`);
  canvas.replaceChildren(make("path", { class: "grid", d: dots.join("") }), ...edges.map(edge), ...vertices.map(vertex));
  at("what").textContent = WHAT[tool];
  at("undo").disabled = !undone.length;
  at("redo").disabled = !done.length;
  at("grid").setAttribute("aria-pressed", String(snaps));
  for (const button of all("[data-do]")) button.setAttribute("aria-pressed", String(button.dataset.do === tool));
}

/** Keeps a drawing as it was, for Undo. */
function remember(drawing = now()) {
  state.undone = [...state.undone, drawing].slice(-MOST_STEPS);
  state.done = [];
}

/** Takes notice that the drawing has changed: a draft of it is kept in the browser. */
function changed() {
  state.unsent = true;
  keepSetting("draft", JSON.stringify(now()));
  render();
}

/** Writes vertices and edges into the fields. */
function write({ vertices, edges }) {
  points.value = vertices.map(({ x, y, marks }) => [x, y, ...marks].join(" ")).join("\n");
  lines.value = edges.map((pair) => pair.join(" ")).join("\n");
  changed();
}

/** Writes a drawing into the fields. */
function fill(drawing) { [called.value, points.value, lines.value] = [drawing.name, drawing.points, drawing.lines]; }

/** Puts another drawing in place of this one. */
function show(drawing) {
  fill(drawing);
  state.first = null;
  changed();
}

/** Puts another drawing in place of this one, which Undo brings back. */
function replace(drawing) {
  remember();
  show(drawing);
}

/** Goes to the last drawing of one list, and keeps this one in the other. */
function step(from, to) {
  if (!from.length) return;
  to.push(now());
  show({ ...from.pop(), name: called.value });
}

/** The place of a pointer on the drawing, rounded to the grid or to units. @returns {[number, number]} */
function place(event, unit) {
  const box = canvas.getBoundingClientRect();
  const within = (share, most) => Math.round(Math.min(Math.max(share * most, 0), most) / unit) * unit;
  return [within((event.clientX - box.left) / box.width, WIDE), within((event.clientY - box.top) / box.height, HIGH)];
}

function under(event) {
  const [x, y] = place(event, 1);
  return parsed(now()).vertices.findIndex((each) => Math.hypot(each.x - x, each.y - y) < NEAR);
}

/** Does what the tool does with a place, or with the vertex there, whose number is not negative. */
function click([x, y], number) {
  const drawing = parsed(now());
  const { vertices, edges } = drawing;
  const { first, tool } = state;
  const isEdge = (a, b) => (pair) => pair.includes(a) && pair.includes(b);
  const join = (a, b) => { drawing.edges = edges.some(isEdge(a, b)) ? edges.filter((pair) => !isEdge(a, b)(pair)) : [...edges, [a, b]]; };
  const vertexThere = () => (number >= 0 ? number : vertices.push({ x, y, marks: new Set() }) - 1);
  if (tool === "delete") {
    if (number < 0) return;
    vertices.splice(number, 1);
    drawing.edges = edges.filter((pair) => !pair.includes(number)).map((pair) => pair.map((end) => (end > number ? end - 1 : end)));
  } else if (tool === "mark") {
    const name = at("mark").value.trim().replace(/[\s,]+/g, "-");
    if (number < 0 || !name) return;
    if (!vertices[number].marks.delete(name)) vertices[number].marks.add(name);
  } else if (tool === "chain") {
    const next = vertexThere();
    if (first !== null && first !== next && !edges.some(isEdge(first, next))) join(first, next);
    state.first = first === next ? null : next;
  } else if (number >= 0 && first === null) {
    state.first = number;
  } else {
    const next = vertexThere();
    if (first !== null && first !== next) join(first, next);
    state.first = null;
  }
  const before = now();
  write(drawing);
  if (before.points !== points.value || before.lines !== lines.value) remember(before);
  render();
}

/** @param {string} tool */
function choose(tool) {
  Object.assign(state, { tool, first: null });
  render();
}

/**
 * Shows a sentence on what is wrong with the board, or the page of the board.
 * @param {{url?: string, error?: string}} answer
 */
function conclude({ url, error }) {
  if (url) {
    state.unsent = false;
    location.assign(url);
    return;
  }
  complaint.textContent = error;
  complaint.hidden = false;
}

function events() {
  canvas.addEventListener("pointerdown", (event) => {
    state.held = { number: under(event), moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const { held, snaps, tool } = state;
    if (!held || held.number < 0 || (tool !== "draw" && tool !== "chain")) return;
    const [x, y] = place(event, snaps ? GRID : 1);
    const drawing = parsed(now());
    const vertex = drawing.vertices[held.number];
    if (!held.moved && Math.hypot(vertex.x - x, vertex.y - y) < 8) return;
    if (!held.moved) remember();
    held.moved = true;
    Object.assign(vertex, { x, y });
    write(drawing);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (state.held && !state.held.moved) click(place(event, state.snaps ? GRID : 1), state.held.number);
    state.held = null;
  });
  let typed = null; // the drawing before somebody types
  for (const each of [points, lines]) {
    each.addEventListener("focus", () => { typed = now(); });
    each.addEventListener("change", () => {
      if (typed) state.undone.push(typed);
      typed = now();
      state.first = null;
      changed();
    });
  }
  called.addEventListener("change", changed);
  for (const button of all("[data-do]")) button.addEventListener("click", () => choose(button.dataset.do));
  for (const button of all("[data-mark]")) {
    button.addEventListener("click", () => { at("mark").value = button.dataset.mark; choose("mark"); });
  }
  at("grid").addEventListener("click", () => { state.snaps = !state.snaps; render(); });
  at("clear").addEventListener("click", () => replace({ name: called.value, points: "", lines: "" }));
  at("undo").addEventListener("click", () => step(state.undone, state.done));
  at("redo").addEventListener("click", () => step(state.done, state.undone));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { state.first = null; render(); }
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || !["y", "z"].includes(key) || document.activeElement?.matches("input, textarea, select")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) step(state.done, state.undone); else step(state.undone, state.done);
  });
  at("pattern").addEventListener("submit", async (event) => {
    event.preventDefault();
    const drawn = await ask(`/boards/pattern?${new URLSearchParams(/** @type {any} */ (new FormData(at("pattern"))))}`);
    complaint.hidden = !drawn.error;
    complaint.textContent = capital(drawn.error ?? "");
    if (!drawn.error) replace({ ...drawn, name: called.value });
  });
  at("play").addEventListener("click", async () => {
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
  addEventListener("beforeunload", (event) => { if (state.unsent && points.value.trim()) event.preventDefault(); });
  addEventListener("pageshow", () => { // here a browser has put back what the fields held before
    const [navigation] = performance.getEntriesByType("navigation");
    const isBack = /** @type {PerformanceNavigationTiming} */ (navigation)?.type === "back_forward";
    const draft = keptData("draft", null);
    const kept = draft?.points ? draft : isBack ? drawings()[0] : null;
    if (points.value && kept) state.undone = [kept]; // another board stands here
    if (!points.value) fill(kept ?? EXAMPLE);
    render();
  });
}

for (const drawing of drawings()) {
  const button = element("button", { type: "button" }, drawing.name);
  button.addEventListener("click", () => replace(drawing));
  at("drawings").append(button);
  at("drawings").hidden = false;
}
events();
render();
