// The game: what the player does, what is on the board, and what the page says. A view shows it: a flat board, or a stage.

const SVG = "http://www.w3.org/2000/svg";

/** A pointer that moves this many pixels drags; a finger holds a piece this many pixels above itself. */
const DRAG = 6, ABOVE = 56;

/** A piece snaps to a placement that is nearer than this, in distances of cells. */
const SNAP = 0.8;

/** The longest search for a way into a box, in milliseconds for each piece. Without an answer, the piece may be put in. */
const SHUT_TIME = 200;

/** A narrower game has the tray below the board. */
const NARROW = 736;

/** The angle by which a second finger rotates the piece in the hand. */
const TWIST = Math.PI / 4.5;

/** Returns a new element with attributes and content. */
function make(name, attributes = {}, ...content) {
  const svg = ["svg", "g", "path", "text", "circle", "rect"].includes(name);
  const found = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key === "style") found.style.cssText = value; // a policy may forbid it as an attribute
    else if (value !== null && value !== undefined) found.setAttribute(key, value);
  found.append(...content);
  return found;
}

/** Whether words about keys help: not on a phone. */
const hasKeys = () => !matchMedia("(pointer: coarse)").matches;

class PuzzleGame {
  /**
   * Shows a game in an element. With a `host`, the game is a part of another program: its `hint(all)` and `write()` do what
   * the buttons ask for, `cancel()` ends a search for a hint, and keys count inside of the element only.
   */
  constructor(element, data, host = null) {
    this.game = new Game(data);
    this.element = element;
    this.host = host;
    this.leaving = new AbortController();
    this.forms = this.game.pieces.map(() => 0);
    this.history = [{placed: []}];
    this.given = []; // the placements that stay where they are
    this.moves = this.helped = this.seconds = 0;
    this.begun = null; // the moment since which the time counts
    this.chosenBodies = []; // the chosen pieces of an assembly that is taken apart, by their index among the placements
    this.grouping = false; // whether a piece that is chosen is added to them, or taken from them
    this.grip = null; // the place of the last one where it was chosen: the axis of a turn goes through it, or near it
    this.chosen = -1;
    this.cursor = -1;
    this.wrong = [];
    this.shown = {};
    this.addFrame(data.title);
    element.classList.toggle("stage", this.game.board.stage);
    element.classList.toggle("scene", Boolean(data.begin));
    this.view = this.game.board.stage ? new Stage(this) : new Flat(this);
    this.addTurns();
    this.addTray();
    this.listen();
    this.watch = new ResizeObserver(() => this.arrange());
    this.watch.observe(element);
    this.arrange();
    this.give(data.given || []);
    if (!host && !data.solutions.number) this.shown.hint.disabled = this.shown.solve.disabled = true;
    this.say(phrase(host || data.solutions.number ? (this.game.flat ? "game.start" : "game.startSolid") : data.complete ? "game.unsolvable" : "game.empty"));
    if (this.isBurr && (!data.walls || data.turning)) this.takeApart(true);
    this.keeper = new Keeper(this);
  }

  /** Adds the parts of the page: the board, the tray, the buttons and the status. */
  addFrame(title) {
    const part = (name, id, attributes = {}, ...content) => (this.shown[id] = make(name, {id, ...attributes}, ...content));
    const button = (id, words, ...more) => part("button", id, {type: "button"}, words, ...more);
    const header = make("header", {}, ...(this.host ? [] : [make("h1", {}, title || "")]), part("p", "progress"));
    const controls = make("div", {id: "controls", role: "group", "aria-label": phrase("game.controls")},
      part("span", "turns", {role: "group", "aria-label": phrase("game.turns")}),
      ...(this.game.board.stage ? [part("span", "bodies", {role: "group", "aria-label": phrase("game.turns"), hidden: ""}), button("apart", phrase("game.takeApart"))] : []), button("back", phrase("game.takeBack")), button("reset", phrase("game.clear")),
      button("hint", phrase("game.giveHint"), make("kbd", {"aria-hidden": "true"}, "H")), button("solve", phrase("game.fill")), ...(this.host ? [button("write", phrase("play.write"))] : []));
    const rules = this.addRules();
    part("ul", "rules", rules.length ? {"aria-label": phrase("rules.heading")} : {hidden: ""}, ...rules);
    this.element.replaceChildren(header, this.shown.rules,
      part("div", "board", {role: "application", tabindex: "0", "aria-label": phrase("game.board"), "aria-describedby": "board-help"}),
      make("section", {"aria-label": phrase("game.tray")}, part("ul", "tray")),
      controls, make("div", {class: "foot"}, part("p", "status", {role: "status"}),
        part("div", "end", {hidden: ""}, part("p", "result", {role: "status"}), ...(this.host ? [] : [button("share", phrase("game.share"))]))), make("p", {id: "board-help", hidden: ""}, phrase(this.game.flat ? "game.help" : "game.helpSolid")));
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
    this.view.destroy?.();
    this.element.replaceChildren();
  }

  /** Puts pieces on the board that stay there. Those of the player stay if there is room. */
  give(given) {
    if (given.length === this.given.length && given.every(number => this.given.includes(number))) return;
    const {game} = this, fits = (placed, number) => game.left(placed, game.placements[number].piece) > 0 && !game.inTheWay(placed, number).length;
    this.given = given;
    this.history = [{placed: this.placed.reduce((placed, number) => (fits(placed, number) ? [...placed, number] : placed), given)}];
    this.wrong = [];
    this.settle();
  }

  /** Whether the game has put the last pieces of a solution on the board, not the player. */
  get isFilled() {
    return Boolean(this.history.at(-1).filled);
  }

  /** Returns the element with the focus, in a shadow tree as well. */
  get focused() {
    return this.element.getRootNode().activeElement;
  }

  /** The placements on the board, without the one in the hand. */
  get placed() {
    return this.history.at(-1).placed.filter(number => number !== this.dragged?.number);
  }

  /** The state of an assembly that is taken apart; null if pieces are put together. */
  get apart() {
    return this.history.at(-1).apart ?? null;
  }

  /** Whether the file has an assembly that comes apart only in a certain way. */
  get isBurr() {
    const {apart, best} = this.game.data;
    return this.game.board.stage && best !== undefined && (apart === "all" || apart === "some");
  }

  /** The pieces of the board as bodies that are moved by hand. */
  get assembly() {
    const placed = this.history.at(-1).placed;
    if (this.assembled?.placed !== placed) this.assembled = new Assembly(this.game, this.view.puzzle, placed);
    return this.assembled;
  }

  name(number) {
    return this.game.pieces[this.game.placements[number].piece].name;
  }

  names(numbers) {
    return listed(numbers.map(number => this.name(number)));
  }

  /** Returns in words what keeps a piece from a placement: pieces, or walls; an empty text if nothing does. */
  obstacle(placed, number) {
    const others = this.game.inTheWay(placed, number), {walls, turning} = this.game.data;
    if (others.length) return phrase("game.blocked", {names: this.names(others), n: others.length});
    const isShut = this.game.board.stage && walls && !turning && new Assembly(this.game, this.view.puzzle, [...placed, number]).comesApart(SHUT_TIME) === false;
    return isShut ? phrase("game.shut", {name: this.name(number)}) : "";
  }

  /** Returns what speaks against a placement of the chosen piece: the `kind` (`fits` if nothing does), and its `words`. */
  objection(number) {
    const {placed} = this, key = placed.join();
    if (this.objections?.key !== key) this.objections = {key, found: new Map()};
    const {found} = this.objections;
    if (!found.has(number)) {
      const obstacle = this.obstacle(placed, number), broken = obstacle ? [] : this.newlyBroken(placed, [...placed, number]);
      found.set(number, obstacle ? {kind: "blocked", words: obstacle} : broken.length ? {kind: "against", words: this.brokenWords(broken)} : {kind: "fits", words: ""});
    }
    return found.get(number);
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

  /** Lays the page out for the size of its element. */
  arrange() {
    const {clientWidth: wide, clientHeight: high} = this.element;
    if (!wide) return; // it is hidden
    this.element.classList.toggle("narrow", wide < NARROW);
    this.element.classList.toggle("upright", wide < high || (wide < NARROW && !this.view.isTallIn?.(wide, high)));
    this.view.arrange();
  }

  /** Shows the pieces on the board and in the tray. */
  draw() {
    const {game, placed} = this, {board} = game, broken = game.broken(placed);
    game.pieces.forEach((piece, k) => this.drawInTray(piece, k));
    this.shown.progress.textContent = progressWords("game.progress", game.coverage(placed));
    const whole = game.isSolved(placed), solved = this.apart ? this.assembly.isApart(this.apart) : whole && !this.isFilled && this.comesApart(placed) !== false;
    this.element.classList.toggle("solved", solved);
    this.shown.end.hidden = !solved || !this.shown.result.textContent;
    if (this.host) this.shown.write.disabled = placed.every(number => this.given.includes(number));
    if (board.stage) this.drawApart(whole, placed);
    for (const element of this.shown.rules.children) element.classList.toggle("broken", isBroken(element, broken));
    this.view.draw(placed, broken);
  }

  /** Shows whether the pieces are put together or taken apart, and what the button does. */
  drawApart(whole, placed) {
    const {apart, turns, bodies, solve, progress} = this.shown, taking = this.apart;
    apart.textContent = phrase(taking ? "game.putTogether" : "game.takeApart");
    apart.hidden = !taking && !whole && !this.isBurr;
    turns.hidden = solve.hidden = Boolean(taking);
    bodies.hidden = !taking;
    bodies.firstChild?.setAttribute("aria-pressed", String(this.grouping));
    if (taking) progress.textContent = progressWords("game.parts", {number: placed.filter((_, body) => this.assembly.isOut(taking, body)).length, all: placed.length});
  }

  aim() {
    this.view.aim();
  }

  drawInTray(piece, k) {
    const button = this.buttons[k], left = this.game.left(this.placed, k), many = piece.high !== 1;
    if (this.apart) return this.drawBody(button, piece, k);
    const about = left <= 0 ? phrase("game.onBoard") : many && left < Infinity ? phrase("game.left", {n: left}) : "";
    button.replaceChildren(this.view.inTray(piece, piece.forms[this.forms[k]]), make("span", {class: "name"}, piece.name), ...(many && left < Infinity ? [make("span", {class: "left", "aria-hidden": "true"}, `×${left}`)] : []));
    button.setAttribute("aria-label", about ? `${piece.name}, ${about}` : piece.name);
    button.setAttribute("aria-pressed", String(this.chosen === k));
    button.classList.toggle("used", left <= 0);
    return undefined;
  }

  /** Shows a piece of an assembly that is taken apart; it is used when all of its copies are out. */
  drawBody(button, piece, k) {
    const out = this.bodiesOf(k).every(body => this.assembly.isOut(this.apart, body));
    button.replaceChildren(this.view.inTray(piece, piece.forms[this.forms[k]]), make("span", {class: "name"}, piece.name));
    button.setAttribute("aria-label", out ? `${piece.name}, ${phrase("game.isOut")}` : piece.name);
    button.setAttribute("aria-pressed", String(this.chosenBodies.some(body => this.bodiesOf(k).includes(body))));
    button.classList.toggle("used", out);
  }

  bodiesOf(piece) {
    return this.placed.flatMap((number, body) => (this.game.placements[number].piece === piece ? [body] : []));
  }

  // -- Controls

  addTurns() {
    const {board, pieces} = this.game, number = pieces[0].turns.length - 1;
    const names = ["rotate", "tip", "spin"].slice(0, number).concat("reflect").map(name => phrase(`game.${name}`)), keys = ["R", "T", "S"].slice(0, number).concat("F");
    this.keys = new Map(keys.map((key, k) => [key.toLowerCase(), k]));
    const useful = names.map((_, k) => pieces.some(({turns}) => turns[k]?.some((to, from) => to !== from)));
    const add = (where, name, key, act) => {
      const button = make("button", {type: "button"}, name, make("kbd", {"aria-hidden": "true"}, key));
      button.addEventListener("click", act);
      where.append(button);
    };
    names.forEach((name, k) => useful[k] && (board.stage || k === 0 || k === number) && add(this.shown.turns, name, keys[k], () => this.turn(k)));
    if (!board.stage) return;
    // Keys and buttons for the pieces of an assembly.
    const acts = {G: ["group", () => this.group()]}, axes = (this.game.data.turning?.turns.length || 0) / 2;
    ["rotate", "tip", "spin"].slice(0, axes).forEach((name, k) => (acts["RTS"[k]] = [name, back => this.turnBodies(k, back === true)]));
    if (axes) acts.A = ["axis", () => this.otherAxis()];
    this.bodyKeys = new Map(Object.entries(acts).map(([key, [, act]]) => [key.toLowerCase(), act]));
    for (const [key, [name, act]] of Object.entries(acts)) add(this.shown.bodies, phrase(`game.${name}`), key, () => act());
  }

  addTray() {
    this.buttons = this.game.pieces.map((_, k) => {
      const button = make("button", {type: "button", class: "piece"});
      button.addEventListener("click", event => (this.clicked && event.detail) || this.choose(event.detail && !this.apart && this.chosen === k ? -1 : k, event.detail === 0));
      button.addEventListener("pointerdown", event => this.hold(event, k, -1));
      this.shown.tray.append(make("li", {}, button));
      return button;
    });
  }

  listen() {
    const {board, hint, solve, back, reset, share, apart, write} = this.shown;
    for (const element of [board, this.shown.tray])
      element.addEventListener("wheel", event => {
        if (!this.takesWheel || event.ctrlKey) return;
        event.preventDefault();
        this.turn(event.shiftKey && this.game.board.stage ? 1 : 0, (event.deltaY || event.deltaX) < 0);
      }, {passive: false});
    share?.addEventListener("click", () => this.keeper.share());
    hint.addEventListener("click", () => this.hint());
    solve.addEventListener("click", () => this.solve());
    write?.addEventListener("click", () => this.host.write());
    back.addEventListener("click", () => this.takeBack());
    reset.addEventListener("click", () => (this.apart ? this.takeApart() : this.change(this.given, phrase("game.reset"))));
    apart?.addEventListener("click", () => (this.apart ? this.putTogether() : this.takeApart()));
    const {signal} = this.leaving;
    (this.host ? this.element : window).addEventListener("keydown", event => this.key(event), {signal});
    addEventListener("pointerdown", event => this.second(event), {signal});
    addEventListener("pointermove", event => this.drag(event), {signal});
    addEventListener("pointerup", event => this.drop(event), {signal});
    addEventListener("pointercancel", () => this.release(), {signal});
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key.toLowerCase() !== "z" || event.altKey) return;
      event.preventDefault();
      event.stopPropagation(); // a host has a history also
      this.takeBack();
      return;
    }
    const key = event.key.toLowerCase(), inside = this.shown.board.contains(this.focused);
    const act = {h: () => this.hint(), escape: () => (this.host?.cancel() || this.choose(-1)), backspace: () => this.takeBack(), delete: () => this.takeBack()}[key]
      || (this.apart && this.bodyKeys.has(key) ? () => this.bodyKeys.get(key)(event.shiftKey) : null)
      || (this.keys.has(key) ? () => this.turn(this.keys.get(key), event.shiftKey) : null)
      || (inside ? this.boardKey(key, event.shiftKey) : null);
    if (!act) return;
    event.preventDefault();
    act();
  }

  boardKey(key, far) {
    const way = this.view.way(key), around = {",": -1, ".": 1}[key];
    if (around && this.game.board.stage) return () => this.view.goAround(around);
    if (way && this.apart) return () => this.pullTowards(way, far);
    if (way) return () => this.step(way);
    if (this.apart) return null;
    return key === " " || key === "enter" ? () => (this.chosen < 0 ? this.say(phrase("game.choose")) : this.put(this.cursor)) : null;
  }

  // -- Moves

  /** Enters a new state of the board. */
  change(placed, words) {
    const before = this.history.at(-1).placed;
    this.enter(this.history, {placed});
    this.say(`${words} ${this.verdict(before, placed)}`.trim());
  }

  /** Adds a state to the history, and counts it as a move. */
  enter(history, state) {
    this.host?.cancel();
    this.begun ??= Date.now();
    this.moves++;
    this.history = [...history, state];
    this.wrong = [];
    this.settle();
    this.keeper?.keep();
  }

  /** Returns the seconds of play until now, and counts from now on. */
  time() {
    if (this.begun !== null) [this.seconds, this.begun] = [this.seconds + (Date.now() - this.begun) / 1000, Date.now()];
    return Math.round(this.seconds);
  }

  /** Says how many moves, seconds and hints the solution took, and lets a wave run over it. */
  finish() {
    const time = this.time(), clock = `${Math.floor(time / 60)}:${String(time % 60).padStart(2, "0")}`;
    this.begun = null;
    this.shown.result.textContent = [phrase("game.moves", {n: this.moves}), phrase("game.time", {time: clock}), ...(this.helped ? [phrase("game.hints", {n: this.helped})] : [])].join(", ");
    this.shown.end.hidden = false;
    this.view.wave();
  }

  /** Returns in words that the puzzle is solved, or which rules the last move breaks. */
  verdict(before, placed) {
    const {game} = this;
    if (game.isSolved(placed)) {
      if (this.comesApart(placed) !== false) this.finish();
      return this.solvedWords(placed);
    }
    const now = this.newlyBroken(before, placed);
    return now.length ? this.brokenWords(now) : "";
  }

  /** Returns the rules that a move breaks; on a full board, all that are broken. */
  newlyBroken(before, placed) {
    const earlier = this.game.broken(before);
    return [...this.game.broken(placed)].filter(number => this.game.isFull(placed) || !earlier.has(number));
  }

  brokenWords(rules) {
    return phrase("game.broken", {rules: rules.map(number => this.ruleWords(number)).join("; ")});
  }

  /** Returns whether a solution comes apart, so that the pieces can be put in; null if it is not known. */
  comesApart(placed) {
    const {apart, walls, still, turning} = this.game.data, {stage} = this.game.board;
    if (apart === "none") return false;
    if (apart) {
      const found = nearest(this.game, placed);
      if (found && !found.wrong.length) return true;
      if (apart === "all") return false;
    }
    if (!stage || turning || !(apart || walls || still.length)) return null;
    if (this.judged?.key !== placed.join()) this.judged = {key: placed.join(), apart: new Assembly(this.game, this.view.puzzle, placed).comesApart()};
    return this.judged.apart;
  }

  solvedWords(placed) {
    const apart = this.comesApart(placed);
    if (apart === false) return phrase("game.interlocked");
    if (this.isFilled) return phrase("game.filled");
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
    if (!this.apart && this.chosen >= 0 && this.game.left(this.placed, this.chosen) <= 0) [this.chosen, this.cursor] = [-1, -1];
    this.draw();
  }

  takeBack() {
    this.host?.cancel();
    if (this.history.length < 2) return this.say(phrase("game.nothing"));
    this.history = this.history.slice(0, -1);
    this.wrong = [];
    this.settle();
    this.keeper?.keep();
    this.say(phrase("game.taken"));
  }

  /** Chooses a piece of the tray (-1: none); with keys, the board gets the focus. */
  choose(piece, byKeys = false) {
    if (this.apart) return this.chooseBody(piece, byKeys);
    if (piece >= 0 && this.game.left(this.placed, piece) <= 0) {
      const last = this.placed.findLast(number => this.game.placements[number].piece === piece);
      if (this.given.includes(last)) return this.say(phrase("game.given", {name: this.name(last)}));
      this.change(this.placed.filter(number => number !== last), phrase("game.back", {name: this.game.pieces[piece].name}));
    }
    this.chosen = piece;
    this.cursor = -1;
    this.draw();
    if (piece < 0) return undefined;
    this.say(phrase("game.chosen", {name: this.game.pieces[piece].name}));
    if (!byKeys) return undefined;
    this.shown.board.focus();
    return this.begin();
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
    const where = this.where(this.game.placements[this.cursor].start), others = this.game.inTheWay(this.placed, this.cursor), {words} = this.objection(this.cursor);
    this.say(others.length ? phrase("game.covered", {name, where, names: this.names(others)}) : words ? `${name}, ${where}: ${words}` : phrase("game.free", {name, where}));
  }

  /** Moves the chosen piece to the next placement in a direction. */
  step(way) {
    if (this.chosen < 0) return this.say(phrase("game.choose"));
    if (this.cursor < 0) return this.begin();
    const {centres} = this.view, {first, after} = this.form, here = centres[this.game.placements[this.cursor].start];
    let best = -1, least = Infinity;
    for (let number = first; number < after; number++) {
      const by = centres[this.game.placements[number].start].map((value, axis) => value - here[axis]);
      const ahead = by.reduce((sum, value, axis) => sum + value * way[axis], 0);
      const aside = Math.hypot(...by.map((value, axis) => value - ahead * way[axis]));
      if (ahead > 1e-6 && ahead + 3 * aside < least) [best, least] = [number, ahead + 3 * aside];
    }
    if (best >= 0) this.cursor = best;
    this.tell();
  }

  /** Whether a wheel turns a piece. */
  get takesWheel() {
    return this.chosen >= 0 && (!this.apart || this.bodyKeys.has("r"));
  }

  /** Rotates or reflects the chosen piece. */
  turn(motion, back = false) {
    if (this.apart) return this.bodyKeys.has("r") ? this.turnBodies(motion, back) : this.say(phrase("game.startApart"));
    if (this.chosen < 0) return this.say(phrase("game.choose"));
    const {turns, name, forms} = this.game.pieces[this.chosen], own = this.forms[this.chosen], next = this.view.turned(turns, own, motion, back);
    if (next === own) return this.say(phrase(forms.length > 1 ? "game.same" : "game.still", {name}));
    this.forms[this.chosen] = next;
    const before = this.cursor;
    this.cursor = -1;
    if (before >= 0 && !this.dragged) {
      const middle = number => central(this.game.placements[number].cells.map(cell => this.view.centres[cell])), at = middle(before);
      this.cursor = this.closest(forms[next], number => distance(middle(number), at))[0];
    }
    this.draw();
    this.say(phrase(motion === turns.length - 1 ? "game.flipped" : "game.turned", {name}));
    if (this.dragged) {
      this.dragged.grip = -1;
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
    const obstacle = this.obstacle(this.placed, number);
    if (obstacle) {
      this.view.refuse?.(`beside ${this.chosen}`);
      return this.say(obstacle);
    }
    if (this.game.left(this.placed, this.chosen) <= 0) return this.say(phrase("game.noCopies", {name}));
    this.cursor = -1;
    this.change([...this.placed, number], phrase("game.placed", {name, where: this.where(this.game.placements[number].start)}));
  }

  // -- Taking apart

  /** Begins to take the board apart, or the best solution of the file; `quiet`: as the first state of the game. */
  takeApart(quiet = false) {
    const {data, solutions} = this.game, placed = this.game.isSolved(this.placed) ? this.history.at(-1).placed : solutions[data.best];
    const state = {placed, apart: new Assembly(this.game, this.view.puzzle, placed).start};
    [this.chosen, this.chosenBodies, this.grouping, this.begun] = [-1, [], false, null];
    if (quiet) this.history = [state];
    else this.enter(this.history, state);
    [this.moves, this.helped, this.seconds, this.begun] = [0, 0, 0, null];
    this.shown.result.textContent = "";
    this.settle();
    this.say(phrase("game.startApart"));
  }

  putTogether() {
    [this.chosen, this.chosenBodies] = [-1, []];
    [this.moves, this.helped, this.seconds, this.begun] = [0, 0, 0, null];
    this.shown.result.textContent = "";
    this.enter(this.history, {placed: this.given});
    this.settle();
    this.say(phrase(this.game.flat ? "game.start" : "game.startSolid"));
  }

  /** Chooses a piece of the assembly, and its next copy if it is chosen; `exact`: this one, by the place of a pointer. */
  chooseBody(piece, byKeys, exact = -1, grip = null) {
    const own = this.bodiesOf(piece < 0 ? this.chosen : piece), others = this.grouping ? this.chosenBodies.filter(body => !own.includes(body) || exact >= 0) : [];
    const body = exact >= 0 ? exact : own[own.findLastIndex(one => this.chosenBodies.includes(one)) + 1] ?? -1, taken = exact >= 0 && this.chosenBodies.includes(exact);
    this.chosenBodies = taken ? others.filter(one => one !== exact) : body < 0 || piece < 0 ? others : [...others, body];
    if (piece < 0) [this.chosenBodies, this.grouping] = [[], false];
    this.chosen = this.chosenBodies.length ? this.game.placements[this.placed[this.chosenBodies.at(-1)]].piece : -1;
    this.grip = grip && {body: exact, at: grip};
    this.draw();
    if (this.chosen < 0) return;
    this.say(`${phrase(hasKeys() ? "game.pulling" : "game.pullingByThumb", {name: this.chosenNames, n: this.chosenBodies.length, keys: phrase(this.game.flat ? "game.arrows" : "game.everyArrow")})}${this.assembly.turns.length && hasKeys() ? ` ${phrase("game.turning")}` : ""}`);
    if (byKeys) this.shown.board.focus();
  }

  get chosenNames() {
    return this.names(this.chosenBodies.map(body => this.placed[body]));
  }

  /** From now on, a piece that is chosen is added to the chosen ones, or no longer. */
  group() {
    this.grouping = !this.grouping;
    this.draw();
    this.say(phrase(this.grouping ? "game.grouping" : "game.single"));
  }

  /** Returns the names of bodies in the way, and shakes a piece before them. */
  refuse(body, met) {
    const key = number => `on ${this.placed[number]}`;
    this.view.refuse(key(body), met.filter(other => other !== STILL).map(key));
    return listed(met.map(other => (other === STILL ? phrase("game.walls") : this.name(this.placed[other]))));
  }

  /** Enters a state after a move of the assembly, and says what happened. */
  enterApart(after, words) {
    this.enter(this.history, {placed: this.history.at(-1).placed, apart: after});
    const whole = this.assembly.isApart(after);
    if (whole) this.finish();
    this.say(whole ? `${words} ${phrase("game.allApart")}` : words);
  }

  /** Turns the chosen pieces about an axis as the eye sees it: up, to the right, or away; `back`: the other way. */
  turnBodies(motion, back) {
    const {assembly, apart, chosenBodies: bodies} = this;
    if (!bodies.length) return this.say(phrase("game.choose"));
    const name = this.chosenNames, part = assembly.partOf(apart, bodies[0]);
    if (part.bodies.length < 2) return this.say(phrase("game.alreadyOut", {name, n: bodies.length}));
    if (!bodies.every(body => part.bodies.includes(body)) || bodies.length === part.bodies.length) return this.say(phrase("game.notTogether", {name}));
    const wanted = times(this.view.sides()[assembly.turns.length > 2 ? motion : 0], back ? 1 : -1), along = turn => dot(turn.axis, wanted);
    const turn = assembly.turns.reduce((best, one) => (along(one) > along(best) + 1e-6 ? one : best));
    this.axes = {before: apart, bodies, turn, found: turn.possible(assembly, apart, bodies, this.grip && bodies.includes(this.grip.body) ? assembly.placeOf(apart, this.grip.body, this.grip.at) : assembly.heart(apart, bodies))};
    return this.turnNext(phrase("game.rotated", {name, n: bodies.length}));
  }

  /** Turns about the next axis that is possible. */
  turnNext(words) {
    const {axes, assembly} = this, {value, done} = axes.found.next(), name = this.names(axes.bodies.map(body => this.placed[body]));
    if (!done) {
      axes.after = axes.turn.after(assembly, axes.before, axes.bodies, value);
      return this.enterApart(axes.after, words);
    }
    if (axes.after) return this.say(phrase("game.noAxis", {name}));
    if (!value) return this.say(phrase("game.noMove"));
    return this.say(phrase("game.noTurn", {name, names: this.refuse(axes.bodies.at(-1), value), n: value.length}));
  }

  /** Takes the last turn back, and turns about another axis. */
  otherAxis() {
    const {axes} = this;
    if (!axes?.after || this.apart !== axes.after) return this.say(phrase("game.firstTurn"));
    const {history, moves} = this;
    [this.history, this.moves] = [history.slice(0, -1), moves - 1];
    this.turnNext(phrase("game.axisChanged"));
    if (this.apart !== axes.after) [this.history, this.moves] = [history, moves];
  }

  /** Pulls the chosen pieces along the way of the lattice that is nearest to a direction: one step, or as far as they can. */
  pullTowards(direction, far) {
    const {chosenBodies: bodies} = this, {ways, puzzle} = this.assembly, along = way => dot(unit(inSpace(puzzle, way)), direction);
    if (!bodies.length) return this.say(phrase("game.choose"));
    const way = ways.reduce((best, one, k) => (along(one) > along(ways[best]) + 1e-6 ? k : best), 0);
    const {steps} = this.assembly.path(this.apart, bodies, way);
    return this.pull(bodies, way, far ? steps.length : 1, far);
  }

  /** Pulls pieces some steps along a way, and says what they carry, or what is in their way; `beyond`: also after the last step. */
  pull(bodies, way, count, beyond = false) {
    const {assembly, apart} = this, {steps, met} = assembly.path(apart, bodies, way), name = this.names(bodies.map(body => this.placed[body])), to = sideWords("to", unit(inSpace(assembly.puzzle, assembly.ways[way])));
    if (assembly.isOut(apart, bodies[0])) return this.say(phrase("game.alreadyOut", {name, n: bodies.length}));
    const after = count > 0 ? assembly.moved(apart, {bodies, way, count}) : null;
    if (!after) return this.say(met.length ? phrase("game.held", {name, to, names: this.refuse(bodies.at(-1), met), n: met.length}) : phrase("game.notTogether", {name}));
    const {moved, leaves} = steps[Math.min(count, steps.length) - 1], others = moved.filter(other => !bodies.includes(other));
    const words = phrase(leaves ? "game.leaves" : others.length ? "game.carries" : "game.pulled", {name: leaves ? this.names(moved.map(other => this.placed[other])) : name, to, names: this.names(others.map(other => this.placed[other])), n: leaves ? moved.length : bodies.length});
    this.enterApart(after, beyond && met.length ? `${words} ${phrase("game.further", {names: this.refuse(bodies.at(-1), met), n: met.length})}` : words);
  }

  /** Shows and says the next move on a shortest way to take the assembly apart. */
  hintApart() {
    const {assembly, apart} = this, move = assembly.isApart(apart) ? null : assembly.next(apart);
    if (!move) return this.say(phrase(assembly.isApart(apart) ? "game.allApart" : move === null ? "game.holds" : assembly.planned.size ? "game.offPlan" : "game.noMove"));
    const {bodies, way, by} = move, name = this.names(bodies.map(body => this.placed[body]));
    this.helped++;
    this.enterApart(assembly.moved(apart, move), phrase(by ? "game.hintTurn" : "game.hintApart", {name, n: bodies.length, to: by ? "" : sideWords("to", unit(inSpace(assembly.puzzle, assembly.ways[way])))}));
  }

  hint() {
    if (this.apart) return this.hintApart();
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
    this.helped += all ? missing.length : 1;
    if (all) {
      const placed = [...this.placed, ...missing];
      this.enter(this.history, {placed, filled: 1});
      return this.say(this.solvedWords(placed));
    }
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

  point(number) {
    if (this.chosen < 0 || this.cursor === number) return;
    this.cursor = number;
    this.aim();
  }

  /** Begins to hold a piece by a cell: of the tray, or a placed one. */
  hold(event, piece, number, grip = -1, at = null) {
    this.clicked = false;
    if (event.button || this.dragged) return;
    if (!this.apart && this.given.includes(number)) return this.say(phrase("game.given", {name: this.name(number)}));
    if (number < 0 && this.game.left(this.placed, piece) <= 0) return;
    if (number >= 0) {
      event.preventDefault();
      this.shown.board.focus({preventScroll: true}); // for keys during the drag
    }
    const body = this.apart ? this.placed.indexOf(number) : -1;
    if (this.apart && body < 0) return;
    const bodies = this.chosenBodies.includes(body) ? this.chosenBodies : [body];
    this.held = {piece, number, grip, at, body, bodies, x: event.clientX, y: event.clientY, id: event.pointerId, now: event};
  }

  /** A second finger turns the held piece. */
  second(event) {
    if (!this.held || event.pointerId === this.held.id || this.finger) return;
    this.finger = {id: event.pointerId, x: event.clientX, y: event.clientY, angle: this.angleOf(event), turned: false};
  }

  angleOf({clientX, clientY}) {
    const {now} = this.held;
    return Math.atan2(clientY - now.clientY, clientX - now.clientX);
  }

  twist(event) {
    const {finger} = this, by = this.angleOf(event) - finger.angle, angle = Math.atan2(Math.sin(by), Math.cos(by));
    if (Math.abs(angle) < TWIST) return;
    finger.turned = true;
    finger.angle += Math.sign(angle) * TWIST * 2;
    this.turnHeld(0, angle < 0);
  }

  /** Turns the held piece where the finger has taken it. */
  turnHeld(motion, back) {
    const {held} = this, {clientX: x, clientY: y} = held.now;
    if (held.body < 0 && !this.dragged) this.lift();
    if (held.body >= 0) {
      this.pullEnds();
      Object.assign(this, {chosenBodies: held.bodies, chosen: held.piece, grip: {body: held.body, at: held.at}});
      Object.assign(held, {x, y, turned: true});
    }
    this.turn(motion, back);
  }

  /** Ends a pull at the nearest step; returns whether there was one. */
  pullEnds() {
    const {tugged} = this;
    if (!tugged) return false;
    this.view.letGo();
    this.tugged = null;
    const {steps, part, bodies, way, beyond} = tugged, leaves = steps.at(-1)?.leaves, count = leaves && part > steps.length - 0.6 ? steps.length : Math.min(Math.round(part), steps.length);
    if (count) this.pull(bodies, way, count, beyond && count === steps.length);
    return true;
  }

  drag(event) {
    const {held} = this;
    if (held && event.pointerId === this.finger?.id) this.twist(event);
    if (!held || event.pointerId !== held.id) return;
    held.now = event;
    if (!this.dragged) {
      const by = [event.clientX - held.x, event.clientY - held.y];
      if (!this.tugged && Math.hypot(...by) < DRAG) return;
      if (held.body >= 0) return this.tug(by);
      this.lift();
    }
    this.dragged.x = event.clientX;
    this.dragged.y = event.clientY - (event.pointerType === "touch" ? ABOVE : 0);
    this.carry();
  }

  /** Shows the held piece as far along a way as the pointer pulls it; the way follows the pointer near its start. */
  tug(by) {
    const {held, assembly, apart} = this, far = Math.hypot(...by);
    if (!this.tugged || (far < 4 * DRAG && !this.tugged.part)) {
      const way = this.view.along(held.body, by);
      if (way !== this.tugged?.way) {
        const path = assembly.path(apart, held.bodies, way);
        this.tugged = {bodies: held.bodies, way, ...path, part: 0};
        this.element.classList.add("dragging");
        if (!path.steps.length) this.pull(held.bodies, way, 1); // says what is in the way
      }
    }
    const {tugged} = this, {steps} = tugged, wanted = this.view.stepsOf(held.body, tugged.way, by);
    tugged.beyond = wanted > steps.length + 0.5;
    tugged.part = clamped(wanted, 0, steps.length + (steps.at(-1)?.leaves ? 1 : 0.08));
    this.view.animate();
  }

  /** Takes the held piece off its place, into the hand. */
  lift() {
    const {piece, number, x, y} = this.held;
    if (number >= 0) this.forms[piece] = this.game.placements[number].form;
    this.dragged = {grip: number < 0 ? this.held.grip : this.view.grip(number, {clientX: x, clientY: y}), number, x, y};
    this.chosen = piece;
    this.cursor = -1;
    this.element.classList.add("dragging");
    this.draw();
  }

  /** Shows the piece in the hand, and where it would snap. */
  carry() {
    this.cursor = this.view.carry();
    this.aim();
  }

  drop(event) {
    const {held, dragged, finger} = this;
    if (finger && event.pointerId === finger.id) {
      this.finger = null;
      if (!finger.turned && Math.hypot(event.clientX - finger.x, event.clientY - finger.y) < 2 * DRAG) this.turnHeld(1);
    }
    if (!held || event.pointerId !== held.id) return;
    const {cursor, chosen} = this;
    if (held.body >= 0) {
      const pulled = this.pullEnds();
      this.release();
      return pulled || held.turned ? undefined : this.chooseBody(held.piece, false, held.body, held.at);
    }
    if (!dragged) {
      this.release();
      if (chosen >= 0 && held.piece !== chosen && cursor >= 0 && this.game.board.stage) return this.put(cursor);
      if (held.number >= 0) this.change(this.placed.filter(number => number !== held.number), phrase("game.back", {name: this.game.pieces[held.piece].name}));
      else if (held.at) this.choose(held.piece === chosen ? -1 : held.piece);
      return;
    }
    this.clicked = true; // the click that follows does not choose
    const others = this.placed, {name} = this.game.pieces[chosen];
    const obstacle = cursor < 0 ? phrase("game.back", {name}) : this.obstacle(others, cursor);
    this.release();
    this.chosen = -1;
    if (!obstacle) return this.change([...others, cursor], phrase("game.placed", {name, where: this.where(this.game.placements[cursor].start)}));
    if (dragged.number >= 0) this.change(others, obstacle);
    else this.draw();
    if (cursor >= 0) this.view.refuse?.(`beside ${held.piece}`);
    return this.say(obstacle);
  }

  /** Ends the hold of a piece. */
  release() {
    this.view.release();
    this.element.classList.remove("dragging");
    this.held = this.dragged = this.finger = this.tugged = null;
    this.cursor = -1;
    this.draw();
  }
}

function distance(one, two) {
  return Math.hypot(...one.map((value, axis) => value - two[axis]));
}

/** Returns the place that is nearest to the middle of all. */
function central(places) {
  const middle = places[0].map((_, axis) => places.reduce((sum, at) => sum + at[axis], 0) / places.length);
  return places.reduce((best, at) => (distance(at, middle) < distance(best, middle) - 1e-6 ? at : best));
}

/** Returns the orientation after a motion of the hand, whose table has the next one of each; `back`: the one before. */
function afterTurn(turn, form, back) {
  return back ? Math.max(turn.indexOf(form), 0) : turn[form];
}

/** Returns whether an element shows one of the rules that are broken. */
function isBroken(element, broken) {
  return (element.dataset.rules || "").split(" ").some(number => number && broken.has(Number(number)));
}

/** Returns in words how many of all things are done. */
function progressWords(key, {number, all}) {
  return phrase(key, {number: grouped(number), n: all});
}

/** Returns names as a list in words. */
function listed(names) {
  return names.length < 2 ? names.join("") : phrase("game.and", {first: names.slice(0, -1).join(", "), last: names.at(-1)});
}
