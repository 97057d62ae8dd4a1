// Shows of a form what matters: as many seats as play, times of those that think, options that mean something.
const form = document.getElementById("begin");

function refresh() {
  const seats = form.elements.seats ? Number(form.elements.seats.value) : form.querySelectorAll(".seat").length;
  for (const row of form.querySelectorAll(".seat")) {
    const plays = Number(row.dataset.seat) < seats;
    row.hidden = !plays;
    for (const each of row.querySelectorAll("select, input")) each.disabled = !plays;
    const select = row.querySelector("select");
    for (const option of select.options) {
      if (!option.dataset.low) continue;
      const fits = Number(option.dataset.low) <= seats && seats <= Number(option.dataset.high);
      option.hidden = option.disabled = !fits;
    }
    if (select.selectedOptions[0]?.disabled) {
      select.value = [...select.options].find((each) => each.dataset.low && !each.disabled).value;
    }
    const chosen = select.selectedOptions[0];
    row.querySelector(".time").hidden = chosen?.dataset.times === undefined;
    row.querySelector(".told").textContent = chosen?.title ?? "";
  }
  for (const row of form.querySelectorAll("[data-only]")) {
    const other = form.elements[row.dataset.only];
    row.hidden = other.value !== row.dataset.value;
    for (const each of row.querySelectorAll("select, input")) each.disabled = row.hidden;
  }
}

form.addEventListener("change", refresh);
form.addEventListener("submit", () => {
  const button = form.querySelector("button.primary");
  button.textContent = "Getting ready …";
  setTimeout(() => { button.disabled = true; });
});
addEventListener("pageshow", () => {
  const button = form.querySelector("button.primary");
  button.textContent = "Start";
  button.disabled = false;
  refresh();
});
