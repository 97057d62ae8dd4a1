// Names and sentences for the person at a page: "You win" rather than "human (seat 0) wins".

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const IRREGULAR = { is: "are", was: "were", has: "have", does: "do", passes: "pass" };
const PERSON = "a person"; // as the server names a person who has given no name

const FILE = /^[^\s.]+\.[a-z]/; // the name of a player's file, in which small and capital letters differ

/** A text that begins with a capital letter, unless it begins with the name of a file. */
export function capital(text) { return FILE.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1); }

/** A text as a sentence of its own. */
export function sentence(text) { return `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}`; }

export function ordinal(seat) { return ORDINALS[seat] ?? `${seat + 1}th`; }

/** The seats of a recorded game that this browser has played; see `nameSeats`. */
const ownOf = (seats) => seats.flatMap((seat, place) => (seat.own ? [place] : []));

/** The name of each seat on the page of a person who plays the seats `own`: "You", a level's name; no two alike. */
export function displayNames(seats, own = ownOf(seats)) {
  const names = seats.map(({ name, shown, person, color, called }, seat) => {
    if (own.length === 1 && own[0] === seat) return "You";
    if (own.includes(seat)) return color ? capital(color) : `${capital(ordinal(seat))} player`;
    if (person) return called || (own.length ? "Another person" : "A person");
    return shown ?? name;
  });
  return names.map((name, seat) => (names.filter((other) => other === name).length > 1 ? `${name} (${seats[seat].color || ordinal(seat)})` : name));
}

/** Gives the seats of a recorded game the names of their people, which are not in the record; `own` are those that this browser has played. */
export function nameSeats(seats, people, own) {
  seats.forEach((seat, place) => {
    const unnamed = seat.shown === PERSON ? (own.length ? "Another person" : "A person") : seat.shown;
    Object.assign(seat, { shown: people[place] || unnamed, own: own.includes(place) });
  });
}

/** A verb as it follows "you". */
function yours(verb) { return IRREGULAR[verb] ?? verb.replace(/s$/, ""); }

/** The announcement of a move, for the person who made it: "plays b2 and claims the road" without its s. */
export function inSecondPerson(announcement) {
  return announcement.replace(/^\w+/, yours).replace(/\band (\w+s)\b/, (_, verb) => `and ${yours(verb)}`);
}

/** A sentence made with the names of this page: "You win", "your chance to win", and "a person" small within the sentence. */
export function addressed(text) {
  return text.replace(/\bYou\u2019s:/g, "Yours:").replace(/\bYou\u2019s\b/g, "Your")
    .replace(/\bYou (\w+)/g, (all, verb) => (verb === "and" ? all : `You ${yours(verb)}`))
    .replace(/([^.:] )(You|Your|Yours|A person|Another person)\b/g, (_, before, name) => before + name.slice(0, 1).toLowerCase() + name.slice(1));
}

/** A sentence in which the names on this page replace names with seat numbers. */
export function spoken(text, seats, own = ownOf(seats)) {
  const names = displayNames(seats, own);
  let said = text;
  seats.forEach(({ name }, seat) => {
    const start = `${name} (seat ${seat}`;
    for (let at = said.indexOf(start); at >= 0; at = said.indexOf(start, at + 1)) {
      said = said.slice(0, at) + names[seat] + said.slice(said.indexOf(")", at + start.length) + 1);
    }
    if (seats.length === 1 && said.startsWith(`${name} `)) said = names[0] + said.slice(name.length);
  });
  said = said.replace(/\bSeat (\d+), which (?:is to move|moves \w+),/g, (_, seat) => names[seat] ?? "Who is to move");
  said = said.replace(/\bSeat (\d+)\b/g, (all, seat) => names[seat] ?? all);
  if (names.some((name) => said.startsWith(name))) said = capital(said);
  return addressed(said);
}

/** The points that seats have got by a move: pairs of a seat and its points. */
export function gainsOf(before, after) {
  if (before.length > 1 && before.every((score) => score === 1 / before.length)) return []; // a game without points: all share the win until its end
  return after.map((score, place) => [place, score - before[place]]).filter(([, points]) => points > 0);
}

/** The points that a move has brought: with names, unless only its own seat got some; nothing if what is said of the move has these points. */
export function gained(before, after, seat, names, said = "") {
  const gains = gainsOf(before, after);
  const only = gains.length === 1 && gains[0][0] === seat;
  if (only && new RegExp(`\\(${gains[0][1]} points?\\)`).test(said)) return "";
  return gains.map(([place, points]) => ` +${points}${only ? "" : ` for ${names[place] === "You" ? "you" : names[place]}`}.`).join("");
}
