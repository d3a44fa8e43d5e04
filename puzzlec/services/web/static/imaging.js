// A picture of a board becomes a drawing: its dark parts are cells. The page finds the size of a cell from the edges
// between dark and light, and the user can correct it.

import { ask } from "./dialogs.js";
import { make } from "./elements.js";
import { phrase } from "./words.js";

const MAX_SIDE = 1200; // px; larger pictures are made smaller
const MAX_COLUMNS = 100;
const MIN_CELL = 3; // px
const NEAR = 0.25; // of a cell: the number of rows may be as far from an integer
const GOOD = 0.7; // the quality of a grid, at most 1: of several good ones, the page chooses the one with fewest columns
const EXTREME = 0.02; // of the pixels are lighter than the lightest parts, and as many darker than the darkest
const THRESHOLD = 0.25; // between the lightest and the darkest parts
const CLEAR = 0.02; // of the pixels: with more transparent ones, all others are cells
const SHOWN = 360; // px, the size of the preview

/** Ask how a picture is divided into cells. Returns its drawing; nothing if the user cancels, null if it is no picture. */
export async function drawingOf(file) {
  const address = URL.createObjectURL(file);
  const image = Object.assign(new Image(), { src: address });
  try {
    await image.decode();
    return await asked(canvasOf(image));
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function canvasOf(image) {
  const scale = Math.min(1, MAX_SIDE / Math.max(image.naturalWidth, image.naturalHeight));
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.max(1, Math.round(scale * side)));
  const canvas = make("canvas", { width, height });
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(image, 0, 0, width, height);
  return canvas;
}

function asked(canvas) {
  const inks = inksOf(canvas);
  return ask(phrase("picture.title"), (answer) => {
    const columns = make("input", { type: "number", min: "1", max: String(MAX_COLUMNS), autofocus: true });
    const light = make("input", { type: "checkbox" });
    const threshold = make("input", { type: "range", min: "0", max: "1", step: "any", value: THRESHOLD });
    const size = make("output", { role: "status" });
    const preview = make("canvas", { role: "img", "aria-label": phrase("picture.preview"), class: "preview" });
    let grid = null;
    const divide = (isFresh) => {
      const mask = maskOf(inks, canvas.width, threshold.valueAsNumber, light.checked);
      if (isFresh) columns.value = columnsOf(mask);
      const number = Math.min(MAX_COLUMNS, Math.max(1, Math.round(columns.valueAsNumber) || 1));
      grid = gridOf(mask, number);
      if (!grid.rows.flat().some(Boolean)) grid = gridOf(filled(mask), number); // a picture that has only lines
      size.textContent = phrase("picture.size", { columns: grid.rows[0].length, rows: grid.rows.length, n: grid.rows.flat().filter(Boolean).length });
      draw(preview, canvas, grid);
    };
    columns.addEventListener("input", () => divide(false));
    for (const control of [light, threshold]) control.addEventListener("input", () => divide(true));
    divide(true);
    const form = make("form", { class: "form" }, preview,
      make("div", { class: "tools" }, make("label", {}, `${phrase("picture.columns")} `, columns), make("label", {}, `${phrase("picture.threshold")} `, threshold), make("label", {}, light, ` ${phrase("picture.light")}`), size),
      make("div", { class: "buttons" },
        make("button", { type: "button", click: () => answer(undefined) }, phrase("cancel")),
        make("button", { type: "submit", class: "main" }, phrase("painting.replace"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(grid.rows.map((row) => row.map((on) => (on ? "x" : ".")).join("")).join("\n"));
    });
    return form;
  });
}

/** Return the ink of each pixel, 0 to 255: how far it is from white, or how opaque it is in a picture with clear parts. */
function inksOf(canvas) {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const inks = new Uint8Array(data.length / 4);
  let clear = 0;
  for (let at = 3; at < data.length; at += 4) clear += data[at] < 128;
  const isClear = clear > CLEAR * inks.length;
  for (let k = 0, at = 0; k < inks.length; k++, at += 4) inks[k] = isClear ? data[at + 3] : 255 - Math.min(data[at], data[at + 1], data[at + 2]);
  return inks;
}

/**
 * Return which pixels belong to cells, and the box around them. The threshold `part` is between the lightest parts of the
 * picture (0) and the darkest (1).
 */
function maskOf(inks, width, part, isLight) {
  const sorted = inks.toSorted();
  const [lightest, darkest] = [EXTREME, 1 - EXTREME].map((share) => sorted[Math.floor(share * sorted.length)]);
  const limit = lightest + part * (darkest - lightest);
  const on = inks.map((ink) => Number(ink > limit !== isLight));
  const [columns, rows] = [new Uint8Array(width), new Uint8Array(on.length / width)]; // those with a cell
  for (let y = 0, at = 0; y < rows.length; y++) for (let x = 0; x < width; x++, at++) if (on[at]) columns[x] = rows[y] = 1;
  const [left, top] = [columns, rows].map((line) => Math.max(0, line.indexOf(1)));
  return { on, width, left, top, right: columns.lastIndexOf(1) + 1 || width, bottom: rows.lastIndexOf(1) + 1 || rows.length };
}

/** Return a mask in which all that lines enclose belongs to cells. */
function filled(mask) {
  const { on, width } = mask;
  const outside = new Uint8Array(on.length);
  const open = [];
  const visit = (at) => {
    if (on[at] || outside[at]) return;
    outside[at] = 1;
    open.push(at);
  };
  for (let x = 0; x < width; x++) [x, on.length - 1 - x].forEach(visit);
  for (let left = 0; left < on.length; left += width) [left, left + width - 1].forEach(visit);
  while (open.length) {
    const at = open.pop();
    if (at % width) visit(at - 1);
    if ((at + 1) % width) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at + width < on.length) visit(at + width);
  }
  return { ...mask, on: outside.map((is) => 1 - is) };
}

/** Return the smallest number of columns whose grid lines are close to the edges; the best one if none are. */
function columnsOf(mask) {
  const { on, width, left, right, top, bottom } = mask;
  const [wide, high] = [right - left, bottom - top];
  const [across, down] = [new Array(wide).fill(0), new Array(high).fill(0)]; // the edges at each place
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const at = (top + y) * width + left + x;
      if (x && on[at] !== on[at - 1]) across[x]++;
      if (y && on[at] !== on[at - width]) down[y]++;
    }
  }
  const all = [...across, ...down].reduce((sum, edges) => sum + edges, 0);
  const quality = (columns) => {
    const cell = wide / columns;
    const off = (at) => Math.abs(at / cell - Math.round(at / cell));
    const near = (sum, edges, at) => sum + edges * (1 - 4 * off(at)); // 0 for edges anywhere
    return off(high) > NEAR || high < cell / 2 ? -1 : down.reduce(near, across.reduce(near, 0)) / (all || 1);
  };
  const qualities = Array.from({ length: Math.max(1, Math.min(MAX_COLUMNS, Math.floor(wide / MIN_CELL))) }, (_, k) => quality(k + 1));
  const limit = Math.min(GOOD, Math.max(...qualities));
  return 1 + qualities.findIndex((one) => one >= limit);
}

/** Return the size of a cell, and which cells of each row are covered in their middle. */
function gridOf(mask, columns) {
  const { on, width, left, right, top, bottom } = mask;
  const cell = (right - left) / columns;
  const covers = (column, row) => {
    let [covered, all] = [0, 0];
    for (let y = Math.round(top + (row + 0.25) * cell); y < Math.min(bottom, top + (row + 0.75) * cell); y++) {
      for (let x = Math.round(left + (column + 0.25) * cell); x < left + (column + 0.75) * cell; x++, all++) covered += on[y * width + x];
    }
    return 2 * covered > all;
  };
  const rows = Math.min(MAX_COLUMNS, Math.max(1, Math.round((bottom - top) / cell)));
  return { left, top, cell, rows: Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => covers(column, row))) };
}

/** Draw the picture with its grid, and a mark on each cell. */
function draw(preview, canvas, { left, top, cell, rows }) {
  const scale = SHOWN / Math.max(canvas.width, canvas.height);
  Object.assign(preview, { width: Math.ceil(scale * canvas.width), height: Math.ceil(scale * canvas.height) });
  const pen = preview.getContext("2d");
  pen.scale(scale, scale);
  pen.drawImage(canvas, 0, 0);
  pen.lineWidth = 1 / scale;
  pen.strokeStyle = "#d55e00";
  pen.fillStyle = "#ffffff";
  rows.forEach((row, y) => row.forEach((on, x) => {
    pen.strokeRect(left + x * cell, top + y * cell, cell, cell);
    if (!on) return;
    const mark = [left + (x + 0.35) * cell, top + (y + 0.35) * cell, 0.3 * cell, 0.3 * cell];
    pen.fillRect(...mark);
    pen.strokeRect(...mark);
  }));
}
