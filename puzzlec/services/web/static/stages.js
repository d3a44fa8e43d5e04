// The stages of a puzzle, one after the other: its cells, its placements, the exact cover, and the search as a tree.

import { post } from "./api.js";
import { byId, choices, element, make, press, tell } from "./elements.js";
import { corners, middle, path } from "./stage.js";
import { page, puzzle, state } from "./state.js";
import { learn, phrase } from "./words.js";

await learn("stages");

const RULES = ["fewest", "first"];
const ROWS = 60; // rows of the matrix that are shown
const COLUMNS = 80;
const PACE = 1200; // milliseconds for each step
const CELL = 15; // px

let view = "search";
let choice = "fewest";
let board = null; // the cells of the board
let why = phrase("stages.empty"); // the text has no stages
let key = ""; // identifies the text and the settings of the shown stages
let found = null;
let frames = []; // steps of the search: [node, whether its option is being taken]
let tree = []; // nodes: { option, above, path, left, done, depth, kind, item, number }
let at = 0;
let sheet = 0; // of the matrix
let chosen = [0, 0]; // piece and placement
let timer = 0;
let visible = false;

export async function begin() {
  const style = make("link", { rel: "stylesheet", href: "stages.css" });
  const styled = new Promise((done) => (style.onload = style.onerror = done));
  document.head.append(style);
  await styled; // the first look would have no colours
  const names = ["cells", "placements", "cover", "search"];
  choices(byId("stage-views"), names.map((name) => [name, {}, phrase(`stages.${name}`)]), change);
}

/** Take the result of a check: the cells of the board, and whether the text has errors. */
export function read(result, empty) {
  board = result.stage?.cells ? result.stage : null;
  const faulty = (result.diagnostics || []).some((diagnostic) => diagnostic.severity === "error" && !/^PZ4/.test(diagnostic.code));
  why = empty ? phrase("stages.empty") : faulty || result.why !== "complete" ? phrase("stages.wait") : "";
  if (visible) load();
}

/** The pane is shown or hidden. */
export function seen(now) {
  visible = now;
  if (now) load();
  else stop();
}

async function load() {
  const asked = { ...puzzle(), choice, palette: state.palette };
  const wanted = JSON.stringify(asked);
  if (why || wanted === key) return why ? nothing(why) : null;
  key = wanted;
  stop();
  say(phrase("stages.loading"));
  let answer;
  try {
    answer = await post("stages", { ...asked, page });
  } catch (error) {
    answer = { message: error.message };
  }
  if (key !== wanted) return;
  if (!answer.texts) {
    key = "";
    return nothing(answer.message || phrase(answer.why === "faulty" ? "stages.wait" : "stages.slow"));
  }
  take(answer);
}

function nothing(words) {
  key = "";
  found = null;
  say(words);
  byId("stage-shown").replaceChildren();
  byId("stage-views").hidden = true;
}

const say = (words) => tell("stage-why", words);

function take(answer) {
  found = answer;
  for (const [item, [low, high]] of Object.entries(answer.cover?.bounds || {})) answer.cover.items[item] += low === high ? ` ×${low}` : ` ×${low}–${high < 1e9 ? high : "∞"}`;
  say("");
  byId("stage-views").hidden = false;
  sheet = at = 0;
  chosen = [0, 0];
  frames = [];
  tree = [];
  let solutions = 0;
  for (const [above, option, kind, item, branches, gone, done] of answer.nodes || []) {
    const over = tree[above];
    const left = new Set(over ? over.left : answer.cover.options.keys());
    for (const lost of [...gone, option]) left.delete(lost);
    tree.push({
      above, option, kind, item, branches, left, gone: gone.length, depth: over ? over.depth + 1 : 0,
      done: new Set([...(over ? over.done : []), ...done]), path: over ? (option < 0 ? over.path : [...over.path, option]) : [],
      number: kind === "solution" ? ++solutions : 0,
    });
    if (over) frames.push([tree.length - 1, true]);
    frames.push([tree.length - 1, false]);
  }
  draw();
}

function change(name) {
  view = name;
  stop();
  draw();
}

function draw() {
  if (!found) return;
  press(byId("stage-views"), [view]);
  const parts = { cells, placements, cover, search }[view]();
  byId("stage-shown").replaceChildren(make("p", { class: "remark" }, phrase(`stages.about.${view}`)), ...parts);
  if (view === "search" && found.cover) go(at);
  if (view === "placements" && found.cover) place();
}

const text = (given) => (given
  ? [make("pre", { class: "stage-text", tabindex: "0" }, given.text), given.lines > given.shown ? make("p", { class: "remark" }, phrase("stages.lines", { shown: given.shown, n: given.lines })) : null].filter(Boolean)
  : []);

const cells = () => text(found.texts.puzzle);

function placements() {
  const { cover } = found;
  if (!cover) return [make("p", { class: "remark" }, found.large), ...text(found.texts.fitting)];
  const names = cover.pieces.map((name, piece) => make("option", { value: piece, selected: piece === chosen[0] }, name));
  const piece = make("select", { "aria-label": phrase("stages.piece") }, names);
  const range = make("input", { type: "range", min: "0", "aria-label": phrase("stages.placement") });
  piece.addEventListener("change", () => {
    chosen = [Number(piece.value), 0];
    place();
  });
  range.addEventListener("input", () => {
    chosen[1] = Number(range.value);
    place();
  });
  const tools = make("div", { class: "tools", id: "placing" }, make("label", {}, `${phrase("stages.piece")} `, piece), make("label", { class: "layers" }, `${phrase("stages.placement")} `, range, make("output", {})));
  return [tools, make("div", { class: "stage-board", id: "stage-board" }), make("p", { class: "remark", id: "placed" }), ...text(found.texts.fitting)];
}

/** Show the chosen placement of the chosen piece. */
function place() {
  const { cover } = found;
  const own = [...cover.piece.keys()].filter((option) => cover.piece[option] === chosen[0]);
  const option = own[chosen[1]];
  const range = document.querySelector("#placing input");
  range.max = String(Math.max(0, own.length - 1));
  range.value = String(chosen[1]);
  document.querySelector("#placing output").textContent = own.length ? `${chosen[1] + 1} / ${own.length}` : "0";
  byId("placed").textContent = option === undefined ? "" : cover.labels[option];
  picture(option === undefined ? [] : [option]);
}

function cover() {
  if (!found.cover) return [make("p", { class: "remark" }, found.large)];
  const all = found.cover.options.length;
  const from = sheet * ROWS;
  const rows = [...Array(Math.min(ROWS, all - from)).keys()].map((row) => from + row);
  const turn = (step, words) => make("button", { type: "button", disabled: step < 0 ? !sheet : from + ROWS >= all, click: () => {
    sheet += step;
    draw();
  } }, words);
  const pager = all > ROWS ? make("div", { class: "tools" }, turn(-1, "◀"), make("span", {}, phrase("stages.rows", { from: from + 1, to: from + rows.length, n: all })), turn(1, "▶")) : null;
  return [pager, make("div", { class: "matrix", tabindex: "0", role: "group", "aria-label": phrase("stages.matrix") }, matrix(rows, tree[0], false)), ...limited()].filter(Boolean);
}

const limited = () => (found.cover.items.length > COLUMNS ? [make("p", { class: "remark" }, phrase("stages.columns", { columns: COLUMNS, n: found.cover.items.length }))] : []);

/** The matrix as a picture: the rows of some options at a node of the search. */
function matrix(rows, node, marked) {
  const { items, options, labels, primary, colours } = found.cover;
  const columns = Math.min(COLUMNS, items.length);
  const longest = (names) => Math.max(...names.map((name) => Math.min(26, name.length)), 1);
  const left = 8 + 7 * longest(rows.map((row) => labels[row]));
  const top = 10 + 6.5 * longest(items.slice(0, columns));
  const [wide, high] = [left + CELL * columns + 4, top + CELL * rows.length + 2];
  const short = (name) => (name.length > 26 ? `${name.slice(0, 25)}…` : name);
  const taken = new Set(marked ? node.path : []);
  const parts = [];
  const rect = (x, y, width, height, kind) => parts.push(element("rect", { x, y, width, height, class: kind }));
  if (marked && node.item >= 0 && node.item < columns) rect(left + CELL * node.item, 0, CELL, high, "chosen");
  items.slice(0, columns).forEach((name, item) => {
    const x = left + CELL * (item + 0.7);
    const gone = marked && node.done.has(item);
    parts.push(element("text", { x, y: top - 5, transform: `rotate(-90 ${x} ${top - 5})`, class: `${gone ? "gone" : ""} ${item >= primary ? "secondary" : ""}` }, short(name)));
  });
  rows.forEach((option, row) => {
    const y = top + CELL * row;
    const kind = taken.has(option) ? "taken" : marked && !node.left.has(option) ? "gone" : marked && options[option].includes(node.item) ? "of" : "";
    const dots = options[option].filter((item) => item < columns).map((item) => {
      const x = left + CELL * (item + 0.5);
      const colour = colours[option]?.[item];
      return colour ? element("text", { x, y: y + CELL - 4, "text-anchor": "middle", class: "colour" }, colour.slice(0, 2)) : element("circle", { cx: x, cy: y + CELL / 2, r: 4.5 });
    });
    parts.push(element("g", { class: `row ${kind}` },
      element("rect", { x: 0, y, width: wide, height: CELL }),
      element("text", { x: left - 6, y: y + CELL - 4, "text-anchor": "end" }, short(labels[option])),
      ...dots));
  });
  const grid = [];
  for (let column = 0; column <= columns; column++) grid.push(`M${left + CELL * column} ${top}V${high - 2}`);
  for (let row = 0; row <= rows.length; row++) grid.push(`M${left} ${top + CELL * row}H${left + CELL * columns}`);
  parts.push(element("path", { d: grid.join(""), class: "grid" }));
  return element("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img", "aria-label": phrase("stages.matrix") }, ...parts);
}

function search() {
  if (!found.cover) return [make("p", { class: "remark" }, found.large)];
  const button = (name, sign, act) => make("button", { type: "button", id: `step-${name}`, "aria-label": phrase(`stages.step.${name}`), title: phrase(`stages.step.${name}`), click: act }, sign);
  const range = make("input", { type: "range", id: "step", min: "0", max: String(frames.length - 1), "aria-label": phrase("stages.step") });
  range.addEventListener("input", () => {
    stop();
    go(Number(range.value));
  });
  const rule = make("select", { id: "step-rule", "aria-label": phrase("stages.rule") }, RULES.map((name) => make("option", { value: name, selected: name === choice }, phrase(`stages.rule.${name}`))));
  rule.addEventListener("change", () => {
    choice = rule.value;
    load();
  });
  const moved = (goal) => () => {
    stop();
    go(goal());
  };
  const solution = () => {
    const next = frames.findIndex(([node, taking], frame) => frame > at && !taking && tree[node].kind === "solution");
    return next < 0 ? frames.length - 1 : next;
  };
  return [
    make("div", { class: "tools" },
      make("span", { class: "group" }, button("first", "|◀", moved(() => 0)), button("back", "◀", moved(() => at - 1)), make("button", { type: "button", id: "step-play", click: play }, phrase("stages.play")), button("on", "▶", moved(() => at + 1)), button("last", "▶|", moved(() => frames.length - 1)), button("solution", "★", moved(solution))),
      make("label", { class: "layers" }, range, make("output", { id: "step-told" })),
      make("label", {}, `${phrase("stages.rule")} `, rule)),
    make("p", { id: "step-words", role: "status" }),
    make("div", { class: "stage-both" },
      make("div", { class: "stage-board", id: "stage-board" }),
      make("div", { class: "tree", tabindex: "0", role: "group", "aria-label": phrase("stages.tree") }, make("ol", { id: "tree" }, tree.map(branch)))),
    make("p", { class: "remark" }, phrase(found.whole ? "stages.whole" : "stages.beginning", { nodes: phrase("nodes", { n: tree.length }), solutions: phrase("solutions.n", { n: tree.filter((node) => node.number).length }) })),
    make("div", { class: "matrix", id: "step-matrix", tabindex: "0", role: "group", "aria-label": phrase("stages.matrix") }),
    make("p", { class: "remark", id: "step-limits", hidden: true }),
    ...limited(),
  ];
}

/** A node as a row of the tree. */
function branch(node, number) {
  const mark = { branch: "", dead: "✕ ", solution: "★ " }[node.kind];
  const words = node.above < 0 ? phrase("stages.start") : node.option < 0 ? phrase("stages.none", { item: found.cover.items[tree[node.above].item] }) : found.cover.labels[node.option];
  const row = make("button", { type: "button", class: node.kind, click: () => {
    stop();
    go(frames.findIndex(([other, taking]) => other === number && !taking));
  } }, mark + words);
  // The policy of the page forbids styles in attributes, but not as properties.
  row.style.paddingLeft = `${8 + 14 * Math.min(16, node.depth)}px`;
  return make("li", { hidden: true }, row);
}

/** Show a step of the search. */
function go(frame) {
  if (!frames.length) return;
  at = Math.max(0, Math.min(frames.length - 1, frame));
  const [number, taking] = frames[at];
  const node = tree[number];
  byId("step").value = String(at);
  byId("step-told").textContent = `${at + 1} / ${frames.length}`;
  for (const name of ["first", "back"]) byId(`step-${name}`).disabled = at === 0;
  for (const name of ["on", "last", "solution"]) byId(`step-${name}`).disabled = at === frames.length - 1;
  const { items, labels, options } = found.cover;
  const item = node.item >= 0 ? items[node.item] : "";
  const own = node.item >= 0 ? options.reduce((sum, entries, option) => sum + (node.left.has(option) && entries.includes(node.item)), 0) : 0;
  const took = () => (number - 1 === node.above ? "" : `${phrase("stages.again")} `) + (node.option < 0 ? phrase("stages.none", { item: items[tree[node.above].item] }) : phrase("stages.take", { option: labels[node.option], n: node.gone }));
  byId("step-words").className = taking ? "" : node.kind;
  byId("step-words").textContent = taking ? took() : node.kind === "branch" ? phrase(`stages.branch.${choice}`, { item, left: own }) : node.kind === "dead" ? phrase("stages.dead", { item }) : phrase("stages.solved", { number: node.number });
  const shown = { ...node, item: taking ? tree[node.above].item : node.item };
  picture(node.path, shown.item);
  const rows = chosenRows(shown);
  byId("step-matrix").replaceChildren(matrix(rows, shown, true));
  byId("step-limits").hidden = rows.length === options.length;
  byId("step-limits").textContent = phrase("stages.some", { rows: rows.length, n: options.length });
  [...byId("tree").children].forEach((row, other) => {
    row.hidden = other > number;
    if (other === number) row.firstChild.setAttribute("aria-current", "step");
    else row.firstChild.removeAttribute("aria-current");
  });
  const box = byId("tree").parentElement;
  const row = byId("tree").children[number];
  box.scrollTop = Math.max(0, row.offsetTop - box.offsetTop - box.clientHeight / 2);
}

/** The options of the matrix at a node: all, or those that matter most. */
function chosenRows(node) {
  const { options } = found.cover;
  if (options.length <= ROWS) return [...options.keys()];
  const own = [...node.left].filter((option) => options[option].includes(node.item));
  return [...new Set([...node.path, ...own, ...node.left])].slice(0, ROWS).sort((one, other) => one - other);
}

function play() {
  if (timer) return stop();
  if (at === frames.length - 1) go(0);
  playing(true);
  timer = setInterval(() => {
    go(at + 1);
    if (at === frames.length - 1) stop();
  }, PACE);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  if (byId("step-play")) playing(false);
}

function playing(on) {
  byId("step-play").textContent = phrase(on ? "stages.pause" : "stages.play");
}

/** Draw the board with the placements of some options, its layers side by side. An item that is a location is marked. */
function picture(options, item = -1) {
  const host = byId("stage-board");
  host.hidden = !board || board.cells.length !== found.cover.locations;
  if (host.hidden) return;
  const { places, piece, fills, pieces, options: rows } = found.cover;
  const own = new Map();
  const often = new Map();
  for (const option of options) {
    const copy = often.get(piece[option]) || 0;
    if (places[option].length) often.set(piece[option], copy + 1);
    for (const location of places[option]) own.set(location, [option, fills[piece[option]][copy % fills[piece[option]].length]]);
  }
  // The item of a location is the one that all options on it share.
  const marked = item < 0 ? new Set() : common(places.filter((_, option) => rows[option].includes(item)));
  const heights = [...new Set(board.solid ? board.cells.map((cell) => middle(board, cell)[2]) : [0])].sort((one, other) => one - other);
  const ends = board.cells.flatMap((cell) => corners(board, cell));
  const [left, right] = [Math.min, Math.max].map((end) => end(...ends.map(([x]) => x)));
  const [top, bottom] = [Math.min, Math.max].map((end) => end(...ends.map(([, y]) => y)));
  const unit = Math.max(...board.steps.slice(0, 3).map((step) => Math.hypot(...step)));
  const gap = (board.steps[3] ? 3 : 0.6) * unit; // wider than between the sections of four dimensions
  const step = right - left + gap;
  const drawn = board.cells.map((cell, location) => {
    const layer = board.solid ? heights.indexOf(middle(board, cell)[2]) : 0;
    const outline = path(corners(board, cell).map(([x, y]) => [x + layer * step, y]));
    const [option, fill] = own.get(location) || [];
    const look = element("path", { d: outline, class: `${board.edges ? "edge" : "face"}${marked.has(location) ? " marked" : ""}` });
    if (fill) look.style[board.edges ? "stroke" : "fill"] = fill;
    if (option !== undefined) look.append(element("title", {}, pieces[piece[option]]));
    return look;
  });
  drawn.sort((one, other) => one.classList.contains("marked") - other.classList.contains("marked"));
  const pad = 0.15 * unit;
  const whole = heights.length * step - gap;
  const svg = element("svg", { viewBox: [left - pad, top - pad, whole + 2 * pad, bottom - top + 2 * pad].join(" "), role: "img", "aria-label": phrase("check.board") }, ...drawn);
  svg.style.width = `${Math.round(((whole + 2 * pad) / unit) * 36)}px`;
  svg.style.setProperty("--unit", unit);
  host.replaceChildren(svg);
}

/** The locations that are in all lists, if there is exactly one: then the item is a location, not a piece. */
function common(lists) {
  if (!lists.length) return new Set();
  const shared = new Set(lists[0].filter((spot) => lists.every((list) => list.includes(spot))));
  return shared.size === 1 ? shared : new Set();
}
