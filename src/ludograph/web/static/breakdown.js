// The table of points: what the points of each seat are for, if the game tells it.

import { element } from "./panel.js";

const ROOMY = "(max-width: 52rem), (min-height: 56rem)"; // a panel that has room for the table during the game

/**
 * Draws the table of a frame; it is hidden where there is none, and opens with the end of the game.
 * @param {HTMLDetailsElement} place
 * @param {any} now the frame
 * @param {string[]} names by seat
 */
export function drawBreakdown(place, now, names) {
  const { breakdown, seats, over } = now;
  if (!breakdown) { place.hidden = true; return; }
  if (place.hidden) place.open = matchMedia(ROOMY).matches;
  place.hidden = false;
  if (over && !place.dataset.over) place.open = true;
  if (over) place.dataset.over = "yes";
  else delete place.dataset.over;
  const title = over ? "Points" : "Points so far";
  const head = element("tr", {}, element("th", { scope: "col" }, "Player"), ...[...breakdown.columns, "total"].map((text) => element("th", { scope: "col", class: "n" }, `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`)));
  const rows = breakdown.rows.map((cells, seat) => {
    const chip = element("span", { class: "chip", "aria-hidden": "true" });
    if (seats[seat].chip) chip.style.background = seats[seat].chip;
    const best = now.ranks?.[seat] === 1;
    return element("tr", best ? { class: "best" } : {}, element("th", { scope: "row", title: names[seat] }, chip, names[seat]), ...cells.map((text) => element("td", { class: "n" }, text)));
  });
  const table = element("table", {}, element("caption", {}, breakdown.caption ? `Points ${breakdown.caption}` : element("span", { class: "unseen" }, title)), element("thead", {}, head), element("tbody", {}, ...rows));
  if (place.lastElementChild?.outerHTML === table.outerHTML && place.firstElementChild?.textContent === title) return;
  place.replaceChildren(element("summary", {}, title), table);
}
