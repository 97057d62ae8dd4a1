// The board: a picture comes in, clicks and keys go out. It knows no game.
//
// A picture is what `ludograph.web.encoding` makes of a scene: cells with fills, zones, strokes,
// labels and pieces, or sketches in their place. Cells of one color are one path, so that a board of
// ten thousand stays fluid; where the pointer is, is found by a grid of places.

import { Chooser } from "./chooser.js";

const SVG = "http://www.w3.org/2000/svg";
const EMPTY = -1;
const MARGIN = 60;
const FEWEST = 5; // cells across, at least: one lone cell need not fill the page
const SIDE = 200;
const SIGNS = 3000; // more cells bear no signs
const MOST_ZOOM = 40;
const LARGE = 1500; // cells, from which on seams are drawn only where cells are large enough to need them
const BLOCK = 12; // cells
const SEAM_FROM = 9; // pixels

function make(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

/** Where the cells are: their outlines, their centers, and which one is under a point. */
class Cells {
  constructor(board) {
    Object.assign(this, board);
    this.size = board.cells;
    this.paths = new Array(this.size);
    this.grid = new Map();
    for (let cell = 0; cell < this.size; cell++) {
      const [left, top, right, bottom] = this.box(cell);
      for (let x = Math.floor(left / SIDE); x <= Math.floor(right / SIDE); x++) {
        for (let y = Math.floor(top / SIDE); y <= Math.floor(bottom / SIDE); y++) {
          const key = x * 65536 + y;
          if (!this.grid.has(key)) this.grid.set(key, []);
          this.grid.get(key).push(cell);
        }
      }
    }
  }

  box(cell) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 2 * this.offsets[cell]; i < 2 * this.offsets[cell + 1]; i += 2) {
      left = Math.min(left, this.points[i]); right = Math.max(right, this.points[i]);
      top = Math.min(top, this.points[i + 1]); bottom = Math.max(bottom, this.points[i + 1]);
    }
    return [left, top, right, bottom];
  }

  center(cell) { return [this.centers[2 * cell], this.centers[2 * cell + 1]]; }

  path(cell) {
    let path = this.paths[cell];
    if (path === undefined) {
      const corners = [];
      for (let i = this.offsets[cell]; i < this.offsets[cell + 1]; i++) {
        corners.push(`${this.points[2 * i]} ${this.points[2 * i + 1]}`);
      }
      path = this.paths[cell] = corners.length ? `M${corners.join("L")}Z` : "";
    }
    return path;
  }

  at(x, y) {
    for (const cell of this.grid.get(Math.floor(x / SIDE) * 65536 + Math.floor(y / SIDE)) ?? []) {
      let inside = false;
      const [first, last] = [this.offsets[cell], this.offsets[cell + 1]];
      for (let i = first, j = last - 1; i < last; j = i++) {
        const [xi, yi, xj, yj] = [this.points[2 * i], this.points[2 * i + 1], this.points[2 * j], this.points[2 * j + 1]];
        if ((yi > y) !== (yj > y) && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
      }
      if (inside) return cell;
    }
    return -1;
  }
}

export class Board {
  /**
   * @param element where it is drawn
   * @param on `move(code)`, `why(cells)` for a cell that cannot be chosen, `told(text)` for what the
   *   cursor is on, `choices(list)` for what is chosen by buttons
   */
  constructor(element, on = {}) {
    this.on = on;
    this.cells = new Cells({ cells: 0, offsets: [0], points: [], centers: [] });
    this.picture = null;
    this.chooser = new Chooser(null);
    this.shapes = [];
    this.interned = new Map();
    this.drawn = new Map();
    this.cursor = null;
    this.over = null;
    this.zoom = 1;
    this.middle = [0, 0];
    this.signs = remembered("signs") === "yes";
    this.svg = make("svg", { tabindex: 0, role: "application", "aria-roledescription": "board", "aria-label": "The board" });
    this.svg.board = this; // for whoever looks from outside
    for (const layer of ["links", "cells", "old", "zones", "below", "pieces", "strokes", "labels", "marks", "ticks"]) {
      this[`${layer}Layer`] = make("g", { class: layer }, this.svg);
    }
    element.replaceChildren(this.svg);
    this.listen(element);
  }

  // What is drawn -----------------------------------------------------------------------------

  setBoard(board) {
    this.cells = new Cells(board.cells ? board : { cells: 0, offsets: [0], points: [], centers: [] });
    this.picture = null;
    this.room = null;
    this.zoom = 1;
    this.drawn.clear();
    this.piecesLayer.replaceChildren();
  }

  /** Takes shapes from the number `first` on. */
  addShapes(first, shapes) {
    shapes.forEach((shape, place) => { this.shapes[first + place] = this.intern(shape); });
  }

  intern(shape) {
    const text = JSON.stringify(shape);
    if (!this.interned.has(text)) this.interned.set(text, { shape, id: this.interned.size });
    return this.interned.get(text);
  }

  /** Draws a picture; `way` are the cells over which the last move went. */
  show(picture, { shapes = this.shapes, way = [], still = false } = {}) {
    const before = this.picture;
    this.picture = picture;
    this.sent = null;
    const [left, top, right, bottom] = picture.bounds; // large cells get no fat lines
    this.fat = clamp(Math.max(right - left, bottom - top) / (14 * SIDE), 0.2, 1);
    if (picture.sketches) {
      this.drawPieces(picture.sketches, shapes, [], still || !before);
    } else {
      this.drawCells(picture, still ? null : before);
      this.drawZones(picture);
      this.drawStrokes(picture);
      this.drawPieces(picture.pieces, shapes, way, still || !before);
      this.drawLabels(picture);
    }
    this.drawTicks(picture);
    this.fit();
    this.drawMarks();
  }

  drawCells(picture, before) {
    this.large = this.cells.size > LARGE;
    const groups = new Map(); // on a large board those of a block, so that what is out of sight costs nothing
    picture.fills.forEach((fill, cell) => {
      if (fill === EMPTY) return;
      const [x, y] = this.cells.center(cell);
      const block = this.large ? `${fill}:${Math.floor(x / (BLOCK * SIDE))}:${Math.floor(y / (BLOCK * SIDE))}` : fill;
      if (!groups.has(block)) groups.set(block, { fill, paths: [] });
      groups.get(block).paths.push(this.cells.path(cell));
    });
    this.cellsLayer.setAttribute("stroke-width", 13 * this.fat);
    this.cellsLayer.replaceChildren(...[...groups.values()].map(({ fill, paths }) => make("path", {
      fill: picture.palette[fill][1], d: paths.join("") })));
    this.linksLayer.replaceChildren(...picture.links.map((link) => make("path", {
      d: link.d, fill: "none", stroke: link.color, "stroke-width": link.width, "stroke-linecap": "round" })));
    this.oldLayer.replaceChildren();
    if (!before?.fills) return;
    const changed = new Map();
    before.fills.forEach((fill, cell) => {
      if (fill === picture.fills[cell] || fill === EMPTY) return;
      const color = before.palette[fill][1];
      if (!changed.has(color)) changed.set(color, []);
      changed.get(color).push(cell);
    });
    for (const [color, cells] of changed) {
      make("path", { class: "old", fill: color, d: cells.map((cell) => this.cells.path(cell)).join("") }, this.oldLayer);
    }
  }

  drawZones(picture) {
    this.zonesLayer.replaceChildren(...picture.zones.map((zone, place) => {
      const group = make("g", { "clip-path": `url(#zone-${place})`, fill: "none", "stroke-linejoin": "round" });
      make("path", { d: zone.d, "clip-rule": "evenodd" }, make("clipPath", { id: `zone-${place}` }, group));
      const line = { d: zone.d, stroke: zone.casing, "stroke-opacity": 0.75 };
      make("path", { ...line, "stroke-width": 84 * this.fat }, group);
      make("path", { d: zone.d, stroke: zone.color, "stroke-width": 66 * this.fat, "stroke-dasharray": zone.dash.map((each) => each * this.fat).join(" ") || "none" }, group);
      make("path", { ...line, "stroke-width": 15 * this.fat }, group);
      return group;
    }));
  }

  drawStrokes(picture) {
    for (const below of [true, false]) {
      const layer = below ? this.belowLayer : this.strokesLayer;
      layer.replaceChildren(...picture.strokes.filter((stroke) => stroke.below === below).flatMap((stroke) => {
        const points = stroke.cells.map((cell) => this.cells.center(cell));
        if (points.length === 1) {
          const [cx, cy] = points[0];
          const ring = { cx, cy, r: 54 * this.fat, fill: "none" };
          return [make("circle", { ...ring, stroke: stroke.casing, "stroke-width": 38 * this.fat }),
            make("circle", { ...ring, stroke: stroke.color, "stroke-width": 24 * this.fat })];
        }
        const line = { d: `M${points.map((point) => point.join(" ")).join("L")}`, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
        return [make("path", { ...line, stroke: stroke.casing, "stroke-width": 54 * this.fat }),
          make("path", { ...line, stroke: stroke.color, "stroke-width": 34 * this.fat })];
      }));
    }
  }

  drawLabels(picture) {
    const texts = new Map(picture.labels);
    if (this.signs && this.cells.size <= SIGNS) {
      picture.fills.forEach((fill, cell) => {
        if (fill !== EMPTY && !texts.has(cell)) texts.set(cell, picture.palette[fill][2]);
      });
    }
    this.labelsLayer.replaceChildren(...[...texts].map(([cell, text]) => {
      const [x, y] = this.cells.center(cell);
      const radius = this.cells.radii[cell] || 80;
      const size = Math.min(text.length < 2 ? 124 : 100, (0.95 * radius) / Math.hypot(0.3 * text.length, 0.36));
      const fill = picture.fills[cell] === EMPTY ? "currentColor" : picture.palette[picture.fills[cell]][3];
      const label = make("text", { x, y: y + 0.355 * size, "font-size": size.toFixed(0), fill });
      label.textContent = text;
      return label;
    }));
  }

  drawTicks(picture) {
    const [left, top, right, bottom] = picture.bounds;
    const height = 0.026 * Math.max(right - left, bottom - top, FEWEST * SIDE);
    const tick = (x, y, text, anchor) => {
      const element = make("text", { class: "tick", x, y, "font-size": height.toFixed(0), "text-anchor": anchor });
      element.textContent = text;
      return element;
    };
    const sparse = (list) => list.filter((_, place) => place % Math.ceil(list.length / 30) === 0);
    this.ticksLayer.replaceChildren(
      ...sparse(picture.rows).map(([y, text]) => tick(left - 0.5 * height, y + 0.36 * height, text, "end")),
      ...sparse(picture.columns).map(([x, text]) => tick(x, bottom + 1.3 * height, text, "middle")));
  }

  /** Draws pieces, or sketches level by level; what stays is left alone, what is new appears. */
  drawPieces(pieces, shapes, way, still) {
    const wanted = new Map();
    for (const [number, x, y, level] of pieces) {
      const found = shapes[number];
      wanted.set(`${found.id}:${x}:${y}:${level}`, { found, x, y, level });
    }
    for (const [key, element] of this.drawn) {
      if (!wanted.has(key)) { element.remove(); this.drawn.delete(key); }
    }
    const [from, to] = [way[0], way[way.length - 1]];
    for (const [key, { found, x, y, level }] of wanted) {
      if (this.drawn.has(key)) continue;
      const group = this.drawSketch(found.shape, x, y);
      this.level(level).append(group);
      this.drawn.set(key, group);
      if (still || !allowsMotion()) continue;
      const inner = group.firstChild;
      const target = way.length && this.cells.size ? this.cells.center(to) : null;
      if (way.length > 1 && target && target[0] === x && target[1] === y) {
        const start = this.cells.center(from);
        inner.animate([{ transform: `translate(${start[0] - x}px, ${start[1] - y}px)` }, { transform: "none" }],
          { duration: 260, easing: "ease-in-out" });
      } else {
        inner.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200 });
      }
    }
  }

  level(level) {
    for (let have = this.piecesLayer.childElementCount; have <= level; have++) make("g", {}, this.piecesLayer);
    return this.piecesLayer.children[level];
  }

  drawSketch(shape, x, y) {
    const group = make("g", { transform: `translate(${x} ${y})`, "stroke-linecap": "round", "stroke-linejoin": "round" });
    const inner = make("g", {}, group);
    for (const each of shape) {
      make("path", { d: each.d, fill: each.fill ?? "none", ...(each.line
        ? { stroke: each.line, "stroke-width": each.width, ...(each.blunt ? { "stroke-linecap": "butt" } : {}) } : {}) }, inner);
    }
    return group;
  }

  // What can be chosen ------------------------------------------------------------------------

  /** Lets a move be chosen among those that `ludograph.web.choosing` has told; none if null. */
  ask(choices) {
    this.chooser = new Chooser(choices);
    this.hinted = null;
    this.sent = null;
    if (choices && this.cursor === null) this.cursor = this.nearest(this.nodes(), this.home());
    this.fit();
    this.changed();
  }

  /** Shows a move among those that can be chosen, without choosing it. */
  hint(code) {
    this.hinted = this.chooser.partsOf(code);
    this.drawMarks();
  }

  changed() {
    this.drawMarks();
    this.on.choices?.(this.chooser.buttons());
  }

  /** Chooses what is at a place: a cell by its number, a spot by the number of its part. */
  choose(node) {
    if (!this.chooser.asks || node === null) return;
    const { move, refused } = node.part === undefined ? this.chooser.cell(node.cell) : this.chooser.part(node.part);
    this.after(move);
    if (refused && node.cell !== undefined) this.on.why?.([...this.chooser.cellsChosen(), node.cell]);
  }

  after(move) {
    if (move !== undefined && move !== null) {
      this.sent = this.chooser.partsOf(move);
      this.chooser = new Chooser(null);
      this.hinted = null;
      this.changed();
      this.on.move?.(move);
    } else {
      this.changed();
    }
  }

  press(button) {
    if (button.move !== undefined) this.after(button.move);
    else if (button.kind === "turn") { this.chooser.turn(); this.changed(); }
    else { this.chooser.back(); this.changed(); }
  }

  drawMarks() {
    const marks = [];
    const chooser = this.chooser;
    const outline = (cells, name) => make("path", { class: name, d: cells.map((cell) => this.cells.path(cell)).join("") });
    if (this.picture) {
      const chosen = chooser.cellsChosen();
      if (chosen.length) marks.push(outline(chosen, "chosen"));
      const sent = this.sent?.filter((part) => part.cells?.length === 1).flatMap((part) => part.cells) ?? [];
      if (sent.length) marks.push(outline(sent, "chosen"));
      for (const sketch of [...chooser.sketches(), ...(this.sent ?? []).flatMap((part) => part.pieces ?? [])]) {
        const found = this.shapes[sketch[0]];
        if (found) marks.push(this.drawSketch(found.shape, sketch[1], sketch[2]));
      }
      if (chooser.ways().length) { // where it could lie as well
        for (const { number, part } of chooser.spots({ all: true })) {
          if (!chooser.isChosen(number)) marks.push(make("path", { class: "spot pale", d: part.at }));
        }
      }
      for (const { number, part } of chooser.spots()) {
        const small = chooser.parts_.length > 0;
        marks.push(make("path", { class: `spot${small ? " small" : ""}${this.over?.part === number ? " over" : ""}`, d: part.at }));
      }
      if (this.over?.cell !== undefined && chooser.asks) {
        const cells = chooser.alike(this.over.cell);
        if (cells.length) marks.push(outline(cells, "glow"));
      }
      const targets = this.markedTargets();
      if (targets.length) {
        const dots = make("g", { class: "dots" });
        const full = new Set((this.picture.pieces ?? []).map(([, x, y]) => `${x}:${y}`));
        const held = targets.filter((cell) => full.has(this.cells.center(cell).join(":")) && !this.chooser.parts_.length);
        if (held.length) marks.push(outline(held, "able"));
        for (const cell of targets) {
          if (held.includes(cell)) continue;
          const [cx, cy] = this.cells.center(cell);
          make("circle", { cx, cy, r: Math.max(14, 0.24 * (this.cells.radii[cell] || 80)) }, dots);
        }
        marks.push(dots);
      }
      for (const part of this.hinted ?? []) {
        for (const sketch of part.pieces ?? []) {
          const ghost = this.drawSketch(this.shapes[sketch[0]].shape, sketch[1], sketch[2]);
          ghost.setAttribute("opacity", 0.65);
          marks.push(ghost);
        }
        marks.push(part.at ? make("path", { class: "hint", d: part.at }) : outline(part.cells.length > 60 ? part.cells.slice(0, 4000) : part.cells, "hint"));
      }
      if (this.cursor && this.keyed) {
        const node = this.cursor;
        marks.push(node.part === undefined ? outline([node.cell], "cursor") : make("path", { class: "cursor", d: chooser.at(node.part) }));
      }
    }
    this.marksLayer.replaceChildren(...marks);
    this.svg.setAttribute("class", this.zoom > 1 ? "zoomed" : "");
    const can = this.over && chooser.asks && (this.over.part !== undefined || chooser.targets().has(this.over.cell));
    this.svg.style.cursor = can ? "pointer" : this.zoom > 1 ? "grab" : "default";
  }

  /** The targets, unless the picture tells them: if they are all cells of their colors. */
  markedTargets() {
    const { fills } = this.picture;
    if (!fills || !this.chooser.asks) return [];
    const targets = [...this.chooser.targets()];
    const colors = new Set(targets.map((cell) => fills[cell]));
    const pieces = new Set((this.picture.pieces ?? []).map(([, x, y]) => `${x}:${y}`));
    const bare = (cell) => !pieces.has(this.cells.center(cell).join(":"));
    const some = targets.some((cell) => !bare(cell));
    const alike = fills.reduce((sum, fill, cell) => sum + (colors.has(fill) && (some || bare(cell)) ? 1 : 0), 0);
    return alike > targets.length ? targets : [];
  }

  // Keys --------------------------------------------------------------------------------------

  /** All that the cursor can go to: cells, and places beside them. */
  nodes() {
    const found = [];
    const fills = this.picture?.fills ?? [];
    for (let cell = 0; cell < fills.length; cell++) {
      if (fills[cell] !== EMPTY) found.push({ cell, center: this.cells.center(cell) });
    }
    for (const { number, part } of this.chooser.spots({ own: true })) found.push({ part: number, center: part.center });
    return found;
  }

  targetNodes() {
    const targets = this.chooser.targets();
    return this.nodes().filter((node) => node.part !== undefined || targets.has(node.cell))
      .sort((a, b) => a.center[1] - b.center[1] || a.center[0] - b.center[0]);
  }

  home() {
    const [left, top, right, bottom] = this.picture?.bounds ?? [0, 0, 0, 0];
    return [(left + right) / 2, (top + bottom) / 2];
  }

  nearest(nodes, [x, y]) {
    const away = (node) => Math.hypot(node.center[0] - x, node.center[1] - y);
    return nodes.length ? nodes.reduce((best, node) => (away(node) < away(best) ? node : best)) : null;
  }

  step(right, down) {
    const nodes = this.nodes();
    this.cursor ??= this.nearest(nodes, this.home());
    if (!this.cursor) return;
    const [x, y] = this.cursor.center;
    let best = null;
    let least = Infinity;
    for (const node of nodes) {
      const [dx, dy] = [node.center[0] - x, node.center[1] - y];
      const along = dx * right + dy * down;
      const across = Math.abs(dx * down) + Math.abs(dy * right);
      if (along <= 1 || across > 2 * along) continue;
      const far = along + 1.2 * across;
      if (far < least) { least = far; best = node; }
    }
    if (best) this.cursor = best;
    this.tell();
  }

  jump(step) {
    const targets = this.targetNodes();
    if (!targets.length) return;
    const same = (node) => node.part === this.cursor?.part && node.cell === this.cursor?.cell;
    const place = targets.findIndex(same);
    this.cursor = targets[(place < 0 ? 0 : place + step + targets.length) % targets.length];
    this.tell();
  }

  tell() {
    this.drawMarks();
    this.keepInView();
    this.on.told?.(this.chooser.describe(this.cursor, this.picture));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { key } = event;
    const node = this.cursor;
    this.keyed = true;
    if (key in steps && this.chooser.asks) this.step(...steps[key]);
    else if (key === "n" || key === "PageDown") this.jump(1);
    else if (key === "p" || key === "PageUp") this.jump(-1);
    else if ((key === "Enter" || key === " ") && this.chooser.asks) {
      const confirm = this.chooser.buttons().find((each) => each.kind === "play");
      if (key === "Enter" && confirm && (node?.part === undefined || this.chooser.isChosen(node.part))) this.after(confirm.move);
      else this.choose(node);
      this.follow();
    } else if (key === "r") { this.chooser.turn(); this.changed(); }
    else if (key === "Escape") { this.chooser.back(); this.follow(); this.changed(); }
    else if (key === "+" || key === "=") this.scale(1.3);
    else if (key === "-") this.scale(1 / 1.3);
    else if (key === "0") this.whole();
    else if (key === "s") this.toggleSigns();
    else return;
    event.preventDefault();
  }

  /** Keeps the cursor on something that is there. */
  follow() {
    if (this.cursor?.part !== undefined) {
      this.cursor = this.nearest(this.nodes(), this.cursor.center);
      if (this.cursor) this.tell();
    }
  }

  // Pointer, zoom -----------------------------------------------------------------------------

  listen(element) {
    const { svg } = this;
    const pointers = new Map();
    let moved = false;
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focus", () => { if (svg.matches(":focus-visible")) { this.keyed = true; this.drawMarks(); } });
    svg.addEventListener("blur", () => { this.keyed = false; this.drawMarks(); });
    svg.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      moved = false;
      this.keyed = false;
    });
    svg.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) {
        const node = this.under(event);
        if (node?.cell !== this.over?.cell || node?.part !== this.over?.part) { this.over = node; this.drawMarks(); }
        return;
      }
      const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
      if (!moved && Math.hypot(dx, dy) < 6) return;
      if (!moved) { moved = true; svg.setPointerCapture(event.pointerId); }
      const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      if (others.length) {
        const [other] = others;
        const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
        const after = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
        this.scale(after / Math.max(before, 1), this.toBoard(...other));
      } else if (this.zoom > 1) {
        const unit = this.unit();
        this.middle = [this.middle[0] - dx * unit, this.middle[1] - dy * unit];
        this.view();
      }
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    const end = (event) => { pointers.delete(event.pointerId); };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
    svg.addEventListener("pointerleave", () => { if (this.over) { this.over = null; this.drawMarks(); } });
    svg.addEventListener("click", (event) => {
      if (moved) return;
      const node = this.under(event);
      if (node) this.cursor = node;
      if (!this.chooser.asks) { this.on.idle?.(); return; }
      if (node) this.choose(node);
      else if (this.chooser.parts_.length) { this.chooser.back(); this.changed(); }
      else this.on.why?.([]);
    });
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scale(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), this.toBoard(event.clientX, event.clientY));
    }, { passive: false });
    new ResizeObserver(() => this.view()).observe(element);
    for (const button of element.parentElement.querySelectorAll("[data-tool]")) {
      if (button.dataset.tool === "symbols") { this.signsButton = button; button.setAttribute("aria-pressed", this.signs); }
      button.addEventListener("click", () => ({
        in: () => this.scale(1.4), out: () => this.scale(1 / 1.4), fit: () => this.whole(), symbols: () => this.toggleSigns(),
      })[button.dataset.tool]());
    }
  }

  toggleSigns() {
    this.signs = !this.signs;
    try { localStorage.setItem("signs", this.signs ? "yes" : "no"); } catch { /* not kept, then */ }
    this.signsButton?.setAttribute("aria-pressed", this.signs);
    if (this.picture?.fills) this.drawLabels(this.picture);
  }

  /** What is under the pointer: a place beside the cells first, as it is drawn over them. */
  under(event) {
    const [x, y] = this.toBoard(event.clientX, event.clientY);
    const spot = this.chooser.spotAt(x, y);
    if (spot !== null) return { part: spot, center: this.chooser.center(spot) };
    const cell = this.picture?.fills ? this.cells.at(x, y) : -1;
    return cell >= 0 ? { cell, center: this.cells.center(cell) } : null;
  }

  toBoard(x, y) {
    const matrix = this.svg.getScreenCTM();
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  /** Units of the board per pixel. */
  unit() { return 1 / this.svg.getScreenCTM().a; }

  /** Makes room for all that there is, unless somebody looks at a part of it. */
  fit() {
    if (!this.picture) return;
    let [left, top, right, bottom] = this.picture.bounds;
    for (const { part } of this.chooser.spots({ all: true })) {
      for (const [x, y] of this.chooser.corners(part)) {
        left = Math.min(left, x); right = Math.max(right, x);
        top = Math.min(top, y); bottom = Math.max(bottom, y);
      }
    }
    if (this.picture.sketches) { // what has grown stays as large, so that nothing jumps between two moves
      this.room ??= [left, top, right, bottom];
      [left, top] = [Math.min(left, this.room[0]), Math.min(top, this.room[1])];
      [right, bottom] = [Math.max(right, this.room[2]), Math.max(bottom, this.room[3])];
      this.room = [left, top, right, bottom];
    }
    const tick = 0.026 * Math.max(right - left, bottom - top, FEWEST * SIDE);
    const under = this.picture.columns.length ? 1.6 * tick : 0;
    const widest = Math.max(0, ...this.picture.rows.map(([, text]) => text.length));
    const beside = widest ? (0.6 * widest + 0.5) * tick : 0;
    const wide = Math.max(right - left + beside, FEWEST * SIDE) + 2 * MARGIN;
    const high = Math.max(bottom - top + under, FEWEST * SIDE) + 2 * MARGIN;
    const box = [(left - beside + right) / 2, (top + bottom + under) / 2, wide, high];
    if (String(box) !== String(this.box)) {
      this.box = box;
      this.svg.parentElement.parentElement.style.setProperty("--aspect", Math.max(0.7, wide / high).toFixed(2));
      if (this.zoom === 1) this.middle = [box[0], box[1]];
    }
    this.view();
  }

  view() {
    if (!this.box) return;
    const [x, y, wide, high] = this.box;
    if (this.zoom <= 1) this.middle = [x, y];
    const slack = [Math.max(0, (wide - wide / this.zoom) / 2), Math.max(0, (high - high / this.zoom) / 2)];
    this.middle = [clamp(this.middle[0], x - slack[0], x + slack[0]), clamp(this.middle[1], y - slack[1], y + slack[1])];
    const [w, h] = [wide / this.zoom, high / this.zoom];
    if (this.large) {
      const pixels = (SIDE * this.svg.clientWidth) / w;
      this.cellsLayer.setAttribute("class", pixels < SEAM_FROM ? "cells bare" : "cells");
    }
    this.svg.setAttribute("viewBox", `${this.middle[0] - w / 2} ${this.middle[1] - h / 2} ${w} ${h}`);
  }

  scale(factor, around = this.middle) {
    const zoom = clamp(this.zoom * factor, 1, MOST_ZOOM);
    const share = this.zoom / zoom;
    this.middle = [0, 1].map((axis) => around[axis] + (this.middle[axis] - around[axis]) * share);
    this.zoom = zoom;
    this.svg.setAttribute("class", zoom > 1 ? "zoomed" : "");
    this.view();
  }

  whole() { this.zoom = 1; this.scale(1); }

  keepInView() {
    if (this.zoom <= 1 || !this.cursor) return;
    const [, , wide, high] = this.box;
    const away = [0, 1].map((axis) => Math.abs(this.cursor.center[axis] - this.middle[axis]));
    if (away[0] > (0.45 * wide) / this.zoom || away[1] > (0.45 * high) / this.zoom) {
      this.middle = [...this.cursor.center];
      this.view();
    }
  }
}

function clamp(value, low, high) { return Math.min(Math.max(value, low), high); }

function allowsMotion() { return !matchMedia("(prefers-reduced-motion: reduce)").matches; }

function remembered(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
