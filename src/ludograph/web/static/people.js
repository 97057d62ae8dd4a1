// The people of a match: their names, who has left the page, and the links by which others come.

import { all, at, copied, element } from "./page.js";
import { capital } from "./sentences.js";
import { keepSetting, setting } from "./settings.js";

const PATIENCE = 3000; // milliseconds: a page that is loaded again is away for less
const NAMING = 500; // milliseconds until the page of a person who comes has sent the name

export class People {
  /**
   * @param {{names: () => string[], draw: () => void, send: (name: string) => Promise<any>, reply: (text: string) => void, unsay: (text: string) => void}} on
   *   the names of all seats, `draw()` the seats again, `send(name)` tells the server this person's name,
   *   `reply(text)` says something to this person only, `unsay(text)` takes it away again
   */
  constructor(on) {
    this.on = on;
    this.away = new Set(); // seats whose people are not here
    this.said = ""; // of the last one who came or left
    this.movedOn = false; // to a rematch
    this.timer = null;
    this.events();
  }

  /** Takes the state of a page that has just connected. */
  begin(away) { this.away = new Set(away); }

  /** Takes notice that the people go to the page of a rematch: nobody is missed here any more. */
  moveOn() {
    this.movedOn = true;
    clearTimeout(this.timer);
    this.on.draw();
  }

  /** Takes notice of who is away; somebody who has just come is named, somebody who leaves may come back at once. */
  change(away) {
    clearTimeout(this.timer);
    const come = [...this.away].filter((seat) => !away.includes(seat));
    this.timer = setTimeout(() => this.tell(new Set(away)), come.length ? NAMING : PATIENCE);
  }

  /** Says who has come or left: one sentence, in place of the one before. */
  tell(away) {
    if (this.movedOn) return;
    const seat = [...this.away, ...away].find((each) => this.away.has(each) !== away.has(each));
    this.away = away;
    this.on.draw();
    if (seat === undefined) return;
    this.on.unsay(this.said);
    if (away.has(seat)) for (const links of all(".invites")) links.hidden = false;
    const isSaidThere = !away.has(seat) && [...all(".invite")].some((link) => Number(link.dataset.seat) === seat && !link.closest(".invites").hidden);
    this.said = isSaidThere ? "" : `${this.on.names()[seat]} ${away.has(seat) ? "has left the page" : "is here"}.`;
    if (this.said) this.on.reply(this.said);
  }

  /** Takes notice of seats that are drawn: writes into them who is away. */
  mark(seats) {
    seats.forEach((seat, place) => { seat.away = this.away.has(place) && !this.movedOn; });
    this.showLinks();
  }

  /** Takes notice that this person has moved: who has no name wants none, and links are not needed if all people are here. */
  play() {
    if (at("naming")) at("naming").open = false;
    if (!this.away.size) for (const links of all(".invites")) links.hidden = true;
  }

  /** Shows each link, or that its person is here, in the same room: nothing on the page moves. */
  showLinks() {
    for (const link of all(".invite")) {
      const seat = Number(link.dataset.seat);
      const here = !this.away.has(seat);
      link.classList.toggle("here", here);
      link.querySelector(".present").textContent = `${this.on.names()[seat]} is here.`;
      if (here) link.querySelector("details").open = false;
    }
  }

  events() {
    for (const link of all(".invite")) {
      const [field, button] = ["input", "button"].map((name) => link.querySelector(name));
      field.addEventListener("focus", () => field.select());
      button.addEventListener("click", async () => {
        const before = button.textContent;
        const isCopied = await copied(field.value, field);
        button.textContent = isCopied ? "Copied" : "Ctrl+C";
        setTimeout(() => { button.textContent = before; }, 2000);
      });
    }
    const [box, field] = ["naming", "own-name"].map(at);
    if (!box) return;
    box.hidden = false; // sent before this, the form would load the page without its key
    field.value = setting("name", "");
    box.open = !field.value;
    box.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const answered = await this.sendName(box, field);
      if (answered) this.on.reply(answered.name ? `Your name is ${answered.name} now.` : "You have no name now.");
    });
    if (field.value) this.sendName(box, field);
  }

  async sendName(box, field) {
    const answered = await this.on.send(field.value);
    if (!answered) return null;
    keepSetting("name", field.value.trim());
    field.value = answered.name;
    box.firstElementChild.textContent = answered.name ? `Your name: ${answered.name}` : "Your name";
    box.open = !answered.name;
    return answered;
  }
}

// What needs the consent of all people: the question with its buttons, and what became of it.

const PROPOSED = { // as sentences for the others and for the person who asks
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
    const awaited = Boolean(proposal?.missing.some((seat) => own.includes(seat)));
    const mine = own.includes(proposal?.seat);
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
