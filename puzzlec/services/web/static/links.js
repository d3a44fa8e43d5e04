// Links to a puzzle: its text, the shown solution and the view are in the address after `#`, which no server gets.
//
// `#soma/soma` is a puzzle of the catalogue, `#text=...` a text: raw deflate, then base64url. Further parts follow
// after `&`. Other people write links, so each part has a limit.

import { phrase } from "./words.js";

const LONGEST_LINK = 200_000; // characters after `#`
const LONGEST_TEXT = 1 << 20; // bytes of a text, unpacked
const MOST = 1000; // solutions

const NAME = /^[A-Za-z0-9-]+(\/[A-Za-z0-9-]+)*$/;
const PALETTE = /^(standard|wood|quiet)$/;
const VIEW = /^-?\d{1,4}(\.\d{1,3})?( -?\d{1,4}(\.\d{1,3})?){4}$/;

/** Return the part of an address after `#` for a link: a `catalogue` name, else a `text`; and what is shown. */
export async function encoded({ catalogue, text, format, board, problem, parameters, raw, solution, view, palette, embed }) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries({ format, board, problem })) if (value) parts.set(name, value);
  for (const [name, value] of Object.entries(parameters || {})) parts.set(`p.${name}`, value);
  if (raw) parts.set("raw", "1");
  if (solution) parts.set("solution", solution);
  if (view) parts.set("view", view);
  if (palette && palette !== "standard") parts.set("palette", palette);
  if (embed) parts.set("embed", "1");
  const held = catalogue || `text=${base64(await through(text, new CompressionStream("deflate-raw")))}`;
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
