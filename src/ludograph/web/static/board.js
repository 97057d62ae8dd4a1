// The board: a picture comes in, clicks and keys go out. It knows no game.
//
// A picture is what `ludograph.web.encoding` makes of a scene, and what can be chosen is what
// `ludograph.web.choosing` tells.

import { Chooser } from "./chooser.js";
import { EMPTY } from "./drawing.js";
import { Marks } from "./marks.js";
import { all } from "./panel.js";

/**
 * A button by which a part of a move, or all of it, is chosen.
 * @typedef {{kind: "move" | "play" | "turn" | "back" | "add", text: string, move?: number, part?: number, chosen?: boolean}} MoveButton
 */

/**
 * What a board calls; a page leaves out what it does not need.
 * @typedef {object} BoardEvents
 * @property {(code: number) => void} [move]
 * @property {(cells: number[]) => void} [why]
 * @property {(point: number[]) => void} [where]
 * @property {(text: string) => void} [told]
 * @property {(text: string) => void} [region]
 * @property {(list: MoveButton[], chosen: number, turns: boolean) => void} [choices]
 * @property {() => void} [accepted]
 * @property {() => void} [idle]
 */

const FINGER = 22; // pixels around the middle of a small place that are meant for it

export class Board extends Marks {
  /**
   * @param {HTMLElement} element where it is drawn
   * @param {BoardEvents} on `move(code)`, `why(cells)` for a cell that cannot be chosen, `where(point)` for a point
   *   where nothing is, `told(text)` for what the cursor is on, `region(text)` for what is asked about,
   *   empty once that is over, `choices(list, chosen)` for what is chosen by buttons after so many parts,
   *   `idle()` for a click out of turn
   */
  constructor(element, on) {
    super(element);
    this.on = on;
    Object.assign(this.svg, { board: this }); // for whoever looks from outside
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
    if (choices) this.attend({ anew: true });
    this.changed();
  }

  /** Shows a move among those that can be chosen, without choosing it. */
  hint(code) {
    this.chooser.clear(); // what is half chosen would lie there beside what is advised
    this.changed();
    this.hinted = this.chooser.partsOf(code);
    this.drawMarks();
  }

  /** Takes back what is chosen of a move; returns whether there was anything. */
  back() {
    if (!this.chooser.stage()) return false;
    this.chooser.clear();
    this.changed();
    return true;
  }

  /** Points at cells, as a hint does; at none if null. */
  mark(cells) {
    this.hinted = cells?.length ? [{ cells }] : null;
    this.drawMarks();
  }

  changed() {
    this.attend();
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

  nearest(nodes, [x, y]) {
    const away = (node) => Math.hypot(node.center[0] - x, node.center[1] - y);
    return nodes.length ? nodes.reduce((best, node) => (away(node) < away(best) ? node : best)) : null;
  }

  /**
   * Moves the cursor to the next place in a direction.
   * @param {number} right
   * @param {number} down
   */
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
    if (key in steps && this.chooser.asks) this.step(steps[key][0], steps[key][1]);
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
    else if (key === "s") this.toggle("signs");
    else if (key === "w") this.askNext();
    else return;
    event.preventDefault();
  }

  /** Asks about a region, or about none. */
  askAbout(region) {
    if (region === this.asked) return;
    this.asked = region;
    this.drawRegions();
    this.on.region?.(region ? `${region.text}.` : "");
  }

  /** Asks about what somebody holds, one after the other. */
  askNext() {
    const { held } = this.regions;
    this.askAbout(held[(held.indexOf(this.asked) + 1) % held.length] ?? null);
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
        if (event.pointerType === "mouse") this.askAbout(node ? null : this.regions.at(...this.toBoard(event.clientX, event.clientY)));
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
    svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.askAbout(null); if (this.over) { this.over = null; this.drawMarks(); } });
    svg.addEventListener("click", (event) => {
      if (moved) return;
      const node = this.under(event);
      if (node) this.cursor = node;
      const region = node || this.chooser.parts_.length ? null : this.regions.at(...this.toBoard(event.clientX, event.clientY));
      this.askAbout(region);
      if (region) return;
      if (!this.chooser.asks) { this.on.idle?.(); return; }
      if (node) this.choose(node);
      else if (this.chooser.parts_.length) { this.chooser.back(); this.changed(); }
      else this.on.where?.(this.toBoard(event.clientX, event.clientY).map(Math.round));
    });
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scale(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), this.toBoard(event.clientX, event.clientY));
    }, { passive: false });
    new ResizeObserver(() => this.view()).observe(element);
    for (const button of all("[data-tool]", element.parentElement)) {
      const name = button.dataset.tool;
      if (["signs", "holders"].includes(name)) this.switches[name] = button;
      const tools = { in: () => this.scale(1.4), out: () => this.scale(1 / 1.4), fit: () => this.whole() };
      button.addEventListener("click", tools[name] ?? (() => this.toggle(name)));
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
