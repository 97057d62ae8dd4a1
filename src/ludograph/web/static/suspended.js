// The page of a match that was paused.

import { at } from "./panel.js";
import { reloadWhenRunning } from "./requests.js";

reloadWhenRunning(at("suspended").dataset.number);
