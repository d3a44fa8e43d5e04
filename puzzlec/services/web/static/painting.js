// Changes of the text from the stage and the tray: the server reports which characters change, and the editor
// keeps all changes in its history.

import { post } from "./api.js";
import * as checking from "./checking.js";
import { askText, choose } from "./dialogs.js";
import { places } from "./editor.js";
import { byId, choices, element, make, press, tell, withCode } from "./elements.js";
import { Solid } from "./faces.js";
import { layers, Painter } from "./stage.js";
import { page, puzzle, state } from "./state.js";
import { toast } from "./toast.js";
import { language, phrase, translated } from "./words.js";

let editor = null;
let board = null;
let ruled = null; // shows or hides the form for rules
let solid = null; // the board as a solid
let latest = null; // the stage of the last readable text
let waiting = []; // painted cells that are not yet in the text
let proven = []; // the steps of the proof that no solution exists
let busy = false;
let later = () => {}; // shows the results that arrived during a stroke
const painters = [];

export const lattice = () => latest?.lattice || "";

export function begin(chosen) {
  editor = chosen;
  const rule = make("button", { type: "button", "aria-pressed": "false", "aria-controls": "board-rule", title: phrase("painting.rule"), click: async () => {
    ruled ??= (await import("./ruling.js")).form(byId("board-rule"), board, change, editor);
    const open = byId("board-rule").hidden;
    rule.setAttribute("aria-pressed", String(open));
    ruled(open);
  } }, phrase("rule"));
  board = new Painter(byId("board-cells"), phrase("painting.board"), said);
  byId("board-tools").append(...tools(board, () => "", ""), undoing(), rule);
  board.addEventListener("sign", () => byId("board-rule").hidden || rule.click()); // strokes paint again
  board.addEventListener("paint", () => prove()); // the proof is about another board
  solid = new Solid(byId("board-solid"), board);
}

export function said(words) {
  byId("said").textContent = words;
}

/** Undo the last change of the text. */
export const undo = () => editor.undo();

/** Undo and redo as buttons, for fingers. */
function undoing() {
  const back = make("button", { type: "button", title: phrase("undo.keys"), click: undo }, phrase("undo"));
  const redo = make("button", { type: "button", title: phrase("redo.keys"), click: () => editor.redo() }, phrase("redo"));
  const refresh = () => {
    back.disabled = !editor.past.length;
    redo.disabled = !editor.future.length;
  };
  editor.addEventListener("change", refresh);
  refresh();
  return make("span", { class: "group" }, back, redo);
}

const KEYS = { x: "painting.cell", "?": "painting.optional", ".": "painting.erase" };

const SQUARE = "square"; // the lattice of pictures

const ICONS = {
  free: "M2 12C4 2 7 3 7 8S10 14 14 4", line: "M2 14L14 2", box: "M2 4H14V12H2Z",
  left: "M8 1V15M5 4L1 12H5ZM11 4L15 12H11Z", above: "M1 8H15M4 5L12 1V5ZM4 11L12 15V11Z",
};

/** Return the controls of a painter for the piece of a `name`; "" means the board. `without` has signs that it cannot paint. */
export function tools(painter, name, without) {
  connect(painter, name);
  const group = (label) => make("span", { class: "group", role: "group", "aria-label": phrase(label) });
  const icon = (shape) => [shape, { title: phrase(`painting.${shape}`), "aria-label": phrase(`painting.${shape}`) }, element("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, element("path", { d: ICONS[shape] }))];
  const [signs, forms, mirrors] = [group("painting.paint"), group("painting.form"), group("painting.mirror")];
  const choose = (sign) => press(signs, [(painter.sign = sign)]);
  painter.addEventListener("level", () => {
    const known = [...(painter.data.signs.length ? painter.data.signs : ["x"]), "."].filter((sign) => !without.includes(sign));
    if (signs.dataset.signs === known.join("")) return;
    signs.dataset.signs = known.join("");
    choices(signs, known.map((sign) => [sign, {}, KEYS[sign] ? phrase(KEYS[sign]) : sign]), (sign) => {
      choose(sign);
      painter.dispatchEvent(new Event("sign"));
    });
    choose(known.includes(painter.sign) ? painter.sign : "x");
  });
  choices(forms, ["free", "line", "box"].map(icon), (form) => press(forms, [form], painter.use(form)));
  press(forms, ["free"]);
  const sides = ["left", "above"];
  choices(mirrors, sides.map(icon), (side) => {
    const on = painter.mirrored.map((own, axis) => (sides[axis] === side ? !own : own));
    press(mirrors, sides.filter((_, axis) => on[axis]), painter.use(painter.form, on));
  });
  press(mirrors, []);
  painter.svg.addEventListener("paste", ({ clipboardData }) => {
    const [file] = clipboardData.files;
    if (file) pictured(painter, name(), file);
    else pasted(name(), clipboardData.getData("text/plain"));
  });
  const area = painter.host.parentElement;
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file && painter.svg.checkVisibility()) pictured(painter, name(), file);
  });
  const chooser = make("input", { type: "file", accept: "image/*", change: () => pictured(painter, name(), chooser.files[0]) });
  const picture = make("button", { type: "button", title: phrase("picture.title"), click: () => chooser.showPicker() }, phrase("picture"));
  painter.addEventListener("level", () => (picture.hidden = painter.data.lattice !== SQUARE));
  return [layers(painter), signs, forms, mirrors, picture, make("button", { type: "button", click: async () => pasted(name(), await askText(phrase("painting.paste"), phrase("painting.pasted"), "", phrase("painting.replace"), true)) }, phrase("painting.paste"))];
}

/** Make a drawing the board or a piece. */
const pasted = (piece, drawing) => drawing?.trim() && change({ do: "paste", piece, drawing });

/** Make a picture of squares the board or a piece. */
async function pictured(painter, piece, file) {
  if (painter.data.lattice !== SQUARE) return toast(phrase("picture.squares"));
  const drawing = await (await import("./imaging.js")).drawingOf(file);
  return drawing === null ? toast(phrase("picture.bad")) : pasted(piece, drawing);
}

/** Change the text as the stage is painted. */
function connect(painter, name) {
  painters.push(painter);
  painter.addEventListener("paint", ({ detail }) => {
    waiting.push({ ...detail, painter, piece: name() });
    flush();
  });
  painter.addEventListener("idle", () => later());
}

/** Remove the board, which belongs to another text. */
export function forget() {
  latest = null;
  solid.show(null, [], false);
}

/** Show something that belongs to the current text. During a stroke it waits, and a change of the text drops it. */
export function whenIdle(shown) {
  later = () => {};
  if (busy || painters.some((painter) => painter.isBusy)) later = () => whenIdle(shown);
  else shown();
}

/** Show the stage of a text; null if it cannot be read. */
export function show(stage, why, fresh) {
  if (stage) latest = stage;
  tell("board-why", stage ? translated(stage.why || "") : why);
  const drawn = Boolean(latest?.cells);
  byId("board-cells").hidden = byId("board-tools").hidden = !drawn || Boolean(stage?.why);
  if (byId("board-tools").hidden) byId("board-rule").hidden = true;
  if (drawn) board.show(latest, latest.cells, { open: Boolean(stage?.cells), fresh });
  solid.show(drawn && !stage?.why ? latest : null, latest?.cells, Boolean(stage?.cells));
}

/** Colour the board as in a proof that no solution exists, and tell its steps one by one; null removes the proof. */
export function prove(found) {
  board.prove(found?.cells ?? [], found?.weighed);
  solid.prove(found?.cells ?? []);
  const steps = found?.steps[language] ?? [];
  if (steps.join("\n") === proven.join("\n")) return;
  proven = steps;
  const list = make("ol", { "aria-live": "polite" });
  const act = () => {
    if (list.childElementCount === steps.length) byId("share").click();
    else list.append(withCode(make("li"), steps[list.childElementCount]));
    more.textContent = phrase(list.childElementCount < steps.length ? "proof.next" : "share");
  };
  const more = make("button", { type: "button", click: act });
  byId("board-proof").replaceChildren(list, more);
  byId("board-proof").hidden = !steps.length;
  if (steps.length) act();
}

/** Show a proof in another element: the board of a stage in its colours, which cannot be painted there, and all steps. Return its solid, if any. */
export function shownProof(host, { stage, cells, weighed, steps }) {
  const [flat, space] = [make("div", { class: "cells", inert: true }), make("div", { class: "solid" })];
  host.replaceChildren(make("div", { class: "scrolled" }, space, flat, make("div", { class: "proof" }, make("ol", {}, steps[language].map((step) => withCode(make("li"), step))))));
  if (!stage.cells || !cells.length) return null;
  const painter = new Painter(flat, phrase("painting.board"), () => {});
  const model = new Solid(space, painter);
  model.prove(cells);
  model.show(stage, stage.cells, false);
  flat.hidden = Boolean(stage.model);
  painter.show(stage, stage.cells);
  painter.prove(cells, weighed);
  return model;
}

/** Return the proof that is shown: its last step, and a function that returns an image of the board; null without one. */
export const proof = () => (proven.length ? { words: proven.at(-1).replaceAll("`", ""), image: () => board.image() } : null);

async function flush() {
  if (busy) return;
  busy = true;
  try {
    while (waiting.length) {
      const [{ painter, piece, stroke }] = waiting;
      const now = waiting.filter((touch) => touch.painter === painter && touch.piece === piece && touch.stroke === stroke);
      waiting = waiting.filter((touch) => !now.includes(touch));
      const cells = [...new Map(now.map(({ cell, sign }) => [cell.join(), [cell, sign]])).values()];
      const found = await change({ do: "paint", piece, cells }, `${piece} ${stroke}`);
      if (!found) {
        waiting = [];
        checking.soon(true);
      } else if (found.shift.some(Boolean)) {
        painter.shift(found.shift);
        for (const touch of waiting) if (touch.painter === painter) touch.cell = touch.cell.map((at, k) => at + (found.shift[k] || 0));
      }
    }
  } finally {
    busy = false;
    later();
  }
}

/** Change the text. Returns the answer, or null if nothing was changed. */
export async function change(wanted, group = null) {
  for (let tries = 0; tries < 4; tries++) {
    const { text } = state;
    const found = await post("edit", { ...puzzle(), page, change: wanted });
    if (state.text !== text) continue; // the user has typed in the meantime
    if (found.question) {
      const word = phrase(wanted.do === "remove" ? "tray.remove" : "painting.replace");
      const yes = await choose(phrase("painting.change"), translated(found.question), [[true, word], [undefined, phrase("cancel")]]);
      return yes ? change({ ...wanted, sure: true }, group) : null;
    }
    if (!found.edits) {
      toast(translated(found.reason || "") || phrase("painting.slow"));
      return null;
    }
    const place = places(text);
    later = () => {};
    editor.apply(found.edits.map(([start, end, fresh]) => [place(start), place(end), fresh]), group);
    checking.soon(true);
    return found;
  }
  return null;
}
