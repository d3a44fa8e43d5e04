// The body under a pixel: the first body that a ray from the eye hits.

/**
 * Returns the body that a ray hits first, how far away, and the place of the hit relative to the body; null for none.
 * `things` have the form that a painter takes.
 */
function hitAlong(mesh, things, from, ray) {
  let [nearest, found] = [Infinity, null];
  for (const { body, shift, rotation, opacity } of things) {
    if (!body || opacity < 0.1) continue;
    const [eye, way] = [unrotated(rotation, minus(from, shift)), unrotated(rotation, ray)];
    if (!passesNear(eye, way, body, nearest)) continue;
    for (let k = body.range[0]; k < body.range[1]; k += 3) {
      const hit = hitAt(mesh, k, eye, way);
      if (hit < nearest) [nearest, found] = [hit, { body, far: hit, at: plus(eye, times(way, hit)) }];
    }
  }
  return found;
}

/** Returns the location of a body at a place on its surface, and the step to the cell beyond the side there. */
function sideAt(puzzle, body, at, ray) {
  const own = new Set(body.locations);
  let [nearest, found] = [Infinity, null];
  const take = (far, location, step) => {
    if (far < nearest) [nearest, found] = [far, { location, step }];
  };
  for (const location of body.locations) {
    const { faces, neighbours } = puzzle.form(location);
    const here = minus(at, puzzle.places[location]);
    const along = (step) => dot(here, unit(inSpace(puzzle, step)));
    if (!faces) take(size(here), location, neighbours.reduce((best, step) => (along(step) > along(best) ? step : best)));
    for (const face of faces || []) {
      const normal = normalOf(face);
      if (dot(normal, ray) > 0 || Math.abs(dot(normal, minus(here, face.corners[0]))) > 1e-3) continue;
      if (!face.beyond || !own.has(puzzle.beyond(location, face.beyond))) take(size(minus(here, middle(face.corners))), location, face.beyond);
    }
  }
  return found;
}

/** Returns whether a ray enters the box around a body before the nearest hit so far. If so, it may hit the body first. */
function passesNear(eye, ray, { extent }, nearest) {
  let [enters, leaves] = [0, nearest];
  for (let c = 0; c < 3; c++) {
    const [low, high] = [extent[0][c] - NOTHING - eye[c], extent[1][c] + NOTHING - eye[c]];
    if (Math.abs(ray[c]) < 1e-12) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    enters = Math.max(enters, Math.min(low / ray[c], high / ray[c]));
    leaves = Math.min(leaves, Math.max(low / ray[c], high / ray[c]));
  }
  return enters <= leaves;
}

/**
 * Returns the distance of a triangle along a ray; Infinity if the ray does not hit it from outside (T. Moeller, B.
 * Trumbore, 1997).
 */
function hitAt(mesh, first, eye, ray) {
  const [a, b, c] = [0, 1, 2].map((k) => mesh.place(mesh.triangles[first + k]));
  const [one, two] = [minus(b, a), minus(c, a)];
  const across = cross(ray, two);
  const turn = dot(one, across);
  if (turn < 1e-12) return Infinity;
  const from = minus(eye, a);
  const u = dot(from, across) / turn;
  if (u < 0 || u > 1) return Infinity;
  const other = cross(from, one);
  const v = dot(ray, other) / turn;
  if (v < 0 || u + v > 1) return Infinity;
  const far = dot(two, other) / turn;
  return far > 0 ? far : Infinity;
}
