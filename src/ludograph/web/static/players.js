// Players of a ladder: their files are uploaded, they are withdrawn, suspended, reinstated; their versions are compared.

import { all, at } from "./page.js";
import { ask } from "./requests.js";
import { capital } from "./sentences.js";

const [form, compared] = ["upload", "compare"].map(at); // each is on one of the pages
const message = at("upload-message") ?? at("order-message");
const ENDING = /\.[a-z]+$/;

/** Sends a request, and shows its answer; returns whether it was granted. */
async function send(path, body, method = "POST") {
  message.classList.remove("wrong");
  const { message: received, error } = await ask(path, body, method);
  message.textContent = capital(error ?? received); // but the name of a file stays as it is
  message.classList.toggle("wrong", Boolean(error));
  return !error;
}

/**
 * Sends what a form asks for, which takes many seconds.
 * @param {HTMLFormElement} asking
 * @param {string} meanwhile what is said until the answer comes
 */
async function sendSlowly(asking, meanwhile, path, body) {
  const button = asking.querySelector("button");
  button.disabled = true;
  message.textContent = meanwhile;
  const isGranted = await send(path, body);
  button.disabled = false;
  return isGranted;
}

/** The name of the player: what is typed, with the ending of the file if none is typed. */
function playerName(chosen) {
  const typed = at("name").value.trim();
  if (!typed) return chosen;
  return ENDING.test(typed) ? typed : typed + (ENDING.exec(chosen)?.[0] ?? "");
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [chosen] = at("file").files;
  const player = playerName(chosen.name);
  const page = form.dataset.base + encodeURIComponent(player);
  const isTaken = await sendSlowly(form, `${player} is uploaded and checked …`, page + (at("anyway").checked ? "?anyway" : ""), chosen);
  at("upload-page").hidden = !isTaken;
  at("upload-page").firstChild.href = page;
});

for (const button of all("button[data-order]")) {
  button.addEventListener("click", () => {
    const { order, method, path } = button.dataset;
    if (confirm(`${order} ${at("orders").dataset.player}?`)) send(path, at("reason")?.value ?? "", method);
  });
}

compared?.addEventListener("submit", (event) => {
  event.preventDefault();
  const versions = `first=${at("first").value}&second=${at("second").value}`;
  sendSlowly(compared, "They play for some 20 seconds …", `${compared.dataset.path}?${versions}`, "");
});
