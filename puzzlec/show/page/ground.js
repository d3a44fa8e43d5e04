// The ground: a table under a solid, and the shadow where the solid touches it. The bodies are painted from above into
// a small picture, the darker the lower they are. The table shows this picture, blurred.

const SHADOW_PIXELS = 256;

const ABOVE_SHADER = `#version 300 es
in vec3 place;
uniform vec3 shift; uniform mat3 rotation; uniform vec4 frame; uniform float ground; uniform float cell;
out float dark;
void main() {
  vec3 at = rotation * place + shift;
  dark = exp(-max(at.z - ground, 0.0) / (0.9 * cell));
  gl_Position = vec4((at.xy - frame.xy) / frame.zw, 0.0, 1.0);
}`;

const DARK_SHADER = `#version 300 es
precision highp float;
in float dark; uniform float opacity;
out vec4 shown;
void main() { shown = vec4(0.0, 0.0, 0.0, dark * opacity); }`;

const TABLE_SHADER = `#version 300 es
uniform mat4 matrix; uniform vec4 frame; uniform float ground;
out vec2 on;
void main() {
  on = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = matrix * vec4(frame.xy + on * frame.zw, ground, 1.0);
}`;

const SHADOW_SHADER = `#version 300 es
precision highp float;
in vec2 on; uniform sampler2D above; uniform vec2 blur; uniform vec2 size; uniform vec4 table; uniform float strength;
out vec4 shown;
void main() {
  float dark = 0.0, sum = 0.0;
  float noise = fract(52.98 * fract(dot(gl_FragCoord.xy, vec2(0.06711, 0.005837)))); // no stripes of equal shades
  for (int k = 0; k < 32; k++) { // a spiral of samples, fewer towards its rim
    float r = sqrt((float(k) + 0.5) / 32.0), turn = 2.39996 * float(k) + 6.283 * noise, weight = exp(-2.0 * r * r);
    dark += weight * texture(above, on * 0.5 + 0.5 + blur * r * vec2(cos(turn), sin(turn))).a;
    sum += weight;
  }
  float rim = 1.0 - smoothstep(0.2, 0.95, length(on));
  float shade = strength * dark / sum;
  float part = table.a * rim;
  float over = shade + part * (1.0 - shade); // the shadow is over the table
  vec3 colour = (vec3(0.02, 0.03, 0.06) * shade + table.rgb * part * (1.0 - shade)) / max(over, 1e-4);
  vec2 inside = smoothstep(vec2(0.0), size * 0.2, min(gl_FragCoord.xy, size - gl_FragCoord.xy)); // no line at the edge
  over *= inside.x * inside.y;
  shown = vec4(colour, over + (noise - 0.5) * step(0.002, over) / 255.0);
}`;

/** The table and the shadow on it. */
class Table {
  constructor(gl) {
    this.gl = gl;
    this.above = programOf(gl, ABOVE_SHADER, DARK_SHADER, ["shift", "rotation", "frame", "ground", "cell", "opacity"]);
    this.top = programOf(gl, TABLE_SHADER, SHADOW_SHADER, ["matrix", "frame", "ground", "above", "blur", "size", "table", "strength"]);
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SHADOW_PIXELS, SHADOW_PIXELS, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    this.target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.empty = gl.createVertexArray();
    this.key = null;
  }

  /** Paints the table below everything else: `{ground, frame, cell, strength, table, key}`; bodies by their meshes. */
  paint(view, things, loaded, floor) {
    const { gl, top } = this;
    if (floor.key !== this.key) this._shadow(things, loaded, floor);
    this.key = floor.key;
    gl.useProgram(top.program);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.uniformMatrix4fv(top.at.matrix, false, view.matrix);
    gl.uniform4fv(top.at.frame, floor.frame);
    gl.uniform1f(top.at.ground, floor.ground);
    gl.uniform2f(top.at.blur, (0.3 * floor.cell) / floor.frame[2], (0.3 * floor.cell) / floor.frame[3]);
    gl.uniform2f(top.at.size, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform4fv(top.at.table, floor.table);
    gl.uniform1f(top.at.strength, floor.strength);
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  _shadow(things, loaded, { ground, frame, cell }) {
    const { gl, above } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.viewport(0, 0, SHADOW_PIXELS, SHADOW_PIXELS);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(above.program);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.MAX); // the lowest body makes the shadow, not the number of bodies
    gl.uniform4fv(above.at.frame, frame);
    gl.uniform1f(above.at.ground, ground);
    gl.uniform1f(above.at.cell, cell);
    for (const thing of things) {
      const known = loaded.get(thing.mesh);
      if (thing.ghost || !known) continue;
      gl.bindVertexArray(known.array);
      gl.uniform3fv(above.at.shift, thing.shift);
      gl.uniformMatrix3fv(above.at.rotation, false, (thing.rotation || REST).flat());
      gl.uniform1f(above.at.opacity, thing.opacity);
      gl.drawElements(gl.TRIANGLES, thing.range[1] - thing.range[0], gl.UNSIGNED_INT, thing.range[0] * 4);
    }
    gl.blendEquation(gl.FUNC_ADD);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
  }

  destroy() {
    const { gl } = this;
    gl.deleteProgram(this.above.program);
    gl.deleteProgram(this.top.program);
    gl.deleteTexture(this.texture);
    gl.deleteFramebuffer(this.target);
    gl.deleteVertexArray(this.empty);
  }
}

/** Returns bounds of what is within some bounds, after a rotation. */
function boundsRotated(rotation, [low, high]) {
  const heart = rotated(rotation, times(plus(low, high), 0.5));
  const half = times(minus(high, low), 0.5);
  const reach = [0, 1, 2].map((c) => rotation.reduce((sum, image, k) => sum + Math.abs(image[c]) * half[k], 0));
  return [minus(heart, reach), plus(heart, reach)];
}

/** Returns the floor under things (null: none of them is a body): its height, and the part of it with the shadow. */
function floorUnder(things, { cell, towards, dark }) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const keys = [cell];
  for (const { body, shift, rotation, opacity } of things) {
    if (!body) continue;
    const [one, other] = rotation === REST ? body.bounds : boundsRotated(rotation, body.bounds);
    for (let c = 0; c < 3; c++) low[c] = Math.min(low[c], one[c] + shift[c]);
    for (let c = 0; c < 2; c++) high[c] = Math.max(high[c], other[c] + shift[c]);
    keys.push(body.number, shift[0], shift[1], shift[2], opacity, rotation);
  }
  const strength = clamped(towards[2] / 0.2, 0, 1); // from below, the table is not there
  if (low[0] === Infinity || !strength) return null;
  const half = [0, 1].map((c) => (high[c] - low[c]) / 2);
  const wide = Math.max(...half) * 1.7 + cell;
  return {
    ground: low[2], cell, key: keys.join(),
    frame: [low[0] + half[0], low[1] + half[1], wide, wide],
    strength: strength * (dark ? 0.75 : 0.42),
    table: dark ? [1, 1, 1, 0.05 * strength] : [0.45, 0.42, 0.36, 0.09 * strength],
  };
}
