// Checks of the text as it is typed: errors, numbers, board and pieces.

import { get, post } from "./api.js";
import { places } from "./editor.js";
import { byId, grouped, make, picture, say, withCode } from "./elements.js";
import { page, puzzle, state, titleOf } from "./state.js";
import { language, phrase, translated } from "./words.js";

const PAUSE = 250; // milliseconds after the last key
const SLOW = 1000; // milliseconds until the page says that a changed text is being checked
let timer = 0;
let asked = 0;
let editor = null;
let onRead = () => {};
let another = false; // whether the text is another puzzle

export function begin(chosen, read) {
  editor = chosen;
  onRead = read;
}

/** Check the text after a pause in the typing. */
export function soon(now = false) {
  clearTimeout(timer);
  asked++; // answers about older texts are ignored
  byId("shown").classList.add("stale");
  byId("verdict").classList.add("stale");
  timer = setTimeout(check, now ? 0 : PAUSE);
}

async function check() {
  const number = ++asked;
  const text = state.text;
  if (!text.trim()) {
    forget();
    say("verdict", phrase("check.empty"), "");
    showErrors([], text);
    onRead({ diagnostics: [] });
    return;
  }
  const fresh = another;
  another = false;
  const busy = () => {
    if (number !== asked) return;
    say("verdict", phrase("check.busy"), "busy");
    byId("verdict").classList.add("stale");
  };
  const slow = setTimeout(busy, SLOW);
  if (fresh) {
    busy();
    preview(number);
  }
  let found;
  try {
    found = await post("check", { ...puzzle(), page, palette: state.palette, fresh });
  } catch (error) {
    if (number !== asked) return;
    say("verdict", error.message, "bad");
    before();
    return;
  } finally {
    clearTimeout(slow);
  }
  if (number !== asked) return;
  if (found.why === "newer") return check(); // another request about this text has ended the check
  onRead(found);
  const list = found.diagnostics || [];
  showErrors(list, text);
  if (found.numbers) showPuzzle(found);
  else if (found.why !== "complete") forget(); // nothing is known about this text, not even its errors
  if (!found.numbers) document.title = titled(titleOf(text));
  verdict(list, found.why, found.message);
}

/** Show the stored picture of a puzzle of the catalogue until its check has an answer. */
async function preview(number) {
  if (!state.catalogue || state.catalogue.startsWith("new/")) return;
  const found = await get(`pictures/${state.catalogue}`).catch(() => ({}));
  if (number !== asked || !found.svg || !byId("verdict").classList.contains("busy")) return;
  byId("board").hidden = false;
  picture(byId("board"), found, phrase("check.board"));
}

/** Mark the puzzle as older than the text, if one is shown. */
export function before(old = true) {
  const said = old && Boolean(byId("numbers").firstChild);
  byId("before").hidden = !said;
  for (const name of ["shown", "title", "lattice"]) byId(name).classList.toggle("stale", said);
}

/** Another puzzle is in the editor: the check of the last one ends at once. */
export function opened() {
  forget();
  another = true;
}

/** Remove the puzzle, which belongs to another text. */
function forget() {
  form = null;
  for (const name of ["shown", "title", "lattice"]) byId(name).classList.remove("stale");
  byId("title").textContent = phrase("puzzle");
  document.title = titled("");
  for (const name of ["before", "lattice"]) byId(name).hidden = true;
  for (const name of ["numbers", "board"]) byId(name).replaceChildren();
}

const titled = (title) => (title ? `${title} – puzzlec` : "puzzlec");

/** Return in words why a check has no result; empty if it has one. */
export function unfinished(why, bug) {
  if (why === "seconds") return phrase("check.slow");
  if (why === "memory") return phrase("check.memory");
  return why === "complete" ? "" : phrase("check.bug", { bug: bug || why });
}

function verdict(list, why, bug) {
  const errors = list.filter((fault) => fault.severity === "error").length;
  const warnings = list.filter((fault) => fault.severity === "warning").length;
  const words = [errors && phrase("errors", { n: errors }), warnings && phrase("warnings", { n: warnings })].filter(Boolean).join(", ");
  const ended = unfinished(why, bug);
  if (ended) say("verdict", ended, why === "seconds" ? "" : "bad");
  else say("verdict", words || phrase("check.good"), errors ? "bad" : words ? "" : "good");
}

let form = null; // the form of the last puzzle that was read

/** Whether a setting applies, if it is only for some puzzles: flat pieces, edges, balls or solids. */
export const suits = (only) => !only || form === null || form.includes(only);

let listed = [];

const told = (fault) => [fault.code, fault.message, fault.span?.start.offset].join(" ");

/** Whether a diagnostic is already below the text. */
export const isListed = (fault) => listed.includes(told(fault));

/** Show diagnostics below the text, and mark their places. */
function showErrors(list, text) {
  listed = list.map(told);
  const place = places(text);
  const marks = [];
  for (const fault of list) {
    if (!fault.span) continue;
    const start = place(fault.span.start.offset);
    const end = place(fault.span.end.offset);
    marks.push({ start, end, severity: fault.severity, text: text.slice(start, end) });
  }
  editor.show(marks);
  byId("faults").replaceChildren(...list.map((fault) => make("li", {}, diagnostic(fault, text), fixes(fault, text))));
}

/** Return a diagnostic as an element. A click goes to its place in the text. */
export function diagnostic(fault, text) {
  const place = places(text);
  const { span } = fault;
  const { message, notes, helps } = { ...fault, ...fault.said?.[language] };
  const goTo = () => span && editor.goTo(place(span.start.offset), place(span.end.offset));
  const line = span ? text.split("\n")[span.start.line - 1] : "";
  return make("button", { type: "button", class: `diagnostic ${fault.severity}`, click: goTo },
    make("p", { class: "message" },
      span && make("span", { class: "place" }, phrase("check.line", { line: span.start.line, code: fault.code })),
      withCode(make("span"), message)),
    line && line.trim() ? make("pre", {}, line.trim().slice(0, 120)) : null,
    notes.map(noted),
    helps.map((help) => withCode(make("p", { class: "help" }, "→ "), help)));
}

/** Return buttons for the fixes of a diagnostic, which change the text; null without any. */
function fixes(fault, text) {
  const place = places(text);
  const apply = (edits) => {
    if (state.text !== text) return;
    editor.apply(edits.map(([start, end, fresh]) => [place(start), place(end), fresh]), null);
    editor.area.focus({ preventScroll: true });
    soon(true);
  };
  const found = (fault.fixes || []).map(({ title, edits }) => withCode(make("button", { type: "button", click: () => apply(edits) }), title));
  return found.length ? make("p", { class: "fixes" }, found) : null;
}

/** Return a note as an element. The lines after the first one are a drawing. */
function noted(note) {
  const [first, ...drawn] = note.split("\n");
  const said = withCode(make("p", { class: "note" }), first);
  return drawn.length ? make("div", {}, said, make("pre", { class: "note" }, drawn.join("\n"))) : said;
}

function showPuzzle(found) {
  form = found.form || null;
  // Without a title, the name of the file is the title. A changed example is no longer that file.
  const title = state.catalogue === `new/${found.title}` ? "" : found.title;
  byId("title").textContent = title || phrase("puzzle");
  document.title = titled(title);
  byId("lattice").hidden = !found.lattice;
  byId("lattice").textContent = found.lattice ? phrase("check.lattice", { name: translated(found.lattice) }) : "";
  byId("numbers").replaceChildren(...Object.entries(found.numbers).map(([name, number]) =>
    make("div", {}, make("dt", {}, phrase(`numbers.${name.replace(" ", "-")}`, { n: number })), make("dd", {}, grouped(number)))));
  picture(byId("board"), found.board, phrase("check.board"));
}
