// Pictures that come later: a server that has just begun, or is busy, answers 503, and is asked again.
//
// Until a picture has come, its frame has its size already and shows an empty board; see `.picture` in style.css.

const RETRY = 2000; // milliseconds after which a picture is asked for again
const MOST = 15; // times

/** @param {HTMLImageElement} picture it is not seen until it has come, rather than seen as broken */
export function askAgain(picture) {
  let asked = 0;
  if (!picture.complete) picture.classList.add("coming");
  const again = () => {
    asked += 1;
    picture.classList.add("coming");
    if (asked <= MOST) setTimeout(() => { picture.src = picture.getAttribute("src"); }, RETRY);
  };
  picture.addEventListener("error", again);
  picture.addEventListener("load", () => picture.classList.remove("coming"));
  if (picture.complete && !picture.naturalWidth) again(); // it had failed before this
}
