// Texts that were never saved: kept in this browser when they are left, so that nothing that was typed is lost.

import { isDirty, state } from "./state.js";
import { local } from "./storage.js";

const key = "puzzlec-drafts";
const MOST = 8;

/** The drafts, the newest first; each has a text, where it came from, and when it was left. */
export function drafts() {
  try {
    const found = JSON.parse(local.getItem(key));
    return Array.isArray(found) ? found.filter((each) => each && typeof each.text === "string") : [];
  } catch {
    return [];
  }
}

function write(found) {
  // Where there is no room for all, the oldest go.
  for (let many = Math.min(MOST, found.length); many >= 0; many--) {
    try {
      local.setItem(key, JSON.stringify(found.slice(0, many)));
      return;
    } catch {
      // with one less
    }
  }
}

/** Keep the text as it is now, if it is not saved; forget what was kept of it before. */
export function keepDraft() {
  const { draft: id, text, name, digest, catalogue, file, format, parameters, board, problem } = state;
  const others = drafts().filter((each) => each.id !== id && each.text !== text);
  const worth = isDirty() && text.trim();
  write(worth ? [{ id, text, name, digest, catalogue, file, format, parameters, board, problem, when: Date.now() }, ...others] : others);
}
