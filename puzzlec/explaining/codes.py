"""The pages of the codes of diagnostics, as plain text for a terminal."""

from __future__ import annotations

import re
import textwrap

from puzzlec import resources
from puzzlec.diagnostics import CODES
from puzzlec.diagnostics.error import fail


def is_code(name: str) -> bool:
    """Return whether a name has the form of a code, in upper or lower case.

    >>> is_code("PZ301"), is_code("pz999"), is_code("PZ301.puzzle")
    (True, True, False)
    """
    return re.fullmatch(r"PZ[0-9]+", name, re.IGNORECASE | re.ASCII) is not None


def error_page(code: str) -> str:
    """Return the page of a code, in Markdown; raise PuzzleError if there is no such code."""
    name = code.upper()
    if name not in CODES:
        raise fail(
            "PZ006",
            f"unknown code `{name}`",
            help=(*_alike(name), "`puzzlec explain` lists them all"),
        )
    page = (resources.folder("errors") / f"{name}.md").read_text(encoding="utf-8")
    return re.sub(r"(?m)^<!--.*-->\n", "", page)  # comments are for the tests of the page


def rendered(page: str, width: int, bold: bool = False) -> str:
    r"""Return a page as plain text for a terminal: wrapped prose, indented code, bold headings, no links.

    >>> print(rendered("# PZ1: wrong\n\nSee [the\nlist](a.md).\n\n## Fix\n\n```puzzle\n# [a](b)\n```\n", 80))
    PZ1: wrong
    <BLANKLINE>
    See the list.
    <BLANKLINE>
    Fix
    <BLANKLINE>
      # [a](b)
    """
    blocks: list[str] = []
    for at, part in enumerate(re.split(r"^```\w*\n(.*?)^```\n", page, flags=re.DOTALL | re.MULTILINE)):
        if at % 2:
            blocks.append(textwrap.indent(part.rstrip("\n"), "  "))
            continue
        prose = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", part)
        for paragraph in filter(None, (text.strip() for text in re.split(r"\n\n|\n(?=- )", prose))):
            heading = paragraph.lstrip("#").lstrip()
            if heading != paragraph:
                blocks.append(f"\033[1m{heading}\033[0m" if bold else heading)
                continue
            item = "  " * paragraph.startswith("- ")
            words = re.sub(r"`[^`]+`", lambda code: code[0].replace(" ", "\0"), " ".join(paragraph.split()))
            filled = textwrap.fill(words, width, subsequent_indent=item, break_on_hyphens=False)
            blocks.append(filled.replace("\0", " "))
    return "\n\n".join(blocks).replace("\n\n- ", "\n- ")


def _alike(name: str) -> tuple[str, ...]:
    """Return the suggestion for an unknown code: the codes with the longest common beginning.

    >>> _alike("PZ3010"), _alike("PZ9")
    (('did you mean `PZ301`?',), ())
    """
    for length in range(len(name), len("PZ"), -1):
        codes = [code for code in CODES if code.startswith(name[:length])]
        if len(codes) == 1:
            return (f"did you mean `{codes[0]}`?",)
        if codes:
            words = ", ".join(codes) if len(codes) <= 10 else f"{codes[0]} to {codes[-1]}"
            return (f"codes with `{name[:length]}` are {words}",)
    return ()
