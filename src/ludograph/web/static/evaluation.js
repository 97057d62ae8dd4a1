// The evaluation of a recorded game: the curve of a search, its turning points, and what was better than a move.
//
// The server searches the positions in the background, part by part; the curve grows with each part.

import * as graph from "./graph.js";
import { keyOf } from "./graph.js";
import { element } from "./panel.js";
import { patientFetch } from "./patient_fetch.js";
import { displayNames, inCells } from "./sentences.js";

const MARKED = 6; // turning points at most, the largest

/** A value as people read it. @param {number} value */
export const percent = (value) => `${Math.round(100 * value)} %`;

/**
 * What the values are: chances to win of two seats, expected places of more, or points ahead of the best other.
 * @typedef {"win" | "place" | "points"} Unit
 */

/**
 * What is known of a game, and what is shown of it.
 * @typedef {object} EvaluationState
 * @property {any} story the game
 * @property {any[]} seats as in a frame
 * @property {Unit} unit
 * @property {Map<number, (number | null)[]>} points values of seats by step, all found by the same search
 * @property {Map<number, (number | null)[]>} thoughts what the player to move thought there, by step
 * @property {Map<number, any>} moves what is said of a move, by the step behind it
 * @property {number} done moves evaluated
 * @property {number} total moves to evaluate
 * @property {string} trouble why it has ended before its time, or why it waits
 * @property {any} graph the state of the curve
 * @property {number} shown the step
 * @property {{now: any, value: any} | null} variation the position behind tried moves and its value, null while that is not known;
 *   null while the game itself is shown
 */

export class Evaluation {
  /**
   * @param {HTMLElement} place
   * @param {{go: (step: number) => void, better: (step: number, played: string, move: any) => void}} on
   */
  constructor(place, on) {
    this.on = on;
    this.place = place;
    this.curve = element("div", { class: "graph" });
    this.chances = element("p", { class: "chances" });
    this.better = element("p", { class: "better", "aria-live": "polite" });
    this.mistakes = element("p", { class: "mistakes" });
    this.progress = element("p", { class: "small faint" });
    /** @type {EvaluationState | null} */
    this.state = null;
  }

  /** Begins to evaluate a game. */
  begin(base, story, seats) {
    if (!story.evaluated) return;
    const graphState = { label: "Evaluation by move; a click goes there", last: story.steps.length - 1, low: 0, high: 1, curves: [], marks: [], dots: [], ends: null, sides: null, shown: 0 };
    this.base = base;
    this.state = { story, seats, unit: "win", points: new Map(), thoughts: new Map(), moves: new Map(), done: 0, total: story.evaluated, trouble: "", graph: graphState, shown: 0, variation: null };
    const text = element("div", { class: "words" }, this.chances, this.better, this.mistakes, this.progress);
    this.place.replaceChildren(this.curve, text);
    this.place.hidden = false;
    graph.events(this.curve, graphState, this.on.go);
    this.better.addEventListener("click", (event) => {
      const said = this.state.moves.get(this.state.shown);
      if (/** @type {HTMLElement} */ (event.target).closest("button")) this.on.better(this.state.shown, this.playedAt(this.state.shown), said.better);
    });
    this.mistakes.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("button");
      if (button) this.on.go(Number(button.dataset.to));
    });
    this.fetch();
  }

  /** Takes one part after the other from the server. */
  async fetch() {
    const { state } = this;
    try {
      while (state.done < state.total) {
        this.render();
        this.take(await patientFetch(`${this.base}/evaluation?first=${state.done}`, (text) => { state.trouble = text; this.render(); }));
        state.trouble = "";
      }
    } catch (error) {
      state.trouble = String(/** @type {Error} */ (error).message);
    }
    this.render();
  }

  take({ done, unit, points, thoughts, moves }) {
    const { state } = this;
    const stepOf = (ply) => state.story.steps.findIndex((step) => step.ply === ply);
    for (const [ply, values] of points) state.points.set(stepOf(ply), values);
    for (const [ply, values] of thoughts) state.thoughts.set(stepOf(ply), values);
    for (const move of moves) state.moves.set(stepOf(move.ply), move);
    Object.assign(state, { done, unit });
  }

  /** Shows a step. */
  show(step, seats) {
    if (!this.state) return;
    const { state } = this;
    Object.assign(state, { shown: step, seats, variation: null });
    this.place.classList.remove("elsewhere");
    const sides = sidesOf(state); // a swap exchanges them
    const same = sides?.join() === state.graph.sides?.join();
    Object.assign(state.graph, { shown: step });
    if (same) graph.mark(this.curve, state.graph);
    else this.draw();
    this.say();
  }

  /** Shows the position behind tried moves: asks the server for its value. */
  async showVariation(now, step, path) {
    if (!this.state) return;
    if (!path.length) { this.show(step, now.seats); return; }
    const { state } = this;
    const variation = { now, value: null };
    state.variation = variation;
    this.place.classList.add("elsewhere"); // the curve is that of the game
    this.say();
    const query = new URLSearchParams([["step", String(step)], ...path.map((text) => ["move", text])]);
    try {
      variation.value = await patientFetch(`${this.base}/variation/value?${query}`, () => {});
    } catch {
      variation.value = { values: [] };
    }
    if (state.variation === variation) this.say(); // nothing else is shown meanwhile
  }

  draw() {
    const { state } = this;
    if (state.points.size < 2) return;
    Object.assign(state.graph, { sides: sidesOf(state), ...rangeOf(state) });
    state.graph.curves = curvesOf(state);
    state.graph.marks = this.turning().map(([step, move]) => ({
      step, value: state.points.get(step)?.[state.seats.length === 2 ? 0 : move.seat] ?? state.points.get(step - 1)[move.seat], text: this.lossText(step, move),
    }));
    state.graph.dots = [...state.thoughts].map(([step, values]) => [step, values[0]]);
    graph.render(this.curve, state.graph);
  }

  /** The largest mistakes, as step and move, in the order of the game. */
  turning() {
    const found = [...this.state.moves].filter(([, move]) => move.turning).sort(([, first], [, second]) => second.drop - first.drop);
    return found.slice(0, MARKED).sort(([first], [second]) => first - second);
  }

  render() {
    const { state } = this;
    this.draw();
    this.place.dataset.done = String(state.done);
    const turning = this.turning();
    this.mistakes.replaceChildren(...(turning.length ? [turning.length > 1 ? "Mistakes:" : "Mistake:"] : []), ...turning.map(([step, move]) => element("button", { type: "button", "data-to": String(step), title: this.lossText(step, move) }, String(move.ply))));
    const working = state.done < state.total;
    this.progress.textContent = state.trouble || (working ? `Evaluating the game: ${state.done} of ${state.total} moves …` : state.thoughts.size ? "Dots: what the players thought." : "");
    this.progress.hidden = !this.progress.textContent;
    this.say();
  }

  /** Says what is known of the step that is shown. */
  say() {
    const { state } = this;
    const chances = state.variation ? chancesOfVariation(state) : chancesOf(state);
    this.chances.replaceChildren(...chances.map(({ text, color }) => {
      const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = color ?? "none";
      return element("span", { class: "chance" }, ...(color ? [swatch] : []), text);
    }));
    const move = state.variation ? null : state.moves.get(state.shown);
    const said = move?.better ? this.lossText(state.shown, move) : "";
    if (this.better.dataset.said === said) return;
    this.better.dataset.said = said;
    this.better.replaceChildren(said);
    if (said) this.better.append(" ", element("button", { type: "button" }, "Show it"));
  }

  /** The move that led to a step, as it is typed. */
  playedAt(step) {
    const { code, text } = this.state.story.steps[step];
    return code ?? text;
  }

  /** What a move has cost, and what was better. */
  lossText(step, { ply, seat, drop, better }) {
    const { seats, unit } = this.state;
    const [first, ...others] = better.line;
    const line = others.length ? `, then ${others.join(" ")}` : "";
    const costs = { win: `lowers the chance to win by ${percent(drop)}`, points: `costs ${Math.round(drop)} points`, place: `costs ${drop.toFixed(1)} places` }[unit];
    return inCells(`Move ${ply}, ${displayNames(seats)[seat]}: ${this.playedAt(step)} ${costs}. Better: ${first}${line}.`);
  }
}

/** The colors below and above the curve of two seats; null where there are more curves. */
function sidesOf({ seats }) {
  if (seats.length !== 2) return null;
  const own = seats.map(({ color, chip }) => color && chip);
  return own.every(Boolean) ? own : ["#2a6b66", "#b9b4a6"];
}

/** The values at the bottom and the top of the graph, and what is written there. */
function rangeOf({ unit, seats, points }) {
  const names = displayNames(seats);
  if (unit === "place") return { low: seats.length, high: 1, ends: ["last", "first"] };
  if (unit === "win") return { low: 0, high: 1, ends: [`${names[1]} wins`, `${names[0]} wins`] };
  const most = Math.ceil(Math.max(10, ...[...points.values()].flat().map((value) => Math.abs(value ?? 0))) / 10) * 10;
  const ends = seats.length === 2 ? [`${names[1]} ${most} points ahead`, `${names[0]} ${most} points ahead`] : [`${most} points behind`, `${most} points ahead`];
  return { low: -most, high: most, ends };
}

/** The curve of the first of two seats, whose loss is the other's gain; else that of each seat. */
function curvesOf({ points, seats }) {
  const known = [...points].sort(([first], [second]) => first - second);
  const shown = seats.length === 2 ? [0] : seats.map((_, seat) => seat);
  return shown.map((seat) => ({
    key: seats.length === 2 ? { stroke: "currentColor", "stroke-width": 1.5 } : keyOf(seats[seat], seat),
    points: known.filter(([, values]) => values[seat] !== null).map(([step, values]) => /** @type {[number, number]} */ ([step, values[seat]])),
  })).filter((curve) => curve.points.length);
}

/**
 * What is to be expected at a step, in words.
 * @returns {{text: string, color?: string}[]}
 */
function chancesOf({ story, seats, unit, points, moves, shown, graph: { sides } }) {
  if (!points.has(shown) || (shown === story.steps.length - 1 && story.ranks)) return [];
  const values = seats.map((_, seat) => latest(points, seat, shown));
  const next = moves.get(shown + 1);
  return inWords({ unit, values, seat: next?.seat, proven: next?.proven }, seats, sides);
}

/** The same behind tried moves. */
function chancesOfVariation({ variation: { now, value }, graph: { sides } }) {
  if (now.over) return [];
  if (!value) return [{ text: "Evaluating this position …" }];
  return inWords(value, now.seats, sides);
}

/** The last value of a seat until a step; of more than two seats only that to move has one. */
function latest(points, seat, shown) {
  for (let step = shown; step >= 0; step--) if (points.get(step)?.[seat] !== undefined && points.get(step)[seat] !== null) return points.get(step)[seat];
  return null;
}

/** Values in words; a proven one is no number, and two chances add up to 100 %. */
function inWords({ unit, values, seat, proven }, seats, sides) {
  const names = displayNames(seats);
  if (proven && seats.length === 2) {
    const winner = proven === "won" ? seat : 1 - seat;
    return [{ text: `${names[winner]} wins, whatever ${names[1 - winner]} does.`, color: sides?.[winner] }];
  }
  if (unit === "points" && values.length === 2) {
    const ahead = values[0] >= 0 ? 0 : 1;
    const points = Math.round(values[ahead]);
    return [{ text: points ? `${names[ahead]} should end ${points} ${points === 1 ? "point" : "points"} ahead.` : "The game should end level.", color: points ? sides?.[ahead] : undefined }];
  }
  const known = values.flatMap((value, each) => {
    if (value === null) return [];
    const color = sides?.[each] ?? ((seats[each].color && seats[each].chip) || undefined);
    if (unit === "win") return [{ text: `${names[each]} wins ${each ? `${100 - Math.round(100 * values[0])} %` : percent(value)}`, color }];
    if (unit === "place") return [{ text: `${names[each]} ${value.toFixed(1)}`, color }];
    return [{ text: `${names[each]} ${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(Math.round(value))}`, color }];
  });
  const what = { win: "", place: "Expected places:", points: "Points ahead at the end:" }[unit];
  return what && known.length ? [{ text: what }, ...known] : known;
}
