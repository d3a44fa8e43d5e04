// Filters of puzzles by their lattice, their number of pieces and their number of solutions: for the wall of the page
// and for the gallery of the site.

export const names = { lattice: "Lattice", pieces: "Pieces", solutions: "Solutions", tag: "Tag" };

const STRIDE = 167; // a prime number, so that neighbouring days have puzzles of different families

const ranges = {
  pieces: [["1 to 5", 1, 5], ["6 to 8", 6, 8], ["9 to 12", 9, 12], ["13 to 20", 13, 20], ["over 20", 21, Infinity]],
  solutions: [
    ["none", 0, 0], ["1", 1, 1], ["2 to 10", 2, 10], ["11 to 100", 11, 100], ["101 to 1,000", 101, 1000],
    ["over 1,000", 1001, Infinity],
  ],
};
const unknown = { pieces: "varies", solutions: "not counted" };

/** The values with their numbers, most frequent first, as choices [value, words, further words]. */
function counted(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) || 0) + 1);
  return [...found].sort((one, two) => two[1] - one[1] || one[0].localeCompare(two[0])).map(([value, count]) => [value, value, ` (${count})`]);
}

/** The choices of each filter for puzzles { lattice, pieces, solutions, tags }; numbers are texts, empty if unknown. */
export function choices(puzzles) {
  const ranged = (name) => [...ranges[name].map(([words]) => words), unknown[name]].map((words) => [words, words]);
  return {
    lattice: counted(puzzles.map((puzzle) => puzzle.lattice)),
    pieces: ranged("pieces"),
    solutions: ranged("solutions"),
    tag: counted(puzzles.flatMap((puzzle) => puzzle.tags)),
  };
}

/**
 * The puzzle of a day, for puzzles { name, solutions }: one with a solution, whose picture is no thin strip. No other day
 * in a round has the same.
 */
export function ofTheDay(puzzles, date = new Date()) {
  const some = puzzles.filter(({ name, solutions }) => Number(solutions) > 0 && !/^(new|line|morse)\//.test(name)).sort((one, other) => (one.name < other.name ? -1 : 1));
  const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  return some[(day * STRIDE) % some.length];
}

/** Whether a puzzle has the chosen value of a filter. */
export function fits(puzzle, name, value) {
  if (name === "tag") return puzzle.tags.includes(value);
  if (name === "lattice") return puzzle.lattice === value;
  if (puzzle[name] === "") return value === unknown[name];
  const range = ranges[name].find(([words]) => words === value);
  return Boolean(range) && Number(puzzle[name]) >= range[1] && Number(puzzle[name]) <= range[2];
}
