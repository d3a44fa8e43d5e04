"""How a board goes around, in words."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.geometry.wrapping import Wrap

#: What coordinates are called; those of more dimensions have numbers.
_NAMES = "xyzw"


def around_text(wraps: Iterable[Wrap]) -> str:
    """Return in words by which vectors a board goes around.

    >>> around_text([Wrap((4, 0)), Wrap((0, 5), True)])
    'x after 4, y after 5 with a twist'
    >>> around_text([Wrap((3, 5))])
    '(3,5)'
    """
    return ", ".join(_way(wrap.vector) + " with a twist" * wrap.twisted for wrap in wraps)


def _way(vector: tuple[int, ...]) -> str:
    along = [axis for axis, value in enumerate(vector) if value]
    if len(along) == 1 and len(vector) <= len(_NAMES):
        return f"{_NAMES[along[0]]} after {abs(vector[along[0]])}"
    return "(" + ",".join(map(str, vector)) + ")"
