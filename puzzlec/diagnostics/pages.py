"""The pages of ``docs/errors/``: what each code means, with an example that fails and the same one mended."""

from __future__ import annotations

import re

from puzzlec import resources
from puzzlec.diagnostics.codes import CODES
from puzzlec.diagnostics.diagnostic import fail


def is_code(name: str) -> bool:
    """Whether a name has the form of a code, in upper or lower case.

    >>> is_code("PZ301"), is_code("pz999"), is_code("PZ301.puzzle")
    (True, True, False)
    """
    return re.fullmatch(r"PZ[0-9]+", name, re.IGNORECASE | re.ASCII) is not None


def error_page(code: str) -> str:
    """Return the page of a code, in Markdown; raise PuzzleError where there is no such code."""
    name = code.upper()
    if name not in CODES:
        raise fail(
            "PZ006",
            f"there is no error or warning with the code `{name}`",
            help="`puzzlec explain` lists them all",
        )
    return (resources.folder("errors") / f"{name}.md").read_text(encoding="utf-8")
