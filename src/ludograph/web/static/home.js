// Matches that this browser plays are opened with their keys.
import { kept } from "./keys.js";

for (const link of document.querySelectorAll("a[href^='/match/']")) {
  const key = kept(link.pathname.split("/").pop());
  if (key) link.setAttribute("href", `${link.pathname}?key=${encodeURIComponent(key)}`);
}

// A record dropped on the page, or chosen, is opened.
const drop = document.getElementById("drop");
const file = document.getElementById("file");
const complaint = document.getElementById("complaint");

async function open(record) {
  complaint.hidden = true;
  let sentence = "The file could not be sent.";
  try {
    const answer = await fetch("/open", { method: "POST", body: record });
    const told = await answer.json().catch(() => ({ error: "The file is too large." }));
    if (answer.ok) { location.assign(told.url); return; }
    sentence = told.error;
  } catch { /* the sentence says it */ }
  complaint.textContent = sentence;
  complaint.hidden = false;
}

file.addEventListener("change", () => { if (file.files.length) open(file.files[0]); });
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragover");
    if (name === "drop" && event.dataTransfer.files.length) open(event.dataTransfer.files[0]);
  });
}
