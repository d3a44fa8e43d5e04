// Vectors of space are arrays of three numbers: right, away, up. Matrices are 4 x 4, column by column, as in WebGL.

const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => times(a, 1 / (size(a) || 1));
const clamped = (value, least, greatest) => Math.min(Math.max(value, least), greatest);

/** The rotation that changes nothing. A rotation is an array of the images of the three unit vectors. */
const REST = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** Returns the image of a vector under a rotation. */
const rotated = (rotation, [x, y, z]) => plus(plus(times(rotation[0], x), times(rotation[1], y)), times(rotation[2], z));

/** Returns the original of a vector under a rotation. */
const unrotated = (rotation, a) => rotation.map((image) => dot(image, a));

/** Returns the middle of some places. */
function middle(places) {
  return times(places.reduce(plus, [0, 0, 0]), 1 / (places.length || 1));
}

/** Returns the rotation and the shift after a part of the path of a turn. A radian of the path is as long as a cell. */
function poseAt({ ways: [one, other], angle, pivot, path }, part) {
  const lengths = path.slice(1).map((corner, k) => corner[0] - path[k][0] + size(minus(corner.slice(1), path[k].slice(1))));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  let k = 0;
  while (k < lengths.length - 1 && left > lengths[k]) left -= lengths[k++];
  const share = lengths[k] ? Math.min(1, left / lengths[k]) : 1;
  const [now, ...aside] = path[k].map((value, c) => value + share * (path[k + 1][c] - value));
  const [cosine, sine] = [Math.cos(now) - 1, Math.sin(angle > 0 ? now : -now)];
  const rotation = REST.map((vector) => {
    const [a, b] = [dot(vector, one), dot(vector, other)];
    return plus(vector, plus(times(one, cosine * a - sine * b), times(other, sine * a + cosine * b)));
  });
  return [rotation, plus(minus(pivot, rotated(rotation, pivot)), aside)];
}

/** Returns the product of two matrices: `b` applies first, then `a`. */
function product(a, b) {
  const found = new Float32Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) found[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
  return found;
}

/** Returns the matrix of a perspective view; `angle` is the height of the picture as seen from the eye. */
function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  const depth = 1 / (near - far);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) * depth, -1, 0, 0, 2 * far * near * depth, 0]);
}

/** Returns the matrix from places to the coordinates of the eye, with the given axes: right, up and towards the eye. */
function seenFrom(eye, right, up, towards) {
  return new Float32Array([
    right[0], up[0], towards[0], 0, right[1], up[1], towards[1], 0, right[2], up[2], towards[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(towards, eye), 1,
  ]);
}

/** Returns `#rrggbb` as three numbers from 0 to 1. */
function rgb(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
}
