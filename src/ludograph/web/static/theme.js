// How a page is shown: light or dark, as the system has it or as it was chosen here, set before anything is drawn; over the whole screen.
(() => {
  const root = document.documentElement;
  let kept = null;
  try { kept = localStorage.getItem("theme"); } catch { /* it is not kept where nothing may be */ }
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      const dark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch { /* as above */ }
    });
    const wide = document.getElementById("full-screen");
    if (!wide || !document.fullscreenEnabled) return;
    wide.hidden = false;
    wide.onclick = () => root.requestFullscreen();
  });
})();
