// What needs the consent of all people: the question with its buttons, and what became of it.

import { at, element } from "./panel.js";
import { capital } from "./sentences.js";

/** Requests that need consent, as sentences for the others and for the person who asks. */
const PROPOSED = {
  undo: ["asks to take back", "You have asked to take your last move back"],
  rematch: ["proposes a rematch with exchanged seats.", "You have proposed a rematch"],
};

export class Proposals {
  /**
   * @param {{own: () => number[], names: () => string[], undone: (seat: number) => string, send: (kind: string, number: number) => void, asked: (waits: boolean) => void, reply: (text: string, wrong?: boolean) => void}} on
   *   the seats of this page, the names of all seats, `undone(seat)`: the moves that go if a seat takes its last one back,
   *   `send(kind, number)` for an answer, `asked` for whether one is awaited of this page, `reply(text)` for a sentence
   */
  constructor(on) {
    this.on = on;
    this.place = at("question");
  }

  /** Shows a proposal: with two buttons to the people who must agree, as a sentence to the person who made it. */
  show(proposal) {
    const own = this.on.own();
    const awaited = Boolean(proposal) && proposal.missing.some((seat) => own.includes(seat));
    const mine = Boolean(proposal) && own.includes(proposal.seat);
    this.on.asked(awaited);
    this.place.hidden = !awaited && !mine;
    this.place.replaceChildren();
    if (this.place.hidden) return;
    const [asks, ours] = PROPOSED[proposal.kind];
    const theirs = proposal.kind === "undo" ? `${asks} ${this.on.undone(proposal.seat)}.` : asks;
    const text = mine ? `${ours}; waiting for an answer …` : `${capital(this.on.names()[proposal.seat])} ${theirs}`;
    const buttons = mine ? [["decline", "Withdraw"]] : [["accept", "Accept"], ["decline", "Decline"]];
    this.place.append(element("span", {}, text), ...buttons.map(([kind, label]) => {
      const button = element("button", { type: "button" }, label);
      button.addEventListener("click", () => this.on.send(kind, proposal.number));
      return button;
    }));
  }

  /** Shows that a proposal is over; one that was accepted is carried out. */
  settle({ kind, seat, how }) {
    this.show(null);
    const own = this.on.own();
    const mine = own.includes(seat);
    if (how === "declined" && mine) this.on.reply(`${PROPOSED[kind][1]}; it was declined.`, true);
    else if (how === "declined" && own.length) this.on.reply("It was declined.");
    else if (how === "withdrawn" && !mine && own.length) this.on.reply("The question was withdrawn.");
  }
}
