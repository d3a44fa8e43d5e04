"""Options without a primary item. No search would choose them, so readers of exact covers leave them out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from puzzlec.diagnostics import Report, Span


def ignoring(number: int, kind: str = "option") -> str:
    """Return the warning about options, or rows, that are left out.

    >>> ignoring(1), ignoring(9, "row")
    ('ignoring an option without a primary item', 'ignoring 9 rows without a primary item')
    """
    some = f"{number} {kind}s" if number > 1 else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    return f"ignoring {some} without a primary item"


#: The note of this warning.
NOTE = "no search would choose it; the others keep their numbers, from 0"


class Unchosen:
    """The options of a text that are left out, by the number of options kept before each, and the ``first`` of them."""

    def __init__(self) -> None:
        self.before: list[int] = []
        self.first: Span | None = None

    def __len__(self) -> int:
        return len(self.before)

    def add(self, kept: int, span: Span | None = None) -> None:
        """Leave out the next option; ``kept`` is the number of options before it that were kept."""
        self.first = self.first or span
        self.before.append(kept)

    def warn(self, report: Report, kind: str = "option") -> None:
        """Warn about the options that were left out, if there are any."""
        if self.before:
            report.add("PZ285", ignoring(len(self.before), kind), self.first, note=NOTE)

    def number(self, option: int) -> int:
        """Return the number in the text, from 0, of an option that was kept.

        >>> left = Unchosen()
        >>> left.add(1)
        >>> left.number(0), left.number(1)
        (0, 2)
        """
        return option + bisect_right(self.before, option)

    def names(self, named: Sequence[str]) -> tuple[str, ...]:
        """Return names for the options that were kept: their own, or their numbers in the text.

        Without names and without options that were left out, the numbers are known anyway, and the result is empty.
        """
        if not self.before and not any(named):
            return ()
        return tuple([name or str(self.number(option)) for option, name in enumerate(named)])
