// The state of the text; it survives a reload.

import { embedded, lasting, local, session } from "./storage.js";

const key = "puzzlec-page";

export const state = {
  draft: "", // the name of its draft
  text: "",
  saved: "", // the text in the file or in the catalogue
  name: "", // the name of the file in the folder
  digest: null, // the digest of the file when it was last read or written
  file: "", // its file name in the catalogue
  catalogue: "", // the name of its puzzle in the catalogue
  format: "",
  parameters: {},
  board: "",
  problem: "",
  goal: "first",
  limit: 20,
  raw: false,
  palette: "standard",
};

/** Return a unique name. */
export const unique = () => (crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2));

/** The name of this page, by which the server distinguishes pages. */
export const page = unique();

/** The title of a puzzle in a text; empty if it has none. */
export const titleOf = (text) => (/^[ \t]*puzzle[ \t]+"([^"\n]*)"/m.exec(text) || ["", ""])[1];

export const isDirty = () => state.text !== state.saved;

/** Load the stored state of this tab (returns "tab"), otherwise of the last one ("other"). Without any, returns "". */
export function recall() {
  if (embedded) return "";
  for (const place of [session, local]) {
    try {
      const found = JSON.parse(place.getItem(key));
      if (found && typeof found.text === "string") {
        for (const name of Object.keys(state)) if (typeof found[name] === typeof state[name] || name === "digest") state[name] = found[name] ?? state[name];
        if (place === local || !state.draft) state.draft = unique(); // another tab may have the same text
        return place === session ? "tab" : "other";
      }
    } catch {
      // the stored state is damaged: start without it
    }
  }
  return "";
}

/** Store the state. Returns false if there is no room. */
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

/** The data that the server needs to read the puzzle. */
export function puzzle() {
  const { text, name, catalogue, format, board, problem } = state;
  const parameters = {};
  for (const [parameter, value] of Object.entries(state.parameters)) {
    if (/^\s*-?\d{1,9}\s*$/.test(value)) parameters[parameter] = Number(value);
  }
  return { text, name, catalogue, format, board, problem, parameters };
}
