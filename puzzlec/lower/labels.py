"""Labels for the items and options of an exact cover, for formats of other programs.

A label gives the meaning of an item or option: a piece, a location, or a piece with the locations that it covers.
Labels of items are all different. Options differ only by number: a format that needs unique names puts it first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from puzzlec.engine.problem import ExactCover
from puzzlec.lower.covering import RULE, Encoding


@dataclass(frozen=True)
class Labelled:
    """An exact cover with a title and labels of its items and options; ``encoding`` is None if it was the input.

    Options are numbered from 0 here; as a variable of another program, option ``o`` has the number ``o + 1``.
    """

    cover: ExactCover
    title: str = ""
    encoding: Encoding | None = None

    @classmethod
    def of(cls, encoding: Encoding) -> Labelled:
        """Return the exact cover of an encoding with its labels.

        An exact cover that was the input keeps its own names, in the order of its text.
        """
        cover = encoding.cover
        return cls(cover, cover.title) if encoding.raised else cls(cover, encoding.fitting.title, encoding)

    @cached_property
    def items(self) -> Sequence[str]:
        """Label of each item: its name without control characters, made different from all others.

        If a piece has the name of another item, ``piece-`` precedes the names of all pieces.
        """
        cover = self.cover
        plain = [_line(cover.item_name(item)) or "_" for item in range(cover.primary + cover.secondary)]
        if self.encoding is None:
            return list(different(plain))
        pieces = {item for item in self.encoding.item_of_piece if item >= 0}
        others = {name for item, name in enumerate(plain) if item not in pieces}
        # All pieces or none, so that the labels of pieces are easy to recognise.
        clash = any(plain[item] in others for item in pieces)
        return list(different(f"piece-{name}" if clash and item in pieces else name for item, name in enumerate(plain)))

    @cached_property
    def option(self) -> Callable[[int], str]:
        """Function that returns the label of an option: its name, or the piece and the locations that it covers.

        Labels of options may be equal. The label of an optional location that stays empty is ``empty`` and its name.
        """
        cover, encoding = self.cover, self.encoding
        if cover.option_names:
            names = cover.option_names
            return lambda option: _line(names[option]).strip() or str(option)
        if encoding is None:
            items = self.items
            return lambda option: " ".join(
                items[item] + (f":{_line(cover.colour_name(colour))}" if colour else "")
                for item, colour in cover.entries(option)
            )
        fitting = encoding.fitting
        places = [_line(fitting.location_name(location)) for location in range(fitting.locations)]
        pieces = [_line(fitting.piece_name(piece)) for piece in range(len(fitting.pieces))]

        def label(option: int) -> str:
            piece, index = encoding.piece[option], encoding.index[option]
            if piece == RULE and encoding.rules is not None:
                from puzzlec.lower.region_rules import option_text

                return option_text(encoding.rules, encoding.rules.options[index])
            if piece < 0:
                return f"empty {places[index]}"
            fitted = fitting.pieces[piece]
            colours = fitted.shown_words(index)
            return " ".join([pieces[piece], *[places[location] for location in fitted.placements.row(index)], *colours])

        return label

    def labels(self) -> Iterator[str]:
        """Yield the labels of all options in their order."""
        return map(self.option, range(len(self.cover)))


def words(labels: Iterable[str], strange: str = r"\s", instead: str = "_") -> Iterator[str]:
    r"""Yield labels as words: matches of the regular expression ``strange`` are replaced, and all stay different.

    >>> list(words(["big L", "big_L", "0,0"], r"[^\w,]"))
    ['big_L', "big_L'", '0,0']
    """
    pattern = re.compile(strange)
    return different(pattern.sub(instead, label) or instead for label in labels)


def different(names: Iterable[str], sign: str = "'") -> Iterator[str]:
    """Yield names, with marks after each name that occurred before.

    >>> list(different(["a", "a", "b", "a"]))
    ['a', "a'", 'b', "a''"]
    """
    seen: set[str] = set()
    for name in names:
        while name in seen:
            name += sign
        seen.add(name)
        yield name


def _line(name: str) -> str:
    """Return a name in one line, without characters that control a terminal or a parser."""
    return re.sub(r"[\x00-\x1f\x7f\u2028\u2029\x85\ufeff]+", " ", name)
