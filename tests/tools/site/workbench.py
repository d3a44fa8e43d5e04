"""The workbench of the site: the page of ``puzzlec serve`` without a server.

Python and puzzlec run in the browser. Pyodide comes from npm, puzzlec from this checkout, lark and PyYAML from this
installation. The files are kept in the cache of puzzlec, under a digest of their sources.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.metadata
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from html import escape
from importlib.util import find_spec
from pathlib import Path

from puzzlec import resources
from puzzlec.services.web.app import contents, first_page
from tests.tools.gallery import PICTURES
from tests.tools.site.pages import ROOT

#: The folder of the workbench on the site.
FOLDER = "workbench"

#: The package of npm, its version, and the digest that npm publishes for it.
PACKAGE, VERSION = "pyodide", "314.0.7"
INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="

#: Folders and files of puzzlec that the page in the browser does not use.
LEFT_OUT = (
    *("cli", "jobs", "certificates", "services/lsp", "services/web/static"),
    *(f"services/web/{name}.py" for name in ("app", "server", "api", "jobs", "shorter")),
    *("engine/kernels/bitcode_files", "__main__.py", "py.typed"),
)

#: Seconds for a download, and for the run that makes the stored answers.
DOWNLOAD, RUN = 120, 1800

#: Resources that the page may load: its own files, and WebAssembly. A worker from a blob has the same policy.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; "
    "img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)

DESCRIPTION = "Type a puzzle, see its pieces, and solve it. puzzlec runs in your browser, and no text leaves it."

#: The only date in archives, so that the same sources give the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


class MissingError(Exception):
    """The workbench cannot be made here, for this reason."""


def write(site: Path, address: str = "", is_whole: bool = True) -> None:
    """Add the workbench to a built site; raise MissingError if Pyodide is not available.

    Without ``is_whole``, few answers are stored, so that a test is quick. ``address`` is the public one of the site.
    """
    source, target = made(is_whole), site / FOLDER
    shutil.copytree(source, target, dirs_exist_ok=True)
    for name, content in contents().items():
        if name != "server.js":
            (target / name).write_bytes(content())
    if not (site / PICTURES.name).is_dir():  # the site has them, with a ground for light and dark
        shutil.copytree(PICTURES, site / PICTURES.name)
    (target / "index.html").write_text(_page(address), encoding="utf-8")


def _page(address: str) -> str:
    """Return the page, which asks its own worker instead of a server."""
    page = first_page("server.js")
    card = f"{address.rstrip('/')}/site/card.png" if address else "../site/card.png"
    facts = {"og:title": "puzzlec workbench", "og:description": DESCRIPTION, "og:image": card}
    head = f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
    head += f'<meta name="description" content="{DESCRIPTION}">\n'
    head += "".join(f'<meta property="{name}" content="{escape(value)}">\n' for name, value in facts.items())
    for before, after in (
        ('<html lang="en"', '<html lang="en" data-answers="here"'),
        ('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{head}'),
        ('<link rel="icon" href="icon.svg" type="image/svg+xml">', '<link rel="icon" href="../site/icon.svg">'),
    ):
        assert page.count(before) == 1, before
        page = page.replace(before, after)
    return page


def made(is_whole: bool = True) -> Path:
    """Return a folder with the compiler and the stored answers, from the cache if nothing has changed."""
    package, files = pyodide(), dict(_files())
    warm = Path(__file__).with_name("warm.mjs")
    digest = hashlib.sha256(f"{VERSION} {is_whole}".encode() + warm.read_bytes() + Path(__file__).read_bytes())
    for name, content in files.items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    version = digest.hexdigest()[:16]
    kept = _cache() / version
    if kept.is_dir():
        return kept
    with tempfile.TemporaryDirectory(dir=_cache()) as name:
        folder = Path(name)
        (folder / "puzzlec.zip").write_bytes(_zip(files))
        _run(["node", str(warm), str(package), "puzzlec.zip", ".", "whole" if is_whole else "part"], folder, RUN)
        cache = {
            f"cache/{path.name}": path.read_bytes() for path in sorted((folder / "cache").iterdir()) if path.is_file()
        }
        compiler = folder / "made" / "compiler"
        compiler.mkdir(parents=True)
        (folder / "stored").rename(folder / "made" / "stored")
        for script in ("pyodide.mjs", "pyodide.asm.mjs"):
            shutil.copy2(package / script, compiler / script)
        large = {
            "python.wasm.gzip": gzip.compress((package / "pyodide.asm.wasm").read_bytes(), mtime=0),
            "library.zip": _zip(_compiled(_unzipped(package / "python_stdlib.zip"), folder / "bytecode" / "library")),
            "puzzlec.zip": _zip(_compiled(files, folder / "bytecode" / "puzzlec") | cache),
        }
        for file, content in large.items():
            (compiler / file).write_bytes(content)
        sizes = {file: len(content) for file, content in large.items()}
        info = json.loads((package / "pyodide-lock.json").read_bytes())["info"]
        facts = {"version": version, "info": info, "sizes": sizes}
        (compiler / "files.json").write_text(json.dumps(facts), encoding="utf-8")
        _keep(folder / "made", kept)
    return kept


def _files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of puzzlec, its data, and the two libraries, by their paths in the archive."""
    package = ROOT / "puzzlec"
    folders = {"puzzlec": package, "grammars": ROOT / "grammars", "puzzles": ROOT / "puzzles"}
    for library in ("lark", "yaml"):
        spec = find_spec(library)
        assert spec is not None
        assert spec.submodule_search_locations is not None
        folders[library] = Path(spec.submodule_search_locations[0])
    for name, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            own = path.relative_to(folder).as_posix()
            is_left_out = "__pycache__" in path.parts or (name == "puzzlec" and own.startswith(LEFT_OUT))
            if path.is_file() and path.suffix not in (".so", ".pyd") and not is_left_out:
                yield f"{name}/{own}", path.read_bytes()
    yield "gallery/pieces.json", (PICTURES / "pieces.json").read_bytes()
    for library in ("lark", "PyYAML"):
        for file in importlib.metadata.files(library) or ():
            if file.name.startswith("LICENSE"):
                yield f"licences/{library}", Path(str(file.locate())).read_bytes()
    yield "licences/puzzlec", (ROOT / "LICENSE").read_bytes()


def _unzipped(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _compiled(files: dict[str, bytes], folder: Path) -> dict[str, bytes]:
    """Return files with bytecode in place of each module: Python in a browser compiles slowly."""
    modules = {f"{name}c": (folder / f"{name}c").read_bytes() for name in files if name.endswith(".py")}
    return modules | {name: content for name, content in files.items() if not name.endswith(".py")}


def _zip(files: dict[str, bytes]) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED, 9)
    return found.getvalue()


def pyodide() -> Path:
    """Return the folder of Pyodide, which npm downloads once; raise MissingError with the reason if it cannot."""
    kept = _cache() / f"{PACKAGE}-{VERSION}"
    if kept.is_dir():
        return kept
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise MissingError(f"{program} is not installed")
    with tempfile.TemporaryDirectory(dir=_cache()) as name:
        folder = Path(name)
        _run(["npm", "pack", f"{PACKAGE}@{VERSION}", "--silent"], folder, DOWNLOAD)
        packed = folder / f"{PACKAGE}-{VERSION}.tgz"
        found = "sha512-" + base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
        if found != INTEGRITY:
            raise MissingError(f"{packed.name} from npm has another content than expected")
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        _keep(folder / "package", kept)
    return kept


def _keep(folder: Path, place: Path) -> None:
    """Move a finished folder to its place in the cache, unless another process was faster."""
    try:
        folder.rename(place)
    except OSError:
        if not place.is_dir():
            raise


def _cache() -> Path:
    """Return the folder of downloads and results."""
    base = resources.cache_folder()
    if base is None:
        raise MissingError("no folder for downloads can be written; set PUZZLEC_CACHE")
    (base / "workbench").mkdir(exist_ok=True)
    return base / "workbench"


def _run(command: list[str], folder: Path, seconds: int) -> None:
    """Run a program; raise MissingError with its last words if it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise MissingError(f"{command[0]} is not installed")
    try:
        done = subprocess.run(
            [program, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=seconds, env=os.environ
        )
    except subprocess.TimeoutExpired:
        raise MissingError(f"{command[0]} took more than {seconds} s") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise MissingError(f"{' '.join(command[:2])} failed: {said[-1][:300]}")
