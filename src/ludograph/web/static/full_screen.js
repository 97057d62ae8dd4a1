// The button that gives a page the whole screen.

import { at } from "./panel.js";

const button = at("full-screen");

if (document.fullscreenEnabled) {
  button.hidden = false;
  button.onclick = () => document.documentElement.requestFullscreen();
}
