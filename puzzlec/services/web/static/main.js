// The page: this module joins the others.

import { get, Refused, takeToken, warm } from "./api.js";
import * as checking from "./checking.js";
import * as completing from "./completing.js";
import * as dialogs from "./dialogs.js";
import { Editor, isFind, isUndo } from "./editor.js";
import { byId, make } from "./elements.js";
import * as exploring from "./exploring.js";
import * as files from "./files.js";
import { Highlighter } from "./highlight.js";
import { decoded } from "./links.js";
import * as painting from "./painting.js";
import * as play from "./play.js";
import * as solving from "./solving.js";
import { keepDraft, unsaved } from "./drafts.js";
import { embedded, local } from "./storage.js";
import { toast } from "./toast.js";
import * as tray from "./tray.js";
import { wall } from "./wall.js";
import { isDirty, recall, state, store, titleOf, unique } from "./state.js";
import * as words from "./words.js";

const { phrase, translated } = words;
const WRAP = "puzzlec-wrap", SPLIT = "puzzlec-split"; // the names of settings in the storage
const narrow = matchMedia("(max-width: 720px)");
const editor = new Editor(byId("editor"));
let known = null;
let highlighter = null;
let keeping = 0;
let stages = null; // the module of the pane, once it was opened
let checked = [{}, true]; // the result of the last check, and whether the text is empty
let opened = true; // whether the text is another puzzle
let kept = true; // whether the text survives a reload
let pieces = new Map(); // the pieces in the text that was checked last, by their names
let writing = false; // whether the editor is unfolded

/** Store the text, and look for its parameters. */
function keep() {
  const before = kept;
  kept = store();
  if (before && !kept) toast(phrase("main.kept"));
  given();
}

/** Show the name and the format of the text. */
function refresh() {
  named();
  emptied();
  byId("format").value = state.format;
  const speaks = state.format || byEnding() || byId("format").dataset.found || "puzzle";
  editor.speak(speaks === "puzzle" ? highlighter : null);
  solving.refresh();
  given();
}

/** Show the wall of puzzles as long as the text is empty; the editor is folded until the user writes. */
function emptied() {
  const empty = !state.text.trim();
  writing = writing || !empty;
  const { classList } = document.querySelector("main");
  classList.toggle("empty", empty);
  classList.toggle("folded", !writing);
  if (empty === Boolean(byId("wall").firstChild)) return;
  byId("wall").replaceChildren(...(empty ? [wall((name) => files.fromCatalogue(name, true), { take, write })] : []));
  if (!writing && !narrow.matches) byId("wall").querySelector("[type=search]").focus();
}

/** Unfold the empty editor. */
function write() {
  writing = true;
  emptied();
  part("text");
  byId("source").focus();
}

/** Show the name of the file, the example or the puzzle of the catalogue. A text with a new title has its own name. */
function named() {
  const example = state.catalogue.startsWith("new/");
  const title = titleOf(state.text);
  const other = isDirty() && title !== titleOf(state.saved);
  const begun = other ? "" : example ? phrase("main.example", { name: state.catalogue.slice(4) }) : state.catalogue;
  byId("name").textContent = state.name || begun || title || phrase("untitled");
  byId("name").title = state.name ? where() : phrase(!begun ? "unsaved" : example ? "main.isExample" : "main.isKnown");
  byId("dirty").hidden = !isDirty();
}

/** Where files are: in the folder of the server, or with the downloads. */
const where = () => (known.folder === null ? phrase("main.download") : phrase("main.inFolder", { folder: known.folder }));

const byEnding = () => {
  const file = state.name || state.file || "";
  return file.endsWith(".puzzle") ? "puzzle" : file.includes(".") ? "other" : "";
};

/** Show fields for options of the text: parameters, board and problem. */
function given() {
  const found = state.format || byId("format").dataset.found || "";
  const fields = [];
  const field = (label, value, hint, change) => {
    const input = make("input", { type: "text", value, placeholder: hint, spellcheck: "false", "aria-label": label });
    input.addEventListener("input", () => {
      change(input.value.trim());
      store();
      solving.compare();
      checking.soon();
    });
    fields.push(make("label", {}, label, input));
  };
  const numbers = new Map();
  // A value that is a number is changed in the text: as a number, or with a slider.
  const number = (name, value) => {
    const write = (text) => {
      const found = new RegExp(`^([ \\t]*param[ \\t]+${name}[ \\t]*=[ \\t]*)(\\d+)`, "mu").exec(state.text);
      if (!found || !/^\d{1,9}$/.test(text) || found[2] === text) return;
      const start = found.index + found[1].length;
      editor.apply([[start, start + found[2].length, text]], `param ${name}`);
      checking.soon(true);
    };
    const input = make("input", { type: "number", min: "0", value, "aria-label": name });
    const range = make("input", { type: "range", min: "0", max: String(Math.max(12, 2 * Number(value))), value, "aria-label": phrase("main.slider", { name }) });
    for (const control of [input, range]) control.addEventListener("input", () => write(control.value));
    numbers.set(name, { value, inputs: [input, range] });
    fields.push(make("label", {}, name, input), range);
    delete state.parameters[name];
  };
  const names = new Set();
  if (!found || found === "puzzle") {
    for (const [, name, value] of state.text.matchAll(/^[ \t]*param[ \t]+([\p{L}_][\p{L}\p{N}_]*)[ \t]*=[ \t]*([^#\n]*)/gmu)) {
      if (names.has(name)) continue;
      names.add(name);
      if (/^\d{1,9}$/.test(value.trim())) number(name, value.trim());
      else field(name, state.parameters[name] || "", value.trim(), (text) => (state.parameters[name] = text));
    }
  }
  for (const name of Object.keys(state.parameters)) if (!names.has(name)) delete state.parameters[name];
  if (known.pieces_only.includes(found)) field(phrase("given.board"), state.board, "6x10", (text) => (state.board = text));
  else state.board = "";
  if (known.problems.includes(found)) field(phrase("given.problem"), state.problem, "1", (text) => (state.problem = text));
  else state.problem = "";
  solving.compare();
  const shape = `${found} ${[...names]} ${[...numbers.keys()]} ${fields.length} ${state.name} ${state.catalogue}`;
  const element = byId("given");
  element.hidden = !fields.length;
  if (element.dataset.shape === shape) {
    // The user may be typing there, so only other values are written.
    for (const { value, inputs } of numbers.values()) {
      for (const control of inputs) {
        const old = element.querySelector(`[aria-label="${control.getAttribute("aria-label")}"]`);
        if (old && old !== document.activeElement && old.value !== value) old.value = value;
      }
    }
    return;
  }
  element.dataset.shape = shape;
  element.replaceChildren(...fields);
}

/** Put another text into the editor (null: only its name has changed). Its `link` has brought it, or null. */
function take(found, link = null) {
  if (found) {
    keepDraft();
    const { text, saved = text, format = "", parameters = {}, board = "", problem = "" } = found;
    Object.assign(state, { name: found.name, catalogue: found.catalogue || "", digest: found.digest || null, file: found.file || "" });
    Object.assign(state, { text, saved, format, parameters, board, problem, draft: found.id || unique() });
    byId("format").dataset.found = "";
    byId("notice").hidden = true;
    byId("given").dataset.shape = "";
    solving.leave(link);
    checking.opened();
    editor.text = found.text;
    opened = true;
    if (!link?.solution && document.querySelector("main").dataset.part === "solutions") part("puzzle"); // the result belongs to another puzzle
  }
  const address = state.catalogue && !state.catalogue.startsWith("new/") ? `#${state.catalogue}` : location.pathname + location.search;
  if (!embedded) history.replaceState(null, "", address);
  refresh();
  kept = store();
  keepDraft();
  checking.soon(true);
}

/** Return the link in the address: null without one, and the error if it is damaged. */
const linkThere = async () => (location.hash.length < 2 ? null : decoded(location.hash).catch((error) => error));

/** Open what a link names. An unsaved text becomes a draft, and a notice offers it. Returns whether it is open. */
async function follow(link) {
  if (!link) return false;
  const left = unsaved();
  try {
    if (link instanceof Error) throw link;
    if (link.text === undefined) {
      if (!(await files.fromCatalogue(link.catalogue, false, link))) return true; // another puzzle was opened meanwhile
    } else {
      const { text, format, board, problem, parameters } = link;
      take({ text, format, board, problem, parameters, name: "", saved: "" }, link);
    }
  } catch (error) {
    toast(error.message);
    take(null);
    return false;
  }
  if (left && left.text !== state.text) offer(left);
  if (link.part) part(link.part);
  else if (link.solution || embedded) part("solutions");
  else if (narrow.matches) part("puzzle");
  solving.reach(link);
  return true;
}

/** Offer a draft that a link has replaced. */
function offer(draft) {
  const notice = byId("notice");
  notice.className = "";
  notice.replaceChildren(
    make("span", {}, phrase("main.draft", { name: draft.name || titleOf(draft.text) || draft.catalogue || phrase("untitled") })),
    make("button", { type: "button", click: () => take({ ...draft, saved: null }) }, phrase("main.draft.open")),
    make("button", { type: "button", click: () => (notice.hidden = true) }, phrase("close")),
  );
  notice.hidden = false;
}

/** Whether the address is that of the text itself, after a reload of this tab. */
function isReloaded(recalled) {
  const [navigation] = performance.getEntriesByType("navigation");
  return recalled === "tab" && navigation?.type !== "navigate" && location.hash.slice(1) === state.catalogue;
}

function keys(event) {
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key === "Enter") {
    event.preventDefault();
    if (!byId("dialog").open) run();
  } else if (control && event.key.toLowerCase() === "s") {
    event.preventDefault();
    if (!byId("dialog").open) files.save(event.shiftKey);
  } else if (event.altKey && !control && event.code === "KeyZ") {
    event.preventDefault();
    wrap(!editor.wraps);
  } else if (isUndo(event) && !event.target.closest("input, textarea, dialog")) {
    event.preventDefault();
    if (event.shiftKey || event.key.toLowerCase() === "y") editor.redo();
    else editor.undo();
  } else if (event.key === "Escape" && !byId("dialog").open) solving.cancel();
}

/** Wrap the long lines of the editor, or scroll them, also after a reload. */
function wrap(on) {
  editor.wrap(on);
  byId("wrap").setAttribute("aria-pressed", String(on));
  try {
    local.setItem(WRAP, on ? "on" : "off");
  } catch {
    // no room: the next page wraps lines
  }
}

/** Open the bar to find words with its button or Ctrl-F. It is loaded when the editor is used first. */
function lookFor() {
  let bar = null;
  const load = () => (bar ??= import("./finding.js").then((finding) => finding.begin(editor)));
  const open = async () => (await load())();
  editor.area.addEventListener("focus", load, { once: true });
  editor.area.addEventListener("keydown", (event) => {
    if (!isFind(event)) return;
    event.preventDefault();
    open();
  });
  byId("find").addEventListener("click", open);
}

/** Explain what is under the mouse, or at the cursor with Ctrl-I. The module is loaded when it is used first. */
function explainNames() {
  let meaning = null;
  const load = () => (meaning ??= import("./explaining.js").then((all) => all.begin(editor, () => Boolean(editor.highlighter))));
  editor.area.addEventListener("pointermove", load, { once: true });
  editor.area.addEventListener("keydown", async (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== "i") return;
    event.preventDefault();
    (await load())();
  });
}

/** Let the divider change the width of the text: with a pointer, with arrow keys, and to the usual one by a double click. */
function divide() {
  const divider = byId("divider"), main = document.querySelector("main");
  const set = (part) => {
    const shown = Math.round(Math.max(20, Math.min(75, part)));
    main.style.setProperty("--split", shown);
    divider.setAttribute("aria-valuenow", shown);
    editor.draw();
    local.setItem(SPLIT, shown);
  };
  const now = () => Number(divider.getAttribute("aria-valuenow"));
  divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
  divider.addEventListener("pointermove", (event) => {
    const { left, width } = main.getBoundingClientRect();
    if (divider.hasPointerCapture(event.pointerId)) set((100 * (event.clientX - left)) / width);
  });
  divider.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -2, ArrowRight: 2, Home: -100, End: 100 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(now() + step);
  });
  divider.addEventListener("dblclick", () => set(42));
  set(Number(local.getItem(SPLIT)) || 42);
}

/** On a phone, the buttons for files are a menu: a click on one, or anywhere else, closes it. */
function menu() {
  const opener = byId("menu-open");
  const show = (open) => opener.setAttribute("aria-expanded", String(open));
  document.addEventListener("click", ({ target }) => show(opener.contains(target) && opener.getAttribute("aria-expanded") === "false"));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && show(false));
  byId("menu").addEventListener("click", () => opener.focus()); // the dialog gives the focus back
}

function run() {
  part("solutions");
  solving.start();
}

/** Show the board and the pieces of a checked text. They can be painted if the text can be read. */
function stage(found) {
  if (!found.stage && found.why !== "complete") {
    painting.forget();
    tray.forget();
    play.forget();
  }
  const fault = (found.diagnostics || []).find((diagnostic) => diagnostic.severity === "error");
  const where = fault?.span ? phrase("main.faulty", { line: fault.span.start.line }) : phrase("main.unreadable");
  const why = !state.text.trim() ? phrase("main.empty") : checking.unfinished(found.why, found.message) || phrase("main.correct", { where });
  painting.whenIdle(() => {
    painting.show(found.stage || null, why, opened);
    painting.prove(found.proof);
    tray.show(found.stage || null, found.pieces, why);
    if (opened) play.forget();
    play.show(Boolean(found.stage), why);
    byId("board").hidden = Boolean(found.stage?.cells) && !found.stage.picture;
    checking.before(Boolean(state.text.trim()) && !found.numbers);
    opened = false;
  });
}

/** Show a part of the page, if there is room for only one or two. With two, the text is always visible. */
function part(name) {
  document.querySelector("main").dataset.part = name;
  play.visible(name === "play");
  const seen = name === "text" && !narrow.matches ? "puzzle" : name;
  for (const tab of document.querySelectorAll("#tabs [role=tab]")) {
    const chosen = tab.id === `tab-${seen}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
  if (stages || name === "stages") explain();
  editor.draw();
}

/** Show or leave the pane of the stages. It is loaded when it is opened first. */
async function explain() {
  stages ??= import("./stages.js").then(async (all) => {
    await all.begin();
    all.read(...checked);
    return all;
  });
  (await stages).seen(document.querySelector("main").dataset.part === "stages");
}

/** Show the wall of puzzles. The text can be saved first, and an unsaved one is kept as a draft. */
async function home() {
  if (!(await files.mayLeave())) return;
  writing = false;
  take({ text: "", name: "" });
  part(narrow.matches ? "puzzle" : "text");
}

function help() {
  const keys = ["solve", "cancel", "save", "complete", "explain", "find", "comment", "duplicate", "wrap", "tab", "undo", "paint", "layers", "play"];
  dialogs.ask(phrase("help"), () => make("div", { class: "prose", tabindex: "0", role: "group", "aria-label": phrase("help") },
    make("p", {}, phrase("help.write")),
    make("p", {}, phrase("help.files")),
    make("dl", {}, keys.flatMap((name) => [make("dt", {}, phrase(`help.key.${name}`)), make("dd", {}, phrase(`help.does.${name}`))])),
    make("p", {}, `${phrase("help.limits", { seconds: known.seconds, memory: Math.round(known.memory / 2 ** 20) })} ${phrase(known.folder === null ? "help.faster" : "help.options")} ${phrase("help.version", { version: known.version })}`)));
}

/** Wait until the browser has painted. It does not paint a page that is hidden. */
const painted = () => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 200);
});

async function begin() {
  await takeToken();
  const link = await linkThere();
  const pictured = Boolean(link?.shown && link.solution && !link.part);
  if (!pictured) warm();
  dialogs.begin();
  words.begin();
  try {
    known = await get("start");
  } catch (error) {
    const notice = byId("notice");
    notice.className = "bad";
    notice.textContent = error instanceof Refused ? error.message : String(error);
    notice.hidden = false;
    return; // the page stays inert: nothing can be checked or saved
  }
  document.documentElement.classList.toggle("embedded", embedded);
  if (embedded) Object.assign(byId("whole"), { hidden: false, href: location.href.replace("&embed=1", ""), textContent: phrase("whole") });
  const recalled = recall();
  exploring.begin();
  byId("exploring-hand").addEventListener("click", () => {
    part("play");
    play.apart();
  });
  solving.begin(exploring.attach, known);
  if (pictured) {
    // The picture needs neither the text nor the compiler, so both wait for it.
    part("solutions");
    solving.foresee(link);
    await painted();
    warm();
  }
  highlighter = new Highlighter(known.syntax);
  byId("where").textContent = known.folder === null ? phrase("main.here") : phrase("main.folder", { folder: known.folder });
  byId("format").append(make("option", { value: "" }, phrase("main.auto")), ...known.readable.map((name) => make("option", { value: name }, name)));
  checking.begin(editor, (found) => {
    if (found.format && byId("format").dataset.found !== found.format) {
      byId("format").dataset.found = found.format;
      byId("format").options[0].textContent = `${phrase("main.auto")}: ${found.format}`;
      refresh();
    }
    pieces = new Map((found.pieces || []).map((piece) => [piece.name, piece]));
    stage(found);
    checked = [found, !state.text.trim()];
    stages?.then((all) => all.read(...checked));
  });
  completing.begin(editor, () => Boolean(editor.highlighter), () => pieces);
  explainNames();
  lookFor();
  wrap(local.getItem(WRAP) !== "off");
  byId("wrap").addEventListener("click", () => wrap(!editor.wraps));
  divide();
  menu();
  painting.begin(editor);
  tray.begin(known);
  files.begin(known, take, write);
  byId("share").addEventListener("click", async () => (await import("./sharing.js")).share(known.exports));
  editor.addEventListener("change", () => {
    if (state.text === editor.text) return;
    state.text = editor.text;
    named();
    emptied();
    solving.compare();
    clearTimeout(keeping);
    keeping = setTimeout(keep, 150);
    checking.soon();
  });
  window.addEventListener("pagehide", () => {
    kept = store();
    keepDraft();
  });
  window.addEventListener("beforeunload", (event) => {
    if (isDirty() && !store()) event.preventDefault(); // the text would be lost
  });
  editor.text = state.text;
  const format = byId("format");
  format.addEventListener("change", () => {
    state.format = format.value;
    take(null);
  });
  byId("help").addEventListener("click", help);
  byId("home").addEventListener("click", home);
  byId("home").disabled = false;
  byId("solve").addEventListener("click", () => part("solutions"));
  for (const tab of document.querySelectorAll("#tabs [role=tab]")) {
    tab.addEventListener("click", () => part(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const tabs = [...document.querySelectorAll("#tabs [role=tab]")].filter((other) => other.offsetParent);
      if (!step) return;
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      next.focus();
      part(next.id.slice(4));
    });
  }
  narrow.addEventListener("change", () => part(document.querySelector("main").dataset.part));
  if (!pictured) part("text");
  for (const opener of document.querySelectorAll("[data-open]")) {
    opener.addEventListener("click", () => files.fromCatalogue(opener.dataset.open, true));
  }
  document.addEventListener("keydown", keys);
  window.addEventListener("hashchange", async () => follow(await linkThere()));
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof Refused) {
      event.preventDefault();
      toast(event.reason.message);
    }
  });
  for (const area of document.querySelectorAll("main, body > header nav")) area.inert = false; // a click has an effect from now on
  if (!isReloaded(recalled) && (await follow(link))) return;
  if (pictured) {
    solving.leave(); // the picture has no text
    part("text");
  }
  if (!recalled) {
    if (narrow.matches) part("puzzle");
    take({ text: "", name: "" });
  } else {
    refresh();
    checking.soon(true);
    solving.resume();
    if (solving.isSolving()) part("solutions");
  }
}

begin();
