// The form of a new game: as many seats as play, times of those that think, options that mean something.
import { all, at } from "./panel.js";

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
  if (at("listing")) { // the form of a tournament has none
    const invites = [...all(".seat:not([hidden]) select", form)].some((select) => select.value === "guest");
    at("listing").hidden = !invites;
    at("listed").disabled = !invites;
  }
  for (const row of all("[data-only]", form)) {
    const other = form.elements[row.dataset.only];
    row.hidden = other.value !== row.dataset.value;
    for (const each of all("select, input", row)) each.disabled = row.hidden;
  }
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
    picture.src = `${usual}?${new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))}`;
    tellLuck(fields.has("seed"));
  }, 250);
}

/** Says whether the picture is the start itself, as its seed is fixed, or one like it. */
function tellLuck(same) { at("shown").textContent = same ? "As it begins" : "For example"; }

picture?.addEventListener("error", () => { if (picture.getAttribute("src") !== usual) { picture.src = usual; tellLuck(false); } });
form.addEventListener("change", () => { refresh(); preview(); });
form.addEventListener("submit", () => {
  const button = form.querySelector("button.primary");
  button.textContent = "Getting ready …";
  setTimeout(() => { button.disabled = true; });
});
refresh(); // at once: "pageshow" comes when the picture has, and what is hidden then moves the button away
addEventListener("pageshow", () => {
  const button = form.querySelector("button.primary");
  button.textContent = "Start";
  button.disabled = false;
  refresh();
});
