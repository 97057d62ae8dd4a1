// Fixed phrases between the people of a match: what was said, and buttons to say something.

import { all, at, element } from "./panel.js";
import { switchOf } from "./settings.js";

const SHOWN = 2; // the last phrases; the place has room for them, so that nothing moves

/**
 * A phrase that a person has said.
 * @typedef {{seat: number, text: string}} SaidPhrase
 */

export class Phrases {
  /**
   * @param {{names: () => string[], send: (phrase: number) => Promise<any>}} on
   *   the names of all seats, `send(phrase)` says the phrase of a number
   */
  constructor(on) {
    this.on = on;
    this.place = at("said-phrases");
    /** @type {SaidPhrase[]} */
    this.said = [];
    switchOf(at("phrases-on"), "phrases", true, (shown) => { at("phrases").hidden = !shown; });
    let sending = false; // a double click says it once
    for (const button of all("[data-phrase]")) {
      button.addEventListener("click", async () => {
        if (sending) return;
        sending = true;
        await on.send(Number(button.dataset.phrase));
        sending = false;
      });
    }
  }

  /** Takes the last phrases, for a page that has just connected. */
  begin(said) {
    this.said = said.slice(-SHOWN);
    this.draw();
  }

  /** Takes one more phrase. */
  add({ seat, text }) {
    this.said = [...this.said, { seat, text }].slice(-SHOWN);
    this.place.append(this.line({ seat, text })); // a screen reader reads what is added
    while (this.place.childElementCount > SHOWN) this.place.firstChild.remove();
  }

  draw() { this.place.replaceChildren(...this.said.map((each) => this.line(each))); }

  line({ seat, text }) { return element("p", {}, element("strong", {}, `${this.on.names()[seat]}:`), ` ${text}`); }
}
