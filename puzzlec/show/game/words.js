// What the game says: all sentences of the page.

const WORDS = {
  start: "Drag a piece onto the board.",
  chosen: name => `${name} is chosen. Choose its place on the board, or rotate it.`,
  placed: (name, where) => `${name} is placed at ${where}.`,
  back: name => `${name} is back in the tray.`,
  taken: "The last step is taken back.",
  nothing: "There is no step to take back.",
  reset: "All pieces are in the tray.",
  noPlace: name => `${name} does not fit there.`,
  blocked: names => `There is no room: ${names} ${names.includes(" and ") ? "are" : "is"} in the way.`,
  noForm: name => `${name} fits nowhere in this orientation. Rotate it.`,
  choose: "Choose a piece first.",
  noCopies: name => `All copies of ${name} are placed.`,
  hint: (name, where) => `Hint: ${name} is placed at ${where}.`,
  filled: "A stored solution is shown.",
  solved: "Solved!",
  wrong: names => `No solution from here: take back ${names}.`,
  unknown: names => `No stored solution fits. One fits if you take back ${names}. Other solutions may exist.`,
  unsolvable: "This puzzle has no solution.",
  empty: "This file has no solutions, so it has no hints.",
  free: (name, where) => `${name} at ${where}: free`,
  covered: (name, where, names) => `${name} at ${where}: covered by ${names}`,
  turned: name => `${name} is rotated.`,
  flipped: name => `${name} is reflected.`,
  still: name => `${name} has no other orientation.`,
  left: number => `${number} left`,
  onBoard: "on the board",
  progress: (covered, all) => `${covered} of ${all} locations covered`,
};

/** Returns names as a list in words. */
function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
