// Pictures that are asked for again: a server that has just begun, or is busy, answers 503.

const RETRY = 2000; // milliseconds after which a picture is asked for again
const MOST = 15; // times

/** @param {HTMLImageElement} picture it is not seen until it has come, rather than seen as broken */
export function askAgain(picture) {
  let asked = 0;
  const again = () => {
    asked += 1;
    picture.classList.add("coming");
    if (asked <= MOST) setTimeout(() => { picture.src = picture.getAttribute("src"); }, RETRY);
  };
  picture.addEventListener("error", again);
  picture.addEventListener("load", () => picture.classList.remove("coming"));
  if (picture.complete && !picture.naturalWidth) again(); // it had failed before this
}
