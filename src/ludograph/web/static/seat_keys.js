// Seat keys: the links that let this browser play for a seat, kept for when a person comes back.

const MOST = 50;

/** The numbers of matches with their keys, the latest last. */
export function all() {
  try { return JSON.parse(localStorage.getItem("keys") ?? "[]"); } catch { return []; }
}

export function kept(number) { return all().find(([own]) => own === number)?.[1]; }

export function keep(number, key) {
  const others = all().filter(([own]) => own !== number);
  try { localStorage.setItem("keys", JSON.stringify([...others, [number, key]].slice(-MOST))); } catch { /* not kept, then */ }
}
