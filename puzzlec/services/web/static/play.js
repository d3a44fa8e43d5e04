// Play: the game of `puzzlec play` on the text. The pieces on the board are a part of the game alone, until the player
// writes them as `fix` statements. Those of the text stay where they are. A hint is a search with the pieces on the board.

import { messages, post, Refused } from "./api.js";
import { byId, make, tell } from "./elements.js";
import { change } from "./painting.js";
import { page, puzzle, state } from "./state.js";
import { phrase } from "./words.js";

const PATIENCE = 20; // seconds of a search for a hint

let game = null;
let data = ""; // the data of the game, as it arrived
let cells = []; // the cell of each location
let root = null; // the shadow tree: the game has its own style
let shown = null; // the text whose game is shown
let wanted = false; // whether the page shows the game
let known = null; // the last solution of a hint: its placements
let search = null;
let source = null; // the module of the game
let ready = Promise.resolve(); // once the game of the text is shown

/** Show the game if it is visible: `open` is whether the text can be read, `why` the reason if not. */
export function show(open, why) {
  byId("play").inert = !open && game !== null;
  tell("play-why", open ? "" : why);
  if (open && wanted) refresh();
}

/** Show or hide the game. */
export function visible(yes) {
  wanted = yes;
  if (yes && shown !== state.text) ready = refresh();
  else if (!yes) cancel();
}

/** Take the puzzle apart by hand, once it is solved. The page shows the game. */
export async function apart() {
  await ready;
  if (game && !game.game.isSolved(game.placed)) await hint(true);
  if (game?.game.isSolved(game.placed)) game.takeApart();
}

/** Remove the game, which belongs to another text. */
export function forget() {
  game?.destroy();
  game = known = null;
  data = "";
  shown = null;
  byId("play-table").hidden = true;
  cancel();
}

async function refresh() {
  if (!state.text.trim()) return;
  const asked = puzzle();
  const found = await post("play", { ...asked, page, palette: state.palette });
  if (asked.text !== state.text || !wanted) return;
  if (!found.game) {
    if (found.why === "newer") return;
    const error = (found.diagnostics || []).find((diagnostic) => diagnostic.severity === "error");
    if (!game || error) forget();
    tell("play-why", error ? [error.message, ...error.notes.slice(0, 1)].join(": ") : phrase("play.slow"));
    return;
  }
  tell("play-why", "");
  await begin(found);
  shown = asked.text;
}

async function begin(found) {
  const { board, turning } = found.game;
  source = await (turning ? import("./game-turning.js") : board.stage ? import("./game-solid.js") : import("./game-flat.js"));
  byId("play-table").hidden = false;
  const sent = JSON.stringify(found.game);
  if (!root) {
    root = byId("play-table").attachShadow({ mode: "open" });
    const style = make("link", { rel: "stylesheet", href: new URL("game.css", import.meta.url).href });
    const ready = new Promise((resolve) => ["load", "error"].forEach((name) => style.addEventListener(name, resolve)));
    root.append(style, make("div", { class: "game" }));
    await ready;
  }
  cells = found.cells;
  if (sent !== data) {
    game?.destroy();
    data = sent;
    known = null;
    game = new source.PuzzleGame(root.querySelector(".game"), found.game, { hint, cancel, write });
  }
  game.give(found.placed.map(([piece, at]) => numberOf(piece, at)).filter((number) => number >= 0));
}

/** Return the number of a placement; of those with the same cells and other colours, the one on the board. */
function numberOf(piece, at, colours) {
  const { byKey, placements } = game.game;
  const exact = byKey.get(source.keyOf(piece, at, colours));
  if (exact !== undefined) return exact;
  const same = (number) => placements[number].piece === piece && source.keyOf(piece, placements[number].cells) === source.keyOf(piece, at);
  return game.placed.find(same) ?? placements.findIndex((_, number) => same(number));
}

/** The placements of the player, without those of the text. */
const placed = () => game.placed.filter((number) => !game.given.includes(number)).map((number) => game.game.placements[number]);

/** Write the pieces that the player has placed as `fix` statements. */
async function write() {
  const put = placed().map(({ piece, cells: own }) => [game.game.pieces[piece].name, own.map((at) => cells[at])]);
  if (await change({ do: "fix", put, take: [] })) game.say(phrase("play.written", { n: put.length }));
}

/** Add a piece of a solution, or all; or say which pieces agree with none. The same call again ends a search. */
async function hint(all) {
  if (search) {
    if (search.all === all) cancel();
    else aim(all);
    return;
  }
  if (game.game.isSolved(game.placed)) {
    game.say(game.solvedWords(game.placed));
    return;
  }
  const agrees = known && game.placed.every((number) => known.includes(number));
  if (!agrees) {
    const mine = { job: null, leaving: new AbortController(), all };
    const found = await searched(mine);
    if (!found) return;
    all = mine.all; // the other button was pressed during the search
    if (!found.solution) {
      game.say(phrase("game.unsolvable"));
      return;
    }
    known = found.solution.map(([piece, at, colours]) => numberOf(piece, at, colours ?? undefined));
    if (found.wrong.length) {
      game.blame(found.wrong.map(([piece, at]) => numberOf(piece, at)), "game.wrong");
      return;
    }
  }
  game.add(known.filter((number) => !game.placed.includes(number)), all);
}

/** Say for which button the search is. */
function aim(all) {
  search.all = all;
  game.say(phrase(all ? "play.solving" : "play.searching"));
}

/** Search for a solution with the pieces on the board. Returns nothing if the search has no answer. */
async function searched(mine) {
  search = mine;
  aim(mine.all);
  const asked = puzzle();
  let found = null;
  let end = {};
  try {
    const { job } = await post("solve", { ...asked, goal: "hint", seconds: PATIENCE, placed: placed().map(({ piece, cells: own }) => [piece, ...own]) });
    mine.job = job;
    if (search !== mine) post(`jobs/${job}/cancel`).catch(() => {});
    for await (const message of messages(job, 0, mine.leaving.signal)) {
      if (message.event === "hint") found = message;
      if (message.event === "end") end = message;
    }
  } catch (error) {
    if (search !== mine) return null; // the search was cancelled
    if (!(error instanceof Refused)) throw error;
    end = { why: "refused", message: error.message };
  }
  if (search !== mine || asked.text !== state.text) return null;
  search = null;
  if (found) return found;
  game.say(end.why === "limit" || end.why === "seconds" ? phrase("play.late") : phrase("play.failed", { why: end.diagnostics?.[0]?.message ?? end.message ?? end.why }));
  return null;
}

/** End the search for a hint; returns whether there was one. */
function cancel() {
  if (!search) return false;
  const { job, leaving } = search;
  search = null;
  leaving.abort();
  if (job) post(`jobs/${job}/cancel`).catch(() => {});
  game?.say(phrase("play.cancelled"));
  return true;
}
