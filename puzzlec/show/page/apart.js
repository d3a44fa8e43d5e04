// Exploding: where the pieces of a solid are if the slider is at its end. From the first view, none hides another.

const MOST_APART = 100; // bodies; of more, all move straight away from the middle
const ROUNDS = 120;

/** Returns the shift of each body at the end of the slider: away from the `heart`, then sideways until there is room. */
function shiftsApart(bodies, heart, { right, up, towards }) {
  const straight = bodies.map((body) => times(minus(body.heart, heart), 1.1));
  if (bodies.length > MOST_APART) return straight;
  const discs = bodies.map((body, k) => {
    const at = plus(minus(body.heart, heart), straight[k]);
    const half = times(minus(body.bounds[1], body.bounds[0]), 0.5);
    const reach = (axis) => Math.abs(half[0] * axis[0]) + Math.abs(half[1] * axis[1]) + Math.abs(half[2] * axis[2]);
    return { x: dot(at, right), y: dot(at, up), reach: 0.9 * Math.max(reach(right), reach(up)), start: [dot(at, right), dot(at, up)] };
  });
  for (let round = 0, moved = true; round < ROUNDS && moved; round++) {
    moved = false;
    for (let a = 0; a < discs.length; a++) {
      for (let b = 0; b < a; b++) moved = pushed(discs[a], discs[b], a + b) || moved;
    }
  }
  return straight.map((shift, k) => {
    const { x, y, start } = discs[k];
    // Nearer pieces would look larger, so that all are about equally far away.
    const depth = dot(plus(minus(bodies[k].heart, heart), shift), towards);
    return plus(shift, plus(plus(times(right, x - start[0]), times(up, y - start[1])), times(towards, -0.5 * depth)));
  });
}

/** Moves two discs apart if they overlap; returns whether they did. `turn` is for those at one place. */
function pushed(one, other, turn) {
  let [x, y] = [one.x - other.x, one.y - other.y];
  let far = Math.hypot(x, y);
  const lacking = one.reach + other.reach - far;
  if (lacking <= 1e-3) return false;
  if (far < 1e-6) [x, y, far] = [Math.cos(2.4 * turn), Math.sin(2.4 * turn), 1];
  for (const [disc, part] of [[one, lacking / 2], [other, -lacking / 2]]) {
    disc.x += (x / far) * part;
    disc.y += (y / far) * part;
  }
  return true;
}
