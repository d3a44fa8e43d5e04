// The board and the bodies on it as triangles, and their sizes.

/**
 * Returns the box around all cells as its least and its greatest corner, and the greatest distance of a cell from its
 * middle.
 */
function boundsOf(puzzle) {
  const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  const aroundOf = (location) => {
    const { ball } = puzzle.form(location);
    return ball ? [[-ball, -ball, -ball], [ball, ball, ball]] : cornersOf(puzzle, puzzle.kinds[location]);
  };
  puzzle.places.forEach((place, location) => {
    for (const corner of aroundOf(location)) {
      for (let c = 0; c < 3; c++) {
        box[0][c] = Math.min(box[0][c], place[c] + corner[c]);
        box[1][c] = Math.max(box[1][c], place[c] + corner[c]);
      }
    }
  });
  const heart = middle(box);
  let reach = 0;
  puzzle.places.forEach((place, location) => {
    const { ball } = puzzle.form(location);
    const away = minus(place, heart);
    if (ball) reach = Math.max(reach, size(away) + ball);
    else for (const corner of aroundOf(location)) reach = Math.max(reach, size(plus(away, corner)));
  });
  return { box, reach };
}

/** Returns the normals of the sides of a solid board, each direction once. */
function outerNormals(puzzle) {
  const found = new Map();
  for (let location = 0; location < puzzle.locations && !puzzle.flat && puzzle.form(location).faces; location++) {
    for (const face of puzzle.form(location).faces) {
      if (face.beyond && puzzle.beyond(location, face.beyond) >= 0) continue;
      const normal = normalOf(face);
      found.set(normal.map((value) => Math.round(value * 100)).join(), normal);
    }
  }
  return [...found.values()];
}

/** Returns the approximate size of a cell, the unit of borders and bevels. */
function cellSize(puzzle) {
  const { forms } = puzzle.data;
  if (puzzle.flat && forms[0].faces) {
    const corners = cornersOf(puzzle, 0);
    const wide = (axis) => Math.max(...corners.map((corner) => corner[axis])) - Math.min(...corners.map((corner) => corner[axis]));
    return Math.min(1.5, (wide(0) + wide(1)) / 2);
  }
  const sizes = forms.map((form) => {
    if (form.ball) return 2 * form.ball;
    if (form.rod) return size(minus(form.rod[1], form.rod[0]));
    const longest = ({ corners }) => Math.max(...corners.map((corner, k) => size(minus(corner, corners[(k + 1) % corners.length]))));
    return Math.min(...form.faces.map(longest)) || 1;
  });
  return sizes.reduce((a, b) => a + b, 0) / sizes.length;
}

/** Adds cells of any form to a mesh. `scale` makes round ones smaller; for the others see {@link addCells}. */
function addForms(mesh, puzzle, locations, { paint = () => 0, dot, apart = false, scale = 1 }) {
  const form = locations.length ? puzzle.form(locations[0]) : {};
  if (form.ball) addBalls(mesh, puzzle, locations, scale);
  else if (form.rod) addRods(mesh, puzzle, locations, scale);
  else addCells(mesh, puzzle, locations, { paint, dot, apart });
}

/** Returns the mark of a colour (from 1; 0: none) on a side of a location; null for none. Flat cells have it on top. */
function markOn(puzzle, colour, face) {
  const mark = colour ? puzzle.data.marks[colour - 1] : null;
  if (mark === null || (puzzle.flat && normalOf(face)[2] < 0.5)) return null;
  return mark.startsWith("#") ? { tint: tintOf(rgb(mark)) } : { pips: mark };
}

/** Returns the mesh of bodies. Each body gets the range of its triangles, its middle, and the box around it. */
function bodiesMesh(puzzle, bodies) {
  const mesh = new Mesh();
  const marked = puzzle.data.piecesColoured || [];
  const dyes = (puzzle.data.dyes || []).map((dye) => tintOf(rgb(dye)));
  for (const body of bodies) {
    const on = body.on || puzzle;
    const [from, first] = [mesh.indexed, mesh.used];
    const paint = body.paint.length ? new Map(Array.from(body.locations, (location, k) => [location, body.paint[k]])) : null;
    const colourAt = (location) => (paint ? paint.get(location) : on.coloured[location]);
    addForms(mesh, on, body.locations, {
      paint: (_, face) => (body.sides.length && face.side !== undefined ? dyes[body.sides[face.side]] : 0),
      dot: (location, face) => (marked[body.piece] ? markOn(on, colourAt(location), face) : null),
    });
    body.range = [from, mesh.indexed];
    body.heart = middle(Array.from(body.locations, (location) => on.places[location]));
    body.extent = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let k = first; k < mesh.used; k++) {
      const place = mesh.place(k);
      for (let c = 0; c < 3; c++) {
        body.extent[0][c] = Math.min(body.extent[0][c], place[c]);
        body.extent[1][c] = Math.max(body.extent[1][c], place[c]);
      }
    }
  }
  return mesh;
}

/** Returns the mesh of some locations of a board, or of all; `settings` are those of {@link addForms}. */
function meshOf(puzzle, settings = {}, locations = Int32Array.from(puzzle.kinds, (_, k) => k)) {
  const mesh = new Mesh();
  addForms(mesh, puzzle, locations, settings);
  return mesh;
}

/** Returns the mesh of some empty locations of a board. */
function boardMesh(puzzle, locations) {
  return meshOf(puzzle, { dot: (location, face) => markOn(puzzle, puzzle.coloured[location], face), apart: puzzle.flat || locations.length <= 3000, scale: 0.35 }, locations);
}

/** Returns the box around two boxes. */
function boxAround(one, other) {
  return [0, 1].map((end) => one[end].map((value, c) => (end ? Math.max : Math.min)(value, other[end][c])));
}

/** Returns a mesh for a painter that is no body: the board or walls. A `ghost` has only borders. */
function fixture(mesh, range, colour, opacity, ghost) {
  return { mesh, range, shift: [0, 0, 0], colour, opacity, ghost, distance: 0 };
}

/** Returns walls for a painter. Flat walls are solid, so that they differ from empty places. */
function wallsOf({ indexed }, { flat }, opacity = 1) {
  return fixture("walls", [0, indexed], [0.62, 0.65, 0.69], flat ? 1 : opacity, !flat);
}
