// The picture of a game plays a recorded game, a move a second. It stands still while its card is pointed at or has the
// focus, while it is out of sight, and always for readers who prefer reduced motion.

const MOVE = 1000; // milliseconds
const END = 3; // moves for which the end of the game stays

/** @param {HTMLImageElement} picture */
export function play(picture) {
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");
  const card = picture.closest("li");
  const last = Number(picture.dataset.moves);
  const pictures = new URL("example/", picture.src);
  const state = { shown: Number(picture.dataset.shown), rested: 0, seen: false, coming: false };
  const still = () => !state.seen || document.hidden || reduced.matches || card.matches(":hover, :focus-within");

  async function step() {
    if (state.coming || still()) return;
    if (state.shown === last && state.rested < END) { state.rested += 1; return; }
    const next = state.shown === last ? 0 : state.shown + 1;
    const drawn = new Image();
    drawn.src = new URL(`${next}.svg`, pictures).href;
    state.coming = true;
    try {
      await drawn.decode();
      if (!still()) {
        picture.src = drawn.src;
        picture.dataset.shown = String(next);
        Object.assign(state, { shown: next, rested: 0 });
      }
    } catch { /* it is asked for again */ }
    state.coming = false;
  }

  new IntersectionObserver((entries) => { state.seen = entries[entries.length - 1].isIntersecting; }).observe(picture);
  setInterval(step, MOVE);
}
