"""New names for pieces, locations, parameters and variables; a name that would change what the text says is refused."""

from __future__ import annotations

import re

import lark

from puzzlec.diagnostics import PuzzleError, Source
from puzzlec.geometry.families import ShapesError, find_family, find_shapes, sized_names
from puzzlec.language.puzzle_text import syntax_tree
from puzzlec.services.lsp.findings import Edit
from puzzlec.services.lsp.syntax import Key, Kind, Name, Syntax, syntax_of

#: What can have a new name.
RENAMED = (Kind.PIECE, Kind.LOCATION, Kind.PARAMETER, Kind.VARIABLE)

_PLAIN = re.compile(r"\w[\w-]*")
_VARIABLE = re.compile(r"[^\W\d]\w*")

#: A family in a size of more shapes is not gone through for a name.
_MOST = 400


class RefusedError(Exception):
    """A new name cannot be given; the message says why."""


def renamed(syntax: Syntax, name: Name, new: str) -> list[Edit]:
    """Return the edits that give a thing another name; raise RefusedError where that would change the meaning."""
    if name.kind not in RENAMED:
        raise RefusedError(f"a {name.kind.value} cannot be renamed")
    try:
        syntax_tree(syntax.source)
    except PuzzleError as error:
        raise RefusedError(f"first mend what cannot be read: {error.diagnostics[0].message}") from None
    every = syntax.of_key(name.key)
    if not any(each.defines for each in every):
        raise RefusedError(f"`{name.word}` is not defined by a statement of its own")
    new = new.strip()
    if len(new) > 1 and new[0] == new[-1] == '"':
        new = new[1:-1]
    if not new or '"' in new or "\n" in new or "\r" in new:
        raise RefusedError("a name is not empty, on one line, and has no quotes in it")
    if name.kind in (Kind.PARAMETER, Kind.VARIABLE) and not _VARIABLE.fullmatch(new):
        raise RefusedError(f"`{new}` is no variable: letters, digits and `_`, no digit first")
    if name.kind is Kind.LOCATION and new.isdecimal():
        raise RefusedError("a location that is a number stands for as many locations where it is alone")
    if name.kind is Kind.PIECE and not name.key[2] and any(new in each for each in _of_libraries(syntax)):
        raise RefusedError(f"there is a piece `{new}` of a library already")
    if name.kind in (Kind.PARAMETER, Kind.VARIABLE) and new in _variables_beside(syntax, name):
        raise RefusedError(f"there is a variable or a parameter `{new}` here already")
    edits = [(each.start, each.end, _written(each, new, syntax)) for each in every]
    _must_mean_the_same(syntax, edits, new)
    return edits


def _variables_beside(syntax: Syntax, name: Name) -> set[str]:
    """Return the variables that cannot have the name of another one: parameters, and those in the same statement."""
    here = syntax.path(name.start)[:1]
    return {
        each.word
        for each in syntax.names
        if each.defines
        and each.key != name.key
        and (
            each.kind is Kind.PARAMETER
            or (each.kind is Kind.VARIABLE and (name.kind is Kind.PARAMETER or syntax.path(each.start)[:1] == here))
        )
    }


def _written(name: Name, new: str, syntax: Syntax) -> str:
    """Return a new name as it is written in place of an old one: in quotes where that is, or where it needs them."""
    old = syntax.source.text[name.start : name.end]
    indices = name.word.partition("[") if name.key[-1] is True and name.word.endswith("]") else ("", "", "")
    quoted = f'"{new}{indices[1]}{indices[2]}"'
    return quoted if old.startswith('"') or not _PLAIN.fullmatch(new) else new


def applied(text: str, edits: list[Edit]) -> str:
    """Return a text with edits made, none of which overlap.

    >>> applied("a b", [(2, 3, "bb"), (0, 1, "aa")])
    'aa bb'
    """
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _must_mean_the_same(syntax: Syntax, edits: list[Edit], new: str) -> None:
    """Raise RefusedError where names that meant different things, or the same, do not so after the edits."""
    text = applied(syntax.source.text, edits)
    source = Source(syntax.source.name, text)
    try:
        syntax_tree(source)
    except PuzzleError:
        raise RefusedError(f"`{new}` is a word of the language where this name stands") from None
    if _pattern(syntax_of(source).names) != _pattern(syntax.names):
        raise RefusedError(f"`{new}` would not be told apart from another name here")


def _pattern(names: list[Name]) -> list[tuple[Kind, bool, int]]:
    """Return what counts of names: their kinds, and which are the same."""
    numbers: dict[Key, int] = {}
    return [(each.kind, each.defines, numbers.setdefault(each.key, len(numbers))) for each in names]


def _of_libraries(syntax: Syntax) -> list[set[str]]:
    """Return the names of the pieces that each `pieces` statement takes, as `only` and `except` say."""
    found = []
    for each in syntax.names:
        path = syntax.path(each.start) if each.kind is Kind.LIBRARY else []
        if path and path[-1].data == "pieces":
            inside = path[-1].meta
            only = any(isinstance(each, lark.Tree) and each.data == "only" for each in path[-1].children)
            listed = {
                other.word
                for other in syntax.names
                if other.kind is Kind.SHAPE and inside.start_pos <= other.start < inside.end_pos
            }
            every = set(members(each.word, each.size))
            found.append(every & listed if only else every - listed)
    return found


def members(name: str, size: int | None = None) -> list[str]:
    """Return the names of the shapes of a library, or of a family in a size; none where they are many, or unknown."""
    family, known = sized_names().get(name, (name, size))
    try:
        if known is not None:
            found = find_family(family)
            counts = found.published[found.freedom].counts
            if not 0 < known <= len(counts) or counts[known - 1] > _MOST:
                return []
        return list(find_shapes(name, size).shapes)
    except (ShapesError, KeyError):
        return []
