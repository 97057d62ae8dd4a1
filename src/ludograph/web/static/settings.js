// Settings of this browser: whether a sound is played, whether moves are confirmed, a person's name.

/**
 * @param {string} name
 * @param {string} usual the value if nothing is kept, or nothing can be kept
 */
export function setting(name, usual) {
  try { return localStorage.getItem(name) ?? usual; } catch { return usual; }
}

export function keepSetting(name, value) {
  try { localStorage.setItem(name, value); } catch { /* it is used until the page is left */ }
}

/**
 * A button that switches a setting.
 * @param {HTMLElement} button
 * @param {string} name
 * @param {boolean} usual
 * @param {(on: boolean, byHand: boolean) => void} changed also called at once
 */
export function switchOf(button, name, usual, changed) {
  let on = setting(name, String(usual)) === "true";
  const show = (byHand) => { button.setAttribute("aria-pressed", String(on)); changed(on, byHand); };
  button.addEventListener("click", () => { on = !on; keepSetting(name, String(on)); show(true); });
  show(false);
}
