// The wall: ways to begin, and a picture of each puzzle of the catalogue in chapters, with filters.

import { get } from "./api.js";
import { drafts, nameOf } from "./drafts.js";
import { element, make, picture } from "./elements.js";
import { choices, fits, names, ofTheDay } from "./filters.js";
import { phrase, translated } from "./words.js";

const STARTS = [
  ["squares", 'puzzle "{mine}"\n\nlocations {\n  xxxxxx\n  xxxxxx\n  xxxxxx\n  xxxxxx\n}\n\npiece A x0..9 { xx/x. }\npiece B x0..9 { xxx }\n', "M2 2h10v10H2zM12 2h10v10H12zM2 12h10v10H2zM12 12h10v10H12zM22 12h10v10H22z"],
  ["hexagons", 'puzzle "{mine}"\nlattice hex\n\nlocations {\n    x x x\n   x x x x\n  x x x x x\n   x x x x\n    x x x\n}\n\npiece A x0..9 { x x }\npiece B x0..9 { x x/ x }\n', "M12 3l6 3.5v7L12 17l-6-3.5v-7zM24 3l6 3.5v7L24 17l-6-3.5v-7zM18 13.5l6 3.5v7l-6 3.5-6-3.5v-7z"],
  ["triangles", 'puzzle "{mine}"\nlattice triangle\n\nlocations {\n  .xxxxx.\n  xxxxxxx\n}\n\npiece A x0..9 { xx }\npiece B x0..9 { xxx }\n', "M2 22L10 8l8 14zM10 8h16l-8 14zM18 22l8-14 8 14z"],
  ["cubes", 'puzzle "{mine}"\nlattice cubic\n\nlocations {\n  xxx  xxx\n  xxx  xxx\n  xxx  xxx\n}\n\npiece A x0..9 { xx/x. }\npiece B x0..9 { xxx }\n', "M18 2l13 7v13l-13 7-13-7V9zM31 9l-13 7-13-7M18 16v13"],
];
const AT_ONCE = 4; // pictures that are being loaded
const MOVING = ["burr", "comes apart"]; // the tags of puzzles whose moves are stored
const FEW = 3; // a family with fewer puzzles has no chapter

let puzzles = null; // a promise of the catalogue
let left = 0; // puzzles of the catalogue that New… lists
const known = new Map(); // pictures by the name of the puzzle
const chosen = { words: "" };

/** Return the puzzles with the data for the filters, by families; small families are together at the end. */
async function listed() {
  puzzles = puzzles || get("catalogue").then(({ puzzles: found, examples }) => {
    left = examples;
    const families = new Map();
    for (const puzzle of found) {
      families.set(puzzle.heading, [...(families.get(puzzle.heading) || []), { ...puzzle, pieces: puzzle.pieces === null ? "" : String(puzzle.pieces), solutions: puzzle.distinct ?? puzzle.raw ?? "", text: [puzzle.name, puzzle.title, puzzle.heading, ...puzzle.tags].join(" ").toLowerCase() }]);
    }
    const all = [...families];
    const small = all.filter(([, members]) => members.length < FEW).flatMap(([, members]) => members);
    const large = all.filter(([, members]) => members.length >= FEW);
    return [...large, ...(small.length ? [[phrase("wall.others"), small]] : [])];
  });
  return puzzles;
}

/**
 * Return the wall. `open` gets the name of a puzzle. A page also has ways to begin: `take` gets a text to draw on or a
 * draft, `write` shows the editor, and the search has the keyboard.
 */
export function wall(open, begin = null) {
  const grid = make("ul", { class: "wall" });
  const told = make("output", { role: "status" });
  const field = make("input", { type: "search", placeholder: phrase("wall.search"), "aria-label": phrase("wall.search"), value: chosen.words, spellcheck: "false" });
  const selects = Object.fromEntries(["lattice", "pieces", "solutions"].map((name) => [name, make("select", { "aria-label": translated(names[name]) })]));
  const reset = make("button", { type: "button" }, phrase("wall.all"));
  const bar = make("div", { class: "tools" }, field, Object.entries(selects).map(([name, select]) => make("label", {}, `${translated(names[name])} `, select)), reset, told);
  const host = make("div", { class: "wall-host" }, begin ? make("h2", {}, phrase("wall.title")) : null, bar, grid);
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
    const every = all.flatMap(([, members]) => members);
    const offered = choices(every);
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
    const pictures = new Pictures(host);
    const starts = begin ? beginnings(begin) : [];
    if (begin) {
      const daily = card(ofTheDay(every));
      daily.firstChild.prepend(make("small", {}, phrase("wall.daily")));
      daily.classList.add("daily");
      starts.push(daily);
      pictures.watch(daily);
    }
    const chapters = all.map(([title, members]) => {
      const more = make("button", { type: "button", class: "quiet" });
      const chapter = { title: make("li", { class: "chapter" }, make("h3", {}, title), more), more, cards: members.map((puzzle) => [puzzle, card(puzzle)]), open: false };
      more.addEventListener("click", () => {
        chapter.open = !chapter.open;
        filter();
      });
      return chapter;
    });
    grid.append(...starts, ...chapters.flatMap(({ title, cards }) => [title, ...cards.map(([, element]) => element)]));
    for (const { cards } of chapters) for (const [, element] of cards) pictures.watch(element);
    filter();
    new ResizeObserver(() => requestAnimationFrame(filter)).observe(grid);

    /** Show the puzzles that fit. Without a filter, a chapter shows one row until it is opened. */
    function filter() {
      chosen.words = field.value;
      for (const [name, select] of Object.entries(selects)) chosen[name] = select.value;
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const asked = Object.entries(selects).filter(([, select]) => select.value);
      const whole = !words.length && !asked.length;
      const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
      const row = Math.max(4, columns);
      if (begin) starts.at(-1).style.gridColumn = `span ${Math.min(3, columns - ((starts.length - 1) % columns))}`; // the puzzle of the day ends its row
      let shown = 0;
      for (const { title, more, cards, open: opened } of chapters) {
        let some = 0;
        for (const [puzzle, element] of cards) {
          const fitting = words.every((word) => puzzle.text.includes(word)) && asked.every(([name, select]) => fits(puzzle, name, select.value));
          element.hidden = !fitting || (whole && !opened && some >= row);
          some += fitting;
        }
        title.hidden = !some;
        more.hidden = !whole || cards.length <= row;
        more.textContent = opened ? phrase("wall.fewer") : phrase("wall.more", { n: cards.length });
        more.setAttribute("aria-expanded", String(opened));
        shown += some;
      }
      for (const element of starts) element.hidden = !whole;
      reset.disabled = whole;
      told.textContent = whole && left ? `${phrase("wall.whole", { n: shown })} ${phrase("wall.examples", { n: left })}` : phrase("wall.shown", { some: shown, n: every.length });
    }
  }

  function card(puzzle) {
    const frame = make("span", { class: "picture" });
    const element = make("li", {}, make("button", { type: "button", click: () => open(puzzle.name) }, frame, make("b", {}, puzzle.title), make("small", {}, facts(puzzle))));
    element.dataset.name = puzzle.name;
    if (MOVING.every((tag) => puzzle.tags.includes(tag))) {
      for (const kind of ["pointerenter", "focusin"]) element.addEventListener(kind, async () => (await import("./moving.js")).begin(element, puzzle.name));
    }
    return element;
  }
}

/** The cards to begin with: boards to draw on, an empty text, and the drafts of this browser. */
function beginnings({ take, write }) {
  const icon = (d) => element("svg", { viewBox: "0 0 36 31" }, element("path", { d }));
  const start = (path, title, small, click) => make("li", { class: "start" }, make("button", { type: "button", click }, make("span", { class: "picture" }, icon(path)), make("b", {}, title), make("small", {}, small)));
  return [
    ...STARTS.map(([name, text, path]) => start(path, phrase("wall.draw"), phrase(`wall.start.${name}`), () => take({ text: text.replace("{mine}", phrase("wall.mine")), name: "" }))),
    start("M4 6h28M4 13h20M4 20h24M4 27h12", phrase("wall.write"), phrase("wall.start.text"), write),
    ...drafts().slice(0, 3).map((draft) => start("M8 27l2-8L26 3l6 6-16 16zM22 7l6 6", phrase("wall.continue", { name: nameOf(draft) }), new Date(draft.when).toLocaleString(document.documentElement.lang), () => take({ ...draft, saved: null }))),
  ];
}

function facts(puzzle) {
  const solutions = puzzle.solutions === "" ? phrase("wall.unknown") : puzzle.solutions === "0" ? phrase("wall.none") : phrase(puzzle.distinct === null ? "solutions.raw" : "solutions.n", { n: puzzle.solutions });
  return [puzzle.pieces && phrase("pieces.n", { n: puzzle.pieces }), solutions].filter(Boolean).join(" · ");
}

/** Gets the pictures of the cards that can be seen, a few at a time: `load` gets one by its name. */
export class Pictures {
  constructor(root, load = (name) => get(`pictures/${name}`)) {
    this.load = load;
    this.visible = new Set();
    this.running = 0;
    this.observer = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        if (isIntersecting) this.visible.add(target);
        else this.visible.delete(target);
      }
      this.next();
    }, { root, rootMargin: "400px" });
  }

  watch(card) {
    this.observer.observe(card);
  }

  async next() {
    const [card] = this.visible;
    if (!card || this.running >= AT_ONCE) return;
    this.visible.delete(card);
    this.observer.unobserve(card);
    this.running++;
    this.next();
    const { name } = card.dataset;
    try {
      if (!known.has(name)) known.set(name, await this.load(name));
      const found = known.get(name);
      if (found.svg) picture(card.querySelector(".picture") || card, found, "");
    } catch {
      // without a picture, the card shows only its words
    }
    this.running--;
    this.next();
  }
}
