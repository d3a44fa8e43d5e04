// The data of a page, as what it means: locations with their places, solutions as bodies that lie on them.

class Puzzle {
  constructor(data) {
    this.data = data;
    this.chart = data.shown === "chart";
    this.flat = data.shown === "flat";
    this.optional = new Set(unpacked(data.optional));
    this.placed = unpacked(data.placed);
    this.covered = unpacked(data.covered);
    this.starts = starts(unpacked(data.sizes));
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

  /** Returns the number of the location a step away from one, -1 where there is none; seams are not crossed. */
  beyond(location, step) {
    const found = this.numbers.get(this._key(step.map((value, axis) => value + this.points[location * this.size + axis])));
    return found === undefined ? -1 : found;
  }

  /** Returns the location beyond a side on the rim where the board goes around, -1 where it does not. */
  across(location, step) {
    if (!this.around.size) return -1;
    const number = this.data.forms[this.kinds[location]].neighbours.findIndex((each) => each.every((v, k) => v === step[k]));
    const found = this.around.get(`${location}/${number}`);
    return found === undefined ? -1 : found;
  }

  /** Returns the form of the cell at a location. */
  form(location) {
    return this.data.forms[this.kinds[location]];
  }

  /** Returns the bodies of a solution (from 0): which piece, where it lies, which hue it has. */
  bodies(solution) {
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
      return { number, piece, name, label, placement, locations, sides, copy: copies.get(piece), hue: 0 };
    });
    this._colour(found, Math.max(0, ...copies.values()));
    return found;
  }

  /** Gives each body a hue: its piece's own where there are few, else one that its neighbours do not have. */
  _colour(bodies, copies) {
    const most = this.data.hues.length;
    const several = this.data.pieces.length > most || copies > 1;
    const chosen = several && !this.chart ? distinctHues(this.near(bodies), bodies.map((each) => each.piece % most), most) : null;
    for (const body of bodies) body.hue = chosen ? chosen[body.number] : body.piece % most;
  }

  /** Returns for each body the numbers of those beside it. */
  near(bodies) {
    const owner = new Int32Array(this.locations).fill(-1);
    for (const body of bodies) for (const each of body.locations) owner[each] = body.number;
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

/**
 * Returns a hue (from 0) for each body, the one that it wants where no neighbour has it.
 * Bodies choose in the order of D. Brelaz, New methods to color the vertices of a graph, 1979: the one with the fewest
 * hues left first. They wait in buckets by the number of hues that are taken, so that ten thousand take no time.
 */
function distinctHues(near, wanted, most) {
  const taken = near.map(() => new Set());
  const found = new Array(near.length).fill(-1);
  const order = near.map((_, number) => number).sort((a, b) => near[b].size - near[a].size || a - b);
  const buckets = [order.slice().reverse()];
  for (let left = near.length; left; ) {
    const body = buckets[buckets.length - 1].pop();
    if (body === undefined) {
      buckets.pop();
      continue;
    }
    if (found[body] >= 0) continue;
    left--;
    let hue = wanted[body];
    for (let k = 0; taken[body].has(hue) && k < most; k++) hue = (wanted[body] + k + 1) % most;
    found[body] = hue;
    for (const other of near[body]) {
      if (found[other] >= 0 || taken[other].has(hue)) continue;
      taken[other].add(hue);
      while (buckets.length <= taken[other].size) buckets.push([]);
      buckets[taken[other].size].push(other);
    }
  }
  return found;
}
