// The editor: a plain textarea over the same text in colours. The browser edits and selects. Only the visible lines are
// drawn, so long texts stay fast. There is one history for typed and painted changes. If long lines are wrapped, a line has
// several rows.

import { make } from "./elements.js";

export const LINE = 20; // pixels, as in the style
const MORE = 30; // lines drawn above and below the visible ones
const COLOURED = 1_000_000; // longer texts have no colours
const INDENT = "  ";
const HISTORY = 500; // changes that can be undone
const TYPING = 1000; // milliseconds between keys that are undone together

export class Editor extends EventTarget {
  constructor(element) {
    super();
    this.area = element.querySelector("textarea");
    this.ink = element.querySelector(".ink");
    this.gutter = element.querySelector(".gutter");
    this.highlighter = null;
    this.ruler = make("div", { class: "ruler", "aria-hidden": "true" }); // measures wrapped lines
    this.ink.after(this.ruler);
    this.wraps = false;
    this.tops = null; // the row at which each line begins; null if it must be counted
    this.rows = new Map(); // the numbers of rows of wrapped lines, by their texts
    this.lines = [""];
    this.states = [["root"]];
    this.faults = [];
    this.hits = [];
    this.marks = new Map();
    this.wanted = 0;
    this.past = []; // changes: where, the removed and the inserted text
    this.future = [];
    this.known = ""; // the text after the last change
    this.group = null; // changes of a group are undone together
    this.composing = false; // whether an input method composes a text
    this.fresh = null; // the place of a painted change, for a moment
    this.area.addEventListener("beforeinput", (event) => {
      if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
      event.preventDefault();
      if (event.inputType === "historyUndo") this.undo();
      else this.redo();
    });
    this.area.addEventListener("input", () => this.composing || this.changed());
    // An input method composes its text in steps. The textarea shows them, and only the end is a change.
    for (const [name, on] of [["compositionstart", true], ["compositionend", false]]) {
      this.area.addEventListener(name, () => {
        this.composing = on;
        element.classList.toggle("composing", on);
        if (!on) this.changed();
      });
    }
    this.area.addEventListener("scroll", () => this.draw(), { passive: true });
    this.area.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => {
      this.forget();
      this.draw();
    }).observe(this.area);
  }

  /** Wrap long lines, or scroll them. */
  wrap(on) {
    this.wraps = on;
    this.area.wrap = on ? "soft" : "off";
    this.area.closest(".editor").classList.toggle("wrapped", on);
    this.forget();
    this.draw();
  }

  /** Forget how many rows the lines have. */
  forget() {
    this.rows.clear();
    this.tops = null;
    this.ink.style.width = this.ruler.style.width = this.wraps ? `${this.area.clientWidth}px` : "";
  }

  /** Return the row at which each line begins, and the number of all rows at the end. */
  layout() {
    if (this.tops) return this.tops;
    const { width, left } = measured(this.area);
    const most = this.wraps ? Math.floor((this.area.clientWidth - 2 * left) / width) : Infinity;
    let row = 0;
    this.tops = this.lines.map((line) => {
      const top = row;
      row += line.length <= most && (!this.wraps || /^[ -~]*$/.test(line)) ? 1 : this.measuredRows(line);
      return top;
    });
    this.tops.push(row);
    return this.tops;
  }

  measuredRows(line) {
    if (!this.wraps) return 1;
    if (!this.rows.has(line)) {
      this.ruler.textContent = line;
      const { paddingTop, paddingBottom } = getComputedStyle(this.ruler);
      this.rows.set(line, Math.max(1, Math.round((this.ruler.offsetHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)) / LINE)));
    }
    return this.rows.get(line);
  }

  /** Return the line at a row. */
  lineAt(row) {
    return lastUpTo(this.layout(), row, this.lines.length - 1);
  }

  /** Return the place of a character from the beginning of the text, in px: its left edge, and the top of its row. */
  spot(at) {
    const before = this.text.slice(0, at).split("\n");
    const line = before.length - 1;
    const { width, left, top } = measured(this.area);
    const y = top + LINE * this.layout()[line];
    if (!this.wraps) return { x: left + width * before[line].length, y };
    const mark = make("span", {}, "\u200b");
    this.ruler.replaceChildren(before[line], mark, this.lines[line].slice(before[line].length));
    return { x: mark.offsetLeft, y: y + mark.offsetTop - top };
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = this.area.scrollLeft = 0;
    this.faults = [];
    this.known = text;
    this.past = [];
    this.future = [];
    this.changed();
  }

  /** Add the changes since the last call to the history. */
  record() {
    const [before, now] = [this.known, this.area.value];
    if (before === now) return;
    const least = Math.min(before.length, now.length);
    let start = 0;
    while (start < least && before[start] === now[start]) start++;
    let end = 0;
    while (end < least - start && before[before.length - 1 - end] === now[now.length - 1 - end]) end++;
    const removed = before.slice(start, before.length - end);
    const inserted = now.slice(start, now.length - end);
    const last = this.past.at(-1);
    const typed = removed.length + inserted.length === 1 && inserted !== "\n";
    const when = Date.now();
    const goesOn = typed && !this.group && last?.typed && when - last.when < TYPING
      && (inserted ? start === last.start + last.inserted.length && !last.removed : !last.inserted && start === last.start - 1);
    if (goesOn) Object.assign(last, inserted ? { inserted: last.inserted + inserted, when } : { start, removed: removed + last.removed, when });
    else this.past.push({ start, removed, inserted, typed, when, group: this.group });
    if (this.past.length > HISTORY) this.past.shift();
    this.future = [];
    this.known = now;
  }

  undo() {
    this.step(this.past, this.future, (change) => [change.start, change.inserted, change.removed]);
  }

  redo() {
    this.step(this.future, this.past, (change) => [change.start, change.removed, change.inserted]);
  }

  /** Move the last group of changes from one list to the other. */
  step(from, to, meant) {
    if (!from.length) return;
    const { group } = from.at(-1);
    do {
      const change = from.pop();
      to.push(change);
      const [start, old, fresh] = meant(change);
      this.area.setRangeText(fresh, start, start + old.length, "end");
      this.known = this.area.value;
      this.reveal(start, fresh.length);
    } while (group !== null && from.length && from.at(-1).group === group);
    this.changed();
  }

  /** Make changes [start, end, text] that the user asked for outside the text. */
  apply(edits, group) {
    const { scrollTop, scrollLeft } = this.area;
    this.group = group ?? `change ${Date.now()}`;
    // Begin at the end, so that earlier places stay the same. Changes at one place keep their order.
    const ordered = edits.map((edit, k) => [edit, k]).sort(([one, k], [other, l]) => other[0] - one[0] || other[1] - one[1] || l - k);
    for (const [[start, end, text]] of ordered) {
      this.area.setRangeText(text, start, end, "end");
      this.record();
    }
    this.group = null;
    Object.assign(this.area, { scrollTop, scrollLeft });
    if (ordered.length) this.reveal(ordered.at(-1)[0][0], ordered.at(-1)[0][2].length);
    this.changed();
  }

  /** Scroll to a change, and mark its line for a moment. */
  reveal(start, length) {
    this.renew();
    const line = this.area.value.slice(0, start).split("\n").length - 1;
    const last = line + this.area.value.slice(start, start + length).split("\n").length - 1;
    const { clientHeight, scrollTop } = this.area;
    const top = this.layout()[line] * LINE;
    if (clientHeight && (top < scrollTop || top + 2 * LINE > scrollTop + clientHeight)) this.area.scrollTop = Math.max(0, top - clientHeight / 3);
    this.fresh = [line, last];
    clearTimeout(this.fading);
    this.fading = setTimeout(() => {
      this.fresh = null;
      this.draw();
    }, 900);
  }

  /** Take over the lines of the text. The colours of lines after a change depend on it. */
  renew() {
    const lines = this.area.value.split("\n");
    let same = 0;
    while (same < lines.length && lines[same] === this.lines[same]) same++;
    this.states.length = Math.min(this.states.length, same + 1);
    this.lines = lines;
    this.tops = null;
  }

  changed() {
    this.record();
    this.renew();
    this.mark();
    this.draw();
    this.dispatchEvent(new Event("change"));
  }

  /** Set the rules of a language; null for none. */
  speak(highlighter) {
    this.highlighter = highlighter;
    this.states = [["root"]];
    this.draw();
  }

  /** Mark errors: each has a `start` and an `end` in the text, and a `severity`. */
  show(faults) {
    this.faults = faults;
    this.mark();
    this.draw();
  }

  /** Mark other places, as `show` does. */
  highlight(hits) {
    this.hits = hits;
    this.mark();
    this.draw();
  }

  /** Compute the marked parts of the lines. */
  mark() {
    this.marks = new Map();
    if (!this.faults.length && !this.hits.length) return;
    const starts = [0];
    for (const line of this.lines) starts.push(starts[starts.length - 1] + line.length + 1);
    for (const fault of [...this.hits, ...this.faults]) {
      if (fault.text !== undefined && this.text.slice(fault.start, fault.end) !== fault.text) continue; // it moved
      const low = lastUpTo(starts, fault.start, this.lines.length - 1);
      for (let line = low; line < this.lines.length && starts[line] < Math.max(fault.end, fault.start + 1); line++) {
        const from = Math.max(0, fault.start - starts[line]);
        const to = Math.min(Math.max(fault.end - starts[line], from + 1), Math.max(this.lines[line].length, from + 1));
        if (!this.marks.has(line)) this.marks.set(line, []);
        this.marks.get(line).push({ from, to, severity: fault.severity });
        if (line - low > 200) break;
      }
    }
  }

  draw() {
    if (this.wanted) return;
    this.wanted = requestAnimationFrame(() => {
      this.wanted = 0;
      this.drawNow();
    });
  }

  drawNow() {
    const { scrollTop, scrollLeft, clientHeight } = this.area;
    if (this.wraps && this.ink.style.width !== `${this.area.clientWidth}px`) this.forget(); // a scroll bar has appeared
    const tops = this.layout();
    const first = this.lineAt(Math.max(0, Math.floor(scrollTop / LINE) - MORE));
    const last = this.lineAt(Math.ceil((scrollTop + clientHeight) / LINE) + MORE) + 1;
    const ink = document.createDocumentFragment();
    const numbers = document.createDocumentFragment();
    for (let line = first; line < last; line++) {
      ink.append(this.drawn(line));
      const marks = this.marks.get(line);
      const worst = marks && ["error", "warning", "note"].find((severity) => marks.some((mark) => mark.severity === severity));
      const number = make("div", { class: worst || null }, String(line + 1));
      number.style.height = `${LINE * (tops[line + 1] - tops[line])}px`;
      numbers.append(number);
    }
    this.ink.replaceChildren(ink);
    this.gutter.replaceChildren(numbers);
    this.ink.style.transform = `translate(${-scrollLeft}px, ${tops[first] * LINE - scrollTop}px)`;
    this.gutter.style.transform = `translateY(${tops[first] * LINE - scrollTop}px)`;
  }

  /** The parts of a line with their roles. */
  pieces(line) {
    const text = this.lines[line];
    if (!this.highlighter || this.area.value.length > COLOURED || text.length > 4000) return [[text, ""]];
    while (this.states.length <= line) {
      const known = this.states.length - 1;
      this.states.push(this.highlighter.line(this.lines[known], this.states[known])[1]);
    }
    return this.highlighter.line(text, this.states[line])[0];
  }

  drawn(line) {
    const row = make("div", { class: this.fresh && line >= this.fresh[0] && line <= this.fresh[1] ? "line fresh" : "line" });
    const marks = this.marks.get(line) || [];
    let at = 0;
    for (const [text, role] of this.pieces(line)) {
      let rest = text;
      while (rest) {
        const inside = marks.find((mark) => mark.from <= at && at < mark.to);
        const next = marks.reduce((least, mark) => {
          const edges = [mark.from, mark.to].filter((edge) => edge > at);
          return Math.min(least, ...edges);
        }, at + rest.length);
        const part = rest.slice(0, next - at);
        const names = [role && `is-${role}`, inside && (inside.severity === "hit" ? "hit" : `fault ${inside.severity}`)].filter(Boolean).join(" ");
        row.append(names ? make("span", { class: names }, part) : part);
        at += part.length;
        rest = rest.slice(part.length);
      }
    }
    const behind = marks.find((mark) => mark.to > at);
    if (behind) row.append(make("span", { class: `fault ${behind.severity}` }, " "));
    if (!row.firstChild) row.append("\u200b");
    return row;
  }

  /** Scroll to a place of the text and put the cursor there. */
  goTo(start, end) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end);
    const { x, y } = this.spot(start);
    this.area.scrollTop = Math.max(0, y - this.area.clientHeight / 2);
    this.area.scrollLeft = Math.max(0, x - this.area.clientWidth / 2);
  }

  key(event) {
    if (event.isComposing || this.composing) return; // the key belongs to the input method
    if (event.key === "Escape") {
      this.leaving = true; // after Escape, Tab leaves the editor, for users without a mouse
      return;
    }
    const leaving = this.leaving;
    if (event.key !== "Shift") this.leaving = false;
    if (isUndo(event)) {
      event.preventDefault();
      event.stopPropagation();
      if (event.shiftKey || event.key.toLowerCase() === "y") this.redo();
      else this.undo();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key === "/") {
      event.preventDefault();
      this.comment();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "d") {
      event.preventDefault();
      this.rewrite((lines) => `${lines}\n${lines}`, true);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { selectionStart: from, selectionEnd: to } = this.area;
    const next = this.text[to] || "\n";
    if (event.key === "{" && from === to && /\s/.test(next)) {
      event.preventDefault();
      this.insert("{}");
      this.area.setSelectionRange(from + 1, from + 1);
    } else if (event.key === "}" && from === to && next === "}" && this.text.slice(0, from).split("{").length === this.text.slice(0, from).split("}").length + 1) {
      event.preventDefault();
      this.area.setSelectionRange(to + 1, to + 1);
    } else if (event.key === "Tab" && !leaving && this.text) {
      event.preventDefault();
      this.indent(event.shiftKey);
    } else if (event.key === "Enter") {
      const start = this.text.lastIndexOf("\n", this.area.selectionStart - 1) + 1;
      const blanks = /^[ \t]*/.exec(this.text.slice(start, this.area.selectionStart))[0];
      const within = this.text[from - 1] === "{" && next === "}";
      if (!blanks && !within) return;
      event.preventDefault();
      this.insert(within ? `\n${blanks}${INDENT}\n${blanks}` : `\n${blanks}`);
      if (within) this.area.setSelectionRange(from + 1 + blanks.length + INDENT.length, from + 1 + blanks.length + INDENT.length);
    }
  }

  /** Replace the selection by a text. */
  insert(text) {
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.changed();
  }

  indent(back) {
    const { selectionStart: from, selectionEnd: to } = this.area;
    if (from === to && !back) this.insert(INDENT);
    else this.rewrite((lines) => (back ? lines.replace(/^(?: {1,2}|\t)/gm, "") : lines.replace(/^(?=.)/gm, INDENT)));
  }

  /** Make the selected lines comments; if all are comments, make them text. */
  comment() {
    this.rewrite((lines) => (/^(?![ \t]*(?:#|$))/m.test(lines) ? lines.replace(/^([ \t]*)(?=\S)/gm, "$1# ") : lines.replace(/^([ \t]*)# ?/gm, "$1")), true);
  }

  /** Replace the selected lines by what a function makes of them: up to the selection, or the `whole` lines. */
  rewrite(change, whole = false) {
    const { selectionStart: from, selectionEnd: end } = this.area;
    const start = this.text.lastIndexOf("\n", from - 1) + 1;
    const to = whole ? (this.text + "\n").indexOf("\n", Math.max(end - (end > from && this.text[end - 1] === "\n"), from)) : end;
    const old = this.text.slice(start, to);
    const fresh = change(old);
    if (old === fresh) return;
    this.area.setSelectionRange(start, to);
    this.insert(fresh);
    if (from === end) {
      const at = Math.max(start, from + fresh.length - old.length);
      this.area.setSelectionRange(at, at);
    } else this.area.setSelectionRange(start, start + fresh.length);
  }
}

/** Return the index, at most `high`, of the last of some rising numbers that is not above a limit. */
function lastUpTo(numbers, limit, high) {
  let low = 0;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether a key undoes or repeats a change. */
export const isUndo = (event) => (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key);

/** Whether a key asks to find words. */
export const isFind = (event) => (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "f";

/** Return a function from offsets of the server, in characters, to offsets of JavaScript. */
export function places(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (offset) => offset;
  const found = [];
  let at = 0;
  for (const sign of text) {
    found.push(at);
    at += sign.length;
  }
  found.push(at);
  return (offset) => found[Math.min(offset, found.length - 1)];
}

/** The size of a character of the editor, and the place of the first one, in px. */
function measured(area) {
  const { fontSize, fontFamily, paddingLeft, paddingTop } = getComputedStyle(area);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontSize} ${fontFamily}`;
  return { width: pen.measureText("x".repeat(100)).width / 100, left: parseFloat(paddingLeft), top: parseFloat(paddingTop) };
}
