"""Suggest names that the user may have meant; also has wording that messages share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

#: Maximum number of names in a suggestion.
MAX_SUGGESTIONS = 3


def distance(left: str, right: str, most: int = 2) -> int:
    """Return the edit distance of two words (insert, delete, replace, swap neighbours), or ``most`` + 1.

    Optimal string alignment distance: Damerau, "A technique for computer detection and correction of
    spelling errors", CACM 7 (1964).

    >>> distance("pice", "piece"), distance("peice", "piece"), distance("box", "grid")
    (1, 1, 3)
    """
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if older and a == right[j - 2] and left[i - 2] == b and j > 1:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return min(row[-1], most + 1)


def near(word: str, candidates: Iterable[str]) -> list[str]:
    """Return the known names that ``word`` may be a misspelling or the beginning of: only the nearest ones.

    Three letters or more that begin a single name mean this name. Otherwise, misspelled names come first.

    >>> near("pentominos", ["hexominoes", "pentominoes", "soma"])
    ['pentominoes']
    >>> near("f", ["F", "I"]), near("A", ["F", "I"])
    (['F'], [])
    >>> near("lat", ["at", "lattice"]), near("tet", ["tetrahexes", "tetrominoes"])
    (['lattice'], ['tetrahexes', 'tetrominoes'])
    """
    if len(word) > 60:
        return []
    names = list(candidates)
    start = word.lower()
    begun = sorted({name for name in names if len(word) > 1 and name.lower().startswith(start)})
    begun = [name for name in begun if not name.lower().startswith(f"{start}[")]  # there the word itself is complete
    if len(word) > 2 and len(begun) == 1:
        return begun
    # Any two single letters are one edit apart, so this distance means nothing.
    most = 0 if len(word) <= 1 else 1 if len(word) <= 4 else 2
    rated = sorted((distance(start, name.lower(), most), name) for name in names)
    nearest = [name for rate, name in rated if rate <= most and rate == rated[0][0]][:MAX_SUGGESTIONS]
    return nearest or (begun if len(begun) <= MAX_SUGGESTIONS else [])


def suggestion(word: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the suggestion of known names near ``word``, or nothing.

    >>> suggestion("sqare", ["square", "cubic"])
    ('did you mean `square`?',)
    """
    names = near(word, candidates)
    if not names:
        return ()
    return (f"did you mean {listed((f'`{name}`' for name in names), 'or')}?",)


class KeyProblems(NamedTuple):
    """Problems with the keys of a group: unknown ones, each with a suggestion, and missing ones."""

    unknown: dict[str, tuple[str, ...]]
    missing: list[str]


def compared_keys(keys: Collection[str], needed: Sequence[str], optional: Sequence[str]) -> KeyProblems:
    """Compare the keys of a group with the known keys.

    A known key is not missing if an unknown key looks like a misspelling of it.

    >>> compared_keys(["nmae", "size"], ["name", "size"], [])
    KeyProblems(unknown={'nmae': ('did you mean `name`?',)}, missing=[])
    """
    allowed = (*needed, *optional)
    unused = [name for name in allowed if name not in keys]
    strange = [name for name in keys if name not in allowed]
    misspelled = {name for word in strange for name in near(word, unused)}
    missing = [name for name in needed if name in unused and name not in misspelled]
    return KeyProblems({word: suggestion(word, unused) for word in strange}, missing)


def none_of(word: str, candidates: Iterable[str]) -> str:
    """Return a message for a word that is not among the known ones, with the word that may be meant.

    >>> none_of("rot", ["none", "rotations"])
    'expected `none` or `rotations`, found `rot`; did you mean `rotations`?'
    >>> none_of("rotation", ["none", "rotations"])
    'expected `none` or `rotations`, found `rotation`; did you mean `rotations`?'
    """
    words = list(candidates)
    ending = "".join(f"; {help}" for help in suggestion(word, words))
    return f"expected {listed((f'`{known_word}`' for known_word in words), 'or')}, found `{word}`{ending}"


def listed(words: Iterable[str], joint: str = "and", most: int | None = None) -> str:
    """Return words as a list in a sentence; if there are many, only the first ``most``, and the number of the others.

    >>> listed(["a"]), listed(["a", "b", "c"], "or"), listed(["a", "b", "c"], most=1)
    ('a', 'a, b or c', 'a and 2 others')
    """
    first = list(words)
    if most is not None and len(first) > most + 1:
        first[most:] = [counted(len(first) - most, "other")]
    last = first.pop() if first else ""
    return f"{', '.join(first)} {joint} {last}" if first else last


def counted(number: int | Fraction, what: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "cell"), counted(0, "cell")
    ('1 cell', '0 cells')
    """
    return f"{number} {what}" + "s" * (not 0 < number <= 1)
