// The data that the page needs first: its words, and the first answers. This module is small and waits for no other
// script, so its requests leave before the others have arrived.

import { languageOf } from "./language.js";
import { local } from "./storage.js";

const NAME = /^#([A-Za-z0-9-]+(?:\/[A-Za-z0-9-]+)+)(?:&|$)/;
const { dataset } = document.documentElement;
const { searchParams } = new URL(location.href);

export const TOKEN = "puzzlec-token"; // the name of the token in the storage
export const LANGUAGE = "puzzlec-language";

export const languages = JSON.parse(dataset.languages); // names of languages by their codes
export const language = languageOf(Object.keys(languages), local.getItem(LANGUAGE));
export const words = begun(here(`words-${language}.json`)).then((answer) => answer.json());

const asked = new Map(); // promises of answers by their addresses
const [, name] = NAME.exec(location.hash) || [];
if (dataset.answers === "here") {
  for (const path of ["start", ...(name ? [`catalogue/${name}`, `checked/${name}`] : [])]) asked.set(here(`stored/${path}.json`), null);
} else if (!searchParams.get("ticket") && (searchParams.get("token") || local.getItem(TOKEN))) {
  for (const path of ["start", ...(name ? [`catalogue/${name}`] : [])]) asked.set(`/api/${path}`, { headers: { "X-Puzzlec-Token": searchParams.get("token") || local.getItem(TOKEN) } });
}
for (const [address, settings] of asked) asked.set(address, begun(address, settings ?? {}));

function here(path) {
  return new URL(path, import.meta.url).href;
}

function begun(address, settings = {}) {
  const answer = fetch(address, settings);
  answer.catch(() => {}); // the error goes to the module that takes the answer
  return answer;
}

/** Return the promise of an answer that was asked for at the start, once; otherwise ask now. */
export function taken(address, settings = {}) {
  const found = asked.get(address);
  asked.delete(address);
  return found ?? fetch(address, settings);
}
