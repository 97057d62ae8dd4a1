// A page that shows a running tournament: fetched anew every two seconds while it runs.
const EVERY = 2000;

async function refresh() {
  try {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("fresh");
    const shown = document.getElementById("fresh");
    if (fresh && !shown.contains(document.activeElement)) shown.replaceWith(fresh);
  } catch { /* it is tried again */ }
  if (document.getElementById("fresh").dataset.running !== undefined) setTimeout(refresh, EVERY);
}

setTimeout(refresh, EVERY);
