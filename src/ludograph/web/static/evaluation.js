// The chances to win over a recorded game: the curve, its turning points, and what was better than a move.
//
// The server searches the positions in the background, part by part; the curve grows with each part.

import * as graph from "./graph.js";
import { keyOf } from "./graph.js";
import { element } from "./panel.js";
import { dataOf, displayNames, inCells } from "./sentences.js";

const MARKED = 6; // turning points at most, the largest
const RETRY = 4000; // milliseconds after which a busy server is asked again

/** A value as people read it. @param {number} value */
export const percent = (value) => `${Math.round(100 * value)} %`;

/**
 * What is known of a game, and what is shown of it.
 * @typedef {object} EvaluationState
 * @property {any} story the game
 * @property {any[]} seats as in a frame
 * @property {Map<number, (number | null)[]>} points values of seats by step
 * @property {boolean} kept whether the players thought these values during the game; else a search has found them
 * @property {Map<number, any>} moves what is said of a move, by the step behind it
 * @property {number} done moves evaluated
 * @property {number} total moves to evaluate
 * @property {string} trouble why it has ended before its time
 * @property {any} graph the state of the curve
 * @property {number} shown the step
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
    this.progress = element("p", { class: "small faint" });
    /** @type {EvaluationState | null} */
    this.state = null;
  }

  /** Begins to evaluate a game. */
  begin(base, story, seats) {
    if (!story.evaluated) return;
    const graphState = { label: "Chances to win by move; a click goes there", last: story.steps.length - 1, low: 0, high: 1, curves: [], marks: [], sides: sidesOf(seats), shown: 0 };
    this.state = { story, seats, points: new Map(), kept: false, moves: new Map(), done: 0, total: story.evaluated, trouble: "", graph: graphState, shown: 0 };
    const text = element("div", { class: "words" }, this.chances, this.better, this.progress);
    this.place.replaceChildren(this.curve, text);
    this.place.hidden = false;
    graph.events(this.curve, graphState, this.on.go);
    this.better.addEventListener("click", (event) => {
      const said = this.state.moves.get(this.state.shown);
      if (/** @type {HTMLElement} */ (event.target).closest("button")) this.on.better(this.state.shown, this.playedAt(this.state.shown), said.better);
    });
    this.fetch(base);
  }

  /** Takes one part after the other from the server. */
  async fetch(base) {
    const { state } = this;
    while (state.done < state.total && !state.trouble) {
      this.render();
      try {
        const answer = await fetch(`${base}/evaluation?first=${state.done}`);
        const part = await dataOf(answer);
        if (answer.ok) this.take(part);
        else if (answer.status === 503) await new Promise((done) => { setTimeout(done, RETRY); });
        else state.trouble = part.error;
      } catch {
        state.trouble = "The server cannot be reached.";
      }
    }
    this.render();
  }

  take({ done, points, kept, moves }) {
    const { state } = this;
    const stepOf = (ply) => state.story.steps.findIndex((step) => step.ply === ply);
    for (const [ply, values] of points) state.points.set(stepOf(ply), values);
    state.kept = kept;
    for (const move of moves) state.moves.set(stepOf(move.ply), move);
    state.done = done;
  }

  /** Hides what is said while a variation is shown, about which nothing is known. */
  hide() { this.place.classList.add("elsewhere"); }

  /** Shows a step. */
  show(step, seats) {
    this.place.classList.remove("elsewhere");
    if (!this.state) return;
    const { state } = this;
    Object.assign(state, { shown: step, seats });
    const sides = sidesOf(seats); // a swap exchanges them
    const same = sides?.join() === state.graph.sides?.join();
    Object.assign(state.graph, { shown: step, sides });
    if (same) graph.mark(this.curve, state.graph);
    else if (state.points.size > 1) graph.render(this.curve, state.graph);
    this.say();
  }

  render() {
    const { state } = this;
    state.graph.curves = curvesOf(state);
    const turning = [...state.moves].filter(([, move]) => move.turning).sort(([, first], [, second]) => second.drop - first.drop);
    state.graph.marks = turning.slice(0, MARKED).map(([step, move]) => ({
      step, value: state.points.get(step)?.[0] ?? 0.5, text: this.lossText(step, move),
    }));
    if (state.points.size > 1) graph.render(this.curve, state.graph);
    this.place.dataset.done = String(state.done);
    const working = state.done < state.total;
    this.progress.hidden = !working && !state.kept && !turning.length;
    this.progress.textContent = state.trouble || (working ? `Evaluating the game: ${state.done} of ${state.total} moves …` : aboutOf(state, turning.length));
    this.say();
  }

  /** Says what is known of the step that is shown. */
  say() {
    const { state } = this;
    const chances = chancesOf(state);
    this.chances.replaceChildren(...chances.map(({ text, color }) => {
      const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = color ?? "none";
      return element("span", { class: "chance" }, ...(color ? [swatch] : []), text);
    }));
    const move = state.moves.get(state.shown);
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
    const { seats } = this.state;
    const [first, ...others] = better.line;
    const line = others.length ? `, then ${others.join(" ")}` : "";
    return inCells(`Move ${ply}: ${displayNames(seats)[seat]} loses ${percent(drop)} with ${this.playedAt(step)}. Better: ${first}${line}.`);
  }
}

/** What the marks are, and where the values come from if not from a search. */
function aboutOf({ kept }, turning) {
  const marks = turning ? `Red: ${turning > MARKED ? `the ${MARKED} largest mistakes` : turning > 1 ? `${turning} mistakes` : "a mistake"}; click one.` : "";
  return [marks, kept ? "The players thought these values in the game." : ""].filter(Boolean).join(" ");
}

/** The colors below and above the curve of two seats; none where the two have no colors of their own. */
function sidesOf(seats) {
  if (seats.length !== 2) return null;
  const own = seats.map(({ color, chip }) => color && chip);
  return own.every(Boolean) ? own : ["#2a6b66", "#b9b4a6"];
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
 * What is to be expected at a step, in words; a proven value is no number. Two chances add up to 100 %.
 * @returns {{text: string, color?: string}[]}
 */
function chancesOf({ story, seats, points, moves, shown, graph: { sides } }) {
  const values = points.get(shown);
  if (!values || (shown === story.steps.length - 1 && story.ranks)) return [];
  const names = displayNames(seats);
  const next = moves.get(shown + 1);
  if (next?.proven && seats.length === 2) {
    const winner = next.proven === "won" ? next.seat : 1 - next.seat;
    return [{ text: `${names[winner]} wins, whatever ${names[1 - winner]} does.`, color: sides[winner] }];
  }
  const first = Math.round(100 * values[0]);
  return values.flatMap((value, seat) => {
    if (value === null) return [];
    const chance = seats.length === 2 && seat ? `${100 - first} %` : percent(value);
    return [{ text: `${names[seat]} wins ${chance}`, color: sides?.[seat] }];
  });
}
