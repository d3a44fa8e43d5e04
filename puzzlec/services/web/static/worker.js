// A worker of the page without a server: Python, and puzzlec in it. It asks no other host and no file: the page sends it
// everything at its start.

let ask = null;

self.onmessage = async ({ data }) => {
  try {
    if (ask === null) await begin(data);
    else ask(data.path, data.body, (line) => self.postMessage(line));
  } catch (error) {
    self.postMessage({ failed: String(error).slice(-300) });
  }
};

async function begin({ here, info, module, library, archive }) {
  // Pyodide asks for two files, which are here already.
  self.fetch = async (address) => {
    const name = String(address).split("/").pop();
    if (name === "library.zip") return new Response(library);
    if (name === "pyodide.asm.wasm") return new Response();
    throw new TypeError("a worker has no network");
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  const { loadPyodide } = await import(`${here}pyodide.mjs`);
  const python = await loadPyodide({
    indexURL: here, stdLibURL: `${here}library.zip`, lockFileContents: { info, packages: {} }, packageBaseUrl: here,
    env: { PUZZLEC_CACHE: "/puzzlec/cache", PYTHONDONTWRITEBYTECODE: "1" },
  });
  for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "importScripts", "Worker", "BroadcastChannel", "indexedDB", "caches"]) {
    try {
      Object.defineProperty(self, name, { value: undefined, configurable: false, writable: false });
    } catch {
      // it is fixed, and the policy of the page still applies
    }
  }
  python.unpackArchive(archive, "zip", { extractDir: "/puzzlec" });
  ask = python.runPython(`
import os, sys
os.chmod("/puzzlec/cache", 0o700)
sys.path.insert(0, "/puzzlec")
from puzzlec.services.web.local import ask
ask`);
  self.postMessage("ready");
}
