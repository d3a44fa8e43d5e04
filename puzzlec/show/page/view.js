// A puzzle in an element of a page: the view, and its actions.

class PuzzleView {
  /**
   * Shows a puzzle. With the setting `keys: "page"` it listens to keys on the whole page, not only when the view has
   * the focus. `header: false` leaves the title out. `palette` is the name of the first palette. `tap` gets clicks and
   * taps instead of the view: the pixel, and whether it was with Alt or the right button. `ghost` then returns the kind and
   * the point of the cell that a click at a pixel adds. The element gets the events
   * `piece` (for the piece under the pointer, or none), `select`, `solution`, `step` and `palette`, with details in
   * `detail`.
   */
  constructor(element, data, settings = {}) {
    this.root = element;
    this.settings = settings;
    this.hidden = new Set();
    this.selected = null; // a piece, and the number of its copy (null: all)
    this.hovered = null;
    this.seams = true;
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.exploded = { now: 0, goal: 0 };
    this.root.classList.add("puzzle-view");
    this.root.classList.toggle("bare", settings.header === false);
    this.controls = new Controls(this.root, this._acts());
    this._start();
    this.load(data);
  }

  _start() {
    const { canvas, stage } = this.controls;
    this.picture = new Picture(this);
    this.camera = this.picture.camera;
    this.root.dataset.painter = this.picture.rich ? "webgl" : "canvas";
    if (!this.picture.rich) this._notice(phrase("view.noWebgl"));
    this._ends = [listenToPointers(canvas, this._acts())];
    const listen = (target, kind, act) => {
      target.addEventListener(kind, act);
      this._ends.push(() => target.removeEventListener(kind, act));
    };
    listen(this.settings.keys === "page" ? document : this.root, "keydown", (event) => this._key(event));
    listen(canvas, "webglcontextlost", (event) => {
      event.preventDefault(); // so that it comes back
      this._notice(phrase("view.lost"));
    });
    listen(canvas, "webglcontextrestored", () => {
      this._notice("");
      this.picture.painter.begin();
      if (!this.puzzle.chart) this.picture.build();
      this._draw();
    });
    listen(this.picture.dark, "change", () => this._draw());
    listen(this.calm, "change", () => this.playing.on && (this.calm.matches ? this._timer() : this._draw()));
    listen(window, "beforeprint", () => this._resize());
    listen(window, "afterprint", () => this._resize());
    const watch = new ResizeObserver(() => this._resize());
    watch.observe(this.root);
    watch.observe(stage);
    this._ends.push(() => watch.disconnect());
  }

  /** Ends the view, and removes all of it from the page. */
  destroy() {
    if (this.gone) return;
    this.gone = true;
    cancelAnimationFrame(this._frame);
    clearTimeout(this._waiting);
    for (const end of this._ends) end();
    this.picture.painter.destroy();
    this.root.replaceChildren();
    this.root.classList.remove("puzzle-view", "bare", "narrow", "tight", "charted");
    for (const name of ["painter", "shown", "view", "firstPicture", "hovered", "marked", ...Object.keys(this._state())]) delete this.root.dataset[name];
  }

  /** Shows other data. If the board is the same, the camera stays. */
  load(data) {
    const board = data.shown === "chart" ? null : JSON.stringify([data.lattice, data.points, data.kinds, data.shapes]);
    const same = board !== null && board === this._board;
    const pieces = JSON.stringify(data.pieces);
    if (!same || pieces !== this._pieces) this.hidden.clear();
    [this._board, this._pieces] = [board, pieces];
    this.palette ??= data.palettes[this.settings.palette] ? this.settings.palette : data.palette || "standard";
    this.puzzle = new Puzzle(data);
    this.selected = null;
    const { controls, puzzle } = this;
    this._coloured();
    controls.title.textContent = data.title || phrase("view.untitled");
    controls.remark.textContent = data.remark || "";
    controls.remark.hidden = !data.remark;
    controls.solutions.hidden = puzzle.number < 2;
    controls.number.max = puzzle.number;
    controls.of.textContent = phrase("view.of", { all: puzzle.number });
    controls.canvas.hidden = puzzle.chart;
    controls.chart.hidden = !puzzle.chart;
    controls.exploding.hidden = controls.assembly.hidden = puzzle.chart || !puzzle.number;
    for (const button of [controls.home, controls.board, controls.save]) button.hidden = puzzle.chart;
    this._rules();
    this.root.classList.toggle("charted", puzzle.chart);
    this.boardShown = puzzle.flat || !puzzle.number;
    this.root.dataset.shown = data.shown;
    if (!puzzle.number) this.exploded.now = this.exploded.goal = 0;
    if (!puzzle.chart) this.picture.lookAt(same);
    this.show(data.start || 0);
    this._measure();
  }

  /** Shows the rules: outlines of regions on a flat board, and the others in words. */
  _rules() {
    const { controls, puzzle } = this;
    const notes = (puzzle.data.rules?.notes || []).map(noteWords);
    const lines = puzzle.data.walls ? [...notes, phrase("rules.walls")] : notes;
    controls.rules.replaceChildren(...lines.map((line) => make("li", {}, line)));
    controls.rules.hidden = !lines.length;
    this.picture.outlines.load(puzzle);
  }

  /** Shows a solution by its number, from 0. */
  show(number) {
    const { puzzle } = this;
    this._hover(null);
    this.solution = puzzle.number ? clamped(Math.round(number) || 0, 0, puzzle.number - 1) : -1;
    this.bodies = puzzle.number ? puzzle.bodiesIn(this.solution) : this.picture.shapes;
    this.playing = new Playing(puzzle, this.bodies, (puzzle.data.plans || [])[this.solution]); // complete at first
    clearTimeout(this._waiting);
    this.controls.playing(false);
    this.controls.number.value = this.solution + 1;
    if (!puzzle.chart) this.picture.build();
    this._stepsShown();
    this._changed();
    this._tell("solution", { number: this.solution });
  }

  // What is seen --------------------------------------------------------------------------------------------------

  isHidden(body) {
    return this.hidden.has(`${body.piece}/${body.copy}`);
  }

  isSelected(body) {
    const chosen = this.selected;
    return chosen !== null && chosen.piece === body.piece && (chosen.copy === null || chosen.copy === body.copy);
  }

  /** Takes the size of the picture from the page; returns whether it is another one. */
  _measure() {
    const { canvas } = this.controls;
    this.root.classList.toggle("narrow", this.root.clientWidth < 700);
    this.root.classList.toggle("tight", this.root.clientWidth < 1060);
    const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
    const before = this._size;
    this._size = wide && high ? `${wide} ${high}` : ""; // a picture that was hidden is painted again
    if (!this._size || this._size === before) return false;
    [this.camera.wide, this.camera.high] = [wide, high];
    return true;
  }

  _resize() {
    if (!this.gone && this._measure()) this._paint();
  }

  /** Requests a picture as soon as the browser has time for one. */
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

  /** Continues everything that moves; returns whether anything still moves. */
  _move(passed) {
    const part = this.calm.matches ? 0 : Math.exp(-passed / 90);
    let moving = this.camera.approach(part);
    const left = (this.exploded.now - this.exploded.goal) * part;
    this.exploded.now = this.exploded.goal + (Math.abs(left) < 1e-3 ? 0 : left);
    moving = moving || this.exploded.now !== this.exploded.goal;
    const { playing } = this;
    moving = playing.move(passed, this.calm.matches) || moving;
    if (playing.on && playing.now === playing.goal && !this.calm.matches) this._playOn();
    return moving || playing.now !== playing.goal;
  }

  _paint() {
    if (this.gone || this.puzzle.chart) return;
    this.picture.paint();
    if (!this.root.dataset.firstPicture) this.root.dataset.firstPicture = Math.round(performance.now());
  }

  /** Returns the number of the body at a pixel of the picture; null for none. */
  pick(x, y) {
    return this.picture.pick(x, y);
  }

  // Announcements ---------------------------------------------------------------------------------------------------

  _tell(kind, detail) {
    this.root.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  _notice(text) {
    this.controls.notice.textContent = text;
    this.controls.notice.hidden = !text;
  }

  /** Returns the `data-` attributes that an element has for its view. */
  _state() {
    const nameOf = (piece) => this.puzzle.data.pieces[piece].name;
    return {
      solution: this.solution + 1,
      step: Number.isFinite(this.playing.goal) ? this.playing.goal : "all",
      explode: this.exploded.goal.toFixed(2),
      selected: this.selected === null ? "" : nameOf(this.selected.piece),
      hidden: [...this.hidden].map((key) => nameOf(key.split("/")[0])).join(" "),
      board: this.boardShown,
      playing: this.playing.on,
      palette: this.palette,
    };
  }

  /** Brings the list, the controls and the words up to date, and requests a picture. */
  _changed() {
    const { controls, puzzle, bodies } = this;
    controls.fill(rowsFor(puzzle, bodies, (body) => this.isHidden(body), this.selected));
    controls.allShown(!this.hidden.size);
    controls.board.setAttribute("aria-pressed", String(this.boardShown));
    controls.explode.value = Math.round(this.exploded.goal * 100);
    const words = wordsFor(this);
    if (controls.status.textContent !== words) {
      // The toolbar shows the number of the solution; only a screen reader needs it again.
      const [, number, step] = (puzzle.number > 1 ? /^(.*?(?: · |$))(.*)$/ : /^()(.*)$/).exec(words);
      controls.status.replaceChildren(make("span", { class: "unseen" }, number), step);
    }
    controls.canvas.setAttribute("aria-label", `${puzzle.data.title || phrase("view.puzzle")}: ${words}`);
    Object.assign(this.root.dataset, this._state());
    this._viewChanged();
    if (!puzzle.chart) return;
    const numbers = (which) => new Set(bodies.filter(which).map((body) => body.number));
    const settings = { hidden: numbers((body) => this.isHidden(body)), selected: numbers((body) => this.isSelected(body)), chosen: (number) => this._choose(number) };
    drawChart(controls.chart, puzzle, bodies, this.solution, settings);
  }

  /** Shows the pieces in the colours of a palette. */
  colours(name) {
    if (!this.puzzle.data.palettes[name] || name === this.palette) return;
    this.palette = name;
    this._coloured();
    this._changed();
    this._tell("palette", { name });
  }

  _coloured() {
    this.puzzle.data.hues = this.puzzle.data.palettes[this.palette];
    this.controls.palette.value = this.palette;
  }

  /** Looks from elsewhere: the five numbers of `data-view`. */
  lookFrom([yaw, pitch, zoom, right, up]) {
    Object.assign(this.camera.goal, { yaw, pitch: clamped(pitch, -Math.PI / 2, Math.PI / 2), zoom: clamped(zoom, 0.2, 30), right, up });
    this._viewChanged();
  }

  /** Shows a step of the assembly. */
  stepTo(step) {
    if (!this._assembled) return;
    this._steps();
    this._stepTo(step);
  }

  /** Returns the picture as an image of this many pixels for each pixel of the page; its ground is transparent. */
  async image(sharp) {
    if (this.puzzle.chart) return null;
    this.picture.sharp = sharp;
    this._paint();
    try {
      return await createImageBitmap(this.controls.canvas);
    } finally {
      this.picture.sharp = null;
      this._paint();
    }
  }

  _viewChanged() {
    const { yaw, pitch, zoom, right, up } = this.camera.goal;
    this.root.dataset.view = [yaw, pitch, zoom, right, up].map((value) => value.toFixed(3)).join(" ");
    this._draw();
  }

  // What can be done -----------------------------------------------------------------------------------------------

  _acts() {
    if (this._known) return this._known;
    const turned = (yaw, pitch) => {
      this.camera.turn(yaw, pitch);
      this._viewChanged();
    };
    const explode = (part) => this.puzzle.number && ((this.exploded.goal = clamped(part, 0, 1)), this._changed());
    this._known = {
      turn: (x, y) => turned(-x * 0.008, y * 0.008),
      turnBy: (yaw, pitch) => turned(-yaw, pitch),
      zoom: (by) => (this.camera.zoom(by), this._viewChanged()),
      move: (x, y) => (this.camera.move(x, y), this._viewChanged()),
      reset: () => ((this.exploded.goal = 0), this.camera.reset(this.calm.matches), this._changed()),
      hover: (x, y) => (this.settings.tap ? this._mark(x, y) : this._hover(this.pick(x, y))),
      choose: (x, y, event) => this._tapped(x, y, event),
      choosePiece: (piece) => this._choosePiece(piece),
      hide: (piece) => this._hide(this.bodies.filter((body) => body.piece === piece)),
      hideSelected: () => this._hide(this.bodies.filter((body) => this.isSelected(body)), true),
      showAll: () => (this.hidden.clear(), this._changed()),
      letGo: () => ((this.controls.keys.hidden = true), this._choose(null)),
      colours: (name) => this.colours(name),
      board: () => ((this.boardShown = !this.boardShown), this._changed()),
      seams: () => ((this.seams = !this.seams), this._changed()),
      solution: (text) => this.show(text.trim() ? Number(text) - 1 : this.solution),
      next: () => this.solution + 1 < this.puzzle.number && this.show(this.solution + 1),
      previous: () => this.solution > 0 && this.show(this.solution - 1),
      explode,
      explodeBy: (part) => explode(this.exploded.goal + part > 1.001 ? 0 : this.exploded.goal + part),
      step: (step) => this._stepTo(step),
      forth: () => this._stepBy(1),
      back: () => this._stepBy(-1),
      play: () => this._play(),
      whole: () => this._whole(),
      save: () => this._save(),
      keys: () => (this.controls.keys.hidden = !this.controls.keys.hidden),
    };
    return this._known;
  }

  _key(event) {
    if (event.defaultPrevented || event.isComposing) return;
    if (this.puzzle.chart && !["n", "p", "a", "h", "f", "?", "Escape"].includes(event.key)) return;
    const target = event.target;
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable) return;
    if (target instanceof HTMLInputElement && (target.type !== "range" || event.key.startsWith("Arrow") || event.key === "Home")) return;
    if (event.key === " " && target instanceof HTMLButtonElement) return; // the key presses the button
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

  /** Shows the cell that a click at a pixel would add. */
  _mark(x, y) {
    if (this.picture.mark(this.settings.ghost?.(x, y) || null)) this._draw();
  }

  /** A click or a tap: it selects, or it is for the owner of the view. */
  _tapped(x, y, { button, altKey }) {
    if (this.settings.tap) this.settings.tap(x, y, altKey || button === 2);
    else if (button === 0) this._choose(this.pick(x, y));
  }

  /** Returns the location at a pixel, and the step to the cell beyond the side that is seen there; null for none. */
  side(x, y) {
    return this.picture.side(x, y);
  }

  _choose(number) {
    const body = number === null ? null : this.bodies[number];
    this.selected = body === null || (this.isSelected(body) && this.selected.copy !== null) ? null : { piece: body.piece, copy: body.copy };
    this._tell("select", this.selected);
    this._changed();
  }

  _choosePiece(piece) {
    const own = this.bodies.filter((body) => body.piece === piece);
    const again = this.selected !== null && this.selected.piece === piece;
    this.selected = again || !own.length ? null : { piece, copy: own.length === 1 ? own[0].copy : null };
    if (this.selected) for (const body of own) this.hidden.delete(`${body.piece}/${body.copy}`); // to be seen, as one expects
    this._tell("select", this.selected);
    this._changed();
  }

  _hide(bodies, letGo = false) {
    const names = bodies.map((body) => `${body.piece}/${body.copy}`);
    const all = names.length > 0 && names.every((name) => this.hidden.has(name));
    for (const name of names) all ? this.hidden.delete(name) : this.hidden.add(name);
    if (this.selected !== null && (letGo || this.bodies.some((body) => this.isSelected(body) && this.isHidden(body)))) {
      this.selected = null;
      this._tell("select", null);
    }
    this._changed();
  }

  /** Returns whether there is something to put together. */
  get _assembled() {
    return !this.puzzle.chart && this.puzzle.number > 0 && this.bodies.length > 0;
  }

  _steps() {
    return this.playing.find();
  }

  _stepBy(number) {
    if (!this._assembled) return;
    this._steps();
    this._stepTo(this.playing.goal + number);
  }

  _stepTo(step, on = false) {
    if (!this._assembled) return;
    this.playing.to(step, on);
    this._stepped();
  }

  /** Shows the progress of the assembly. */
  _stepped() {
    const { on, goal, last } = this.playing;
    this.controls.playing(on);
    this._stepsShown();
    this._changed();
    this._tell("step", { step: goal, of: last });
  }

  _stepsShown() {
    const { steps, goal } = this.playing;
    const last = steps ? steps.length : this.bodies.length;
    this.controls.step.min = this.playing.least;
    this.controls.step.max = last;
    this.controls.step.value = Number.isFinite(goal) ? goal : last;
  }

  /** Returns the state of the assembly for a search of moves: see `Playing.state`. */
  state() {
    if (!this._assembled) return null;
    this._steps();
    return this.playing.state();
  }

  /** Moves bodies from the current state along a vector of the lattice; see `Playing.add`. */
  explore(bodies, vector, leave, walls) {
    if (!this._assembled) return;
    this._steps();
    this.playing.add(bodies, vector, leave, walls);
    this.exploded.goal = 0;
    this._stepped();
  }

  /** Returns the words for a move from the current state. */
  moveWords(bodies, vector, distance, leave) {
    return moveWords(bodies.map((body) => this.bodies[body].name), unit(inSpace(this.puzzle, vector)), distance, leave);
  }

  /** Steps back towards the assembly, or to its end. */
  together(whole) {
    if (this._assembled) this._stepTo(whole ? this._steps().length : this.playing.goal + 1);
  }

  _play() {
    if (!this._assembled) return;
    if (this.playing.on) return this._stepTo(this.playing.goal);
    this.playing.begin();
    this._stepped();
    if (this.calm.matches) this._timer();
  }

  /** Without motion, pieces appear one after the other. */
  _timer() {
    clearTimeout(this._waiting);
    this._waiting = setTimeout(() => {
      if (!this.playing.on) return;
      this._playOn();
      this._timer();
    }, Math.max(this.playing.time, 100));
  }

  _playOn() {
    if (this.playing.goal < this.playing.last) {
      this.playing.goal++;
      this._stepped();
    } else this._stepTo(this.playing.last);
  }

  _whole() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (this.root.requestFullscreen) this.root.requestFullscreen().catch(() => this._notice(phrase("view.noWhole")));
  }

  /** Saves the picture as a PNG file. It paints first, because WebGL may have dropped the last picture. */
  _save() {
    if (this.puzzle.chart) return;
    this._paint();
    this.controls.canvas.toBlob((content) => {
      if (!content) return this._notice(phrase("view.noPicture"));
      const name = (this.puzzle.data.title || "puzzle").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "puzzle";
      const link = make("a", { href: URL.createObjectURL(content), download: `${name}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }, "image/png");
  }
}
