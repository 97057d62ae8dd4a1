// The thoughts of a strategy about its move: a line of text, and overlays of the board to switch on.

import { element } from "./panel.js";
import { COLORS } from "./overlays.js";

function switchedOn() {
  try { return new Set(JSON.parse(localStorage.getItem("overlays") ?? "[]")); } catch { return new Set(); }
}

export class Thoughts {
  constructor(board, place) {
    this.board = board;
    this.place = place;
    this.on = switchedOn();
    this.overlays = []; // those of the shown thoughts, each with its color
    this.seen = false; // whether there were any thoughts
    this.text = element("p", { class: "thinks" });
    this.switches = element("div", { class: "switches", role: "group", "aria-label": "Overlays" });
    place.replaceChildren(this.text, this.switches);
  }

  /** Shows a player's thoughts; null hides them. */
  show(view, who = "") {
    this.overlays = (view?.overlays ?? []).flatMap(withChances).map((overlay, number) => ({ ...overlay, color: COLORS[number % COLORS.length] }));
    const section = this.place.closest("details"); // stays once there was anything in it, so that nothing moves
    (section ?? this.place).hidden = !view && !(section && this.seen);
    this.seen ||= Boolean(view);
    this.text.textContent = view ? `${who}${who && view.text ? " " : ""}${view.text}` : "";
    this.switches.replaceChildren(...this.overlays.map((overlay) => {
      const key = element("span", { class: "swatch", "aria-hidden": "true" });
      key.style.background = overlay.color;
      const button = element("button", { type: "button", "aria-pressed": String(this.on.has(overlay.name)) }, key, overlay.name);
      button.addEventListener("click", () => this.toggle(overlay.name, button));
      return button;
    }));
    this.lay();
  }

  toggle(name, button) {
    if (!this.on.delete(name)) this.on.add(name);
    button.setAttribute("aria-pressed", String(this.on.has(name)));
    try { localStorage.setItem("overlays", JSON.stringify([...this.on])); } catch { /* not kept, then */ }
    this.lay();
  }

  lay() {
    this.board.lay(this.overlays.filter((overlay) => this.on.has(overlay.name)));
  }
}

/** An overlay of moves, and one more of their chances if any is known. */
function withChances(overlay) {
  if (!overlay.moves?.some(({ text }) => text)) return [overlay];
  return [overlay, { name: "chances", chances: overlay.moves }];
}
