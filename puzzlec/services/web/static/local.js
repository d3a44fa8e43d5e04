// Requests without a server: stored answers from files beside the page, and the compiler in a worker of this browser.

import * as compiler from "./compiler.js";
import { taken } from "./early.js";
import { make, saved } from "./elements.js";
import { Refused } from "./refused.js";
import { unique } from "./state.js";
import { phrase } from "./words.js";

const CHECKING = 20; // seconds for a text that is being typed
const MOMENT = 5; // seconds after its time in which a search can still send its results
const jobs = new Map();
let seconds = 120;

/** Without a server, there is no token. */
export async function takeToken() {}

/** Get the compiler, and show how much of it has arrived. */
export function warm() {
  const bar = make("progress", { max: "1", "aria-label": phrase("progress") });
  const words = make("span", {}, phrase("compiler.getting"));
  const line = make("p", { id: "arriving", role: "status" }, words, bar);
  document.querySelector("body > header").after(line);
  compiler.begin((now) => {
    if (now === null) {
      line.remove();
      document.documentElement.dataset.compiler = "ready";
    }
    else if (now instanceof Error) words.textContent = now.message;
    else {
      bar.value = now.done / now.all;
      words.textContent = now.done < now.all ? phrase("compiler.size", { size: Math.round(now.all / 1e6) }) : phrase("compiler.starting");
    }
  });
}

const stored = async (path) => (await file(`stored/${path}.json`)).json();

async function file(path) {
  let answer;
  try {
    answer = await taken(new URL(path, import.meta.url).href);
  } catch {
    throw new Refused(0, phrase("site.gone"), "gone");
  }
  if (!answer.ok) throw new Refused(404, phrase("site.missing"), "missing");
  return answer;
}

export async function get(path, query = {}) {
  if (path === "files") return { files: [] };
  if (path === "libraries") return /^[a-z0-9-]+$/.test(query.lattice) ? stored(`libraries/${query.lattice}`) : { libraries: [] };
  if (/^pictures\/[A-Za-z0-9/-]+$/.test(path)) return { svg: await (await file(`../gallery/${path.slice(9).replaceAll("/", "-")}.svg`)).text() };
  if (/^apart\/[A-Za-z0-9/-]+$/.test(path)) return (await file(`../gallery/${path.slice(6).replaceAll("/", "-")}.json`)).json();
  if (!/^(start|catalogue|pieces|catalogue\/[A-Za-z0-9/-]+|examples\/[a-z0-9-]+)$/.test(path)) throw new Refused(404, phrase("site.missing"), "missing");
  const found = await stored(path);
  if (path === "start") seconds = found.seconds;
  return found;
}

export async function post(path, body = {}) {
  const [, job] = /^jobs\/(.*)\/cancel$/.exec(path) || [];
  if (job) jobs.get(job)?.cancel();
  else if (path === "check") return check(body);
  else if (["edit", "complete", "explain", "play", "moves", "stages"].includes(path)) return result(path, body, CHECKING);
  else if (path === "solve") return { job: solve(body) };
  else if (path === "save") return save(body);
  return {};
}

async function check(body) {
  const found = await known(body);
  if (!found) return result("check", body, CHECKING);
  compiler.replace(body.fresh);
  return found;
}

/** The stored answer to a check of a text of the catalogue; null if there is none. */
async function known({ text, catalogue, parameters, format, board, problem, palette, fresh }) {
  if (compiler.isReady() && (!fresh || palette !== "standard")) return null;
  if (!catalogue || format || board || problem || Object.keys(parameters).length) return null;
  try {
    const found = await stored(`checked/${catalogue}`);
    return found.text === text ? found.answer : null;
  } catch {
    return null;
  }
}

/** Run a request, and return its messages in one object. */
function result(path, body, most) {
  return new Promise((resolve, reject) => {
    const found = {};
    compiler.run(path, body, most, (message) => {
      Object.assign(found, message);
      if (message.why === "refused") reject(new Refused(message.status, message.message, message.reason));
      else if (message.event === "end") resolve(found);
    });
  });
}

function solve(body) {
  const job = { events: [], news: null, known: {}, cancel: null };
  const name = unique();
  for (const old of jobs.keys()) if (jobs.size > 5) jobs.delete(old);
  jobs.set(name, job);
  job.cancel = compiler.run("solve", body, seconds + MOMENT, (message) => {
    if (message.event === "progress") job.known = { found: message.found, counted: message.counted, seconds: message.seconds };
    const whole = message.event === "end" && message.why !== "faulty" ? { ...job.known, ...message } : message;
    job.events.push({ ...whole, number: job.events.length + 1 });
    job.news?.();
  });
  return name;
}

/** Yield the messages of a job, from the one after `after` until its end. */
export async function* messages(name, after, signal) {
  const job = jobs.get(name);
  if (!job) throw new Refused(404, phrase("solve.unknown"), "job");
  for (;;) {
    if (signal?.aborted) return;
    while (after < job.events.length) {
      const message = job.events[after++];
      if (message.why === "refused") throw new Refused(message.status, message.message, message.reason);
      yield message;
      if (message.event === "end") return;
    }
    await new Promise((resolve) => {
      job.news = resolve;
      signal?.addEventListener("abort", resolve, { once: true });
    });
  }
}

/** Export a file. Returns its bytes, or the answer without them. */
export async function download(path, body) {
  const found = await result(path, body, 60);
  if (found.why !== "complete") return { told: found };
  const bytes = Uint8Array.from(atob(found.content), (sign) => sign.charCodeAt(0));
  return { name: found.name, blob: new Blob([bytes], { type: found.media }), remarks: found.remarks };
}

/** Save a text: the browser puts it into the folder of downloads. */
function save({ name, text }) {
  saved(new Blob([text], { type: "text/plain" }), name.split("/").pop());
  return { name, digest: null };
}
