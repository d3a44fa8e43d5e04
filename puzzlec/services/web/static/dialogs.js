// The dialog of the page. Each question fills it.

import { byId, make, withCode } from "./elements.js";
import { phrase } from "./words.js";

let done = null;

function close(value) {
  const answer = done;
  done = null;
  if (byId("dialog").open) byId("dialog").close();
  if (answer) answer(value);
}

export function begin() {
  byId("dialog").addEventListener("close", () => {
    // The event comes late: the next question may already be open.
    if (!byId("dialog").open) close(undefined);
  });
  byId("dialog").addEventListener("click", (event) => {
    if (event.target === byId("dialog")) close(undefined);
  });
  byId("dialog-close").addEventListener("click", () => close(undefined));
}

/** Show a dialog. `fill` gets a function for the answer and returns the elements. Returns the answer, or undefined. */
export function ask(title, fill, small = true) {
  close(undefined);
  return new Promise((resolve) => {
    done = resolve;
    byId("dialog-title").textContent = title;
    byId("dialog").classList.toggle("small", small);
    byId("dialog-body").replaceChildren(...[fill(close)].flat());
    byId("dialog").showModal();
    const first = byId("dialog-body").querySelector("[autofocus]") || byId("dialog-body").querySelector("input, select, button");
    if (first) first.focus();
  });
}

/** Ask a question (one text, or one for each line) with a few answers [value, words]. The last answer has the focus: it
 * must be harmless.
 */
export function choose(title, question, answers) {
  return ask(title, (answer) =>
    make("div", { class: "asked" }, [question].flat().map((line) => withCode(make("p"), line)), make("div", { class: "buttons" },
      answers.map(([value, words], k) =>
        make("button", { type: "button", class: k === answers.length - 1 ? "main" : null, autofocus: k === answers.length - 1, click: () => answer(value) }, words)))));
}

/** Ask for a text: a line, or several `lines`. */
export function askText(title, question, value, button, lines = false) {
  return ask(title, (answer) => {
    const input = make(lines ? "textarea" : "input", { type: "text", value, rows: 10, spellcheck: "false", "aria-label": question, autofocus: true });
    const done = () => answer(lines ? input.value : input.value.trim());
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || (lines && !event.ctrlKey)) return;
      event.preventDefault(); // or the button that has the focus afterwards would be pressed
      done();
    });
    queueMicrotask(() => {
      const dot = value.lastIndexOf(".");
      input.setSelectionRange(0, dot > 0 ? dot : value.length);
    });
    return make("div", { class: "asked" }, make("p", {}, question), input, make("div", { class: "buttons" },
      make("button", { type: "button", click: () => answer(undefined) }, phrase("cancel")),
      make("button", { type: "button", class: "main", click: done }, button)));
  });
}

/** A list with a search field. Rows are { words, group, content }; the answer is the chosen row. */
export function searched(rows, answer, hint, more = []) {
  const list = make("div", { class: "choice" });
  const field = make("input", { type: "search", placeholder: hint, "aria-label": hint, autofocus: true, spellcheck: "false" });
  const told = make("span", { class: "tag", role: "status" });
  const draw = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => words.every((word) => row.words.includes(word)));
    let [group, part] = [null, null];
    list.replaceChildren();
    for (const row of found) {
      if (row.group !== group) {
        if (row.group) list.append(make("h3", {}, row.group));
        list.append((part = make("div", { role: "list", "aria-label": row.group || null })));
      }
      group = row.group;
      part.append(make("div", { role: "listitem" }, make("button", { type: "button", click: () => answer(row) }, row.content)));
    }
    told.textContent = phrase("dialog.found", { some: found.length, all: rows.length });
  };
  field.addEventListener("input", draw);
  field.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")];
    if (event.key === "Enter") {
      event.preventDefault(); // or the button that has the focus afterwards would be pressed
      if (buttons.length) buttons[0].click();
    }
    if (event.key === "ArrowDown" && buttons.length) buttons[0].focus();
    if (event.key === "Escape") {
      event.preventDefault(); // or the browser only clears the field
      answer(undefined);
    }
  });
  list.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || at < 0) return;
    event.preventDefault();
    (buttons[at + step] || (step < 0 ? field : buttons[at])).focus();
  });
  draw();
  return [make("div", { class: "search" }, field, told, more), list];
}
