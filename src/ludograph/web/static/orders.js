// What may be done with a player of a ladder: it is withdrawn, suspended, reinstated.

import { all, at } from "./page.js";
import { ask } from "./requests.js";

const message = at("order-message");

for (const button of all("button[data-order]")) {
  button.addEventListener("click", async () => {
    const { order, method, path } = button.dataset;
    if (!confirm(`${order} ${at("orders").dataset.player}?`)) return;
    const reason = at("reason")?.value ?? "";
    const { message: received, error } = await ask(path, reason, method);
    message.textContent = error ?? received;
    message.classList.toggle("wrong", Boolean(error));
  });
}
