// What people are called on a page, and sentences about them: "You win" rather than "human (seat 0) wins".

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const IRREGULAR = { is: "are", was: "were", has: "have", passes: "pass" };

export function capital(text) { return text.slice(0, 1).toUpperCase() + text.slice(1); }

export function ordinal(seat) { return ORDINALS[seat] ?? `${seat + 1}th`; }

/** What each seat is called by who plays for `own`: a level by its name, and no two alike. */
export function called(seats, own = []) {
  const names = seats.map(({ name, level, person, color }, seat) => {
    if (own.length === 1 && own[0] === seat) return "You";
    if (own.includes(seat)) return color ? capital(color) : `${capital(ordinal(seat))} player`;
    if (person) return "Another person";
    return level ? capital(level) : name;
  });
  return names.map((name, seat) => (names.filter((other) => other === name).length > 1 ? `${name} (${seats[seat].color || ordinal(seat)})` : name));
}

/** A verb as it follows "you". */
function yours(verb) { return IRREGULAR[verb] ?? verb.replace(/s$/, ""); }

/** What somebody has done, told to them: "plays b2 and claims the road" without its s. */
export function done(told) {
  return told.replace(/^\w+/, yours).replace(/\band (\w+s)\b/, (_, verb) => `and ${yours(verb)}`);
}

/** A sentence with seats by their numbers, in which they are called as on the page. */
export function spoken(text, seats, own = []) {
  const names = called(seats, own);
  let said = text;
  seats.forEach(({ name }, seat) => {
    const start = `${name} (seat ${seat}`;
    for (let at = said.indexOf(start); at >= 0; at = said.indexOf(start, at + 1)) {
      said = said.slice(0, at) + names[seat] + said.slice(said.indexOf(")", at + start.length) + 1);
    }
    if (seats.length === 1 && said.startsWith(`${name} `)) said = names[0] + said.slice(name.length);
  });
  said = said.replace(/\bSeat \d+, which is to move,/g, "Who is to move");
  if (names.some((name) => said.startsWith(name))) said = capital(said);
  said = said.replace(/\bYou (\w+)/g, (all, verb) => (verb === "and" ? all : `You ${yours(verb)}`));
  said = said.replace(/([^.] )You\b/g, "$1you");
  said = said.replace(/\bforfeit(s?): resign\b/g, "resign$1");
  return inCells(said);
}

/** A sentence in which the vertices of a board are called cells, as pages of games do. */
export function inCells(text) { return text.replace(/\bvertices\b/g, "cells").replace(/\bvertex\b/g, "cell"); }

/** What the server has answered to a call: data, or `error`, a sentence that says what is wrong. */
export async function toldBy(answer) {
  if (answer.headers.get("content-type")?.startsWith("application/json")) return answer.json();
  return { error: answer.status === 413 ? "The file is too large." : `The server has refused it (${answer.status}).` };
}

/** The points that a move has brought, and to whom if not to who has played it. */
export function gained(before, after, seat, names) {
  if (before.length > 1 && before.every((score) => score === 1 / before.length)) return ""; // a game without points: all share the win until its end
  const found = after.map((score, place) => [place, score - before[place]]).filter(([, points]) => points > 0);
  return found.map(([place, points]) => ` +${points}${place === seat ? "" : ` for ${names[place] === "You" ? "you" : names[place]}`}.`).join("");
}
