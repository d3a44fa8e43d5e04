"""The option ``--progress``."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Annotated

from puzzlec.cli.command import OUTPUT
from puzzlec.cli.options import Option
from puzzlec.cli.terminal import MODE
from puzzlec.cli.texts.progress import Bar, Lines
from puzzlec.engine.progress import Progress

#: The ways to display progress.
KINDS = ("bar", "json", "none")

ProgressKind = Annotated[
    str, Option("Progress on stderr: bar (default), json or none.", "HOW", name="--progress", words=KINDS, panel=OUTPUT)
]


def shown(
    kind: str,
    progress: Callable[[], Progress],
    what: str = "solution",
    foresee: Callable[[], None] | None = None,
    more: Callable[[], Mapping[str, object]] | None = None,
) -> Bar | Lines:
    """Return the display of a progress for ``--progress``: "bar", "json", or "none".

    ``what`` names the counted things. ``foresee`` improves the estimate. ``more`` has additional members for JSON.
    """
    if kind == "json":
        return Lines(progress, foresee, more)
    return Bar(progress, what, None if kind == "bar" else io.StringIO(), foresee=foresee, quiet=MODE.quiet)
