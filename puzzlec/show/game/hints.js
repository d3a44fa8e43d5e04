// Hints: the stored solutions, with their rotations and reflections, compared with the pieces on the board.

/** Returns the placement to which a movement of locations and pieces takes one; -1 if there is none. */
function moved(game, number, locations, pieces) {
  const {piece, cells, colours} = game.placements[number];
  return game.byKey.get(keyOf(pieces[piece], cells.map(at => locations[at]), colours)) ?? -1;
}

/** Returns a permutation that undoes another one; -1 stays. */
function undone(permutation) {
  const found = new Int32Array(permutation.length).fill(-1);
  permutation.forEach((to, from) => { if (to >= 0) found[to] = from; });
  return found;
}

/**
 * Returns the stored solution that agrees with most of the placements: which placements are `missing`, and which are
 * `wrong`. Null if no solution is stored.
 */
function nearest(game, placed) {
  let best = null, most = -1;
  for (const {locations, pieces} of game.symmetries) {
    const images = new Set(placed.map(number => moved(game, number, locations, pieces)));
    for (const row of game.solutions) {
      let same = 0;
      for (const number of row) if (images.has(number)) same++;
      if (same > most) [best, most] = [{row, locations, pieces}, same];
      if (same === placed.length) return against(game, placed, best);
    }
  }
  return best && against(game, placed, best);
}

function against(game, placed, {row, locations, pieces}) {
  const back = undone(locations), of = undone(pieces);
  const own = row.map(number => moved(game, number, back, of));
  return {missing: own.filter(number => !placed.includes(number)), wrong: placed.filter(number => !own.includes(number))};
}

/** Returns the placement that a hint adds: the one that covers the first empty location of all that are missing. */
function nextOf(game, missing) {
  const first = number => Math.min(...game.placements[number].cells);
  return missing.reduce((best, number) => (first(number) < first(best) ? number : best));
}
