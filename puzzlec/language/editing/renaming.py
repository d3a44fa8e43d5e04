"""Rename pieces, locations, regions, parameters and variables; refuse names that would change the meaning."""

from __future__ import annotations

import re

import lark

from puzzlec.diagnostics import PuzzleError, Source
from puzzlec.geometry.families import ShapesError, find_family, find_shapes, sized_names
from puzzlec.language.editing.syntax import Key, Name, NameKind, Syntax, syntax_of
from puzzlec.language.fixing import TextEdit, applied
from puzzlec.language.puzzle_text import syntax_tree

#: Kinds of things that can be renamed.
RENAMABLE_KINDS = (NameKind.PIECE, NameKind.LOCATION, NameKind.REGION, NameKind.PARAMETER, NameKind.VARIABLE)

_PLAIN = re.compile(r"\w[\w-]*")
_VARIABLE = re.compile(r"[^\W\d]\w*")

#: Maximum number of shapes of a family that are searched for a name.
_MAX_SHAPES_OF_FAMILY = 400


class RefusedNameError(Exception):
    """A new name is refused; the message gives the reason."""


def renamed(syntax: Syntax, name: Name, new: str) -> list[TextEdit]:
    """Return the edits that rename a thing; raise RefusedNameError if that would change the meaning."""
    if name.kind not in RENAMABLE_KINDS:
        raise RefusedNameError(f"a {name.kind.value} cannot be renamed")
    try:
        syntax_tree(syntax.source)
    except PuzzleError as error:
        raise RefusedNameError(f"fix the text first: {error.diagnostics[0].message}") from None
    every = syntax.of_key(name.key)
    if not any(place.defines for place in every):
        raise RefusedNameError(f"`{name.word}` has no statement that defines it")
    if name.kind is NameKind.REGION and any(syntax.path(place.start)[-1].data == "regions" for place in every):
        raise RefusedNameError("the letter of a region is also in drawings: change it there by hand")
    new = new.strip()
    if len(new) > 1 and new[0] == new[-1] == '"':
        new = new[1:-1]
    if not new or '"' in new or "\n" in new or "\r" in new:
        raise RefusedNameError("a name has at least one character, no line break and no quotes")
    if name.kind in (NameKind.PARAMETER, NameKind.VARIABLE) and not _VARIABLE.fullmatch(new):
        raise RefusedNameError(f"`{new}` is not a variable name: use letters, digits and `_`, and no digit first")
    if name.kind is NameKind.LOCATION and new.isdecimal():
        raise RefusedNameError("a location cannot be a number: alone, it would mean that many locations")
    if name.kind is NameKind.PIECE and not name.key[2] and any(new in library for library in _of_libraries(syntax)):
        raise RefusedNameError(f"a library already has a piece `{new}`")
    if len(new) > 1 and any(place.drawn for place in every):
        raise RefusedNameError(f"the name is also a character of a drawing, but `{new}` has several characters")
    if name.kind in (NameKind.PARAMETER, NameKind.VARIABLE) and new in _variables_beside(syntax, name):
        raise RefusedNameError(f"a variable or a parameter `{new}` already exists here")
    edits = [TextEdit(place.start, place.end, _written(place, new, syntax)) for place in every]
    _must_mean_the_same(syntax, edits, new)
    return edits


def _variables_beside(syntax: Syntax, name: Name) -> set[str]:
    """Return the variables whose names must differ: parameters, and variables in the same statement."""
    here = syntax.path(name.start)[:1]
    return {
        variable.word
        for variable in syntax.names
        if variable.defines
        and variable.key != name.key
        and (
            variable.kind is NameKind.PARAMETER
            or (
                variable.kind is NameKind.VARIABLE
                and (name.kind is NameKind.PARAMETER or syntax.path(variable.start)[:1] == here)
            )
        )
    }


def _written(name: Name, new: str, syntax: Syntax) -> str:
    """Return a new name as it is written: in quotes if the old name has quotes or the new one needs them."""
    if name.drawn:
        return new
    old = syntax.source.text[name.start : name.end]
    indices = name.word.partition("[") if name.key[-1] is True and name.word.endswith("]") else ("", "", "")
    quoted = f'"{new}{indices[1]}{indices[2]}"'
    return quoted if old.startswith('"') or not _PLAIN.fullmatch(new) else new


def _must_mean_the_same(syntax: Syntax, edits: list[TextEdit], new: str) -> None:
    """Raise RefusedNameError if the edits join two things into one, or split one thing into two."""
    text = applied(syntax.source.text, edits)
    source = Source(syntax.source.name, text)
    try:
        syntax_tree(source)
    except PuzzleError:
        raise RefusedNameError(f"`{new}` is a word of the language at this place") from None
    if _pattern(syntax_of(source).names) != _pattern(syntax.names):
        raise RefusedNameError(f"`{new}` would be mistaken for another name here")


def _pattern(names: list[Name]) -> list[tuple[NameKind, bool, int]]:
    """Return the properties of names that must not change: their kinds, and which of them are equal."""
    numbers: dict[Key, int] = {}
    return [(name.kind, name.defines, numbers.setdefault(name.key, len(numbers))) for name in names]


def _of_libraries(syntax: Syntax) -> list[set[str]]:
    """Return the names of the pieces that each `pieces` statement takes, after `only` and `except`."""
    by_statement = []
    for name in syntax.names:
        path = syntax.path(name.start) if name.kind is NameKind.LIBRARY else []
        if path and path[-1].data == "pieces":
            inside = path[-1].meta
            only = any(isinstance(child, lark.Tree) and child.data == "only" for child in path[-1].children)
            listed = {
                other.word
                for other in syntax.names
                if other.kind is NameKind.SHAPE and inside.start_pos <= other.start < inside.end_pos
            }
            every = set(members(name.word, name.size))
            by_statement.append(every & listed if only else every - listed)
    return by_statement


def members(name: str, size: int | None = None) -> list[str]:
    """Return the names of the shapes of a library, or of a family in a size; none if many or unknown."""
    family, cells = sized_names().get(name, (name, size))
    try:
        if cells is not None:
            family_data = find_family(family)
            counts = family_data.published[family_data.freedom].counts
            if not 0 < cells <= len(counts) or counts[cells - 1] > _MAX_SHAPES_OF_FAMILY:
                return []
        return list(find_shapes(name, size).shapes)
    except (ShapesError, KeyError):
        return []
