// The board: a picture comes in, clicks and keys go out. It knows no game.
//
// What it shows and what is chosen on it is one state. The picture, the marks and the camera draw that state;
// `board_events.js` turns what people do into calls of this class, which change it.

import { beside, events, further, nearest, places, targets } from "./board_events.js";
import { Camera } from "./camera.js";
import { Cells, NO_CELLS, Regions, unturned } from "./cells.js";
import { Marks } from "./marks.js";
import { MoveInput } from "./move_input.js";
import { make } from "./page.js";
import { Picture } from "./picture.js";
import { keepSetting, setting } from "./settings.js";

const UPRIGHT = "(max-width: 52rem) and (orientation: portrait)"; // where a board has more room when its longer side stands

/**
 * A place on the board: a cell by its number, or a part of a move beside the cells.
 * @typedef {{cell?: number, part?: number, center: number[]}} Place
 */

/**
 * All that is drawn follows from it.
 * @typedef {object} BoardState
 * @property {Cells} cells where the board's cells are
 * @property {any} picture what `ludograph.web.positions.serializers` makes of a scene; null before the first one
 * @property {Map<number, any>} pieces those of the picture that stand on cells, by cell
 * @property {any[]} shapes what pieces look like, by number
 * @property {Regions} regions the regions that a person can select
 * @property {any} selectedRegion the region that a person has selected
 * @property {MoveInput} input which moves can be chosen, and what is chosen of one
 * @property {any[] | null} hinted the parts of a move that is advised
 * @property {any[] | null} sent the parts of the move that was sent and is not answered yet
 * @property {Place | null} cursor where keys have gone
 * @property {Place | null} over what the pointer is on
 * @property {boolean} keyed whether keys were used last: then the cursor is drawn
 * @property {boolean} signs whether cells bear the signs of their colors
 * @property {boolean} names whether cells bear the names that moves call them by
 * @property {boolean} numbers whether pieces bear the numbers of their moves
 * @property {boolean} holders whether regions have the color of their owners
 * @property {Map<number, string>} moveNumbers these numbers, by cell
 * @property {import("./cells.js").Turn} turn how the board lies
 */

/** @returns {BoardState} the state of a board without a picture */
function emptyState() {
  const [signs, names, numbers, holders] = ["signs", "names", "numbers", "holders"].map((name) => setting(name, "no") === "yes");
  return {
    cells: new Cells(NO_CELLS), picture: null, pieces: new Map(), shapes: [], regions: new Regions(), selectedRegion: null,
    input: new MoveInput(null), hinted: null, sent: null, cursor: null, over: null, keyed: false,
    signs, names, numbers, holders, moveNumbers: new Map(), turn: new DOMMatrix(),
  };
}

const QUARTER = new DOMMatrix([0, 1, -1, 0, 0, 0]);
const MIRROR = new DOMMatrix([-1, 0, 0, 1, 0, 0]);

/** The pieces of a picture that stand on cells, by cell. @param {Cells} cells */
function piecesByCell(cells, { pieces = [], fills = [] }) {
  const places = new Map(pieces.toReversed().map((piece) => [`${piece[1]}:${piece[2]}`, piece]));
  const found = new Map();
  if (places.size) fills.forEach((_, cell) => { const piece = places.get(cells.center(cell).join(":")); if (piece) found.set(cell, piece); });
  return found;
}

/**
 * A button by which a part of a move, or all of it, is chosen.
 * @typedef {{kind: "move" | "play" | "turn" | "back" | "add", text: string, move?: number, part?: number, chosen?: boolean}} MoveButton
 */

/**
 * What a board calls; a page leaves out what it does not need.
 * @typedef {object} BoardEvents
 * @property {(code: number) => void} [move] a move is chosen
 * @property {(cells: number[]) => void} [why] the last of these cells cannot be chosen
 * @property {(point: number[]) => void} [where] a click where nothing is
 * @property {(text: string) => void} [described] what the cursor is on
 * @property {(text: string) => void} [region] the selected region; empty without one
 * @property {(list: MoveButton[]) => void} [choices] the buttons for what can be chosen now
 * @property {() => void} [accepted] a part of a move is chosen
 * @property {(place: Place | null) => void} [idle] a click out of turn, on a place or on none
 */

/** From the lowest to the one above all others. */
const LAYERS = ["ground", "links", "cells", "old", "edging", "zones", "below", "heat", "pieces", "strokes", "labels", "thoughts", "regions", "targets", "marks", "ticks"];

export class Board {
  /**
   * @param {HTMLElement} element where it is drawn
   * @param {BoardEvents} on
   */
  constructor(element, on) {
    this.on = on;
    this.state = emptyState();
    this.confirms = false; // whether a move that is chosen by clicks waits for one more, on a button or on its last cell
    this.svg = make("svg", { tabindex: 0, role: "application", "aria-roledescription": "board", "aria-label": "The board" });
    this.whole = make("g", { id: "drawn" }, this.svg); // what is turned
    const layers = Object.fromEntries(LAYERS.map((name) => [name, make("g", { class: name }, this.whole)]));
    element.replaceChildren(this.svg);
    this.element = element;
    this.picture = new Picture(layers, this.state);
    this.camera = new Camera(element, this.svg, this.state);
    this.marks = new Marks(layers, this.svg, this.state, this.camera);
    this.switches = events(element, this); // the buttons that switch signs, names, numbers and holders, by name
    Object.assign(this.svg, { board: this }); // for code from outside, as in tests
  }

  // What is shown -----------------------------------------------------------------------------

  /** Takes another board, without a picture. */
  setBoard(board) {
    this.state.cells = new Cells(board.cells ? board : NO_CELLS);
    this.state.picture = null;
    this.state.pieces = new Map();
    this.picture.clear();
    this.camera.reset();
  }

  /** Returns a shape as pictures take it. */
  intern(shape) { return this.picture.intern(shape); }

  /** Takes shapes from the number `first` on. */
  addShapes(first, shapes) {
    shapes.forEach((shape, place) => { this.state.shapes[first + place] = this.intern(shape); });
  }

  /**
   * Shows a picture; `way` are the cells over which the last move went.
   * @param {any} picture
   * @param {{shapes?: any[], way?: number[], still?: boolean}} [options]
   */
  show(picture, options = {}) {
    const { state } = this;
    const before = state.picture;
    this.stopWaiting();
    state.picture = picture;
    state.sent = null;
    state.selectedRegion = null;
    state.pieces = piecesByCell(state.cells, picture);
    state.regions = new Regions(picture.regions, options.shapes ?? state.shapes);
    this.picture.draw(before, options);
    this.drawSwitches();
    this.camera.fit();
    this.camera.keepLastInView();
    this.marks.draw();
  }

  /** Takes the sign away that a picture is on its way: one has come, or none will. */
  stopWaiting() { this.element.classList.remove("waits"); }

  /** Takes the numbers of the moves that have filled cells, for the next picture. */
  setMoveNumbers(numbers) { this.state.moveNumbers = numbers; }

  /** Turns the board by a quarter to the right, or exchanges left and right as they are seen. */
  turn({ mirror = false } = {}) {
    const { state } = this;
    state.turn = (mirror ? MIRROR : QUARTER).multiply(state.turn);
    this.whole.setAttribute("transform", String(state.turn));
    if (!state.picture) return;
    this.picture.clear();
    this.picture.draw(null, { shapes: this.picture.shapes, still: true });
    this.marks.lay();
    this.camera.reset();
    this.camera.fit();
    this.marks.draw();
  }

  /** Turns a board that is wider than high upright on a phone, unless it is turned already. */
  stand() {
    const [, , wide, high] = this.camera.box;
    if (matchMedia(UPRIGHT).matches && this.state.cells.size && wide > 1.2 * high && this.state.turn.isIdentity) this.turn();
  }

  /** Lays overlays over the picture, until others are laid. */
  lay(overlays) { this.marks.lay(overlays); }

  /** Switches the signs on colors, the names of cells, or the owners of regions, on or off. */
  toggle(name) {
    this.state[name] = !this.state[name];
    keepSetting(name, this.state[name] ? "yes" : "no");
    this.picture.drawRegions();
    this.picture.drawLabels();
    this.marks.lay();
    this.marks.draw();
    this.drawSwitches();
  }

  drawSwitches() {
    const { state } = this;
    for (const [name, button] of Object.entries(this.switches)) {
      button.setAttribute("aria-pressed", String(state[name]));
      const use = {
        holders: state.regions.all.length, names: state.cells.names.length, signs: state.picture?.fills,
        numbers: state.picture?.pieces?.length && state.moveNumbers.size,
      };
      button.hidden = !use[name];
    }
  }

  /** Selects a region, or none. */
  askAbout(region) {
    if (region === this.state.selectedRegion) return;
    this.state.selectedRegion = region;
    this.picture.drawRegions();
    this.on.region?.(region ? `${region.text}.` : "");
  }

  /** Selects the next region that has an owner. */
  askNext() {
    const { held } = this.state.regions;
    this.askAbout(held[(held.indexOf(this.state.selectedRegion) + 1) % held.length] ?? null);
  }

  // What can be chosen ------------------------------------------------------------------------

  /** Lets a move be chosen among those of `ludograph.web.positions.move_input.choices`; none if null. */
  ask(choices) {
    this.state.input = new MoveInput(choices);
    this.state.hinted = null;
    this.state.sent = null;
    if (choices) this.state.cursor ??= nearest(this.state.input.marksSome ? targets(this.state) : places(this.state), this.camera.home());
    this.camera.fit();
    this.changed();
  }

  /** Shows a move among those that can be chosen, without choosing it. */
  hint(code) {
    this.state.input.clear(); // what is half chosen would lie there beside what is advised
    this.changed();
    this.state.hinted = this.state.input.partsOf(code);
    this.marks.draw();
  }

  /** Takes back what is chosen of a move; returns whether there was anything. */
  back() {
    if (!this.state.input.stage()) return false;
    this.state.input.clear();
    this.changed();
    return true;
  }

  /** Points at cells, as a hint does, or at places beside them, which bring the shapes of their pieces; at none if null. */
  mark(cells, places = null) {
    this.state.hinted = cells?.length ? [{ cells }] : null;
    if (places?.parts.length) {
      const first = this.state.shapes.length;
      this.addShapes(first, places.shapes);
      this.state.hinted = places.parts.map((part) => ({ ...part, pieces: part.pieces.map(([shape, ...where]) => [first + shape, ...where]) }));
    }
    this.marks.draw();
  }

  /** Draws the changes after a choice, and gives the page the next buttons. */
  changed() {
    this.element.classList.toggle("asks", this.state.input.asks);
    this.on.choices?.(this.state.input.buttons());
    this.picture.drawHand();
    this.camera.attend();
    this.marks.draw();
  }

  /** Chooses what is at a place: a cell by its number, a spot by the number of its part. */
  choose(node) {
    if (!this.state.input.asks || node === null) return;
    const again = this.confirms && node.cell !== undefined ? this.state.input.confirmedBy(node.cell) : undefined;
    if (again !== undefined) { this.after(again); return; }
    const { move, refused } = node.part === undefined ? this.state.input.cell(node.cell) : this.state.input.part(node.part);
    if (!refused) { this.state.hinted = null; this.on.accepted?.(); }
    this.after(this.confirms ? undefined : move);
    if (refused && node.cell !== undefined) this.on.why?.([...this.state.input.picked, node.cell]);
  }

  /** Chooses cells one after the other, and sends the move that they are; returns whether they are one. */
  playCells(cells) {
    let chosen = {};
    for (const cell of cells) {
      chosen = this.state.input.cell(cell);
      if (chosen.refused) break;
    }
    if (chosen.move === undefined) this.state.input.clear();
    this.after(chosen.move);
    return chosen.move !== undefined;
  }

  /** Sends a move, if one is whole; else shows what is chosen of it. */
  after(move) {
    if (move !== undefined && move !== null) {
      this.state.sent = this.state.input.partsOf(move);
      this.state.input = new MoveInput(null);
      this.state.hinted = null;
      this.changed();
      this.on.move?.(move);
    } else {
      this.changed();
    }
  }

  /** Does what a button says that was made of a choice. */
  press(button) {
    this.on.accepted?.();
    if (button.move !== undefined) this.after(button.move);
    else if (button.kind === "turn") { this.state.input.turn(); this.changed(); }
    else if (button.kind === "add") { this.state.input.add(button.part); this.changed(); }
    else { this.state.input.back(); this.changed(); }
  }

  // Where pointer and keys are -----------------------------------------------------------------

  /** The places that can be chosen, from the top to the bottom. */
  targets() { return targets(this.state); }

  /** Moves the cursor to the next place in a direction. */
  step(right, down) {
    const { state } = this;
    const targets = places(state);
    [right, down] = unturned(state.turn, [right, down]);
    state.cursor ??= nearest(targets, this.camera.home());
    if (!state.cursor) return;
    state.cursor = beside(targets, state.cursor, right, down) ?? state.cursor;
    this.tell();
  }

  /** Moves the cursor to another target, some steps behind where it is. */
  jump(step) {
    const target = further(this.state, step);
    if (!target) return;
    this.state.cursor = target;
    this.tell();
  }

  /** Gives the page a description of the cursor's place. */
  tell() {
    const { cursor, input, picture } = this.state;
    this.marks.draw();
    this.camera.keepInView();
    this.on.described?.(input.describe(cursor, picture));
  }

  /** Keeps the cursor on something that is there. */
  follow() {
    const { state } = this;
    if (state.cursor?.part === undefined) return;
    state.cursor = nearest(places(state), state.cursor.center);
    if (state.cursor) this.tell();
  }

  /** Takes notice of what the pointer is on; null for nothing. */
  pointAt(place) {
    const { state } = this;
    if (place?.cell === state.over?.cell && place?.part === state.over?.part) return;
    state.over = place;
    this.marks.draw();
    if (place?.part !== undefined && state.input.chosen.length) this.on.described?.(state.input.describe(place, state.picture));
  }

  /** Draws the cursor, or no longer, as keys were used last. */
  setKeyed(keyed) {
    this.state.keyed = keyed;
    this.marks.draw();
  }
}
