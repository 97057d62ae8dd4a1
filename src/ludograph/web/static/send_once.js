// A form that begins something is sent once, however often its button is clicked.

/**
 * Shows that a form has been sent, and takes no second click until the page is shown again.
 * @param {HTMLFormElement} form
 */
export function sendOnce(form) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button.primary"));
  const label = [...button.childNodes];
  form.addEventListener("submit", () => {
    button.replaceChildren("Getting ready …");
    setTimeout(() => { button.disabled = true; }); // a disabled button would not send the form
  });
  addEventListener("pageshow", () => {
    button.replaceChildren(...label);
    button.disabled = false;
  });
}
