// The compiler in workers of this browser: their files, a spare worker, limits of time, and cancelling.

import { Refused } from "./refused.js";
import { phrase } from "./words.js";

const MOST = 2; // workers: one may search while the other checks the text, or is the spare
const PATIENCE = 2; // seconds that the check of an old text has left if there is a newer one
const here = new URL(".", import.meta.url).href;

let files = null; // a promise of the files
let script = null; // the address of the program of a worker
let onLoad = () => {}; // gets the bytes that have arrived, then a message for the first ready worker
const workers = [];
const waiting = [];

/** Get the compiler. `told` gets the bytes so far and all bytes, then `null` when the first worker is ready. */
export function begin(told) {
  onLoad = told;
  start();
}

/** Whether a worker is ready, even if it is busy. */
export const isReady = () => workers.some((worker) => worker.ready);

/** Run a request for at most these seconds. Messages go to `tell`; the last one is an `end`. Returns a function that
 * cancels it, with a reason. */
export function run(path, body, seconds, tell) {
  const task = { path, body, seconds, tell, over: false };
  if (path === "check") replace(body.fresh);
  waiting.push(task);
  next();
  return (why = "cancelled") => stop(task, why);
}

/** A newer text has arrived: forget the checks that wait, and end the one that runs soon, for another puzzle at once. */
export function replace(atOnce) {
  for (const older of waiting.filter((task) => task.path === "check")) stop(older, "newer");
  for (const { task } of workers) if (task && task.path === "check") setTimeout(() => stop(task, "newer"), atOnce ? 0 : 1000 * PATIENCE);
}

function stop(task, why) {
  if (task.over) return;
  const at = waiting.indexOf(task);
  if (at >= 0) waiting.splice(at, 1);
  const mine = workers.find((worker) => worker.task === task);
  end(task, { event: "end", why });
  if (mine) drop(mine);
}

function end(task, message) {
  task.over = true;
  clearTimeout(task.timer);
  task.tell(message);
}

function next() {
  start();
  for (const mine of workers) {
    if (!mine.ready || mine.task || !waiting.length) continue;
    const task = waiting.shift();
    mine.task = task;
    task.timer = setTimeout(() => stop(task, "seconds"), 1000 * task.seconds);
    mine.worker.postMessage({ path: task.path, body: JSON.stringify(task.body) });
  }
}

/** End a worker, and start another one, which is the spare. */
function drop(mine) {
  mine.worker.terminate();
  workers.splice(workers.indexOf(mine), 1);
  next();
}

/** Start a worker if there are too few. The spare one waits for the first, which is needed sooner. */
async function start() {
  if (workers.length >= MOST || workers.some((worker) => !worker.ready)) return;
  const mine = { worker: null, ready: false, task: null };
  workers.push(mine);
  try {
    files = files || load();
    const { info, module, library, archive } = await files;
    mine.worker = new Worker(script, { type: "module" });
    mine.worker.onmessage = ({ data }) => heard(mine, data);
    mine.worker.onerror = (event) => {
      event.preventDefault();
      failed(mine, event.message || phrase("compiler.ended"));
    };
    mine.worker.postMessage({ here: `${here}compiler/`, info, module, library, archive });
  } catch (error) {
    files = null;
    workers.splice(workers.indexOf(mine), 1);
    onLoad(error);
    for (const task of waiting.splice(0)) end(task, { event: "end", why: "refused", status: 0, message: error.message, reason: "compiler" });
  }
}

function heard(mine, data) {
  if (data === "ready") {
    mine.ready = true;
    onLoad(null);
    next();
    return;
  }
  if (typeof data !== "string") return failed(mine, data.failed);
  const { task } = mine;
  if (!task || task.over) return;
  const message = JSON.parse(data);
  if (message.event !== "end") return task.tell(message);
  mine.task = null;
  end(task, message);
  next();
}

/** The interpreter has ended, perhaps without enough memory. */
function failed(mine, message) {
  if (!workers.includes(mine)) return;
  const { task, ready } = mine;
  if (!ready) {
    mine.worker.terminate();
    workers.splice(workers.indexOf(mine), 1);
    const error = new Refused(0, phrase("compiler.cannot", { message }), "compiler");
    onLoad(error);
    for (const other of waiting.splice(0)) end(other, { event: "end", why: "refused", status: 0, message: error.message, reason: "compiler" });
    return;
  }
  if (task && !task.over) end(task, { event: "end", why: "died" });
  drop(mine);
}

/** Get the files of the compiler. Their sizes are known, so that the page can show the progress. */
async function load() {
  const answer = await got("compiler/files.json", "no-cache");
  const { version, info, sizes } = await answer.json();
  const all = Object.values(sizes).reduce((one, other) => one + other, 0);
  let done = 0;
  const content = async (name) => {
    const parts = [];
    const stream = (await got(`compiler/${name}?${version}`, "force-cache")).body;
    for (const reader = stream.getReader(); ; ) {
      const { done: over, value } = await reader.read();
      if (over) return new Blob(parts);
      parts.push(value);
      onLoad({ done: (done += value.length), all });
    }
  };
  const unpacked = async (blob) => new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const [module, library, archive, program] = await Promise.all([
    content("python.wasm.gzip").then(unpacked).then((bytes) => WebAssembly.compile(bytes)),
    content("library.zip").then((blob) => blob.arrayBuffer()),
    content("puzzlec.zip").then((blob) => blob.arrayBuffer()),
    got("worker.js").then((file) => file.text()),
  ]);
  // A worker from a blob has the policy of this page. A static host sends no policy with its files.
  script = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  return { info, module, library, archive };
}

async function got(name, cache = "default") {
  let answer;
  try {
    answer = await fetch(here + name, { cache });
  } catch {
    answer = null;
  }
  if (!answer || !answer.ok) throw new Refused(0, phrase("compiler.missing"), "compiler");
  return answer;
}
