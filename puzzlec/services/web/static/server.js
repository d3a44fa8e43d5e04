// Requests to the server of `puzzlec serve`. Each one has the token from the address.

import { TOKEN, taken } from "./early.js";
import { Refused } from "./refused.js";
import { local } from "./storage.js";
import { phrase } from "./words.js";

/** Move the token out of the address, so that it is not visible or stored there. */
export async function takeToken() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  const ticket = address.searchParams.get("ticket"); // valid once, since others may have seen it
  if (!given && !ticket) return;
  address.searchParams.delete("token");
  address.searchParams.delete("ticket");
  history.replaceState(null, "", address.pathname + address.search + address.hash);
  if (given) local.setItem(TOKEN, given);
  else {
    try {
      local.setItem(TOKEN, (await post("enter", {}, undefined, ticket)).token);
    } catch {
      // it was used before: this browser may have the token from that time
    }
  }
}

/** The server is ready at once. */
export function warm() {}

async function asked(path, settings = {}) {
  const headers = { "X-Puzzlec-Token": local.getItem(TOKEN) || "", ...(settings.headers || {}) };
  let answer;
  try {
    answer = await taken(`/api/${path}`, { ...settings, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, phrase("server.gone"), "gone");
  }
  if (answer.ok) return answer;
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // not JSON: only the status is known
  }
  throw new Refused(answer.status, told.message || phrase("server.refused", { status: answer.status }), told.reason || "");
}

export async function get(path, query = {}) {
  const words = new URLSearchParams(query).toString();
  return (await asked(words ? `${path}?${words}` : path)).json();
}

function sent(body, signal, ticket) {
  const headers = { "Content-Type": "application/json", ...(ticket ? { "X-Puzzlec-Token": ticket } : {}) };
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

export async function post(path, body = {}, signal = undefined, ticket = "") {
  return (await asked(path, sent(body, signal, ticket))).json();
}

/** Request a file. Returns its bytes, or the answer without them. */
export async function download(path, body) {
  const answer = await asked(path, sent(body));
  const named = /filename="([^"]*)"/.exec(answer.headers.get("Content-Disposition") || "");
  if (!named) return { told: await answer.json() };
  const remarks = JSON.parse(answer.headers.get("X-Puzzlec-Remarks") || "[]");
  return { name: named[1], blob: await answer.blob(), remarks };
}

/** Yield the messages of a job, from the one after `after` until its end. */
export async function* messages(job, after, signal) {
  const answer = await asked(`jobs/${job}?after=${after}`, { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const read = () => reader.read().catch((error) => {
    throw error.name === "AbortError" ? error : new Refused(0, phrase("server.gone"), "gone");
  });
  for (;;) {
    const { done, value } = await read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}
