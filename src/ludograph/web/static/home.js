// The home page: matches that this browser plays are opened with their keys, and "you" has played them.

import { all, at, element } from "./page.js";
import { ask, freshPage, sendOnce } from "./requests.js";
import { displayNames, spoken } from "./sentences.js";
import { kept, keptKeys, ownSeats, PERSON } from "./settings.js";

for (const link of all("a[href^='/match/']")) {
  const key = kept(link.pathname.split("/").pop());
  if (key) link.setAttribute("href", `${link.pathname}?key=${encodeURIComponent(key)}`);
}

const ASKED = 50; // keys, the most that the server takes

/** Shows the games of this browser, which it proves by their keys, above all others. */
async function showOwnGames() {
  const keys = keptKeys().slice(-ASKED).map(([number, key]) => [number, key]);
  if (!keys.length) return;
  const page = await freshPage("/mine", { method: "POST", body: JSON.stringify(keys) });
  if (!page) return; // the lists below have all that are not private
  const own = page.getElementById("mine");
  for (const { dataset } of all("li", own)) for (const item of all(`li[data-number="${dataset.number}"]`)) item.remove();
  at("mine").replaceWith(own);
  nameThisPerson(at("mine"));
  sayTimes(at("mine"));
  if (at("running") && !document.querySelector("[aria-labelledby='running'] li")) at("running").closest("section").remove();
}

const LOBBY = 5000; // milliseconds between two looks at the lobby

/** Challenges of this browser lead to their pages, without a button. */
function markOwnChallenges() {
  for (const item of all("[data-challenge]")) {
    const key = kept(item.dataset.challenge);
    if (!key) continue;
    const link = element("a", { href: `/match/${item.dataset.challenge}?key=${encodeURIComponent(key)}` });
    link.append(...item.querySelector("form > span").childNodes, " your own");
    item.replaceChildren(link);
  }
}

async function refreshLobby() {
  if (document.visibilityState !== "visible") return;
  const fresh = (await freshPage("/lobby"))?.getElementById("lobby");
  const shown = at("lobby");
  if (!fresh || shown.contains(document.activeElement)) return;
  shown.replaceWith(fresh);
  markOwnChallenges();
}

markOwnChallenges();
setInterval(refreshLobby, LOBBY);

// The large picture plays a game by itself until it is stopped.
at("still")?.addEventListener("click", () => {
  const { dataset, src } = at("plays");
  [at("plays").src, dataset.other] = [dataset.other, src];
  const isStill = src.endsWith("example.svg");
  at("still").setAttribute("aria-pressed", String(isStill));
  at("still").textContent = isStill ? "▶" : "❚❚";
});

for (const form of all(".hero form")) sendOnce(form);

/** Writes "You" for this person into lists of games. */
function nameThisPerson(place) {
  for (const item of all("li[data-players]", place)) {
    const shown = item.dataset.shown.split("\n");
    const seats = item.dataset.players.split("\n").map((name, seat) => ({ name, shown: shown[seat], called: name === PERSON ? shown[seat] : "", person: name === PERSON, color: "" }));
    const own = item.dataset.own ? item.dataset.own.split(" ").map(Number) : ownSeats(item.dataset.number, seats);
    if (!own.length) continue;
    item.querySelector("strong").textContent = displayNames(seats, own).join(" – ");
    if (item.dataset.sentence) item.querySelector(".end").textContent = spoken(item.dataset.sentence, seats, own);
  }
}

/** Writes dates in the time zone of the browser. */
function sayTimes(place) {
  const now = new Date();
  for (const time of all("time", place)) {
    const when = new Date(time.dateTime);
    const today = when.toDateString() === now.toDateString();
    /** @type {Intl.DateTimeFormatOptions} */
    const day = when.getFullYear() === now.getFullYear() ? { month: "long", day: "numeric" } : { dateStyle: "long" };
    time.textContent = today ? `today, ${when.toLocaleTimeString("en", { timeStyle: "short", hour12: false })}` : when.toLocaleDateString("en", day);
  }
}

nameThisPerson(document);
sayTimes(document);
showOwnGames();

// A record dropped on the page, or chosen, is opened.
const drop = at("drop");
const file = at("file");
const complaint = at("complaint");

async function open(record) {
  complaint.hidden = true;
  const { url, error } = await ask("/open", record);
  if (url) { location.assign(url); return; }
  complaint.textContent = error;
  complaint.hidden = false;
}

file.addEventListener("change", () => { if (file.files.length) open(file.files[0]); });
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragover");
    const files = /** @type {DragEvent} */ (event).dataTransfer?.files ?? [];
    if (name === "drop" && files.length) open(files[0]);
  });
}
