// A graph over the steps of a game: lines, filled areas, a marker at the step that is shown; a click goes to a step.

import { element, make } from "./page.js";

const [WIDE, TALL, MARGIN] = [300, 80, 6];
const TICKS = 8; // numbers of moves below a graph, at most
const DASHES = ["", "9 4", "2 4", "12 4 2 4", "16 6", "5 3", "1 3", "9 3 1 3"];

/**
 * How a seat's line is drawn: a seat without a color of its own is known by its dashes.
 * @param {any} seat as in a frame
 * @param {number} number
 */
export function keyOf(seat, number) {
  return { stroke: (seat.color && seat.chip) || "currentColor", "stroke-width": 2.5, "stroke-dasharray": DASHES[number % DASHES.length] };
}

/**
 * A line of a graph.
 * @typedef {object} Curve
 * @property {[number, number][]} points step and value
 * @property {Record<string, any>} key its attributes
 */

/**
 * All that is drawn follows from it.
 * @typedef {object} GraphState
 * @property {string} label what a screen reader says
 * @property {number} last the last step
 * @property {number[]} moves by step, the number of moves of players until there
 * @property {number} low the value at the bottom
 * @property {number} high the value at the top
 * @property {Curve[]} curves
 * @property {[string, string] | null} [sides] the colors below and above the first curve
 * @property {{step: number, value: number, text: string}[]} [marks] turning points, each a button
 * @property {[number, number][]} [dots] points beside the curves, as step and value
 * @property {[string, string] | null} [ends] what stands at the bottom and at the top
 * @property {(step: number) => string} [told] what is said of a step while the pointer is there
 * @property {number} shown the step of the marker
 */

/** Where a step is, in percent of the width. @param {GraphState} state @param {number} step */
const across = (state, step) => (step / Math.max(state.last, 1)) * 100;
const x = (state, step) => ((step / Math.max(state.last, 1)) * WIDE).toFixed(1);
const y = (state, value) => TALL - MARGIN - ((value - state.low) / (state.high - state.low)) * (TALL - 2 * MARGIN);

/**
 * Draws a graph.
 * @param {HTMLElement} place
 * @param {GraphState} state
 */
export function render(place, state) {
  const svg = make("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", role: "img", "aria-label": state.label });
  const line = (attributes) => make("path", { fill: "none", "vector-effect": "non-scaling-stroke", ...attributes }, svg);
  const [first] = state.curves;
  if (state.sides && first?.points.length > 1) {
    const path = first.points.map(([step, value]) => `${x(state, step)} ${y(state, value).toFixed(1)}`).join("L");
    const [left, right] = [x(state, first.points[0][0]), x(state, first.points.at(-1)[0])];
    state.sides.forEach((color, side) => {
      const edge = side ? 0 : TALL;
      line({ d: `M${left} ${edge}L${path}L${right} ${edge}Z`, fill: color, "fill-opacity": 0.55, stroke: "none" });
    });
    line({ d: `M0 ${TALL / 2}H${WIDE}`, stroke: "currentColor", "stroke-opacity": 0.5, "stroke-width": 1, "stroke-dasharray": "3 4" });
  }
  for (const { points, key } of state.curves) {
    const d = `M${points.map(([step, value]) => `${x(state, step)} ${y(state, value).toFixed(1)}`).join("L")}`;
    line({ d, stroke: "currentColor", "stroke-opacity": 0.16, "stroke-width": 4.5 });
    line({ d, ...key });
  }
  if (state.dots?.length) {
    const d = state.dots.map(([step, value]) => `M${x(state, step)} ${y(state, value).toFixed(1)}h0`).join("");
    line({ class: "dots-thought", d, stroke: "currentColor", "stroke-width": 5, "stroke-linecap": "round" });
  }
  line({ class: "marker", stroke: "currentColor", "stroke-opacity": 0.6, "stroke-width": 1.5 });
  const early = (state.marks ?? []).filter(({ step }) => 2 * step < state.last).length;
  const side = 2 * early > (state.marks ?? []).length ? " right" : ""; // where fewer turning points lie over the words
  const ends = (state.ends ?? []).map((text, top) => element("span", { class: `end${top ? " top" : ""}${side}`, "aria-hidden": "true" }, text));
  place.replaceChildren(svg, ...ends, ...(state.marks ?? []).map(({ step, value, text }) => {
    const button = element("button", { type: "button", class: "turning", "data-step-to": String(step), "aria-label": text, title: text });
    Object.assign(button.style, { left: `${across(state, step)}%`, top: `${(y(state, value) / TALL) * 100}%` });
    return button;
  }), axis(state));
  mark(place, state);
}

/** The numbers of moves below a graph, each where the move was made. @param {GraphState} state */
function axis(state) {
  const last = state.moves.at(-1) ?? 0;
  const apart = [1, 2, 5].flatMap((each) => [each, 10 * each, 100 * each, 1000 * each]).sort((first, second) => first - second)
    .find((each) => last / each <= TICKS) ?? last;
  const ticks = Array.from({ length: Math.floor(last / apart) }, (_, place) => (place + 1) * apart);
  return element("div", { class: "axis", "aria-hidden": "true" }, element("span", {}, "move"), ...ticks.map((number) => {
    const tick = element("span", { class: "axis-step" }, String(number));
    tick.style.left = `${across(state, state.moves.indexOf(number))}%`;
    return tick;
  }));
}

/** Says how many moves were made until a step. @param {GraphState} state @param {number} step */
function numberText(state, step) { return state.moves[step] ? `Move ${state.moves[step]}.` : "The start."; }

/**
 * Puts the marker where the state says.
 * @param {HTMLElement} place
 * @param {GraphState} state
 */
export function mark(place, state) {
  place.querySelector(".marker")?.setAttribute("d", `M${x(state, state.shown)} 0V${TALL}`);
  for (const button of place.querySelectorAll(".turning")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    button.classList.toggle("now", Number(dataset.stepTo) === state.shown);
  }
}

/**
 * Goes to the step that is clicked on, and says which one that would be.
 * @param {HTMLElement} place
 * @param {GraphState} state
 * @param {(step: number) => void} go
 */
export function events(place, state, go) {
  const stepAt = (event) => {
    const box = place.getBoundingClientRect();
    return Math.min(Math.max(0, Math.round(((event.clientX - box.left) / box.width) * state.last)), state.last);
  };
  place.addEventListener("pointermove", (event) => { place.title = [numberText(state, stepAt(event)), state.told?.(stepAt(event))].filter(Boolean).join(" "); });
  place.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.dataset.stepTo !== undefined) { go(Number(target.dataset.stepTo)); return; }
    go(stepAt(event));
  });
}
