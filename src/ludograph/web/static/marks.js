// The marks on a board: what can be chosen, what is chosen already, where the pointer and the cursor are.

import { fullCells } from "./board_state.js";
import { clamp, make } from "./cells.js";
import { drawSketch } from "./picture.js";

const SEEN = 10; // pixels, the radius of a small place at least

/** Draws marks into their layers, above the picture. */
export class Marks {
  /**
   * @param {Record<string, SVGElement>} layers
   * @param {SVGSVGElement} svg
   * @param {import("./board_state.js").BoardState} state
   * @param {import("./camera.js").Camera} camera
   */
  constructor(layers, svg, state, camera) {
    this.layers = layers;
    this.svg = svg;
    this.state = state;
    this.camera = camera;
    this.targetsOf = null; // of what targets were drawn last
  }

  draw() {
    this.drawTargets();
    const marks = [];
    const { input } = this.state;
    const outline = (cells, name) => make("path", { class: name, d: cells.map((cell) => this.state.cells.path(cell)).join("") });
    if (this.state.picture) {
      const chosen = input.cellsChosen();
      for (const cell of chosen) marks.push(outline([cell], this.pieceOn(cell) ? "chosen held" : "chosen"));
      const [from, to] = chosen;
      const moved = to === undefined ? null : this.pieceOn(from);
      if (moved && this.state.shapes[moved[0]]) { // what is picked up is seen where it goes
        const piece = drawSketch(this.state.shapes[moved[0]].shape, ...this.state.cells.center(to));
        piece.classList.add("moved");
        marks.push(piece);
      }
      const sent = this.state.sent?.filter((part) => part.cells?.length === 1).flatMap((part) => part.cells) ?? [];
      if (sent.length) marks.push(outline(sent, "chosen"));
      for (const sketch of [...input.sketches(), ...(this.state.sent ?? []).flatMap((part) => part.pieces ?? [])]) {
        const found = this.state.shapes[sketch[0]];
        if (found) marks.push(drawSketch(found.shape, sketch[1], sketch[2]));
      }
      if (input.ways().length) { // where it could lie as well
        for (const { number, part } of input.spots({ all: true })) {
          if (!input.isChosen(number)) marks.push(make("path", { class: "spot pale", d: part.at }));
        }
      }
      const offered = input.spots();
      for (const { number, part } of offered) {
        const small = input.chosen.length > 0;
        if (input.chosen.includes(number)) continue; // what was put there is drawn
        const spot = make("path", { class: `spot${small ? " small" : ""}${this.state.over?.part === number ? " over" : ""}`, d: part.at });
        if (small) {
          const [[x, y], [cx, cy]] = [input.corners(part)[0], part.center];
          const own = Math.hypot(x - cx, y - cy);
          const apart = Math.min(...offered.filter((each) => each.part !== part).map((each) => Math.hypot(each.part.center[0] - cx, each.part.center[1] - cy)));
          const larger = Math.min(clamp((SEEN * this.camera.unit()) / own, 1, 1.7), (0.48 * apart) / own); // they never overlap
          const transform = `translate(${cx} ${cy}) scale(${larger}) translate(${-cx} ${-cy})`;
          spot.setAttribute("transform", transform);
          marks.push(make("path", { class: "spot-casing", d: part.at, transform }));
        }
        marks.push(spot);
      }
      if (this.state.over?.cell !== undefined && input.asks) {
        const cells = input.alike(this.state.over.cell);
        const held = cells.length === 1 && this.pieceOn(cells[0]);
        if (cells.length) marks.push(outline(cells, held ? "glow held" : "glow"));
      }
      for (const part of this.state.hinted ?? []) {
        for (const sketch of part.pieces ?? []) {
          const ghost = drawSketch(this.state.shapes[sketch[0]].shape, sketch[1], sketch[2]);
          ghost.setAttribute("opacity", 0.65);
          marks.push(ghost);
        }
        const ring = (name) => part.at ? make("path", { class: name, d: part.at }) : outline(part.cells.slice(0, 4000), name);
        marks.push(ring("hint-casing"), ring("hint"));
      }
      if (this.state.cursor && this.state.keyed) {
        const node = this.state.cursor;
        marks.push(node.part === undefined ? outline([node.cell], "cursor") : make("path", { class: "cursor", d: input.at(node.part) }));
      }
    }
    this.layers.marks.replaceChildren(...marks);
    this.svg.classList.toggle("near", Boolean(input.chosenPlace()));
    const can = this.state.over && input.asks && (this.state.over.part !== undefined || input.targets().has(this.state.over.cell));
    const pointer = can ? "pointer" : this.camera.zoom > 1 ? "grab" : "default";
    if (this.svg.style.cursor !== pointer) this.svg.style.cursor = pointer; // all that is drawn inherits it
  }

  /** The cell from which a piece is picked up and seen elsewhere already; null if none is. */
  lifted() {
    const [from, to] = this.state.input.cellsChosen();
    return this.state.picture && to !== undefined && this.pieceOn(from) ? from : null;
  }

  /** The color of a cell without what lies on it. */
  groundOf(cell) {
    const { fills, palette } = this.state.picture;
    return palette[fills[cell]][1];
  }

  /** The piece that lies on a cell, as the picture has it. */
  pieceOn(cell) {
    const center = this.state.cells.center(cell).join(":");
    return (this.state.picture.pieces ?? []).find(([, x, y]) => `${x}:${y}` === center);
  }

  /** Marks what can be chosen; again only if that, or the picture, is another one. */
  drawTargets() {
    const wanted = [this.state.input, this.state.input.chosen.join(), this.state.picture, this.state.signs];
    if (this.targetsOf?.every((each, place) => each === wanted[place])) return;
    this.targetsOf = wanted;
    const targets = this.state.picture ? this.markedTargets() : [];
    const isFull = fullCells(this.state);
    const lifted = this.lifted();
    const isHeld = (cell) => cell !== lifted && isFull(cell); // a dot would hide what lies there
    const held = targets.filter(isHeld);
    const dots = targets.filter((cell) => !isHeld(cell)).map((cell) => {
      const [x, y] = this.state.cells.center(cell);
      const r = Math.max(14, Math.round(0.24 * (this.state.cells.radii[cell] || 80)));
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    });
    /** @type {[string, string[]][]} */
    const drawn = [["able", held.map((cell) => this.state.cells.path(cell))], ["dots", dots]];
    const cover = lifted === null ? [] : [make("path", { d: this.state.cells.path(lifted), fill: this.groundOf(lifted) })];
    this.layers.targets.replaceChildren(...cover, ...drawn.filter(([, paths]) => paths.length).map(([name, paths]) => make("path", { class: name, d: paths.join("") })));
  }

  /** The targets, unless they are all cells of their colors, which the picture shows. */
  markedTargets() {
    const { fills, palette } = this.state.picture;
    if (!fills || !this.state.input.asks) return [];
    const targets = [...this.state.input.marked()];
    if (this.state.input.marksSome) return targets;
    const names = fills.map((fill) => palette[fill]?.[0]); // tints of one color have one name
    const colors = new Set(targets.map((cell) => names[cell]));
    const pieces = new Set((this.state.picture.pieces ?? []).map(([, x, y]) => `${x}:${y}`));
    const bare = (cell) => !pieces.has(this.state.cells.center(cell).join(":"));
    const some = targets.some((cell) => !bare(cell));
    const alike = names.reduce((sum, name, cell) => sum + (colors.has(name) && (some || bare(cell)) ? 1 : 0), 0);
    return alike > targets.length ? targets : [];
  }
}
