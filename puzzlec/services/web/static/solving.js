// Solving: a job on the server sends progress and solutions, and the viewer shows them.

import { messages, post, Refused } from "./api.js";
import { diagnostic, isListed, soon } from "./checking.js";
import { byId, duration, make, say } from "./elements.js";
import { shownProof } from "./painting.js";
import { puzzle, state, store } from "./state.js";
import { session } from "./storage.js";
import { toast } from "./toast.js";
import { phrase } from "./words.js";

const remembered = "puzzlec-job";
let onView = () => {}; // gets the viewer when it shows something else
let current = null; // the current job
let view = null;
let model = null; // the solid of a proof that is shown instead
let solved = { text: "", puzzle: null, solutions: [] }; // the content of the viewer
let result = null; // the job of the result on the page
let palettes = {}; // the palettes of the viewer, which links leave out
let ahead = null; // the link whose picture is shown before its text

export const isSolving = () => current !== null;

/** The shown solutions: their puzzle, and the placements of each. */
export const shown = () => ({ ...solved, at: view ? Math.max(0, view.solution) : 0 });

export function begin(viewed, known) {
  onView = viewed;
  palettes = known.palettes;
  byId("solve").addEventListener("click", () => start());
  byId("cancel").addEventListener("click", cancel);
  for (const [name, goal] of [["find-more", "some"], ["count-all", "count"]]) {
    byId(name).addEventListener("click", () => start(goal));
  }
  byId("goal").addEventListener("change", () => {
    state.goal = byId("goal").value;
    offer();
  });
  byId("limit").addEventListener("change", () => (state.limit = Number(byId("limit").value) || 1));
  byId("raw").addEventListener("change", () => {
    state.raw = byId("raw").checked;
    compare();
  });
}

/** Show the options that matter for what is to be found: one solution has no rotations to count. */
function offer() {
  byId("limited").hidden = state.goal !== "some";
  byId("rotations").hidden = state.goal === "first" && !state.raw;
}

/** Show the options of the state. */
export function refresh() {
  offer();
  byId("goal").value = state.goal;
  byId("limit").value = state.limit;
  byId("raw").checked = state.raw;
}

/** Resume a job from before a reload of the page. */
export async function resume() {
  const kept = JSON.parse(session.getItem(remembered) || "null");
  if (!kept) return;
  try {
    await follow(Object.assign(begun(kept.puzzle, kept.goal, kept.raw), { job: kept.job }));
  } catch (error) {
    if (error.reason !== "job") say("result", error.message, "bad");
    session.removeItem(remembered);
  } finally {
    if (current?.job === kept.job) over(current);
  }
}

/**
 * Solve the puzzle. "Find more" and "Count all" pass a goal and keep the picture. Another search ends. The goal `given`
 * reads the solution that a link has.
 */
export async function start(goal = null, link = null) {
  if (!state.text.trim()) return;
  const asked = puzzle();
  if (current) {
    const same = current.goal === (goal || state.goal) && current.limit === state.limit && current.raw === state.raw;
    if (same && !current.unwanted && alike(current.puzzle, asked)) return;
    abandon();
  }
  clear(goal !== null && alike(solved.puzzle, asked));
  const mine = Object.assign(begun(asked, goal || state.goal, state.raw), { link });
  try {
    const { job } = await post("solve", { ...asked, goal: mine.goal, limit: state.limit, raw: mine.raw, placements: link?.shown.placements });
    if (mine.unwanted) post(`jobs/${job}/cancel`).catch(() => {}); // cancelled before it had a name
    if (current !== mine) return;
    mine.job = job;
    try {
      session.setItem(remembered, JSON.stringify({ job, puzzle: asked, goal: mine.goal, raw: mine.raw }));
    } catch {
      // no room: the job is lost after a reload
    }
    await follow(mine);
  } catch (error) {
    if (current !== mine) return;
    if (!(error instanceof Refused)) throw error;
    say("result", error.message, "bad");
  } finally {
    over(mine);
  }
}

function begun(asked, goal, raw) {
  current = { job: null, puzzle: asked, goal, raw, limit: state.limit, unwanted: false, leaving: new AbortController() };
  result = current;
  working(true);
  compare();
  return current;
}

function over(mine) {
  if (current !== mine) return;
  current = null;
  working(false);
}

export async function cancel() {
  if (!current) return;
  byId("cancel").disabled = true;
  current.unwanted = true;
  if (current.job) await post(`jobs/${current.job}/cancel`).catch(() => {});
}

/** End the job, since there is another puzzle, and ignore its messages. The picture of its link stays. */
export function leave(link = null) {
  wanted = null;
  abandon();
  if (link !== ahead) ahead = null;
  clear(ahead !== null);
}

/** Draw the solution that a link has, before its text is there. */
export function foresee(link) {
  if (drawn(link, link.palette)) ahead = link;
}

function abandon() {
  const mine = current;
  if (!mine) return;
  cancel();
  mine.leaving.abort();
  over(mine);
}

/** Whether two puzzles are the same for the server. The name of the file does not matter. */
export function alike(one, other) {
  const { text: before, ...given } = one || {};
  const { text: now, ...rest } = other;
  const same = (asked) => JSON.stringify({ ...asked, name: "", catalogue: "" });
  return Boolean(one) && before === now && same(given) === same(rest);
}

/** Show a remark if the result is out of date: the text, its options or the symmetry have changed. */
export function compare() {
  byId("outdated").hidden = !result || (alike(result.puzzle, puzzle()) && result.raw === state.raw);
}

/** Forget the result. The picture can stay for further questions about the same puzzle. */
export function clear(keep = false) {
  if (!keep) {
    view?.destroy();
    model?.view?.destroy();
    view = model = null;
    onView(null);
    solved = { text: "", puzzle: null, solutions: [] };
    byId("viewer").replaceChildren();
  }
  result = null;
  byId("reasons").replaceChildren();
  say("result", "", "");
  byId("waiting").hidden = keep;
  byId("outdated").hidden = byId("further").hidden = true;
  session.removeItem(remembered);
}

async function follow(mine) {
  let after = 0;
  for (let tries = 0; tries < 20; tries++) {
    try {
      for await (const message of messages(mine.job, after, mine.leaving.signal)) {
        if (current !== mine) return;
        after = message.number;
        tries = 0;
        take(message, mine);
        if (message.event === "end") return;
      }
    } catch (error) {
      if (current !== mine) return;
      if (error instanceof Refused && error.reason !== "gone") throw error;
    }
    // The connection broke: the machine of the server may be asleep, or the server has ended.
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (current !== mine) return;
  }
  throw new Refused(0, phrase("server.gone"), "gone");
}

function take(message, mine) {
  if (message.event === "progress") progress(message, mine);
  else if (message.event === "compiled") byId("figures").textContent = phrase("options", { n: message.options });
  else if (message.event === "planning") byId("figures").textContent = phrase("solve.planning");
  else if (message.event === "view") show(message, mine.puzzle);
  else if (message.event === "end") end(message, mine);
}

function progress(now, mine) {
  const bar = byId("progress");
  if (now.fraction > 0) bar.value = Math.min(1, now.fraction);
  else bar.removeAttribute("value");
  const done = now.fraction > 0 ? phrase("solve.percent", { n: (100 * now.fraction).toPrecision(now.fraction < 0.01 ? 1 : 3).replace(/e.*/, "") }) : "";
  const few = now.fraction > 0 && now.fraction < 0.0001 ? phrase("solve.little") : done;
  byId("figures").textContent = [
    few,
    mine.goal === "first" && now.solutions === "0" ? "" : phrase("solutions.n", { n: now.solutions }),
    phrase("nodes", { n: now.nodes }),
    now.quiet ? "" : phrase("solve.rate", { n: rounded(now.rate) }),
    duration(now.seconds),
    now.quiet ? phrase("solve.quiet", { time: duration(Math.floor(now.quiet)) }) : "",
    now.left !== null ? (now.left > 3e10 ? phrase("solve.forever") : phrase("solve.left", { time: duration(now.left) })) : "",
  ].filter(Boolean).join(" · ");
}

/** Return a number rounded to three digits: the others change too fast to be read. */
const rounded = (number) => Math.round(Number(number.toPrecision(3)));

/**
 * Show the solution of a link as in the link: its number, and the view of a solid. If the link has the picture, it is
 * there at once. The compiler then makes the same from the text, or searches if the picture does not belong to it.
 */
export function reach(link) {
  const { solution, raw, palette, shown: given } = link;
  if (raw) Object.assign(state, { raw });
  if (palette) paint(palette);
  refresh();
  if (given === null) toast(phrase("link.shown"));
  if (!solution) return;
  state.limit = Math.max(solution, 2);
  if (given && (ahead === link || drawn(link))) {
    ahead = null;
    Object.assign(solved, { text: state.text, puzzle: puzzle() });
    return start("given", link);
  }
  wanted = { number: solution, view: link.view };
  return start(solution > 1 ? "some" : "first");
}

/** Draw the solution that a link has. Returns whether its data was good enough. */
function drawn({ view: seen, shown: { data, placements } }, palette = state.palette) {
  try {
    wanted = { number: 1, view: seen };
    show({ data: { ...data, palettes }, solutions: [placements] }, puzzle(), palette);
    return true;
  } catch {
    clear();
    toast(phrase("link.shown"));
    return false;
  }
}

/** Show all pieces in the colours of a palette, also those of the tray. */
function paint(name) {
  if (name === state.palette) return;
  state.palette = name;
  view?.colours(name);
  store();
  soon(true);
}

let wanted = null; // what a link asks for, until it is shown

function reached() {
  if (!wanted || !view || solved.solutions.length < wanted.number) return;
  if (view.solution !== wanted.number - 1) view.show(wanted.number - 1);
  if (wanted.view) view.lookFrom(wanted.view.split(" ").map(Number));
  wanted = null;
}

/** The viewer of the shown solution, or null. */
export const viewer = () => view;

function show(message, asked, palette = state.palette) {
  solved = { text: asked.text, puzzle: asked, solutions: message.solutions };
  compare();
  byId("waiting").hidden = true;
  if (view) {
    // More solutions of the same puzzle: keep the view and the shown solution.
    const at = view.solution;
    view.load(message.data);
    onView(view);
    if (at > 0) view.show(at);
    reached();
    return;
  }
  byId("viewer").replaceChildren(make("div"));
  view = new PuzzleView(byId("viewer").firstChild, message.data, { header: false, palette });
  view.root.addEventListener("palette", (event) => paint(event.detail.name));
  onView(view);
  reached();
}

const REASONS = ["cancelled", "seconds", "memory", "size", "absent", "closed", "died", "internal", "lacking"];

/** Return the words of the server for a number of solutions, such as "at least 5 distinct solutions". */
function numbered(words = "") {
  const [, least, number, kind] = /^(at least )?([\d,]+)(?: (.*))? solutions?$/.exec(words) || [];
  if (number === undefined) return words;
  const counted = phrase(kind === "distinct" ? "solutions.distinct" : kind === "raw" ? "solutions.raw" : "solutions.n", { n: number.replaceAll(",", "") });
  return least ? phrase("solve.least", { counted }) : counted;
}

function end(message, mine) {
  const asked = mine.puzzle;
  const errors = (message.diagnostics || []).filter(({ code }) => !message.proof || code !== "PZ405");
  byId("reasons").replaceChildren(...errors.map((error) => make("li", { class: isListed(error) ? "repeated" : null }, diagnostic(error, asked.text))));
  const repeated = errors.length > 0 && errors.every(isListed);
  const words = { complete: "", some: phrase("solve.more"), limit: phrase("solve.late") }[message.why];
  const known = numbered(message.counted);
  if (mine.goal === "given" && errors.some((error) => error.code === "PZ608")) {
    toast(phrase("link.shown"));
    clear();
    reach({ ...mine.link, shown: undefined });
    return;
  }
  if (message.why === "faulty") say("result", phrase("solve.faulty"), "bad");
  else if (words === undefined) {
    const bug = message.message ? ` (${message.message})` : "";
    const so = message.found === undefined ? "" : message.found === "0" ? phrase("solve.soFar") : `: ${phrase("solve.found", { known, time: duration(message.seconds) })}`;
    say("result", (REASONS.includes(message.why) ? phrase(`solve.why.${message.why}`) : message.why) + bug + so, message.why === "cancelled" ? "" : "bad");
  } else if (message.proof) {
    say("result", phrase("solve.proof"), "bad");
    model = shownProof(byId("viewer"), message.proof);
  } else if (message.found === "0") {
    say("result", message.why === "limit" ? phrase("solve.noneYet") : errors.some((error) => error.code !== "PZ382") ? phrase("solve.because") : phrase("solve.none"), "bad");
    // The reason is also below the text. It is shown here if the text is hidden.
    if (repeated) byId("result").append(make("span", { class: "repeats" }, ` ${phrase("solve.repeats")}`));
  } else {
    const every = message.why === "complete" && mine.goal !== "count" ? phrase("solve.all") : words;
    say("result", mine.goal === "given" ? phrase("solve.given") : phrase("solve.found", { known, time: duration(message.seconds) }) + every + assembled(message.shown), "");
  }
  byId("waiting").hidden = view !== null || byId("result").textContent !== "";
  const counting = mine.goal === "count" && view !== null; // next to a picture
  const more = message.why === "some" && view !== null;
  byId("find-more").hidden = solved.solutions.length > 1 || !(more || (counting && message.found !== "1"));
  byId("count-all").hidden = !(more || (counting && message.why !== "complete"));
  byId("further").hidden = byId("find-more").hidden && byId("count-all").hidden;
}

/** Return which assembly is shown, and why, if the server compared some. */
function assembled(shown) {
  if (!shown) return "";
  const { assembly, level, apart, assemblies, complete } = shown;
  const numbers = { number: assembly, n: assemblies, apart, level };
  const words = assembly === null ? phrase("solve.stuck", numbers) : phrase(apart === 1 ? "solve.only" : "solve.best", numbers);
  return `. ${words}${complete ? "" : ` ${phrase("solve.compared", numbers)}`}`;
}

function working(on) {
  byId("working").hidden = !on;
  byId("solve").hidden = on;
  byId("cancel").hidden = !on;
  byId("cancel").disabled = false;
  if (on) {
    byId("progress").removeAttribute("value");
    byId("figures").textContent = phrase("solve.reading");
    byId("waiting").hidden = true;
  }
}

