// A page of a match that does not run: it waits until the match goes on, by whomever, and opens it then.

const EVERY = 3000; // milliseconds

/** Whether a match runs; null if the server does not answer. */
async function runs(number) {
  try {
    const answer = await fetch(`/match/${number}/state`);
    return answer.ok ? (await answer.json()).running : null;
  } catch { return null; }
}

/** Loads this page again when its match runs. */
export async function reloadWhenRunning(number) {
  while (!await runs(number)) await new Promise((done) => { setTimeout(done, EVERY); });
  location.reload();
}

/**
 * Loads this page again when the server answers, which was started again and does not run the match.
 * @param {string} number
 * @param {boolean} alone whether no person plays: then the match goes on at once
 */
export async function reloadWhenThere(number, alone) {
  let running = await runs(number);
  while (running === null) {
    await new Promise((done) => { setTimeout(done, EVERY); });
    running = await runs(number);
  }
  // A visitor who may only look on is refused here; the page that is loaded then waits for another one.
  if (!running && alone) await fetch(`/match/${number}/go-on`, { method: "POST" }).catch(() => null);
  location.reload();
}
