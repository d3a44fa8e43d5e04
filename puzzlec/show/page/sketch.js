// Painting without WebGL: the same triangles on a plain canvas, the farthest first.

class Sketch {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.loaded = new Map();
  }

  begin() {}

  load(name, mesh) {
    this.loaded.set(name, mesh);
  }

  forget(name) {
    this.loaded.delete(name);
  }

  /** Paints the same as {@link Painter}: triangles in the order of their distance, with the borders of their sides. */
  paint(view, things, { ink }) {
    const { pen, canvas } = this;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const shown = [];
    for (const thing of things) {
      const mesh = this.loaded.get(thing.mesh);
      if (!mesh) continue;
      for (let k = thing.range[0]; k < thing.range[1]; k += 3) this._triangle(view, mesh, thing, k, shown);
    }
    shown.sort((a, b) => b.far - a.far);
    pen.lineJoin = "round";
    const line = `rgba(${ink.map((value) => Math.round(value * 255)).join()},0.75)`;
    for (const { thing, corners, fill, borders } of shown) {
      pen.globalAlpha = thing.ghost ? 0.12 : Math.min(1, thing.opacity);
      pen.beginPath();
      corners.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.closePath();
      pen.fillStyle = pen.strokeStyle = fill;
      pen.lineWidth = 0.8;
      if (!thing.ghost) pen.stroke();
      pen.fill();
      pen.strokeStyle = line;
      pen.lineWidth = Math.max(1, canvas.width / 700);
      for (const [from, to] of borders) {
        pen.beginPath();
        pen.moveTo(...from);
        pen.lineTo(...to);
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }

  _triangle(view, mesh, thing, first, shown) {
    const numbers = [0, 1, 2].map((k) => mesh.triangles[first + k]);
    const places = numbers.map((number) => plus(rotated(thing.rotation || REST, mesh.place(number)), thing.shift));
    const m = view.matrix;
    const corners = places.map(([x, y, z]) => {
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      return [
        ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w / 2 + 0.5) * this.canvas.width,
        (0.5 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w / 2) * this.canvas.height,
      ];
    });
    const [a, b, c] = corners;
    if ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) >= 0) return; // it faces away
    const heart = middle(places);
    const at = numbers[0] * FLOATS;
    const normal = rotated(thing.rotation || REST, Array.from(mesh.corners.subarray(at + 3, at + 6)));
    const light = unit(plus(plus(times(view.right, -0.45), times(view.up, 0.65)), times(view.towards, 0.9)));
    const lit = 0.42 + 0.66 * (0.5 + 0.5 * dot(normal, light)) ** 1.3;
    const tint = mesh.words[at + 6];
    const base = tint >>> 24 ? [tint & 255, (tint >> 8) & 255, (tint >> 16) & 255] : thing.colour.map((value) => value * 255);
    const fill = `rgb(${base.map((value) => Math.round(Math.min(255, value * lit + 40 * (thing.glow || 0)))).join()})`;
    const borders = [];
    for (let k = 0; k < 3; k++) if (this._onBorder(mesh, numbers[k], numbers[(k + 1) % 3])) borders.push([corners[k], corners[(k + 1) % 3]]);
    shown.push({ thing, corners, fill, borders, far: size(minus(heart, view.eye)) });
  }

  /** Returns whether two corners are on the same border: both have the distance 0 from it. */
  _onBorder(mesh, one, two) {
    for (let k = 7; k < FLOATS; k++) {
      const [a, b] = [mesh.corners[one * FLOATS + k], mesh.corners[two * FLOATS + k]];
      if (a < 1e-5 && b < 1e-5) return true;
      if (Math.abs(a - VALLEY) < 1e-4 && Math.abs(b - VALLEY) < 1e-4) return true;
    }
    return false;
  }

  destroy() {
    this.loaded.clear();
  }
}
