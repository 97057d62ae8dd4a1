// The board: a picture comes in, clicks and keys go out. It knows no game.
//
// A picture is what `ludograph.web.encoding` makes of a scene, and what can be chosen is what
// `ludograph.web.choosing` tells.

import { make } from "./cells.js";
import { Chooser } from "./chooser.js";
import { EMPTY, clamp } from "./drawing.js";
import { View } from "./view.js";

const FINGER = 22; // pixels around the middle of a small place that are meant for it
const SEEN = 10; // pixels, its radius at least

export class Board extends View {
  /**
   * @param element where it is drawn
   * @param on `move(code)`, `why(cells)` for a cell that cannot be chosen, `told(text)` for what the
   *   cursor is on, `choices(list, chosen)` for what is chosen by buttons after so many parts,
   *   `idle()` for a click out of turn
   */
  constructor(element, on = {}) {
    super(element);
    this.on = on;
    this.chooser = new Chooser(null);
    this.cursor = null;
    this.over = null;
    this.svg.board = this; // for whoever looks from outside
    this.listen(element);
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

  /** Points at cells, as a hint does; at none if null. */
  mark(cells) {
    this.hinted = cells?.length ? [{ cells }] : null;
    this.drawMarks();
  }

  changed() {
    this.drawMarks();
    this.on.choices?.(this.chooser.buttons(), this.chooser.stage(), this.chooser.ways().length > 1);
  }

  /** Chooses what is at a place: a cell by its number, a spot by the number of its part. */
  choose(node) {
    if (!this.chooser.asks || node === null) return;
    const { move, refused } = node.part === undefined ? this.chooser.cell(node.cell) : this.chooser.part(node.part);
    if (!refused) { this.hinted = null; this.on.accepted?.(); }
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
    this.on.accepted?.();
    if (button.move !== undefined) this.after(button.move);
    else if (button.kind === "turn") { this.chooser.turn(); this.changed(); }
    else if (button.kind === "add") { this.chooser.add(button.part); this.changed(); }
    else { this.chooser.back(); this.changed(); }
  }

  drawMarks() {
    this.drawTargets();
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
        if (chooser.parts_.includes(number)) continue; // what was put there is drawn
        const spot = make("path", { class: `spot${small ? " small" : ""}${this.over?.part === number ? " over" : ""}`, d: part.at });
        if (small) {
          const [[x, y], [cx, cy]] = [chooser.corners(part)[0], part.center];
          const larger = clamp((SEEN * this.unit()) / Math.hypot(x - cx, y - cy), 1, 1.7);
          spot.setAttribute("transform", `translate(${cx} ${cy}) scale(${larger}) translate(${-cx} ${-cy})`);
        }
        marks.push(spot);
      }
      if (this.over?.cell !== undefined && chooser.asks) {
        const cells = chooser.alike(this.over.cell);
        const held = cells.length === 1 && (this.picture.pieces ?? []).some(([, x, y]) => `${x}:${y}` === this.cells.center(cells[0]).join(":"));
        if (cells.length) marks.push(outline(cells, held ? "glow held" : "glow"));
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
    const can = this.over && chooser.asks && (this.over.part !== undefined || chooser.targets().has(this.over.cell));
    const pointer = can ? "pointer" : this.zoom > 1 ? "grab" : "default";
    if (this.svg.style.cursor !== pointer) this.svg.style.cursor = pointer; // all that is drawn inherits it
  }

  /** Marks what can be chosen; again only if that, or the picture, is another one. */
  drawTargets() {
    const state = [this.chooser, this.chooser.parts_.join(), this.picture];
    if (this.targetsOf?.every((each, place) => each === state[place])) return;
    this.targetsOf = state;
    const targets = this.picture ? this.markedTargets() : [];
    const full = new Set((this.picture?.pieces ?? []).map(([, x, y]) => `${x}:${y}`));
    const isHeld = (cell) => full.has(this.cells.center(cell).join(":")); // a dot would hide what lies there
    const held = targets.filter(isHeld);
    const dots = targets.filter((cell) => !isHeld(cell)).map((cell) => {
      const [x, y] = this.cells.center(cell);
      const r = Math.max(14, Math.round(0.24 * (this.cells.radii[cell] || 80)));
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    });
    const drawn = [["able", held.map((cell) => this.cells.path(cell))], ["dots", dots]];
    this.targetsLayer.replaceChildren(...drawn.filter(([, paths]) => paths.length).map(([name, paths]) => make("path", { class: name, d: paths.join("") })));
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

  // Pointer -----------------------------------------------------------------------------------

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
        if (node?.cell === this.over?.cell && node?.part === this.over?.part) return;
        this.over = node;
        this.drawMarks();
        if (node?.part !== undefined && this.chooser.parts_.length) this.on.told?.(this.chooser.describe(node, this.picture));
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
        this.view({ moving: true });
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
    element.addEventListener("wheel", (event) => {
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

  /** What is under the pointer: a place beside the cells first, as it is drawn over them. */
  under(event) {
    const [x, y] = this.toBoard(event.clientX, event.clientY);
    const spot = this.chooser.spotNear(x, y, FINGER * this.unit()) ?? this.chooser.spotAt(x, y);
    if (spot !== null) return { part: spot, center: this.chooser.center(spot) };
    const cell = this.picture?.fills ? this.cells.at(x, y) : -1;
    return cell >= 0 ? { cell, center: this.cells.center(cell) } : null;
  }
}
