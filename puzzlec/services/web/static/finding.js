// Find and replace in the editor: a bar above the text, and marks at all places with the words.

import { isFind } from "./editor.js";
import { make } from "./elements.js";
import { phrase } from "./words.js";

const MAX_MARKS = 2000; // places that are marked; all are counted

/** Add the bar to an editor. Returns the function that opens it. */
export function begin(editor) {
  const { area } = editor;
  const field = (words) => make("input", { type: "search", spellcheck: "false", autocomplete: "off", "aria-label": words, placeholder: words });
  const button = (words, click, title = words) => make("button", { type: "button", class: "quiet", title, "aria-label": title, click }, words);
  const [words, other] = [field(phrase("find.words")), field(phrase("find.other"))];
  const number = make("output", { role: "status" });
  const bar = make("div", { class: "finding", role: "search", "aria-label": phrase("find"), hidden: true },
    make("div", { class: "group" }, words, number, button("↑", () => go(-1), phrase("find.previous")), button("↓", () => go(1), phrase("find.next")), button("✕", close, phrase("close"))),
    make("div", { class: "group" }, other, button(phrase("find.replace"), replace), button(phrase("find.all"), replaceAll)));
  let places = []; // the start of each place
  area.closest(".editor").before(bar);

  function look() {
    const [text, sought] = [editor.text, words.value];
    // Capital letters are the same as small ones, if that keeps the length of the text.
    const folded = text.toLowerCase().length === text.length && sought.toLowerCase().length === sought.length;
    const [inside, wanted] = folded ? [text.toLowerCase(), sought.toLowerCase()] : [text, sought];
    places = [];
    for (let at = wanted ? inside.indexOf(wanted) : -1; at >= 0; at = inside.indexOf(wanted, at + wanted.length)) places.push(at);
    editor.highlight(bar.hidden ? [] : places.slice(0, MAX_MARKS).map((start) => ({ start, end: start + sought.length, severity: "hit" })));
    told();
  }

  /** The number of the selected place; -1 if another part of the text is selected. */
  const selected = () => (area.selectionEnd - area.selectionStart === words.value.length ? places.indexOf(area.selectionStart) : -1);

  function told() {
    const at = selected();
    number.textContent = !words.value ? "" : at < 0 ? phrase("find.number", { n: places.length }) : phrase("find.at", { number: at + 1, n: places.length });
  }

  /** Select the next place, or the previous one; after the last one the first. The keyboard stays in the bar. */
  function go(way, from = area.selectionStart) {
    if (!places.length) return;
    const after = way > 0 ? places.findIndex((at) => at > from || (at === from && selected() < 0)) : places.findLastIndex((at) => at < from);
    const at = places.at(after < 0 ? (way > 0 ? 0 : -1) : after);
    const focused = document.activeElement;
    editor.goTo(at, at + words.value.length);
    focused?.focus({ preventScroll: true });
    told();
  }

  function replace() {
    const at = selected();
    if (at < 0) return go(1);
    const start = places[at];
    editor.apply([[start, start + words.value.length, other.value]], null);
    go(1, start + other.value.length - 1);
  }

  function replaceAll() {
    editor.apply(places.map((start) => [start, start + words.value.length, other.value]), null);
  }

  function open() {
    const chosen = editor.text.slice(area.selectionStart, area.selectionEnd);
    if (chosen && !chosen.includes("\n")) words.value = chosen;
    bar.hidden = false;
    words.focus();
    words.select();
    look();
  }

  function close() {
    bar.hidden = true;
    editor.highlight([]);
    area.focus({ preventScroll: true });
  }

  words.addEventListener("input", () => {
    look();
    if (selected() < 0) go(1, area.selectionStart - 1);
  });
  editor.addEventListener("change", () => bar.hidden || look());
  bar.addEventListener("keydown", (event) => {
    const enter = event.key === "Enter" && event.target.matches("input");
    if (event.key === "Escape") close();
    else if (isFind(event)) words.select();
    else if (enter && event.target === other) replace();
    else if (enter) go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return () => (bar.hidden || area === document.activeElement ? open() : close());
}
