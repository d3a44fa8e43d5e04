r"""The puzzle language for highlighters: nested contexts, each with a few regular expressions.

Both highlighters are made from this description, so they agree. It is more tolerant than the grammar: unfinished text
also has colours. All patterns work in Python's ``re`` and in Oniguruma, none matches across lines, and ``$`` is the
end of a line. The grammar gives the words of the language by purpose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from lark.lexer import PatternStr

from puzzlec.language.parsing import parser

#: How lark joins the literals of a terminal such as ``"min" | "max"``.
_ALTERNATIVES = re.compile(r"\(\?:([a-z](?:[a-z|]|\\-|\[ \\t\]\+)*)\)")

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
def words() -> Words:
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
    known = {group: literals(names) for group, names in groups.items()}
    # `region` begins a statement, and is also a part of the board after `rule each`.
    links = tuple(word for word in literals(rest) if word not in known["statements"])
    return Words(links=links, **known)


@cache
def statements() -> tuple[Statement, ...]:
    """Return the statements of the language in the order of the grammar."""
    found = {}
    for head, sides in _heads().items():
        first = sides[0][0]
        (word,) = literals([first])
        others = _terminals(head, without=("block",))
        reached = others if any(first in side[1:] for side in sides) else others - {first}
        found[word] = Statement(
            word,
            frozenset(literals(reached)),
            named=any(side[1:2] == ["NAME"] for side in sides),
            next=literals(_firsts(side[1] for side in sides if side[1:])),
            signs=bool(_lists(sides) & {"SIGN", "COLOUR", "VALUE"}),
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
    found: list[str] = []
    for terminal in parser("puzzle").terminals:
        if terminal.name in names and isinstance(terminal.pattern, PatternStr):
            found += [terminal.pattern.value] if terminal.pattern.value.isalpha() else []
        elif terminal.name in names and (match := _ALTERNATIVES.match(terminal.pattern.value)):
            found += match.group(1).replace(r"[ \t]+", " ").replace("\\", "").split("|")
    return tuple(found)


class Look(NamedTuple):
    """Names of a role: its token type in Pygments, and its scope in TextMate grammars."""

    token: str
    scope: str


#: Roles of text. The words of statements are keywords only in some positions.
ROLES = {
    "statement": Look("Keyword.Declaration", "keyword.control.statement"),
    "word": Look("Keyword", "keyword.other"),
    "region": Look("Keyword.Type", "storage.type.region"),
    "modifier": Look("Keyword.Pseudo", "storage.modifier"),
    "reckoning": Look("Operator.Word", "keyword.operator.word"),
    "function": Look("Name.Builtin", "support.function"),
    "title": Look("Literal.String.Double", "string.quoted.double"),
    "named": Look("Name.Class", "entity.name.type"),
    "name": Look("Name", "variable.other"),
    "colour": Look("Name.Constant", "constant.character.colour"),
    "number": Look("Literal.Number.Integer", "constant.numeric"),
    "operator": Look("Operator", "keyword.operator"),
    "punctuation": Look("Punctuation", "punctuation"),
    "value": Look("Literal.String.Interpol", "punctuation.section.embedded"),
    "drawing": Look("Literal.String.Drawing", "punctuation.section.drawing"),
    "cell": Look("Literal.String.Drawing.Cell", "constant.character.cell"),
    "blank": Look("Literal.String.Drawing.Blank", "comment.block.no-cell"),
    "comment": Look("Comment.Single", "comment.line.number-sign"),
    "": Look("Text.Whitespace", ""),
}


@dataclass(frozen=True)
class Rule:
    """A pattern, the roles of its groups (which cover the whole match), and the context that it opens, if any."""

    pattern: str
    roles: tuple[str, ...]
    opens: str = ""

    def __post_init__(self) -> None:
        if re.compile(self.pattern).groups != len(self.roles):
            raise ValueError(f"{self.pattern} needs one group for each role")


@dataclass(frozen=True)
class Context:
    """Rules that apply until ``end``, which is tried before them; ``role`` is the role of its group, if it has one.

    If several patterns match at the same position, the first one counts. The name of a context instead of a rule
    includes all its rules.
    """

    rules: tuple[Rule | str, ...]
    end: str = ""
    role: str = ""


#: A statement ends before a line that does not continue it, or where its block ends. Comments and empty lines may be
#: between its lines.
_LINE = rf"^(?![ \t]*(?:$|[#{{]|(?:{'|'.join(joining())})\b))"
_END = rf"{_LINE}|(?=\}})"

#: After an integer a brace is not a value, but begins a drawing: ``x3{ xx }``.
_FULL = r"(?<=[0-9*}])(?=\{)"

_COMMENT = Rule("(#.*)", ("comment",))
_BREAK = Rule(r"(\.\.|[,.=])", ("punctuation",))
_VALUE = Rule(r"(\{)", ("value",), "value")
_DRAWING = Rule(r"(\{)", ("drawing",), "drawing")
_SUBSCRIPT = Rule(r"(\[)", ("punctuation",), "subscript")
_BRACKETS = Rule(r"(\()", ("punctuation",), "brackets")


def contexts() -> dict[str, Context]:
    """Return all contexts by name; a text begins in ``root``."""
    found = {"root": Context((_COMMENT, *_beginnings(), Rule(r"([{}])", ("punctuation",))))}
    found |= _parts()
    found |= _placements()
    for statement in statements():
        found |= _statement(statement)
    return found


def _beginnings() -> Iterator[Rule]:
    """Yield the rules for the first words of statements, each with the name after it if one must follow."""
    for statement in statements():
        if statement.named:
            word = rf"(?!(?:{'|'.join(statement.next)})(?![\w-]))" if statement.next else ""
            name = rf"({word}{pattern('NAME')}|{pattern('STRING')})"
            yield Rule(rf"{_whole(statement.word)}([ \t]+){name}", ("statement", "", "named"), statement.word)
        yield Rule(_whole(statement.word), ("statement",), statement.word)


def _parts() -> dict[str, Context]:
    """Return the contexts that statements share: brackets, sizes and numbers."""
    number = Rule("([0-9]+)", ("number",))
    clause = next(statement.inside for statement in statements() if statement.word == "for")
    return {
        "reckoning": Context((_COMMENT, *_reckoning())),
        "clause": Context((*_words({*clause, "for"}), "reckoning")),
        "names": Context(tuple(_names())),
        "value": Context(("reckoning",), r"(\})|$", "value"),
        "subscript": Context(("reckoning",), r"(\])", "punctuation"),
        "brackets": Context(("reckoning",), r"(\))", "punctuation"),
        "drawing": Context(
            (
                _COMMENT,
                _VALUE,
                Rule(r"(\.+)", ("blank",)),
                Rule("(/)", ("drawing",)),
                Rule(r"([^\s#{}./]+)", ("cell",)),
            ),
            r"(\})",
            "drawing",
        ),
        "size": Context((number, Rule("(x)", ("operator",)), _VALUE), rf"(?![0-9x{{])|{_FULL}"),
        "copies": Context(
            (
                number,
                Rule(r"(\*)", ("modifier",)),
                Rule(rf"(\.\.)({pattern('VARIABLE')})", ("punctuation", "name")),
                Rule(r"(\.\.)", ("punctuation",)),
                _VALUE,
            ),
            rf"(?![0-9.*{{])|{_FULL}",
        ),
        "sides": Context(_signs(()), rf"{_END}|(?<!\S)(?=at(?!\S))"),
    }


def _placements() -> dict[str, Context]:
    """Return the contexts for the text after `covers`: sets, and clauses that repeat them."""
    sets = (_COMMENT, Rule(r"(\{)", ("punctuation",), "set"))
    inside: tuple[Rule | str, ...] = (
        *_texts(),
        Rule(_whole("for"), ("word",), "set-clause"),
        _SUBSCRIPT,
        _BRACKETS,
        "names",
    )
    return {
        "covers": Context(
            (*sets, Rule(r"(\()", ("punctuation",), "sets"), Rule(_whole("for"), ("word",), "covers-clause")), _END
        ),
        "covers-clause": Context(("clause",), rf"{_LINE}|(?=[{{}}])"),
        "sets": Context((*sets, Rule(_whole("for"), ("word",), "sets-clause")), r"(\))", "punctuation"),
        "sets-clause": Context(("clause",), r"(?=[){])"),
        "set": Context(inside, r"(\})", "punctuation"),
        "set-clause": Context(("clause", _SUBSCRIPT), r"(?=\})"),
    }


def _statement(statement: Statement) -> dict[str, Context]:
    """Return the contexts of one kind of statement, after its first word."""
    word, inside = statement.word, statement.inside
    if statement.signs:
        return {word: Context(_signs(inside), _END)}
    if word == "for":
        traced = Rule(rf"{_whole(pattern('IN'))}(\s*)(\{{)", ("word", "", "drawing"), "drawing")
        # It may continue over lines, up to its brace; a line that begins with a statement ends it.
        others = "|".join(statement.word for statement in statements())
        return {word: Context((traced, "clause"), rf"(\{{)|^(?=[ \t]*(?:{others})(?![\w-]))", "punctuation")}
    braces = _DRAWING if statement.drawn else _VALUE
    opening = Rule(r"(\()", ("punctuation",), f"{word}-brackets")
    plain = (braces, opening, _SUBSCRIPT)
    special = (*_texts(), *_special(inside))
    clause: list[Rule] = [Rule(_whole("for"), ("word",), f"{word}-clause")] if "for" in inside else []
    last = "names" if statement.named or inside.intersection(words().regions) else "reckoning"
    inner: tuple[Rule | str, ...] = (*special, *_words(inside), *plain, "reckoning")
    outer: tuple[Rule | str, ...] = (*special, *clause, *_words(inside), *plain, last)
    return {
        word: Context(outer, _END),
        f"{word}-brackets": Context(inner, r"(\))", "punctuation"),
        **({f"{word}-clause": Context(inner, _END)} if clause else {}),
    }


def _special(inside: Collection[str]) -> Iterator[Rule]:
    """Yield the rules for words that begin a separate context."""
    if chosen := [word for word in sized() if word in inside]:
        yield Rule(rf"{_whole('|'.join(chosen))}([ \t]+)(?=[0-9{{])", ("region", ""), "size")
    if "sides" in inside:
        yield Rule(_whole("sides"), ("word",), "sides")
    if "covers" in inside:
        yield Rule(_whole("covers"), ("word",), "covers")
    if set(words().modifiers) & set(inside):
        yield Rule(r"(?<!\w)(x)(?=[0-9*{]|\.\.)", ("modifier",), "copies")


def _words(inside: Collection[str]) -> Iterator[Rule]:
    """Yield the rules for the words of a statement, one for each group except functions."""
    known = words()
    groups = {
        "modifier": known.modifiers,
        "region": known.regions,
        "reckoning": known.operators,
        "word": (*known.links, *known.statements),
    }
    for role, group in groups.items():
        if chosen := [word for word in group if word in inside]:
            yield Rule(_whole("|".join(chosen)), (role,))


def _signs(inside: Collection[str]) -> tuple[Rule, ...]:
    """Return the rules for a list of colours."""
    return (_COMMENT, *_words(inside), _VALUE, Rule(r"(,)", ("punctuation",)), Rule(r"([^\s#{},]+)", ("colour",)))


def _texts() -> tuple[Rule, ...]:
    return _COMMENT, Rule(f"({pattern('STRING')})", ("title",))


def _names() -> Iterator[Rule]:
    """Yield the rules for names and numbers, and for the signs between them."""
    yield Rule(r"([0-9]+)(?![\w-])", ("number",))
    yield Rule(f"({pattern('NAME')})", ("name",))
    yield Rule("(//|[-+&*%]|[<>]=?)", ("operator",))
    yield _BREAK


def _reckoning() -> tuple[Rule, ...]:
    """Return the rules for expressions. A name with hyphens becomes several names."""
    signs = "|".join(pattern(terminal) for terminal in ("COMPARISON", "UNEQUAL", "TIMES", "PLUS", "MINUS", "AND"))
    return (
        Rule(f"({pattern('FUNCTION')})", ("function",)),
        *_words(words().operators),
        _BRACKETS,
        Rule(r"([0-9]+)(?!\w)", ("number",)),
        Rule(rf"({pattern('VARIABLE')}|\w+)", ("name",)),
        Rule(f"({signs})", ("operator",)),
        _BREAK,
    )


def _whole(alternatives: str) -> str:
    """Return the pattern of complete words, as a group. A word before an index is a name.

    >>> bool(re.search(_whole("in"), "x in y")), bool(re.search(_whole("in"), "one-in-three or in[1]"))
    (True, False)
    """
    return rf"(?<!\w)({alternatives})(?![\w\-\[])"
