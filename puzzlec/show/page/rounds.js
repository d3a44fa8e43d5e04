// Triangles of round things: balls with necks between them, rods with round joints.

/** Adds a ball with this many steps around it. */
function addBall(mesh, heart, radius, steps) {
  const rows = Math.max(4, steps >> 1);
  const first = mesh.used;
  for (let row = 0; row <= rows; row++) {
    const down = (Math.PI * row) / rows;
    for (let k = 0; k <= steps; k++) {
      const turn = (2 * Math.PI * k) / steps;
      const out = [Math.sin(down) * Math.cos(turn), Math.sin(down) * Math.sin(turn), Math.cos(down)];
      mesh.corner(plus(heart, times(out, radius)), out, 0, null);
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < steps; k++) {
      const a = first + row * (steps + 1) + k;
      const b = a + steps + 1;
      if (row) mesh.triangle(a, b, a + 1);
      if (row < rows - 1) mesh.triangle(a + 1, b, b + 1);
    }
  }
}

/** Adds the side of a cylinder between two places. */
function addNeck(mesh, from, to, radius, steps) {
  const along = unit(minus(to, from));
  const aside = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
  const other = cross(along, aside);
  const first = mesh.used;
  for (let k = 0; k <= steps; k++) {
    const turn = (2 * Math.PI * k) / steps;
    const out = plus(times(aside, Math.cos(turn)), times(other, Math.sin(turn)));
    mesh.corner(plus(from, times(out, radius)), out, 0, null);
    mesh.corner(plus(to, times(out, radius)), out, 0, null);
  }
  for (let k = 0; k < steps; k++) {
    const a = first + 2 * k;
    mesh.triangle(a, a + 2, a + 1);
    mesh.triangle(a + 1, a + 2, a + 3);
  }
}

/** Returns how many steps round things have if there are this many of them. */
function fineness(number) {
  return number <= 300 ? 28 : number <= 1500 ? 18 : number <= 5000 ? 12 : 8;
}

/** Adds cells that are balls. Each touches its neighbours, and necks join the balls of a body. */
function addBalls(mesh, puzzle, locations, scale = 1) {
  const own = new Set(locations);
  const steps = fineness(puzzle.locations);
  for (const location of locations) {
    const { ball, neighbours } = puzzle.form(location);
    addBall(mesh, puzzle.places[location], ball * scale * 0.985, steps);
    if (scale < 1) continue;
    for (const step of neighbours) {
      const other = puzzle.beyond(location, step);
      if (other > location && own.has(other))
        addNeck(mesh, puzzle.places[location], puzzle.places[other], ball * 0.5, Math.max(8, steps >> 1));
    }
  }
}

/**
 * Adds cells that are edges: rods, shorter than the edges, and joints from the end of one rod of a body to the next.
 * So two bodies that meet in a point, or both turn there, do not overlap.
 */
function addRods(mesh, puzzle, locations, scale = 1) {
  const steps = Math.max(6, fineness(puzzle.locations) >> 1);
  const ends = new Map();
  for (const location of locations) {
    const { rod, thick } = puzzle.form(location);
    const radius = thick * scale;
    const [from, to] = rod.map((end) => plus(plus(end, puzzle.places[location]), [0, 0, thick]));
    const cut = (0.17 * size(minus(to, from))) / size(minus(to, from));
    const [near, far] = [plus(from, times(minus(to, from), cut)), plus(to, times(minus(from, to), cut))];
    addNeck(mesh, near, far, radius, steps);
    addBall(mesh, near, radius, steps);
    addBall(mesh, far, radius, steps);
    for (const [knot, end] of [[from, near], [to, far]]) {
      const key = knot.map((value) => Math.round(value * 1000)).join();
      if (scale === 1) for (const other of ends.get(key) || []) addNeck(mesh, other, end, radius, steps);
      ends.set(key, [...(ends.get(key) || []), end]);
    }
  }
}
