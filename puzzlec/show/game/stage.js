// The stage: a board with the pieces around it, in three dimensions.

/** The first view of the stage, and of flat pieces: angles to the right, and up. From below the table, nothing is seen. */
const LOOK = [0.5, 0.62], FLAT_LOOK = [0, 1.2], LOWEST = 0.06;

/** A piece snaps to a place whose cell is nearer than this to the pointer, in cells of the picture. */
const NEAR = 0.95;

/** How much a place in the air, and a place one cell farther away, is behind a place on a floor or on a piece. */
const IN_AIR = 0.5, BEHIND = 0.12;

/**
 * The times of effects, in milliseconds: a layer that lights up, a wave, its delay from cell to cell, a shake, the names
 * of pieces in the way, and a turn.
 */
const LIT_TIME = 900, WAVE_TIME = 520, WAVE_DELAY = 90, SHAKE_TIME = 420, MET_TIME = 2500, TURNED_TIME = 800;

class Stage {
  /** Shows a game: `owner` is its state, and says what the player does. */
  constructor(owner) {
    Object.assign(this, {owner, game: owner.game});
    const {board, flat} = this.game;
    this.canvas = make("canvas", {"aria-hidden": "true"});
    this.labels = make("div", {class: "labels", "aria-hidden": "true"});
    owner.shown.board.append(this.canvas, this.labels);
    this.painter = Painter.on(this.canvas) || new Sketch(this.canvas);
    this.canvas.dataset.painter = this.painter instanceof Painter ? "webgl" : "canvas";
    this.data = {shown: flat ? "flat" : "solid", axes: board.steps, forms: board.forms, marks: board.marks, pieces: [], hues: []};
    const {optional, coloured} = board, {walls} = this.game.data;
    this.puzzle = new Puzzle({...this.data, points: board.points, kinds: board.of, optional, coloured});
    this.middles = board.forms.map((form, kind) => (form.ball ? [0, 0, 0] : middle(cornersOf(this.puzzle, kind))));
    this.centres = this.puzzle.places.map((place, at) => plus(place, this.middles[this.puzzle.kinds[at]]));
    this.cell = cellSize(this.puzzle);
    this.box = boundsOf(this.puzzle).box;
    if (walls) {
      this.walls = new Puzzle({...this.data, ...walls});
      this.box = boxAround(this.box, boundsOf(this.walls).box);
    }
    this.heights = this.centres.map(([, , z]) => Math.round(z * 1000) / 1000);
    this.layers = [...new Set(this.heights)].sort((a, b) => a - b).map(height => this.centres.map((_, at) => at).filter(at => this.heights[at] === height));
    this.camera = new Camera();
    this.camera.first = this.look = flat ? FLAT_LOOK : LOOK;
    this.camera.reset(true);
    this.bodies = new Map();
    this.entries = [];
    this.copies = new Map(); // of each placement on the board: which copy of its piece it is
    this.lit = new Map(); // since when a layer is lit
    this.hovered = this.board = this.waved = this.shaken = null;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.ends = [listenToPointers(this.canvas, this.acts())];
    const listen = (target, kind, act) => {
      target.addEventListener(kind, act);
      this.ends.push(() => target.removeEventListener(kind, act));
    };
    listen(this.dark, "change", () => this.animate());
    listen(this.canvas, "webglcontextlost", event => event.preventDefault()); // so that it comes back
    listen(this.canvas, "webglcontextrestored", () => this.restore());
    if (this.walls) this.loadWalls();
  }

  destroy() {
    cancelAnimationFrame(this.waiting);
    for (const end of this.ends) end();
    this.painter.destroy();
    this.gone = true;
  }

  loadWalls() {
    this.painter.load("walls", (this.wallMesh = meshOf(this.walls)));
  }

  /** Loads all meshes again after the computer has taken the graphics away. */
  restore() {
    this.painter.begin();
    for (const [key, {mesh}] of this.bodies) this.painter.load(key, mesh);
    if (this.walls) this.loadWalls();
    if (this.board) this.painter.load("board", this.board.mesh);
    this.animate();
  }

  // -- What is on the stage

  /** Returns an orientation of a piece as triangles about its first cell, with its middle and the box around it. */
  body(piece, form) {
    const key = `${piece}/${form}`;
    if (!this.bodies.has(key)) {
      const {points, of, colours} = this.game.pieces[piece].forms[form], on = new Puzzle({...this.data, points: points.flat(), kinds: of, coloured: colours});
      const mesh = meshOf(on, colours ? {dot: (at, face) => markOn(on, colours[at], face)} : {});
      const cells = on.places.map((place, k) => plus(place, this.middles[of[k]])), range = [0, mesh.indexed], bounds = mesh.bounds(range);
      this.bodies.set(key, {number: key, mesh, grain: this.game.data.wood && grainOf(on, [...on.places.keys()], piece), range, cells, bounds, extent: bounds, heart: middle(cells)});
      this.painter.load(key, mesh);
    }
    return this.bodies.get(key);
  }

  arrange() {
    const {canvas, camera} = this, {clientWidth: wide, clientHeight: high} = canvas;
    if (!wide || !high || (wide === camera.wide && high === camera.high)) return;
    [camera.wide, camera.high] = [wide, high];
    this.layOut();
    this.owner.draw();
  }

  /** Lays the pieces out around the board, as the size of the window allows, and looks at all of it. */
  layOut() {
    const {camera, owner} = this, {wide, high} = camera;
    this.laid = owner.apart ? owner.assembly : null;
    const lying = owner.apart ? owner.placed.map(number => this.game.placements[number]) : this.game.pieces.map((_, piece) => ({piece, form: owner.forms[piece]}));
    const {right, up} = camera.axes(camera.home()), away = unit([-right[1], right[0], 0]);
    const boxes = lying.map(({piece, form}) => this.body(piece, form).bounds), sizes = boxes.map(([low, high]) => Math.max(...minus(high, low)));
    // A piece hides what is behind it, the more the higher it is.
    const hidden = boxes.map(bounds => spread(cornersOfBox(bounds), away) + (bounds[1][2] - bounds[0][2]) / Math.tan(this.look[1]));
    const room = Math.max(...sizes) + 0.7 * this.cell, gap = 0.5 * this.cell, row = Math.max(room + 0.4 * this.cell, Math.max(...hidden) + gap), ends = cornersOfBox(this.box);
    const [r0, r1, a0, a1] = [right, away].flatMap(axis => [Math.min, Math.max].map(most => most(...ends.map(at => dot(at, axis)))));
    const height = this.box[1][2] - this.box[0][2], number = sizes.length;
    let best = {scale: 0};
    for (let columns = 1; columns <= number; columns++)
      for (const sides of [true, false]) {
        const rows = Math.ceil(number / (sides ? 2 * columns : columns)), deep = rows * row;
        const width = sides ? r1 - r0 + 2 * (columns * room + gap) : Math.max(r1 - r0, columns * room);
        const depth = sides ? Math.max(a1 - a0, deep) : a1 - a0 + gap + deep;
        const scale = Math.min(wide / high / width, 1 / (depth * Math.sin(this.look[1]) + height * Math.cos(this.look[1])));
        if (scale > best.scale) best = {scale, columns, rows, sides};
      }
    const {columns, rows, sides} = best, half = Math.ceil(number / 2);
    this.slots = sizes.map((_, k) => {
      const own = sides ? k % half : k, column = own % columns, line = Math.floor(own / columns);
      const across = !sides ? (r0 + r1) / 2 + (column - (Math.min(columns, number - line * columns) - 1) / 2) * room
        : k < half ? r0 - gap - (columns - column - 0.5) * room : r1 + gap + (column + 0.5) * room;
      const along = sides ? (a0 + a1) / 2 + ((rows - 1) / 2 - line) * row : a0 - gap - (line + 0.5) * row;
      return plus(plus(times(right, across), times(away, along)), [0, 0, this.box[0][2]]);
    });
    this.around = [...ends, ...boxes.flatMap((bounds, k) => cornersOfBox(bounds).map(corner => plus(corner, this.beside(k, {bounds}, this.look[0])))), ...(owner.apart ? lying.flatMap((placement, k) => this.waysOut(placement, boxes[k])) : [])];
    this.lookAt(this.around);
  }

  /** Returns the corners of the box around a placed piece, moved out of the board along each way of the lattice. */
  waysOut({start}, bounds) {
    const own = cornersOfBox(bounds).map(corner => plus(corner, this.puzzle.places[start])), all = cornersOfBox(this.box);
    return this.owner.assembly.ways.flatMap(way => {
      const along = unit(inSpace(this.puzzle, way)), far = Math.max(...all.map(at => dot(at, along))) - Math.min(...own.map(at => dot(at, along)));
      return own.map(corner => plus(corner, times(along, far)));
    });
  }

  /** Looks at places so that they fill the picture in the first view. The camera glides there. */
  lookAt(seen) {
    const {camera} = this, far = camera.distance(camera.now), home = camera.home(), {right, up} = camera.axes(home), heart = middle(this.box);
    const between = axis => (Math.min(...seen.map(at => dot(minus(at, heart), axis))) + Math.max(...seen.map(at => dot(minus(at, heart), axis)))) / 2;
    const reach = Math.max(...seen.map(at => size(minus(at, heart)))), first = camera.corners === null;
    Object.assign(camera, {box: [minus(heart, [reach, reach, reach]), plus(heart, [reach, reach, reach])], reach, corners: seen, aside: [between(right), between(up)]});
    const by = {right: camera.aside[0] - home.right, up: camera.aside[1] - home.up};
    for (const axis of ["right", "up"]) camera.goal[axis] += by[axis];
    if (first) Object.assign(camera.now, camera.goal);
    else camera.now.zoom *= camera.distance(camera.now) / far; // the camera glides
  }

  /**
   * Returns where a piece lies beside the board: one of those that are put together or taken apart, by its number. It
   * stays in its place of the picture if the camera goes around the board.
   */
  beside(number, {bounds: [low, high]}, yaw = this.camera.now.yaw) {
    const heart = middle(this.box), around = rotationBy([0, 0, 1], yaw - this.look[0]), slot = minus(this.slots[number], heart);
    return minus(plus(heart, rotated(around, slot)), [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]]);
  }

  /** Shows the pieces on the board, and those beside it. Each glides from its last place. */
  draw(placed, broken) {
    if (!this.slots) return;
    if (this.laid !== (this.owner.apart ? this.owner.assembly : null)) this.layOut();
    const {owner, game} = this, left = new Map(this.entries.map(entry => [entry.key, entry])), {apart} = owner, before = this.seenState;
    const isTurned = before && apart?.about && apart !== before && apart.moves.length >= before.moves.length, turned = isTurned && !this.calm.matches ? apart.moves.at(-1).bodies : [];
    this.seenState = apart;
    const wanted = placed.map((number, at) => ({key: `on ${number}`, number, at, piece: game.placements[number].piece, form: game.placements[number].form}));
    const free = this.countCopies(placed);
    game.pieces.forEach((_, piece) => {
      if (owner.apart) return;
      const held = owner.dragged && owner.chosen === piece;
      if (game.left(placed, piece) > (held ? 1 : 0)) wanted.push({key: `beside ${piece}`, number: -1, copy: free(piece, held ? 1 : 0), piece, form: owner.forms[piece]});
      if (held) wanted.push({key: "hand", number: -1, piece, form: owner.forms[piece]});
    });
    const near = (below, above) => cornersOfBox([minus(this.box[0], times(below, this.cell)), plus(this.box[1], times(above, this.cell))]);
    const isWhole = !apart?.moves.length && !owner.dragged && wanted.every(({number}) => number >= 0);
    const seen = isWhole && !apart ? near([0.6, 0.6, 1.2], [0.6, 0.6, 0.3]) : apart && placed.every((_, at) => !owner.assembly.isOut(apart, at)) ? near([0.5, 0.5, 0.7], [0.5, 0.5, 0.5]) : this.around;
    const earlierOnes = new Map(wanted.map(({key}) => [key, left.get(key)]));
    for (const key of earlierOnes.keys()) left.delete(key);
    this.entries = wanted.map(({key, number, at, piece, form, copy = number < 0 ? free(piece) : this.copies.get(number)}) => {
      const body = this.body(piece, form), start = number < 0 ? null : owner.apart ? this.placeOf(at, number, body) : this.puzzle.places[game.placements[number].start];
      const goal = start || (key === "hand" && this.hand) || this.beside(piece, body);
      let earlier = earlierOnes.get(key);
      if (!earlier) {
        earlier = [...left.values()].find(entry => entry.piece === piece);
        if (earlier) left.delete(earlier.key);
      }
      const rotation = number < 0 || !apart || owner.assembly.isOut(apart, at) ? REST : owner.assembly.shapes[apart.shapes[at]].rotation;
      const heart = earlier ? heartOf(earlier) : plus(this.beside(owner.apart ? at : piece, body), body.heart);
      let spin = !earlier ? null : earlier.form === form ? earlier.spin : this.between(piece, earlier.form, form);
      if (earlier && earlier.rotation !== rotation) spin = axisOf(REST.map(vector => rotated(rotation, unrotated(earlier.rotation, vector))));
      const slot = key.startsWith("beside") ? piece : owner.apart && owner.assembly.isOut(owner.apart, at) ? at : -1;
      const entry = {key, number, at, piece, form, body, colour: this.colourOf(piece, copy), goal, slot, rotation, now: this.entries.length ? minus(heart, rotated(rotation, body.heart)) : goal, spin, flight: apart === before ? earlier?.flight ?? null : null};
      if (!turned.includes(at) || number < 0) return entry;
      const {aside} = owner.assembly.partOf(apart, at), [whole, end] = poseAt(apart.about, 1), home = minus(goal, aside);
      const flight = {about: apart.about, aside, since: performance.now(), rotation: rotation.map(vector => unrotated(whole, vector)), from: unrotated(whole, minus(home, end))};
      return {...entry, now: goal, spin: null, flight};
    });
    // While all pieces are together, they fill the picture wherever they have moved.
    if (apart && seen !== this.around && !isWhole) seen.push(...this.entries.flatMap(({body, rotation, goal}) => cornersOfBox(body.bounds).map(corner => plus(goal, rotated(rotation, corner)))));
    if (!owner.dragged && String(seen) !== String(this.camera.corners)) this.lookAt(seen);
    this.drawBoard(placed);
    this.drawLabels(placed, broken);
    this.aim();
  }

  /** Returns the place of a piece of an assembly that is taken apart: beside the board if it is out. */
  placeOf(at, number, body) {
    const {apart, assembly} = this.owner, {aside} = assembly.partOf(apart, at) || {aside: [0, 0, 0]};
    if (assembly.isOut(apart, at)) return this.beside(at, body);
    return plus(plus(this.puzzle.places[this.game.placements[number].start], inSpace(this.puzzle, apart.shifts[at])), aside);
  }

  /** Shows the empty locations, layer by layer; a layer that has become full lights up. */
  drawBoard(placed) {
    const owners = this.owner.apart ? this.centres.map(() => 0) : this.game.owners(placed), mesh = new Mesh(), {coloured} = this.puzzle, {marks} = this.data;
    const tones = new Map((this.game.data.rules?.regions || []).flatMap(({rules, colour}) => this.game.data.regions[rules[0]].at.map(at => [at, {tint: tintOf(rgb(colour))}])));
    const dot = marks || tones.size ? (at, face) => (coloured[at] ? markOn(this.puzzle, coloured[at], face) : tones.get(at) || null) : undefined;
    const full = this.layers.map(cells => cells.every(at => owners[at] >= 0));
    if (this.board && !this.owner.apart) full.forEach((now, layer) => now && !this.board.full[layer] && !this.calm.matches && this.lit.set(layer, performance.now()));
    const add = (cells, apart) => {
      const from = mesh.indexed;
      addForms(mesh, this.puzzle, cells.filter(at => owners[at] < 0), {dot, apart, scale: 0.5});
      return [from, mesh.indexed];
    };
    this.board = {mesh, full, whole: add(owners.map((_, at) => at), this.game.flat), ranges: this.layers.map(cells => add(cells, true))};
    this.painter.load("board", mesh);
  }

  drawLabels(placed, broken) {
    const {owner, game} = this, label = (place, text, kind) => ({place, element: make("span", {class: kind}, text)});
    const found = this.entries.filter(({key, piece}) => key.startsWith("beside") && game.left(placed, piece) > 1 && game.left(placed, piece) < Infinity)
      .map(entry => [entry, entry.body.bounds]).map(([entry, [low, high]]) => label(() => plus(entry.now, [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2]]), `×${game.left(placed, entry.piece)}`, "copies"));
    for (const {rules, label: text, colour} of game.data.rules?.regions || []) {
      const sign = label(() => middle(game.data.regions[rules[0]].at.map(at => this.centres[at])), text, "rule");
      sign.element.style.setProperty("--tone", colour);
      sign.element.classList.toggle("broken", rules.some(rule => broken.has(rule)));
      found.push(sign);
    }
    const named = ({key, number}) => owner.wrong.includes(number) || this.shaken?.met.has(key);
    for (const entry of this.entries.filter(named)) found.push(label(() => heartOf(entry), game.pieces[entry.piece].name, "name"));
    this.names = found;
    this.labels.replaceChildren(...found.map(({element}) => element));
  }

  /** Returns the rotation that takes an orientation of a piece to another one: an axis and an angle; null for none. */
  between(piece, from, to) {
    const cells = form => { const {cells: own, heart} = this.body(piece, form); return own.map(cell => minus(cell, heart)); };
    const [one, other] = [cells(from), cells(to)];
    let best = null;
    for (const turn of this.game.board.turns) {
      let rotation = turn;
      for (let power = 1; power < 6; power++, rotation = rotation.map(image => rotated(turn, image))) {
        if (!one.every(cell => other.some(there => size(minus(rotated(rotation, cell), there)) < 0.01))) continue;
        const found = axisOf(rotation);
        if (!best || Math.abs(found.angle) < Math.abs(best.angle)) best = found;
      }
    }
    return best;
  }

  /** Shows where the chosen piece would be. */
  aim() {
    const {cursor, chosen} = this.owner, shown = chosen < 0 ? -1 : cursor;
    this.canvas.dataset.cursor = shown;
    this.canvas.dataset.ghost = shown < 0 ? "" : this.owner.objection(shown).kind;
    this.animate();
  }

  /** Returns the picture of a piece in the list of pieces: the colours of its copies. */
  inTray({fill, fills = [fill]}) {
    const part = 100 / fills.length, stripes = fills.map((one, k) => `${one} ${part * k}% ${part * (k + 1)}%`);
    return make("span", {class: "swatch", style: `background: linear-gradient(90deg, ${stripes})`});
  }

  /** Returns the colour of a copy of a piece. */
  colourOf(piece, copy) {
    const {fill, fills = [fill]} = this.game.pieces[piece];
    return rgb(fills[copy % fills.length]);
  }

  /** Counts the copies on the board: each keeps its number. Returns a function for the numbers that a piece has left. */
  countCopies(placed) {
    const pieceOf = number => this.game.placements[number].piece, before = this.copies, taken = new Map(this.game.pieces.map((_, piece) => [piece, new Set()]));
    const free = (piece, later = 0) => {
      let copy = 0;
      while (taken.get(piece).has(copy) || later-- > 0) copy++;
      return copy;
    };
    this.copies = new Map();
    for (const isNew of [false, true])
      for (const number of placed.filter(number => before.has(number) !== isNew)) {
        const copy = isNew ? free(pieceOf(number)) : before.get(number);
        this.copies.set(number, copy);
        taken.get(pieceOf(number)).add(copy);
      }
    return free;
  }

  // -- Pictures

  /** Requests a picture as soon as the browser has time for one. */
  animate() {
    if (this.gone || this.waiting || !this.slots) return;
    this.waiting = requestAnimationFrame(now => {
      this.waiting = 0;
      const passed = Math.min(now - (this.before || now), 100);
      this.before = now;
      if (this.move(this.calm.matches ? 0 : Math.exp(-passed / 80), now)) this.animate();
      else this.before = 0;
      this.paint(now);
    });
  }

  /** Continues everything that moves until `part` of its way is left; returns whether anything still moves. */
  move(part, now) {
    const {yaw} = this.camera.now;
    let moving = this.camera.approach(part);
    for (const entry of yaw === this.camera.now.yaw ? [] : this.entries.filter(({slot}) => slot >= 0)) {
      const goal = this.beside(entry.slot, entry.body);
      [entry.now, entry.goal] = [plus(entry.now, minus(goal, entry.goal)), goal];
    }
    for (const entry of this.entries) {
      const left = times(minus(entry.now, entry.goal), part);
      entry.now = size(left) < 1e-3 ? entry.goal : plus(entry.goal, left);
      if (entry.spin) entry.spin = Math.abs(entry.spin.angle * part) < 1e-2 ? null : {...entry.spin, angle: entry.spin.angle * part};
      if (entry.flight && now - entry.flight.since > TURNED_TIME) entry.flight = null;
      moving = moving || entry.now !== entry.goal || entry.spin !== null || entry.flight !== null;
    }
    for (const [layer, since] of this.lit) if (now - since > LIT_TIME) this.lit.delete(layer);
    if (this.waved && now > this.waved.end) this.waved = null;
    const shakes = this.shaken && now - this.shaken.since < SHAKE_TIME;
    return moving || this.lit.size > 0 || Boolean(this.waved || shakes);
  }

  /** Lets a wave run over the pieces on the board. */
  wave() {
    if (this.calm.matches) return;
    const since = performance.now() + 250, {right} = this.camera.axes(this.camera.goal), along = this.centres.map(at => dot(at, right));
    this.waved = {since, right, start: Math.min(...along), end: since + WAVE_TIME + (WAVE_DELAY * (Math.max(...along) - Math.min(...along))) / this.cell};
    this.animate();
  }

  /** Shakes a piece that cannot move, and lights the pieces in its way, all given by the keys of their entries. */
  refuse(key, met = []) {
    this.shaken = {key, met: new Set(met), since: performance.now()};
    this.canvas.dataset.refused = this.game.pieces[this.entries.find(entry => entry.key === key).piece].name;
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => this.forget(), MET_TIME);
    this.owner.draw();
  }

  /** Removes the names of pieces that were in the way. */
  forget() {
    if (this.gone || !this.shaken) return;
    this.shaken = null;
    this.owner.draw();
  }

  /** Returns how far the piece of an entry is from its place while a pointer pulls. */
  tugOf({number, at}) {
    const {tugged} = this.owner;
    if (!tugged || number < 0) return [0, 0, 0];
    const {steps, part, way} = tugged, last = steps.length - 1, one = inSpace(this.puzzle, this.owner.assembly.ways[way]);
    if (!steps.length) return tugged.bodies.includes(at) ? times(one, Math.min(part, 0.08)) : [0, 0, 0];
    const far = steps.reduce((sum, {moved}, k) => sum + (moved.includes(at) ? clamped(part - k, 0, k === last ? Infinity : 1) : 0), 0);
    return times(one, far);
  }

  /** Leaves the pieces where the pointer has pulled them, so that they glide from there. */
  letGo() {
    for (const entry of this.entries) entry.now = plus(entry.now, this.tugOf(entry));
    this.animate();
  }

  /** Returns the pixels by which a step along a way of the lattice moves a piece in the picture. */
  pixelsOf(at, way) {
    const seen = this.camera.view(), from = heartOf(this.entries.find(entry => entry.at === at));
    const [a, b] = [from, plus(from, inSpace(this.puzzle, this.owner.assembly.ways[way]))].map(place => this.camera.project(seen, place));
    return [b[0] - a[0], b[1] - a[1]];
  }

  /** Returns the way of the lattice along which a pointer pulls a piece. */
  along(at, by) {
    const {ways} = this.owner.assembly, longest = Math.max(...ways.map((_, way) => Math.hypot(...this.pixelsOf(at, way))));
    const fits = way => { const pixels = this.pixelsOf(at, way), size = Math.hypot(...pixels); return size < 0.15 * longest ? -2 : (pixels[0] * by[0] + pixels[1] * by[1]) / size; };
    return ways.reduce((best, _, way) => (fits(way) > fits(best) ? way : best), 0);
  }

  /** Returns the steps along a way that a pointer pulls a piece. */
  stepsOf(at, way, by) {
    const pixels = this.pixelsOf(at, way);
    return (pixels[0] * by[0] + pixels[1] * by[1]) / (pixels[0] ** 2 + pixels[1] ** 2);
  }

  /** Returns the height of a wave, and the way of a shake, at this moment. */
  effect(entry, now) {
    const {key, number} = entry;
    const {waved, shaken} = this;
    const part = shaken?.key === key && !this.calm.matches ? (now - shaken.since) / SHAKE_TIME : 1;
    if (part < 1) {
      return times(this.camera.axes(this.camera.now).right, 0.1 * this.cell * (1 - part) * Math.sin(part * 30));
    }
    if (!waved || number < 0) return [0, 0, 0];
    const risen = (now - waved.since - ((dot(heartOf(entry), waved.right) - waved.start) * WAVE_DELAY) / this.cell) / WAVE_TIME;
    return [0, 0, risen > 0 && risen < 1 ? 0.5 * this.cell * Math.sin(Math.PI * risen) : 0];
  }

  glowOf({key, number, piece, at}, now) {
    const {owner, lit} = this;
    const chosen = owner.apart ? owner.chosenBodies.includes(at) : owner.chosen === piece && number < 0 && key !== "hand";
    let glow = this.hovered === key || chosen ? 1 : 0;
    if (this.shaken?.met.has(key)) glow = 2;
    for (const [layer, since] of lit) if (number >= 0 && this.game.placements[number].cells.some(at => this.layers[layer].includes(at))) glow = Math.max(glow, 3 * (1 - (now - since) / LIT_TIME));
    return glow;
  }

  /** Returns everything that is painted at this moment. */
  things(seen, now) {
    const {owner} = this, things = [], {cursor, chosen} = owner, aimed = chosen >= 0 && cursor >= 0;
    for (const entry of this.entries) {
      const {key, number, body, colour} = entry, [rotation, place] = poseOf(entry, now), shift = plus(place, plus(this.effect(entry, now), this.tugOf(entry)));
      const opacity = owner.wrong.length && number >= 0 && !owner.wrong.includes(number) ? 0.3 : key === "hand" && aimed ? 0.32 : 1;
      things.push({entry, body, mesh: body.number, range: body.range, shift, rotation, colour, grain: body.grain, opacity, glow: this.glowOf(entry, now), distance: size(minus(heartOf(entry), seen.eye))});
    }
    const lit = new Set();
    if (aimed) {
      const {start, cells, form} = this.game.placements[cursor], body = this.body(chosen, form), {kind} = owner.objection(cursor);
      for (const at of cells) lit.add(this.heights[at]);
      const shift = this.puzzle.places[start];
      things.push({mesh: body.number, range: body.range, shift, rotation: REST, colour: kind === "fits" ? this.entries.findLast(({piece, number}) => piece === chosen && number < 0).colour : [0.85, 0.2, 0.15], grain: body.grain, opacity: kind === "blocked" ? 0.4 : 0.85, glow: 1, distance: size(minus(plus(shift, body.heart), seen.eye))});
    }
    const bright = this.board.ranges.filter((_, layer) => lit.has(this.heights[this.layers[layer][0]]));
    for (const range of [this.board.whole, ...bright]) if (range[1] > range[0]) things.push(fixture("board", range, [0.5, 0.5, 0.5], range === this.board.whole ? 1 : 1.3, true));
    if (this.walls) things.push(wallsOf(this.wallMesh, this.puzzle));
    return things;
  }

  paint(now) {
    const {canvas, camera} = this, sharp = Math.min(devicePixelRatio || 1, 2), [wide, high] = [camera.wide, camera.high].map(value => Math.round(value * sharp));
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    const seen = camera.view(), dark = this.dark.matches;
    this.painted = this.things(seen, now);
    this.painter.paint(seen, this.painted, {ink: rgb(dark ? "#0c0f12" : "#1d242b"), dark, cell: this.cell, seams: true, onTable: !this.game.flat});
    for (const {place, element} of this.names) {
      const [x, y] = camera.project(seen, place());
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    }
  }

  // -- Pointers

  acts() {
    const {owner} = this, turn = (yaw, pitch) => {
      this.camera.turn(yaw, pitch);
      this.camera.goal.pitch = Math.max(LOWEST, this.camera.goal.pitch);
      this.animate();
    };
    return {
      grab: (x, y, event) => this.grab(x, y, event),
      turn: (x, y) => turn(-x * 0.008, y * 0.008),
      zoom: by => (this.camera.zoom(by), this.animate()),
      move: (x, y) => (this.camera.move(x, y), this.animate()),
      reset: () => owner.chosen < 0 && (this.camera.reset(this.calm.matches), this.animate()),
      hover: (x, y) => this.hover(x, y),
      choose: (x, y) => this.tap(x, y),
      wheel: () => owner.takesWheel,
    };
  }

  /** Returns the piece at a pixel, and the number of its cell there; null for none. */
  pick(x, y) {
    if (!this.painted || x < 0 || y < 0) return null;
    const seen = this.camera.view(), ray = this.camera.ray(seen, x, y);
    let best = null;
    for (const thing of this.painted) {
      if (!thing.entry || thing.entry.key === "hand") continue;
      const hit = hitAlong(thing.body.mesh, [thing], seen.eye, ray);
      if (hit && (!best || hit.far < best.far)) best = {far: hit.far, entry: thing.entry, at: hit.at, grip: nearestOf(thing.body.cells, hit.at)};
    }
    return best;
  }

  /** Takes a piece at a pixel into the hand; returns whether there is one. */
  grab(x, y, event) {
    const {owner} = this;
    if (owner.held) return true; // a second finger turns the piece
    const found = event.button ? null : this.pick(x, y);
    if (!found) return false;
    owner.hold(event, found.entry.piece, found.entry.number, found.grip, found.at);
    return true;
  }

  hover(x, y) {
    const {owner} = this;
    if (owner.dragged) return;
    const entry = this.pick(x, y)?.entry, found = entry?.key ?? null;
    if (found !== this.hovered) {
      this.hovered = found;
      this.canvas.classList.toggle("over", found !== null);
      this.canvas.dataset.hovered = entry ? this.game.pieces[entry.piece].name : "";
      this.animate();
    }
    if (owner.chosen >= 0 && !owner.apart) owner.point(x < 0 ? -1 : this.target(x, y, this.grips()));
  }

  /** Puts the chosen piece where a tap is. */
  tap(x, y) {
    const {owner} = this;
    if (owner.chosen < 0 || owner.apart) return;
    const number = this.target(x, y, this.grips());
    if (number >= 0) owner.put(number);
  }

  /** Returns the number of the cell in the middle of the chosen piece. */
  grips() {
    const {chosen, forms} = this.owner, {cells, heart} = this.body(chosen, forms[chosen]);
    return nearestOf(cells, heart);
  }

  grip() {
    return this.owner.held.grip;
  }

  /** Shows the piece in the hand, nearer to the eye than the board; returns the placement to which it would snap, or -1. */
  carry() {
    const {owner, camera, canvas} = this, {dragged, chosen, forms} = owner, body = this.body(chosen, forms[chosen]), box = canvas.getBoundingClientRect();
    if (dragged.grip < 0) dragged.grip = this.grips();
    const [x, y] = [dragged.x - box.left, dragged.y - box.top], seen = camera.view(), ray = camera.ray(seen, x, y);
    const through = plus(middle(this.box), times(seen.towards, size(minus(this.box[1], this.box[0])) / 2));
    const far = dot(minus(through, seen.eye), seen.towards) / dot(ray, seen.towards);
    this.hand = minus(plus(seen.eye, times(ray, far)), body.cells[dragged.grip]);
    for (const entry of this.entries) if (entry.key === "hand") entry.goal = this.hand;
    return this.target(x, y, dragged.grip);
  }

  release() {
    this.hand = null;
  }

  /**
   * Returns the placement of the chosen piece of which a cell is nearest to a pixel: one that fits if possible, rather
   * on the floor or on a piece than in the air, and rather near than far away.
   */
  target(x, y, grip) {
    const {owner, game, camera} = this, {first, after} = owner.form, owners = game.owners(owner.placed), seen = camera.view();
    let [best, least, blocked, nearest] = [-1, Infinity, -1, 0.7];
    for (let number = first; number < after; number++) {
      const {cells} = game.placements[number], [u, v, w] = camera.project(seen, this.centres[cells[grip]]);
      const far = (Math.hypot(u - x, v - y) * 2 * Math.tan(ANGLE / 2) * w) / (camera.high * this.cell);
      if (far > NEAR) continue;
      if (cells.some(at => owners[at] >= 0)) {
        if (far < nearest) [blocked, nearest] = [number, far];
        continue;
      }
      const score = far + (BEHIND * w) / this.cell + (this.rests(cells, owners) ? 0 : IN_AIR);
      if (score < least) [best, least] = [number, score];
    }
    return best < 0 ? blocked : best;
  }

  /** Returns whether a cell is on the border of the board or on a piece, with nothing between. */
  rests(cells, owners) {
    const {puzzle, centres} = this, own = new Set(cells);
    return cells.some(at => puzzle.form(at).neighbours.some(step => {
      if (inSpace(puzzle, step)[2] > -0.3 * this.cell) return false;
      const below = puzzle.beyond(at, step);
      return below < 0 ? true : !own.has(below) && owners[below] >= 0 && centres[below][2] < centres[at][2];
    }));
  }

  /** Returns the orientation of a piece after a motion of the hand. It tips away from the eye, wherever that is. */
  turned(turns, form, motion, back) {
    const [around, turn] = [turns[0], turns[motion] ?? turns[0]], plain = afterTurn(turn, form, back);
    if (motion !== 1 || turns.length < 3) return plain;
    const order = Math.round((2 * Math.PI) / axisOf(this.game.board.turns[0]).angle), sides = Math.round((this.camera.goal.yaw / 2 / Math.PI) * order);
    const spun = (from, times) => Array.from({length: times}).reduce(one => around[one], from), first = ((sides % order) + order) % order;
    const found = spun(afterTurn(turn, spun(form, first), back), order - first);
    return found === form ? plain : found;
  }

  /** Looks from a twelfth of a turn farther to the right, or to the left. */
  goAround(way) {
    this.camera.turn((way * Math.PI) / 6, 0);
    this.animate();
  }

  /** Returns the directions up, to the right and towards the eye, along the table. */
  sides() {
    const {right} = this.camera.axes(this.camera.goal);
    return [[0, 0, 1], right, [right[1], -right[0], 0]];
  }

  /** Returns the direction of a key, as seen from the eye. */
  way(key) {
    if (key === "pageup" || key === "pagedown") return this.game.flat ? null : [0, 0, key === "pageup" ? 1 : -1];
    const [, right, towards] = this.sides(), away = times(towards, -1);
    const wanted = {arrowleft: times(right, -1), arrowright: right, arrowup: away, arrowdown: times(away, -1)}[key];
    if (!wanted || this.owner.apart) return wanted;
    const ways = this.data.axes.map(axis => unit([axis[0], axis[1], 0])).filter(axis => size(axis) > 0.5).flatMap(axis => [axis, times(axis, -1)]);
    return ways.reduce((best, way) => (dot(way, wanted) > dot(best, wanted) + 1e-6 ? way : best));
  }
}

/** Returns how far places are apart along an axis. */
function spread(places, axis) {
  const along = places.map(at => dot(at, axis));
  return Math.max(...along) - Math.min(...along);
}

/** Returns the middle of an entry of the stage. */
function heartOf({now, rotation, body}) {
  return plus(now, rotated(rotation, body.heart));
}

/** Returns the rotation of an entry of the stage and the place of its first cell, while it spins, or turns along a path. */
function poseOf(entry, now) {
  const {spin, flight, rotation, body} = entry;
  if (flight) {
    const part = clamped((now - flight.since) / TURNED_TIME, 0, 1), [turn, shift] = poseAt(flight.about, part * part * (3 - 2 * part));
    return [flight.rotation.map(vector => rotated(turn, vector)), plus(plus(rotated(turn, flight.from), shift), flight.aside)];
  }
  const spun = spin ? rotation.map(vector => rotated(rotationBy(spin.axis, -spin.angle), vector)) : rotation;
  return [spun, plus(entry.now, minus(rotated(rotation, body.heart), rotated(spun, body.heart)))];
}

function nearestOf(places, at) {
  return places.reduce((best, place, k) => (size(minus(place, at)) < size(minus(places[best], at)) - 1e-6 ? k : best), 0);
}

/** Returns the axis and the angle of a rotation, given by the images of the unit vectors. */
function axisOf(rotation) {
  const [a, b, c] = rotation, cosine = clamped((a[0] + b[1] + c[2] - 1) / 2, -1, 1), angle = Math.acos(cosine);
  if (angle < 3.1) return {axis: unit([b[2] - c[1], c[0] - a[2], a[1] - b[0]]), angle};
  const column = rotation.map((image, k) => image.map((value, row) => value + (row === k ? 1 : 0))).reduce((best, one) => (size(one) > size(best) ? one : best));
  return {axis: unit(column), angle};
}

/** Returns the rotation about an axis by an angle (B. O. Rodrigues). */
function rotationBy(axis, angle) {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return REST.map(vector => plus(plus(times(vector, cosine), times(cross(axis, vector), sine)), times(axis, dot(axis, vector) * (1 - cosine))));
}
