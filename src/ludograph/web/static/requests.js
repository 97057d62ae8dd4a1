// Requests to the server: its answers, data that are asked for until they come, forms that are sent once.

/** The data of an answer of the server; `error` in it is a sentence that says what is wrong. */
export async function dataOf(answer) {
  if (answer.headers.get("content-type")?.startsWith("application/json")) return answer.json();
  return { error: answer.status === 413 ? "The file is too large." : `The server has refused it (${answer.status}).` };
}

// Data of the server, asked for until it comes: a busy server answers 503, an exhausted limit 429.

const RETRY = 2000; // milliseconds after which the server is asked again

/**
 * The data at an address; an error that no later answer mends is thrown as a sentence.
 * @param {string} address
 * @param {(text: string) => void} waiting takes a sentence each time that the server is asked again
 */
export async function patientFetch(address, waiting) {
  for (;;) {
    const answer = await fetch(address).catch(() => null); // null: no answer
    if (answer?.ok) return answer.json();
    if (answer && answer.status !== 503 && answer.status !== 429) throw new Error((await dataOf(answer)).error);
    waiting(answer ? "The server is busy. Asking again …" : "The server cannot be reached. Asking again …");
    await new Promise((done) => { setTimeout(done, RETRY); });
  }
}

// A form that begins something is sent once, however often its button is clicked.

/**
 * Shows that a form has been sent, and takes no second click until the page is shown again.
 * @param {HTMLFormElement} form
 */
export function sendOnce(form) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button.primary"));
  const label = [...button.childNodes];
  form.addEventListener("submit", () => {
    button.replaceChildren("Getting ready …");
    setTimeout(() => { button.disabled = true; }); // a disabled button would not send the form
  });
  addEventListener("pageshow", () => {
    button.replaceChildren(...label);
    button.disabled = false;
  });
}

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
