// Moves by hand: all moves of the pieces of the shown solution from where they are, one step at a time.

import { post, Refused } from "./api.js";
import { byId, make, tell } from "./elements.js";
import { page } from "./state.js";
import { shown, viewer } from "./solving.js";
import { phrase } from "./words.js";

const MOST = 60; // moves that are listed

let asked = 0;
let listed = ""; // the state whose moves are listed
let suits = false; // whether pieces of the puzzle can move

export function begin() {
  byId("exploring").addEventListener("toggle", () => list());
  byId("exploring-back").addEventListener("click", () => viewer()?.together(false));
  byId("exploring-whole").addEventListener("click", () => viewer()?.together(true));
}

/** Show the list for a viewer, or hide it without one. */
export function attach(view) {
  suits = view !== null && !view.puzzle.chart && view.puzzle.number > 0;
  listed = "";
  byId("exploring").hidden = !suits;
  byId("exploring-hand").hidden = !suits || view.puzzle.flat;
  if (!suits) return;
  for (const kind of ["step", "solution"]) view.root.addEventListener(kind, () => list());
  list();
}

async function list() {
  const view = viewer();
  if (!suits || !view || !byId("exploring").open) return;
  const state = view.state();
  const { puzzle, solutions, at } = shown();
  const key = JSON.stringify([at, state]);
  const taken = view.playing.taken().length;
  byId("exploring-back").disabled = byId("exploring-whole").disabled = !taken;
  if (key === listed) return;
  const number = ++asked;
  listed = key;
  if (!state) {
    fill([]);
    tell("exploring-why", phrase("moves.turned"));
    return;
  }
  const held = byId("exploring-moves").contains(document.activeElement);
  tell("exploring-why", phrase("moves.looking"));
  const body = { ...puzzle, page, solution: solutions[at], ...state };
  let found;
  try {
    found = await post("moves", body);
    if (found.why === "newer" && number === asked) found = await post("moves", body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    found = { message: error.message };
  }
  if (number !== asked) return;
  if (!found.moves) {
    listed = "";
    fill([]);
    tell("exploring-why", found.diagnostics?.[0]?.message || found.message || phrase("moves.slow"));
    return;
  }
  fill(found.moves.slice(0, MOST));
  const all = found.whole && found.moves.length <= MOST;
  const none = state.there.length < 2 && !found.moves.length ? phrase("moves.apart") : phrase("moves.none");
  const words = !found.moves.length ? none : all ? "" : phrase("moves.more");
  tell("exploring-why", [words, found.turns ? phrase("moves.slides") : ""].filter(Boolean).join(" "));
  if (held) (byId("exploring-moves").querySelector("button") || byId("exploring-back")).focus();
}

function fill(moves) {
  const view = viewer();
  byId("exploring-moves").replaceChildren(...moves.map(([bodies, way, distance, leave, walls]) =>
    make("li", {}, make("button", { type: "button", click: () => view.explore(bodies, way, leave, walls) }, view.moveWords(bodies, way, distance, leave || view.state().walled !== walls)))));
}
