// A solid is taken apart by hand: how far pieces move along the directions of the lattice, what they carry, and what is
// in their way. Pieces move in full steps, as in puzzlec/motion/search.py.

/** The body of everything that never moves: the walls and the immovable pieces. */
const STILL = -1;

/** The most steps of a pull. */
const LONGEST = 60;

/** The limits of the search for the next move: states, and milliseconds. */
const MOST_STATES = 20000, MOST_TIME = 2500;

/**
 * The pieces of an assembly, by their index among the placements. A state has their `shifts` as vectors between points,
 * the `parts` that are still together, each with the vector `aside` of its place in the picture, and the `moves` so far.
 */
class Assembly {
  constructor(game, puzzle, placed) {
    const {still = [], ways} = game.data, cells = at => ({kind: game.of[at], point: game.points[at]});
    Object.assign(this, {game, puzzle, placed, ways});
    this.bodies = placed.map(number => game.placements[number].cells.map(cells));
    this.fixed = placed.map((_, k) => k).filter(k => still.includes(game.placements[placed[k]].piece));
    this.rest = [...game.walls.points.map((point, k) => ({kind: game.walls.of[k], point})), ...this.fixed.flatMap(k => this.bodies[k])];
    this.none = ways[0].map(() => 0);
    this.far = 1.5 * size(minus(...boundsOf(puzzle).box));
    this.pairs = new Map();
    this.known = new Map();
  }

  get start() {
    const bodies = this.placed.map((_, k) => k).filter(k => !this.fixed.includes(k));
    return {shifts: this.placed.map(() => this.none), parts: [{bodies: this.rest.length ? [STILL, ...bodies] : bodies, aside: [0, 0, 0]}], moves: []};
  }

  /** Returns how many steps one body makes along a way before it meets another one; Infinity if it never does. */
  gap({shifts}, one, other, way) {
    const [from, to] = [one, other].map(body => (body === STILL ? this.none : shifts[body])), by = to.map((value, axis) => value - from[axis]);
    const key = `${one},${other},${way},${by}`;
    if (!this.known.has(key)) {
      let least = Infinity;
      for (const a of one === STILL ? this.rest : this.bodies[one])
        for (const b of other === STILL ? this.rest : this.bodies[other]) least = Math.min(least, this.steps(a, b, by, way));
      this.known.set(key, least);
    }
    return this.known.get(key);
  }

  /** Returns how many steps a cell makes before it meets another one. */
  steps(one, other, by, way) {
    const offset = other.point.map((value, axis) => value + by[axis] - one.point[axis]), key = `${one.kind},${other.kind},${way},${offset}`;
    if (!this.pairs.has(key)) {
      const time = overlap(this.puzzle, one.kind, other.kind, inSpace(this.puzzle, offset), inSpace(this.puzzle, this.ways[way]));
      this.pairs.set(key, time && time[0] > -NOTHING ? Math.floor(time[0] + NOTHING) : Infinity);
    }
    return this.pairs.get(key);
  }

  partOf({parts}, body) {
    return parts.find(({bodies}) => bodies.includes(body));
  }

  /** Returns the bodies that move if a body makes a step: itself, and those that it pushes. */
  carried(state, part, body, way) {
    const found = [body];
    for (const one of found) for (const other of part.bodies) if (!found.includes(other) && this.gap(state, one, other, way) < 1) found.push(other);
    return found;
  }

  /**
   * Returns the steps that a body can make along a way, one after the other: the bodies that are `moved`, and whether
   * nothing is in their way any more, so that they `leave`. After the last step, the bodies `met` are in the way.
   */
  path(state, body, way) {
    const part = this.partOf(state, body), steps = [];
    if (!part || part.bodies.length < 2) return {steps, met: []};
    for (let now = state; steps.length < LONGEST; ) {
      const moved = this.carried(now, part, body, way);
      if (moved.includes(STILL) || moved.length === part.bodies.length) return {steps, met: part.bodies.filter(other => other !== body && this.gap(now, body, other, way) < 1)};
      const leaves = moved.every(one => part.bodies.every(other => moved.includes(other) || this.gap(now, one, other, way) === Infinity));
      steps.push({moved, leaves});
      if (leaves) break;
      now = {...now, shifts: this.shifted(now.shifts, moved, way)};
    }
    return {steps, met: []};
  }

  shifted(shifts, moved, way) {
    return shifts.map((shift, body) => (moved.includes(body) ? shift.map((value, axis) => value + this.ways[way][axis]) : shift));
  }

  /** Returns the state after a body has made steps along a way; null if it cannot. */
  pulled(state, body, way, count) {
    const taken = this.ways[way] ? this.path(state, body, way).steps.slice(0, count) : [];
    if (!taken.length) return null;
    const {moved, leaves} = taken.at(-1), part = this.partOf(state, body);
    let {shifts, parts} = state;
    for (const step of taken) shifts = this.shifted(shifts, step.moved, way);
    if (leaves) {
      // The larger part stays in the middle of the picture.
      const left = part.bodies.filter(other => !moved.includes(other)), stays = left.length >= moved.length || left.includes(STILL);
      const aside = plus(part.aside, times(unit(inSpace(this.puzzle, this.ways[way])), stays ? this.far : -this.far));
      if (!stays) shifts = shifts.map((shift, at) => (moved.includes(at) ? shift.map((value, axis) => value - taken.length * this.ways[way][axis]) : shift));
      parts = parts.flatMap(one => (one === part ? [{bodies: left, aside: stays ? part.aside : aside}, {bodies: moved, aside: stays ? aside : part.aside}] : [one]));
    }
    return {shifts, parts, moves: [...state.moves, [body, way, taken.length]]};
  }

  /** Returns whether a body is away from all others. */
  isOut(state, body) {
    const part = this.partOf(state, body);
    return Boolean(part) && part.bodies.length === 1;
  }

  /** Returns whether all pieces are apart, except those that may stay together. */
  isApart({parts}) {
    const {together = []} = this.game.data, pieceOf = body => this.game.placements[this.placed[body]].piece;
    const stays = bodies => together.some(group => group.every(([piece, copies]) => bodies.filter(body => pieceOf(body) === piece).length <= copies) && bodies.every(body => group.some(([piece]) => piece === pieceOf(body))));
    return parts.every(({bodies}) => bodies.length < 2 || (!bodies.includes(STILL) && stays(bodies)));
  }

  /** Returns whether slides take the assembly apart; null if the time of a search is over. */
  comesApart(time = MOST_TIME / 2) {
    for (let state = this.start; !this.isApart(state); ) {
      const move = this.next(state, time);
      if (!move) return move === null ? false : null;
      state = this.pulled(state, ...move);
    }
    return true;
  }

  /** Returns the first move on a shortest way to take a part apart: null if there is none, undefined if the time is over. */
  next(state, time = MOST_TIME) {
    const part = state.parts.find(({bodies}) => !this.isApart({parts: [{bodies}]})), end = Date.now() + time;
    const keyOfState = ({shifts}) => { const base = part.bodies[0] === STILL ? this.none : shifts[part.bodies[0]]; return part.bodies.filter(body => body !== STILL).map(body => shifts[body].map((value, axis) => value - base[axis])).join(); };
    const seen = new Set([keyOfState(state)]), queue = [{state: {...state, parts: [part]}, first: null}];
    for (const {state: now, first} of queue) {
      let [best, least] = [null, Infinity];
      for (const body of part.bodies)
        for (let way = 0; way < this.ways.length && body !== STILL; way++) {
          if (Date.now() > end || queue.length > MOST_STATES) return undefined;
          let after = now;
          for (const [k, {moved, leaves}] of this.path(now, body, way).steps.entries()) {
            const number = Math.min(moved.length, part.bodies.length - moved.length);
            if (leaves && number < least) [best, least] = [first || [body, way, k + 1], number]; // rather one piece than several
            after = {...after, shifts: this.shifted(after.shifts, moved, way)};
            const key = keyOfState(after);
            if (!leaves && !seen.has(key)) seen.add(key) && queue.push({state: after, first: first || [body, way, k + 1]});
          }
        }
      if (best) return best;
    }
    return null;
  }
}
