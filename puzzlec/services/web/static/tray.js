// The tray: the pieces of the puzzle as cards, and the chosen one on a stage, with its copies and its orientation rule.

import { get, post } from "./api.js";
import { ask, searched } from "./dialogs.js";
import { byId, choices, make, picture, press, tell } from "./elements.js";
import { Solid } from "./faces.js";
import { change, lattice, said, tools } from "./painting.js";
import { Painter } from "./stage.js";
import { page, puzzle } from "./state.js";
import { Pictures } from "./wall.js";
import { phrase } from "./words.js";

const RULES = ["free", "one-sided", "fixed"];
const MAX_CARDS = 60;

const offered = new Map(); // promises of the shapes of libraries, by the text that asks for them
let last = Promise.resolve();

let painter = null;
let solid = null; // the chosen piece as a solid
let stage = null;
let cards = []; // the cards of the pieces that were read: their pictures and placements
let chosen = "";
let paints = {}; // the colours of pieces in pictures, by their names

export function begin(known) {
  paints = known.paints;
  painter = new Painter(byId("piece-cells"), phrase("tray.piece"), said);
  byId("piece-tools").append(...tools(painter, () => chosen, "?"));
  solid = new Solid(byId("piece-solid"), painter);
  byId("piece-new").addEventListener("click", () => altered({ do: "draw" }));
  byId("piece-add").addEventListener("click", add);
}

/** Change the text for a piece, and choose the piece that results. */
async function altered(wanted) {
  const found = await change(wanted);
  if (found) chosen = found.piece || "";
  return found;
}

/** Change a property of a piece. The piece has it at once, so that a click before the next check counts from it. */
async function set(piece, kind, name, value, shown = value) {
  const before = piece[name];
  piece[name] = shown;
  if (!await altered({ do: kind, piece: piece.name, [name]: value })) piece[name] = before;
}

/** Remove the pieces, which belong to another text. */
export function forget() {
  stage = null;
  cards = [];
  chosen = "";
  draw([], false);
}

/** Show the pieces of a stage, with the pictures of the last check. */
export function show(found, pictures, why) {
  if (found) stage = found;
  if (pictures) cards = pictures;
  tell("tray-why", found ? "" : why);
  for (const name of ["piece-new", "piece-add"]) byId(name).disabled = !found?.lattice;
  const pieces = stage?.pieces || [];
  if (!pieces.some((piece) => piece.name === chosen)) chosen = "";
  draw(pieces, Boolean(found));
}

function draw(pieces, open) {
  const known = new Map(cards.map((entry) => [entry.name, entry]));
  const shown = pieces.length ? pieces : cards;
  byId("pieces").replaceChildren(...shown.slice(0, MAX_CARDS).map((entry) => card(entry, known.get(entry.name))));
  tell("more", shown.length > MAX_CARDS ? phrase("tray.more", { n: shown.length - MAX_CARDS }) : "");
  const piece = pieces.find((entry) => entry.name === chosen);
  byId("piece").hidden = !piece;
  solid.show(piece ? stage : null, piece?.cells, open, piece?.paint);
  const fresh = piece && byId("piece").dataset.name !== piece.name;
  byId("piece").dataset.name = piece?.name ?? "";
  if (!piece) return;
  byId("piece-name").textContent = piece.name;
  byId("piece-cells").hidden = byId("piece-tools").hidden = !piece.cells || !stage.kinds;
  if (piece.cells && stage.kinds) painter.show(stage, piece.cells, { open, fresh });
  byId("piece-cells").style.setProperty("--cell", piece.paint || known.get(piece.name)?.fill || "");
  const controls = () => [...byId("piece-options").querySelectorAll("button, select, input")];
  const focused = controls().indexOf(document.activeElement);
  byId("piece-options").replaceChildren(...options(piece));
  for (const control of controls()) control.disabled = control.disabled || !open;
  controls()[focused]?.focus();
  if (fresh) byId("piece").scrollIntoView({ block: "start" });
}

function card(piece, known) {
  const frame = make("div", { class: "picture" });
  if (known) picture(frame, known.picture, phrase("tray.named", { name: piece.name }));
  const { copies } = piece;
  const often = copies && copies !== "1" ? ` ×${copies.replace("*", "∞").replace("..", "–")}` : "";
  const button = make("button", { type: "button", "aria-pressed": String(piece.name === chosen), "data-piece": piece.name, click: () => choose(piece.name) },
    frame, make("b", {}, piece.name + often), make("small", {}, known ? phrase("tray.placements", { n: known.placements }) : phrase("tray.unplaced")));
  return make("li", {}, button);
}

function choose(name) {
  chosen = chosen === name ? "" : name;
  draw(stage?.pieces || [], byId("tray-why").hidden);
  const next = [...byId("pieces").querySelectorAll("button")].find((button) => button.dataset.piece === name);
  next?.focus({ preventScroll: true });
}

/** The controls of a piece. */
function options(piece) {
  const piecewise = (kind, words, more = {}) => make("button", { type: "button", click: () => altered({ do: kind, piece: piece.name, ...more }) }, words);
  const number = Number(piece.copies);
  const copies = (many) => set(piece, "copies", "copies", String(Math.max(1, many)));
  const step = (by) => copies(Number(piece.copies) + by);
  const stepper = make("span", { class: "group", role: "group", "aria-label": phrase("tray.copies") },
    number ? make("button", { type: "button", "aria-label": phrase("tray.less"), disabled: number < 2, click: () => step(-1) }, "−") : null,
    make("output", {}, phrase("tray.many", { copies: piece.copies.replace("..", "–"), n: number || 2 })),
    number ? make("button", { type: "button", "aria-label": phrase("tray.further"), click: () => step(1) }, "+")
      : make("button", { type: "button", click: () => copies(1) }, phrase("tray.once")));
  const found = [stepper];
  if (piece.cells && piece.freedom) {
    const rule = make("select", { "aria-label": phrase("tray.rule") }, RULES.map((word) => make("option", { value: word, selected: word === piece.freedom }, phrase(`tray.rule.${word}`))));
    rule.addEventListener("change", () => altered({ do: "freedom", piece: piece.name, freedom: rule.value === stage.freedom ? "" : rule.value }));
    const turns = (kind, words, many) => Array.from({ length: many }, (_, axis) => piecewise(kind, many > 1 ? `${words} ${axis + 1}` : words, { axis }));
    found.push(rule, make("span", { class: "group" }, turns("rotate", phrase("tray.rotate"), stage.turns[0]), turns("reflect", phrase("tray.reflect"), Math.min(1, stage.turns[1]))));
  }
  found.push(make("span", { class: "group" }, piecewise("double", phrase("tray.double")), piecewise("remove", phrase("tray.remove"))), swatches(piece));
  return found;
}

/** The colours of a piece in pictures. A second click takes the colour away. */
function swatches(piece) {
  const tint = (paint) => set(piece, "tint", "paint", paint, paints[paint] ?? paint);
  const group = make("span", { class: "group swatches", role: "group", "aria-label": phrase("tray.colours") });
  const names = Object.keys(paints);
  choices(group, names.map((name) => [name, { title: name, "aria-label": name }]), (name) => tint(paints[name] === piece.paint ? "" : name));
  press(group, names.filter((name) => paints[name] === piece.paint));
  for (const swatch of group.children) swatch.style.background = paints[swatch.dataset.value];
  const other = make("input", { type: "color", value: piece.paint || "#808080", title: phrase("tray.colour"), "aria-label": phrase("tray.colour") });
  other.addEventListener("change", () => tint(other.value));
  group.append(other);
  return group;
}

async function add() {
  const { libraries } = await get("libraries", { lattice: lattice() });
  const pictures = new Pictures(null, pictureOf);
  const rows = libraries.flatMap(({ name, shapes }) => shapes.map((shape) => {
    const frame = make("span", { class: "picture", "data-name": `${name}.${shape}` });
    pictures.watch(frame);
    return { words: `${name}.${shape}`.toLowerCase(), group: name, content: [frame, make("b", {}, shape)], library: name, shape };
  }));
  const row = await ask(phrase("tray.add"), (answer) => {
    const parts = searched(rows, answer, phrase("tray.search"));
    parts[1].classList.add("cards");
    return parts;
  }, false);
  if (row) await altered({ do: "add", library: row.library, shape: row.shape });
}

/** Return the picture of a shape, as completion in the text offers it: all of a library come at once. */
async function pictureOf(name) {
  const library = name.slice(0, name.indexOf("."));
  const text = `lattice ${lattice()}\npiece P = ${library}.`;
  if (!offered.has(text)) {
    // A newer question ends an older one: they wait for each other.
    last = last.then(() => post("complete", { ...puzzle(), text, format: "puzzle", page, at: text.length, pieces: [] })).catch(() => ({}));
    offered.set(text, last);
  }
  const { offers = [] } = await offered.get(text);
  return offers.find((offer) => `${library}.${offer.text.replaceAll('"', "")}` === name)?.picture || {};
}
