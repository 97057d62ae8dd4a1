// What may be done with a player of a ladder: it is withdrawn, suspended, reinstated; its versions are compared.

import { all, at } from "./page.js";
import { ask } from "./requests.js";

const message = at("order-message");
const compared = at("compare");

/** Sends a request, and shows its answer. */
async function send(path, body, method) {
  const { message: received, error } = await ask(path, body, method);
  message.textContent = error ?? received;
  message.classList.toggle("wrong", Boolean(error));
}

for (const button of all("button[data-order]")) {
  button.addEventListener("click", () => {
    const { order, method, path } = button.dataset;
    if (confirm(`${order} ${at("orders").dataset.player}?`)) send(path, at("reason")?.value ?? "", method);
  });
}

compared.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = compared.querySelector("button");
  button.disabled = true;
  message.textContent = "They play for some 20 seconds …";
  const versions = `first=${at("first").value}&second=${at("second").value}`;
  await send(`${compared.dataset.path}?${versions}`, "");
  button.disabled = false;
});
