// The page of a match that was paused.
import { reloadWhenRunning } from "./follow.js";
import { at } from "./panel.js";

reloadWhenRunning(at("suspended").dataset.number);
