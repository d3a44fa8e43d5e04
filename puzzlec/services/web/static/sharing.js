// Sharing: a link, a picture or a card of what is shown, and a piece of a page that embeds it. Nothing reaches a server.

import { get } from "./api.js";
import { ask } from "./dialogs.js";
import { byId, grouped, make, saved, withCode } from "./elements.js";
import { sent } from "./exporting.js";
import { encoded, pictureOf } from "./links.js";
import { proof } from "./painting.js";
import { shown, viewer } from "./solving.js";
import { isDirty, puzzle, state, titleOf } from "./state.js";
import { toast } from "./toast.js";
import { phrase } from "./words.js";

const FILES = ["html", "game-html"]; // that open without puzzlec
const LONG = 2000; // characters of an address that all programs take
const CARD = [1200, 630]; // the size of a picture that pages show beside a link
const EDGE = 48;

/** Return an address for what is shown. */
export async function address(embed = false) {
  const { solutions, at } = shown();
  const seen = viewer();
  const held = await encoded({
    ...puzzle(), catalogue: nameInCatalogue(), raw: state.raw, palette: state.palette, embed,
    solution: solutions.length ? at + 1 : 0, view: solutions.length && seen ? seen.root.dataset.view : "",
    shown: solutions.length && seen ? { data: pictureOf(seen.puzzle, at), placements: solutions[at] } : null,
  });
  return `${location.origin}${location.pathname}#${held}`;
}

/** Return a text as the value of an attribute in double quotes. */
const quoted = (text) => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Offer what is shown as files of some `kinds`, which open everywhere, as a link and as pictures. */
export async function share(kinds) {
  const link = await address();
  const frame = `<iframe src="${quoted(await address(true))}" width="640" height="480" title="${quoted(title())}" loading="lazy"></iframe>`;
  const here = document.documentElement.dataset.answers === "here";
  const field = (name, value) => make("input", { type: "text", readonly: true, value, "aria-label": name, focus: (event) => event.target.select() });
  const row = (name, value) => make("div", { class: "row" }, field(name, value), make("button", { type: "button", click: () => copied(value) }, phrase("share.copy", { name })));
  const pictures = proof() || (viewer() && shown().solutions.length && !viewer().puzzle.chart);
  await ask(phrase("share.title"), () => make("div", { class: "form share" },
    make("p", { class: "remark" }, phrase("share.send")),
    make("div", { class: "buttons" }, FILES.map((name) => make("button", { type: "button", class: here ? null : "main", click: () => sent(kinds.find((kind) => kind.name === name)) }, phrase(`share.${name}`)))),
    withCode(make("p", { class: "remark" }), phrase(here ? "share.here" : "share.served")),
    row(phrase("share.link"), link),
    link.length > LONG ? make("p", { class: "remark" }, phrase("share.long", { n: link.length })) : null,
    here ? row(phrase("share.embedding"), frame) : null,
    make("div", { class: "buttons" }, pictures
      ? [[phrase("share.picture"), () => picture()], [phrase("share.card"), () => card()]].map(([words, paint]) => make("button", { type: "button", click: () => painted(paint) }, words))
      : make("p", { class: "remark" }, phrase("share.unsolved")))));
}

const title = () => titleOf(state.text) || byId("title").textContent || phrase("view.untitled");

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(phrase("share.copied"));
  } catch {
    toast(phrase("share.refused"));
  }
}

/** Copy an image; without permission, download it. */
async function painted(paint) {
  const canvas = await paint();
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    toast(phrase("share.copied"));
  } catch {
    saved(blob, "puzzle.png");
    toast(phrase("share.downloaded"));
  }
}

/** Return an image of the board with a proof, or else of the solution, with two pixels for each pixel of the page. */
const image = () => proof()?.image() ?? viewer().image(2);

/** Return a canvas with what is shown, and a transparent ground. */
export async function picture() {
  const seen = await image();
  const canvas = make("canvas", { width: seen.width, height: seen.height });
  canvas.getContext("2d").drawImage(seen, 0, 0);
  return canvas;
}

/** The part of an image that is not transparent, as a canvas. */
export function cropped(image) {
  const { width, height } = image;
  const whole = make("canvas", { width, height }).getContext("2d", { willReadFrequently: true });
  whole.drawImage(image, 0, 0);
  const { data } = whole.getImageData(0, 0, width, height);
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, at = 3; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      if (data[at] < 3) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  }
  if (left >= right) return image;
  const part = make("canvas", { width: right - left, height: bottom - top });
  part.getContext("2d").drawImage(image, -left, -top);
  return part;
}

/** An image on its side. */
function turned(image) {
  const whole = make("canvas", { width: image.height, height: image.width });
  const pen = whole.getContext("2d");
  pen.translate(0, image.width);
  pen.rotate(-Math.PI / 2);
  pen.drawImage(image, 0, 0);
  return whole;
}

/** The name of the puzzle of the catalogue, if the text is unchanged. */
const nameInCatalogue = () => (state.catalogue && !isDirty() && !state.catalogue.startsWith("new/") ? state.catalogue : "");

/** What is known: why there is no solution, of how many solutions it is one, or the result of the search. */
async function known() {
  if (proof()) return proof().words;
  const name = !state.raw && !Object.keys(puzzle().parameters).length && nameInCatalogue();
  const { distinct } = name ? await get(`catalogue/${name}`) : {};
  return distinct > 1 ? phrase("share.oneOf", { n: grouped(distinct) }) : byId("result").textContent || "";
}

/** Return a canvas with a card for a link: the picture, the title, the result of the search, and the mark. */
export async function card() {
  let seen = cropped(await image());
  const [wide, high] = CARD;
  const canvas = make("canvas", { width: wide, height: high });
  const pen = canvas.getContext("2d");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  pen.fillStyle = colour("--paper");
  pen.fillRect(0, 0, wide, high);
  // A tall picture has the words beside it, a wide one above them: whichever makes it larger.
  const room = wide - 2 * EDGE;
  const scalesOf = ({ width: w, height: h }) => [Math.min(room / w, (high - 2 * EDGE - 110) / h), Math.min((0.6 * room) / w, (high - 2 * EDGE) / h)];
  const lying = turned(seen);
  // A flat puzzle has no upper side, so a very tall one lies on its side.
  if (!proof() && viewer().puzzle.flat && Math.max(...scalesOf(lying)) > 1.3 * Math.max(...scalesOf(seen))) seen = lying;
  const scales = scalesOf(seen);
  const scale = Math.max(...scales);
  const [width, height] = [scale * seen.width, scale * seen.height];
  const beside = scales[1] > scales[0];
  pen.drawImage(seen, beside ? EDGE : (wide - width) / 2, ((beside ? high : high - 2 * EDGE - 62) - height) / 2, width, height);
  const x = beside ? width + 2 * EDGE : EDGE;
  const take = (ink, weight, size) => Object.assign(pen, { fillStyle: colour(ink), font: `${weight} ${size}px system-ui, sans-serif` });
  /** Write a text in lines as long as the room, the last one at `y`; returns the height above it. */
  const write = (text, size, weight, ink, y) => {
    take(ink, weight, size);
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (beside && lines.at(-1) && pen.measureText(longer).width > wide - x - EDGE) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    lines.forEach((line, k) => pen.fillText(line, x, y - (lines.length - 1 - k) * size * 1.2, wide - x - EDGE));
    return y - lines.length * size * 1.2;
  };
  write(title(), 52, "700", "--ink", write(await known(), 28, "400", "--faint", beside ? high / 2 + 40 : high - 46));
  take("--main", "700", 28).textAlign = "right";
  pen.fillText("puzzlec", wide - EDGE, high - 46);
  return canvas;
}
