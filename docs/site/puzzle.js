// The page of a puzzle: the viewer of `puzzlec view` in place of the picture, with the stored solution. Without this
// script, or without WebGL and canvas, the page keeps the picture.

const picture = document.querySelector(".puzzle-picture[data-view]");
const PAUSE = 900; // milliseconds between two steps

/** Return a promise that an element has loaded. */
function loaded(name, settings) {
  const element = Object.assign(document.createElement(name), settings);
  return [element, new Promise((resolve, reject) => Object.assign(element, { onload: resolve, onerror: reject }))];
}

async function begin() {
  const [script, ready] = loaded("script", { src: new URL("viewer.js", import.meta.url).href });
  document.head.append(script);
  const [answer] = await Promise.all([fetch(picture.dataset.view), ready]);
  if (!answer.ok) return;
  const data = await answer.json();
  const host = document.createElement("div");
  host.className = "puzzle-viewer";
  const frame = document.createElement("div");
  // The viewer has a shadow tree, so the style of the site does not reach it.
  const [style, styled] = loaded("link", { rel: "stylesheet", href: new URL("viewer.css", import.meta.url).href });
  host.attachShadow({ mode: "open" }).append(style, frame);
  picture.after(host);
  await styled;
  picture.remove();
  const view = new PuzzleView(frame, data, { header: false });
  const button = document.querySelector("[data-act=apart]");
  button.hidden = !data.solutions.number || data.shown !== "solid";
  button.addEventListener("click", () => turn(view, button));
  frame.addEventListener("step", () => (button.textContent = isApart(view) ? "Put together" : "Take apart"));
}

let running = 0;

const isApart = ({ playing }) => Boolean(playing.steps) && playing.goal <= playing.least;

/** Take the puzzle apart, one step after the other, or put it together again. */
function turn(view, button) {
  clearInterval(running);
  const way = isApart(view) ? 1 : -1;
  if (way === -1) view.stepTo(Infinity); // the steps are found now
  const { playing } = view;
  const step = () => {
    view.stepTo(view.playing.goal + way);
    if (view.playing !== playing || (way === 1 ? playing.whole : isApart(view))) clearInterval(running);
  };
  step();
  running = setInterval(step, PAUSE);
}

if (picture) begin();
