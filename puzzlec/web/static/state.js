// What the page knows of the text that is being written; it survives a reload.

const key = "puzzlec-page";

export const state = {
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

/** The page's own name: the server keeps apart what different pages type. */
export const page = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2);

export const isDirty = () => state.text !== state.saved;

/** Take up what was stored: by this tab, else by the one that was there last. Returns whether there was anything. */
export function recall() {
  for (const place of [sessionStorage, localStorage]) {
    try {
      const found = JSON.parse(place.getItem(key));
      if (found && typeof found.text === "string") {
        for (const name of Object.keys(state)) if (typeof found[name] === typeof state[name] || name === "digest") state[name] = found[name] ?? state[name];
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
    sessionStorage.setItem(key, text);
    localStorage.setItem(key, text);
    return true;
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
