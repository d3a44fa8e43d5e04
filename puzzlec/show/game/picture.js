// Pictures of flat cells as SVG: the board, pieces on it, and pieces beside it.

/** The thickness of a stick, as a part of its length. */
const STICK = 0.2;

/** Places of points on a screen, in lengths of the lattice. */
class Layout {
  constructor(board) {
    this.board = board;
    this.centres = board.kinds.map(outline => [0, 1].map(axis => outline.reduce((sum, corner) => sum + corner[axis], 0) / outline.length));
  }

  /** Returns the place of a point. */
  place(point) {
    return [0, 1].map(axis => point.reduce((sum, value, k) => sum + value * this.board.steps[k][axis], 0));
  }

  /** Returns the middle of a cell. */
  centre(point, kind) {
    const [x, y] = this.place(point), [a, b] = this.centres[kind];
    return [x + a, y + b];
  }

  corners(point, kind) {
    const [x, y] = this.place(point);
    return this.board.kinds[kind].map(([a, b]) => [x + a, y + b]);
  }

  /** Returns the box around cells: left, top, width and height. */
  box(points, kinds, margin = 0.15) {
    const all = points.flatMap((point, k) => this.corners(point, kinds[k]));
    const [left, top, right, bottom] = [0, 1].map(axis => Math.min(...all.map(at => at[axis])) - margin)
      .concat([0, 1].map(axis => Math.max(...all.map(at => at[axis])) + margin));
    return [left, top, right - left, bottom - top];
  }

  /** Returns the cells of a piece as a group: filled cells, the border around them, colours and a letter. */
  piece(points, kinds, {fill, label, colours, ink}) {
    const group = make("g", {class: "cells"}), rings = points.map((point, k) => this.corners(point, kinds[k]));
    if (rings.some(ring => ring.length === 2)) {
      const way = rings.map(drawn).join("");
      group.append(make("path", {d: way, class: "stick-border", "stroke-width": STICK + 0.06}));
      group.append(make("path", {d: way, class: "stick", style: `stroke: ${fill}`, "stroke-width": STICK}));
    } else {
      const way = rings.map(ring => `${drawn(ring)}Z`).join("");
      group.append(make("path", {d: way, style: `fill: ${fill}; stroke: ${fill}`, class: "fill"}));
      group.append(make("path", {d: borders(rings), class: "border"}));
    }
    const centres = points.map((point, k) => this.centre(point, kinds[k]));
    colours?.forEach((colour, k) => colour && group.append(...this.mark(colour, centres[k])));
    const [x, y] = colours?.some(Boolean) ? [] : central(centres);
    if (x !== undefined && label) group.append(make("text", {x, y, class: rings[0].length === 2 ? "letter beside" : "letter", style: ink ? `fill: ${ink}` : null}, label));
    return group;
  }

  /** Returns the outline of a region with a rule, and its label. */
  region({parts, at, label, colour, rules}, {band, letters}) {
    const rings = parts.flatMap(({rings: own}) => own.map(flat => flat.flatMap((x, k) => (k % 2 ? [] : [[x, flat[k + 1]]]))));
    const [x, y] = at;
    const group = make("g", {class: "region", "data-rules": rules.join(" "), style: `color: ${colour}`});
    group.append(make("path", {d: rings.map(ring => `${drawn(ring)}Z`).join(""), "stroke-width": band}));
    group.append(make("text", {x, y, class: "condition", "font-size": letters}, label));
    return group;
  }

  /** Returns the mark of a colour: a dot of it, or its name. */
  mark(colour, [x, y]) {
    const shown = this.board.marks[colour - 1];
    if (shown?.startsWith("#")) return [make("circle", {cx: x, cy: y, r: 0.2, style: `fill: ${shown}`, class: "mark"})];
    return [make("text", {x, y, class: "letter"}, this.board.colours[colour - 1].slice(0, 2))];
  }
}

function drawn(ring) {
  return ring.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("");
}

/** Returns the sides that only one ring has. */
function borders(rings) {
  const found = new Map();
  for (const ring of rings)
    ring.forEach((start, k) => {
      const end = ring[(k + 1) % ring.length], name = [start, end].map(at => at.map(value => Math.round(value * 1000)).join()).sort().join(" ");
      if (found.has(name)) found.set(name, "");
      else found.set(name, drawn([start, end]));
    });
  return [...found.values()].join("");
}
