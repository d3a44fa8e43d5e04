"""Integers that a caller gives."""

from __future__ import annotations

import operator
from typing import Any


def integer(value: Any, name: str, least: int | None = None, note: str = "") -> int:
    """Return an argument as an integer; integers of numpy are accepted.

    >>> integer(3, "threads", 1)
    3
    >>> integer(1.5, "threads")
    Traceback (most recent call last):
    ...
    ValueError: `threads` must be an integer, not 1.5

    Args:
        value: The argument.
        name: Its name, for the message.
        least: The smallest allowed value. Default: any.
        note: What a special value means, for the message.

    Raises:
        ValueError: If the argument is not an integer, or less than `least`.

    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or (least is not None and number < least):
        bound = f" of at least {least}" if least is not None and not note else ""
        raise ValueError(f"`{name}` must be an integer{bound}{note and f', {note}'}, not {value!r}")
    return number


def thread_count(threads: Any) -> int:
    """Return a number of threads; raise ValueError unless it is an integer from 0."""
    return integer(threads, "threads", 0, "0 for one per processor")
