// The meaning of a name in the text: beside the mouse, or at the cursor.

import { post } from "./api.js";
import { LINE, places } from "./editor.js";
import { make } from "./elements.js";
import { page, puzzle } from "./state.js";
import { phrase, withCode } from "./words.js";

const PAUSE = 400; // milliseconds without a move of the mouse before the meaning appears

/** Explain names of an editor; `speaks` says whether its text is in the puzzle language. Return the act for the cursor. */
export function begin(editor, speaks) {
  const { area } = editor;
  const box = make("div", { id: "meaning", role: "status", "aria-label": phrase("editor.meaning"), hidden: true });
  area.parentElement.append(box);
  let asked = 0;
  let waiting = 0;
  let shown = [0, 0];

  function close() {
    asked++;
    clearTimeout(waiting);
    box.hidden = true;
  }

  /** Show the meaning of the character at a place. */
  async function explain(at) {
    const number = ++asked;
    const text = area.value;
    if (!speaks()) return;
    // The compiler counts characters, and JavaScript counts units of UTF-16.
    const found = await post("explain", { ...puzzle(), page, at: [...text.slice(0, at)].length }).catch(() => ({}));
    if (number !== asked || area.value !== text) return;
    if (!found.markdown) return close();
    const place = places(text);
    shown = [place(found.start), place(found.end)];
    box.replaceChildren(...found.markdown.split("\n\n").map(block));
    box.hidden = false;
    const { x, y } = editor.spot(Math.max(shown[0], text.lastIndexOf("\n", at - 1) + 1));
    box.style.left = `${Math.max(0, Math.min(x - area.scrollLeft, area.clientWidth - box.offsetWidth))}px`;
    const above = y - area.scrollTop;
    box.style.top = `${above > box.offsetHeight ? above - box.offsetHeight : above + LINE}px`;
  }

  area.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return close();
    const at = under(editor, event);
    if (!box.hidden && at >= shown[0] && at < shown[1]) return;
    close();
    if (at >= 0) waiting = setTimeout(explain, PAUSE, at);
  });
  for (const name of ["pointerleave", "scroll", "input", "blur"]) area.addEventListener(name, close);
  area.addEventListener("keydown", (event) => event.key === "Escape" && close());
  return () => explain(area.selectionStart);
}

/** Return the place of the character under the mouse; -1 beside the text. */
function under(editor, event) {
  const { area } = editor;
  const frame = area.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left + area.scrollLeft, event.clientY - frame.top + area.scrollTop];
  const before = (at) => {
    const spot = editor.spot(at);
    return spot.y + LINE <= y || (spot.y <= y && spot.x <= x);
  };
  let [low, high] = [0, area.value.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (before(middle)) low = middle;
    else high = middle - 1;
  }
  const { y: top } = editor.spot(low);
  return top <= y && y < top + LINE && /\S/.test(area.value[low] || "") ? low : -1;
}

/** Return an element for a block of a meaning: a drawing, or a paragraph without its links. */
function block(text) {
  const drawing = /^```text\n([^]*)\n```$/.exec(text);
  return drawing ? make("pre", {}, drawing[1]) : withCode(make("p"), text.replace(/ \[[^\]]*\]\([^)]*\)/g, ""));
}
