// The wall: starting boards to draw on, and a picture of each puzzle of the catalogue, with filters.

import { get } from "./api.js";
import { make, picture } from "./elements.js";
import { choices, fits, names } from "./filters.js";
import { phrase, translated } from "./words.js";

const STARTS = [
  ["squares", 'puzzle "{mine}"\n\nlocations {\n  xxxxxx\n  xxxxxx\n  xxxxxx\n  xxxxxx\n}\n\npiece A x0..9 { xx/x. }\npiece B x0..9 { xxx }\n', "M2 2h10v10H2zM12 2h10v10H12zM2 12h10v10H2zM12 12h10v10H12zM22 12h10v10H22z"],
  ["hexagons", 'puzzle "{mine}"\nlattice hex\n\nlocations {\n    x x x\n   x x x x\n  x x x x x\n   x x x x\n    x x x\n}\n\npiece A x0..9 { x x }\npiece B x0..9 { x x/ x }\n', "M12 3l6 3.5v7L12 17l-6-3.5v-7zM24 3l6 3.5v7L24 17l-6-3.5v-7zM18 13.5l6 3.5v7l-6 3.5-6-3.5v-7z"],
  ["triangles", 'puzzle "{mine}"\nlattice triangle\n\nlocations {\n  .xxxxx.\n  xxxxxxx\n}\n\npiece A x0..9 { xx }\npiece B x0..9 { xxx }\n', "M2 22L10 8l8 14zM10 8h16l-8 14zM18 22l8-14 8 14z"],
  ["cubes", 'puzzle "{mine}"\nlattice cubic\n\nlocations {\n  xxx  xxx\n  xxx  xxx\n  xxx  xxx\n}\n\npiece A x0..9 { xx/x. }\npiece B x0..9 { xxx }\n', "M18 2l13 7v13l-13 7-13-7V9zM31 9l-13 7-13-7M18 16v13"],
];
const AT_ONCE = 2; // pictures that are being made
const SVG = "http://www.w3.org/2000/svg";

let puzzles = null; // a promise of the catalogue
let left = 0; // puzzles of the catalogue that New… lists
let counts = null; // a promise of the numbers of pieces
const known = new Map(); // pictures by the name of the puzzle
const chosen = { words: "" };

/** Return the puzzles with the data for the filters. */
async function listed() {
  puzzles = puzzles || get("catalogue").then(({ puzzles: found, examples }) => {
    left = examples;
    // The first puzzle of each family comes first, then the second ones.
    const turns = new Map();
    const all = found.map((puzzle) => {
      const family = puzzle.name.split("/")[0];
      turns.set(family, (turns.get(family) || 0) + 1);
      return { ...puzzle, turn: turns.get(family), pieces: "", solutions: puzzle.distinct ?? puzzle.raw ?? "", text: [puzzle.name, puzzle.title, ...puzzle.tags].join(" ").toLowerCase() };
    });
    return all.sort((one, other) => one.turn - other.turn);
  });
  return puzzles;
}

/** Return the wall. `open` gets the name of a puzzle, `draw` the text of a starting board; without it there are none. */
export function wall(open, draw = null) {
  const grid = make("ul", { class: "wall" });
  const told = make("output", { role: "status" });
  const field = make("input", { type: "search", placeholder: phrase("wall.search"), "aria-label": phrase("wall.search"), value: chosen.words, spellcheck: "false" });
  const selects = Object.fromEntries(["lattice", "pieces", "solutions"].map((name) => [name, make("select", { "aria-label": translated(names[name]) })]));
  const reset = make("button", { type: "button" }, phrase("wall.all"));
  const bar = make("div", { class: "tools" }, field, Object.entries(selects).map(([name, select]) => make("label", {}, `${translated(names[name])} `, select)), reset, told);
  const host = make("div", { class: "wall-host" }, draw ? make("h2", {}, phrase("wall.title")) : null, bar, grid);
  show();
  return host;

  async function show() {
    let all;
    try {
      all = await listed();
    } catch (error) {
      told.textContent = error.message;
      return;
    }
    const offered = choices(all);
    for (const [name, select] of Object.entries(selects)) {
      select.append(...[["", phrase("wall.any")], ...offered[name]].map(([value, words, more = ""]) => make("option", { value }, translated(words) + more)));
      select.value = chosen[name] || "";
      select.addEventListener("change", () => filter());
    }
    field.addEventListener("input", () => filter());
    reset.addEventListener("click", () => {
      field.value = "";
      for (const select of Object.values(selects)) select.value = "";
      filter();
    });
    const pictures = new Pictures();
    const starts = draw ? STARTS.map(([name, text, path]) => start(name, path, () => draw(text.replace("{mine}", phrase("wall.mine"))))) : [];
    const cards = all.map((puzzle) => [puzzle, card(puzzle)]);
    grid.append(...starts, ...cards.map(([, element]) => element));
    for (const [, element] of cards) pictures.watch(element);
    filter();
    // The numbers of pieces take the server some seconds, so pictures come first.
    await Promise.race([pictures.idle, new Promise((resolve) => selects.pieces.addEventListener("focus", resolve, { once: true }))]);
    counts = counts || get("pieces");
    try {
      const { pieces } = await counts;
      for (const [puzzle, element] of cards) {
        puzzle.pieces = pieces[puzzle.name] === null || pieces[puzzle.name] === undefined ? "" : String(pieces[puzzle.name]);
        element.querySelector("small").textContent = facts(puzzle);
      }
      host.dataset.counted = "";
      filter();
    } catch {
      counts = null; // the next wall asks again
    }

    function filter() {
      chosen.words = field.value;
      for (const [name, select] of Object.entries(selects)) chosen[name] = select.value;
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const asked = Object.entries(selects).filter(([, select]) => select.value);
      let shown = 0;
      for (const [puzzle, element] of cards) {
        element.hidden = !(words.every((word) => puzzle.text.includes(word)) && asked.every(([name, select]) => fits(puzzle, name, select.value)));
        shown += !element.hidden;
      }
      for (const element of starts) element.hidden = Boolean(words.length || asked.length);
      reset.disabled = !words.length && !asked.length;
      const whole = shown === all.length && left > 0;
      told.textContent = whole ? `${phrase("wall.whole", { n: shown })} ${phrase("wall.examples", { n: left })}` : phrase("wall.shown", { some: shown, n: all.length });
    }
  }

  function card(puzzle) {
    const frame = make("span", { class: "picture" });
    const element = make("li", {}, make("button", { type: "button", click: () => open(puzzle.name) }, frame, make("b", {}, puzzle.title), make("small", {}, facts(puzzle))));
    element.dataset.name = puzzle.name;
    return element;
  }
}

function facts(puzzle) {
  const solutions = puzzle.solutions === "" ? phrase("wall.unknown") : puzzle.solutions === "0" ? phrase("wall.none") : phrase(puzzle.distinct === null ? "solutions.raw" : "solutions.n", { n: puzzle.solutions });
  return [puzzle.pieces && phrase("pieces.n", { n: puzzle.pieces }), solutions].filter(Boolean).join(" · ");
}

function start(name, path, act) {
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 36 31");
  icon.append(document.createElementNS(SVG, "path"));
  icon.firstChild.setAttribute("d", path);
  return make("li", { class: "start" }, make("button", { type: "button", click: act }, make("span", { class: "picture" }, icon), make("b", {}, phrase("wall.draw")), make("small", {}, phrase(`wall.start.${name}`))));
}

/** Gets the pictures of the cards that can be seen, a few at a time. */
class Pictures {
  constructor() {
    this.visible = new Set();
    this.running = 0;
    this.idle = new Promise((resolve) => (this.rest = resolve));
    this.observer = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        if (isIntersecting) this.visible.add(target);
        else this.visible.delete(target);
      }
      this.next();
    }, { rootMargin: "200px" });
  }

  watch(card) {
    this.observer.observe(card);
  }

  async next() {
    if (this.running >= AT_ONCE) return;
    const [card] = this.visible;
    if (!card) {
      if (!this.running) this.rest();
      return;
    }
    this.visible.delete(card);
    this.observer.unobserve(card);
    this.running++;
    this.next();
    const { name } = card.dataset;
    try {
      if (!known.has(name)) known.set(name, await get(`pictures/${name}`));
      const found = known.get(name);
      if (found.svg) picture(card.querySelector(".picture"), found, "");
    } catch {
      // without a picture, the card shows only its words
    }
    this.running--;
    this.next();
  }
}
