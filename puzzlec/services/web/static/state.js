// What the page knows of the text that is being written; it survives a reload.

import { lasting, local, session } from "./storage.js";

const key = "puzzlec-page";

export const state = {
  draft: "", // under which the text is kept where it is left without being saved
  text: "",
  saved: "", // the text as it stands in the file or in the catalogue
  name: "", // of the file in the folder
  digest: null, // of the file as it was read or written
  file: "", // the name that it had in the catalogue
  catalogue: "", // of the puzzle of the catalogue that it began with
  format: "",
  parameters: {},
  board: "",
  problem: "",
  goal: "first",
  limit: 20,
  raw: false,
};

/** Return a name that nothing else has. */
export const unique = () => (crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2));

/** The page's own name: the server keeps apart what different pages type. */
export const page = unique();

/** The title that a text of the language gives its puzzle; empty if there is none. */
export const titleOf = (text) => (/^[ \t]*puzzle[ \t]+"([^"\n]*)"/m.exec(text) || ["", ""])[1];

export const isDirty = () => state.text !== state.saved;

/** Take up what was stored: by this tab, else by the one that was there last. Returns whether there was anything. */
export function recall() {
  for (const place of [session, local]) {
    try {
      const found = JSON.parse(place.getItem(key));
      if (found && typeof found.text === "string") {
        for (const name of Object.keys(state)) if (typeof found[name] === typeof state[name] || name === "digest") state[name] = found[name] ?? state[name];
        if (place === local || !state.draft) state.draft = unique(); // another tab may have the text, too
        return true;
      }
    } catch {
      // what is stored is broken: begin anew
    }
  }
  return false;
}

/** Store what is known; false where there is no room for it. */
export function store() {
  try {
    const text = JSON.stringify(state);
    session.setItem(key, text);
    local.setItem(key, text);
    return lasting;
  } catch {
    return false;
  }
}

/** What the server needs to know to read the puzzle. */
export function puzzle() {
  const { text, name, catalogue, format, board, problem } = state;
  const parameters = {};
  for (const [each, value] of Object.entries(state.parameters)) {
    if (/^\s*-?\d{1,9}\s*$/.test(value)) parameters[each] = Number(value);
  }
  return { text, name, catalogue, format, board, problem, parameters };
}
