// Seat keys: the links that let this browser play for a seat, kept for when a person comes back.

const MOST = 200;
const PERSON = "human"; // the name of a person in a record

/** The numbers of matches with their keys and the seats that these open, the latest last; of old ones the seats are not known. */
export function all() {
  try { return JSON.parse(localStorage.getItem("keys") ?? "[]"); } catch { return []; }
}

export function kept(number) { return all().find(([own]) => own === number)?.[1]; }

/**
 * The seats of a match that this browser has played; none if that is not known.
 * @param {string} number
 * @param {{name: string}[]} seats with the names of the record: where no seats were kept, that of the only person is meant
 * @returns {number[]}
 */
export function ownSeats(number, seats) {
  const found = all().find(([own]) => own === number);
  if (!found) return [];
  const people = seats.flatMap(({ name }, seat) => (name === PERSON ? [seat] : []));
  return found[2] ?? (people.length === 1 ? people : []);
}

export function keep(number, key, seats) {
  const others = all().filter(([own]) => own !== number);
  try { localStorage.setItem("keys", JSON.stringify([...others, [number, key, seats]].slice(-MOST))); } catch { /* not kept, then */ }
}
