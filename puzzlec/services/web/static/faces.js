// Painting on the sides of a solid: a click on a side adds the cell beyond it, or clears the cell.

import { byId, make } from "./elements.js";
import { phrase } from "./words.js";

const COLOURS = { x: "#9db8d2", "?": "#d5dade" };
const OTHERS = ["#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#0072b2"];

let view = null;
let cells = [];
let stage = null;
let painter = null;
let waiting = false; // whether the solid is painted soon
let open = false; // whether a click paints: not until the last one is in the text

export function begin(board) {
  painter = board;
}

/** Show the board of a stage as a solid that can be painted; hide it if the stage has none. */
export function show(found, isOpen) {
  const model = found?.model;
  const drawn = Boolean(model && found.cells.length);
  byId("board-solid").hidden = !drawn;
  open = isOpen && drawn;
  if (!drawn || (found === stage && view)) return;
  stage = found;
  cells = found.cells;
  if (view) load();
  else if (!waiting) {
    waiting = true;
    requestAnimationFrame(() => setTimeout(begun)); // the browser paints the flat board first
  }
}

function begun() {
  waiting = false;
  if (view || byId("board-solid").hidden) return;
  byId("board-solid").replaceChildren(make("div"));
  view = new PuzzleView(byId("board-solid").firstChild, dataOf(stage.model), { header: false, tap });
}

/** Show another board; the view stays if the lattice is the same. */
function load() {
  const data = dataOf(stage.model);
  const seen = view.root.dataset.view.split(" ").map(Number);
  const same = view.puzzle.data.lattice === data.lattice;
  view.load(data);
  if (same) view.lookFrom(seen);
}

/** Return the data of the viewer: one body for each character of the board. */
function dataOf({ axes, forms, points, kinds }) {
  const signs = [...new Set(cells.map((cell) => cell.at(-1)))];
  const groups = signs.map((sign) => cells.flatMap((cell, number) => (cell.at(-1) === sign ? [number] : [])));
  const numbers = signs.map((_, number) => number);
  const hues = signs.map((sign, number) => COLOURS[sign] || OTHERS[number % OTHERS.length]);
  return {
    title: phrase("board"), remark: "", total: null, palettes: { standard: hues }, shown: "solid", lattice: stage.lattice,
    pieces: signs.map((sign) => ({ name: sign, label: sign, low: 0, high: null })),
    axes, forms, ways: [], points, kinds, optional: [], placed: numbers, sizes: groups.map((group) => group.length),
    covered: groups.flat(), solutions: { number: 1, placements: numbers, length: numbers.length },
  };
}

function tap(x, y, clears) {
  const hit = open ? view.side(x, y) : null;
  if (!hit) return;
  const own = cells[hit.location].slice(0, -1);
  const away = clears || painter.sign === ".";
  const cell = away ? own : beyond(own, hit);
  if (!cell) return;
  open = false;
  painter.paintAt(cell, away ? "." : painter.sign);
}

/** Return the cell a step away from another one; null if the lattice has none there. */
function beyond(cell, { location, step }) {
  const [, found] = stage.model.next[stage.model.kinds[location]].find(([way]) => step && way.every((value, k) => value === step[k])) || [];
  const size = stage.steps.length;
  return found ? found.map((value, k) => (k < size ? value + cell[k] : value)) : null;
}
