// Pieces turn by hand: what is proved of a turn in puzzlec/motion/turn_kernel.py (docs/decisions/091) is proved here in the
// same way. Cells are smaller by the clearance, and a gap at one angle proves an interval of angles.

/** The steps of the shift, the part of a step that an interval of angles may take, and half the diagonal of a step. */
const SHIFTS = [1 / 4, 1 / 8, 1 / 16, 1 / 32], ANGLE_SHARE = 1 / 4, DIAGONAL = 0.7072;

/** Intervals of angles that are shorter are not divided: the cells touch. Pieces met within the second angle count as met. */
const SHORTEST = 1e-7, MET_WITHIN = 0.0087;

/** The longest search for the axes of a turn, in milliseconds. */
const TURN_TIME = 2000;

/** A turn of the lattice about one direction: `rotation` in space, `matrix` of points, `kinds` after it, `steps` in its plane. */
class Turn {
  constructor(puzzle, {rotation, matrix, kinds, steps}, clearance) {
    const {axis, angle} = axisOf(rotation), one = unit(inSpace(puzzle, steps[0])), other = cross(axis, one);
    Object.assign(this, {puzzle, rotation, matrix, kinds, steps, axis, one, other, angle: (2 * Math.PI) / Math.round((2 * Math.PI) / angle)});
    this.polygons = puzzle.data.forms.map(({faces}, kind) => this.polygon(faces, reachOf(cornersOf(puzzle, kind), axis), clearance));
  }

  /** Returns the image of a point under the rotation about the origin. */
  image(point) {
    return this.matrix.map(row => row.reduce((sum, value, k) => sum + value * point[k], 0));
  }

  flat(place) {
    return [dot(place, this.one), dot(place, this.other)];
  }

  /** Returns a kind of cell as seen along the axis: its middle, and its corners and normals around it. */
  polygon(faces, [low, high], clearance) {
    const {corners} = faces.find(face => dot(unit(normalOf(face)), this.axis) > 0.999), heart = middle(corners);
    let points = corners.map(corner => this.flat(minus(corner, heart)));
    const normals = points.map(([x, y], k) => { const [u, v] = points[(k + 1) % points.length], far = Math.hypot(u - x, v - y); return [(v - y) / far, (x - u) / far]; });
    const sign = Math.sign(normals[0][0] * points[0][0] + normals[0][1] * points[0][1]), inner = sign * (normals[0][0] * points[0][0] + normals[0][1] * points[0][1]);
    points = points.map(point => point.map(value => value * (1 - clearance / inner)));
    return {low, high, heart, points, normals: normals.map(normal => normal.map(value => value * sign)), inner: inner - clearance, outer: Math.hypot(...points[0])};
  }

  /** Returns the cells of some bodies as seen along the axis. */
  seen(assembly, state, bodies) {
    return bodies.flatMap(body => assembly.cellsOf(state, body).map(({kind, point}) => {
      const place = inSpace(this.puzzle, point), polygon = this.polygons[kind], height = dot(place, this.axis);
      return {body, polygon, at: this.flat(plus(place, polygon.heart)), low: height + polygon.low, high: height + polygon.high};
    }));
  }

  /**
   * Returns the axes in the box of some cells in the coordinates of the lattice, or one cell outside, as the search has
   * them: what is added to points after the rotation, and the `pivot`.
   */
  axes(cells) {
    const [[p, q], [r, s]] = this.steps.map(step => this.flat(inSpace(this.puzzle, step))), spotOf = ([x, y]) => [x * s - y * r, y * p - x * q].map(value => value / (p * s - q * r));
    const spots = cells.map(({at}) => spotOf(at).map(value => Math.floor(value + NOTHING))), [low, high] = [[Math.min, -1], [Math.max, 1]].map(([most, beyond]) => [0, 1].map(c => most(...spots.map(spot => spot[c])) + beyond));
    const most = 3 * Math.max(...[low, high].flat().map(Math.abs)), cotangent = 1 / Math.tan(this.angle / 2), found = [];
    for (let a = -most; a <= most; a++)
      for (let b = -most; b <= most; b++) {
        const by = this.steps[0].map((value, k) => a * value + b * this.steps[1][k]), way = inSpace(this.puzzle, by);
        const pivot = times(plus(way, times(cross(this.axis, way), cotangent)), 0.5), at = this.flat(pivot);
        if (spotOf(at).every((value, c) => value > low[c] - NOTHING && value < high[c] + NOTHING)) found.push({by, pivot, at});
      }
    return found;
  }

  /** Returns the pairs of a moving and a resting cell that may meet, with their middles from a pivot, the nearest first. */
  pairs(movers, others, [x, y]) {
    const found = [];
    for (const one of movers)
      for (const other of others) {
        if (one.low > other.high - NOTHING || other.low > one.high - NOTHING) continue;
        const [mx, my, sx, sy] = [one.at[0] - x, one.at[1] - y, other.at[0] - x, other.at[1] - y], far = Math.hypot(mx, my);
        found.push({mx, my, sx, sy, far, apart: Math.abs(far - Math.hypot(sx, sy)), one: one.polygon, other: other.polygon, body: other.body});
      }
    return found.sort((a, b) => a.apart - b.apart);
  }

  /** Returns an angle up to which a pair does not meet without a shift. */
  free({mx, my, sx, sy, far, apart, one, other}) {
    const {angle} = this, radius = Math.max(one.outer, other.outer);
    if (apart > one.outer + other.outer) return angle;
    for (let low = 0, reach = angle / 2; low < angle; ) {
      const now = Math.min(low + reach, angle), [c, s] = [Math.cos(now), Math.sin(now)], [dx, dy] = [sx - c * mx + s * my, sy - s * mx - c * my];
      const free = gapBetween(one, other, c, s, dx, dy) / (far + Math.hypot(dx, dy) + far * reach + radius);
      if (free >= now - low) [low, reach] = [now + Math.min(free, reach), 2 * reach];
      else if ((reach /= 2) < SHORTEST) return low;
    }
    return angle;
  }

  /**
   * Returns the path of a turn whose shift changes by steps: angles, each with a shift. Null if there is none. Unless
   * `sure`, the states that may be free count as free, so that no path means that there is none.
   */
  path(pairs, step, sure) {
    const ways = Math.round(1 / step), side = 2 * ways + 1, area = side * side, start = ways * (side + 1);
    const speed = pairs.reduce((most, {far, one, other}) => Math.max(most, far + one.outer + other.outer + Math.max(one.outer, other.outer)), 0.1);
    const count = Math.floor((speed * this.angle) / 2 / (step * ANGLE_SHARE)) + 1, half = this.angle / count / 2, farthest = sure ? ways ** 2 : (ways + DIAGONAL) ** 2;
    const before = new Int32Array(count * area); // 0: not seen, 1: not free, else the state before, plus 2
    let last = pairs[0];
    const meets = (pair, c, s, x, y) => {
      const {mx, my, sx, sy, far, one, other} = pair, dx = sx - c * mx + s * my - x, dy = sy - s * mx - c * my - y, between = Math.hypot(dx, dy);
      const moved = (far * (1 + half) + between + step + Math.max(one.outer, other.outer)) * half, margin = sure ? moved + step / 2 : -moved - step * DIAGONAL;
      return between - one.outer - other.outer < margin && gapBetween(one, other, c, s, dx, dy) < margin;
    };
    const isFree = (interval, x, y) => {
      const angle = (2 * interval + 1) * half, [c, s] = [Math.cos(angle), Math.sin(angle)];
      if (meets(last, c, s, x, y)) return false;
      const met = pairs.find(pair => meets(pair, c, s, x, y));
      if (met) last = met;
      return !met;
    };
    if (!isFree(0, 0, 0)) return null;
    before[start] = start + 2;
    for (let now = [start], later = []; now.length; [now, later] = [later, []])
      while (now.length) {
        const state = now.pop(), interval = Math.floor(state / area), place = state % area, x = Math.floor(place / side), y = place % side;
        if (interval === count - 1 && place === start) {
          const found = [];
          for (let at = state; ; at = before[at] - 2) {
            const here = at % area;
            found.push([(2 * Math.floor(at / area) + 1) * half, (Math.floor(here / side) - ways) * step, ((here % side) - ways) * step]);
            if (at === start) return [[0, 0, 0], ...found.reverse(), [this.angle, 0, 0]];
          }
        }
        for (const [i, nx, ny] of [[interval, x + 1, y], [interval, x - 1, y], [interval, x, y + 1], [interval, x, y - 1], [interval + 1, x, y]]) {
          const there = i * area + nx * side + ny;
          if (i === count || nx < 0 || ny < 0 || nx >= side || ny >= side || (nx - ways) ** 2 + (ny - ways) ** 2 > farthest || before[there]) continue;
          before[there] = isFree(i, (nx - ways) * step, (ny - ways) * step) ? state + 2 : 1;
          if (before[there] > 1) (i > interval ? now : later).push(there);
        }
      }
    return null;
  }

  /**
   * Yields the turns of some bodies of a part, those about axes near a place first: what is added to points after the
   * rotation (`by`), and how it goes, as `about` for `poseAt`. A turn with a shift counts as one cell and a half farther.
   * Returns the bodies that the turn that goes farthest meets; null if the time is over. `wanted`: about this axis only.
   */
  *possible(assembly, state, bodies, near, wanted = null) {
    const others = assembly.partOf(state, bodies[0]).bodies.filter(body => !bodies.includes(body)), [movers, rest] = [bodies, others].map(side => this.seen(assembly, state, side));
    const [x, y] = this.flat(near), late = (3 / 2) * Math.hypot(...inSpace(this.puzzle, this.steps[0])), found = this.axes([...movers, ...rest]).filter(({by}) => !wanted || by.join() === wanted.join());
    for (const one of found) {
      one.pairs = this.pairs(movers, rest, one.at);
      one.angles = one.pairs.map(pair => this.free(pair));
      one.least = Math.min(this.angle, ...one.angles);
      one.far = Math.hypot(one.at[0] - x, one.at[1] - y) + (one.least < this.angle ? late : 0);
    }
    let end = Date.now() + TURN_TIME;
    for (const {by, pivot, pairs, least} of found.sort((a, b) => a.far - b.far)) {
      const path = least < this.angle ? this.withShift(pairs) : [[0, 0, 0], [this.angle, 0, 0]];
      if (path) {
        yield {by, about: {ways: [this.one, this.other], angle: this.angle, pivot, path: path.map(([angle, x, y]) => [angle, ...plus(times(this.one, x), times(this.other, y))])}};
        end = Date.now() + TURN_TIME;
      } else if (Date.now() > end) return null;
    }
    const best = found.reduce((one, other) => (other.least > one.least + MET_WITHIN ? other : one), found[0]);
    return best ? [...new Set(best.pairs.filter((_, k) => best.angles[k] < best.least + MET_WITHIN).map(({body}) => body))] : [];
  }

  /** Returns the state after a turn of some bodies that is possible. */
  after(assembly, state, bodies, {by, about}) {
    const {numbers, homes} = assembly, turn = assembly.turns.indexOf(this), [shifts, shapes] = [[...state.shifts], [...state.shapes]];
    for (const body of bodies) {
      const key = `${shapes[body]},${turn}`, before = assembly.shapes[shapes[body]], first = more(homes[body], shifts[body]);
      if (!numbers.has(key)) {
        const cells = before.cells.map(({kind, point}) => ({kind: this.kinds[kind], point: this.image(point)})), rotation = before.rotation.map(vector => rotated(this.rotation, vector));
        const look = `${body}:${rotation.flat().map(value => Math.round(value * 1000) + 0)}`;
        if (!numbers.has(look)) numbers.set(look, assembly.shapes.push({cells, rotation}) - 1);
        numbers.set(key, numbers.get(look));
      }
      shapes[body] = numbers.get(key);
      shifts[body] = less(more(this.image(first), by), homes[body]);
    }
    return {...state, shifts, shapes, about, moves: [...state.moves, {bodies, turn, by}]};
  }

  withShift(every) {
    const pairs = every.filter(({apart, one, other}) => apart < 1.5 + one.outer + other.outer);
    for (const step of SHIFTS) {
      if (step !== SHIFTS.at(-1) && !this.path(pairs, step, false)) return null;
      const found = this.path(pairs, step, true);
      if (found) return found;
    }
    return null;
  }
}

/** Returns the gap between a polygon, rotated by an angle with cosine c and sine s, and one that is (dx, dy) away. */
function gapBetween(one, other, c, s, dx, dy) {
  let best = -Infinity;
  for (const [x, y] of one.normals) {
    const nx = c * x - s * y, ny = s * x + c * y;
    best = Math.max(best, nx * dx + ny * dy + leastAlong(other.points, nx, ny) - one.inner);
  }
  for (const [nx, ny] of other.normals) best = Math.max(best, leastAlong(one.points, c * nx + s * ny, c * ny - s * nx) - nx * dx - ny * dy - other.inner);
  return best;
}

function leastAlong(points, nx, ny) {
  let least = Infinity;
  for (const [x, y] of points) least = Math.min(least, nx * x + ny * y);
  return least;
}
