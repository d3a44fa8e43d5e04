// Opening, saving, making files: each asks before anything is lost.

import { download, get, post, Refused } from "./api.js";
import { ask, askText, choose, searched } from "./dialogs.js";
import { byId, grouped, make } from "./elements.js";
import { drafts } from "./drafts.js";
import { shown } from "./solving.js";
import { isDirty, puzzle, state } from "./state.js";

let known = null; // what the server has told at the start
let take = () => {};

export function begin(told, taken) {
  known = told;
  take = taken;
  byId("new").addEventListener("click", fresh);
  byId("open").addEventListener("click", open);
  byId("save").addEventListener("click", () => save());
  byId("save-as").addEventListener("click", () => save(true));
  byId("export").addEventListener("click", exported);
  setInterval(look, 3000);
}

export function toast(text) {
  const element = byId("toast");
  element.textContent = text;
  element.classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => element.classList.remove("on"), 3500);
}

/** Whether what is written may be given up: it is saved, or the user says so. */
async function mayLeave() {
  if (!isDirty() || !state.text.trim()) return true;
  const answer = await choose("Not saved", "The text was changed and is not saved. If you go on without that, this browser keeps it: you find it under Open…", [[undefined, "Cancel"], ["drop", "Do not save"], ["save", "Save it first"]]);
  return answer === "save" ? save() : answer === "drop";
}

async function fresh() {
  const rows = [
    { words: "", group: "", content: [make("b", {}, "Nothing"), make("small", {}, "an empty text")], name: "" },
    ...known.examples.map((each) => ({
      words: `${each.name} ${each.summary}`.toLowerCase(),
      group: "Small puzzles with comments that say what to change",
      content: [make("b", {}, each.summary), make("small", {}, each.name)],
      name: each.name,
    })),
  ];
  const row = await ask("New puzzle", (answer) => searched(rows, answer, "Search examples"), false);
  if (!row || !(await mayLeave())) return;
  if (!row.name) take({ text: "", name: "", catalogue: "" });
  else take(await opened(get(`examples/${row.name}`)));
}

async function opened(question) {
  const found = await question;
  return { text: found.text, name: "", catalogue: found.name, file: found.file };
}

async function open() {
  const [files, catalogue] = await Promise.all([get("files"), get("catalogue")]);
  const left = drafts().filter((each) => each.text !== state.text);
  const rows = [
    ...left.map((each) => ({
      words: `${each.name} ${each.catalogue} ${each.text.slice(0, 2000)}`.toLowerCase(),
      group: "Not saved, kept in this browser",
      content: [
        make("b", {}, firstWords(each.text)),
        make("small", {}, `${each.name || each.catalogue || "untitled"} · ${new Date(each.when).toLocaleString()}`),
      ],
      draft: each,
    })),
    ...files.files.map((name) => ({ words: name.toLowerCase(), group: `In the folder ${known.folder}`, content: [make("b", {}, name)], file: name })),
    ...catalogue.puzzles.map((each) => ({
      words: [each.name, each.title, ...each.tags].join(" ").toLowerCase(),
      group: "In the catalogue",
      content: [
        make("span", { class: "count", title: "distinct solutions, else raw ones" }, each.distinct !== null ? grouped(each.distinct) : each.raw !== null ? `${grouped(each.raw)} raw` : ""),
        make("b", {}, each.title),
        make("small", {}, `${each.name} · ${each.tags.join(", ")}`),
      ],
      name: each.name,
    })),
  ];
  const row = await ask("Open", (answer) => searched(rows, answer, "Search by name, title or tag"), false);
  if (!row || !(await mayLeave())) return;
  if (row.draft) take({ ...row.draft, saved: null });
  else if (row.file) take(await get("file", { name: row.file }));
  else await fromCatalogue(row.name);
}

/** What tells a text from others: its title, else the first line that is no comment. */
function firstWords(text) {
  const title = /^[ \t]*puzzle[ \t]+"([^"\n]*)"/m.exec(text);
  return title ? title[1] : (/^[ \t]*([^#\s].{0,60})/m.exec(text) || ["", text.trim().slice(0, 60)])[1];
}

/** Open a puzzle of the catalogue by its name. */
export async function fromCatalogue(name, asking = false) {
  if (asking && !(await mayLeave())) return false;
  take(await opened(get(`catalogue/${name.split("/").map(encodeURIComponent).join("/")}`)));
  return true;
}

/** Save the text; returns whether it was. */
export async function save(as = false) {
  let name = state.name;
  if (as || !name) {
    const stem = state.catalogue.split("/").pop() || "puzzle";
    const proposed = state.name || `${stem}${state.ending || ".puzzle"}`;
    name = await askText(as ? "Save as" : "Save", `The name of a file in the folder ${known.folder}`, proposed, "Save");
    if (!name) return false;
    if (!/\.[a-z0-9]+$/i.test(name)) name += ".puzzle";
  }
  const mine = name === state.name ? state.digest : null;
  return written(name, state.text, mine, false);
}

async function written(name, text, digest, force) {
  try {
    const found = await post("save", { name, text, known: digest || "", force });
    state.name = found.name;
    state.digest = found.digest;
    state.saved = text;
    state.catalogue = "";
    byId("notice").hidden = true;
    take(null);
    toast(`saved as ${found.name}`);
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.reason !== "exists" && error.reason !== "changed") {
      await choose("Not saved", error.message, [[true, "OK"]]);
      return false;
    }
    const answer = await choose(error.reason === "exists" ? "Write over the file?" : "Changed by somebody else", `${error.message}.`,
      [["over", "Write over it"], ["as", "Save under another name"], [undefined, "Cancel"]]);
    if (answer === "over") return written(name, text, digest, true);
    return answer === "as" ? save(true) : false;
  }
}

/** Look whether the file was changed by somebody else since it was opened. */
async function look() {
  if (document.hidden || !state.name || !state.digest) return;
  const { name, digest } = state;
  let found;
  try {
    found = await get("state", { name });
  } catch {
    return;
  }
  if (state.name !== name || state.digest !== digest || found.digest === digest) return;
  const notice = byId("notice");
  const load = make("button", { type: "button" }, "Load it");
  const keep = make("button", { type: "button" }, "Keep mine");
  load.addEventListener("click", async () => {
    notice.hidden = true;
    take(await get("file", { name }));
  });
  keep.addEventListener("click", () => {
    notice.hidden = true;
    state.digest = found.digest;
    state.saved = null;
    take(null);
  });
  const said = found.digest === null ? `${name} is not in the folder any more.` : `${name} was changed by another program.`;
  if (notice.dataset.said === `${said}${found.digest}` && !notice.hidden) return;
  notice.dataset.said = `${said}${found.digest}`;
  notice.className = "";
  notice.replaceChildren(make("span", {}, said), found.digest === null ? "" : load, keep);
  notice.hidden = false;
}

const GROUPS = { pictures: "Pictures", models: "Things to hold", formats: "Formats of puzzles" };

async function exported() {
  const rows = known.exports.map((each) => ({
    words: `${each.name} ${each.summary}`.toLowerCase(),
    group: GROUPS[each.group],
    content: [make("b", {}, each.name), make("small", {}, each.extra ? `${each.summary} (needs: pip install 'puzzlec[${each.extra}]')` : each.summary)],
    name: each.name,
    of: each.group,
  }));
  const row = await ask("Export", (answer) => searched(rows, answer, "Search formats"), false);
  if (!row) return;
  toast("making the file…");
  const { solutions, puzzle: solved, at } = shown();
  const same = solved && JSON.stringify(solved) === JSON.stringify(puzzle());
  const wanted = !same || row.of === "formats" ? [] : row.name === "html" ? solutions : solutions.slice(at, at + 1);
  const found = await download("export", { ...puzzle(), to: row.name, solutions: wanted });
  if (found.told) {
    const [first] = found.told.diagnostics || [];
    const words = first ? [first.message, ...first.notes, ...first.helps].join("; ") : found.told.message || { seconds: "it takes too long", memory: "it needs too much memory" }[found.told.why] || "it broke down";
    await choose(`No ${row.name}`, words, [[true, "OK"]]);
    return;
  }
  const address = URL.createObjectURL(found.blob);
  make("a", { href: address, download: found.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  toast(found.name);
}

