// The requests of the page. `puzzlec serve` answers them, or the compiler in a worker of this browser: the site of the
// documentation has no server.

export { Refused } from "./refused.js";

const answering = await import(document.documentElement.dataset.answers === "here" ? "./local.js" : "./server.js");

export const { takeToken, warm, get, post, download, messages } = answering;
