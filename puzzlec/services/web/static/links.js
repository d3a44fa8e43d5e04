// Links to a puzzle: its text, the shown solution and the view are in the address after `#`, which no server gets.
//
// `#soma/soma` is a puzzle of the catalogue, `#text=...` a text: raw deflate, then base64url. Further parts follow
// after `&`. `shown` has the picture of a solution and its placements, packed as a text is, so that the page can draw it
// before it has read the puzzle. Other people write links, so each part has a limit.

import { phrase } from "./words.js";

const LONGEST_LINK = 200_000; // characters after `#`
const LONGEST_TEXT = 1 << 20; // bytes of a text, unpacked
const MOST = 1000; // solutions
const MAX_VALUES = 100_000; // numbers and words in the picture of a solution

const NAME = /^[A-Za-z0-9-]+(\/[A-Za-z0-9-]+)*$/;
const PALETTE = /^(standard|wood|quiet)$/;
const PART = /^(puzzle|tray|play|stages)$/; // of the page, that is shown first
const VIEW = /^-?\d{1,4}(\.\d{1,3})?( -?\d{1,4}(\.\d{1,3})?){4}$/;

/** Return the part of an address after `#` for a link: a `catalogue` name, else a `text`; and what is shown. */
export async function encoded({ catalogue, text, format, board, problem, parameters, raw, solution, view, palette, embed, shown }) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries({ format, board, problem })) if (value) parts.set(name, value);
  for (const [name, value] of Object.entries(parameters || {})) parts.set(`p.${name}`, value);
  if (raw) parts.set("raw", "1");
  if (solution) parts.set("solution", solution);
  if (view) parts.set("view", view);
  if (palette && palette !== "standard") parts.set("palette", palette);
  if (embed) parts.set("embed", "1");
  if (shown) parts.set("shown", await packed(JSON.stringify(shown)));
  const held = catalogue || `text=${await packed(text)}`;
  return [held, parts.toString()].filter(Boolean).join("&");
}

/** Return the parts of a link; throws an error with words for the user if it is damaged or too large. */
export async function decoded(hash) {
  const held = hash.replace(/^#/, "");
  if (held.length > LONGEST_LINK) throw new Error(phrase("link.long", { limit: LONGEST_LINK / 1000 }));
  const [first, ...rest] = held.split("&");
  const parts = new URLSearchParams(rest.join("&"));
  const found = { parameters: {}, format: word(parts, "format"), board: word(parts, "board"), problem: word(parts, "problem") };
  found.raw = parts.get("raw") === "1";
  found.embed = parts.get("embed") === "1";
  for (const [name, value] of parts) {
    if (name.startsWith("p.") && /^-?\d{1,9}$/.test(value) && Object.keys(found.parameters).length < 100) found.parameters[name.slice(2)] = value;
  }
  const number = Number(parts.get("solution") || 0);
  if (Number.isInteger(number) && number > 0) found.solution = Math.min(MOST, number);
  if (VIEW.test(parts.get("view") || "")) found.view = parts.get("view");
  if (PALETTE.test(parts.get("palette") || "")) found.palette = parts.get("palette");
  if (PART.test(parts.get("part") || "")) found.part = parts.get("part");
  if (parts.has("shown")) found.shown = await shownIn(parts.get("shown"));
  if (first.startsWith("text=")) found.text = await textOf(first.slice(5));
  else {
    let name = "";
    try {
      name = decodeURIComponent(first);
    } catch {
      // the name below is invalid
    }
    if (!NAME.test(name)) throw new Error(phrase("link.damaged"));
    found.catalogue = name;
  }
  return found;
}

const word = (parts, name) => (/^\P{C}{1,200}$/u.exec(parts.get(name) || "") || [""])[0];

async function textOf(packed) {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    bytes = await through(bytes, new DecompressionStream("deflate-raw"), LONGEST_TEXT);
    if (bytes) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(phrase("link.damaged"));
  }
  throw new Error(phrase("link.large", { limit: LONGEST_TEXT >> 20 }));
}

const packed = async (text) => base64(await through(text, new CompressionStream("deflate-raw")));

/** Return the shown solution in a link: the `data` of the viewer and the `placements`; null if it is damaged. */
async function shownIn(held) {
  try {
    const shown = JSON.parse(await textOf(held));
    return isPlain(shown, { left: MAX_VALUES }) && isPicture(shown.data) && shown.placements.every((some) => some.every(Number.isInteger)) ? shown : null;
  } catch {
    return null;
  }
}

/** Whether a value from a link is plain: few members, short words, and numbers of a usual size. */
function isPlain(value, room, depth = 0) {
  if (--room.left < 0 || depth > 10) return false;
  if (value && typeof value === "object") return Object.values(value).every((member) => isPlain(member, room, depth + 1));
  return typeof value === "number" ? Math.abs(value) < 1e6 : typeof value !== "string" || value.length < MAX_VALUES;
}

/** Whether data from a link describes a board with one solution: each number is the index of a thing that exists. */
function isPicture({ shown, pieces, locations, axes = [], forms = [], kinds = [], points = [], optional, placed, sizes, covered, solutions, title }) {
  const are = (list, most) => list.every((number) => Number.isInteger(number) && number >= 0 && number < most);
  const places = shown === "chart" ? locations.length : kinds.length;
  return ["flat", "solid", "chart"].includes(shown) && [title, ...pieces.flatMap(({ name, label }) => [name, label])].every((word) => typeof word === "string")
    && are(kinds, forms.length) && points.length === kinds.length * axes.length && points.every(Number.isInteger)
    && are(placed, pieces.length) && sizes.length === placed.length && are(sizes, places + 1) && are(covered, places) && are(optional, places)
    && sizes.reduce((one, other) => one + other, 0) === covered.length
    && solutions.number === 1 && solutions.length === placed.length && solutions.placements.length === placed.length && are(solutions.placements, placed.length);
}

/** Return the data of the viewer for one of its solutions, in plain lists that pack well. Each page has the palettes. */
export function pictureOf(puzzle, at) {
  const { palettes, hues, start, plans, grids, ...found } = puzzle.data;
  const bodies = puzzle.bodiesIn(at);
  const all = (name) => bodies.flatMap((body) => Array.from(body[name]));
  for (const [name, held] of Object.entries(found)) {
    if (held?.u8 ?? held?.i16 ?? held?.u16 ?? held?.i32) found[name] = Array.from(PuzzleView.unpacked(held));
  }
  Object.assign(found, { placed: bodies.map(({ piece }) => piece), sizes: bodies.map(({ locations }) => locations.length), covered: all("locations") });
  if (found.painted) found.painted = all("paint");
  if (found.sided) Object.assign(found, { sided: bodies.map(({ sides }) => sides.length), sides: all("sides") });
  if (plans?.[at]) found.plans = [plans[at]];
  if (grids && at < grids.number) {
    const signs = PuzzleView.unpacked(grids.signs);
    const size = signs.length / grids.number;
    found.grids = { ...grids, number: 1, signs: Array.from(signs.slice(at * size, (at + 1) * size)) };
  }
  return { ...found, remark: "", total: null, solutions: { number: 1, placements: bodies.map(({ number }) => number), length: bodies.length } };
}

/** Send bytes or a text through a stream, and return its bytes; null if there are more than `most`. */
async function through(content, stream, most = Infinity) {
  const parts = [];
  let size = 0;
  for (const reader = new Blob([content]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    if ((size += value.length) > most) {
      reader.cancel().catch(() => {});
      return null;
    }
    parts.push(value);
  }
}

const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
