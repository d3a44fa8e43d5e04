// A few words at the lower edge of the page, for a moment or until something has ended.

import { byId } from "./elements.js";

let timer = 0;

/** Show words; those that last are there until others are shown, or until they are taken away. */
export function toast(text, lasting = false) {
  const element = byId("toast");
  element.textContent = text;
  element.classList.add("on");
  clearTimeout(timer);
  if (!lasting) timer = setTimeout(untoast, Math.max(3500, 60 * text.length));
}

export function untoast() {
  byId("toast").classList.remove("on");
  byId("toast").textContent = "";
}
