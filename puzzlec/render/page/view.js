// A puzzle in an element of a page: what is shown, and everything that can be done with it.

const STEP_TIME = 750; // milliseconds that a piece flies in when the assembly plays
const GHOST = "board";

class PuzzleView {
  /**
   * Shows a puzzle. `settings`: `keys: "page"` listens to keys everywhere on the page, not only where the view has the
   * focus; `header: false` leaves the title out. The element gets the events `piece` (one is pointed at, or none),
   * `select`, `solution` and `step`; their `detail` says which.
   */
  constructor(element, data, settings = {}) {
    this.root = element;
    this.settings = settings;
    this.camera = new Camera();
    this.hidden = new Set();
    this.selected = null; // a piece, and which copy of it (null: all)
    this.hovered = null;
    this.seams = true;
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.exploded = { now: 0, goal: 0 };
    this.progress = { now: 0, goal: 0 };
    this.root.classList.add("puzzle-view");
    this.root.classList.toggle("bare", settings.header === false);
    this.controls = new Controls(this.root, this._acts());
    this._start();
    this.load(data);
  }

  _start() {
    const { canvas } = this.controls;
    this.painter = Painter.on(canvas);
    if (!this.painter) {
      this.painter = new Sketch(canvas);
      this.root.dataset.painter = "canvas";
      this._notice("This browser offers no WebGL here: the picture is painted plainly.");
    } else this.root.dataset.painter = "webgl";
    this._onKey = (event) => this._key(event);
    (this.settings.keys === "page" ? document : this.root).addEventListener("keydown", this._onKey);
    this._endPointers = listenToPointers(canvas, this._acts());
    this._onLost = (event) => event.preventDefault();
    this._onBack = () => {
      this.painter.begin();
      this._build();
    };
    canvas.addEventListener("webglcontextlost", this._onLost);
    canvas.addEventListener("webglcontextrestored", this._onBack);
    this._watch = new ResizeObserver(() => this._resize());
    this._watch.observe(this.root);
    this._watch.observe(this.controls.stage);
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this._onDark = () => this._draw();
    this.dark.addEventListener("change", this._onDark);
  }

  /** Ends the view: nothing of it is left in the page. */
  destroy() {
    this.gone = true;
    cancelAnimationFrame(this._frame);
    this._watch.disconnect();
    this._endPointers();
    (this.settings.keys === "page" ? document : this.root).removeEventListener("keydown", this._onKey);
    this.dark.removeEventListener("change", this._onDark);
    this.controls.canvas.removeEventListener("webglcontextlost", this._onLost);
    this.controls.canvas.removeEventListener("webglcontextrestored", this._onBack);
    this.painter.destroy();
    this.root.replaceChildren();
    this.root.classList.remove("puzzle-view", "bare", "narrow", "charted");
  }

  /** Shows other data; where the board is the same, the view stays as it is. */
  load(data) {
    const board = data.shown === "chart" ? null : JSON.stringify([data.lattice, data.points, data.kinds]);
    const same = board !== null && board === this._board;
    this._board = board;
    this.puzzle = new Puzzle(data);
    this.selected = this.hovered = null;
    if (!same) this.hidden.clear();
    const { controls, puzzle } = this;
    controls.title.textContent = data.title || "a puzzle";
    controls.remark.textContent = data.remark || "";
    controls.remark.hidden = !data.remark;
    controls.solutions.hidden = puzzle.number < 2;
    controls.number.max = puzzle.number;
    controls.of.textContent = `of ${puzzle.number}`;
    controls.canvas.hidden = puzzle.chart;
    controls.chart.hidden = !puzzle.chart;
    controls.exploding.hidden = controls.assembly.hidden = puzzle.chart || !puzzle.number;
    for (const each of [controls.home, controls.board, controls.save]) each.hidden = puzzle.chart;
    this.root.classList.toggle("charted", puzzle.chart);
    this.boardShown = puzzle.flat || !puzzle.number;
    this.root.dataset.shown = data.shown;
    if (!puzzle.chart) this._buildBoard(same);
    this.show(0);
  }

  /** Shows a solution by its number, from 0. */
  show(number) {
    const { puzzle } = this;
    this.solution = puzzle.number ? clamped(Math.round(number) || 0, 0, puzzle.number - 1) : -1;
    this.bodies = puzzle.bodies(this.solution);
    this.steps = null;
    this.playing = false;
    this.controls.playing(false);
    this.progress.now = this.progress.goal = Infinity; // all of it; the steps are found when they are asked for
    this.controls.number.value = this.solution + 1;
    if (!puzzle.chart) this._build();
    this._stepsShown();
    this._changed();
    this._tell("solution", { number: this.solution });
  }

  // What is painted ------------------------------------------------------------------------------------------------

  _buildBoard(same) {
    const { puzzle } = this;
    const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    puzzle.places.forEach((place, location) => {
      const form = puzzle.form(location);
      const around = form.ball ? [[-form.ball, -form.ball, -form.ball], [form.ball, form.ball, form.ball]] : cornersOf(puzzle, puzzle.kinds[location]);
      for (const corner of around) {
        for (let c = 0; c < 3; c++) {
          box[0][c] = Math.min(box[0][c], place[c] + corner[c]);
          box[1][c] = Math.max(box[1][c], place[c] + corner[c]);
        }
      }
    });
    this.radius = size(minus(box[1], box[0])) / 2;
    this.cell = this._cellSize();
    if (!same) this.camera.look(box, puzzle.flat, this._outerNormals());
    else this.camera.box = box;
    this._ghostKey = null;
  }

  /** Returns the normals of the sides of a board, each direction once. */
  _outerNormals() {
    const { puzzle } = this;
    const found = new Map();
    for (let location = 0; location < puzzle.locations && !puzzle.flat && puzzle.form(location).faces; location++) {
      for (const face of puzzle.form(location).faces) {
        if (face.beyond && puzzle.beyond(location, face.beyond) >= 0) continue;
        const normal = normalOf(face);
        found.set(normal.map((value) => Math.round(value * 100)).join(), normal);
      }
    }
    return [...found.values()];
  }

  /** Returns about how large a cell is: what borders and bevels are measured by. */
  _cellSize() {
    const sizes = this.puzzle.data.forms.map((form) => {
      if (form.ball) return 2 * form.ball;
      if (form.rod) return size(minus(form.rod[1], form.rod[0]));
      const corners = form.faces.map((face) => face.corners).sort((a, b) => b.length - a.length);
      return Math.min(...corners.map((each) => Math.max(...each.map((corner, k) => size(minus(corner, each[(k + 1) % each.length])))))) || 1;
    });
    const mean = sizes.reduce((a, b) => a + b, 0) / sizes.length;
    return this.puzzle.flat && this.puzzle.data.forms[0].faces ? this._flatSize() : mean;
  }

  _flatSize() {
    const box = cornersOf(this.puzzle, 0);
    const wide = (axis) => Math.max(...box.map((corner) => corner[axis])) - Math.min(...box.map((corner) => corner[axis]));
    return Math.min(1.5, (wide(0) + wide(1)) / 2);
  }

  _build() {
    const { puzzle } = this;
    const mesh = new Mesh();
    const marked = puzzle.data.piecesColoured || [];
    for (const body of this.bodies) {
      const from = mesh.indexed;
      const dot = (location, face) => (marked[body.piece] ? this._mark(location, face) : null);
      const paint = body.sides.length ? (_, face) => (face.side === undefined ? 0 : tintOf(rgb(puzzle.data.dyes[body.sides[face.side]]))) : () => 0;
      this._add(mesh, body.locations, { paint, dot });
      body.range = [from, mesh.indexed];
      body.heart = middle(Array.from(body.locations, (each) => puzzle.places[each]));
    }
    this.mesh = mesh;
    this.painter.load("bodies", mesh);
    this._ready = true;
    this._resize();
  }

  _add(mesh, locations, { paint = () => 0, dot, apart = false, scale = 1 }) {
    const { puzzle } = this;
    const form = locations.length ? puzzle.form(locations[0]) : {};
    if (form.ball) addBalls(mesh, puzzle, locations, scale);
    else if (form.rod) addRods(mesh, puzzle, locations, scale);
    else addCells(mesh, puzzle, locations, { paint, dot, apart });
  }

  /** Returns the mark on a side of a location that has a colour; null for none. Flat cells have it on top. */
  _mark(location, face) {
    const { puzzle } = this;
    const mark = puzzle.coloured.length && puzzle.coloured[location] ? puzzle.data.marks[puzzle.coloured[location] - 1] : null;
    if (mark === null || (puzzle.flat && normalOf(face)[2] < 0.5)) return null;
    return mark.startsWith("#") ? { tint: tintOf(rgb(mark)) } : { pips: mark };
  }

  /** Returns what of the board is empty, or all of it; the mesh of it is made when it is needed. */
  _ghost() {
    const covered = new Set();
    const { bodies, progress } = this;
    const inPlace = this._placed();
    if (!(this.boardShown && progress.goal < this._last())) for (const body of bodies) if (inPlace(body.number) && !this._isHidden(body)) for (const each of body.locations) covered.add(each);
    const key = `${this.solution}/${covered.size}/${[...this.hidden].join()}/${this.boardShown}`;
    const kept = this.boardShown ? this.puzzle.kinds.length : 0;
    if (this._ghostKey !== key) {
      this._ghostKey = key;
      const left = [];
      for (let k = 0; k < this.puzzle.locations; k++) if (!covered.has(k)) left.push(k);
      const shown = kept || (this.puzzle.optional.size && bodies.length && progress.goal >= this._last() && !this.hidden.size) ? left : [];
      const mesh = new Mesh();
      this._add(mesh, shown, { dot: (location, face) => this._mark(location, face), apart: this.puzzle.flat || shown.length <= 3000, scale: 0.35 });
      this.boardMesh = mesh;
      this.painter.load(GHOST, mesh);
    }
    return this.boardMesh;
  }

  _placed() {
    if (!this.steps || this.progress.goal >= this._last()) return () => true;
    const there = new Set(this.steps.slice(0, Math.ceil(this.progress.goal)).flatMap((step) => step.bodies));
    return (number) => there.has(number);
  }

  _last() {
    return this.steps ? this.steps.length : Infinity;
  }

  _isHidden(body) {
    return this.hidden.has(`${body.piece}/${body.copy}`);
  }

  _isSelected(body) {
    const chosen = this.selected;
    return chosen !== null && chosen.piece === body.piece && (chosen.copy === null || chosen.copy === body.copy);
  }

  /** Returns where each body is now, and how much of it can be seen. */
  _things(view) {
    const { puzzle, camera } = this;
    const heart = middle(camera.box);
    const turnOf = new Map();
    if (this.steps && this.progress.now < this._last()) this.steps.forEach((step, turn) => step.bodies.forEach((body) => turnOf.set(body, [turn, step])));
    const things = [];
    for (const body of this.bodies) {
      if (this._isHidden(body)) continue;
      let shift = times(minus(body.heart, heart), this.exploded.now * 1.1);
      if (puzzle.flat) shift[2] = 0;
      let opacity = this.selected !== null && !this._isSelected(body) ? 0.22 : 1;
      if (turnOf.size) {
        const [turn, step] = turnOf.get(body.number);
        const part = clamped(this.progress.now - turn, 0, 1);
        if (part <= 0) continue;
        const far = (1 - part) * (1 - part) * (puzzle.flat ? 0.7 : 1.6) * this.radius;
        if (step.way) shift = minus(shift, times(step.way, far));
        opacity *= Math.min(1, part * 2.5);
      }
      const colour = body.sides.length ? [0.42, 0.45, 0.5] : rgb(puzzle.data.hues[body.hue]);
      const glow = this.hovered === body.number || (this.selected !== null && this._isSelected(body)) ? 1 : 0;
      const place = plus(body.heart, shift);
      things.push({ body, mesh: "bodies", range: body.range, shift, colour, opacity, glow, ghost: false, place, distance: size(minus(place, view.eye)) });
    }
    const ghost = this._ghost();
    if (ghost.indexed) things.push({ body: null, mesh: GHOST, range: [0, ghost.indexed], shift: [0, 0, 0], colour: [0.5, 0.5, 0.5], opacity: this.puzzle.data.forms[0].faces ? 1 : 4, ghost: true, distance: 0 });
    return things;
  }

  _resize() {
    const { stage, canvas } = this.controls;
    this.root.classList.toggle("narrow", this.root.clientWidth < 700);
    const [wide, high] = [stage.clientWidth, stage.clientHeight];
    if (!wide || !high) return;
    const sharp = Math.min(window.devicePixelRatio || 1, 2);
    this.camera.wide = wide;
    this.camera.high = high;
    const [w, h] = [Math.round(wide * sharp), Math.round(high * sharp)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    this._paint();
  }

  /** Asks for a picture as soon as the browser has time for one. */
  _draw() {
    if (this.gone || this._frame || !this.puzzle || this.puzzle.chart) return;
    this._frame = requestAnimationFrame((now) => {
      this._frame = 0;
      const passed = Math.min(now - (this._before || now), 100);
      this._before = now;
      if (this._move(passed)) this._draw();
      else this._before = 0;
      this._paint();
    });
  }

  /** Goes on with everything that moves; returns whether anything still does. */
  _move(passed) {
    const part = this.calm.matches ? 0 : Math.exp(-passed / 90);
    let moving = this.camera.approach(part);
    const left = (this.exploded.now - this.exploded.goal) * part;
    this.exploded.now = this.exploded.goal + (Math.abs(left) < 1e-3 ? 0 : left);
    moving = moving || this.exploded.now !== this.exploded.goal;
    const { progress } = this;
    if (progress.now !== progress.goal) {
      const speed = Math.max(1, Math.abs(progress.goal - progress.now)) * (passed / (this.playing ? STEP_TIME : 380));
      if (this.calm.matches || !Number.isFinite(progress.now)) progress.now = progress.goal;
      else progress.now = progress.goal > progress.now ? Math.min(progress.goal, progress.now + speed) : Math.max(progress.goal, progress.now - speed);
      moving = moving || progress.now !== progress.goal;
    }
    if (this.playing && progress.now === progress.goal) this._playOn();
    return moving || (this.playing && !this.calm.matches);
  }

  _paint() {
    if (this.gone || !this._ready || this.puzzle.chart || !this.camera.wide) return;
    this.camera.spread = 1 + 0.75 * this.exploded.now;
    const view = this.camera.view();
    this.things = this._things(view);
    const style = getComputedStyle(this.root);
    const ink = rgb((style.getPropertyValue("--line") || "#1d242b").trim());
    const ghost = this.dark.matches ? [0.75, 0.8, 0.88] : [0.3, 0.34, 0.4];
    this.painter.paint(view, this.things, { ink, ghostInk: ghost, cell: this.cell, seams: this.seams });
    this._placeLabel(view);
    if (!this.root.dataset.firstPicture) this.root.dataset.firstPicture = Math.round(performance.now());
  }

  /** Puts the name of the piece that is pointed at, or selected, beside it. */
  _placeLabel(view) {
    const { label } = this.controls;
    const thing = this.things.find((each) => each.body && each.body.number === this.hovered) || (this.selected && this.selected.copy !== null && this.things.find((each) => each.body && this._isSelected(each.body)));
    label.hidden = !thing;
    if (!thing) return;
    const { body } = thing;
    const sides = body.sides.length ? `, ${body.sides.map((side) => this.puzzle.signs[side]).join(" ")}` : "";
    const cells = body.locations.length === 1 ? "1 cell" : `${body.locations.length} cells`;
    label.replaceChildren(make("b", {}, body.name), ` ${cells}${sides}`);
    const [x, y] = this.camera.project(view, thing.place);
    label.style.left = `${clamped(x, 40, this.camera.wide - 40)}px`;
    label.style.top = `${clamped(y, 24, this.camera.high - 10)}px`;
  }

  /** Returns the number of the body at a pixel of the picture, null where there is none. */
  pick(x, y) {
    if (!this.things || x < 0 || y < 0) return null;
    const view = this.camera.view();
    const ray = this.camera.ray(view, x, y);
    let [nearest, found] = [Infinity, null];
    for (const thing of this.things) {
      if (!thing.body || thing.opacity < 0.1) continue;
      const eye = minus(view.eye, thing.shift);
      for (let k = thing.range[0]; k < thing.range[1]; k += 3) {
        const hit = hitAt(this.mesh, k, eye, ray);
        if (hit < nearest) [nearest, found] = [hit, thing.body.number];
      }
    }
    return found;
  }

  // What is said ---------------------------------------------------------------------------------------------------

  _tell(kind, detail) {
    this.root.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  _notice(text) {
    this.controls.notice.textContent = text;
    this.controls.notice.hidden = !text;
  }

  /** Brings the list, the controls and the words up to date, and asks for a picture. */
  _changed() {
    const { controls, puzzle, bodies } = this;
    const rows = puzzle.data.pieces.map(({ name, label }, piece) => {
      const own = bodies.filter((body) => body.piece === piece);
      const hidden = own.length > 0 && own.every((body) => this._isHidden(body));
      const colours = [...new Set(own.map((body) => puzzle.data.hues[body.hue]))];
      if (!puzzle.number) colours.push(puzzle.data.hues[piece % puzzle.data.hues.length]);
      return { piece, name, label, colours: own.length && own[0].sides.length ? own[0].sides.map((side) => puzzle.data.dyes[side]) : colours, tile: own.length > 0 && own[0].sides.length > 0, copies: puzzle.number ? own.length : 1, hidden, selected: this.selected !== null && this.selected.piece === piece };
    });
    controls.fill(rows);
    controls.showAll.disabled = !this.hidden.size;
    controls.board.setAttribute("aria-pressed", String(this.boardShown));
    controls.explode.value = Math.round(this.exploded.goal * 100);
    controls.status.textContent = this._words();
    controls.canvas.setAttribute("aria-label", `${puzzle.data.title || "the puzzle"}: ${this._words()}`);
    Object.assign(this.root.dataset, {
      solution: this.solution + 1,
      step: Number.isFinite(this.progress.goal) ? this.progress.goal : "all",
      explode: this.exploded.goal.toFixed(2),
      selected: this.selected === null ? "" : puzzle.data.pieces[this.selected.piece].name,
      hidden: [...this.hidden].map((each) => puzzle.data.pieces[each.split("/")[0]].name).join(" "),
      board: this.boardShown,
      playing: this.playing,
    });
    this._viewChanged();
    if (puzzle.chart) drawChart(controls.chart, puzzle, bodies, { hidden: new Set(bodies.filter((body) => this._isHidden(body)).map((body) => body.number)), selected: this.selected === null ? null : (bodies.find((body) => this._isSelected(body)) || {}).number, chosen: (number) => this._choose(number) });
  }

  _viewChanged() {
    const { yaw, pitch, zoom, right, up } = this.camera.goal;
    this.root.dataset.view = [yaw, pitch, zoom, right, up].map((value) => value.toFixed(3)).join(" ");
    this._draw();
  }

  _words() {
    const { puzzle, bodies } = this;
    if (!puzzle.number) return puzzle.chart ? "" : "the empty board";
    const words = [];
    if (puzzle.number > 1) words.push(`solution ${this.solution + 1} of ${puzzle.number}`);
    const last = this._last();
    if (this.steps && this.progress.goal < last) {
      const turn = this.progress.goal;
      const there = this.steps.slice(0, turn).flatMap((step) => step.bodies).length;
      words.push(`${there} of ${bodies.length} pieces`);
      if (turn) words.push(stepWords(this.steps[turn - 1], bodies));
    } else if (this.steps && last && this.steps[0].together) {
      words.push(stepWords(this.steps[0], bodies));
    }
    if (this.selected !== null) words.push(`${puzzle.data.pieces[this.selected.piece].name} selected`);
    return words.join(" · ");
  }

  // What can be done -----------------------------------------------------------------------------------------------

  _acts() {
    if (this._known) return this._known;
    const turned = (yaw, pitch) => {
      this.camera.turn(yaw, pitch);
      this._viewChanged();
    };
    this._known = {
      turn: (x, y) => turned(-x * 0.008, y * 0.008),
      turnBy: (yaw, pitch) => turned(-yaw, pitch),
      zoom: (by) => (this.camera.zoom(by), this._viewChanged()),
      move: (x, y) => (this.camera.move(x, y), this._viewChanged()),
      reset: () => (this.camera.reset(this.calm.matches), this._viewChanged()),
      hover: (x, y) => this._hover(this.pick(x, y)),
      choose: (x, y) => (typeof y === "number" ? this._choose(this.pick(x, y)) : this._choosePiece(x)),
      hide: (piece) => this._hide(this.bodies.filter((body) => body.piece === piece)),
      hideSelected: () => this._hide(this.bodies.filter((body) => this._isSelected(body)), true),
      showAll: () => (this.hidden.clear(), this._changed()),
      letGo: () => ((this.controls.keys.hidden = true), this._choose(null)),
      board: () => ((this.boardShown = !this.boardShown), this._changed()),
      seams: () => ((this.seams = !this.seams), this._changed()),
      solution: (number) => this.show(number),
      next: () => this.solution + 1 < this.puzzle.number && this.show(this.solution + 1),
      previous: () => this.solution > 0 && this.show(this.solution - 1),
      explode: (part) => ((this.exploded.goal = clamped(part, 0, 1)), this._changed()),
      explodeBy: (part) => this._known.explode(this.exploded.goal + part > 1.001 ? 0 : this.exploded.goal + part),
      step: (step) => this._stepTo(step, false),
      forth: () => this._stepTo(this._stepNow() + 1, false),
      back: () => this._stepTo(this._stepNow() - 1, false),
      play: () => this._play(),
      whole: () => this._whole(),
      save: () => this._save(),
      keys: () => (this.controls.keys.hidden = !this.controls.keys.hidden),
    };
    return this._known;
  }

  _key(event) {
    if (this.puzzle.chart && !["n", "p", "a", "h", "f", "?", "Escape"].includes(event.key)) return;
    const target = event.target;
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable) return;
    if (target instanceof HTMLInputElement && (target.type !== "range" || event.key.startsWith("Arrow") || event.key === "Home")) return;
    if (event.key === " " && target instanceof HTMLButtonElement) return; // a button is pressed by it
    if (pressed(event, this._acts())) event.preventDefault();
  }

  _hover(number) {
    if (number === this.hovered) return;
    this.hovered = number;
    this.controls.canvas.classList.toggle("over", number !== null);
    const body = number === null ? null : this.bodies[number];
    this.root.dataset.hovered = body ? body.name : "";
    this._tell("piece", body ? { piece: body.piece, name: body.name, number } : null);
    this._draw();
  }

  _choose(number) {
    const body = number === null || number === undefined ? null : this.bodies[number];
    this.selected = body === null || (this._isSelected(body) && this.selected.copy !== null) ? null : { piece: body.piece, copy: body.copy };
    this._tell("select", this.selected);
    this._changed();
  }

  _choosePiece(piece) {
    const own = this.bodies.filter((body) => body.piece === piece);
    const again = this.selected !== null && this.selected.piece === piece;
    this.selected = again || !own.length ? null : { piece, copy: own.length === 1 ? own[0].copy : null };
    this._tell("select", this.selected);
    this._changed();
  }

  _hide(bodies, letGo = false) {
    const names = bodies.map((body) => `${body.piece}/${body.copy}`);
    const all = names.length > 0 && names.every((name) => this.hidden.has(name));
    for (const name of names) all ? this.hidden.delete(name) : this.hidden.add(name);
    if (letGo || this.bodies.some((body) => this._isSelected(body) && this._isHidden(body))) this.selected = null;
    this._changed();
  }

  _steps() {
    if (!this.steps) {
      this.steps = assemblySteps(this.puzzle, this.bodies);
      if (this.progress.goal === Infinity) this.progress.now = this.progress.goal = this.steps.length;
      this._stepsShown();
    }
    return this.steps;
  }

  _stepNow() {
    this._steps();
    return this.progress.goal;
  }

  _stepTo(step, playing) {
    if (this.puzzle.chart || !this.bodies.length) return;
    const asked = this.steps ? step : this.controls.step.max > 0 && step <= this.controls.step.max ? step : step;
    const last = this._steps().length;
    this.progress.goal = clamped(asked, 0, last);
    this.playing = playing;
    this.controls.playing(playing);
    this._stepsShown();
    this._changed();
    this._tell("step", { step: this.progress.goal, of: last });
  }

  _stepsShown() {
    const last = this.steps ? this.steps.length : this.bodies.length;
    this.controls.step.max = last;
    this.controls.step.value = Number.isFinite(this.progress.goal) ? this.progress.goal : last;
  }

  _play() {
    if (this.puzzle.chart || !this.bodies.length) return;
    if (this.playing) return this._stepTo(this._stepNow(), false);
    const last = this._steps().length;
    if (this.progress.goal >= last) this.progress.now = this.progress.goal = 0;
    this._stepTo(this.progress.goal + 1, true);
    if (this.calm.matches) this._timer();
  }

  /** Without motion pieces appear one after the other. */
  _timer() {
    clearTimeout(this._waiting);
    this._waiting = setTimeout(() => {
      if (this.gone || !this.playing) return;
      this._playOn();
      this._draw();
      if (this.playing) this._timer();
    }, STEP_TIME);
  }

  _playOn() {
    if (this.progress.goal < this._last()) {
      if (!this.calm.matches || this.progress.now === this.progress.goal) this._stepTo(this.progress.goal + 1, true);
    } else this._stepTo(this._last(), false);
  }

  _whole() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (this.root.requestFullscreen) this.root.requestFullscreen().catch(() => this._notice("This browser allows no full screen here."));
  }

  /** Saves the picture as a PNG file. It is painted first: what WebGL painted before may be gone. */
  _save() {
    if (this.puzzle.chart) return;
    this._paint();
    const { canvas } = this.controls;
    canvas.toBlob((content) => {
      const name = (this.puzzle.data.title || "puzzle").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "puzzle";
      const link = make("a", { href: URL.createObjectURL(content), download: `${name}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }, "image/png");
  }
}

/** Returns how far a triangle is along a ray, Infinity where it is not hit from outside (T. Moeller, B. Trumbore, 1997). */
function hitAt(mesh, first, eye, ray) {
  const [a, b, c] = [0, 1, 2].map((k) => mesh.place(mesh.triangles[first + k]));
  const [one, two] = [minus(b, a), minus(c, a)];
  const across = cross(ray, two);
  const turn = dot(one, across);
  if (turn < 1e-12) return Infinity;
  const from = minus(eye, a);
  const u = dot(from, across) / turn;
  if (u < 0 || u > 1) return Infinity;
  const other = cross(from, one);
  const v = dot(ray, other) / turn;
  if (v < 0 || u + v > 1) return Infinity;
  const far = dot(two, other) / turn;
  return far > 0 ? far : Infinity;
}

/** Returns the words for a step: which piece comes, and from where; or which interlock. */
function stepWords(step, bodies) {
  const names = step.bodies.map((number) => bodies[number].name);
  if (!step.way) {
    const listed = names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} others` : names.join(", ");
    return step.together ? `${listed} interlock: no single one comes out straight` : listed;
  }
  const [x, y, z] = step.way;
  const from = [];
  if (z < -0.3) from.push("above");
  if (z > 0.3) from.push("below");
  if (y > 0.3) from.push("the front");
  if (y < -0.3) from.push("behind");
  if (x < -0.3) from.push("the right");
  if (x > 0.3) from.push("the left");
  return `${names[0]} comes from ${from.join(", ") || "beside"}`;
}
