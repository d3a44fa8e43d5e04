// The game: what the player does, what the page shows, and what it says.

/** A pointer that moves this many pixels drags; a finger holds a piece this many pixels above itself. */
const DRAG = 6, ABOVE = 56;

/** A piece snaps to a placement that is nearer than this, in distances of cells. */
const SNAP = 0.8;

/** A narrower game has the tray below the board. */
const NARROW = 736;

class PuzzleGame {
  /**
   * Shows a game in an element. With a `host`, another program keeps the pieces on the board: its `change(before, now)`
   * gets them after each move of the player, `back()`, `hint(all)` and `cancel()` do what the buttons ask for, and keys
   * count inside of the element only.
   */
  constructor(element, data, host = null) {
    this.game = new Game(data);
    this.element = element;
    this.host = host;
    this.leaving = new AbortController();
    this.forms = this.game.pieces.map(() => 0);
    this.history = [[]];
    this.chosen = -1;
    this.cursor = -1;
    this.wrong = [];
    this.shown = {};
    this.addFrame(data.title);
    const {board} = this.shown;
    this.picture = make("svg", {"aria-hidden": "true"});
    this.layers = ["ground", "placed", "ruled", "joints", "aim"].map(name => this.picture.appendChild(make("g", {class: name})));
    board.append(this.picture);
    this.addTurns();
    this.addTray();
    this.listen();
    this.watch = new ResizeObserver(() => this.arrange());
    this.watch.observe(element);
    this.arrange();
    if (!host && !data.solutions.number) this.shown.hint.disabled = this.shown.solve.disabled = true;
    this.say(phrase(host || data.solutions.number ? "game.start" : data.complete ? "game.unsolvable" : "game.empty"));
  }

  /** Adds the parts of the page: the board, the tray, the buttons and the status. */
  addFrame(title) {
    const part = (name, id, attributes = {}, ...content) => (this.shown[id] = make(name, {id, ...attributes}, ...content));
    const button = (id, words, ...more) => part("button", id, {type: "button"}, words, ...more);
    const header = make("header", {}, ...(this.host ? [] : [make("h1", {}, title || "")]), part("p", "progress"));
    const controls = make("div", {id: "controls", role: "group", "aria-label": phrase("game.controls")},
      part("span", "turns", {role: "group", "aria-label": phrase("game.turns")}),
      button("back", phrase("game.takeBack")), button("reset", phrase("game.clear")),
      button("hint", phrase("game.giveHint"), make("kbd", {"aria-hidden": "true"}, "H")), button("solve", phrase("game.fill")));
    part("ul", "rules", {"aria-label": phrase("rules.heading")}, ...this.addRules());
    this.shown.rules.hidden = !this.shown.rules.childElementCount;
    this.element.replaceChildren(header, this.shown.rules,
      part("div", "board", {role: "application", tabindex: "0", "aria-label": phrase("game.board"), "aria-describedby": "help"}),
      make("section", {"aria-label": phrase("game.tray")}, part("ul", "tray")),
      controls, part("p", "status", {role: "status"}), make("p", {id: "help", hidden: ""}, phrase("game.help")));
  }

  /** Returns the rules that no outline shows, in words. */
  addRules() {
    const {data} = this.game, notes = (data.rules.notes || []).filter(({drawn}) => !drawn);
    const found = notes.map(note => make("li", {"data-rules": note.rules.join(" ")}, noteWords(note)));
    return data.walls ? [...found, make("li", {}, phrase("rules.walls"))] : found;
  }

  /** Removes the game from the page. */
  destroy() {
    this.leaving.abort();
    this.watch.disconnect();
    this.element.replaceChildren();
  }

  /** Shows the pieces that the host has on the board. */
  show(placed) {
    if (placed.length === this.placed.length && placed.every(number => this.placed.includes(number))) return;
    this.history = [placed];
    this.wrong = [];
    this.settle();
  }

  get isHeld() {
    return Boolean(this.held);
  }

  /** Returns the element with the focus, in a shadow tree as well. */
  get focused() {
    return this.element.getRootNode().activeElement;
  }

  /** The placements on the board, without the one in the hand. */
  get placed() {
    return this.history.at(-1).filter(number => number !== this.dragged?.number);
  }

  name(number) {
    return this.game.pieces[this.game.placements[number].piece].name;
  }

  names(numbers) {
    return listed(numbers.map(number => this.name(number)));
  }

  /** Returns the words for the pieces in the way. */
  blocked(others) {
    return phrase("game.blocked", {names: this.names(others), n: others.length});
  }

  say(text) {
    this.shown.status.textContent = text;
  }

  /** Returns the words for the place of a location. */
  where(at) {
    const {board, points} = this.game;
    if (!board.grid) return phrase("game.location", {number: at + 1});
    const least = points[0].map((_, axis) => Math.min(...points.map(point => point[axis])));
    const [column, row, layer] = points[at].map((value, axis) => value - least[axis] + 1);
    return phrase(layer ? "game.spotInLayer" : "game.spot", {column, row, layer});
  }

  // -- Pictures

  /** Lays the board out for the size of the window. */
  arrange() {
    const {game} = this, {clientWidth: wide, clientHeight: high} = this.element, upright = wide < high;
    if (!wide) return; // it is hidden
    this.element.classList.toggle("upright", wide < NARROW || upright);
    if (this.layout && this.layout.upright === upright) return;
    this.layout = new Layout(game.board, [...game.points, ...game.walls.points], upright);
    this.centres = game.points.map((point, k) => this.layout.centre(point, game.of[k]));
    const box = this.layout.box([...game.points, ...game.walls.points], [...game.of, ...game.walls.of]);
    this.picture.setAttribute("viewBox", box.join(" "));
    this.shown.board.style.setProperty("--ratio", box[2] / box[3]);
    const others = this.centres.slice(1).map(at => distance(at, this.centres[0]));
    this.near = others.length ? Math.min(...others) : 1;
    this.picture.style.setProperty("--unit", Math.max(1, this.near).toFixed(3));
    const walls = game.walls.points.map((point, k) => make("path", {d: `${drawn(this.layout.corners(point, game.walls.of[k]))}Z`, class: "wall"}));
    this.layers[0].replaceChildren(...walls, ...game.points.map((point, k) => this.ground(point, k)));
    const {rules} = game.data;
    this.layers[2].replaceChildren(...(rules.regions || []).map(region => this.layout.region(region, rules)));
    this.draw();
  }

  ground(point, at) {
    const {board, of, optional} = this.game, ring = this.layout.corners(point, of[at]);
    const group = make("g", {}, make("path", {style: this.game.tints.has(at) ? `fill: ${this.game.tints.get(at)}` : null, d: `${drawn(ring)}${ring.length > 2 ? "Z" : ""}`, class: `cell${ring.length > 2 ? "" : " line"}${optional.has(at) ? " optional" : ""}`}));
    const colour = board.coloured && unpacked(board.coloured)[at];
    if (colour) group.append(...this.layout.mark(colour, this.centres[at]));
    return group;
  }

  /** Shows the pieces on the board and in the tray. */
  draw() {
    if (!this.layout) return;
    const {game, placed} = this, owners = game.owners(placed);
    this.layers[1].replaceChildren(...placed.map(number => this.drawPlaced(number)));
    game.pieces.forEach((piece, k) => this.drawInTray(piece, k));
    this.shown.progress.textContent = phrase("game.progress", {number: owners.filter(owner => owner >= 0).length, all: game.points.length - game.optional.size});
    this.element.classList.toggle("solved", game.isSolved(placed) && this.comesApart(placed) !== false);
    this.drawRules(game.broken(placed));
    this.layers[3].replaceChildren(...game.brokenJoints(placed).flatMap(part => this.drawJoint(part)));
    this.aim();
  }

  /** Marks the rules that the board breaks. */
  drawRules(broken) {
    const isBroken = element => (element.dataset.rules || "").split(" ").some(number => number && broken.has(Number(number)));
    for (const element of [...this.layers[2].children, ...this.shown.rules.children]) element.classList.toggle("broken", isBroken(element));
  }

  /** Returns a mark on each corner or side at which a rule about how pieces meet is broken. */
  drawJoint({kind, at}) {
    const {points, of} = this.game, ring = cell => this.layout.corners(points[cell], of[cell]);
    const shared = ([first, ...others]) => others.reduce((left, cell) => left.filter(one => ring(cell).some(two => distance(one, two) < 0.01)), ring(first));
    const across = () => points.map((_, cell) => cell).filter(cell => !at.includes(cell));
    const joints = kind === "crossed" ? at.flatMap(one => across().map(two => shared([one, two]))).filter(ends => ends.length > 1) : [shared(at)];
    return joints.filter(ends => ends.length).map(ends => make("path", {d: `${drawn(ends)}Z`, class: "joint", "data-ends": ends.length}));
  }

  drawPlaced(number) {
    const {game} = this, {piece, cells, colours} = game.placements[number], {fill, label, ink} = game.pieces[piece];
    const group = this.layout.piece(cells.map(at => game.points[at]), cells.map(at => game.of[at]), {fill, label, colours, ink});
    group.dataset.number = number;
    if (this.wrong.includes(number)) group.classList.add("wrong");
    return group;
  }

  drawInTray(piece, k) {
    const button = this.buttons[k], left = this.game.left(this.placed, k), form = piece.forms[this.forms[k]];
    const layout = new Layout(this.game.board, form.points, false, 0.3);
    const [x, y, wide, high] = layout.box(form.points, form.of), size = Math.max(wide, high, this.widest);
    const picture = make("svg", {viewBox: [x - (size - wide) / 2, y - (size - high) / 2, size, size].join(" "), "aria-hidden": "true"});
    picture.append(layout.piece(form.points, form.of, {fill: piece.fill, label: "", colours: form.colours}));
    const many = piece.high !== 1;
    const about = left <= 0 ? phrase("game.onBoard") : many && left < Infinity ? phrase("game.left", {n: left}) : "";
    button.replaceChildren(picture, make("span", {class: "name"}, piece.name), ...(many && left < Infinity ? [make("span", {class: "left", "aria-hidden": "true"}, `×${left}`)] : []));
    button.setAttribute("aria-label", about ? `${piece.name}, ${about}` : piece.name);
    button.setAttribute("aria-pressed", String(this.chosen === k));
    button.classList.toggle("used", left <= 0);
  }

  /** Shows where the chosen piece would lie. */
  aim() {
    const number = this.cursor;
    if (number < 0 || this.chosen < 0) return this.layers[4].replaceChildren();
    const {cells, colours} = this.game.placements[number], {points, of} = this.game;
    const group = this.layout.piece(cells.map(at => points[at]), cells.map(at => of[at]), {fill: this.game.pieces[this.chosen].fill, label: "", colours});
    group.classList.add(this.game.inTheWay(this.placed, number).length ? "blocked" : "open");
    this.layers[4].replaceChildren(group);
  }

  // -- Controls

  addTurns() {
    const {board, pieces} = this.game, number = pieces[0].turns.length - 1;
    const names = ["rotate", "tip", "spin"].slice(0, number).concat("reflect").map(name => phrase(`game.${name}`)), keys = ["R", "T", "S"].slice(0, number).concat("F");
    this.keys = new Map(keys.map((key, k) => [key.toLowerCase(), k]));
    const useful = names.map((_, k) => k === 0 || pieces.some(({turns}) => turns[k]?.some((to, from) => to !== from)));
    names.forEach((name, k) => {
      if (!useful[k] || (!board.solid && k > 0 && k < number)) return;
      const button = make("button", {type: "button"}, name, make("kbd", {"aria-hidden": "true"}, keys[k]));
      button.addEventListener("click", () => this.turn(k));
      this.shown.turns.append(button);
    });
  }

  addTray() {
    const {pieces, board} = this.game;
    const size = form => { const box = new Layout(board, form.points, false, 0.3).box(form.points, form.of); return Math.max(box[2], box[3]); };
    this.widest = Math.max(...pieces.flatMap(piece => piece.forms.slice(0, 4).map(size))) * (board.solid ? 0.6 : 1);
    this.buttons = pieces.map((_, k) => {
      const button = make("button", {type: "button", class: "piece"});
      button.addEventListener("click", event => (this.clicked && event.detail) || this.choose(this.chosen === k ? -1 : k, event.detail === 0));
      button.addEventListener("pointerdown", event => this.hold(event, k, -1));
      this.shown.tray.append(make("li", {}, button));
      return button;
    });
  }

  listen() {
    const {board, hint, solve, back, reset} = this.shown;
    board.addEventListener("pointerdown", event => this.press(event));
    board.addEventListener("pointermove", event => this.hover(event));
    board.addEventListener("pointerleave", () => this.dragged || this.point(-1));
    for (const element of [board, this.shown.tray])
      element.addEventListener("wheel", event => {
        if (this.chosen < 0 || event.ctrlKey) return;
        event.preventDefault();
        this.turn(0, event.deltaY < 0);
      }, {passive: false});
    hint.addEventListener("click", () => this.hint());
    solve.addEventListener("click", () => this.solve());
    back.addEventListener("click", () => this.takeBack());
    reset.addEventListener("click", () => this.change([], phrase("game.reset")));
    const {signal} = this.leaving;
    (this.host ? this.element : window).addEventListener("keydown", event => this.key(event), {signal});
    addEventListener("pointermove", event => this.drag(event), {signal});
    addEventListener("pointerup", event => this.drop(event), {signal});
    addEventListener("pointercancel", () => this.release(), {signal});
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "z" && !event.altKey && !this.host) this.takeBack();
      return;
    }
    const key = event.key.toLowerCase(), inside = this.shown.board.contains(this.focused);
    const act = {h: () => this.hint(), escape: () => (this.host?.cancel() || this.choose(-1)), backspace: () => this.takeBack(), delete: () => this.takeBack()}[key]
      || (this.keys.has(key) ? () => this.turn(this.keys.get(key), event.shiftKey) : null)
      || (inside ? this.boardKey(key) : null);
    if (!act) return;
    event.preventDefault();
    act();
  }

  boardKey(key) {
    const way = {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1]}[key];
    if (way) return () => this.step(way);
    return key === " " || key === "enter" ? () => (this.chosen < 0 ? this.say(phrase("game.choose")) : this.put(this.cursor)) : null;
  }

  // -- Moves

  /** Enters a new state of the board. */
  change(placed, words) {
    const before = this.history.at(-1);
    this.history = this.host ? [placed] : [...this.history, placed];
    this.wrong = [];
    this.settle();
    this.host?.change(before, placed);
    this.say(`${words} ${this.verdict(before, placed)}`.trim());
  }

  /** Returns in words that the puzzle is solved, or which rules the last move breaks. */
  verdict(before, placed) {
    const {game} = this;
    if (game.isSolved(placed)) return this.solvedWords(placed);
    const earlier = game.broken(before), now = [...game.broken(placed)].filter(number => game.isFull(placed) || !earlier.has(number));
    return now.length ? phrase("game.broken", {rules: now.map(number => this.ruleWords(number)).join("; ")}) : "";
  }

  /** Returns whether a solution comes apart, so that the pieces can be put in; null if it is not known. */
  comesApart(placed) {
    const {apart} = this.game.data;
    if (!apart || apart === "none") return apart ? false : null;
    const found = nearest(this.game, placed);
    return found && !found.wrong.length ? true : apart === "all" ? false : null;
  }

  solvedWords(placed) {
    const apart = this.comesApart(placed);
    if (apart === false) return phrase("game.interlocked");
    return apart === null && this.game.data.apart ? phrase("game.perhaps") : phrase("game.solved");
  }

  /** Returns a rule in words. */
  ruleWords(number) {
    const {regions, notes} = this.game.data.rules, of = ({rules}) => rules.includes(number);
    const note = notes.find(entry => of(entry) && !entry.drawn);
    if (note) return noteWords(note);
    const region = regions.find(of);
    return `${this.where(this.game.data.regions[number].at[0])}: ${conditionWords(region.conditions[region.rules.indexOf(number)])}`;
  }

  settle() {
    if (this.chosen >= 0 && this.game.left(this.placed, this.chosen) <= 0) [this.chosen, this.cursor] = [-1, -1];
    this.draw();
  }

  takeBack() {
    if (this.host) return this.host.back();
    if (this.history.length < 2) return this.say(phrase("game.nothing"));
    this.history.pop();
    this.wrong = [];
    this.settle();
    this.say(phrase("game.taken"));
  }

  /** Chooses a piece of the tray (-1: none); with keys, the board gets the focus. */
  choose(piece, byKeys = false) {
    if (piece >= 0 && this.game.left(this.placed, piece) <= 0) {
      const last = this.placed.findLast(number => this.game.placements[number].piece === piece);
      this.change(this.placed.filter(number => number !== last), phrase("game.back", {name: this.game.pieces[piece].name}));
    }
    this.chosen = piece;
    this.cursor = -1;
    this.draw();
    if (piece < 0) return;
    this.say(phrase("game.chosen", {name: this.game.pieces[piece].name}));
    if (!byKeys) return;
    this.shown.board.focus();
    this.begin();
  }

  get form() {
    return this.game.pieces[this.chosen].forms[this.forms[this.chosen]];
  }

  /** Puts the chosen piece on its first free placement, to be moved with keys. */
  begin() {
    const {first, after} = this.form;
    const all = Array.from({length: after - first}, (_, k) => first + k);
    this.cursor = all.find(number => !this.game.inTheWay(this.placed, number).length) ?? all[0] ?? -1;
    this.tell();
  }

  tell() {
    const {name} = this.game.pieces[this.chosen];
    this.aim();
    if (this.cursor < 0) return this.say(phrase("game.noForm", {name}));
    const where = this.where(this.game.placements[this.cursor].start), others = this.game.inTheWay(this.placed, this.cursor);
    this.say(others.length ? phrase("game.covered", {name, where, names: this.names(others)}) : phrase("game.free", {name, where}));
  }

  /** Moves the chosen piece to the next placement in a direction. */
  step([right, down]) {
    if (this.chosen < 0) return this.say(phrase("game.choose"));
    if (this.cursor < 0) return this.begin();
    const {first, after} = this.form, here = this.centres[this.game.placements[this.cursor].start];
    let best = -1, least = Infinity;
    for (let number = first; number < after; number++) {
      const at = this.centres[this.game.placements[number].start], x = at[0] - here[0], y = at[1] - here[1];
      const ahead = x * right + y * down, aside = Math.abs(x * down) + Math.abs(y * right);
      if (ahead > 1e-6 && ahead + 3 * aside < least) [best, least] = [number, ahead + 3 * aside];
    }
    if (best >= 0) this.cursor = best;
    this.tell();
  }

  /** Rotates or reflects the chosen piece. */
  turn(motion, back = false) {
    if (this.chosen < 0) return this.say(phrase("game.choose"));
    const {turns, name, forms} = this.game.pieces[this.chosen], own = this.forms[this.chosen], turn = turns[motion] ?? turns[0];
    const next = back ? Math.max(turn.indexOf(own), 0) : turn[own];
    if (next === own) return this.say(phrase("game.still", {name}));
    this.forms[this.chosen] = next;
    const before = this.cursor;
    this.cursor = -1;
    if (before >= 0 && !this.dragged) {
      const at = central(this.game.placements[before].cells.map(cell => this.centres[cell]));
      this.cursor = this.closest(forms[next], number => distance(central(this.game.placements[number].cells.map(cell => this.centres[cell])), at))[0];
    }
    this.draw();
    this.say(phrase(motion === turns.length - 1 ? "game.flipped" : "game.turned", {name}));
    if (this.dragged) {
      this.dragged.grip = 0;
      this.carry();
    } else if (this.focused === this.shown.board) this.cursor < 0 ? this.begin() : this.tell();
  }

  /** Returns the placement of an orientation with the least distance, and that distance. */
  closest({first, after}, measure) {
    let best = [-1, Infinity];
    for (let number = first; number < after; number++) {
      const far = measure(number);
      if (far < best[1] - 1e-9) best = [number, far];
    }
    return best;
  }

  /** Puts the chosen piece on the board, if there is room. */
  put(number) {
    const {name} = this.game.pieces[this.chosen];
    if (number < 0) return this.say(phrase("game.noPlace", {name}));
    const others = this.game.inTheWay(this.placed, number);
    if (others.length) return this.say(this.blocked(others));
    if (this.game.left(this.placed, this.chosen) <= 0) return this.say(phrase("game.noCopies", {name}));
    this.cursor = -1;
    this.change([...this.placed, number], phrase("game.placed", {name, where: this.where(this.game.placements[number].start)}));
  }

  hint() {
    if (this.host) return this.host.hint(false);
    const found = this.agreeing();
    if (!found?.missing.length) return;
    return this.add(found.missing, false);
  }

  solve() {
    if (this.host) return this.host.hint(true);
    const found = this.agreeing();
    if (found?.missing.length) this.add(found.missing, true);
    return undefined;
  }

  /** Adds placements of a solution: all, or the next one. */
  add(missing, all) {
    if (all) return this.change([...this.placed, ...missing], phrase("game.filled"));
    const next = nextOf(this.game, missing);
    return this.change([...this.placed, next], phrase("game.hint", {name: this.name(next), where: this.where(this.game.placements[next].start)}));
  }

  /** Shows which placements agree with no solution; `key` has the words. */
  blame(wrong, key) {
    this.wrong = wrong;
    this.draw();
    this.say(phrase(key, {names: this.names(wrong)}));
  }

  /** Returns a stored solution that agrees with the board; otherwise, says what to take back. */
  agreeing() {
    const {game} = this;
    if (game.isSolved(this.placed)) return this.say(this.solvedWords(this.placed));
    const found = nearest(game, this.placed);
    if (!found) return this.say(phrase(game.data.complete ? "game.unsolvable" : "game.empty"));
    if (!found.wrong.length) return found;
    return this.blame(found.wrong, game.data.complete ? "game.wrong" : "game.unknown");
  }

  // -- Pointers

  /** Returns the place of a pointer on the board, in lengths of the lattice. */
  at(event) {
    const matrix = this.picture.getScreenCTM();
    return [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d];
  }

  /** Returns the location at a pointer, or -1. */
  location(event) {
    const at = this.at(event);
    const best = this.centres.reduce((found, centre, k) => (distance(centre, at) < distance(this.centres[found], at) ? k : found), 0);
    return distance(this.centres[best], at) < this.near ? best : -1;
  }

  press(event) {
    const location = this.location(event), owner = location < 0 ? -1 : this.game.owners(this.placed)[location];
    if (owner >= 0) return this.hold(event, this.game.placements[owner].piece, owner);
    if (this.chosen < 0 || location < 0 || event.button) return undefined;
    event.preventDefault();
    return this.put(this.over(location, this.at(event)));
  }

  /** Shows the chosen piece below a mouse. */
  hover(event) {
    if (this.dragged || this.chosen < 0 || event.pointerType === "touch") return;
    const location = this.location(event);
    this.point(location < 0 ? -1 : this.over(location, this.at(event)));
  }

  point(number) {
    if (this.chosen < 0 || this.cursor === number) return;
    this.cursor = number;
    this.aim();
  }

  /** Returns the placement of the chosen piece whose middle is nearest to a location, a free one if possible. */
  over(location, at) {
    const {placements} = this.game;
    const measure = number => {
      const {cells} = placements[number];
      if (!cells.includes(location)) return Infinity;
      const middle = [0, 1].map(axis => cells.reduce((sum, cell) => sum + this.centres[cell][axis], 0) / cells.length);
      return distance(middle, at) + (this.game.inTheWay(this.placed, number).length ? 100 : 0);
    };
    return this.closest(this.form, measure)[0];
  }

  /** Begins to hold a piece: of the tray, or a placed one. */
  hold(event, piece, number) {
    this.clicked = false;
    if (event.button || this.dragged) return;
    if (number < 0 && this.game.left(this.placed, piece) <= 0) return;
    if (number >= 0) {
      event.preventDefault();
      this.shown.board.focus({preventScroll: true}); // for keys during the drag
    }
    this.held = {piece, number, x: event.clientX, y: event.clientY, id: event.pointerId};
  }

  drag(event) {
    const {held} = this;
    if (!held || event.pointerId !== held.id) return;
    if (!this.dragged) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG) return;
      this.lift();
    }
    this.dragged.x = event.clientX;
    this.dragged.y = event.clientY - (event.pointerType === "touch" ? ABOVE : 0);
    this.carry();
  }

  /** Takes the held piece off its place, into the hand. */
  lift() {
    const {piece, number, x, y} = this.held;
    this.dragged = {grip: -1, number};
    this.chosen = piece;
    this.cursor = -1;
    if (number >= 0) {
      const {form, cells} = this.game.placements[number], at = this.at({clientX: x, clientY: y});
      this.forms[piece] = form;
      this.dragged.grip = cells.reduce((best, cell, k) => (distance(this.centres[cell], at) < distance(this.centres[cells[best]], at) ? k : best), 0);
    }
    this.hand = make("svg", {class: "hand", "aria-hidden": "true"});
    this.element.append(this.hand);
    this.element.classList.add("dragging");
    this.draw();
  }

  /** Shows the piece in the hand, and where it would snap. */
  carry() {
    const {form, dragged, layout} = this, scale = this.picture.getScreenCTM().a, {fill} = this.game.pieces[this.chosen];
    const middles = form.points.map((point, k) => layout.centre(point, form.of[k]));
    if (dragged.grip < 0) dragged.grip = middles.indexOf(central(middles));
    const box = layout.box(form.points, form.of), grip = middles[dragged.grip];
    this.hand.setAttribute("viewBox", box.join(" "));
    Object.assign(this.hand.style, {width: `${box[2] * scale}px`, height: `${box[3] * scale}px`, left: `${dragged.x - (grip[0] - box[0]) * scale}px`, top: `${dragged.y - (grip[1] - box[1]) * scale}px`});
    this.hand.replaceChildren(layout.piece(form.points, form.of, {fill, label: "", colours: form.colours}));
    const at = this.at({clientX: dragged.x, clientY: dragged.y}), target = [0, 1].map(axis => at[axis] - grip[axis] + middles[0][axis]);
    const [number, far] = this.closest(form, candidate => distance(this.centres[this.game.placements[candidate].start], target));
    this.cursor = far < SNAP * Math.max(1, this.near) ? number : -1;
    this.aim();
  }

  drop(event) {
    const {held, dragged} = this;
    if (!held || event.pointerId !== held.id) return;
    const {cursor, chosen} = this;
    if (!dragged) {
      this.release();
      if (held.number >= 0) this.change(this.placed.filter(number => number !== held.number), phrase("game.back", {name: this.game.pieces[held.piece].name}));
      return;
    }
    this.clicked = true; // the click that follows does not choose
    const others = this.placed, {name} = this.game.pieces[chosen];
    const blocks = cursor < 0 ? [] : this.game.inTheWay(others, cursor);
    this.release();
    this.chosen = -1;
    if (cursor >= 0 && !blocks.length) return this.change([...others, cursor], phrase("game.placed", {name, where: this.where(this.game.placements[cursor].start)}));
    const words = cursor < 0 ? phrase("game.back", {name}) : this.blocked(blocks);
    if (dragged.number >= 0) return this.change(others, words);
    this.draw();
    return this.say(words);
  }

  /** Ends the hold of a piece. */
  release() {
    this.hand?.remove();
    this.element.classList.remove("dragging");
    this.held = this.dragged = this.hand = null;
    this.cursor = -1;
    this.draw();
  }
}

function distance(one, two) {
  return Math.hypot(one[0] - two[0], one[1] - two[1]);
}

/** Returns names as a list in words. */
function listed(names) {
  return names.length < 2 ? names.join("") : phrase("game.and", {first: names.slice(0, -1).join(", "), last: names.at(-1)});
}
