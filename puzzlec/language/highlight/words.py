"""The words of the puzzle language by purpose, taken from its grammar."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from lark.lexer import PatternStr

from puzzlec.language.parsing import parser

#: How lark joins the literals of a terminal such as ``"min" | "max"``.
_ALTERNATIVES = re.compile(r"\(\?:([a-z](?:[a-z|]|\\-)*)\)")

#: The words that the pattern of a line end looks for in the next line.
_JOINING = re.compile(r"\(\?:([a-z]+(?:\|[a-z]+)*)\)")


@dataclass(frozen=True)
class Words:
    """All words of the language, each group in the order of the grammar; ``links`` are in no other group."""

    statements: tuple[str, ...]
    modifiers: tuple[str, ...]
    regions: tuple[str, ...]
    operators: tuple[str, ...]
    functions: tuple[str, ...]
    links: tuple[str, ...]


@dataclass(frozen=True)
class Statement:
    """A statement of the language.

    ``word`` begins it, and ``inside`` are other words in it. ``named``: a name follows the first word, even one that
    looks like a keyword. ``signs``: colours follow it. ``drawn``: braces in it have a drawing.
    """

    word: str
    inside: frozenset[str]
    named: bool
    signs: bool
    drawn: bool


@cache
def words() -> Words:
    """Return the words of the language."""
    begins = {sides[0][0] for sides in _heads().values()}
    reckoning = _terminals("expression")
    plain = {terminal.name for terminal in parser("puzzle").terminals if isinstance(terminal.pattern, PatternStr)}
    groups = {
        "statements": begins,
        "modifiers": _terminals("modifiers"),
        "regions": _terminals("region", without=("clause", "expression")) - begins,
        "operators": reckoning & plain,
        "functions": reckoning - plain,
    }
    rest = {terminal.name for terminal in parser("puzzle").terminals}.difference(*groups.values())
    return Words(links=literals(rest), **{group: literals(names) for group, names in groups.items()})


@cache
def statements() -> tuple[Statement, ...]:
    """Return the statements of the language in the order of the grammar."""
    found = {}
    for head, sides in _heads().items():
        (word,) = literals([sides[0][0]])
        reached = _terminals(head, without=("block",)) - {sides[0][0]}
        found[word] = Statement(
            word,
            frozenset(literals(reached)),
            named=any(side[1] == "NAME" for side in sides),
            signs=bool(_lists(sides) & {"SIGN", "COLOUR"}),
            drawn="DRAWING" in reached,
        )
    return tuple(found[word] for word in words().statements)


@cache
def sized() -> tuple[str, ...]:
    """Return the words of regions that precede sizes such as ``6x10``."""
    return literals({side[0] for sides in _rules().values() for side in sides if side[1:] == ["SIZE"]})


@cache
def joining() -> tuple[str, ...]:
    """Return the words that continue the statement of the line before, if a line begins with them."""
    (found,) = _JOINING.findall(pattern("_NL"))
    return tuple(found.split("|"))


def pattern(terminal: str) -> str:
    """Return the regular expression of a terminal of the grammar.

    >>> pattern("NUMBER")
    '[0-9]+'
    """
    return next(str(known.pattern.to_regexp()) for known in parser("puzzle").terminals if known.name == terminal)


@cache
def _rules() -> dict[str, list[list[str]]]:
    """Return the rules of the grammar: for each nonterminal, the names of the symbols of each right side."""
    rules: dict[str, list[list[str]]] = {}
    for rule in parser("puzzle").rules:
        rules.setdefault(str(rule.origin.name), []).append([str(symbol.name) for symbol in rule.expansion])
    return rules


def _heads() -> dict[str, list[list[str]]]:
    """Return the rules of each kind of statement."""
    kinds = [side[0] for origin in ("_statement", "_repeatable") for side in _rules()[origin]]
    return {kind: _rules()[kind] for kind in kinds if kind != "_repeatable"}


def _terminals(start: str, without: Collection[str] = ()) -> set[str]:
    """Return all terminals that a nonterminal can lead to, except through the nonterminals ``without``."""
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name not in seen and name not in without:
            seen.add(name)
            todo.extend(symbol for side in _rules().get(name, ()) for symbol in side)
    return seen - _rules().keys()


def _lists(sides: Iterable[Iterable[str]]) -> set[str]:
    """Return the symbols of right sides, and the lists (``SIGN+``) among them, for which lark makes rules."""
    symbols = {symbol for side in sides for symbol in side}
    return symbols.union(*(side for symbol in symbols if symbol.startswith("__") for side in _rules().get(symbol, ())))


def literals(names: Collection[str]) -> tuple[str, ...]:
    """Return the words of some terminals, in the order of the grammar.

    >>> literals({"FREEDOM", "SIZE"})
    ('one-sided', 'fixed', 'free')
    """
    found: list[str] = []
    for terminal in parser("puzzle").terminals:
        if terminal.name in names and isinstance(terminal.pattern, PatternStr):
            found += [terminal.pattern.value] if terminal.pattern.value.isalpha() else []
        elif terminal.name in names and (match := _ALTERNATIVES.match(terminal.pattern.value)):
            found += match.group(1).replace("\\", "").split("|")
    return tuple(found)
