// Painting on the sides of a solid: a click on a side adds the cell in front of it, or clears the cell. A ghost shows
// the cell under the pointer.

import { make } from "./elements.js";
import { keyOf, shadeOf } from "./stage.js";
import { phrase } from "./words.js";

const COLOURS = { x: "#9db8d2", "?": "#d5dade" };
const OTHERS = ["#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#0072b2"];

/** The solid of a stage in an element: a board, or a piece. `painter` paints its cells. */
export class Solid {
  constructor(host, painter) {
    this.host = host;
    this.painter = painter;
    this.view = null;
    this.cells = [];
    this.weights = new Map(); // of the cells, if a colouring proves that there is no solution
    this.stage = null;
    this.paint = ""; // the colour of the piece in pictures
    this.waiting = false; // whether the solid is painted soon
    this.open = false; // whether a click paints: not until the last one is in the text
  }

  /** Show cells of a stage as a solid that can be painted; hide it if the stage has none. */
  show(stage, cells, isOpen, paint = "") {
    const drawn = Boolean(stage?.model && cells?.length);
    this.host.hidden = !drawn;
    this.open = isOpen && drawn;
    if (!drawn || (cells === this.cells && this.view)) return;
    [this.stage, this.cells, this.paint] = [stage, cells, paint];
    if (this.view) this.load();
    else if (!this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => setTimeout(() => this.begin())); // the browser paints the flat cells first
    }
  }

  /** Colour the cells of a proof: the last entry of each is its weight. */
  prove(cells) {
    if (!cells.length && !this.weights.size) return;
    this.weights = new Map(cells.map((entry) => [keyOf(entry.slice(0, -1)), entry.at(-1)]));
    if (this.view) this.load();
  }

  begin() {
    this.waiting = false;
    if (this.view || this.host.hidden || !this.host.isConnected) return;
    this.host.replaceChildren(make("div"));
    const tap = (x, y, clears) => this.tap(x, y, clears);
    this.view = new PuzzleView(this.host.firstChild, this.data(), { header: false, tap, ghost: (x, y) => this.ghost(x, y) });
  }

  /** Show other cells; the view stays if the lattice is the same. */
  load() {
    const data = this.data();
    const seen = this.view.root.dataset.view.split(" ").map(Number);
    const same = this.view.puzzle.data.lattice === data.lattice;
    this.view.load(data);
    if (same) this.view.lookFrom(seen);
  }

  /** Return the data of the viewer: one body for each character of the cells, and for each shade of a proof. */
  data() {
    const { axes, forms } = this.stage.model;
    const nameOf = (cell) => shadeOf(this.weights.get(keyOf(cell.slice(0, -1)))) || cell.at(-1);
    const signs = [...new Set(this.cells.map(nameOf))];
    const groups = signs.map((sign) => this.cells.flatMap((cell, number) => (nameOf(cell) === sign ? [number] : [])));
    const shade = (name) => name.length > 1 && getComputedStyle(this.host).getPropertyValue(`--${name}-cell`).trim();
    const numbers = signs.map((_, number) => number);
    const hues = signs.map((sign, number) => shade(sign) || (sign === "x" && this.paint) || COLOURS[sign] || OTHERS[number % OTHERS.length]);
    return {
      title: phrase("board"), remark: "", total: null, palettes: { standard: hues }, shown: "solid", lattice: this.stage.lattice,
      pieces: signs.map((sign) => ({ name: sign, label: sign, low: 0, high: null })),
      axes, forms, ways: [], points: this.cells.flatMap((cell) => this.point(cell)), kinds: this.cells.map((cell) => this.kind(cell)),
      optional: [], placed: numbers, sizes: groups.map((group) => group.length),
      covered: groups.flat(), solutions: { number: 1, placements: numbers, length: numbers.length },
    };
  }

  kind(cell) {
    return this.stage.kinds.length > 1 ? cell[this.stage.steps.length] : 0;
  }

  /** The point of a cell in the coordinates of the lattice. */
  point(cell) {
    const { origins, translations } = this.stage.model;
    return origins[this.kind(cell)].map((value, axis) => translations.reduce((sum, step, k) => sum + cell[k] * step[axis], value));
  }

  tap(x, y, clears) {
    const cell = this.target(x, y, clears);
    if (!cell) return;
    this.open = false;
    this.painter.paintAt(cell, this.clears(clears) ? "." : this.painter.sign);
  }

  clears(wanted) {
    return wanted || this.painter.sign === ".";
  }

  /** Return the cell that a click at a pixel changes; null for none. */
  target(x, y, clears) {
    const hit = this.open ? this.view.side(x, y) : null;
    if (!hit) return null;
    const own = this.cells[hit.location].slice(0, -1);
    return this.clears(clears) ? own : this.beyond(own, hit);
  }

  /** Return the kind and the point of the cell that a click at a pixel changes; null for none. */
  ghost(x, y) {
    const cell = this.target(x, y, false);
    return cell && { kind: this.kind(cell), point: this.point(cell) };
  }

  /** Return the cell a step away from another one; null if the lattice has none there. */
  beyond(cell, { step }) {
    const [, found] = this.stage.model.next[this.kind(cell)].find(([way]) => step && way.every((value, k) => value === step[k])) || [];
    const size = this.stage.steps.length;
    return found ? found.map((value, k) => (k < size ? value + cell[k] : value)) : null;
  }
}
