// A short message at the bottom of the page, for a moment or until a task has ended.

import { say } from "./elements.js";

let timer = 0;

/** Show a message. A lasting one stays until another replaces it, or `untoast` removes it. */
export function toast(text, lasting = false) {
  say("toast", text, "on");
  clearTimeout(timer);
  if (!lasting) timer = setTimeout(untoast, Math.max(3500, 60 * text.length));
}

export function untoast() {
  say("toast", "", "");
}
