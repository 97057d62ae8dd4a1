// Move input: how a move is chosen part by part, and which cells or places can come next.

import { isInside } from "./cells.js";

export class MoveInput {
  /** @param choices the data of `ludograph.web.positions.move_input.choices`: `moves` as [code, text, parts], and `parts` */
  constructor(choices) {
    this.asks = choices !== null && choices !== undefined;
    this.moves = choices?.moves ?? [];
    this.parts = choices?.parts ?? [];
    this.actions = choices?.actions ?? {};
    this.confirmation = choices?.confirmation ?? "";
    this.sets = this.parts.map((part) => new Set(part.cells));
    this.chosen = []; // the numbers of the parts chosen so far
    this.picked = []; // the cells by which they were chosen
    /** @type {{name: string, pieces: any[]}[]} the ways to put something, over all places */
    this.waysInHand = [...new Map(this.moves.filter(([, , own]) => this.isWay(own)).map(([, , [, way]]) => [this.parts[way].name, this.parts[way]])).values()];
    this.waysInHand.sort((one, other) => one.name.localeCompare(other.name));
    this.inHand = this.waysInHand[0]?.name; // how what is in hand is turned
  }

  /**
   * Whether the second part of a move is a way to put something where the first one says.
   * @param {number[]} parts
   */
  isWay([place, way]) { return way !== undefined && this.parts[place].at !== undefined && this.parts[place].at === this.parts[way].at; }

  /** The moves that begin with the chosen parts. */
  begun(parts = this.chosen) {
    return this.moves.filter(([, , own]) => own.length && parts.every((part, place) => own[place] === part));
  }

  /** The moves that are the chosen parts. */
  whole() { return this.begun().filter(([, , own]) => own.length === this.chosen.length); }

  /** The numbers of the parts that can come next. */
  next(parts = this.chosen) {
    return [...new Set(this.begun(parts).filter(([, , own]) => own.length > parts.length).map(([, , own]) => own[parts.length]))];
  }

  /** The next part that a cell chooses. */
  nextAt(cell, parts = this.chosen) { return this.next(parts).find((each) => this.sets[each].has(cell)); }

  targets() { return new Set(this.next().flatMap((part) => this.parts[part].cells ?? [])); }

  /** The cells that are marked, and to which keys go. */
  marked() { return new Set(this.next().flatMap((part) => this.parts[part].marked ?? this.parts[part].cells ?? [])); }

  /** Whether only some of the cells that can be chosen are marked. */
  get marksSome() { return this.next().some((part) => this.parts[part].marked); }

  /** Chooses a cell; returns the move if it is whole by that. */
  cell(cell) {
    let part = this.nextAt(cell);
    if (part === undefined && this.picked.length && this.picked.at(-1) === cell) {
      this.back();
      return {};
    }
    if (part === undefined && this.chosen.length) { // another cell: begin again there
      part = this.nextAt(cell, []);
      if (part !== undefined) this.clear();
    }
    if (part === undefined) return { refused: true };
    this.picked.push(cell);
    return this.take(part);
  }

  /** The move that is chosen and waits to be confirmed, if a cell was the last to choose it. */
  confirmedBy(cell) {
    const whole = this.whole();
    if (!this.chosen.length || whole.length !== 1 || this.next().length) return undefined;
    return this.sets[this.chosen.at(-1)].has(cell) ? whole[0][0] : undefined;
  }

  /** Chooses a place beside the cells, or turns what is there to the next way. */
  part(part) {
    if (this.isChosen(part)) {
      this.turn(); // only a button plays it
      return {};
    }
    if (this.ways().length && this.next(this.chosen.slice(0, 2)).includes(part)) { this.add(part); return {}; }
    if (!this.next().includes(part)) { // another place: begin again there
      if (!this.next([]).includes(part)) return { refused: true };
      this.chosen = [];
    }
    return this.take(part);
  }

  take(part) {
    this.chosen.push(part);
    const next = this.next();
    const at = this.parts[next[0]]?.at;
    if (at && at === this.parts[part].at && next.every((each) => this.parts[each].at === at)) {
      this.chosen.push(next.find((each) => this.parts[each].name === this.inHand) ?? next[0]); // as it is in hand, if that fits
      return {};
    }
    const whole = this.whole();
    return whole.length === 1 && !next.length && !this.ways().length ? { move: whole[0][0] } : {};
  }

  /** The ways to put something at the place that is chosen; none where there is no such choice. */
  ways() { return this.isWay(this.chosen) ? this.next([this.chosen[0]]) : []; }

  /** Whether what is in hand, or was put somewhere, can be turned. */
  canTurn() { return (this.chosen.length ? this.ways() : this.waysInHand).length > 1; }

  /** Turns what was put somewhere to the next way that fits there; else what is in hand. */
  turn() {
    if (!this.canTurn()) return;
    if (this.chosen.length) {
      const ways = this.ways();
      this.chosen = [this.chosen[0], ways[(ways.indexOf(this.chosen[1]) + 1) % ways.length]];
      this.inHand = this.parts[this.chosen[1]].name;
    } else {
      const now = this.waysInHand.findIndex(({ name }) => name === this.inHand);
      this.inHand = this.waysInHand[(now + 1) % this.waysInHand.length].name;
    }
  }

  /** What is drawn of what is in hand, as it is turned; null where it cannot be turned. */
  handPieces() {
    const way = this.ways().length ? this.parts[this.chosen[1]] : this.waysInHand.find(({ name }) => name === this.inHand);
    return way?.pieces?.length ? way.pieces : null;
  }

  back() {
    if (this.ways().length) this.chosen = [];
    else { this.chosen.pop(); this.picked.pop(); }
  }

  clear() { this.chosen = []; this.picked = []; }

  isChosen(part) {
    return this.chosen.length > 0 && this.parts[part].at !== undefined && this.parts[this.chosen[0]].at === this.parts[part].at;
  }

  /** The place at which something is put, but not played yet; null if none is. */
  chosenPlace() { return this.ways().length ? this.parts[this.chosen[0]] : null; }

  /** What is drawn of the places that are chosen. */
  sketches() { return this.chosen.flatMap((part) => this.parts[part].pieces ?? []); }

  /** The places beside the cells that can be chosen next; with `own` the chosen one too. */
  spots({ own = false, all = false } = {}) {
    let numbers = all ? this.next([]) : this.next(this.ways().length ? this.chosen.slice(0, 2) : undefined);
    if (own && this.ways().length) numbers = [this.chosen[0], ...numbers];
    return numbers.filter((number) => this.parts[number].at).map((number) => ({ number, part: this.parts[number] }));
  }

  corners(part) {
    part.corners ??= part.at.slice(1, -1).split("L").map((pair) => pair.split(" ").map(Number));
    return part.corners;
  }

  /** The small place that is nearest to a point, of those that add to what is chosen: fingers are not as fine as they. */
  spotNear(x, y, reach) {
    if (!this.ways().length) return null;
    const across = this.corners(this.parts[this.chosen[0]]).map(([each]) => each);
    const wide = Math.max(...across) - Math.min(...across);
    const away = (part) => Math.hypot(part.center[0] - x, part.center[1] - y);
    const [nearest] = this.spots().sort((a, b) => away(a.part) - away(b.part));
    return nearest && away(nearest.part) <= Math.min(reach, 0.24 * wide) ? nearest.number : null;
  }

  spotAt(x, y) {
    const near = [...this.spots(), ...(this.chosen.length ? [...this.spots({ own: true }), ...this.spots({ all: true })] : [])];
    return near.find(({ part }) => isInside(part.at, x, y))?.number ?? null;
  }

  partsOf(code) { return this.moves.find(([own]) => own === code)?.[2].map((part) => this.parts[part]) ?? []; }

  /** What a move does, as its game says it. */
  action([move, text]) { return this.actions[move] ?? `Play ${text}`; }

  /** What is chosen by buttons: moves without parts, ways and what can be added, several moves by the same cells. */
  buttons() {
    if (!this.asks) return [];
    const button = (kind) => (each) => ({ kind, text: this.action(each), move: each[0] });
    if (!this.chosen.length) return this.moves.filter(([, , own]) => !own.length).map(button("move"));
    const [found, whole, ways] = [[], this.whole(), this.ways()];
    if (whole.length === 1) found.push({ kind: "play", text: this.confirmation || this.action(whole[0]), move: whole[0][0] });
    else found.push(...whole.map(button("move")));
    if (ways.length > 1) found.push({ kind: "turn", text: `↻ Turn (${ways.indexOf(this.chosen[1]) + 1} of ${ways.length})` });
    found.push({ kind: "back", text: "Back" });
    if (!ways.length) return found;
    const added = this.next(this.chosen.slice(0, 2)).map((part) => ({ kind: "add", text: this.parts[part].name, part, chosen: this.chosen[2] === part }));
    return [...found, ...added.toSorted((one, other) => one.text.localeCompare(other.text))]; // in one order, however it is turned
  }

  /** Adds something to what is put at a place, instead of what was added; the same again takes it away. */
  add(part) {
    const placed = this.chosen.slice(0, 2);
    this.chosen = this.chosen[2] === part ? placed : [...placed, part];
  }

  /** How far a move is chosen: a place and the way something lies there are one step. */
  stage() {
    if (this.chosen.length && !this.next().length) return Infinity; // nothing is left but to confirm it
    return this.chosen.length - (this.ways().length ? 1 : 0);
  }

  /** The description of a cell or place: its content, and the move that it would continue. */
  describe(node, picture) {
    if (!node) return "";
    if (node.part !== undefined) {
      const [only, ...others] = this.chosen.length ? [] : this.begun([node.part]);
      return only && !others.length ? this.action(only) : this.parts[node.part]?.name ?? "";
    }
    const there = picture?.palette[picture.fills?.[node.cell]]?.[0] ?? "";
    const part = this.nextAt(node.cell);
    if (part === undefined) return `${there}, nothing to choose`;
    const moves = this.begun([...this.chosen, part]);
    if (moves.length === 1 && this.actions[moves[0][0]]) return this.action(moves[0]);
    const texts = moves.map(([, text]) => text);
    return texts.length === 1 ? `${texts[0]} (${there})` : `${common(texts)} … (${there})`;
  }
}

/** How all of some texts begin. */
function common(texts) {
  let [start] = texts;
  for (const text of texts) while (!text.startsWith(start)) start = start.slice(0, -1);
  return start;
}
