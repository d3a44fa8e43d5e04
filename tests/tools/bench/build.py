"""Build the programs of the benchmarks from their sources: ``python -m tests.tools.bench.build DIR [NAME ...]``.

The sources are in ``DIR/src``, a folder for each. The programs go to ``DIR/bin``, where ``--peers DIR`` finds them.
Nothing is downloaded: for missing sources and tools, the command prints where they are published and what it needs.
``wrappers`` has a few lines around each library that has no program. Sources are copied before they are built.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WRAPPERS = Path(__file__).parent / "wrappers"


@dataclass(frozen=True)
class Peer:
    """A program: the folder of its sources, what must be in it, where it is published, and the commands.

    The commands run in a copy of the folder. ``{name}`` is the program and ``{wrappers}`` the folder of wrappers.
    ``made`` is the path of the program in the copy. Without commands, its authors describe how to build it, and the
    program belongs in ``DIR/bin``.
    """

    name: str
    folder: str
    needs: tuple[str, ...]
    published: str
    commands: tuple[tuple[str, ...], ...] = ()
    made: str = "{name}"

    @property
    def tools(self) -> set[str]:
        """The tools of the commands."""
        return {command[0] for command in self.commands}


#: Knuth's programs, and gb_flip of the Stanford GraphBase, which they use for random numbers and which includes
#: boilerplate.w.
KNUTH = (
    "https://cs.stanford.edu/~knuth/programs.html, with gb_flip.w and boilerplate.w of "
    "https://cs.stanford.edu/~knuth/sgb.html; "
    "copies: https://github.com/shreevatsa/knuth-literate-programs, version 7329bc5"
)


def knuth(name: str, web: str, change: str = "") -> Peer:
    """Return one of Knuth's programs, with a file of changes if there is one."""
    commands = (
        ("ctangle", web, change or "-", f"{name}.c"),
        ("ctangle", "gb_flip.w", "-", "gb_flip.c"),
        ("gcc", "-O3", "-w", "-I.", "-o", name, f"{name}.c", "gb_flip.c"),
    )
    needs = (web, "gb_flip.w", "boilerplate.w", *([change] if change else []))
    return Peer(name, "knuth", needs, KNUTH, commands)


#: How BurrTools is compiled, without its window.
_BURRTOOLS = "-std=c++11 -O3 -march=native -DNDEBUG -w -Isrc -Isrc/lib"

PEERS = (
    *(knuth(name, f"{name}.w") for name in ("dlx1", "dlx2", "dlx6", "ssxcc", "xccdc")),
    knuth("dlx6-nomrv", "dlx6.w", "dlx6-noMRV.ch"),
    Peer(
        "tdzdd",
        "TdZdd",
        ("include/tdzdd/DdStructure.hpp",),
        "https://github.com/kunisura/TdZdd, version 95ad69d",
        (("g++", "-O3", "-std=c++14", "-Iinclude", "-o", "{name}", "{wrappers}/tdzdd.cpp"),),
    ),
    Peer(
        "exact-covers",
        "exact-covers",
        ("Cargo.toml", "src/lib.rs"),
        "https://crates.io/crates/exact-covers, version 0.3.0; then `cargo fetch` in this folder",
        (
            ("install", "-D", "{wrappers}/exact-covers.rs", "src/bin/exact-covers.rs"),
            ("cargo", "build", "--release", "--offline", "--bin", "exact-covers"),
        ),
        "target/release/exact-covers",
    ),
    Peer(
        "miniexact",
        "miniexact",
        ("CMakeLists.txt",),
        "https://github.com/miniexact/miniexact, version db58632",
        (("cmake", "-S", ".", "-B", "build"), ("cmake", "--build", "build")),
        "build/miniexact",
    ),
    Peer(
        "burrTxt",
        "burr-tools",
        ("src/burrTxt.cpp", "examples/CubeInCage.xmpuzzle"),
        "https://github.com/burr-tools/burr-tools, version b72a71d",
        (
            ("sh", "-c", "rm -f src/lib/*_test.cpp src/lua/lua.c src/lua/luac.c src/tools/homedir.cpp"),
            ("sh", "-c", "gcc -O2 -w -c src/lua/*.c"),
            ("sh", "-c", f"g++ -c {_BURRTOOLS} src/lua/*.cpp src/burrTxt.cpp src/lib/*.cpp"),
            ("sh", "-c", f"g++ -c {_BURRTOOLS} src/tools/*.cpp src/halfedge/*.cpp"),
            ("sh", "-c", "g++ *.o -lz -lpthread -o {name}"),
        ),
    ),
    Peer("polycube", "polycube", ("README.txt",), "http://www.mattbusche.org/projects/polycube/"),
    Peer("libexact", "libexact", (), "https://pottonen.kapsi.fi/libexact.html"),
)

#: Libraries that their own tools install.
INSTALLED = (
    "npm install --prefix DIR/npm dancing-links",
    "python -m venv DIR/venv; DIR/venv/bin/pip install exact-cover xcover pyxcc pyganak",
)


def lacking(peer: Peer, folder: Path) -> str:
    """Return why a program cannot be built here; empty if it can."""
    sources = folder / "src" / peer.folder
    if not sources.is_dir():
        return f"missing sources in {sources}: {peer.published}"
    if files := [name for name in peer.needs if not (sources / name).exists()]:
        return f"missing {', '.join(files)} in {sources}: {peer.published}"
    if not peer.commands:
        return f"build it as its authors describe, and put the program into {folder / 'bin'}"
    if tools := sorted(tool for tool in peer.tools if shutil.which(tool) is None):
        return f"missing the tool {', '.join(tools)}"
    return ""


def build(peer: Peer, folder: Path) -> str:
    """Build a program in a copy of its sources. Return what went wrong; empty if nothing did."""
    with tempfile.TemporaryDirectory() as copied:
        place = Path(copied) / peer.folder
        shutil.copytree(folder / "src" / peer.folder, place)
        for command in peer.commands:
            words = [word.format(name=peer.name, wrappers=WRAPPERS) for word in command]
            # Some ctangles look for included files only where this variable says.
            there = {**os.environ, "CWEBINPUTS": "."}
            done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False, env=there)
            if done.returncode:
                return f"{' '.join(words)}: {(done.stderr or done.stdout).strip()[-500:]}"
        (folder / "bin").mkdir(exist_ok=True)
        shutil.copy2(place / peer.made.format(name=peer.name), folder / "bin" / peer.name)
    return ""


def main(words: Sequence[str]) -> int:
    """Build what can be built, and print a line for each program. Return 1 if a build failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.bench.build", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="the folder of the peers, with the sources in `src`")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(p.name for p in PEERS)}")
    asked = parser.parse_args(words)
    if unknown := set(asked.names) - {peer.name for peer in PEERS}:
        parser.error(f"unknown program {', '.join(sorted(unknown))}")
    folder, failed = asked.folder.resolve(), False
    for peer in PEERS:
        if asked.names and peer.name not in asked.names:
            continue
        if (folder / "bin" / peer.name).exists():
            print(f"{peer.name}: built before")
            continue
        reason = lacking(peer, folder)
        if not reason:
            fault = build(peer, folder)
            failed = failed or bool(fault)
            reason = f"failed: {fault}" if fault else "built"
        print(f"{peer.name}: {reason}", flush=True)
    if not asked.names:
        print("libraries:", *INSTALLED, sep="\n  ")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
