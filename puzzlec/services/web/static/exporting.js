// Exports: the user chooses a format, then its settings. The page remembers the settings.

import { download, Refused } from "./api.js";
import { suits } from "./checking.js";
import { ask, choose, searched } from "./dialogs.js";
import { element, make, saved } from "./elements.js";
import { cropped } from "./sharing.js";
import { alike, shown, viewer } from "./solving.js";
import { puzzle, state } from "./state.js";
import { local } from "./storage.js";
import { toast, untoast } from "./toast.js";
import { learn, phrase, translated } from "./words.js";

await learn("export");

// The outlines of a picture, a sheet with pieces, a window, a cube and braces: for the groups of formats.
const ICONS = {
  pictures: "M2 3h12v10H2zM2 11l4-4 3 3 2-2 3 3", worksheet: "M3 1h10v14H3zM5 4h6M5 7h3v3H5zM8 10h3v3H8z", html: "M1 3h14v10H1zM1 6h14M3 4.5h1",
  models: "M8 1l6 3.5v7L8 15l-6-3.5v-7zM14 4.5L8 8 2 4.5M8 8v7", formats: "M6 2C3 2 5 7 2 8c3 1 1 6 4 6M10 2c3 0 1 5 4 6-3 1-1 6-4 6",
};
const iconOf = ({ name, group }) => element("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, element("path", { d: ICONS[name.startsWith("worksheet") ? "worksheet" : name.endsWith("html") ? "html" : group] }));
const WHY = ["seconds", "memory", "size"];
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
    // no room: the settings are not remembered
  }
}

/** Ask for a format and its settings, and export the puzzle. */
export async function exported(kinds) {
  const rows = kinds.map((format) => ({
    words: `${format.name} ${format.summary} ${translated(format.summary)}`.toLowerCase(),
    group: phrase(`export.${format.group}`),
    content: [make("span", { class: "picture" }, iconOf(format)), make("b", {}, begun(format.summary)), make("small", {}, format.extra ? phrase("export.needs", { name: format.name, extra: format.extra }) : format.name)],
    kind: format,
  }));
  preview(rows);
  const row = await ask(phrase("export.title"), (answer) => searched(rows, answer, phrase("export.search")), false);
  if (!row) return;
  const { kind } = row;
  for (;;) {
    const settings = kind.settings.length ? await asked(kind) : {};
    if (!settings) return;
    const refused = await made(kind, settings);
    if (!refused) return;
    const answers = refused.fixable ? [[false, phrase("close")], [true, phrase("export.change")]] : [[false, phrase("ok")]];
    if (!(await choose(phrase("export.cannot", { name: kind.name }), refused.words, answers))) return;
  }
}

/** Put the picture that the page already has on the rows of files that show it: the solution, or else the board. */
async function preview(rows) {
  const solved = current().solutions.length && !viewer().puzzle.chart;
  const image = solved ? await viewer().image(1) : document.querySelector("#board img");
  if (!image?.width) return;
  const seen = cropped(image);
  const scale = Math.min(120 / seen.width, 84 / seen.height);
  const [width, height] = [seen.width, seen.height].map((size) => Math.max(1, Math.round(scale * size)));
  const canvas = make("canvas", { width, height });
  canvas.getContext("2d").drawImage(seen, 0, 0, width, height);
  const src = canvas.toDataURL();
  for (const { kind, content } of rows) if (kind.group !== "formats") content[0].prepend(make("img", { src, alt: "" }));
}

/** The summary of a format as the beginning of a sentence. */
function begun(summary) {
  const words = translated(summary);
  return words[0].toUpperCase() + words.slice(1);
}

/** Ask for the settings of a format. Returns them by name, or undefined. */
function asked(kind) {
  const before = remembered()[kind.name] || {};
  const settings = kind.settings.filter((setting) => suits(setting.only));
  return ask(phrase("export.named", { name: kind.name }), (answer) => {
    const fields = settings.map((setting) => ({ setting, input: field(setting, before[setting.name]) }));
    const form = make("form", { class: "form" },
      make("p", { class: "remark" }, `${begun(kind.summary)}. ${ofWhat(kind)}`),
      make("div", { class: "fields" }, fields.flatMap(({ setting, input }) => setting.kind === "flag"
        ? [make("label", { class: "flag" }, input, translated(setting.label))]
        : [make("label", { for: input.id }, translated(setting.label)), make("span", {}, input, setting.unit)])),
      make("div", { class: "buttons" },
        make("button", { type: "button", click: () => fields.forEach(({ setting, input }) => empty(setting, input)) }, phrase("export.defaults")),
        make("button", { type: "button", click: () => answer(undefined) }, phrase("cancel")),
        make("button", { type: "submit", class: "main" }, phrase("export.title"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = {};
      for (const { setting, input } of fields) {
        const value = setting.kind === "flag" ? input.checked : input.value.trim();
        if (value && value !== setting.options[0]?.[0]) chosen[setting.name] = setting.kind === "number" ? Number(value) : value;
      }
      remember(kind.name, chosen);
      answer(chosen);
    });
    return form;
  });
}

/** Return words for the solution in the file. */
function ofWhat(kind) {
  const { solutions, at } = current();
  if (kind.name.startsWith("worksheet")) return ""; // it has a solution in any case
  if (kind.group === "models") return solutions.length ? "" : phrase("export.arranged");
  if (!solutions.length) return phrase("export.unsolved");
  return solutions.length === 1 ? phrase("export.shown") : phrase("export.shownOf", { number: at + 1, all: solutions.length });
}

function field(setting, value) {
  const id = `setting-${setting.name}`;
  if (setting.kind === "flag") return make("input", { type: "checkbox", id, checked: value === true });
  if (setting.kind === "choice") {
    return make("select", { id }, setting.options.map(([word, words]) => make("option", { value: word, selected: word === value }, translated(words))));
  }
  const shared = { id, value: value ?? "", placeholder: translated(setting.hint), autocomplete: "off" };
  if (setting.kind === "plate") {
    return make("input", { ...shared, type: "text", pattern: "\\s*\\d+(\\.\\d+)?\\s*[x×]\\s*\\d+(\\.\\d+)?\\s*", title: phrase("export.plate") });
  }
  return make("input", { ...shared, type: "number", min: String(setting.least), max: String(setting.most), step: setting.whole ? "1" : "any" });
}

function empty(setting, input) {
  if (setting.kind === "flag") input.checked = false;
  else if (setting.kind === "choice") input.selectedIndex = 0;
  else input.value = "";
}

/** The shown solutions, if they belong to the current text. */
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

/** Make a file with the default settings and download it. */
export async function sent(kind) {
  const refused = await made(kind, {});
  if (refused) toast([refused.words].flat()[0]);
}

/** Make a file and download it. If that fails, returns the reason in `words`, and `fixable` if other settings may help. */
async function made(kind, settings) {
  toast(phrase("export.running"), true);
  let found;
  try {
    found = await download("export", { ...puzzle(), palette: state.palette, to: kind.name, solutions: wanted(kind, settings.number), settings });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { words: error.message, fixable: error.reason === "setting" };
  } finally {
    untoast();
  }
  if (found.told) {
    const [first] = found.told.diagnostics || [];
    // Other settings do not help if the puzzle has no such form, or a package is missing.
    if (first) return { words: [first.message, ...first.notes, ...first.helps.map((help) => `→ ${help}`)], fixable: !["PZ504", "PZ505"].includes(first.code) && kind.settings.length > 0 };
    const words = (WHY.includes(found.told.why) ? phrase(`export.why.${found.told.why}`) : phrase("export.bug", { message: found.told.message || found.told.why }));
    return { words, fixable: WHY.includes(found.told.why) && kind.settings.length > 0 };
  }
  saved(found.blob, found.name);
  toast([found.name, ...found.remarks].join(": "));
  return null;
}
