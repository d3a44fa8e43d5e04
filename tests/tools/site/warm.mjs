// Runs puzzlec in Pyodide once, when the site is built: `node warm.mjs PYODIDE ARCHIVE FOLDER whole|part`. It writes into
// FOLDER the stored answers of the page, the cache of grammars, and the bytecode of all modules. The last two depend on
// the version of Python.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  console.error(String(error.message || error).trim()); // not the line of Pyodide, which has a million characters
  process.exit(1);
});

const [pyodide, archive, folder, much] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ env: { PUZZLEC_CACHE: "/puzzlec/cache", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" } });
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/puzzlec" });
python.globals.set("is_whole", much === "whole");
python.runPython(`
import json, sys
from pathlib import Path

sys.path.insert(0, "/puzzlec")
from puzzlec import resources
from puzzlec.language.parsing import parser
from puzzlec.services.web.local import checked, stored

def write(name, answer):
    path = Path("/stored", name + ".json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(answer, separators=(",", ":"), ensure_ascii=True))

for grammar in sorted(resources.folder("grammars").glob("*.lark")):
    parser(grammar.stem)
# The first page of the site, the puzzles that it offers, and a burr.
offered = ("new/packing2d", "soma/soma", "burrs/six-piece-2", "pentominoes/6x10", "polyhexes/tetrahexes-4x7", "queens/8")
for name, answer in stored():
    write(name, answer)
    if "text" in answer and (is_whole or answer["name"] in offered):
        write("checked/" + answer["name"], {"text": answer["text"], "answer": checked(answer)})
`);
for (const [name, path] of [["library", join(pyodide, "python_stdlib.zip")], ["puzzlec", archive]]) {
  python.FS.writeFile("/archive.zip", new Uint8Array(readFileSync(path)));
  python.globals.set("name", name);
  python.runPython(`
import py_compile, zipfile

with zipfile.ZipFile("/archive.zip") as archive:
    for path in filter(lambda path: path.endswith(".py"), archive.namelist()):
        Path("/source.py").write_bytes(archive.read(path))
        # Its archive has no useful dates, so no date is compared.
        py_compile.compile("/source.py", f"/bytecode/{name}/{path}c", path, True, 2, py_compile.PycInvalidationMode.UNCHECKED_HASH)
`);
}
for (const [from, name] of [["/stored", "stored"], ["/puzzlec/cache", "cache"], ["/bytecode", "bytecode"]]) copy(from, join(folder, name));

function copy(from, to) {
  for (const name of python.FS.readdir(from)) {
    if (name === "." || name === "..") continue;
    const source = `${from}/${name}`;
    const target = join(to, name);
    if (python.FS.isDir(python.FS.stat(source).mode)) {
      copy(source, target);
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, python.FS.readFile(source));
  }
}
