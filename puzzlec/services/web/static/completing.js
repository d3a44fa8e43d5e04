// Completion in the editor: the words that can follow the cursor, with a picture of each shape.

import { post } from "./api.js";
import { LINE, places } from "./editor.js";
import { make, picture } from "./elements.js";
import { page, puzzle } from "./state.js";
import { phrase } from "./words.js";

const PAUSE = 150; // milliseconds without a key before the words appear
const TYPED = 2; // letters of a word before they appear without Ctrl-Space

/** Offer words in an editor; `speaks` says whether its text is in the puzzle language, `pieces` returns its pieces by names. */
export function begin(editor, speaks, pieces) {
  const { area } = editor;
  const list = make("ul", { id: "offers", role: "listbox", "aria-label": phrase("editor.offers"), hidden: true });
  area.parentElement.append(list);
  area.setAttribute("aria-controls", "offers");
  let offers = [];
  let start = 0;
  let active = -1;
  let asked = 0;
  let waiting = 0;

  const open = () => !list.hidden;

  function close() {
    asked++;
    clearTimeout(waiting);
    list.hidden = true;
    area.removeAttribute("aria-activedescendant");
  }

  function choose(next) {
    active = next;
    [...list.children].forEach((row, k) => row.setAttribute("aria-selected", String(k === active)));
    if (active < 0) return area.removeAttribute("aria-activedescendant");
    area.setAttribute("aria-activedescendant", list.children[active].id);
    list.children[active].scrollIntoView({ block: "nearest" });
  }

  function accept(which) {
    editor.apply([[start, area.selectionStart, offers[which].text]], null);
    area.focus();
    close();
  }

  async function ask(wanted) {
    clearTimeout(waiting);
    const number = ++asked;
    const at = area.selectionStart;
    const before = area.value.slice(0, at);
    if (at !== area.selectionEnd || !speaks()) return;
    // The compiler counts characters, and JavaScript counts units of UTF-16.
    const found = await post("complete", { ...puzzle(), page, at: [...before].length, pieces: [...pieces().keys()] }).catch(() => ({}));
    if (number !== asked || area.selectionStart !== at || document.activeElement !== area) return;
    offers = found.offers || [];
    if (!offers.length) return close();
    start = places(before)(found.start);
    list.replaceChildren(...offers.map((offer, k) => {
      const seen = offer.picture || (offer.what === "piece" && pieces().get(offer.text.replaceAll('"', ""))?.picture);
      const shape = seen?.svg && make("span", { class: "shape" });
      if (shape) picture(shape, seen, "");
      // The mouse must not take the keyboard from the text.
      return make("li", { id: `offer-${k}`, role: "option", mousedown: (event) => event.preventDefault(), click: () => accept(k) }, shape, make("b", {}, offer.text), make("small", {}, offer.remark));
    }));
    const { x, y } = editor.spot(start);
    list.hidden = false;
    list.style.left = `${Math.max(0, Math.min(x - area.scrollLeft, area.clientWidth - list.offsetWidth))}px`;
    const above = y - area.scrollTop;
    const below = above + LINE;
    list.style.top = `${below + list.offsetHeight > area.clientHeight && above > list.offsetHeight ? above - list.offsetHeight : below}px`;
    choose(wanted ? 0 : -1);
  }

  area.addEventListener("input", () => {
    close();
    const word = /[\p{L}\p{N}_-]*$/u.exec(area.value.slice(0, area.selectionStart))[0];
    if (!editor.composing && word.length >= TYPED) waiting = setTimeout(ask, PAUSE, false);
  });
  for (const name of ["blur", "scroll", "pointerdown"]) area.addEventListener(name, close);
  area.addEventListener("keydown", (event) => {
    if (editor.composing || event.isComposing) return;
    if (event.key === " " && event.ctrlKey) ask(true);
    else if (!open()) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") choose((event.key === "ArrowDown" ? active + 1 : Math.max(active, 0) + offers.length - 1) % offers.length);
    else if (event.key === "Tab" && !event.shiftKey) accept(Math.max(active, 0));
    else if (event.key === "Enter" && active >= 0) accept(active);
    else if (event.key === "Escape") close();
    else {
      if (event.key.length > 1 && event.key !== "Shift" && event.key !== "Backspace") close();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}
