// The eye: it turns about the middle of the scene, comes nearer, and moves aside. Each value approaches a goal: smoothly,
// or at once if the user wants no motion.

const ANGLE = (20 * Math.PI) / 180; // the height of the picture, as seen from the eye

const VIEWS = [[0.6, 0.5], [0.1, 0.4], [-0.5, 0.6]]; // angles of first views: to the right, and up

class Camera {
  constructor() {
    this.first = VIEWS[0];
    this.flat = false;
    this.box = [[-1, -1, -1], [1, 1, 1]];
    this.reach = 1; // from the middle of the box to the farthest cell
    this.corners = null; // places that fill the picture in the first view; null: those of a flat box, or all around
    this.aside = [0, 0]; // where the middle of the picture is in the first view: to the right of the middle of the box, and up
    this.wide = this.high = 1;
    this.spread = 1; // ratio of the width of the view to the width of the box
    this.room = { corners: [], part: 0 }; // places that are also in the picture, and how much they count
    this.now = this.home();
    this.goal = this.home();
  }

  /** Returns the first view: flat puzzles from above, solids from the front, from the right and from above. */
  home() {
    const [yaw, pitch] = this.flat ? [0, Math.PI / 2] : this.first;
    return { yaw, pitch, zoom: 1, right: this.aside[0], up: this.aside[1] };
  }

  /**
   * Looks at something else: a box by its least and its greatest corner, and the greatest distance of anything from
   * its middle. `normals` are those of the sides of a solid. The view is the first one that shows most of them, or
   * three.
   */
  look(box, reach, flat, normals) {
    const seen = ([yaw, pitch]) => normals.filter((normal) => dot(normal, this.axes({ yaw, pitch }).towards) > 0.12).length;
    this.first = VIEWS.reduce((a, b) => (Math.min(3, seen(b)) > Math.min(3, seen(a)) ? b : a));
    [this.box, this.reach] = [box, reach];
    this.flat = flat;
    this.reset(true);
  }

  reset(atOnce) {
    // The shortest way back: full rotations are dropped.
    this.now.yaw -= Math.round((this.now.yaw - this.home().yaw) / (2 * Math.PI)) * 2 * Math.PI;
    this.goal = this.home();
    if (atOnce) this.now = this.home();
  }

  turn(yaw, pitch) {
    this.goal.yaw += yaw;
    this.goal.pitch = clamped(this.goal.pitch + pitch, -Math.PI / 2, Math.PI / 2);
  }

  zoom(by) {
    this.goal.zoom = clamped(this.goal.zoom * by, 0.2, 30);
  }

  /** Moves the scene by a number of pixels. */
  move(right, up) {
    const pixel = (2 * Math.tan(ANGLE / 2) * this.distance(this.goal)) / this.high;
    this.goal.right -= right * pixel;
    this.goal.up -= up * pixel;
  }

  /** Comes nearer to its goal until `part` of the way is left. Returns whether it has not arrived. */
  approach(part) {
    let moving = false;
    for (const key of Object.keys(this.goal)) {
      const left = (this.now[key] - this.goal[key]) * part;
      this.now[key] = Math.abs(left) < 1e-4 ? this.goal[key] : this.goal[key] + left;
      moving = moving || this.now[key] !== this.goal[key];
    }
    return moving;
  }

  axes({ yaw, pitch }) {
    const right = [Math.cos(yaw), Math.sin(yaw), 0];
    const towards = [Math.sin(yaw) * Math.cos(pitch), -Math.cos(yaw) * Math.cos(pitch), Math.sin(pitch)];
    return { right, towards, up: cross(towards, right) };
  }

  /** Returns the distance of the eye from the middle at which about everything is visible in the first view. */
  distance(view) {
    const { right, towards, up } = this.axes(this.home());
    const heart = plus(middle(this.box), plus(times(right, this.aside[0]), times(up, this.aside[1])));
    const tangent = Math.tan(ANGLE / 2);
    const aspect = this.wide / this.high;
    // A solid stays in the picture as it turns; a flat puzzle fills it.
    const corners = this.corners || (this.flat ? cornersOfBox(this.box) : []);
    let far = corners.length ? 0 : (this.reach * 1.06) / Math.sin(ANGLE / 2) / Math.min(1, aspect);
    for (const place of corners) {
      const corner = minus(place, heart);
      const across = Math.max(Math.abs(dot(corner, right)) / aspect, Math.abs(dot(corner, up)));
      far = Math.max(far, (across * (this.flat ? 1.1 : 1.05)) / tangent + dot(corner, towards));
    }
    far = (far || 4) * this.spread;
    return (far + this.room.part * Math.max(0, this._farFor(view) - far)) / view.zoom;
  }

  /** Returns the distance of the eye at which the places in the room are visible. */
  _farFor(view) {
    const { right, towards, up } = this.axes(view), heart = middle(this.box), tangent = Math.tan(ANGLE / 2);
    let far = 0;
    for (const place of this.room.part ? this.room.corners : []) {
      const corner = minus(place, heart);
      const across = Math.max((Math.abs(dot(corner, right)) * this.high) / this.wide, Math.abs(dot(corner, up)));
      far = Math.max(far, (across * 1.03) / tangent + dot(corner, towards));
    }
    return far;
  }

  /** Returns the view of the eye: its matrix, its place and its axes. */
  view() {
    const { right, towards, up } = this.axes(this.now);
    const distance = this.distance(this.now);
    const heart = plus(middle(this.box), plus(times(right, this.now.right), times(up, this.now.up)));
    const eye = plus(heart, times(towards, distance));
    const reach = 4 * this.spread * size(minus(this.box[1], this.box[0])) + size(minus(heart, middle(this.box)));
    const near = Math.max(distance - reach, distance * 0.02);
    const seen = seenFrom(eye, right, up, towards);
    return { eye, right, up, towards, seen, matrix: product(perspective(ANGLE, this.wide / this.high, near, distance + reach), seen) };
  }

  /** Returns the pixel of a place in the picture, from the upper left corner, and its distance from the eye. */
  project(view, [x, y, z]) {
    const m = view.matrix;
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    const right = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
    const up = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
    return [((right + 1) / 2) * this.wide, ((1 - up) / 2) * this.high, w];
  }

  /** Returns the direction from the eye through a pixel. */
  ray(view, x, y) {
    const up = (1 - (2 * y) / this.high) * Math.tan(ANGLE / 2);
    const right = ((2 * x) / this.wide - 1) * Math.tan(ANGLE / 2) * (this.wide / this.high);
    return unit(minus(plus(times(view.right, right), times(view.up, up)), view.towards));
  }
}

/** Returns the eight corners of a box. */
function cornersOfBox(box) {
  return Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((c) => box[(k >> c) & 1][c]));
}
