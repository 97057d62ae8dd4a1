// It is your turn, or somebody waits for your answer: the tab's title says it, and a sound if it is switched on.

import { switchOf } from "./settings.js";

const NOTES = [[660, 0], [880, 0.12]]; // hertz, seconds after the first
const LOUDNESS = 0.12;

export class TurnSignal {
  /** @param {HTMLElement} button switches the sound */
  constructor(button) {
    this.title = document.title;
    this.mine = null; // unknown before the first position
    this.asked = false; // a request waits for an answer of this page
    /** @type {AudioContext | null} */
    this.audio = null;
    switchOf(button, "sound", false, (on, byHand) => {
      this.sounds = on;
      if (on && byHand) this.play(); // shows what is to be heard
    });
  }

  /** Takes notice of whose turn it is. */
  show(mine) {
    if (mine && this.mine === false && this.sounds) this.play();
    this.mine = mine;
    this.write();
  }

  /** Takes notice of whether a request waits for an answer of this page. */
  ask(asked) {
    if (asked && !this.asked && this.sounds) this.play();
    this.asked = asked;
    this.write();
  }

  write() { document.title = this.mine || this.asked ? `● ${this.title}` : this.title; }

  play() {
    this.audio ??= new AudioContext();
    this.audio.resume(); // a browser lets a page sound after the first click on it
    for (const [pitch, after] of NOTES) {
      const start = this.audio.currentTime + after;
      const tone = new OscillatorNode(this.audio, { frequency: pitch });
      const gain = new GainNode(this.audio, { gain: 0 });
      gain.gain.setTargetAtTime(LOUDNESS, start, 0.01);
      gain.gain.setTargetAtTime(0, start + 0.08, 0.05);
      tone.connect(gain).connect(this.audio.destination);
      tone.start(start);
      tone.stop(start + 0.5);
    }
  }
}
