// The progress of the assembly, and its animation. Its steps are the moves of the plan in the data, backwards.
// Without a plan, single pieces come straight in.

const STEP_TIME = 750; // milliseconds in which a piece flies in when the assembly plays
const WHOLE_TIME = 60000; // longest time of the whole assembly, about

/** The assembly of one solution. Its steps are computed on first use; until then, all pieces are there. */
class Playing {
  constructor(puzzle, bodies, plan) {
    this.puzzle = puzzle;
    this.bodies = bodies;
    this.plan = Array.isArray(plan) ? plan : null;
    this.held = plan && plan.hold ? plan : null; // the bodies that hold together if it does not come apart
    this.why = this.held ? "stuck" : this.plan ? "" : plan || ""; // if there is no plan: "stuck" or "open"
    this.steps = null;
    this.now = this.goal = Infinity; // number of finished steps: the visible one, and the goal
    this.on = false;
  }

  /** Finds the steps, if they are not known. */
  find() {
    if (this.steps) return this.steps;
    this.steps = this.plan ? plannedSteps(this.puzzle, this.plan) : assemblySteps(this.puzzle, this.bodies);
    if (this.goal === Infinity) this.now = this.goal = this.steps.length;
    return this.steps;
  }

  get last() {
    return this.steps ? this.steps.length : Infinity;
  }

  get whole() {
    return this.goal >= this.last;
  }

  /** Returns the moves of the plan that are taken back now: how far the assembly is apart. */
  taken() {
    return this.plan && this.steps ? this.plan.slice(0, this.steps.length - this.goal) : [];
  }

  /**
   * Returns the state after those moves: which bodies are `there`, the vector from its place of each, and whether the
   * walls are still there. Returns null if a piece has turned.
   */
  state() {
    const taken = this.taken();
    if (taken.some((move) => move[6])) return null; // moves are searched for pieces that have not turned
    const shifts = new Map();
    for (const [bodies, vector, leave] of taken) {
      if (!leave) for (const body of bodies) shifts.set(body, vector.map((value, k) => value + (shifts.get(body)?.[k] || 0)));
    }
    let [there, walled] = [this.bodies.map((_, number) => number), 1];
    if (taken.length && taken.length < this.plan.length) [, , , there, walled] = this.plan[taken.length];
    else if (taken.length) {
      const [bodies, , leave, before, walls, after = walls] = taken.at(-1);
      [there, walled] = [leave ? before.filter((body) => !bodies.includes(body)) : before, after];
    }
    return { there, shifts: there.map((body) => shifts.get(body) || []), walled: Boolean(walled ?? 1) };
  }

  /** Takes the assembly further apart by one move: bodies, a vector, whether they leave, whether the walls stay. */
  add(bodies, vector, leave, walls) {
    const { there, walled } = this.state();
    this.plan = [...this.taken(), [bodies, vector, Number(leave), there, Number(walled), Number(walls)]];
    this.steps = plannedSteps(this.puzzle, this.plan);
    this.why = "";
    this._turns = null;
    [this.now, this.goal, this.on] = [1, 0, false];
  }

  /** Returns the duration of a step in milliseconds. */
  get time() {
    return Math.min(STEP_TIME, WHOLE_TIME / Math.max(1, this.last));
  }

  /** The least number of finished steps: pieces that interlock never leave the stage. */
  get least() {
    return this.steps && this.steps.length && this.steps[0].together ? 1 : 0;
  }

  to(step, on) {
    const { length } = this.find();
    this.goal = clamped(step, this.least, length);
    this.on = on && !this.whole;
  }

  /** Begins to play, from the first step if all are finished. */
  begin() {
    const { length } = this.find();
    if (this.goal >= length) this.now = this.goal = this.least;
    if (this.goal >= length) return;
    this.goal++;
    this.on = true;
  }

  /** Continues for some milliseconds, or with a jump; returns whether anything moves. */
  move(passed, jump) {
    if (this.now === this.goal) return false;
    const speed = Math.max(1, Math.abs(this.goal - this.now)) * (passed / (this.on ? this.time : 380));
    if (jump || !Number.isFinite(this.now)) this.now = this.goal;
    else this.now = this.goal > this.now ? Math.min(this.goal, this.now + speed) : Math.max(this.goal, this.now - speed);
    return true;
  }

  /** Returns the numbers of the bodies that are on the stage; null for all. */
  placed() {
    if (this.whole || !this.steps) return null;
    if (this.plan) {
      const { there, bodies, leave } = this.steps[Math.max(0, Math.ceil(this.goal) - 1)];
      return new Set(this.goal > 0 || !leave ? there : there.filter((body) => !bodies.includes(body)));
    }
    return new Set(this.steps.slice(0, Math.ceil(this.goal)).flatMap((step) => step.bodies));
  }

  /** Returns the step of each body and its number in the order, or null if all bodies are in their places. */
  turns() {
    if (!this.steps || this.plan || this.now >= this.last) return null;
    if (!this._turns) {
      this._turns = new Map();
      this.steps.forEach((step, turn) => step.bodies.forEach((body) => this._turns.set(body, [turn, step])));
    }
    return this._turns;
  }

  /**
   * Yields where bodies are at the ends of their moves: each body, its shift and its rotation. A piece that comes in is
   * visible about `far` away, or nearer.
   */
  *ways(far) {
    for (const { bodies, way, away, leave, there, shifts, rotations } of this.find()) {
      const reach = away ? times(away, leave ? 0.9 : 1) : times(way || [0, 0, 0], -far);
      for (const body of there || bodies) {
        const start = shifts?.get(body) || [0, 0, 0];
        yield [body, start, rotations?.get(body)];
        if (bodies.includes(body) && way) yield [body, plus(start, reach), rotations?.get(body)];
      }
    }
  }

  /**
   * Returns the current places of the bodies of a plan as `[shift, opacity, trail, rotation]`. The trail has earlier places of a
   * body that moves. Bodies that are not on the stage are left out. Returns null if all are in their places.
   */
  stage() {
    if (!this.plan || !this.steps || this.now >= this.last) return null;
    const turn = Math.max(0, Math.ceil(this.now) - 1);
    const { bodies, away, leave, there, shifts, rotations, about } = this.steps[turn];
    const part = this.now - turn;
    const left = 1 - part * part * (3 - 2 * part);
    const found = new Map(there.map((body) => [body, [shifts.get(body), 1, [], rotations.get(body)]]));
    for (const body of bodies) {
      if (about) {
        const [rotation, shift] = poseAt(about, left);
        const before = rotations.get(body) || REST;
        found.set(body, [plus(rotated(rotation, shifts.get(body)), shift), 1, [], before.map((image) => rotated(rotation, image))]);
        continue;
      }
      const at = (share) => plus(shifts.get(body), times(away, share));
      const opacity = leave ? Math.min(1, part * 2.5) : 1;
      found.set(body, [at(left), opacity, opacity === 1 ? [0, 1, 2].map((k) => at(1 - ((1 - left) * k) / 3)) : [], rotations.get(body)]);
    }
    return found;
  }
}

/**
 * Returns the steps of a plan in reverse: `way` is the direction in which its bodies come, `away` the place from which
 * they come.
 */
function plannedSteps(puzzle, plan) {
  const shifts = new Map();
  const rotations = new Map();
  const steps = plan.map(([bodies, vector, leave, there, , , about]) => {
    const away = inSpace(puzzle, vector);
    const before = new Map(there.map((body) => [body, shifts.get(body) || [0, 0, 0]]));
    const turned = new Map(rotations);
    const [rotation, aside] = about ? poseAt(about, 1) : [REST, away];
    for (const body of leave ? [] : bodies) {
      shifts.set(body, plus(rotated(rotation, before.get(body)), aside));
      if (about) rotations.set(body, (turned.get(body) || REST).map((image) => rotated(rotation, image)));
    }
    return { bodies, away, about, leave: leave === 1, there, shifts: before, rotations: turned, way: unit(times(away, -1)), together: false };
  });
  return steps.reverse();
}
