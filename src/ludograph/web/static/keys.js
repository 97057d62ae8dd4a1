// The keys of seats that this browser plays for: who comes back from another page has them still.

const MOST = 50;

function all() {
  try { return JSON.parse(localStorage.getItem("keys") ?? "[]"); } catch { return []; }
}

export function kept(number) { return all().find(([own]) => own === number)?.[1]; }

export function keep(number, key) {
  const others = all().filter(([own]) => own !== number);
  try { localStorage.setItem("keys", JSON.stringify([...others, [number, key]].slice(-MOST))); } catch { /* not kept, then */ }
}
