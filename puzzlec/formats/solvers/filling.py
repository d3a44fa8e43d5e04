"""Words in lines of moderate length, and titles in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def filled(
    words: Iterable[str], width: int = 100, first: str = "", rest: str = "  ", behind: str = ""
) -> Iterator[str]:
    """Give words in lines of at most ``width`` characters, where each of them has room; no newline is added.

    ``first`` and ``rest`` stand before the first line and each other one, ``behind`` the last.

    >>> list(filled(["one", "two", "three"], 12, "say ", "..", "."))
    ['say one two', '..three.']
    """
    line: list[str] = []
    size, indent = len(first), first
    for word in words:
        size += len(word) + 1
        if size > width and line:
            yield indent + " ".join(line)
            line, indent = [], rest
            size = len(rest) + len(word) + 1
        line.append(word)
    yield indent + " ".join(line) + behind


def enclosed(words: Iterable[str], before: str = "", behind: str = "", between: str = "") -> Iterator[str]:
    """Give words with a text before the first of them, one behind the last, and one behind each other.

    >>> list(enclosed(["1", "2", "3"], "{", "}", ","))
    ['{1,', '2,', '3}']
    """
    held: str | None = None
    for word in words:
        if held is None:
            held = before + word
        else:
            yield held + between
            held = word
    yield (before if held is None else held) + behind


def in_one_line(text: str) -> str:
    """Return a text for a comment: without newlines and other characters that control anything."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
