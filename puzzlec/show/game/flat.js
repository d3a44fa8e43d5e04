// The flat board as a picture: the pieces on it, the piece in the hand, and what a pointer is at.

/** Pixels that a tray beside the board takes of the width, bars take of the height, and a tray below it takes as well. */
const BESIDE = 260, BARS = 190, BELOW = 150;

class Flat {
  /** Shows a game: `owner` is its state, and says what the player does. */
  constructor(owner) {
    Object.assign(this, {owner, game: owner.game});
    this.picture = make("svg", {"aria-hidden": "true"});
    this.layers = ["ground", "placed", "ruled", "joints", "aim"].map(name => this.picture.appendChild(make("g", {class: name})));
    const {board} = owner.shown;
    board.append(this.picture);
    this.widest = Math.max(...this.game.pieces.flatMap(piece => piece.forms.slice(0, 4).map(form => this.sizeOf(form))));
    board.addEventListener("pointerdown", event => this.press(event));
    board.addEventListener("pointermove", event => this.hover(event));
    board.addEventListener("pointerleave", () => owner.dragged || owner.point(-1));
  }

  get boxes() {
    const {points, of, walls} = this.game;
    return [[...points, ...walls.points], [...of, ...walls.of]];
  }

  sizeOf(form) {
    const box = new Layout(this.game.board).box(form.points, form.of);
    return Math.max(box[2], box[3]);
  }

  /** Returns whether the board is larger with the tray beside it than above it. */
  isTallIn(wide, high) {
    const [, , across, down] = new Layout(this.game.board).box(...this.boxes);
    return Math.min((wide - BESIDE) / across, (high - BARS) / down) > Math.min(wide / across, (high - BARS - BELOW) / down);
  }

  /** Lays the board out for the size of the window. */
  arrange() {
    const {game, owner} = this;
    if (this.layout) return;
    this.layout = new Layout(game.board);
    this.centres = game.points.map((point, k) => this.layout.centre(point, game.of[k]));
    const box = this.layout.box(...this.boxes);
    this.picture.setAttribute("viewBox", box.join(" "));
    owner.shown.board.style.setProperty("--ratio", box[2] / box[3]);
    const others = this.centres.slice(1).map(at => distance(at, this.centres[0]));
    this.near = others.length ? Math.min(...others) : 1;
    this.picture.style.setProperty("--unit", Math.max(1, this.near).toFixed(3));
    const walls = game.walls.points.map((point, k) => make("path", {d: `${drawn(this.layout.corners(point, game.walls.of[k]))}Z`, class: "wall"}));
    this.layers[0].replaceChildren(...walls, ...game.points.map((point, k) => this.ground(point, k)));
    const {rules} = game.data;
    this.layers[2].replaceChildren(...(rules.regions || []).map(region => this.layout.region(region, rules)));
    owner.draw();
  }

  ground(point, at) {
    const {board, of, optional} = this.game, ring = this.layout.corners(point, of[at]);
    const group = make("g", {}, make("path", {style: this.game.tints.has(at) ? `fill: ${this.game.tints.get(at)}` : null, d: `${drawn(ring)}${ring.length > 2 ? "Z" : ""}`, class: `cell${ring.length > 2 ? "" : " line"}${optional.has(at) ? " optional" : ""}`}));
    const colour = board.coloured && unpacked(board.coloured)[at];
    if (colour) group.append(...this.layout.mark(colour, this.centres[at]));
    return group;
  }

  /** Shows the pieces on the board, and which rules they break. */
  draw(placed, broken) {
    if (!this.layout) return;
    this.layers[1].classList.remove("wave");
    this.layers[1].replaceChildren(...placed.map(number => this.drawPlaced(number)));
    for (const element of this.layers[2].children) element.classList.toggle("broken", isBroken(element, broken));
    this.layers[3].replaceChildren(...this.game.brokenJoints(placed).flatMap(part => this.drawJoint(part)));
    this.aim();
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
    group.style.setProperty("--turn", this.centres[cells[0]].reduce((sum, value) => sum + value, 0).toFixed(2));
    if (this.owner.wrong.includes(number)) group.classList.add("wrong");
    return group;
  }

  /** Returns the picture of a piece in the tray. */
  inTray({fill}, form) {
    const layout = new Layout(this.game.board), [x, y, wide, high] = layout.box(form.points, form.of), size = Math.max(wide, high, this.widest);
    const picture = make("svg", {viewBox: [x - (size - wide) / 2, y - (size - high) / 2, size, size].join(" "), "aria-hidden": "true"});
    picture.append(layout.piece(form.points, form.of, {fill, label: "", colours: form.colours}));
    return picture;
  }

  /** Shows where the chosen piece would lie. */
  aim() {
    const {cursor, chosen} = this.owner, {points, of} = this.game;
    if (cursor < 0 || chosen < 0) return this.layers[4].replaceChildren();
    const {cells, colours} = this.game.placements[cursor];
    const group = this.layout.piece(cells.map(at => points[at]), cells.map(at => of[at]), {fill: this.game.pieces[chosen].fill, label: "", colours});
    group.classList.add(this.owner.objection(cursor).kind);
    this.layers[4].replaceChildren(group);
  }

  /** Returns the orientation of a piece after a motion of the hand. */
  turned(turns, form, motion, back) {
    return afterTurn(turns[motion] ?? turns[0], form, back);
  }

  /** Returns the direction of a key on the board. */
  way(key) {
    return {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1]}[key];
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
    const {owner} = this, location = this.location(event), number = location < 0 ? -1 : this.game.owners(owner.placed)[location];
    if (number >= 0) return owner.hold(event, this.game.placements[number].piece, number);
    if (owner.chosen < 0 || location < 0 || event.button) return undefined;
    event.preventDefault();
    return owner.put(this.over(location, this.at(event)));
  }

  /** Shows the chosen piece below a mouse. */
  hover(event) {
    const {owner} = this;
    if (owner.dragged || owner.chosen < 0 || event.pointerType === "touch") return;
    const location = this.location(event);
    owner.point(location < 0 ? -1 : this.over(location, this.at(event)));
  }

  /** Returns the placement of the chosen piece whose middle is nearest to a location, a free one if possible. */
  over(location, at) {
    const {owner, game} = this;
    const measure = number => {
      const {cells} = game.placements[number];
      if (!cells.includes(location)) return Infinity;
      const middle = [0, 1].map(axis => cells.reduce((sum, cell) => sum + this.centres[cell][axis], 0) / cells.length);
      return distance(middle, at) + (game.inTheWay(owner.placed, number).length ? 100 : 0);
    };
    return owner.closest(owner.form, measure)[0];
  }

  /** Returns the cell of a placement at which a pointer takes it. */
  grip(number, event) {
    const at = this.at(event), {cells} = this.game.placements[number];
    return cells.reduce((best, cell, k) => (distance(this.centres[cell], at) < distance(this.centres[cells[best]], at) ? k : best), 0);
  }

  /** Shows the piece in the hand; returns the placement to which it would snap, or -1. */
  carry() {
    const {layout, owner} = this, {form, dragged} = owner, scale = this.picture.getScreenCTM().a, {fill} = this.game.pieces[owner.chosen];
    if (!this.hand) {
      this.hand = make("svg", {class: "hand", "aria-hidden": "true"});
      owner.element.append(this.hand);
    }
    const middles = form.points.map((point, k) => layout.centre(point, form.of[k]));
    if (dragged.grip < 0) dragged.grip = middles.indexOf(central(middles));
    const box = layout.box(form.points, form.of), grip = middles[dragged.grip];
    this.hand.setAttribute("viewBox", box.join(" "));
    Object.assign(this.hand.style, {width: `${box[2] * scale}px`, height: `${box[3] * scale}px`, left: `${dragged.x - (grip[0] - box[0]) * scale}px`, top: `${dragged.y - (grip[1] - box[1]) * scale}px`});
    this.hand.replaceChildren(layout.piece(form.points, form.of, {fill, label: "", colours: form.colours}));
    const at = this.at({clientX: dragged.x, clientY: dragged.y}), target = [0, 1].map(axis => at[axis] - grip[axis] + middles[0][axis]);
    const [number, far] = owner.closest(form, candidate => distance(this.centres[this.game.placements[candidate].start], target));
    return far < SNAP * Math.max(1, this.near) ? number : -1;
  }

  /** Lets a wave run over the solution. */
  wave() {
    this.layers[1].classList.remove("wave");
    void this.picture.clientWidth; // so that the animation begins again
    this.layers[1].classList.add("wave");
  }

  /** Takes the piece out of the hand. */
  release() {
    this.hand?.remove();
    this.hand = null;
  }
}
