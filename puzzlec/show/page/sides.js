// The words for directions.

// The ways of a move: an axis, and a sign.
const MOVES = [
  [2, -1, "down"],
  [2, 1, "up"],
  [1, 1, "back"],
  [1, -1, "front"],
  [0, -1, "left"],
  [0, 1, "right"],
];

/** Returns the words for a direction: from where a piece comes, or to where it moves. */
function sideWords(kind, way) {
  const sides = MOVES.filter(([axis, sign]) => sign * way[axis] > 0.3).map(([, , name]) => phrase(`ways.${kind}.${name}`));
  return sides.join(", ") || phrase(`ways.${kind}.aside`);
}
