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

/** What is kept as JSON; the usual value where nothing can be read. */
export function keptData(name, usual) {
  try { return JSON.parse(setting(name, "null")) ?? usual; } catch { return usual; }
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

// Seat keys: the links that let this browser play for a seat, kept for when a person comes back.

const MOST = 200;
export const PERSON = "human"; // the name of a person in a record

/** The numbers of matches with their keys and the seats that these open, the latest last; of old ones the seats are not known. */
export function keptKeys() { return keptData("keys", []); }

export function kept(number) { return keptKeys().find(([own]) => own === number)?.[1]; }

/**
 * The seats of a match that this browser has played; none if that is not known.
 * @param {string} number
 * @param {{name: string}[]} seats with the names of the record: where no seats were kept, that of the only person is meant
 * @returns {number[]}
 */
export function ownSeats(number, seats) {
  const found = keptKeys().find(([own]) => own === number);
  if (!found) return [];
  const people = seats.flatMap(({ name }, seat) => (name === PERSON ? [seat] : []));
  return found[2] ?? (people.length === 1 ? people : []);
}

export function keep(number, key, seats) {
  const others = keptKeys().filter(([own]) => own !== number);
  keepSetting("keys", JSON.stringify([...others, [number, key, seats]].slice(-MOST)));
}
