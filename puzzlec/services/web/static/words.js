// The language of the page: the chosen one, otherwise that of the browser. The words are in one file for each language,
// and the page gets the file of its language only.

import { LANGUAGE, language, languages, words } from "./early.js";
import { lasting, local } from "./storage.js";

export { language };
export const { grouped, phrase, translated } = PuzzleView;

const file = await words;
PuzzleView.speak(language, file);

/** Add the words of a part of the page that is loaded when it is opened first. */
export async function learn(part) {
  const more = await (await fetch(new URL(`words-${part}-${language}.json`, import.meta.url))).json();
  for (const kind of Object.keys(file)) Object.assign(file[kind], more[kind]);
}

document.documentElement.lang = language;
const filled = { words: withCode, label: (element, text) => element.setAttribute("aria-label", text), title: (element, text) => (element.title = text) };
for (const [name, fill] of Object.entries(filled)) {
  for (const element of document.querySelectorAll(`[data-${name}]`)) fill(element, phrase(element.dataset[name]));
}

/** Add a text to an element. Words in backticks become code. */
export function withCode(element, text) {
  text.split(/`([^`]*)`/).forEach((part, index) => {
    if (part) element.append(index % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : part);
  });
  return element;
}

/** Offer the languages. The page loads again with the chosen one; without storage, no choice would last. */
export function begin() {
  const select = document.getElementById("language");
  select.append(...Object.entries(languages).map(([code, name]) => Object.assign(new Option(name, code, false, code === language), { lang: code })));
  select.hidden = !lasting;
  select.addEventListener("change", () => {
    local.setItem(LANGUAGE, select.value);
    location.reload();
  });
}
