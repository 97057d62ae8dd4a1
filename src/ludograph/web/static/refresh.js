// A page that is brought up to date by itself: the part with the id "fresh" is fetched again while it says so.

import { at } from "./panel.js";
import { prepare } from "./tables.js";

const EVERY = 2000;

async function refresh() {
  try {
    const answer = document.hidden ? null : await fetch(location.pathname, { headers: { accept: "text/html" } });
    const text = answer?.ok ? await answer.text() : "";
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("fresh");
    if (fresh) replace(at("fresh"), fresh);
  } catch { /* it is tried again */ }
  next();
}

/** Replaces the part; who has the focus in it keeps it, as far as it can be found again. */
function replace(shown, fresh) {
  const focused = document.activeElement;
  const inside = shown.contains(focused);
  if (inside && !focused.id) return;
  const selection = focused instanceof HTMLInputElement ? [focused.selectionStart, focused.selectionEnd] : null;
  shown.replaceWith(fresh);
  prepare(fresh);
  if (!inside) return;
  at(focused.id)?.focus();
  if (selection) at(focused.id)?.setSelectionRange(...selection);
}

function next() {
  const { running, every } = at("fresh").dataset;
  if (running !== undefined) setTimeout(refresh, Number(every ?? EVERY));
}

next();
