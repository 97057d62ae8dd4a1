// The upload of a player's file to a ladder.
import { at } from "./panel.js";
import { toldBy } from "./sentences.js";

const form = at("upload");
const told = at("told");
const [file, name] = ["file", "name"].map(at);

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [chosen] = file.files;
  const called = name.value.trim() || chosen.name;
  let answer = { error: "The server cannot be reached." };
  let brought = false;
  try {
    const got = await fetch(form.dataset.base + encodeURIComponent(called), { method: "POST", body: chosen });
    brought = got.ok;
    answer = await toldBy(got);
  } catch { /* the sentence says it */ }
  const text = answer.told ?? answer.error;
  told.textContent = text.slice(0, 1).toUpperCase() + text.slice(1);
  told.classList.toggle("wrong", !brought);
});
