// The picture of a view: which bodies are painted, where and how, and which is under a pixel.

const GHOST = "board";
const MARK = "mark";
const TRAIL = 0.13; // opacity of a trail
const MOST_PIXELS = 8e6; // pixels of the picture; more are slower, and not sharper

/** Paints a view: the bodies that are there, and the empty part of the board. */
class Picture {
  constructor(view) {
    this.view = view;
    this.canvas = view.controls.canvas;
    this.camera = new Camera();
    this.painter = Painter.on(this.canvas);
    this.rich = this.painter !== null;
    if (!this.rich) this.painter = new Sketch(this.canvas);
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.shapes = [];
    this.outlines = new Outlines(view.controls.ruled);
  }

  /** Looks at the board, and without a solution also at the shapes beside it. */
  lookAt(same) {
    const { puzzle } = this.view;
    let { box, reach } = boundsOf(puzzle);
    this.shapes = puzzle.number ? [] : shapesBeside(puzzle, box);
    for (const { bounds } of this.shapes) {
      box = boxAround(box, bounds);
      reach = size(minus(box[1], box[0])) / 2;
    }
    this.walls = puzzle.data.walls ? new Puzzle({ ...puzzle.data, ...puzzle.data.walls, optional: null, around: null, coloured: null }) : null;
    if (this.walls) {
      box = boxAround(box, boundsOf(this.walls).box);
      reach = size(minus(box[1], box[0])) / 2;
    }
    this.reach = reach;
    this.cell = cellSize(puzzle);
    if (!same) this.camera.look(box, reach, puzzle.flat, outerNormals(puzzle));
    else [this.camera.box, this.camera.reach] = [box, reach];
  }

  /** Makes the meshes again for another solution, or after the computer has taken the graphics away. */
  build() {
    this.ghostKey = null;
    this.marked = null;
    this.mesh = bodiesMesh(this.view.puzzle, this.view.bodies);
    this.painter.load("bodies", this.mesh);
    this._apart();
    if (!this.walls) return;
    this.painter.load("walls", (this.wallMesh = meshOf(this.walls)));
  }

  /** Sets where the bodies are if the slider is at its end, and how much more room they need there. */
  _apart() {
    const { puzzle, bodies } = this.view;
    const heart = middle(this.camera.box);
    for (const body of bodies) {
      body.bounds = this.mesh.bounds(body.range);
      body.grain = grainOf(body.on || puzzle, body.locations, body.number);
    }
    this.farthest = 1.75;
    if (puzzle.flat) {
      this.apart = bodies.map((body) => times(minus(body.heart, heart), 1.1).map((value, c) => (c < 2 ? value : 0)));
      return;
    }
    this.apart = shiftsApart(bodies, heart, this.camera.axes(this.camera.home()));
    bodies.forEach((body, k) => {
      const far = size(plus(minus(body.heart, heart), this.apart[k])) + size(minus(body.bounds[1], body.bounds[0])) / 2;
      this.farthest = Math.max(this.farthest, far / this.reach);
    });
  }

  /** Returns the room for bodies that move, and how much of it is needed: all of it after the first move. */
  _room() {
    const { bodies, playing } = this.view;
    const { steps, now, last } = playing;
    if (!steps || now >= last) return { corners: [], part: 0 };
    if (this.swept?.steps !== steps) {
      const boxes = new Map(); // one for each body, around all of its places
      for (const [body, shift, rotation = REST] of playing.ways(this.reach * (this.view.puzzle.flat ? 0.5 : 1))) {
        const ends = cornersOfBox(bodies[body].bounds).map((corner) => plus(rotated(rotation, corner), shift));
        const box = [Math.min, Math.max].map((most) => [0, 1, 2].map((axis) => most(...ends.map((at) => at[axis]))));
        boxes.set(body, boxes.has(body) ? boxAround(boxes.get(body), box) : box);
      }
      this.swept = { steps, corners: [...boxes.values()].flatMap(cornersOfBox) };
    }
    return { corners: this.swept.corners, part: clamped(last - now, 0, 1) };
  }

  /** Returns the empty locations of the board, or all of them. Their mesh is made on first use. */
  _ghost() {
    const { puzzle, bodies, playing } = this.view;
    const key = `${playing.whole || !playing.steps ? "all" : playing.goal}/${[...this.view.hidden].join()}/${this.view.boardShown}`;
    if (this.ghostKey === key) return this.ghost;
    this.ghostKey = key;
    const left = [];
    const shown = this.view.boardShown || (puzzle.optional.size && bodies.length && playing.whole && !this.view.hidden.size);
    if (shown) {
      const placed = this.view.boardShown && !playing.whole && playing.steps ? new Set() : playing.placed();
      const covered = new Set();
      for (const body of bodies) if (!body.on && !this.view.isHidden(body) && (!placed || placed.has(body.number))) for (const location of body.locations) covered.add(location);
      for (let k = 0; k < puzzle.locations; k++) if (!covered.has(k)) left.push(k);
    }
    this.ghost = boardMesh(puzzle, left);
    this.painter.load(GHOST, this.ghost);
    return this.ghost;
  }

  /** Returns the place and the opacity of each body at this moment. */
  _things(seen) {
    const { view } = this;
    const { puzzle, playing, selected, exploded } = view;
    const turns = playing.turns();
    const stage = playing.stage();
    const things = [];
    for (const body of view.bodies) {
      if (view.isHidden(body)) continue;
      const fill = rgb(fillOf(puzzle, body));
      const grain = view.palette === "wood" ? body.grain : null;
      let rotation = REST;
      let shift = times(this.apart[body.number], exploded.now);
      let opacity = selected !== null && !view.isSelected(body) ? 0.22 : 1;
      if (turns) {
        const [turn, step] = turns.get(body.number);
        const part = clamped(playing.now - turn, 0, 1);
        if (part <= 0) continue;
        const far = (1 - part) * (1 - part) * (puzzle.flat ? 0.7 : 1.6) * this.reach;
        if (step.way) shift = minus(shift, times(step.way, far));
        opacity *= Math.min(1, part * 2.5);
      }
      if (stage) {
        if (!stage.has(body.number)) continue;
        const [at, fading, trail, turned] = stage.get(body.number);
        rotation = turned || REST;
        for (const earlier of trail) things.push({ mesh: "bodies", range: body.range, shift: plus(shift, earlier), rotation, colour: fill, grain, opacity: TRAIL * opacity, distance: size(minus(plus(rotated(rotation, body.heart), plus(shift, earlier)), seen.eye)) });
        shift = plus(shift, at);
        opacity *= fading;
        if (opacity <= 0) continue;
      }
      const glow = view.hovered === body.number || (selected !== null && view.isSelected(body)) ? 1 : 0;
      const place = plus(rotated(rotation, body.heart), shift);
      const colour = body.sides.length ? [0.42, 0.45, 0.5] : fill;
      things.push({ body, mesh: "bodies", range: body.range, shift, rotation, colour, grain, opacity, glow, place, distance: size(minus(place, seen.eye)) });
    }
    if (this.marked) things.push(fixture(MARK, [0, this.marked.mesh.indexed], [0.42, 0.62, 0.9], 0.5));
    const ghost = this._ghost();
    const faint = puzzle.data.forms[0].faces ? 1 : 4;
    if (ghost.indexed) things.push(fixture(GHOST, [0, ghost.indexed], [0.5, 0.5, 0.5], faint, true));
    if (this.walls) things.push(wallsOf(this.wallMesh, puzzle, faint));
    return things;
  }

  /** Makes the picture as fine as the screen. That changes when a window moves to another screen. */
  _fit() {
    const { wide, high } = this.camera;
    const sharp = this.sharp || Math.min(window.devicePixelRatio || 1, 3, Math.max(1, Math.sqrt(MOST_PIXELS / (wide * high))));
    const { canvas } = this;
    const [w, h] = [Math.round(wide * sharp), Math.round(high * sharp)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  }

  paint() {
    const { view } = this;
    if (!this.mesh) return;
    this._fit();
    this.camera.spread = 1 + (this.farthest - 1) * view.exploded.now;
    this.camera.room = this._room();
    const seen = this.camera.view();
    this.things = this._things(seen);
    const ink = rgb((getComputedStyle(view.root).getPropertyValue("--line") || "#1d242b").trim());
    this.painter.paint(seen, this.things, { ink, dark: this.dark.matches, cell: this.cell, seams: view.seams, onTable: !view.puzzle.flat });
    this.outlines.paint((place) => this.camera.project(seen, place), view.exploded.now < 0.01);
    this._placeLabel(seen);
  }

  /** Puts the name of a piece beside it, if you point at it or select it. */
  _placeLabel(seen) {
    const { view } = this;
    const { label } = view.controls;
    const bodies = this.things.filter(({ body }) => body);
    const thing = bodies.find(({ body }) => body.number === view.hovered) || (view.selected && view.selected.copy !== null && bodies.find(({ body }) => view.isSelected(body)));
    label.hidden = !thing;
    if (!thing) return;
    const { body } = thing;
    label.replaceChildren(make("b", {}, body.name), ` ${sizeWords(body, view.puzzle)}`);
    const [x, y] = this.camera.project(seen, thing.place);
    const { wide, high } = this.camera;
    const [halfWide, halfHigh] = [label.offsetWidth / 2 + 4, label.offsetHeight / 2 + 4];
    label.style.left = `${clamped(x, halfWide, Math.max(halfWide, wide - halfWide))}px`;
    label.style.top = `${clamped(y, halfHigh, Math.max(halfHigh, high - halfHigh))}px`;
  }

  /** Shows a transparent cell, given by its kind and its point; null for none. Returns whether the picture changes. */
  mark(cell) {
    const key = cell && [cell.kind, ...cell.point].join();
    if (key === (this.marked && this.marked.key)) return false;
    this.view.root.dataset.marked = key || "";
    this.marked = null;
    if (!cell) return true;
    const one = new Puzzle({ ...this.view.puzzle.data, points: cell.point, kinds: [cell.kind], optional: null, around: null, coloured: null });
    const mesh = meshOf(one);
    this.painter.load(MARK, mesh);
    this.marked = { key, mesh };
    return true;
  }

  /** Returns the number of the body at a pixel of the picture; null for none. */
  pick(x, y) {
    return this._hit(x, y)?.body.number ?? null;
  }

  /** Returns the location at a pixel, and the step beyond its side there; null for none. */
  side(x, y) {
    const hit = this._hit(x, y);
    return hit && sideAt(this.view.puzzle, hit.body, hit.at, hit.ray);
  }

  _hit(x, y) {
    if (!this.things || x < 0 || y < 0) return null;
    const seen = this.camera.view();
    const ray = this.camera.ray(seen, x, y);
    const hit = hitAlong(this.mesh, this.things, seen.eye, ray);
    return hit && { ...hit, ray };
  }
}
