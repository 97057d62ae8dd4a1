// Tables and lists: sorted and filtered as a reader chooses, and brought up to date while the page says so.

import { all, at, element } from "./page.js";
import { freshPage } from "./requests.js";

const NUMBER = /^[+-]?\d+(\.\d+)?/;
const FEW = 5; // rows from which a filter is of use

/** What a reader has chosen, by the name of the table: it holds when the page is brought up to date. */
const choices = new Map();

/** Makes the heads of sortable tables into buttons, and applies what was chosen before. */
function prepare(within = document) {
  for (const table of all("table.sortable", within)) {
    const region = table.parentElement;
    const name = region.getAttribute("aria-label");
    if (!choices.has(name)) choices.set(name, { column: null, down: false, text: "" });
    const chosen = choices.get(name);
    const rows = [...table.tBodies[0].rows].filter((row) => row.cells.length > 1);
    for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
      if (!head.textContent.trim()) continue;
      const button = element("button", { type: "button", class: "sort", id: `sort-${name}-${column}` }, head.textContent);
      button.onclick = () => {
        const same = chosen.column === column;
        chosen.down = same ? !chosen.down : isNumeric(rows, column) && head.dataset.first !== "up";
        chosen.column = column;
        sort(table, rows, chosen);
      };
      head.replaceChildren(button);
    }
    if (rows.length >= FEW) region.before(filter(name, rows, chosen));
    sort(table, rows, chosen);
  }
}

/** Gives a bracket on a big screen the largest letters with which all of it is in sight. */
function fit() {
  const bracket = document.querySelector(".screen .bracket");
  if (!(bracket instanceof HTMLElement)) return;
  let [fits, isTooLarge] = [8, 200];
  while (isTooLarge - fits > 1) {
    const size = (fits + isTooLarge) / 2;
    bracket.style.fontSize = `${size}px`;
    const isIn = bracket.scrollWidth <= bracket.clientWidth && bracket.scrollHeight <= bracket.clientHeight;
    if (isIn) fits = size;
    else isTooLarge = size;
  }
  bracket.style.fontSize = `${fits}px`;
}

function filter(name, rows, chosen) {
  const input = element("input", { type: "search", id: `filter-${name}`, placeholder: "Filter", "aria-label": `Filter the rows of: ${name}` });
  const count = element("span", { class: "faint", role: "status" });
  const apply = () => {
    chosen.text = input.value;
    const wanted = chosen.text.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = wanted ? `${shown} of ${rows.length}` : "";
  };
  input.value = chosen.text;
  input.oninput = apply;
  apply();
  return element("p", { class: "filter" }, input, " ", count);
}

function sort(table, rows, { column, down }) {
  if (column === null) return;
  for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
    if (place === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
  const numeric = isNumeric(rows, column);
  const keys = new Map(rows.map((row) => {
    const text = textOf(row, column);
    return [row, numeric && text ? Number(NUMBER.exec(text)[0]) : text];
  }));
  const sorted = rows.toSorted((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (a === "" || b === "") return Number(a === "") - Number(b === ""); // rows without a value stay below
    const order = numeric ? a - b : a.localeCompare(b);
    return down ? -order : order;
  });
  table.tBodies[0].append(...sorted);
}

const textOf = (row, column) => row.cells[column].textContent.trim();

/** Whether all cells of a column begin with a number. */
function isNumeric(rows, column) {
  const texts = rows.map((row) => textOf(row, column)).filter(Boolean);
  return texts.length > 0 && texts.every((text) => NUMBER.test(text));
}

// The part with the id "fresh" is fetched again while it says so; a page that has it no longer is another one.

const EVERY = 2000; // milliseconds

async function refresh() {
  const isWanted = !document.hidden || at("fresh").dataset.running === "hidden"; // even out of sight
  const page = isWanted ? await freshPage(location.href) : null;
  const fresh = page?.getElementById("fresh");
  if (page && !fresh) { location.reload(); return; }
  if (fresh) replace(at("fresh"), fresh);
  next();
}

/** Replaces the part; who has the focus in it keeps it, as far as it can be found again. */
function replace(shown, fresh) {
  const focused = document.activeElement;
  const inside = shown.contains(focused);
  if ((inside && !focused.id) || fresh.isEqualNode(shown)) return;
  const selection = focused instanceof HTMLInputElement ? [focused.selectionStart, focused.selectionEnd] : null;
  shown.replaceWith(fresh);
  prepare(fresh);
  fit();
  if (!inside) return;
  at(focused.id)?.focus();
  if (selection) at(focused.id)?.setSelectionRange(...selection);
}

function next() {
  const { running, every } = at("fresh")?.dataset ?? {};
  if (running !== undefined) setTimeout(refresh, Number(every ?? EVERY));
}

prepare();
fit();
addEventListener("resize", fit);
next();
