// The order in which the pieces of a solution go together, one by one, by straight moves: the rule of
// puzzlec/motion/straight.py, in which the solid is taken apart. This file computes it with floating point numbers.

const NOTHING = 1e-4; // smaller overlaps count as none: places have six digits, and are sums of many steps

/**
 * Returns the steps of an assembly: `{bodies, way, together}`. `way` is the direction (of length 1, in space) in which
 * the bodies come. It is null for the bodies that are there first, because they interlock (`together`). Flat pieces
 * come down.
 */
function assemblySteps(puzzle, bodies) {
  if (puzzle.flat) return laidDown(puzzle, bodies);
  if (puzzle.around.size) return bodies.length ? [{ bodies: bodies.map((body) => body.number), way: null, together: bodies.length > 1 }] : [];
  const { together, taken } = takenApart(puzzle, bodies);
  const steps = taken.reverse().map(({ body, way }) => ({ bodies: [body], way: unit(inSpace(puzzle, way.map((v) => -v))), together: false }));
  return together.length ? [{ bodies: together, way: null, together: true }, ...steps] : steps;
}

/** Returns a vector between points as a vector of space. */
function inSpace(puzzle, vector) {
  return puzzle.data.axes.reduce((sum, axis, k) => plus(sum, times(axis, vector[k])), [0, 0, 0]);
}

const rounded = (value) => Math.round(value * 1e6) / 1e6;

function compared(a, b) {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k] - b[k];
  return 0;
}

/** Flat pieces are added one by one, row by row. */
function laidDown(puzzle, bodies) {
  const keys = bodies.map((body) => [...firstCell(puzzle, body), body.number]);
  const order = bodies.map((body) => body.number).sort((a, b) => compared(keys[a], keys[b]));
  return order.map((body) => ({ bodies: [body], way: [0, 0, -1], together: false }));
}

function firstCell(puzzle, body) {
  const places = Array.from(body.locations, (location) => [rounded(-puzzle.places[location][1]), rounded(puzzle.places[location][0])]);
  return places.reduce((a, b) => (compared(b, a) < 0 ? b : a));
}

/**
 * Takes a solid apart as long as pieces come out. Returns the rest, and the pieces that came out with their ways, in
 * order.
 */
function takenApart(puzzle, bodies) {
  const ways = puzzle.data.ways;
  const { hinders, hindered } = allObstacles(puzzle, bodies, ways);
  const keys = bodies.map((body) => fromTheTop(puzzle, body));
  const order = bodies.map((body) => body.number).sort((a, b) => compared(keys[a], keys[b]));
  const rank = new Int32Array(bodies.length);
  order.forEach((body, turn) => (rank[body] = turn));
  // The free bodies of each way by rank: an array of turns, true if the body is free.
  const free = ways.map((_, way) => order.map((body) => hindered[way][body] === 0));
  const lowest = ways.map(() => 0);
  const there = new Set(order);
  const taken = [];
  const next = () => {
    for (let way = 0; way < ways.length; way++) {
      while (lowest[way] < order.length && !(free[way][lowest[way]] && there.has(order[lowest[way]]))) lowest[way]++;
      if (lowest[way] < order.length) return [way, order[lowest[way]]];
    }
    return null;
  };
  for (let found = next(); found; found = next()) {
    const [way, body] = found;
    there.delete(body);
    taken.push({ body, way: ways[way] });
    for (let direction = 0; direction < ways.length; direction++) {
      for (const other of hinders[direction][body]) {
        hindered[direction][other]--;
        if (hindered[direction][other] === 0) {
          free[direction][rank[other]] = true;
          lowest[direction] = Math.min(lowest[direction], rank[other]);
        }
      }
    }
  }
  return { together: [...there].sort((a, b) => a - b), taken };
}

/** Returns a sort key for bodies: the highest come first, then the nearest, then the rightmost. */
function fromTheTop(puzzle, body) {
  const heart = [0, 0, 0];
  for (const location of body.locations) {
    const place = puzzle.size > 3 ? [puzzle.pointOf(location)[0], -puzzle.pointOf(location)[1], puzzle.pointOf(location)[2]] : puzzle.places[location];
    for (let c = 0; c < 3; c++) heart[c] += place[c] / body.locations.length;
  }
  return [-rounded(heart[2]), rounded(heart[1]), -rounded(heart[0]), -body.number];
}

/** Returns for each way and body the bodies that it hinders, and how many hinder it. */
function allObstacles(puzzle, bodies, ways) {
  const hinders = ways.map(() => bodies.map(() => new Set()));
  const hindered = ways.map(() => new Int32Array(bodies.length));
  const note = (way, mover, other) => {
    if (hinders[way][other].has(mover)) return;
    hinders[way][other].add(mover);
    hindered[way][mover]++;
  };
  ways.forEach((way, index) => {
    const back = ways.findIndex((other) => other.every((value, k) => value === -way[k]));
    if (index > back) return;
    obstacles(puzzle, bodies, way, (mover, other) => {
      note(index, mover, other);
      note(back, other, mover);
    });
  });
  return { hinders, hindered };
}

/** Calls `found` with two bodies if the first one runs into the second when it moves along a way. */
function obstacles(puzzle, bodies, way, found) {
  const { reaches, wide } = shadows(puzzle, way);
  const bins = new Map();
  const key = (i, j) => (i + 1048576) * 4194304 + j + 1048576;
  for (const body of bodies) {
    for (const location of body.locations) {
      const at = puzzle.size > 3 ? columns(puzzle, location, way) : shadowOf(reaches[puzzle.kinds[location]], puzzle.places[location]);
      const [i, j] = puzzle.size > 3 ? at : [Math.floor(at[0] / wide), Math.floor(at[1] / wide)];
      if (!bins.has(key(i, j))) bins.set(key(i, j), { i, j, cells: [] });
      bins.get(key(i, j)).cells.push({ body: body.number, location, at });
    }
  }
  const known = new Map();
  const steps = puzzle.size > 3 ? [[0, 0]] : [[0, 0], [0, 1], [1, -1], [1, 0], [1, 1]];
  for (const { i, j, cells } of bins.values()) {
    for (const [di, dj] of steps) {
      const near = di || dj ? bins.get(key(i + di, j + dj)) : { cells };
      if (!near) continue;
      cells.forEach((one, number) => {
        const last = near.cells === cells ? number : near.cells.length;
        for (let k = 0; k < last; k++) {
          const two = near.cells[k];
          if (one.body === two.body) continue;
          if (puzzle.size < 4 && (Math.abs(one.at[0] - two.at[0]) >= wide || Math.abs(one.at[1] - two.at[1]) >= wide)) continue;
          const sign = aheadOf(puzzle, one.location, two.location, way, known);
          if (sign > 0) found(one.body, two.body);
          if (sign < 0) found(two.body, one.body);
        }
      });
    }
  }
}

/** Returns the greatest width of cells across a way, and for each kind of cell two axes and the middle of its shadow. */
function shadows(puzzle, way) {
  const along = unit(inSpace(puzzle, way));
  const aside = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
  const axes = [aside, cross(along, aside)];
  let wide = NOTHING;
  const reaches = puzzle.data.forms.map((form, kind) => {
    if (form.ball) wide = Math.max(wide, 2 * form.ball);
    const ranges = axes.map((axis) => reachOf(cornersOf(puzzle, kind), axis));
    for (const [least, most] of ranges) wide = Math.max(wide, most - least);
    return { axes, middles: ranges.map(([least, most]) => (least + most) / 2) };
  });
  return { reaches, wide };
}

function shadowOf({ axes, middles }, place) {
  return [dot(place, axes[0]) + middles[0], dot(place, axes[1]) + middles[1]];
}

/** Returns two numbers that are equal for cells of four dimensions if one is behind the other. */
function columns(puzzle, location, way) {
  const axis = way.findIndex((value) => value !== 0);
  const [a, b, c] = [0, 1, 2, 3].filter((other) => other !== axis).map((other) => puzzle.pointOf(location)[other] - puzzle.least[other]);
  return [a, b * 1024 + c];
}

/** Returns the corners of a kind of cell, and stores them with it. */
function cornersOf(puzzle, kind) {
  const form = puzzle.data.forms[kind];
  if (!form.corners) form.corners = form.faces ? form.faces.flatMap((face) => face.corners) : form.rod || [[0, 0, 0]];
  return form.corners;
}

/** Returns 1 if the second cell blocks the first, -1 if it blocks the way back, else 0. */
function aheadOf(puzzle, from, to, way, known) {
  if (puzzle.size > 3) {
    const axis = way.findIndex((value) => value !== 0);
    return Math.sign((puzzle.pointOf(to)[axis] - puzzle.pointOf(from)[axis]) * way[axis]);
  }
  let key = puzzle.kinds[from] * 64 + puzzle.kinds[to];
  for (let axis = 0; axis < 3; axis++) key = key * 16384 + puzzle.points[to * 3 + axis] - puzzle.points[from * 3 + axis] + 8192;
  let sign = known.get(key);
  if (sign === undefined) {
    sign = collision(puzzle, puzzle.kinds[from], puzzle.kinds[to], minus(puzzle.places[to], puzzle.places[from]), inSpace(puzzle, way));
    known.set(key, sign);
  }
  return sign;
}

/** Returns whether a convex cell that moves overlaps another one: 1 later, -1 before, 0 never. */
function collision(puzzle, kind, other, offset, way) {
  const time = overlap(puzzle, kind, other, offset, way);
  return time ? (time[0] >= -NOTHING ? 1 : -1) : 0;
}

/** Returns from when to when a convex cell that moves overlaps another one; null for never. */
function overlap(puzzle, kind, other, offset, way) {
  const [one, two] = [puzzle.data.forms[kind], puzzle.data.forms[other]];
  if (one.ball) {
    const along = dot(offset, way) / size(way);
    const aside = Math.sqrt(Math.max(0, dot(offset, offset) - along * along));
    const touching = one.ball + two.ball;
    if (aside >= touching - NOTHING) return null;
    const half = Math.sqrt(touching * touching - aside * aside);
    return [(along - half) / size(way), (along + half) / size(way)];
  }
  let [low, high] = [-Infinity, Infinity];
  for (const [axis, before, behind] of separating(puzzle, kind, other)) {
    const [gap, speed] = [dot(offset, axis), dot(way, axis)];
    const [enters, leaves] = [before + gap, behind + gap];
    if (Math.abs(speed) < NOTHING) {
      if (enters >= -NOTHING || leaves <= NOTHING) return null;
      continue;
    }
    low = Math.max(low, Math.min(enters / speed, leaves / speed));
    high = Math.min(high, Math.max(enters / speed, leaves / speed));
    if (low >= high - NOTHING) return null;
  }
  return [low, high];
}

function reachOf(corners, axis) {
  let [least, most] = [Infinity, -Infinity];
  for (const corner of corners) {
    const value = dot(corner, axis);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/**
 * Returns the directions in which two convex solids must be compared. They are apart exactly if they are apart along a
 * normal of one of their sides, or along a vector across an edge of each (the separating axis theorem). With each
 * direction it returns between which limits the second solid can move and still overlap the first. The result is
 * stored.
 */
function separating(puzzle, kind, other) {
  const [one, two] = [puzzle.data.forms[kind], puzzle.data.forms[other]];
  if (!one.axes) one.axes = new Map();
  if (!one.axes.has(two)) {
    const found = new Map();
    const add = (axis) => {
      if (size(axis) < NOTHING) return;
      const normal = unit(axis);
      const sign = normal.find((value) => Math.abs(value) > NOTHING) < 0 ? -1 : 1;
      found.set(normal.map((value) => Math.round(value * sign * 1e5)).join(), times(normal, sign));
    };
    for (const form of [one, two]) for (const face of form.faces) add(normalOf(face));
    for (const a of edgeVectors(one)) for (const b of edgeVectors(two)) add(cross(a, b));
    const ranges = [...found.values()].map((axis) => {
      const [least, most] = reachOf(cornersOf(puzzle, kind), axis);
      const [otherLeast, otherMost] = reachOf(cornersOf(puzzle, other), axis);
      return [axis, otherLeast - most, otherMost - least];
    });
    one.axes.set(two, ranges);
  }
  return one.axes.get(two);
}

function edgeVectors(form) {
  const found = new Map();
  for (const { corners } of form.faces) {
    corners.forEach((corner, k) => {
      const along = unit(minus(corners[(k + 1) % corners.length], corner));
      const sign = along.find((value) => Math.abs(value) > NOTHING) < 0 ? -1 : 1;
      found.set(along.map((value) => Math.round(value * sign * 1e5)).join(), along);
    });
  }
  return [...found.values()];
}
