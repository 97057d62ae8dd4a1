// A tournament that is followed: the page plays a game that has ended, and then opens the latest one that ended after it.

import { patientFetch } from "./patient_fetch.js";

const EVERY = 3000; // milliseconds
const LOOK = 4000; // for which the end of a game is shown at least

const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/**
 * Opens the latest game of a tournament as soon as one has ended after the game that is shown.
 * @param {string} tournament
 * @param {number} shown the number of the game that is shown
 * @param {() => boolean} wanted whether the page still follows
 */
export async function openNext(tournament, shown, wanted) {
  await pause(LOOK);
  while (wanted()) {
    const { game } = await patientFetch(`/tournaments/${tournament}/latest`, () => {});
    if (!wanted()) return;
    if (game > shown) { location.replace(`/replay/store/${game}?follow=${tournament}`); return; }
    await pause(EVERY);
  }
}
