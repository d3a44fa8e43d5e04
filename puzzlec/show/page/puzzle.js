// The meaning of the data of a page: locations with their places, and solutions as bodies on them.

class Puzzle {
  constructor(data) {
    this.data = data;
    this.chart = data.shown === "chart";
    this.flat = data.shown === "flat";
    this.optional = new Set(unpacked(data.optional));
    this.placed = unpacked(data.placed);
    this.covered = unpacked(data.covered);
    this.starts = starts(unpacked(data.sizes));
    this.painted = unpacked(data.painted);
    this.sides = unpacked(data.sides);
    this.sideStarts = starts(unpacked(data.sided));
    const solutions = data.solutions || {};
    this.number = solutions.number || 0;
    this.chosen = unpacked(solutions.placements);
    this.length = solutions.length;
    this.solutionStarts = this.length === undefined ? starts(unpacked(solutions.lengths)) : null;
    if (this.chart) this.locations = data.locations.length;
    else this._readBoard();
  }

  _readBoard() {
    const { data } = this;
    this.size = data.axes.length;
    this.points = unpacked(data.points);
    this.kinds = unpacked(data.kinds);
    this.locations = this.kinds.length;
    this.places = [];
    this.least = new Array(this.size).fill(Infinity);
    this.greatest = new Array(this.size).fill(-Infinity);
    for (let k = 0; k < this.locations; k++) {
      const place = [0, 0, 0];
      for (let axis = 0; axis < this.size; axis++) {
        const value = this.points[k * this.size + axis];
        this.least[axis] = Math.min(this.least[axis], value);
        this.greatest[axis] = Math.max(this.greatest[axis], value);
        for (let c = 0; c < 3; c++) place[c] += value * data.axes[axis][c];
      }
      this.places.push(place);
    }
    this.numbers = new Map();
    for (let k = 0; k < this.locations; k++) this.numbers.set(this._key(this.pointOf(k)), k);
    this.around = new Map();
    const seams = unpacked(data.around);
    for (let k = 0; k < seams.length; k += 3) this.around.set(`${seams[k]}/${seams[k + 1]}`, seams[k + 2]);
    this.coloured = unpacked(data.coloured);
    this.signs = data.signs || [];
  }

  pointOf(location) {
    return this.points.subarray(location * this.size, (location + 1) * this.size);
  }

  _key(point) {
    let key = 0;
    for (let axis = 0; axis < this.size; axis++) {
      if (point[axis] < this.least[axis] || point[axis] > this.greatest[axis]) return -1;
      key = key * (this.greatest[axis] - this.least[axis] + 1) + point[axis] - this.least[axis];
    }
    return key;
  }

  /** Returns the number of the location a step away from another one, -1 if there is none. Seams are not crossed. */
  beyond(location, step) {
    const found = this.numbers.get(this._key(step.map((value, axis) => value + this.points[location * this.size + axis])));
    return found === undefined ? -1 : found;
  }

  /** Returns the location beyond a side on the border if the board wraps around there, else -1. */
  across(location, step) {
    if (!this.around.size) return -1;
    const number = this.data.forms[this.kinds[location]].neighbours.findIndex((neighbour) => neighbour.every((v, k) => v === step[k]));
    const found = this.around.get(`${location}/${number}`);
    return found === undefined ? -1 : found;
  }

  /** Returns the form of the cell at a location. */
  form(location) {
    return this.data.forms[this.kinds[location]];
  }

  /** Returns the bodies of a solution (from 0): the piece, its place and the hue of each. */
  bodiesIn(solution) {
    if (solution < 0 || solution >= this.number) return [];
    const from = this.solutionStarts ? this.solutionStarts[solution] : solution * this.length;
    const to = this.solutionStarts ? this.solutionStarts[solution + 1] : from + this.length;
    const copies = new Map();
    const found = Array.from(this.chosen.subarray(from, to), (placement, number) => {
      const piece = this.placed[placement];
      copies.set(piece, (copies.get(piece) || 0) + 1);
      const { name, label } = this.data.pieces[piece];
      const locations = this.covered.subarray(this.starts[placement], this.starts[placement + 1]);
      const sides = Array.from(this.sides.subarray(this.sideStarts[placement], this.sideStarts[placement + 1]));
      const paint = this.painted.subarray(this.starts[placement], this.starts[placement + 1]);
      return { number, piece, name, label, placement, locations, sides, paint, copy: copies.get(piece), hue: 0 };
    });
    const hues = this.chart ? found.map(({ piece }) => piece % this.data.hues.length) : bodyHues(this, found);
    for (const body of found) body.hue = hues[body.number];
    return found;
  }

  /** Returns for each body the numbers of its neighbours. */
  nearBodies(bodies) {
    const owner = new Int32Array(this.locations).fill(-1);
    for (const body of bodies) for (const location of body.locations) owner[location] = body.number;
    const found = bodies.map(() => new Set());
    for (const body of bodies) {
      for (const location of body.locations) {
        for (const step of this.form(location).neighbours) {
          let other = this.beyond(location, step);
          if (other < 0) other = this.across(location, step);
          if (other >= 0 && owner[other] >= 0 && owner[other] !== body.number) {
            found[body.number].add(owner[other]);
            found[owner[other]].add(body.number);
          }
        }
      }
    }
    return found;
  }
}

/** Returns the colour of a body, or of a piece alone: the one that the puzzle gives it, or its hue in the palette. */
function fillOf({ data }, { piece, hue = piece % data.hues.length }) {
  return data.pieces[piece].paint || data.hues[hue];
}

/**
 * Returns the grain of a body of wood for the painter: the direction from cell to cell along which it is longest, and a
 * number that differs from those of others.
 */
function grainOf(puzzle, locations, number) {
  const own = new Set(locations), tried = new Set();
  let [longest, found] = [0, [1, 0, 0]];
  for (const location of locations) {
    for (const step of puzzle.form(location).neighbours) {
      const other = puzzle.beyond(location, step);
      if (!own.has(other)) continue;
      const way = unit(minus(puzzle.places[other], puzzle.places[location])), key = way.map((value) => value.toFixed(3)).join();
      if (tried.has(key)) continue;
      tried.add(key);
      const along = Array.from(locations, (at) => dot(puzzle.places[at], way)), mean = along.reduce((a, b) => a + b) / along.length;
      const long = along.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      if (long > longest + NOTHING) [longest, found] = [long, way];
    }
  }
  return [...found, number + 1];
}

/** Returns a hue (from 0) for each body: the rule of `body_hues` in puzzlec/show/palette.py. */
function bodyHues(puzzle, bodies) {
  const most = puzzle.data.hues.length;
  const rotated = (hues, turn) => [...hues.slice(turn % hues.length), ...hues.slice(0, turn % hues.length)];
  if (!puzzle.data.pools) {
    if (bodies.length <= most) return allDifferent(bodies, most);
    const every = [...new Array(most).keys()];
    return distinctHues(puzzle.nearBodies(bodies), bodies.map(({ piece }) => rotated(every, piece)));
  }
  const copies = new Map();
  for (const { piece } of bodies) copies.set(piece, (copies.get(piece) || 0) + 1);
  const pools = sharedPools(puzzle.data.pools, copies, most);
  const found = bodies.map(({ piece, copy }) => pools[piece][(copy - 1) % pools[piece].length]);
  const crowded = bodies.filter(({ piece }) => copies.get(piece) > pools[piece].length);
  if (!crowded.length) return found;
  const near = puzzle.nearBodies(bodies);
  const among = new Map(crowded.map((body, k) => [body.number, k]));
  const alike = crowded.map((body) => new Set([...near[body.number]].filter((other) => among.has(other) && bodies[other].piece === body.piece).map((other) => among.get(other))));
  const allowed = crowded.map(({ piece, copy }) => rotated(pools[piece], puzzle.flat ? 0 : copy - 1));
  const chosen = distinctHues(alike, allowed, crowded.map(({ number }) => number));
  crowded.forEach((body, k) => (found[body.number] = chosen[k]));
  return found;
}

/** Returns the hues of pieces. Hues of missing pieces go to pieces that have fewer hues than copies. */
function sharedPools(pools, copies, most) {
  const found = pools.map((hues) => [...hues]);
  const taken = new Set([...copies.keys()].flatMap((piece) => found[piece]));
  for (let hue = 0; hue < most; hue++) {
    if (taken.has(hue)) continue;
    let needy = -1;
    const need = (piece) => copies.get(piece) / found[piece].length;
    for (const piece of [...copies.keys()].sort((a, b) => a - b)) {
      if (copies.get(piece) > found[piece].length && (needy < 0 || need(piece) > need(needy))) needy = piece;
    }
    if (needy < 0) break;
    found[needy].push(hue);
  }
  return found;
}

/** Returns a different hue for each of a few bodies: that of its piece, if no earlier body has it. */
function allDifferent(bodies, most) {
  const taken = new Map();
  for (const { number, piece } of bodies) if (!taken.has(piece % most)) taken.set(piece % most, number);
  const left = [...new Array(most).keys()].filter((hue) => !taken.has(hue));
  return bodies.map(({ number, piece }) => (taken.get(piece % most) === number ? piece % most : left.shift()));
}

/**
 * Returns a hue (from 0) for each body: the first one that is allowed for it and that no neighbour has. Bodies choose
 * in the order of D. Brelaz, New methods to color the vertices of a graph, 1979: first the body with the fewest hues
 * left, then the one with the most neighbours, then the first. For each number of taken hues, a heap holds the bodies
 * that wait. So ten thousand bodies take almost no time.
 */
function distinctHues(near, allowed, numbers = near.map((_, number) => number)) {
  const taken = near.map(() => new Set());
  const found = new Array(near.length).fill(-1);
  const order = near.map((_, number) => number).sort((a, b) => near[b].size - near[a].size || a - b);
  const rank = new Int32Array(near.length);
  order.forEach((body, turn) => (rank[body] = turn));
  const heaps = [new Heap()];
  order.forEach((_, turn) => heaps[0].push(turn));
  for (let left = near.length; left; ) {
    const heap = heaps[heaps.length - 1];
    if (!heap.size) {
      heaps.pop();
      continue;
    }
    const body = order[heap.pop()];
    if (found[body] >= 0 || taken[body].size !== heaps.length - 1) continue;
    left--;
    const options = allowed[body];
    const free = options.find((hue) => !taken[body].has(hue));
    const hue = free === undefined ? options[numbers[body] % options.length] : free;
    found[body] = hue;
    for (const other of near[body]) {
      if (found[other] >= 0 || taken[other].has(hue)) continue;
      taken[other].add(hue);
      while (heaps.length <= taken[other].size) heaps.push(new Heap());
      heaps[taken[other].size].push(rank[other]);
    }
  }
  return found;
}

/** A heap of numbers: the least one comes out first. */
class Heap {
  constructor() {
    this.kept = [];
  }

  get size() {
    return this.kept.length;
  }

  push(value) {
    const { kept } = this;
    let at = kept.push(value) - 1;
    for (; at && kept[(at - 1) >> 1] > value; at = (at - 1) >> 1) kept[at] = kept[(at - 1) >> 1];
    kept[at] = value;
  }

  pop() {
    const { kept } = this;
    const [least, last] = [kept[0], kept.pop()];
    if (!kept.length) return least;
    let at = 0;
    for (let below = 1; below < kept.length; below = 2 * at + 1) {
      if (below + 1 < kept.length && kept[below + 1] < kept[below]) below++;
      if (kept[below] >= last) break;
      kept[at] = kept[below];
      at = below;
    }
    kept[at] = last;
    return least;
  }
}
