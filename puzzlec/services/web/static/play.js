// Play: the game of `puzzlec play` on the text. A piece on the board is a `fix` statement, so the editor has the
// history, and a hint is a search with the text as it is.

import { messages, post, Refused } from "./api.js";
import { byId, make, tell } from "./elements.js";
import { change, undo } from "./painting.js";
import { page, puzzle, state } from "./state.js";
import { phrase } from "./words.js";

const PATIENCE = 20; // seconds of a search for a hint

let game = null;
let data = ""; // the data of the game, as it arrived
let cells = []; // the cell of each location
let root = null; // the shadow tree: the game has its own style
let shown = null; // the text that is on the board
let wanted = false; // whether the page shows the game
let changes = Promise.resolve(); // the changes of the text, in order
let waiting = 0;
let known = null; // the last solution of a hint: its placements
let search = null;
let source = null; // the module of the game

/** Show the game if it is visible: `open` is whether the text can be read, `why` the reason if not. */
export function show(open, why) {
  byId("play").inert = !open && game !== null;
  tell("play-why", open ? "" : why);
  if (open && wanted) refresh();
}

/** Show or hide the game. */
export function visible(yes) {
  wanted = yes;
  if (yes && shown !== state.text) refresh();
  else if (!yes) cancel();
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
  if (waiting || !state.text.trim()) return;
  const asked = puzzle();
  const found = await post("play", { ...asked, page, palette: state.palette });
  if (waiting || asked.text !== state.text || !wanted) return;
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
    game = new source.PuzzleGame(root.querySelector(".game"), found.game, { change: changed, hint, back: undo, cancel });
  }
  if (game.isHeld) return;
  game.show(found.placed.map(([piece, at]) => numberOf(piece, at)).filter((number) => number >= 0));
}

/** Return the number of a placement; of those with the same cells and other colours, the one on the board. */
function numberOf(piece, at, colours) {
  const { byKey, placements } = game.game;
  const exact = byKey.get(source.keyOf(piece, at, colours));
  if (exact !== undefined) return exact;
  const same = (number) => placements[number].piece === piece && source.keyOf(piece, placements[number].cells) === source.keyOf(piece, at);
  return game.placed.find(same) ?? placements.findIndex((_, number) => same(number));
}

/** Change the text after a move of the player. */
function changed(before, now) {
  const { placements, pieces } = game.game;
  const described = (number) => [pieces[placements[number].piece].name, placements[number].cells.map((at) => cells[at])];
  const take = before.filter((number) => !now.includes(number)).map(described);
  const put = now.filter((number) => !before.includes(number)).map(described);
  if (!take.length && !put.length) return;
  cancel();
  waiting++;
  changes = changes.then(() => change({ do: "fix", put, take })).catch((error) => {
    if (!(error instanceof Refused)) throw error;
    tell("play-why", error.message);
    return null;
  }).then((done) => {
    waiting--;
    if (!done) {
      shown = null;
      refresh(); // the board shows what the text has
    }
  });
}

/** Add a piece of a solution, or all; or say which pieces agree with none. The same call again ends a search. */
async function hint(all) {
  if (search) {
    if (search.all === all) cancel();
    else aim(all);
    return;
  }
  if (game.game.isSolved(game.placed)) {
    game.say(phrase("game.solved"));
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
  await changes;
  if (search !== mine) return null;
  const asked = puzzle();
  let found = null;
  let end = {};
  try {
    const { job } = await post("solve", { ...asked, goal: "hint", seconds: PATIENCE });
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
