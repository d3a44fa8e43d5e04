// Unsaved texts: this browser keeps them, so that no typed text is lost.

import { isDirty, state, titleOf } from "./state.js";
import { local } from "./storage.js";

const key = "puzzlec-drafts";
const MOST = 8;

/** The drafts, newest first. Each has a text, its origin, and the time when it was left. */
export function drafts() {
  try {
    const found = JSON.parse(local.getItem(key));
    return Array.isArray(found) ? found.filter((draft) => draft && typeof draft.text === "string") : [];
  } catch {
    return [];
  }
}

function write(found) {
  // If there is not enough room, the oldest drafts are removed.
  for (let many = Math.min(MOST, found.length); many >= 0; many--) {
    try {
      local.setItem(key, JSON.stringify(found.slice(0, many)));
      return;
    } catch {
      // try again with one less
    }
  }
}

/** The current text as a draft; null if it is saved or empty. */
export function unsaved() {
  const { draft: id, text, name, digest, catalogue, file, format, parameters, board, problem } = state;
  return isDirty() && text.trim() ? { id, text, name, digest, catalogue, file, format, parameters, board, problem, when: Date.now() } : null;
}

/** Keep the current text if it is not saved, and forget its older drafts. */
export function keepDraft() {
  const others = drafts().filter((other) => other.id !== state.draft && other.text !== state.text);
  const draft = unsaved();
  write(draft ? [draft, ...others] : others);
}

/** A short name for a draft: its title, otherwise the first line that is not a comment. */
export function nameOf({ text }) {
  return titleOf(text) || (/^[ \t]*([^#\s].{0,60})/m.exec(text) || ["", text.trim().slice(0, 60)])[1];
}
