"""The fenced blocks of all pages, and how each kind is tested: ``python -m tests.docs_blocks`` counts them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

FOLDERS = ("language", "how-to", "how-it-works", "formats", "pictures", "editors", "decisions")

#: Pages whose blocks tests/test_docs.py tries.
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *sorted(DOCS.glob("*.md")),
    *(page for folder in FOLDERS for page in sorted((DOCS / folder).glob("*.md"))),
]

#: Pages whose blocks tests/test_error_pages.py tries: each has an example that fails and the same example fixed.
ERRORS = sorted((DOCS / "errors").glob("*.md"))

#: Languages of blocks that puzzlec reads, with a board for formats that contain pieces only.
FORMATS = {
    "puzzle": None,
    "dpf": None,
    "compact": None,
    "board": None,
    "xml": "5x1",
    "offsets": "5x1",
    "polyform": None,
    "drawn": "6x2",
    "iqpuzzler": None,
    "kanoodle": None,
    "soma": None,
    "cells": "3x3x3",
    "dlx": None,
    "miniexact": None,
    "sudoku": None,
    "scad": None,
    "rows": None,
    "burr": None,
    "puzzlecad": None,
    "tiles": None,
    "universe": None,
    "numeric": None,
    "polycube": None,
    "xmpuzzle": None,
    "json": None,
    "pips": None,
}

COMPILED = "compiled; counted where a count is stated"
SHOWN = "typed; what is printed is compared"
RUN = "run"
NEEDING = "run where the program that it needs is installed"
DOCTEST = "an example of a docstring, run with it"
MADE = "compared with what puzzlec writes, or with its grammar"
READ = "read as YAML, and as a lattice where a session saves it"
SET_UP = "given to the editor that it sets up, where that is installed (tests/services/lsp)"
PLAIN = "not run"

SHELLS = ("sh", "bash")

#: How the blocks of each language are tested.
DONE = {
    **dict.fromkeys(FORMATS, COMPILED),
    "console": SHOWN,
    "python": RUN,
    **dict.fromkeys(SHELLS, RUN),
    "pycon": DOCTEST,
    **dict.fromkeys(("cnf", "ebnf", "lp", "minizinc", "py", "smt2"), MADE),
    "yaml": READ,
    "toml": READ,
    "lua": SET_UP,
    "elisp": SET_UP,
    "rst": PLAIN,
    "text": PLAIN,
}

_BLOCK = re.compile(r"((?:^<!--[^\n]*-->\n)*)^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page, with the HTML comments on the lines before it.

    ``<!-- count: 65, raw: 520 -->`` and ``<!-- count: 14200 with n=12 -->`` state its number of solutions.
    ``<!-- fails: PZ401 PZ303 -->`` names its errors. ``<!-- file: a.puzzle -->`` names the file that a reader saves,
    and ``<!-- add to: a.puzzle -->`` the file that it extends. ``<!-- not run: it takes a week -->``
    gives the reason why it is not run. Commands for a shell (``sh``, ``bash``) can do anything, so they run in an empty
    folder, and only after a comment: ``<!-- run -->`` or ``<!-- needs: z3 -->``, which names a program that they need.
    ``<!-- leave out: pip install -->`` names the beginning of lines that are not run. A block with ``<!-- slow -->``
    runs with ``pytest -m slow``.
    """

    language: str
    text: str
    line: int
    notes: tuple[str, ...]

    def said(self, what: str) -> list[str]:
        """Return the text of the comments after a word and a colon."""
        return [note.split(": ", 1)[1] for note in self.notes if note.startswith(f"{what}: ")]

    @property
    def done(self) -> str:
        """The treatment of the block by the tests."""
        if self.said("not run"):
            return PLAIN
        if self.language in SHELLS:
            return NEEDING if self.said("needs") else RUN if "run" in self.notes else PLAIN
        return DONE.get(self.language, PLAIN)


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        comments = re.findall(r"<!-- (.*?) -->", match.group(1))
        notes = [note for said in comments for note in ([said] if said.startswith("not run") else said.split(", "))]
        yield Block(match.group(2), match.group(3), text.count("\n", 0, match.start(2)) + 1, tuple(notes))


def main() -> None:
    """Print the number of blocks by kind of test and by language."""
    found = Counter((block.done, block.language) for page in (*PAGES, *ERRORS) for block in blocks(page))
    total = Counter[str]()
    for (done, _), number in found.items():
        total[done] += number
    for done, number in total.most_common():
        languages = ", ".join(f"{language} {count}" for (what, language), count in found.most_common() if what == done)
        sys.stdout.write(f"{number:>5}  {done} ({languages})\n")
    tried = total.total() - total[PLAIN]
    sys.stdout.write(f"{tried:>5}  of {total.total()} blocks of {len(PAGES) + len(ERRORS)} pages are tried\n")


if __name__ == "__main__":
    main()
