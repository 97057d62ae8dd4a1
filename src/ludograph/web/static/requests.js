// Requests to the server: an answer is data, and `error` in it is a sentence that says what is wrong.

const RETRY = 2000; // milliseconds after which a busy server is asked again
const EVERY = 3000; // milliseconds between two looks at a match that does not run

const UNREACHED = { error: "The server cannot be reached." };

export const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/** An answer of the server; null if none comes. */
function answerTo(address, sent = {}) { return fetch(address, sent).catch(() => null); }

/** The data of an answer of the server. */
function dataOf(answer) {
  if (!answer) return UNREACHED;
  if (answer.headers.get("content-type")?.startsWith("application/json")) return answer.json().catch(() => UNREACHED);
  return { error: answer.status === 413 ? "The file is too large." : `That did not work (error ${answer.status}). Load the page again; if it happens again, tell whoever runs this server.` };
}

/**
 * Asks the server once.
 * @param {string} address
 * @param {BodyInit} [body] what is sent to it
 * @param {string} [method]
 * @returns {Promise<any>}
 */
export async function ask(address, body, method = "POST") {
  return dataOf(await answerTo(address, body === undefined ? {} : { method, body }));
}

/**
 * Asks the server until data come: a busy one answers 503, an exhausted limit 429; an error that no later answer mends is thrown as a sentence.
 * @param {string} address
 * @param {(text: string) => void} waiting takes a sentence each time that the server is asked again
 */
export async function patientFetch(address, waiting) {
  for (;;) {
    const answer = await answerTo(address);
    if (answer?.ok) return answer.json();
    if (answer && answer.status !== 503 && answer.status !== 429) throw new Error((await dataOf(answer)).error);
    waiting(answer ? "The server is busy. Asking again …" : "The server cannot be reached. Asking again …");
    await pause(RETRY);
  }
}

/**
 * Asks for a file; what comes in place of one says why.
 * @param {string} address
 * @returns {Promise<{blob?: Blob, error?: string}>}
 */
export async function fetchFile(address) {
  const answer = await answerTo(address);
  return answer?.ok ? { blob: await answer.blob() } : dataOf(answer);
}

/**
 * Asks for a page, of which a part is to be shown; null if it does not come.
 * @param {string} address
 * @param {RequestInit} [sent]
 */
export async function freshPage(address, sent = {}) {
  const answer = await answerTo(address, { headers: { accept: "text/html" }, ...sent });
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/**
 * Shows that a form has been sent, and takes no second click until the page is shown again.
 * @param {HTMLFormElement} form begins something
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

/** Waits until the server says enough of a match that does not run. */
async function stateOf(number, isEnough) {
  for (;;) {
    const state = await ask(`/match/${number}/state`);
    if (!state.error && isEnough(state)) return state;
    await pause(EVERY);
  }
}

/** Loads this page again when its match runs, by whomever it was continued. */
export async function reloadWhenRunning(number) {
  await stateOf(number, ({ running }) => running);
  location.reload();
}

/**
 * Loads this page again when the server answers, which was started again and does not run the match.
 * @param {string} number
 * @param {boolean} alone whether no person plays: then the match goes on at once
 */
export async function reloadWhenThere(number, alone) {
  const { running } = await stateOf(number, () => true);
  // A visitor who may only look on is refused here; the page that is loaded then waits for another one.
  if (!running && alone) await ask(`/match/${number}/go-on`, "");
  location.reload();
}
