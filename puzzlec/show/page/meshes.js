// Triangles of bodies made of polyhedra: the sides of their cells that no other cell of the body covers.
//
// A corner has a place, a normal, a tint (0: the colour of its body), and the distances to the edges of its side. The
// shader draws borders and bevels from those, so that they are crisp at every size. The kind of an edge is added to the
// distance: nothing for a crease, SEAM between cells of a body in one plane, VALLEY for a fold inwards.

const SEAM = 100;
const VALLEY = 200;
const FAR = 1000;
const EDGES = 8; // the number of distances that a corner can have
const FLOATS = 7 + EDGES; // of a corner: place, normal, tint, distances

/** Corners and triangles, added one by one. `ranges` has the triangles of each body. */
class Mesh {
  constructor() {
    this.corners = new Float32Array(FLOATS * 1024);
    this.words = new Uint32Array(this.corners.buffer);
    this.triangles = new Uint32Array(3 * 1024);
    this.used = 0;
    this.indexed = 0;
  }

  corner(place, normal, tint, near) {
    if ((this.used + 1) * FLOATS > this.corners.length) {
      const grown = new Float32Array(this.corners.length * 2);
      grown.set(this.corners);
      this.corners = grown;
      this.words = new Uint32Array(grown.buffer);
    }
    const at = this.used * FLOATS;
    for (let k = 0; k < 3; k++) {
      this.corners[at + k] = place[k];
      this.corners[at + 3 + k] = normal[k];
    }
    this.words[at + 6] = tint;
    for (let k = 0; k < EDGES; k++) this.corners[at + 7 + k] = near && k < near.length ? near[k] : FAR;
    return this.used++;
  }

  /** Returns the least and the greatest corner of a range of triangles. */
  bounds([first, end]) {
    const found = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let k = first; k < end; k++) {
      for (let c = 0; c < 3; c++) {
        const value = this.corners[this.triangles[k] * FLOATS + c];
        found[0][c] = Math.min(found[0][c], value);
        found[1][c] = Math.max(found[1][c], value);
      }
    }
    return found;
  }

  triangle(a, b, c) {
    if (this.indexed + 3 > this.triangles.length) {
      const grown = new Uint32Array(this.triangles.length * 2);
      grown.set(this.triangles);
      this.triangles = grown;
    }
    this.triangles[this.indexed++] = a;
    this.triangles[this.indexed++] = b;
    this.triangles[this.indexed++] = c;
  }

  place(corner) {
    const at = corner * FLOATS;
    return [this.corners[at], this.corners[at + 1], this.corners[at + 2]];
  }

  /** Adds a convex polygon. `kinds` has the kind of edge of each side, from a corner to the next. */
  polygon(corners, normal, tint, kinds) {
    for (let from = 1; from < corners.length - 1; from += EDGES - 2) {
      const part = [corners[0], ...corners.slice(from, from + EDGES - 1)];
      const edges = [from === 1 ? kinds[0] : FAR, ...kinds.slice(from, from + part.length - 2)];
      edges.push(from + part.length - 1 === corners.length ? kinds[corners.length - 1] : FAR);
      const numbers = part.map((place) => {
        const near = part.map((start, k) => {
          if (edges[k] >= FAR) return FAR;
          const along = minus(part[(k + 1) % part.length], start);
          return edges[k] + size(cross(along, minus(place, start))) / (size(along) || 1);
        });
        return this.corner(place, normal, tint, near);
      });
      for (let k = 2; k < numbers.length; k++) this.triangle(numbers[0], numbers[k - 1], numbers[k]);
    }
  }
}

/** Returns an opaque tint in the form that a corner needs; `colour` is three numbers from 0 to 1. */
function tintOf(colour) {
  const [red, green, blue] = colour.map((value) => Math.round(value * 255));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/**
 * Adds the sides of some cells to a mesh. `paint` returns the tint of a side of a location (0: that of the body), and
 * `dot` the mark in its middle: `{tint}`, `{pips}` or null. `apart` shows every cell separately.
 */
function addCells(mesh, puzzle, locations, { paint = () => 0, dot = () => null, apart = false } = {}) {
  const own = new Set(locations);
  const outer = [];
  const ids = new Map();
  const places = [];
  const idOf = (place) => {
    // A thousandth of a cell is precise enough. The offset keeps places away from the limits of rounding.
    const key = place.map((value) => Math.round(value * 1000 + 0.317)).reduce((sum, value) => sum * 262144 + value, 0);
    if (!ids.has(key)) ids.set(key, places.push(place) - 1);
    return ids.get(key);
  };
  for (const location of locations) {
    for (const face of puzzle.form(location).faces) {
      let goesOn = false;
      if (face.beyond) {
        const other = puzzle.beyond(location, face.beyond);
        if (!apart && other >= 0 && own.has(other)) continue;
        const across = other < 0 ? puzzle.across(location, face.beyond) : -1;
        goesOn = across >= 0 && own.has(across);
      }
      const corners = face.corners.map((corner) => plus(corner, puzzle.places[location]));
      outer.push({ corners, ids: corners.map(idOf), normal: normalOf(face), face, location, goesOn });
    }
  }
  const edges = edgesOf(outer);
  for (const side of outer) {
    const kinds = side.ids.map((id, k) => (apart ? 0 : kindOf(edges.get(edgeKey(id, side.ids[(k + 1) % side.ids.length])), side)));
    mesh.polygon(side.corners, side.normal, paint(side.location, side.face), kinds);
    const mark = dot(side.location, side.face);
    if (mark) addMark(mesh, side, mark);
  }
}

/** Returns the normal of a side, and stores it with the side. */
function normalOf(face) {
  if (!face.normal) {
    const sum = [0, 0, 0];
    face.corners.forEach((corner, k) => {
      const turn = cross(corner, face.corners[(k + 1) % face.corners.length]);
      for (let c = 0; c < 3; c++) sum[c] += turn[c];
    });
    face.normal = unit(sum);
  }
  return face.normal;
}

const edgeKey = (a, b) => (a < b ? a * 67108864 + b : b * 67108864 + a);

/** Returns the sides at each edge. */
function edgesOf(outer) {
  const found = new Map();
  for (const side of outer) {
    side.ids.forEach((id, k) => {
      const key = edgeKey(id, side.ids[(k + 1) % side.ids.length]);
      if (found.has(key)) found.get(key).push(side);
      else found.set(key, [side]);
    });
  }
  return found;
}

/** Returns the kind of edge between sides: a crease, a seam in a plane, or a valley. FAR: the piece continues there. */
function kindOf(sides, side) {
  if (sides.length !== 2) return 0;
  const other = sides[0] === side ? sides[1] : sides[0];
  if (other.goesOn || side.goesOn) return FAR;
  if (dot(side.normal, other.normal) > 0.9999) return other.location === side.location ? FAR : SEAM;
  return dot(side.normal, minus(middle(other.corners), side.corners[0])) > 1e-6 ? VALLEY : 0;
}

/** Adds a mark in the middle of a side, a little above it: a smaller side, or pips in nine places. */
function addMark(mesh, side, mark) {
  const heart = middle(side.corners);
  if (mark.pips !== undefined) {
    for (const pip of mark.pips) addPip(mesh, side, heart, Number(pip));
    return;
  }
  const tint = mark.tint;
  const lifted = side.corners.map((corner) => plus(plus(heart, times(minus(corner, heart), 0.42)), times(side.normal, 0.006)));
  mesh.polygon(lifted, side.normal, tint, lifted.map(() => FAR));
}

const PIP = tintOf([0.11, 0.14, 0.17]);

function addPip(mesh, side, heart, number) {
  const along = Math.abs(side.normal[2]) > 0.9 ? [1, 0, 0] : unit(cross([0, 0, 1], side.normal));
  const up = cross(side.normal, along);
  const reach = Math.min(...side.corners.map((corner) => size(minus(corner, heart)))) * 0.7;
  const at = plus(plus(heart, times(side.normal, 0.006)), plus(times(along, (number % 3 - 1) * reach * 0.5), times(up, (1 - Math.floor(number / 3)) * reach * 0.5)));
  const ring = Array.from({ length: 12 }, (_, k) => {
    const turn = (k * Math.PI) / 6;
    return plus(at, plus(times(along, Math.cos(turn) * reach * 0.17), times(up, Math.sin(turn) * reach * 0.17)));
  });
  mesh.polygon(ring, side.normal, PIP, ring.map(() => FAR));
}
