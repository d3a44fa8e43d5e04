// The stage: cells of a lattice that are painted with the mouse, a finger or the keyboard, layer by layer for solids.

import { element, make } from "./elements.js";
import { phrase } from "./words.js";

const MOST = 24000; // candidate cells around a board; beyond that only the neighbours of cells
const GROWTH_DELAY = 600; // milliseconds from a stroke until the picture grows: further strokes aim at what is seen
const MARGIN = { free: 1, line: 3, box: 3 }; // cells around a flat board, by the form of a stroke
const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export const keyOf = (cell) => cell.join();

/** The shade of a cell by its weight in a proof; empty without one. */
export const shadeOf = (weight) => (weight === undefined ? "" : weight > 0 ? "dark" : weight < 0 ? "faded" : "light");
const spotOf = (middle) => middle.map((at) => Math.round(100 * at + 0.27)).join(); // tells middles apart, also inexact ones

const kind = (data, cell) => data.kinds[data.kinds.length > 1 ? cell.at(-1) : 0];

const thousandths = (value) => Math.round(1e3 * value) / 1e3;

/** The place of a cell: to the right, down, and up from the table. */
export function middle(data, cell) {
  const { at } = kind(data, cell);
  return [0, 1, 2].map((axis) => thousandths(data.steps.reduce((sum, step, k) => sum + cell[k] * step[axis], at[axis])));
}

/** The corners of a cell, seen from above. */
export function corners(data, cell) {
  const [x, y] = middle(data, cell);
  return kind(data, cell).outline.map((corner) => [x + corner[0], y + corner[1]]);
}

/** The path of an outline through corners. */
export function path(corners) {
  return `M${corners.map((at) => at.map((value) => value.toFixed(3)).join(" ")).join("L")}${corners.length > 2 ? "Z" : ""}`;
}

/** A picture of cells that can be painted. Events: `paint` (detail: cell, sign, stroke), `level`. */
export class Painter extends EventTarget {
  constructor(host, label, said) {
    super();
    this.host = host;
    this.said = said; // describes the cell at the cursor, for screen readers
    this.svg = element("svg", { role: "application", tabindex: "0", "aria-label": label });
    host.append(this.svg);
    this.sign = "x";
    this.form = "free"; // of a stroke
    this.mirrored = [false, false]; // whether the other side is painted too: left and right, above and below
    this.sums = [null, null]; // of the coordinates of a cell and its mirror image
    this.spots = {}; // cells by their middles
    this.planned = new Map(); // the cells of a line or box that is not yet painted
    this.data = null;
    this.cells = new Map();
    this.level = 0;
    this.levels = [0];
    this.cursor = null;
    this.picked = null; // the cells that are chosen, if strokes choose cells instead of painting them
    this.strokes = 0;
    this.stroke = null;
    this.frame = null; // the visible part: its box, and the width of the picture
    this.weights = new Map(); // of the cells, if a colouring proves that there is no solution
    this.given = new Map(); // the names of pieces that the text fixes, by their cells
    this.growing = 0; // the timer until the picture grows
    this.open = false;
    this.svg.addEventListener("pointerdown", (event) => this.down(event));
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) this.svg.addEventListener(name, (event) => this.up(event));
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focus", () => this.point(this.cursor ?? [...this.shown.values()][0]));
    this.svg.addEventListener("blur", () => this.draws && this.finish(false));
    this.svg.addEventListener("wheel", (event) => {
      if (this.levels.length < 2 || event.ctrlKey) return;
      event.preventDefault();
      this.go(this.level + Math.sign(-event.deltaY));
    }, { passive: false });
    this.shown = new Map();
  }

  /** Whether keys draw a line or box. */
  get draws() {
    return this.stroke?.pointer === null && this.stroke.form !== "free";
  }

  get isBusy() {
    return this.stroke !== null;
  }

  /** Show cells of a lattice: the last entry of each cell is its character. */
  show(data, cells, { open = true, fresh = false } = {}) {
    const height = this.levels[this.level];
    this.data = data;
    this.open = open;
    this.cells = new Map(cells.map((entry) => [keyOf(entry.slice(0, -1)), { cell: entry.slice(0, -1), sign: entry.at(-1) }]));
    const { rules = {}, walls = [], given = [] } = cells === data.cells ? data : {}; // pieces have none
    [this.rules, this.walls] = [rules, walls];
    this.given = new Map(given.map((entry) => [keyOf(entry.slice(0, -1)), entry.at(-1)]));
    this.moved = [0, 0, 0]; // to the right, down and up, since the rules were read
    this.around();
    const own = [...this.cells.values()].map(({ cell }) => this.middle(cell)[2]);
    const lowest = own.length ? Math.min(...own) : 0;
    this.lowest = Math.max(0, this.levels.indexOf(lowest));
    const wanted = fresh || !this.levels.includes(height) ? lowest : height;
    this.level = Math.max(0, this.levels.indexOf(wanted));
    if (this.cursor && !this.candidates.has(keyOf(this.cursor))) this.cursor = null;
    for (const key of this.picked?.keys() ?? []) if (!this.cells.has(key)) this.picked.delete(key);
    if (fresh) this.thaw();
    if (!this.growing) this.frame = null;
    this.draw();
    this.dispatchEvent(new Event("level"));
  }

  /** Keep the layout until the stroke has ended, and a while after it. */
  freeze() {
    clearTimeout(this.growing);
    this.growing = setTimeout(() => {
      if (this.isBusy) return this.freeze();
      this.thaw();
      return this.grow();
    }, GROWTH_DELAY);
  }

  thaw() {
    clearTimeout(this.growing);
    this.growing = 0;
    this.frame = null;
  }

  /** Show all cells again. They glide to their new places. */
  grow() {
    const before = this.svg.getScreenCTM();
    this.draw();
    const now = this.svg.getScreenCTM();
    if (!before?.a || !now?.a || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { left, top } = this.svg.getBoundingClientRect();
    const scale = before.a / now.a;
    const [x, y] = [before.e - left - scale * (now.e - left), before.f - top - scale * (now.f - top)];
    this.svg.animate([{ transformOrigin: "0 0", transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transformOrigin: "0 0", transform: "none" }], { duration: 180, easing: "ease-out" });
  }

  /** The number of the shown layer: the lowest one with cells is 1. */
  get layer() {
    return this.level - this.lowest + 1;
  }

  /** Renumber all cells, since the drawing in the text has another origin. Each stays at its place on the screen. */
  shift(vector) {
    if (!vector.some(Boolean)) return;
    const moved = (cell) => cell.map((at, k) => at + (vector[k] || 0));
    const [right, down, up] = [0, 1, 2].map((axis) => this.data.steps.reduce((sum, step, k) => sum + (vector[k] || 0) * step[axis], 0));
    this.cells = new Map([...this.cells.values()].map(({ cell, sign }) => [keyOf(moved(cell)), { cell: moved(cell), sign }]));
    this.candidates = new Map([...this.candidates.values()].map(moved).map((cell) => [keyOf(cell), cell]));
    this.walls = this.walls.map(moved);
    this.given = new Map([...this.given].map(([key, name]) => [keyOf(moved(key.split(",").map(Number))), name]));
    this.moved = this.moved.map((value, axis) => value + [right, down, up][axis]);
    if (this.data.solid) this.levels = this.levels.map((height) => thousandths(height + up));
    if (this.cursor) this.cursor = moved(this.cursor);
    if (this.stroke) this.stroke.from = moved(this.stroke.from);
    this.planned = new Map([...this.planned.values()].map(moved).map((cell) => [keyOf(cell), cell]));
    this.sums = this.sums.map((sum, axis) => sum === null ? null : sum + 2 * [right, down][axis]);
    const { box: [left, top, ...size], width } = this.frame;
    this.frame = { box: [left + right, top + down, ...size], width };
    this.draw();
  }

  middle(cell) {
    return middle(this.data, cell);
  }

  /** Find the cells that can be painted: those of the board, and those around it. */
  around() {
    const all = [...this.cells.values()].map(({ cell }) => cell);
    const size = this.data.steps.length;
    const kinds = this.data.kinds.length;
    if (!all.length) all.push(Array(size + (kinds > 1)).fill(0));
    const margin = this.data.solid ? 1 : MARGIN[this.form];
    const reach = 2 * margin - 1; // also where coordinates run aslant
    const low = Array.from({ length: size }, (_, k) => Math.min(...all.map((cell) => cell[k])) - reach);
    const high = Array.from({ length: size }, (_, k) => Math.max(...all.map((cell) => cell[k])) + reach);
    const whole = low.reduce((product, least, k) => product * (high[k] - least + 1), kinds) <= MOST;
    const places = all.map((cell) => this.middle(cell));
    const box = [0, 1].map((axis) => [Math.min(...places.map((at) => at[axis])), Math.max(...places.map((at) => at[axis]))]);
    // The sections of four dimensions are side by side, so the board has no single border.
    const wide = this.data.steps[3] ? Infinity : Math.max(...this.data.steps.map((step) => Math.hypot(step[0], step[1]))) * (margin + 0.05);
    this.candidates = new Map();
    const add = (cell) => {
      const at = this.middle(cell);
      if ([0, 1].every((axis) => at[axis] >= box[axis][0] - wide && at[axis] <= box[axis][1] + wide)) this.candidates.set(keyOf(cell), cell);
    };
    const every = (from, to, then, head = []) => {
      if (head.length === size) for (let kind = 0; kind < kinds; kind++) then(kinds > 1 ? [...head, kind] : head);
      else for (let at = from[head.length]; at <= to[head.length]; at++) every(from, to, then, [...head, at]);
    };
    if (whole) every(low, high, add);
    else for (const cell of all) every(cell.slice(0, size).map((at) => at - 1), cell.slice(0, size).map((at) => at + 1), add);
    for (const cell of all) this.candidates.set(keyOf(cell), cell);
    const heights = this.data.solid ? [...this.candidates.values()].map((cell) => this.middle(cell)[2]) : [0];
    this.levels = [...new Set(heights)].sort((one, other) => one - other);
    this.sums = [0, 1].map((axis) => this.mirrored[axis] ? this.sumOf(axis, places.map((at) => at[axis])) : null);
  }

  /** Find the mirror nearest to the middle of the board that gives most cells of the board an image on the lattice. */
  sumOf(axis, own) {
    const every = [...this.candidates.values()];
    const [values, wanted] = [[...new Set(every.map((cell) => this.middle(cell)[axis]))], Math.min(...own) + Math.max(...own)];
    const close = (sum) => Math.abs(sum - wanted);
    const sums = [...new Set(values.flatMap((one) => values.map((other) => thousandths(one + other))))].filter((sum) => close(sum) < 1.1);
    const images = (sum) => [...this.cells.values()].filter(({ cell }) => this.mirrorOf(cell, axis, sum)).length;
    return sums.map((sum) => [images(sum), sum]).reduce((best, one) => (one[0] - best[0] || close(best[1]) - close(one[1])) > 0 ? one : best)[1];
  }

  /** Return the mirror image of a cell; undefined if the lattice has none. */
  mirrorOf(cell, axis, sum = this.sums[axis]) {
    const wanted = this.middle(cell);
    wanted[axis] = sum - wanted[axis];
    if (this.spots.of !== this.candidates) this.spots = { of: this.candidates, found: new Map([...this.candidates.values()].map((one) => [spotOf(this.middle(one)), one])) };
    return this.spots.found.get(spotOf(wanted));
  }

  /** Return cells with their mirror images. */
  withImages(cells) {
    const found = new Map(cells.map((cell) => [keyOf(cell), cell]));
    for (const axis of [0, 1]) {
      if (this.sums[axis] === null) continue;
      for (const image of [...found.values()].map((cell) => this.mirrorOf(cell, axis))) if (image) found.set(keyOf(image), image);
    }
    return [...found.values()];
  }

  /** Return the cells of the shown layer in the box, or on the line, from one to another. */
  between(from, to, form) {
    const seen = [...this.shown.values()];
    const middles = seen.map((cell) => this.middle(cell));
    const [a, b] = [this.middle(from), this.middle(to)];
    if (form === "box") {
      const slack = this.data.edges ? 1e-3 : -1e-3;
      const sides = [0, 1].map((axis) => [from, to].flatMap((cell) => corners(this.data, cell)).map((at) => at[axis]));
      return seen.filter((_, k) => sides.every((side, axis) => middles[k][axis] > Math.min(...side) - slack && middles[k][axis] < Math.max(...side) + slack));
    }
    const steps = Math.ceil(16 * Math.hypot(b[0] - a[0], b[1] - a[1])) || 1;
    const found = new Map();
    for (let step = 0; step <= steps; step++) {
      const at = [0, 1].map((axis) => a[axis] + ((b[axis] - a[axis]) * step) / steps);
      const far = middles.map((middle) => Math.hypot(middle[0] - at[0], middle[1] - at[1]));
      const least = Math.min(...far);
      const near = seen.filter((_, k) => far[k] < least + 1e-3);
      if (near.length === 1) found.set(keyOf(near[0]), near[0]); // no cell beside a corner
    }
    return [...found.values()];
  }

  /** Draw strokes of another form, or with mirrors. */
  use(form, mirrored = this.mirrored) {
    [this.form, this.mirrored] = [form, mirrored];
    if (!this.data) return;
    this.around();
    this.thaw();
    this.grow();
    this.dispatchEvent(new Event("level"));
  }

  go(level) {
    const next = Math.max(0, Math.min(this.levels.length - 1, level));
    if (next === this.level) return;
    this.level = next;
    this.cursor = null;
    this.draw();
    this.said(phrase("stage.layer", { number: this.layer }));
    this.dispatchEvent(new Event("level"));
  }

  draw() {
    const here = (cell, level) => !this.data.solid || this.middle(cell)[2] === this.levels[level];
    const seen = [...this.candidates.values()].filter((cell) => here(cell, this.level));
    seen.sort((one, other) => this.cells.has(keyOf(one)) - this.cells.has(keyOf(other))); // painted cells above the others
    this.shown = new Map(seen.map((cell) => [keyOf(cell), cell]));
    this.frame ??= this.whole();
    this.svg.setAttribute("viewBox", this.frame.box.join(" "));
    this.svg.style.width = `${this.frame.width}px`;
    this.svg.classList.toggle("edges", this.data.edges);
    this.svg.classList.toggle("closed", !this.open);
    const below = this.data.solid && this.level > 0
      ? [...this.cells.values()].filter(({ cell }) => here(cell, this.level - 1)).map(({ cell }) => element("path", { d: this.outline(cell), class: "below" }))
      : [];
    this.paths = new Map();
    const drawn = seen.map((cell) => {
      const outline = element("path", { d: this.outline(cell), "data-cell": keyOf(cell) });
      this.paths.set(keyOf(cell), outline);
      return outline;
    });
    this.letters = element("g", { class: "letters" });
    const [left, top, width, height] = this.frame.box;
    const mirrors = element("path", { class: "mirrors", d: this.sums.map((sum, axis) => sum === null ? "" : path(axis ? [[left, sum / 2], [left + width, sum / 2]] : [[sum / 2, top], [sum / 2, top + height]])).join("") });
    this.ring = element("path", { class: "ring", d: this.cursor ? this.outline(this.cursor) : "" });
    const walls = this.walls.filter((cell) => here(cell, this.level)).map((cell) => element("path", { d: this.outline(cell), class: "wall" }));
    this.svg.replaceChildren(...below, ...drawn, ...walls, ...this.outlines(), mirrors, ...this.sections(), this.letters, this.ring);
    for (const cell of seen) this.colour(cell);
  }

  /** The regions with rules on the shown layer, from the data of `as_data` in puzzlec/show/ruling.py. */
  outlines() {
    const [right, down, up] = this.moved;
    const here = (height) => !this.data.solid || thousandths(height + up) === this.levels[this.level];
    return (this.rules.regions || []).map(({ parts, at: [x, y, height], label, colour }) => {
      const rings = parts.filter((part) => here(part.height)).flatMap((part) => part.rings);
      const pairs = (flat) => flat.flatMap((value, k) => (k % 2 ? [] : [[value, flat[k + 1]]]));
      const line = element("path", { d: rings.map((flat) => path(pairs(flat))).join("") });
      const group = element("g", { class: "region", transform: `translate(${right} ${down})` }, line);
      if (here(height)) group.append(element("text", { x, y, "font-size": this.rules.letters }, label));
      group.style.color = colour; // the policy of the page forbids it as an attribute
      line.style.strokeWidth = this.rules.band;
      return group;
    });
  }

  /** The frame in which all cells are visible. Cells have the size of a finger if there is room. */
  whole() {
    const ends = [...this.candidates.values(), ...this.walls].flatMap((cell) => corners(this.data, cell));
    const sides = [0, 1].map((axis) => ends.map((at) => at[axis]));
    const [left, right, bottom] = [Math.min(...sides[0]), Math.max(...sides[0]), Math.max(...sides[1])];
    const top = Math.min(...sides[1]) - (this.data.steps[3] ? 1 : 0); // the sections of four dimensions have names
    const unit = Math.max(...this.data.steps.slice(0, 3).map((step) => Math.hypot(...step)));
    const gap = 0.1 * unit;
    const width = right - left + 2 * gap;
    return { box: [left - gap, top - gap, width, bottom - top + 2 * gap], width: Math.round((width / unit) * 56) };
  }

  /** The names of the sections of four dimensions, above each. */
  sections() {
    if (!this.data.steps[3]) return [];
    const cells = [...this.candidates.values()];
    const top = Math.min(...cells.map((cell) => this.middle(cell)[1]));
    return [...new Set(cells.map((cell) => cell[3]))].map((w) => {
      const places = cells.filter((cell) => cell[3] === w).map((cell) => this.middle(cell)[0]);
      return element("text", { class: "section", x: (Math.min(...places) + Math.max(...places)) / 2, y: top - 0.8, "font-size": 0.5, "text-anchor": "middle" }, `w=${w}`);
    });
  }

  outline(cell) {
    return path(corners(this.data, cell));
  }

  signAt(cell) {
    return this.cells.get(keyOf(cell))?.sign ?? ".";
  }

  colour(cell) {
    const planned = this.planned.has(keyOf(cell)) && this.stroke.sign;
    const sign = (!this.picked && planned) || this.signAt(cell);
    const picked = this.picked && sign !== "." && (planned ? planned !== "." : this.picked.has(keyOf(cell)));
    const outline = this.paths.get(keyOf(cell));
    if (!outline) return; // it is on another layer
    const dye = (this.data.dyes || []).indexOf(sign);
    const weight = sign === "." ? undefined : this.weights.get(keyOf(cell));
    const shade = shadeOf(weight);
    outline.setAttribute("class", ["cell", sign !== "." && "on", shade, sign === "?" && "maybe", dye >= 0 && `dye-${dye % 6}`, picked && "picked"].filter(Boolean).join(" "));
    this.letters.querySelector(`[data-of="${keyOf(cell)}"]`)?.remove();
    const given = sign !== "." && this.given.get(keyOf(cell));
    const letter = this.weighed && typeof weight === "number" ? weight : given || sign;
    if (letter === "." || letter === "x") return;
    const [x, y] = this.middle(cell);
    const size = Math.hypot(...this.data.steps[0]) * 0.4;
    this.letters.append(element("text", { x, y: y + size * 0.35, "font-size": size, "text-anchor": "middle", "data-of": keyOf(cell), class: given ? "given" : "" }, String(letter).slice(0, 3)));
  }

  /** Colour the cells of a proof: the last entry of each is its weight, which they show if they are `weighed`. */
  prove(cells, weighed) {
    if (!cells.length && !this.weights.size) return;
    this.weighed = weighed;
    this.weights = new Map(cells.map((entry) => [keyOf(entry.slice(0, -1)), entry.at(-1)]));
    for (const cell of this.shown.values()) this.colour(cell);
  }

  /** Return an image of the board as it is now, with two pixels for each pixel of the page. */
  async image() {
    const copy = this.svg.cloneNode(true), all = this.svg.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((each, k) => {
      const style = getComputedStyle(all[k]);
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "display", "paint-order", "text-anchor", "dominant-baseline"]) each.style.setProperty(name, style.getPropertyValue(name));
    });
    const { width, height } = this.svg.getBoundingClientRect();
    copy.setAttribute("width", 2 * width);
    copy.setAttribute("height", 2 * height);
    const image = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}` });
    await image.decode();
    return image;
  }

  /** Let strokes choose cells, none at first, or paint them again. */
  pick(on) {
    this.picked = on ? new Map() : null;
    for (const cell of this.shown.values()) this.colour(cell);
  }

  /** Give a cell a character: "." removes it. While cells are chosen, the cell is chosen or left out. */
  paint(cell, sign, stroke) {
    if (this.picked) {
      if (sign === ".") this.picked.delete(keyOf(cell));
      else if (this.cells.has(keyOf(cell))) this.picked.set(keyOf(cell), cell);
      this.colour(cell);
      this.dispatchEvent(new Event("pick"));
      return;
    }
    if (!this.open || this.signAt(cell) === sign) return;
    if (sign === ".") this.cells.delete(keyOf(cell));
    else this.cells.set(keyOf(cell), { cell, sign });
    this.colour(cell);
    this.dispatchEvent(new CustomEvent("paint", { detail: { cell, sign, stroke } }));
  }

  /** Give a cell on any layer a character, and announce it. */
  paintAt(cell, sign) {
    this.strokes++;
    for (const one of this.withImages([cell])) this.paint(one, sign, this.strokes);
    this.said(`${this.named(cell)}: ${this.words(this.signAt(cell))}`);
  }

  at(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found && this.svg.contains(found) && found.dataset.cell ? this.shown.get(found.dataset.cell) : null;
  }

  down(event) {
    const cell = this.at(event);
    if (!cell || this.stroke || event.button > 2 || event.button === 1) return; // a second finger paints nothing
    event.preventDefault();
    this.svg.focus({ preventScroll: true });
    this.begin(cell, event.altKey || event.button === 2, event.pointerId, event.shiftKey ? "line" : event.ctrlKey || event.metaKey ? "box" : this.form);
    this.svg.setPointerCapture(event.pointerId);
  }

  /** Begin a stroke at a cell: with a pointer, or with keys (null). */
  begin(cell, clears, pointer, form) {
    // A drawing keeps its last cell, so a stroke from it paints.
    const clear = clears || (this.picked ? this.picked.has(keyOf(cell)) : this.signAt(cell) === this.sign && this.cells.size > 1);
    this.stroke = { sign: clear ? "." : this.picked ? "x" : this.sign, number: ++this.strokes, pointer, form, from: cell };
    if (this.open && !this.picked) this.freeze();
    this.brush(cell);
  }

  move(event) {
    if (this.stroke?.pointer !== event.pointerId) return;
    // Fast moves skip cells, so all events between two frames count.
    for (const move of event.getCoalescedEvents?.() || [event]) {
      const cell = this.at(move);
      if (cell) this.brush(cell);
    }
  }

  brush(cell) {
    const { sign, number, form, from } = this.stroke;
    if (form === "free") for (const one of this.withImages([cell])) this.paint(one, sign, number);
    else if (this.open) this.plan(this.withImages(this.between(from, cell, form)));
    this.point(cell);
  }

  /** Show the cells that the stroke will paint. */
  plan(cells) {
    const before = [...this.planned.values()];
    this.planned = new Map(cells.map((cell) => [keyOf(cell), cell]));
    for (const cell of [...before, ...cells]) this.colour(cell);
  }

  up(event) {
    if (this.stroke?.pointer === event.pointerId) this.finish(event.type === "pointerup");
  }

  /** End a stroke; a line or box is painted now if it is `kept`. */
  finish(kept) {
    const { sign, number } = this.stroke;
    const cells = [...this.planned.values()];
    this.plan([]);
    this.stroke = null;
    if (kept) for (const cell of cells) this.paint(cell, sign, number);
    if (kept && cells.length) this.said(phrase("stage.painted", { n: cells.length }));
    if (this.growing) this.freeze();
    this.dispatchEvent(new Event("idle"));
  }

  /** Move the cursor to a cell, and describe the cell. */
  point(cell) {
    if (!cell) return;
    this.cursor = cell;
    this.ring.setAttribute("d", this.outline(cell));
    this.say();
  }

  say() {
    this.said(`${this.named(this.cursor)}: ${this.picked?.has(keyOf(this.cursor)) ? phrase("stage.chosen") : this.words(this.signAt(this.cursor))}`);
  }

  words(sign) {
    return sign === "." ? phrase("stage.empty") : sign === "x" ? phrase("stage.covered") : sign === "?" ? phrase("stage.optional") : sign;
  }

  /** The place of a cell in words: its column and row in a drawing, otherwise its coordinates. */
  named(cell) {
    const [x, y, third] = cell;
    const spots = { rows: () => [x, y ?? 0], hex: () => [2 * x + y, y], triangle: () => [2 * x - y + third, y], sticks: () => [2 * x + 1 - third, 2 * y + third] };
    const spot = spots[this.data.rule]?.();
    if (!spot) return phrase("stage.cell", { cell: keyOf(cell) });
    return phrase(this.data.solid ? "stage.spotInLayer" : "stage.spot", { column: spot[0] + 1, row: spot[1] + 1, layer: third + 1 });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) this.walk(step);
    else if (this.draws && ["Escape", " ", "Enter"].includes(event.key)) this.finish(event.key !== "Escape");
    else if (this.draws) return;
    else if (event.key === "PageUp") this.go(this.level + 1);
    else if (event.key === "PageDown") this.go(this.level - 1);
    else if (!this.cursor) return;
    else if (event.key === " " || event.key === "Enter") {
      this.begin(this.cursor, event.altKey, null, this.form);
      if (!this.draws) this.finish(true);
    } else if (event.key === "Delete" || event.key === "Backspace") this.paintAt(this.cursor, ".");
    else return;
    event.preventDefault();
    if (this.cursor && !event.key.startsWith("Page")) this.say();
  }

  /** Move the cursor to the nearest cell in a direction. */
  walk([right, down]) {
    if (!this.cursor) {
      this.point([...this.shown.values()][0]);
      return;
    }
    const [x, y] = this.middle(this.cursor);
    let best = null;
    let least = Infinity;
    for (const cell of this.shown.values()) {
      const [a, b] = this.middle(cell);
      const along = (a - x) * right + (b - y) * down;
      const off = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (along < 1e-3 || off > along * 1.8) continue;
      if (along + 2 * off < least) [best, least] = [cell, along + 2 * off];
    }
    if (best && this.draws) this.brush(best);
    else if (best) this.point(best);
  }
}

/** A control for the layers of a solid. It is hidden for flat cells. */
export function layers(painter) {
  const range = make("input", { type: "range", min: "0", "aria-label": phrase("stage.layers"), title: phrase("stage.layerKeys") });
  const told = make("output", {});
  const whole = make("label", { class: "layers" }, `${phrase("stage.layers")} `, range, told);
  range.addEventListener("input", () => painter.go(Number(range.value)));
  painter.addEventListener("level", () => {
    whole.hidden = painter.levels.length < 2;
    range.max = String(painter.levels.length - 1);
    range.value = String(painter.level);
    told.textContent = String(painter.layer);
  });
  whole.hidden = true;
  return whole;
}
