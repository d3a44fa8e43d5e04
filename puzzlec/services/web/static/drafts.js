// Unsaved texts: this browser keeps them, so that no typed text is lost.

import { isDirty, state } from "./state.js";
import { local } from "./storage.js";

const key = "puzzlec-drafts";
const MOST = 8;

/** The drafts, newest first. Each has a text, its origin, and the time when it was left. */
export function drafts() {
  try {
    const found = JSON.parse(local.getItem(key));
    return Array.isArray(found) ? found.filter((each) => each && typeof each.text === "string") : [];
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

/** Keep the current text if it is not saved, and forget its older drafts. */
export function keepDraft() {
  const { draft: id, text, name, digest, catalogue, file, format, parameters, board, problem } = state;
  const others = drafts().filter((each) => each.id !== id && each.text !== text);
  const worth = isDirty() && text.trim();
  write(worth ? [{ id, text, name, digest, catalogue, file, format, parameters, board, problem, when: Date.now() }, ...others] : others);
}
