// Painting with WebGL: bodies with borders and bevels, the board as a ghost.

const CORNER_SHADER = `#version 300 es
in vec3 place; in vec3 normal; in vec4 tint; in vec4 near0; in vec4 near1;
uniform mat4 matrix; uniform mat4 seen; uniform vec3 shift; uniform mat3 rotation;
uniform float ground; uniform float cell;
out float low; out vec3 at; out vec3 facing; out vec3 inside; out vec3 outward; out vec4 own; out vec4 first; out vec4 second;
void main() {
  inside = place / cell; outward = normal;
  vec4 moved = vec4(rotation * place + shift, 1.0);
  low = exp(-max(moved.z - ground, 0.0) / (0.8 * cell));
  at = (seen * moved).xyz;
  facing = mat3(seen) * (rotation * normal);
  own = tint; first = near0; second = near1;
  gl_Position = matrix * moved;
}`;

const PIXEL_SHADER = `#version 300 es
precision highp float;
in float low; in vec3 at; in vec3 facing; in vec3 inside; in vec3 outward; in vec4 own; in vec4 first; in vec4 second;
uniform mat4 seen; uniform vec4 grain;
uniform vec3 colour; uniform vec3 ink; uniform float opacity; uniform float cell; uniform float glow; uniform float seams;
uniform float ghost;
out vec4 shown;
// Shading in OKLab (B. Ottosson, A perceptual color space for image processing, 2020): the lightness falls, the colour
// stays, and turns a little to blue.
vec3 shaded(vec3 srgb, float light) {
  vec3 linear = mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, srgb));
  vec3 cones = pow(mat3(0.4122214708, 0.2119034982, 0.0883024619, 0.5363325363, 0.6806995451, 0.2817188376, 0.0514459929, 0.1073969566, 0.6299787005) * linear, vec3(1.0 / 3.0));
  vec3 lab = mat3(0.2104542553, 1.9779984951, 0.0259040371, 0.7936177850, -2.4285922050, 0.7827717662, -0.0040720468, 0.4505937099, -0.8086757660) * cones;
  lab = lab * light - vec3(0.0, 0.0, 0.03 * max(0.0, 1.0 - light));
  cones = mat3(1.0, 1.0, 1.0, 0.3963377774, -0.1055613458, -0.0894841775, 0.2158037573, -0.0638541728, -1.2914855480) * lab;
  linear = clamp(mat3(4.0767416621, -1.2684380046, -0.0041960863, -3.3077115913, 2.6097574011, -0.7034186147, 0.2309699292, -0.3413193965, 1.7076147010) * (cones * cones * cones), 0.0, 1.0);
  return mix(linear * 12.92, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, linear));
}
float noise(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f *= f * (3.0 - 2.0 * f);
  vec4 n = dot(i, vec3(1.0, 57.0, 113.0)) + vec4(0.0, 1.0, 57.0, 58.0);
  n = mix(fract(sin(n) * 43758.5), fract(sin(n + 113.0) * 43758.5), f.z);
  vec2 pair = mix(n.xz, n.yw, f.x);
  return mix(pair.x, pair.y, f.y);
}
// Wood: rings around a trunk along the grain, and fibres. A side across the grain shows the rings, and is darker.
float wood(float fine) {
  vec3 up = grain.xyz, across = normalize(cross(up, abs(up.z) > 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0)));
  vec3 p = vec3(dot(inside, across), dot(inside, cross(up, across)), dot(inside, up));
  p.xy += 1.5 + 3.0 * fract(grain.w * vec2(0.618, 0.414));
  p.z += 7.3 * grain.w;
  float far = 4.0 * length(p.xy) + 1.6 * noise(p * vec3(0.9, 0.9, 0.35)) + 0.3 * noise(p * vec3(4.0, 4.0, 0.8));
  float ring = fract(far), late = smoothstep(0.3, 0.95, ring) * (1.0 - smoothstep(0.95, 1.0, ring));
  float fibre = noise(p * vec3(34.0, 34.0, 2.0));
  float end = smoothstep(0.5, 0.9, abs(dot(normalize(outward), up)));
  return 1.0 - 0.08 * end + min(fine, 1.0) * (0.03 - 0.11 * late + 0.07 * (fibre - 0.5));
}
void main() {
  float crease = 1000.0, seam = 1000.0, valley = 1000.0;
  for (int k = 0; k < 8; k++) {
    float d = k < 4 ? first[k] : second[k - 4];
    if (d < 50.0) crease = min(crease, d);
    else if (d < 150.0) seam = min(seam, d - 100.0);
    else if (d < 250.0) valley = min(valley, d - 200.0);
  }
  vec3 right = dFdx(at), down = dFdy(at);
  float pixel = 0.5 * (length(right) + length(down));
  float small = clamp(0.30 * cell / pixel, 0.0, 1.0); // small cells have thinner borders
  vec3 n = normalize(facing);
  // A bevel: near an edge, the side is shaded as if it leant towards the edge
  // (M. Mikkelsen, Bump mapping unparametrized surfaces on the GPU).
  float bevel = 0.085 * cell;
  if (crease < bevel && ghost < 0.5) {
    vec3 a = cross(down, n), b = cross(n, right);
    float turn = dot(right, a);
    vec3 slope = sign(turn) * (dFdx(crease) * a + dFdy(crease) * b);
    n = normalize(abs(turn) * n - 0.75 * (1.0 - crease / bevel) * slope);
  }
  vec3 light = normalize(vec3(-0.45, 0.65, 0.9));
  float lit = pow(0.5 + 0.5 * dot(n, light), 1.3); // light from all around, so that no side is black
  float edge = 1.0 - max(dot(n, normalize(-at)), 0.0);
  vec3 base = own.a > 0.5 ? own.rgb : colour;
  float light_there = (0.64 + 0.40 * lit) * (1.0 - 0.10 * edge * edge * edge) * (1.0 - 0.09 * low);
  if (grain.w > 0.0) light_there *= wood(0.06 * cell / pixel);
  // The surroundings: a bright window in the light, a sky, and the table below. Sides reflect more of them at a flat angle.
  vec3 back = reflect(normalize(at), n);
  float sky = dot(back, seen[2].xyz), window = smoothstep(0.7, 1.0, dot(back, light));
  float gloss = small * (0.04 + 0.5 * pow(edge, 5.0));
  vec3 around = mix(vec3(0.45, 0.40, 0.34), vec3(0.86, 0.92, 1.0), smoothstep(-0.3, 0.6, sky)) + 2.0 * window;
  vec3 seen_colour = shaded(base, light_there) + gloss * (around - 0.5);
  float line = 1.0 - smoothstep(0.0, 1.0, (crease - 0.012 * cell) / pixel);
  float fold = 1.0 - smoothstep(0.0, 1.0, (valley - 0.010 * cell) / pixel);
  float thin = 1.0 - smoothstep(0.0, 1.0, (seam - 0.004 * cell) / pixel);
  float drawn = small * max(max(0.72 * line, 0.55 * fold), seams * 0.20 * thin);
  if (ghost > 0.5) {
    float rim = min(crease, min(seam, valley)) > 50.0 ? 0.1 + 0.6 * edge * edge : 0.0; // of balls and rods, which have no lines
    float part = 0.07 + max(rim, small * max(0.38 * line, 0.13 * thin));
    shown = own.a > 0.5 ? vec4(own.rgb, 0.6) : vec4(ink, min(part * opacity, 0.8));
    return;
  }
  seen_colour = mix(seen_colour, ink, drawn);
  seen_colour = mix(seen_colour, vec3(1.0), glow * 0.16);
  shown = vec4(seen_colour, opacity);
}`;

const ATTRIBUTES = [["place", 3, 0], ["normal", 3, 3], ["tint", 4, 6], ["near0", 4, 7], ["near1", 4, 11]];
const UNIFORMS = ["matrix", "seen", "shift", "rotation", "colour", "ink", "opacity", "cell", "glow", "seams", "ghost", "ground", "grain"];
const NO_GRAIN = [0, 0, 0, 0];

/** Returns a program of two shaders, and the places `at` of its uniforms by their names. Attributes have their index. */
function programOf(gl, corner, pixel, uniforms, attributes = ["place"]) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, corner], [gl.FRAGMENT_SHADER, pixel]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  attributes.forEach((name, index) => gl.bindAttribLocation(program, index, name));
  gl.linkProgram(program);
  let at = null;
  return {
    program,
    /** The first question about a program waits for the graphics, so it is asked when the program is used. */
    get at() {
      return (at ??= placesIn(gl, program, uniforms));
    },
  };
}

/** Returns the places of uniforms by their names; throws an error if a shader is wrong. */
function placesIn(gl, program, uniforms) {
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program) + gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader)).join());
  return Object.fromEntries(uniforms.map((name) => [name, gl.getUniformLocation(program, name)]));
}

class Painter {
  /** Returns a painter for a canvas; null if the browser has no WebGL. */
  static on(canvas) {
    // On an empty canvas, blending gives a colour times its opacity, which is the form that the browser expects.
    const settings = { antialias: true, alpha: true, premultipliedAlpha: true, preserveDrawingBuffer: false };
    const gl = canvas.getContext("webgl2", settings);
    return gl ? new Painter(canvas, gl) : null;
  }

  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.begin();
  }

  /** Makes the program, also after the computer has taken the graphics away. */
  begin() {
    const { gl } = this;
    this.bodies = programOf(gl, CORNER_SHADER, PIXEL_SHADER, UNIFORMS, ATTRIBUTES.map(([name]) => name));
    this.table = null; // made for the first floor
    this.loaded = new Map();
  }

  /** Takes a mesh with a name, and drops the earlier mesh with this name. */
  load(name, mesh) {
    if (this.table) this.table.key = null;
    const { gl } = this;
    this.forget(name);
    const array = gl.createVertexArray();
    const [corners, triangles] = [gl.createBuffer(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, mesh.corners.subarray(0, mesh.used * FLOATS), gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles.subarray(0, mesh.indexed), gl.STATIC_DRAW);
    for (const [place, [attribute, count, from]] of ATTRIBUTES.entries()) {
      gl.enableVertexAttribArray(place);
      const bytes = attribute === "tint";
      gl.vertexAttribPointer(place, count, bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, bytes, FLOATS * 4, from * 4);
    }
    gl.bindVertexArray(null);
    this.loaded.set(name, { array, corners, triangles });
  }

  forget(name) {
    const known = this.loaded.get(name);
    if (!known) return;
    this.gl.deleteVertexArray(known.array);
    this.gl.deleteBuffer(known.corners);
    this.gl.deleteBuffer(known.triangles);
    this.loaded.delete(name);
  }

  /**
   * Paints bodies: `{mesh, range, shift, rotation, colour, opacity, glow, ghost, distance}`. `range` has the index of the first
   * triangle and the index after the last. `grain` has the direction of wood and a number that differs, if it is wood. Transparent bodies come last, the farthest first. `onTable`: a table is below them.
   */
  paint(view, things, { ink, dark, cell, seams, onTable }) {
    const { gl, canvas } = this;
    const { program, at } = this.bodies;
    const floor = onTable ? floorUnder(things, { cell, towards: view.towards, dark }) : null;
    const ghostInk = dark ? [0.75, 0.8, 0.88] : [0.3, 0.34, 0.4];
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (floor) (this.table ??= new Table(gl)).paint(view, things, this.loaded, floor);
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.CULL_FACE);
    gl.uniform1f(at.ground, floor ? floor.ground : -1e6);
    gl.uniformMatrix4fv(at.matrix, false, view.matrix);
    gl.uniformMatrix4fv(at.seen, false, view.seen);
    gl.uniform1f(at.cell, cell);
    gl.uniform1f(at.seams, seams ? 1 : 0);
    const sent = new Map();
    /** Sends a value to the graphics, unless the last thing had the same. */
    const send = (place, value, act) => {
      if (sent.get(place) === value) return;
      sent.set(place, value);
      act(value);
    };
    const order = (thing) => (thing.ghost ? 2 : thing.opacity < 1 ? 1 : 0);
    for (const thing of [...things].sort((a, b) => order(a) - order(b) || (order(a) ? b.distance - a.distance : 0))) {
      const known = this.loaded.get(thing.mesh);
      if (!known || thing.range[1] <= thing.range[0]) continue;
      if (order(thing)) gl.enable(gl.BLEND);
      else gl.disable(gl.BLEND);
      gl.depthMask(!thing.ghost);
      send("array", known.array, (array) => gl.bindVertexArray(array));
      gl.uniform3fv(at.shift, thing.shift);
      gl.uniform3fv(at.colour, thing.colour);
      send("rotation", thing.rotation || REST, (images) => gl.uniformMatrix3fv(at.rotation, false, images.flat()));
      send("grain", thing.grain || NO_GRAIN, (grain) => gl.uniform4fv(at.grain, grain));
      send("ink", thing.ghost ? ghostInk : ink, (own) => gl.uniform3fv(at.ink, own));
      for (const [name, value] of [["opacity", thing.opacity], ["glow", thing.glow || 0], ["ghost", thing.ghost ? 1 : 0]]) send(name, value, (number) => gl.uniform1f(at[name], number));
      const draw = () => gl.drawElements(gl.TRIANGLES, thing.range[1] - thing.range[0], gl.UNSIGNED_INT, thing.range[0] * 4);
      if (order(thing) === 1) {
        // Only the nearest sides of a transparent body are painted, in any order.
        gl.colorMask(false, false, false, false);
        draw();
        gl.colorMask(true, true, true, true);
      }
      draw();
    }
    gl.bindVertexArray(null);
    gl.depthMask(true);
  }

  destroy() {
    for (const name of [...this.loaded.keys()]) this.forget(name);
    this.gl.deleteProgram(this.bodies.program);
    this.table?.destroy();
    const losing = this.gl.getExtension("WEBGL_lose_context");
    if (losing) losing.loseContext();
  }
}
