// Open, save and export files. Each asks before a text is lost.

import { get, post, Refused } from "./api.js";
import { ask, askText, choose, searched } from "./dialogs.js";
import { byId, grouped, make } from "./elements.js";
import { drafts, nameOf } from "./drafts.js";
import { toast } from "./toast.js";
import { Pictures, wall } from "./wall.js";
import { isDirty, state, titleOf } from "./state.js";
import { phrase, translated } from "./words.js";

let known = null; // the data of the server from the start
let take = () => {};
let write = () => {};
let requested = 0; // puzzles of the catalogue: only the last one opens

export function begin(told, taken, writes) {
  known = told;
  take = taken;
  write = writes;
  byId("new").addEventListener("click", fresh);
  byId("open").addEventListener("click", open);
  byId("save").addEventListener("click", () => save());
  byId("save-as").addEventListener("click", () => save(true));
  byId("export").addEventListener("click", async () => (await import("./exporting.js")).exported(known.exports));
  setInterval(look, 3000);
}

/** Whether the text may be replaced: it is saved, or the user agrees. */
export async function mayLeave() {
  if (!isDirty() || !state.text.trim()) return true;
  const answer = await choose(phrase("files.unsaved"), phrase("files.leave"), [[undefined, phrase("cancel")], ["drop", phrase("files.drop")], ["save", phrase("save")]]);
  return answer === "save" ? save() : answer === "drop";
}

/** Return a function that makes the place for the picture of a puzzle of the catalogue; it is there once it is seen. */
function thumbnails() {
  const pictures = new Pictures(null);
  return (name) => {
    const place = make("span", { class: "picture", "data-name": name });
    pictures.watch(place);
    return place;
  };
}

async function fresh() {
  const thumbnail = thumbnails();
  const rows = [
    { words: "", group: "", content: [make("b", {}, phrase("files.nothing")), make("small", {}, phrase("files.empty"))], name: "" },
    ...known.examples.map((entry) => ({
      words: `${entry.name} ${entry.summary} ${translated(entry.summary)}`.toLowerCase(),
      group: phrase("files.examples"),
      content: [thumbnail(`new/${entry.name}`), make("b", {}, translated(entry.summary)), make("small", {}, entry.name)],
      name: entry.name,
    })),
  ];
  const row = await ask(phrase("files.new"), (answer) => searched(rows, answer, phrase("files.searchExamples")), false);
  if (!row || !(await mayLeave())) return;
  if (row.name) return take(await example(row.name));
  take({ text: "", name: "", catalogue: "" });
  write();
}

export async function example(name) {
  return opened(get(`examples/${name}`));
}

async function opened(question) {
  const found = await question;
  return { text: found.text, name: "", catalogue: found.name, file: found.file };
}

async function open() {
  const [files, catalogue] = await Promise.all([get("files"), get("catalogue")]);
  const left = drafts().filter((draft) => draft.text !== state.text);
  const thumbnail = thumbnails();
  const rows = [
    ...left.map((draft) => ({
      words: `${draft.name} ${draft.catalogue} ${draft.text.slice(0, 2000)}`.toLowerCase(),
      group: phrase("files.drafts"),
      content: [
        make("b", {}, nameOf(draft)),
        make("small", {}, `${draft.name || draft.catalogue || phrase("untitled")} · ${new Date(draft.when).toLocaleString(document.documentElement.lang)}`),
      ],
      draft,
    })),
    ...files.files.map((name) => ({ words: name.toLowerCase(), group: phrase("files.inFolder", { folder: known.folder }), content: [make("b", {}, name)], file: name })),
    ...catalogue.puzzles.map((puzzle) => ({
      words: [puzzle.name, puzzle.title, ...puzzle.tags].join(" ").toLowerCase(),
      group: phrase("files.inCatalogue"),
      content: [
        thumbnail(puzzle.name),
        make("span", { class: "count", title: phrase("files.counts") }, puzzle.distinct !== null ? grouped(puzzle.distinct) : puzzle.raw !== null ? phrase("files.raw", { n: puzzle.raw }) : ""),
        make("b", {}, puzzle.title),
        make("small", {}, `${puzzle.name} · ${puzzle.tags.join(", ")}`),
      ],
      name: puzzle.name,
    })),
  ];
  const row = await ask(phrase("files.open"), (answer) => searched(rows, answer, phrase("files.search"), [make("button", { type: "button", click: () => answer({ wall: true }) }, phrase("files.pictures"))]), false);
  if (row?.wall) {
    const name = await ask(phrase("puzzles"), (answer) => wall(answer), false);
    if (name) await fromCatalogue(name, true);
    return;
  }
  if (!row || !(await mayLeave())) return;
  if (row.draft) take({ ...row.draft, saved: null });
  else if (row.file) take(await get("file", { name: row.file }));
  else await fromCatalogue(row.name);
}

/**
 * Open a puzzle of the catalogue by its name, from a `link` or not. Returns whether it is open: not if another one was
 * opened meanwhile.
 */
export async function fromCatalogue(name, asking = false, link = null) {
  if (asking && !(await mayLeave())) return false;
  const number = ++requested;
  const found = await opened(get(`catalogue/${name.split("/").map(encodeURIComponent).join("/")}`));
  if (number !== requested) return false;
  take(found, link);
  return true;
}

/** The proposed name of a file: the name in the folder or in the catalogue, or the title if it has changed. */
function proposedName() {
  const title = titleOf(state.text);
  const stem = title.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  const named = state.name || (state.catalogue && !state.catalogue.startsWith("new/"));
  const [ending] = /\.[a-z0-9]+$/i.exec(state.name || state.file) || [".puzzle"];
  if (stem && (!named || title !== titleOf(state.saved || ""))) return stem + ending;
  return state.name || `${state.catalogue.split("/").pop() || "puzzle"}${ending}`;
}

/** Save the text. Returns whether it is saved. */
export async function save(as = false) {
  let name = state.name;
  if (as || !name) {
    name = await askText(phrase(as ? "files.saveAs" : "save"), known.folder === null ? phrase("files.download") : phrase("files.name", { folder: known.folder }), proposedName(), phrase("save"));
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
    toast(phrase("files.saved", { name: found.name }));
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.reason !== "exists" && error.reason !== "changed") {
      await choose(phrase("files.unsaved"), error.message, [[true, phrase("ok")]]);
      return false;
    }
    const answer = await choose(phrase(error.reason === "exists" ? "files.overwrites" : "files.changed"), phrase(error.reason === "exists" ? "files.exists" : "files.changedBy", { name }),
      [["over", phrase("files.overwrite")], ["as", phrase("files.rename")], [undefined, phrase("cancel")]]);
    if (answer === "over") return written(name, text, digest, true);
    return answer === "as" ? save(true) : false;
  }
}

/** Check whether another program has changed the file since it was opened. */
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
  const load = make("button", { type: "button" }, phrase("files.load"));
  const keep = make("button", { type: "button" }, phrase("files.keep"));
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
  const said = phrase(found.digest === null ? "files.gone" : "files.changedBy", { name });
  if (notice.dataset.said === `${said}${found.digest}` && !notice.hidden) return;
  notice.dataset.said = `${said}${found.digest}`;
  notice.className = "";
  notice.replaceChildren(make("span", {}, said), found.digest === null ? "" : load, keep);
  notice.hidden = false;
}
