// The upload of a player's file to a ladder.

import { at } from "./page.js";
import { ask } from "./requests.js";

const form = at("upload");
const message = at("upload-message");
const [file, name] = ["file", "name"].map(at);

const ENDING = /\.[a-z]+$/;

/** The name of the player: what is typed, with the ending of the file if none is typed. */
function playerName(chosen) {
  const typed = name.value.trim();
  if (!typed) return chosen;
  return ENDING.test(typed) ? typed : typed + (ENDING.exec(chosen)?.[0] ?? "");
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [chosen] = file.files;
  const player = playerName(chosen.name);
  const button = form.querySelector("button");
  button.disabled = true; // when a whole course uploads, an answer takes many seconds
  message.classList.remove("wrong");
  message.textContent = `${player} is uploaded and checked …`;
  const asked = at("anyway").checked ? "?anyway" : "";
  const { message: received, error } = await ask(form.dataset.base + encodeURIComponent(player) + asked, chosen);
  button.disabled = false;
  const text = error ?? received;
  message.textContent = text.startsWith(player) ? text : text.slice(0, 1).toUpperCase() + text.slice(1); // the name of a file stays as it is
  at("upload-page").hidden = Boolean(error);
  at("upload-page").firstChild.href = form.dataset.base + encodeURIComponent(player);
  message.classList.toggle("wrong", Boolean(error));
});
