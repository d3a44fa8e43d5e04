// The cards of burrs: while a pointer or the focus is on one, its burr comes apart and together again. The moves are
// stored with the pictures, so nothing is searched.

import { get } from "./api.js";
import { make } from "./elements.js";
import { state } from "./state.js";

const PACE = 420; // milliseconds for each move
const WHOLE = 9000; // milliseconds for all moves of a burr, about: those of long ones are faster
const REST = 4; // moves that the burr rests at both ends

const calm = matchMedia("(prefers-reduced-motion: reduce)");
let moving = null; // the card whose burr moves, its view and its timer

/** Begin to move the burr of a card. */
export async function begin(card, name) {
  if (calm.matches || moving?.card === card) return;
  end();
  const mine = { card, view: null, timer: 0 };
  moving = mine;
  const data = await get(`apart/${name}`).catch(() => null);
  if (moving !== mine) return;
  if (!data || !isWatched(card)) return end();
  const host = make("div");
  card.append(make("div", { class: "moving", inert: true, "aria-hidden": "true" }, host));
  mine.view = new PuzzleView(host, data, { header: false, palette: state.palette });
  let [way, rest] = [-1, 1];
  const step = () => {
    if (!isWatched(card)) return end();
    mine.view.stepTo(mine.view.playing.goal + way);
    const { goal, least, last } = mine.view.playing;
    rest = goal <= least || goal >= last ? rest + 1 : 0;
    if (rest > REST) [way, rest] = [goal <= least ? 1 : -1, 0];
    mine.timer = setTimeout(step, Math.max(60, Math.min(PACE, WHOLE / last)));
  };
  mine.timer = setTimeout(step, PACE);
}

const isWatched = (card) => card.isConnected && card.matches(":hover, :focus-within");

function end() {
  clearTimeout(moving?.timer);
  moving?.view?.destroy();
  moving?.card.querySelector(".moving")?.remove();
  moving = null;
}
