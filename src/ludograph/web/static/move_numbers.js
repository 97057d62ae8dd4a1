// The numbers of moves, for games in which a move fills a cell.

/**
 * By cell, the number of the move that has filled it: a move whose way is that cell alone. A move over several cells takes away what was there.
 * @param {{way?: number[], number?: number}[]} moves of seats and of chance, which has no numbers
 * @returns {Map<number, string>}
 */
export function numbersOf(moves) {
  const numbers = new Map();
  for (const { way = [], number } of moves) {
    for (const cell of way) numbers.delete(cell);
    if (way.length === 1 && number) numbers.set(way[0], String(number));
  }
  return numbers;
}
