// The evaluation of a recorded game: the curve of a search, the mistakes, the best line, and what was better than a move.
//
// The server searches the positions in the background, part by part; the curve grows with each part.

import * as graph from "./graph.js";
import { chip, element } from "./page.js";
import { moverOf } from "./panel.js";
import { patientFetch } from "./requests.js";
import { addressed, displayNames } from "./sentences.js";
import { lineButtons } from "./variations.js";

const DOTS = 6; // mistakes on the curve at most, the largest

/** What the marks of moves mean, for one move and for more. @type {Record<string, [string, string]>} */
export const MARKS = { "?!": ["inaccuracy", "inaccuracies"], "?": ["mistake", "mistakes"], "??": ["blunder", "blunders"] };

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
 * @property {string} judge the name of the search that judges all positions
 * @property {number[]} seconds the time of the search of a position, and of the longer one where a mistake is likely
 * @property {number} total moves to evaluate
 * @property {string} trouble why it has ended before its time, or why it waits
 * @property {any} graph the state of the curve
 * @property {number} shown the step
 * @property {{now: any, step: number, path: any[], value: any} | null} variation the position behind the tried moves `path`, which
 *   follow a step, and its value, null while that is not known; null while the game itself is shown
 */

export class Evaluation {
  /**
   * @param {HTMLElement} place
   * @param {{go: (step: number) => void, line: (step: number, line: any[], count: number) => void, point: (move: any) => void, marked: (step: number, mark: string) => void}} on
   *   `line` opens a line of moves behind a step of the game, and shows its first ones; `point` shows a move on the board, null: none; `marked` takes the mark of the move that led to a step
   */
  constructor(place, on) {
    this.on = on;
    this.place = place;
    this.curve = element("div", { class: "graph curve" });
    this.chances = element("p", { class: "chances" });
    this.loss = element("p", { class: "loss", "aria-live": "polite" });
    this.best = element("p", { class: "best" });
    this.mistakes = element("div", { class: "mistakes", role: "group", "aria-label": "Mistakes" });
    this.progress = element("p", { class: "progress small faint" });
    this.about = element("p", { class: "small faint" });
    /** @type {EvaluationState | null} */
    this.state = null;
  }

  /** Begins to evaluate a game. */
  begin(base, story, seats) {
    if (!story.evaluated) return;
    const graphState = { label: "Evaluation by move; a click goes there", last: story.steps.length - 1, moves: story.steps.map(({ moves }) => moves), low: 0, high: 1, curves: [], marks: [], dots: [], ends: null, sides: null, shown: 0, told: (step) => chancesOf(this.state, step).map(({ text }) => text).join(" ") };
    this.base = base;
    this.state = { story, seats, unit: "win", points: new Map(), thoughts: new Map(), moves: new Map(), done: 0, judge: "", seconds: [], total: story.evaluated, trouble: "", graph: graphState, shown: 0, variation: null };
    this.place.prepend(this.curve); // the graph of scores stands below it
    this.place.append(this.mistakes, element("div", { class: "words" }, this.chances, this.loss, this.best, this.progress), element("details", { class: "keep" }, element("summary", {}, "About these values"), this.about));
    graph.events(this.curve, graphState, this.on.go);
    this.mistakes.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("button");
      if (button) this.on.go(this.next(1, (move) => move.seat === Number(button.dataset.seat) && move.mark === button.dataset.mark));
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
    this.curve.hidden = !this.curve.childElementCount; // no curve comes any more
  }

  take({ done, judge, seconds, unit, points, thoughts, moves }) {
    const { state } = this;
    const stepOf = (ply) => state.story.steps.findIndex((step) => step.ply === ply);
    for (const [ply, values] of points) state.points.set(stepOf(ply), values);
    for (const [ply, values] of thoughts) state.thoughts.set(stepOf(ply), values);
    for (const move of moves) {
      state.moves.set(stepOf(move.ply), move);
      this.on.marked(stepOf(move.ply), move.mark);
    }
    Object.assign(state, { done, judge, seconds, unit });
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
    const variation = { now, step, path, value: null };
    state.variation = variation;
    this.place.classList.add("elsewhere"); // the curve is that of the game
    this.say();
    const query = new URLSearchParams([["step", String(step)], ...path.map(({ move }) => ["move", move])]);
    variation.value = await patientFetch(`${this.base}/variation/value?${query}`, () => {}).catch(() => ({ values: [], line: [] }));
    if (state.variation === variation) this.say(); // nothing else is shown meanwhile
  }

  draw() {
    const { state } = this;
    if (state.points.size < 2) return;
    Object.assign(state.graph, { sides: sidesOf(state), ...rangeOf(state) });
    state.graph.curves = curvesOf(state);
    state.graph.marks = this.largest().map(([step, move]) => {
      const seat = state.seats.length === 2 ? 0 : move.seat; // whose curve it is
      return { step, value: state.points.get(step)?.[seat] ?? state.points.get(step - 1)[seat], text: `Move ${state.story.steps[step].number}: ${this.lossText(step, move)}` };
    });
    state.graph.dots = [...state.thoughts].map(([step, values]) => [step, values[0]]);
    graph.render(this.curve, state.graph);
  }

  /** The largest mistakes, as step and move, in the order of the game. */
  largest() {
    const found = [...this.state.moves].filter(([, { mark }]) => isMistake(mark)).sort(([, first], [, second]) => second.drop - first.drop);
    return found.slice(0, DOTS).sort(([first], [second]) => first - second);
  }

  /**
   * The step of the next move of which something is true, round the game; the step that is shown if there is none.
   * @param {1 | -1} direction back if negative
   * @param {(move: any) => boolean} isWanted
   */
  next(direction, isWanted = ({ mark }) => isMistake(mark)) {
    if (!this.state) return 0;
    const { shown, moves } = this.state;
    const steps = [...moves].filter(([, move]) => isWanted(move)).map(([step]) => step).sort((first, second) => direction * (first - second));
    return steps.find((step) => direction * (step - shown) > 0) ?? steps[0] ?? shown;
  }

  render() {
    const { state } = this;
    this.draw();
    this.place.dataset.done = String(state.done);
    this.mistakes.replaceChildren(...(state.moves.size ? state.seats.map((_, seat) => this.tally(seat)) : []));
    this.say();
  }

  /** The mistakes of a seat: a button for each mark, which goes to the next such move. */
  tally(seat) {
    const { state: { moves, seats, done, total } } = this;
    const names = displayNames(seats);
    const own = [...moves.values()].filter((move) => move.seat === seat);
    const buttons = Object.entries(MARKS).flatMap(([mark, words]) => {
      const count = own.filter((move) => move.mark === mark).length;
      if (!count) return [];
      const text = `${names[seat]}, ${count} ${words[count > 1 ? 1 : 0]}`;
      return [element("button", { type: "button", "data-seat": String(seat), "data-mark": mark, "aria-label": `${text}: to the next`, title: `${text}: a click goes to the next` }, String(count), element("span", { class: "judged" }, mark))];
    });
    const none = !buttons.length && done === total ? [element("span", { class: "faint", title: `${names[seat]}, no mistakes` }, "none")] : [];
    return element("div", { class: "tally" }, ...moverOf({ seat, color: seats[seat].color }, seats, names), ...buttons, ...none);
  }

  /** Says what is known of the step that is shown. */
  say() {
    const { state } = this;
    const { variation, shown } = state;
    const working = state.done < state.total ? `Evaluating the game: ${state.done} of ${state.total} moves …` : "";
    this.progress.textContent = state.trouble || working;
    this.progress.hidden = !this.progress.textContent;
    this.about.textContent = working ? "" : variation ? variationText(variation) : marksText(state);
    this.about.parentElement.hidden = !this.about.textContent;
    const chances = variation ? chancesOfVariation(state) : chancesOf(state, shown);
    this.chances.replaceChildren(...chances.map(({ text, color }) => element("span", { class: "chance" }, ...(color ? [chip(color, "swatch")] : []), text)));
    const move = variation ? null : state.moves.get(shown);
    this.write(this.loss, move?.better ? `${this.lossText(shown, move)} Better:` : "", shown - 1, [], move?.line ?? []);
    const [step, path, line] = variation ? [variation.step, variation.path, variation.value?.line] : [shown, [], state.moves.get(shown + 1)?.line];
    this.write(this.best, line?.length ? "Best line now:" : "", step, path, line ?? []);
  }

  /** Writes a sentence and a line of moves behind it, of which each opens the line until there. */
  write(place, text, step, path, line) {
    const { seats } = this.state;
    const said = text && JSON.stringify([text, step, path, line]);
    if (place.dataset.said === said) return;
    place.dataset.said = said;
    place.replaceChildren(text);
    if (!text) return;
    place.append(" ", ...lineButtons(line, seats, (count) => this.on.line(step, [...path, ...line], path.length + count), this.on.point));
  }

  /** What a move has cost. */
  lossText(step, { seat, drop, mark }) {
    const { seats, unit, points } = this.state;
    const name = displayNames(seats)[seat];
    const before = points.get(step - 1)[seat];
    const what = addressed(mark ? `${name} makes ${mark === "?!" ? "an" : "a"} ${MARKS[mark][0]}` : `${name} loses a little`);
    if (unit === "points") return `${what}: the move costs ${Math.round(drop)} points.`;
    if (unit === "place") return `${what}: the expected place falls from ${before.toFixed(1)} to ${(before + drop).toFixed(1)}.`;
    return `${what}: the chance to win falls from ${percent(before)} to ${percent(Math.max(0, before - drop))}.`;
  }
}

/** Whether a mark is that of a move that a person would like to look at. */
function isMistake(mark) { return mark === "?" || mark === "??"; }

/** Which search has judged a variation, and how long. */
function variationText({ value }) {
  return value?.values.length ? `Evaluated by ${value.judge} for ${value.seconds} s.` : "";
}

/** What the marks and the dots of this game mean, which search has judged it, and how long. */
function marksText({ story, moves, thoughts, judge, seconds }) {
  const found = Object.entries(MARKS).filter(([mark]) => [...moves.values()].some((move) => move.mark === mark));
  const marks = found.map(([mark, [word]]) => `${mark} ${word}`).join(", ");
  const [short, long] = seconds.map((each) => Number(each.toPrecision(2)));
  const searched = `All positions were evaluated by ${judge}: ${short} s for each, ${long} s where a mistake was likely.`;
  const asked = story.askable.length ? "A strategy that you ask has its own search and time: its value may differ." : "";
  return [marks && `${marks}.`, thoughts.size ? "Small dots: the players\u2019 own values." : "", searched, asked].filter(Boolean).join(" ");
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
  if (unit === "win") return { low: 0, high: 1, ends: [addressed(`${names[1]} wins`), addressed(`${names[0]} wins`)] };
  const most = Math.ceil(Math.max(10, ...[...points.values()].flat().map((value) => Math.abs(value ?? 0))) / 10) * 10;
  const ends = seats.length === 2 ? [`${names[1]}: ${most} points ahead`, `${names[0]}: ${most} points ahead`] : [`${most} points behind`, `${most} points ahead`];
  return { low: -most, high: most, ends };
}

/** The curve of the first of two seats, whose loss is the other's gain; else that of each seat. */
function curvesOf({ points, seats }) {
  const known = [...points].sort(([first], [second]) => first - second);
  const shown = seats.length === 2 ? [0] : seats.map((_, seat) => seat);
  return shown.map((seat) => ({
    key: seats.length === 2 ? { stroke: "currentColor", "stroke-width": 1.5 } : graph.keyOf(seats[seat], seat),
    points: known.filter(([, values]) => values[seat] !== null).map(([step, values]) => /** @type {[number, number]} */ ([step, values[seat]])),
  })).filter((curve) => curve.points.length);
}

/**
 * What is to be expected at a step, in words.
 * @returns {{text: string, color?: string}[]}
 */
function chancesOf({ story, seats, unit, points, moves, graph: { sides } }, shown) {
  if (shown === story.steps.length - 1 && story.ranks) return [];
  const step = [shown, shown + 1].find((each) => points.has(each)); // chance may move before the next seat
  if (step === undefined) return [];
  const values = seats.map((_, seat) => latest(points, seat, step));
  const next = moves.get(step + 1);
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
    return [{ text: addressed(`${names[winner]} wins, whatever ${names[1 - winner]} does.`), color: sides?.[winner] }];
  }
  if (unit === "points" && values.length === 2) {
    const ahead = values[0] >= 0 ? 0 : 1;
    const points = Math.round(values[ahead]);
    return [{ text: points ? `${names[ahead]} should end ${points} ${points === 1 ? "point" : "points"} ahead.` : "The game should end level.", color: points ? sides?.[ahead] : undefined }];
  }
  const known = values.flatMap((value, each) => {
    if (value === null) return [];
    const color = sides?.[each] ?? ((seats[each].color && seats[each].chip) || undefined);
    if (unit === "win") return [{ text: addressed(each ? `${names[each]}\u2019s: ${100 - Math.round(100 * values[0])} %` : `${names[each]}\u2019s chance to win: ${percent(value)}`), color }];
    if (unit === "place") return [{ text: `${names[each]} ${value.toFixed(1)}`, color }];
    return [{ text: `${names[each]} ${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(Math.round(value))}`, color }];
  });
  const what = { win: "", place: "Expected places:", points: "Points ahead at the end:" }[unit];
  return what && known.length ? [{ text: what }, ...known] : known;
}

/** Writes what is thought of a move, such as "??", behind it in a list. */
export function judgeMove(list, number, mark, word) {
  const item = list.children[number - 1];
  item?.querySelector(".judged")?.remove();
  if (mark) item?.querySelector(".label").after(element("span", { class: "judged", title: word }, mark));
}
