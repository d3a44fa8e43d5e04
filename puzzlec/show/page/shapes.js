// The shapes of pieces beside the empty board, without a solution.

const BESIDE = 0.8; // the room between shapes, in cells

/** Returns bodies for the pieces that have a shape, in rows beside the board. Each has separate cells in `on`. */
function shapesBeside(puzzle, box) {
  const { data } = puzzle;
  const found = [];
  (data.shapes || []).forEach((shape, piece) => {
    if (!shape) return;
    const on = new Puzzle({ ...data, ...shape, shapes: null, solutions: null, optional: null, around: null });
    const locations = Int32Array.from(on.kinds, (_, k) => k);
    const { name, label } = data.pieces[piece];
    const bounds = boundsOf(on).box;
    found.push({ number: found.length, piece, name, label, on, locations, sides: shape.sides || [], paint: [], copy: 1, hue: piece % data.hues.length, bounds });
  });
  // From the front and above, a solid hides part of the space behind it, so it needs more room in depth.
  laidBeside(found, box, BESIDE * cellSize(puzzle), puzzle.flat ? 0 : 0.7);
  return found;
}

/** Moves shapes to their places: in rows to the right of the board or in front of it, so that they fill the picture. */
function laidBeside(shapes, box, room, hides) {
  if (!shapes.length) return;
  const extent = (bounds, axis) => bounds[1][axis] - bounds[0][axis];
  const board = [extent(box, 0), extent(box, 1)];
  let best = { score: Infinity };
  const least = Math.max(...shapes.map(({ bounds }) => extent(bounds, 0)));
  for (let k = 0; k < 40; k++) {
    const wide = least * 1.12 ** k;
    const rows = rowsWithin(shapes, wide, room, hides);
    for (const inFront of [false, true]) {
      const w = inFront ? Math.max(board[0], rows.wide) : board[0] + 2 * room + rows.wide;
      const d = inFront ? board[1] + 2 * room + rows.deep : Math.max(board[1], rows.deep);
      const score = Math.max(w / 1.6, d);
      if (score < best.score - NOTHING) best = { score, rows, inFront };
    }
    if (rows.number === 1) break;
  }
  const { rows, inFront } = best;
  const left = inFront ? middle(box)[0] - rows.wide / 2 : box[1][0] + 2 * room;
  const top = inFront ? box[0][1] - 2 * room : middle(box)[1] + rows.deep / 2;
  shapes.forEach((body, number) => {
    const [right, down] = rows.places[number];
    const corner = [body.bounds[0][0], body.bounds[1][1], body.bounds[0][2]];
    const shift = minus([left + right, top - down, box[0][2]], corner);
    body.on.places = body.on.places.map((place) => plus(place, shift));
    body.bounds = body.bounds.map((bound) => plus(bound, shift));
  });
}

/**
 * Returns the places of shapes in rows of a width, to the right and down from the corner, with the width and depth of
 * all and their number.
 */
function rowsWithin(shapes, wide, room, hides) {
  let [right, down, deep, number, used] = [0, 0, 0, 1, 0];
  const places = shapes.map(({ bounds }) => {
    const [w, depth, high] = [0, 1, 2].map((axis) => bounds[1][axis] - bounds[0][axis]);
    const d = depth + hides * high;
    if (right && right + w > wide + NOTHING) {
      [right, down, deep] = [0, down + deep + room, 0];
      number++;
    }
    const place = [right, down];
    used = Math.max(used, right + w);
    right += w + room;
    deep = Math.max(deep, d);
    return place;
  });
  return { places, wide: used, deep: down + deep, number };
}
