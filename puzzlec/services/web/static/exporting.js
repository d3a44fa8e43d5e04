// Making files: what is to be made is chosen first, then how; what was chosen is remembered.

import { download, Refused } from "./api.js";
import { suits } from "./checking.js";
import { ask, choose, searched } from "./dialogs.js";
import { make } from "./elements.js";
import { alike, shown } from "./solving.js";
import { puzzle } from "./state.js";
import { local } from "./storage.js";
import { toast, untoast } from "./toast.js";

const GROUPS = { pictures: "Pictures", models: "Things to hold", formats: "Formats of puzzles" };
const WHY = { seconds: "it takes too long", memory: "it needs too much memory", size: "it would be too large for this page" };
const key = "puzzlec-export";

function remembered() {
  try {
    const found = JSON.parse(local.getItem(key));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

function remember(name, values) {
  try {
    local.setItem(key, JSON.stringify({ ...remembered(), [name]: values }));
  } catch {
    // no room: it is asked for again
  }
}

/** Ask what to make and how, and give it to the user. */
export async function exported(kinds) {
  const rows = kinds.map((each) => ({
    words: `${each.name} ${each.summary}`.toLowerCase(),
    group: GROUPS[each.group],
    content: [make("b", {}, each.name), make("small", {}, each.extra ? `${each.summary} (needs: pip install 'puzzlec[${each.extra}]')` : each.summary)],
    kind: each,
  }));
  const row = await ask("Export", (answer) => searched(rows, answer, "Search formats"), false);
  if (!row) return;
  const { kind } = row;
  for (;;) {
    const settings = kind.settings.length ? await asked(kind) : {};
    if (!settings) return;
    const refused = await made(kind, settings);
    if (!refused) return;
    const answers = refused.mendable ? [[false, "Close"], [true, "Change the settings"]] : [[false, "OK"]];
    if (!(await choose(`No ${kind.name}`, refused.words, answers))) return;
  }
}

/** Ask for the settings of a kind of file; gives those that were chosen by their names, undefined for none. */
function asked(kind) {
  const before = remembered()[kind.name] || {};
  const settings = kind.settings.filter((each) => suits(each.only));
  return ask(`Export ${kind.name}`, (answer) => {
    const fields = settings.map((each) => ({ each, input: field(each, before[each.name]) }));
    const form = make("form", { class: "form" },
      make("p", { class: "remark" }, `${kind.summary[0].toUpperCase()}${kind.summary.slice(1)}. ${ofWhat(kind)}`),
      make("div", { class: "fields" }, fields.flatMap(({ each, input }) => each.kind === "flag"
        ? [make("label", { class: "flag" }, input, each.label)]
        : [make("label", { for: input.id }, each.label), make("span", {}, input, each.unit)])),
      make("div", { class: "buttons" },
        make("button", { type: "button", click: () => fields.forEach(({ each, input }) => empty(each, input)) }, "Defaults"),
        make("button", { type: "button", click: () => answer(undefined) }, "Cancel"),
        make("button", { type: "submit", class: "main" }, "Make it")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = {};
      for (const { each, input } of fields) {
        const value = each.kind === "flag" ? input.checked : input.value.trim();
        if (value && value !== each.options[0]?.[0]) chosen[each.name] = each.kind === "number" ? Number(value) : value;
      }
      remember(kind.name, chosen);
      answer(chosen);
    });
    return form;
  });
}

/** Say which solution goes into the file. */
function ofWhat(kind) {
  const { solutions, at } = current();
  if (kind.group === "models") return solutions.length ? "" : "Where the pieces are to lie as in a solution, one is looked for.";
  if (!solutions.length) return "No solution of this text is shown: solve it first to have one in the file.";
  return solutions.length === 1 ? "With the solution that is shown." : `Solution ${at + 1} of ${solutions.length} is shown.`;
}

function field(each, value) {
  const id = `setting-${each.name}`;
  if (each.kind === "flag") return make("input", { type: "checkbox", id, checked: value === true });
  if (each.kind === "choice") {
    return make("select", { id }, each.options.map(([word, words]) => make("option", { value: word, selected: word === value }, words)));
  }
  const shared = { id, value: value ?? "", placeholder: each.hint, autocomplete: "off" };
  if (each.kind === "plate") {
    return make("input", { ...shared, type: "text", pattern: "\\s*\\d+(\\.\\d+)?\\s*[x×]\\s*\\d+(\\.\\d+)?\\s*", title: "width and depth, such as 200x180" });
  }
  return make("input", { ...shared, type: "number", min: String(each.least), max: String(each.most), step: each.whole ? "1" : "any" });
}

function empty(each, input) {
  if (each.kind === "flag") input.checked = false;
  else if (each.kind === "choice") input.selectedIndex = 0;
  else input.value = "";
}

/** The solutions that are shown, if they are of the text as it is now. */
function current() {
  const { solutions, puzzle: solved, at } = shown();
  return alike(solved, puzzle()) ? { solutions, at } : { solutions: [], at: 0 };
}

function wanted(kind, number) {
  const { solutions, at } = current();
  if (kind.group === "formats") return [];
  if (number !== undefined && number !== 1) return solutions.slice(0, number);
  return kind.name === "html" && number === undefined ? solutions : solutions.slice(at, at + 1);
}

/** Make a file and give it to the user; returns why there is none: in `words`, and whether other settings may help. */
async function made(kind, settings) {
  toast("making the file…", true);
  let found;
  try {
    found = await download("export", { ...puzzle(), to: kind.name, solutions: wanted(kind, settings.number), settings });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { words: error.message, mendable: error.reason === "setting" };
  } finally {
    untoast();
  }
  if (found.told) {
    const [first] = found.told.diagnostics || [];
    // What has no such form, or wants another package, has none with other settings either.
    if (first) return { words: [first.message, ...first.notes, ...first.helps.map((each) => `→ ${each}`)], mendable: !["PZ504", "PZ505"].includes(first.code) && kind.settings.length > 0 };
    const words = WHY[found.told.why] || `it broke down: this is a fault of puzzlec${found.told.message ? ` (${found.told.message})` : ""}`;
    return { words, mendable: found.told.why in WHY && kind.settings.length > 0 };
  }
  const address = URL.createObjectURL(found.blob);
  make("a", { href: address, download: found.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  toast([found.name, ...found.remarks].join(": "));
  return null;
}
