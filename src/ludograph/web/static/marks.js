// What is marked on a board: what can be chosen, what is chosen already, where the pointer and the cursor are.

import { make } from "./cells.js";
import { clamp } from "./drawing.js";
import { Gaze } from "./gaze.js";

const SEEN = 10; // pixels, the radius of a small place at least

export class Marks extends Gaze {
  constructor(element) {
    super(element);
    this.over = null; // what the pointer is on: a cell, or a part of a move beside the cells
    this.keyed = false; // whether keys were used last: then the cursor is drawn
    this.hinted = null; // the parts of a move that is advised
    this.sent = null; // the parts of the move that was sent and is not answered yet
  }

  show(picture, options) {
    this.sent = null;
    super.show(picture, options);
    this.drawMarks();
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
      const offered = chooser.spots();
      for (const { number, part } of offered) {
        const small = chooser.parts_.length > 0;
        if (chooser.parts_.includes(number)) continue; // what was put there is drawn
        const spot = make("path", { class: `spot${small ? " small" : ""}${this.over?.part === number ? " over" : ""}`, d: part.at });
        if (small) {
          const [[x, y], [cx, cy]] = [chooser.corners(part)[0], part.center];
          const own = Math.hypot(x - cx, y - cy);
          const apart = Math.min(...offered.filter((each) => each.part !== part).map((each) => Math.hypot(each.part.center[0] - cx, each.part.center[1] - cy)));
          const larger = Math.min(clamp((SEEN * this.unit()) / own, 1, 1.7), (0.48 * apart) / own); // they never overlap
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
    this.svg.classList.toggle("near", Boolean(chooser.chosenPlace()));
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
    /** @type {[string, string[]][]} */
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
}
