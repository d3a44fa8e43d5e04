// A puzzle is taken apart by hand: how far pieces move along the directions of the lattice, what they carry, and what is
// in their way. Pieces move in full steps, as in puzzlec/motion/search.py. They turn as turning.js allows it.

/** The body of everything that never moves: the walls and the immovable pieces. */
const STILL = -1;

/** The most steps of a pull. */
const LONGEST = 60;

/** The limits of the search for the next move: states, and milliseconds. */
const MOST_STATES = 20000, MOST_TIME = 2500;

/**
 * The pieces of an assembly, by their index among the placements. A state has the `shifts` of their first cells as vectors
 * between points, their `shapes` (numbers; each is its own at the start), the `parts` that are still together, each with
 * the vector `aside` of its place in the picture, and the `moves` so far. A move slides or turns one or several bodies.
 */
class Assembly {
  constructor(game, puzzle, placed) {
    const {still = [], ways, turning, plan = []} = game.data, cells = at => ({kind: game.of[at], point: game.points[at]});
    Object.assign(this, {game, puzzle, placed, ways});
    this.turns = (turning?.turns || []).map(turn => new Turn(puzzle, turn, turning.clearance));
    this.none = ways[0].map(() => 0);
    this.homes = placed.map(number => game.points[game.placements[number].start]);
    this.shapes = placed.map((number, k) => ({cells: game.placements[number].cells.map(cells).map(({kind, point}) => ({kind, point: less(point, this.homes[k])})), rotation: REST}));
    this.numbers = new Map();
    this.fixed = placed.map((_, k) => k).filter(k => still.includes(game.placements[placed[k]].piece));
    this.rest = [...game.walls.points.map((point, k) => ({kind: game.walls.of[k], point})), ...this.fixed.flatMap(k => game.placements[placed[k]].cells.map(cells))];
    this.far = 1.5 * size(minus(...boundsOf(puzzle).box));
    this.pairs = new Map();
    this.known = new Map();
    this.planned = this.statesOf(plan);
  }

  get start() {
    const bodies = this.placed.map((_, k) => k).filter(k => !this.fixed.includes(k));
    return {shifts: this.placed.map(() => this.none), shapes: this.placed.map((_, k) => k), parts: [{bodies: this.rest.length ? [STILL, ...bodies] : bodies, aside: [0, 0, 0]}], moves: []};
  }

  /** Returns the cells of a body where it is. */
  cellsOf({shifts, shapes}, body) {
    return body === STILL ? this.rest : this.shapes[shapes[body]].cells.map(({kind, point}) => ({kind, point: more(more(point, this.homes[body]), shifts[body])}));
  }

  /** Returns how many steps one body makes along a way before it meets another one; Infinity if it never does. */
  gap(state, one, other, way) {
    const [from, to] = [one, other].map(body => (body === STILL ? this.none : more(this.homes[body], state.shifts[body]))), by = less(to, from);
    const [mine, theirs] = [one, other].map(body => (body === STILL ? {number: STILL, cells: this.rest} : {number: state.shapes[body], cells: this.shapes[state.shapes[body]].cells}));
    const key = `${mine.number},${theirs.number},${way},${by}`;
    if (!this.known.has(key)) {
      let least = Infinity;
      for (const a of mine.cells) for (const b of theirs.cells) least = Math.min(least, this.steps(a, b, by, way));
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

  /** Returns where a place of a body is in space, which is given as seen from its first cell at the start. */
  placeOf({shifts, shapes}, body, at) {
    return plus(rotated(this.shapes[shapes[body]].rotation, at), inSpace(this.puzzle, more(this.homes[body], shifts[body])));
  }

  /** Returns the middle of some bodies in space. */
  heart(state, bodies) {
    return middle(bodies.flatMap(body => this.cellsOf(state, body)).map(({kind, point}) => plus(inSpace(this.puzzle, point), middle(cornersOf(this.puzzle, kind)))));
  }

  partOf({parts}, body) {
    return parts.find(({bodies}) => bodies.includes(body));
  }

  /** Returns the bodies that move if some bodies make a step: these, and those that they push. */
  carried(state, part, bodies, way) {
    const found = [...bodies];
    for (const one of found) for (const other of part.bodies) if (!found.includes(other) && this.gap(state, one, other, way) < 1) found.push(other);
    return found;
  }

  /**
   * Returns the steps that some bodies of a part can make along a way, one after the other: the bodies that are `moved`,
   * and whether nothing is in their way any more, so that they `leave`. After the last step, those `met` are in the way.
   */
  path(state, bodies, way) {
    const part = this.partOf(state, bodies[0]), steps = [];
    if (!part || part.bodies.length < 2) return {steps, met: []};
    for (let now = state; steps.length < LONGEST; ) {
      const moved = this.carried(now, part, bodies, way);
      if (moved.includes(STILL) || moved.length === part.bodies.length) return {steps, met: part.bodies.filter(other => !bodies.includes(other) && bodies.some(body => this.gap(now, body, other, way) < 1))};
      const leaves = moved.every(one => part.bodies.every(other => moved.includes(other) || this.gap(now, one, other, way) === Infinity));
      steps.push({moved, leaves});
      if (leaves) break;
      now = {...now, shifts: this.shifted(now.shifts, moved, way)};
    }
    return {steps, met: []};
  }

  shifted(shifts, moved, way, by = 1) {
    return shifts.map((shift, body) => (moved.includes(body) ? shift.map((value, axis) => value + by * this.ways[way][axis]) : shift));
  }

  /** Returns the state after a move; null if it is not possible. */
  moved(state, move) {
    const {bodies} = move, part = this.partOf(state, bodies[0]);
    if (!part || !bodies.every(body => body !== STILL && part.bodies.includes(body)) || bodies.length === part.bodies.length) return null;
    if (!move.by) return this.pulled(state, bodies, move.way, move.count);
    const [found] = this.turns[move.turn]?.possible(this, state, bodies, [0, 0, 0], move.by) || [];
    return found ? this.turns[move.turn].after(this, state, bodies, found) : null;
  }

  /** Returns the state after some bodies have made steps along a way; null if they cannot. */
  pulled(state, bodies, way, count) {
    const taken = this.ways[way] ? this.path(state, bodies, way).steps.slice(0, count) : [];
    if (!taken.length) return null;
    const {moved, leaves} = taken.at(-1), part = this.partOf(state, bodies[0]);
    let {shifts, parts} = state;
    for (const step of taken) shifts = this.shifted(shifts, step.moved, way);
    if (leaves) {
      // The larger part stays in the middle of the picture.
      const left = part.bodies.filter(other => !moved.includes(other)), stays = left.length >= moved.length || left.includes(STILL);
      const aside = plus(part.aside, times(unit(inSpace(this.puzzle, this.ways[way])), stays ? this.far : -this.far));
      if (!stays) shifts = this.shifted(shifts, moved, way, -taken.length);
      parts = parts.flatMap(one => (one === part ? [{bodies: left, aside: stays ? part.aside : aside}, {bodies: moved, aside: stays ? aside : part.aside}] : [one]));
    }
    return {...state, shifts, parts, about: null, moves: [...state.moves, {bodies, way, count: taken.length}]};
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
      state = this.moved(state, move);
    }
    return true;
  }

  /** Returns the moves of a plan of the file, each by the key of the part before it. */
  statesOf(plan) {
    const found = new Map();
    let state = this.start;
    for (const [numbers, way, turn, gone] of plan) {
      const bodies = numbers.map(number => this.placed.indexOf(number)), part = this.partOf(state, bodies[0]), first = bodies[0] < 0 ? null : more(this.homes[bodies[0]], state.shifts[bodies[0]]);
      if (!part || !first) break; // the plan of another solution
      const number = this.ways.findIndex(one => sameWay(one, way)), by = turn < 0 ? null : less(more(first, gone), this.turns[turn].image(first));
      const move = by ? {bodies, turn, by} : {bodies, way: number, count: way.reduce((sum, value) => sum + Math.abs(value), 0) / this.ways[number].reduce((sum, value) => sum + Math.abs(value), 0)};
      const after = this.moved(state, move);
      if (!after) break;
      found.set(this.keyOf(state, part), move);
      state = after;
    }
    return found;
  }

  /** Returns a part with the places of its bodies as a text. */
  keyOf({shifts, shapes}, {bodies}) {
    const base = bodies[0] === STILL ? this.none : shifts[bodies[0]];
    return bodies.map(body => (body === STILL ? STILL : [body, shapes[body], ...less(shifts[body], base)])).join();
  }

  /** Returns the first move on a shortest way to take a part apart: null if there is none, undefined if none is found. */
  next(state, time = MOST_TIME) {
    const part = state.parts.find(({bodies}) => !this.isApart({parts: [{bodies}]})), end = Date.now() + time;
    const seen = new Set([this.keyOf(state, part)]), queue = [{state: {...state, parts: [part]}, first: this.planned.get(this.keyOf(state, part)) ?? null}];
    if (queue[0].first) return queue[0].first;
    for (const {state: now, first} of queue) {
      let [best, least] = [null, Infinity];
      for (const body of part.bodies)
        for (let way = 0; way < this.ways.length && body !== STILL; way++) {
          if (Date.now() > end || queue.length > MOST_STATES) return undefined;
          let after = now;
          for (const [k, {moved, leaves}] of this.path(now, [body], way).steps.entries()) {
            const number = Math.min(moved.length, part.bodies.length - moved.length), move = first || {bodies: [body], way, count: k + 1};
            if (leaves && number < least) [best, least] = [move, number]; // rather one piece than several
            after = {...after, shifts: this.shifted(after.shifts, moved, way)};
            const key = this.keyOf(after, part);
            if (!leaves && this.planned.has(key)) return move;
            if (!leaves && !seen.has(key)) seen.add(key) && queue.push({state: after, first: move});
          }
        }
      if (best) return best;
    }
    return this.turns.length ? undefined : null;
  }
}

const more = (a, b) => a.map((value, axis) => value + b[axis]);
const less = (a, b) => a.map((value, axis) => value - b[axis]);

/** Returns whether two vectors between points have one direction. */
function sameWay(one, other) {
  const far = Math.hypot(...one) * Math.hypot(...other);
  return far > 0 && one.reduce((sum, value, axis) => sum + value * other[axis], 0) > far * (1 - NOTHING);
}
