"""The words of the puzzle language by purpose, and the patterns of its terminals, as the grammar gives them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from lark.lexer import PatternStr

from puzzlec.language.parsing import parser

#: How lark joins the literals of a terminal such as ``"min" | "max"``.
_ALTERNATIVES = re.compile(r"\(\?:([a-z](?:[a-z|]|\\-|\[ \\t\]\+)*)\)")

#: The words that the pattern of a line end looks for in the next line.
_JOINING = re.compile(r"\(\?:([a-z]+(?:\|[a-z]+)*)\)")


@dataclass(frozen=True)
class LanguageWords:
    """All words of the language, each group in the order of the grammar; ``links`` are in no other group."""

    statements: tuple[str, ...]
    modifiers: tuple[str, ...]
    regions: tuple[str, ...]
    operators: tuple[str, ...]
    functions: tuple[str, ...]
    links: tuple[str, ...]


@dataclass(frozen=True)
class StatementWords:
    """A statement of the language.

    ``word`` begins it, and ``inside`` are other words in it. ``named``: a name follows the first word, even one that
    looks like a keyword, unless it is one of ``next``. ``signs``: colours follow it. ``drawn``: braces in it have a
    drawing.
    """

    word: str
    inside: frozenset[str]
    named: bool
    next: tuple[str, ...]
    signs: bool
    drawn: bool


@cache
def words() -> LanguageWords:
    """Return the words of the language."""
    begins = {sides[0][0] for sides in _heads().values()}
    reckoning = _terminals("expression")
    plain = {terminal.name for terminal in parser("puzzle").terminals if isinstance(terminal.pattern, PatternStr)}
    groups = {
        "statements": begins,
        "modifiers": _terminals("modifiers"),
        "regions": _terminals("region", without=("clause", "expression", "_sum")) - begins,
        "operators": reckoning & plain,
        "functions": reckoning - plain,
    }
    rest = {terminal.name for terminal in parser("puzzle").terminals}.difference(*groups.values())
    by_group = {group: literals(names) for group, names in groups.items()}
    # `region` begins a statement, and is also a part of the board after `rule each`.
    links = tuple(word for word in literals(rest) if word not in by_group["statements"])
    return LanguageWords(links=links, **by_group)


@cache
def statements() -> tuple[StatementWords, ...]:
    """Return the statements of the language in the order of the grammar."""
    by_word = {}
    for head, sides in _heads().items():
        first = sides[0][0]
        (word,) = literals([first])
        others = _terminals(head, without=("block",))
        reached = others if any(first in side[1:] for side in sides) else others - {first}
        by_word[word] = StatementWords(
            word,
            frozenset(literals(reached)),
            named=any(side[1:2] == ["NAME"] for side in sides),
            next=literals(_firsts(side[1] for side in sides if side[1:])),
            signs=bool(_lists(sides) & {"SIGN", "COLOUR", "VALUE"}),
            drawn="DRAWING" in reached,
        )
    return tuple(by_word[word] for word in words().statements)


@cache
def sized() -> tuple[str, ...]:
    """Return the words of regions that precede sizes such as ``6x10``."""
    return literals({side[0] for sides in _rules().values() for side in sides if side[1:] == ["SIZE"]})


@cache
def joining() -> tuple[str, ...]:
    """Return the words that continue the statement of the line before, if a line begins with them."""
    (alternatives,) = _JOINING.findall(pattern("_NL"))
    return tuple(alternatives.split("|"))


def pattern(terminal: str) -> str:
    """Return the regular expression of a terminal of the grammar.

    >>> pattern("NUMBER")
    '[0-9]+'
    """
    return next(
        str(definition.pattern.to_regexp()) for definition in parser("puzzle").terminals if definition.name == terminal
    )


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


def _firsts(symbols: Iterable[str]) -> set[str]:
    """Return the terminals that some symbols can begin with."""
    seen, todo = set(), list(symbols)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(side[0] for side in _rules().get(name, ()) if side)
    return seen - _rules().keys()


def _lists(sides: Iterable[Iterable[str]]) -> set[str]:
    """Return the symbols of right sides, and those of lists among them (``_signs``, and rules that lark makes)."""
    symbols = {symbol for side in sides for symbol in side}
    return symbols.union(*(side for symbol in symbols if symbol.startswith("_") for side in _rules().get(symbol, ())))


def literals(names: Collection[str]) -> tuple[str, ...]:
    """Return the words of some terminals, in the order of the grammar.

    >>> literals({"FREEDOM", "SIZE"})
    ('one-sided', 'fixed', 'free')
    """
    texts: list[str] = []
    for terminal in parser("puzzle").terminals:
        if terminal.name in names and isinstance(terminal.pattern, PatternStr):
            texts += [terminal.pattern.value] if terminal.pattern.value.isalpha() else []
        elif terminal.name in names and (match := _ALTERNATIVES.match(terminal.pattern.value)):
            texts += match.group(1).replace(r"[ \t]+", " ").replace("\\", "").split("|")
    return tuple(texts)
