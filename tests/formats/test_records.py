"""The records of formats: their index, and a whole format in one file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from puzzlec.formats import registry

ROOT = Path(__file__).parents[2]


def test_the_index_agrees_with_the_records() -> None:
    found = registry.index()
    formats = ",\n".join(f"{json.dumps(name)}: {json.dumps(facts)}" for name, facts in found["formats"].items())
    text = f'{{"formats": {{\n{formats}\n}}, "others": {json.dumps(found["others"])}}}\n'
    if os.environ.get("PUZZLEC_REGENERATE"):
        registry.INDEX.write_text(text, encoding="utf-8")
    assert registry.INDEX.read_text(encoding="utf-8") == text


NULL = '''"""Texts of the word `nothing`, and of a number of cells in a row: a format for a test."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics import Report, Source
from puzzlec.formats.record import Format, Sign
from puzzlec.formats.record import WriterChoices
from puzzlec.geometry import find_lattice
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.given import Given


def read(source: Source, report: Report, given: Given) -> Puzzle:
    lattice = find_lattice("square")
    cells = tuple((column, 0) for column in range(int(source.text.split()[1])))
    piece = Piece("bar", cells, (None,) * len(cells), lattice.turns(lattice.freedom))
    return Puzzle("nothing", lattice, tuple(map(Location, cells)), (piece,))


def write(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:
    yield f"nothing {len(puzzle.locations)}\\n"


FORMAT = Format(
    "nothing", (".nothing",), "a bar in its box", read=read, write=write,
    recognise=(Sign(500, "nothing "),), aliases=("naught",), answers=("names",),
)
'''

#: Uses of a format: a command, the text on the terminal, and a part of the output.
USES = [
    (["check", "bar.nothing"], "", "no errors"),
    (["count", "-"], "nothing 3\n", "1"),
    (["convert", "bar.nothing", "--to", "nothing"], "", "nothing 3"),
    (["convert", "bar.nothing", "again.nothing"], "", ""),
    (["convert", "-", "--from", "NOTHING", "--to", "puzzle"], "nothing 2\n", "piece bar"),
    (["list", "formats"], "", "nothing    yes   yes      puzzle   .nothing"),
    (["list", "formats", "nothing"], "", "a bar in its box"),
    (["convert", "bar.nothing", "--to", "naught"], "", "did you mean `nothing`?"),
    (["convert", "bar.nothing", "--to", "noting"], "", "did you mean `nothing`?"),
    (["check", "bar.nothing", "-", "--solutions-from", "noting"], "", "`nothing`"),
]

SESSION = """
import contextlib, io, json, sys, puzzlec
from puzzlec.cli.app import main
from puzzlec.cli.candidates import files, words
from puzzlec.formats.registry import FORMATS, WRITERS
printed = []
for arguments, text, _ in json.loads(sys.argv[1]):
    sys.argv = ["puzzlec", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    out = io.TextIOWrapper(io.BytesIO(), write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
        main()
    printed.append(out.buffer.getvalue().decode())
completed = [str(words(FORMATS)("no")), str(words(WRITERS)("no")), str(files("b"))]
print(json.dumps([puzzlec.__file__, completed, printed]))
"""


def test_a_format_is_one_file(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "puzzlec", tmp_path / "puzzlec", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("grammars", "puzzles"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "puzzlec" / "formats" / "nothing.py").write_text(NULL, encoding="utf-8")
    (tmp_path / "bar.nothing").write_text("nothing 3\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SESSION, json.dumps(USES)],
        capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "120"},
    )  # fmt: skip
    where, completed, printed = json.loads(done.stdout)
    assert where.startswith(str(tmp_path))
    assert all("nothing" in line for line in completed)
    assert "bar.nothing" in completed[2]
    for (arguments, _, said), output in zip(USES, printed, strict=True):
        assert said in output, arguments
    assert (tmp_path / "again.nothing").read_text(encoding="utf-8") == "nothing 3\n"


def test_names_places_and_signs_are_different() -> None:
    ranks = [sign.rank for record in registry.ALL.values() for sign in record.recognise]
    words = [word for record in registry.ALL.values() for word in (record.name, *record.aliases)]
    for found in (ranks, words, [record.place for record in registry.ALL.values()]):
        assert len(found) == len(set(found))
    assert all(word == word.lower() for word in words)
