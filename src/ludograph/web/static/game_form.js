// The form of a new game: as many seats as play, times of those that think, options that mean something.

import { drawings, sendDrawing } from "./drawings.js";
import { all, at, element } from "./page.js";
import { sendOnce } from "./requests.js";
import { keepSetting, setting } from "./settings.js";

const form = at("begin");

function refresh() {
  const seats = form.elements.seats ? Number(form.elements.seats.value) : all(".seat", form).length;
  for (const row of all(".seat", form)) {
    const plays = Number(row.dataset.seat) < seats;
    row.hidden = !plays;
    for (const each of all("select, input", row)) each.disabled = !plays;
    const select = row.querySelector("select");
    for (const option of select.options) {
      if (!option.dataset.low) continue;
      const fits = Number(option.dataset.low) <= seats && seats <= Number(option.dataset.high);
      option.hidden = option.disabled = !fits;
    }
    if (select.selectedOptions[0]?.disabled) {
      select.value = [...select.options].find((each) => each.dataset.low && !each.disabled).value;
    }
    const chosen = select.selectedOptions[0];
    row.querySelector(".time").hidden = chosen?.dataset.times === undefined;
    row.querySelector(".explanation").textContent = chosen?.title ?? "";
  }
  for (const row of all("[data-only]", form)) {
    const other = form.elements[row.dataset.only];
    row.hidden = other.value !== row.dataset.value;
    for (const each of all("select, input", row)) each.disabled = row.hidden;
  }
  tellSize();
}

/** The number of cells across and down that the form asks for together; 0 if it does not say. */
function area() {
  const [width, height] = ["width", "height"].map((side) => Number(form.querySelector(`[name$='.${side}']`)?.value ?? 0));
  return width * (height || width);
}

/** Warns of a board whose cells will be small. */
function tellSize() {
  if (!at("large")) return; // the game has no board, or it is a drawn one
  at("large").textContent = area() > Number(form.dataset.pictured ?? Infinity) ? "A large board: its cells will be small." : "";
}

// The picture beside the form: the board as it would be, where that is drawn in no time.
/** @type {HTMLImageElement | null} */
const picture = document.querySelector(".about img");
const usual = picture?.getAttribute("src").split("?")[0];
let drawing = null;

function preview() {
  if (!picture || !form.querySelector("[name$='.width'], [name$='.own']")) return;
  const fields = new FormData(form);
  for (const name of [...fields.keys()]) if (/^(player|time|clock|pause|listed)/.test(name) || !fields.get(name)) fields.delete(name);
  clearTimeout(drawing);
  drawing = setTimeout(() => {
    picture.classList.add("changing");
    picture.src = `${usual}?${new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))}`;
    at("shown").textContent = area() > Number(form.dataset.pictured) ? "A game under way, on the usual board: the chosen one is too large for a picture here"
      : fields.has("seed") ? "The start of this game" : "A start with these settings";
  }, 250);
}

picture?.addEventListener("load", () => picture.classList.remove("changing"));
picture?.addEventListener("error", () => {
  if (picture.getAttribute("src") === usual) return;
  picture.src = usual;
  at("shown").textContent = "A game under way";
});
form.addEventListener("input", () => { tellSize(); preview(); });
form.addEventListener("change", () => { refresh(); preview(); });
for (const button of all("[data-width]", form)) {
  button.addEventListener("click", () => {
    const [width, height] = ["width", "height"].map((side) => form.querySelector(`[name$='.${side}']`));
    [width.value, height.value] = [button.dataset.width, ""];
    width.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

// A person's name is kept in the browser; the page of the match sends it.
const called = at("own-name");
if (called) {
  called.value = setting("name", "");
  called.addEventListener("change", () => keepSetting("name", called.value.trim()));
}

// Boards that were drawn in this browser are a click away.
for (const each of at("own-boards") ? drawings() : []) {
  const button = element("button", { type: "button" }, each.name);
  button.addEventListener("click", async () => {
    const answer = await sendDrawing(each);
    if (answer.url) location.assign(`${location.pathname}?on=${answer.url.split("/").pop()}`);
    else at("large").textContent = answer.error;
  });
  at("own-boards").append(" ", button);
}

if (matchMedia("(max-width: 30rem)").matches) {
  for (const field of all("[data-phone]", form)) if (field.value === field.defaultValue) field.value = field.dataset.phone;
}
sendOnce(form);
refresh(); // at once: "pageshow" comes when the picture has, and what is hidden then moves the button away
addEventListener("pageshow", refresh);
