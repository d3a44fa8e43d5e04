"""A progress as one line for a terminal."""

from __future__ import annotations

import os
from typing import TextIO

from puzzlec.cli.figures import between, duration, percentage, short
from puzzlec.diagnostics import counted
from puzzlec.engine.search.progress import Progress

#: The bar has so many characters at least and at most.
LEAST, MOST = 4, 40


def line(now: Progress, what: str, width: int, unicode: bool = True) -> str:
    """Return a progress as a line of at most ``width`` characters.

    Where it is narrow, workers and the time that has passed give way first, then the bar, then the interval, then the
    words.

    >>> line(Progress(0.25, 5_000_000, 1, 10.0, 500_000.0, 30.0), "solution", 77, unicode=False)
    '25 % [####----------] 1 solution, 500 k nodes/s, 0:10 so far, about 0:30 left'
    >>> line(Progress(0.25, 5_000_000, 1, 10.0, 500_000.0, 30.0, (25.0, 41.0)), "solution", 86, unicode=False)
    '25 % [##-------] 1 solution, 500 k nodes/s, 0:10 so far, about 0:30 left, 0:25 to 0:41'
    """
    first = [counted(now.solutions, what)]
    if now.rate > 0:  # there is none while a kernel is compiled
        first.append(f"{short(now.rate)} nodes/s")
    passed, rest, interval = [f"{duration(now.seconds)} so far"], [], []
    if now.workers is not None:
        passed.insert(0, counted(now.workers, "worker"))
    if now.doing:
        rest = [now.doing]
    elif now.left is not None:
        rest = [f"about {duration(now.left)} left"]
        interval = [] if now.left_between is None else [between(*now.left_between)]
    ways = [first + passed + rest + interval, first + rest + interval] if interval else [first + passed + rest]
    percent = percentage(now.fraction) if now.fraction > 0 else ""
    for text in map(", ".join, ways):
        room = min(width - len(percent) - len(text) - 4, MOST)
        if percent and room >= LEAST:
            full = int(room * min(now.fraction, 1.0) + 0.5)
            done, open_ = ("█", "░") if unicode else ("#", "-")
            return f"{percent} [{done * full}{open_ * (room - full)}] {text}"
    for words in (*ways, first + passed + rest):
        text = ", ".join([percent, *words] if percent else words)
        if len(text) <= width:
            return text
    return text[: max(width, 0)]


def columns(stream: TextIO) -> int:
    """Return how many columns the terminal of a stream has."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def is_unicode(stream: TextIO) -> bool:
    """Whether more than ASCII can be written to a stream."""
    return (getattr(stream, "encoding", None) or "ascii").lower().startswith("utf")
