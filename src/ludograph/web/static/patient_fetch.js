// Data of the server, asked for until it comes: a busy server answers 503, an exhausted limit 429.

import { dataOf } from "./sentences.js";

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
