r"""The puzzle language for highlighters: nested contexts, each with a few regular expressions.

Both highlighters are made from this description, so they agree. It is more tolerant than the grammar: unfinished text
also has colours. All patterns work in Python's ``re`` and in Oniguruma, none matches across lines, and ``$`` is the
end of a line. The grammar gives the words of the language by purpose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from puzzlec.language.grammar_words import StatementWords, joining, pattern, sized, statements, words


class RoleNames(NamedTuple):
    """Names of a role: its token type in Pygments, and its scope in TextMate grammars."""

    token: str
    scope: str


#: Roles of text. The words of statements are keywords only in some positions.
ROLES = {
    "statement": RoleNames("Keyword.Declaration", "keyword.control.statement"),
    "word": RoleNames("Keyword", "keyword.other"),
    "region": RoleNames("Keyword.Type", "storage.type.region"),
    "modifier": RoleNames("Keyword.Pseudo", "storage.modifier"),
    "reckoning": RoleNames("Operator.Word", "keyword.operator.word"),
    "function": RoleNames("Name.Builtin", "support.function"),
    "title": RoleNames("Literal.String.Double", "string.quoted.double"),
    "named": RoleNames("Name.Class", "entity.name.type"),
    "name": RoleNames("Name", "variable.other"),
    "colour": RoleNames("Name.Constant", "constant.character.colour"),
    "number": RoleNames("Literal.Number.Integer", "constant.numeric"),
    "operator": RoleNames("Operator", "keyword.operator"),
    "punctuation": RoleNames("Punctuation", "punctuation"),
    "value": RoleNames("Literal.String.Interpol", "punctuation.section.embedded"),
    "drawing": RoleNames("Literal.String.Drawing", "punctuation.section.drawing"),
    "cell": RoleNames("Literal.String.Drawing.Cell", "constant.character.cell"),
    "blank": RoleNames("Literal.String.Drawing.Blank", "comment.block.no-cell"),
    "comment": RoleNames("Comment.Single", "comment.line.number-sign"),
    "": RoleNames("Text.Whitespace", ""),
}


@dataclass(frozen=True)
class HighlightRule:
    """A pattern, the roles of its groups (which cover the whole match), and the context that it opens, if any."""

    pattern: str
    roles: tuple[str, ...]
    opens: str = ""

    def __post_init__(self) -> None:
        if re.compile(self.pattern).groups != len(self.roles):
            raise ValueError(f"{self.pattern} needs one group for each role")


@dataclass(frozen=True)
class HighlightContext:
    """Rules that apply until ``end``, which is tried before them; ``role`` is the role of its group, if it has one.

    If several patterns match at the same position, the first one counts. The name of a context instead of a rule
    includes all its rules.
    """

    rules: tuple[HighlightRule | str, ...]
    end: str = ""
    role: str = ""


#: A statement ends before a line that does not continue it, or where its block ends. Comments and empty lines may be
#: between its lines.
_LINE = rf"^(?![ \t]*(?:$|[#{{]|(?:{'|'.join(joining())})\b))"
_END = rf"{_LINE}|(?=\}})"

#: After an integer a brace is not a value, but begins a drawing: ``x3{ xx }``.
_FULL = r"(?<=[0-9*}])(?=\{)"

_COMMENT = HighlightRule("(#.*)", ("comment",))
_BREAK = HighlightRule(r"(\.\.|[,.=])", ("punctuation",))
_VALUE = HighlightRule(r"(\{)", ("value",), "value")
_DRAWING = HighlightRule(r"(\{)", ("drawing",), "drawing")
_SUBSCRIPT = HighlightRule(r"(\[)", ("punctuation",), "subscript")
_BRACKETS = HighlightRule(r"(\()", ("punctuation",), "brackets")


def contexts() -> dict[str, HighlightContext]:
    """Return all contexts by name; a text begins in ``root``."""
    by_name = {"root": HighlightContext((_COMMENT, *_beginnings(), HighlightRule(r"([{}])", ("punctuation",))))}
    by_name |= _parts()
    by_name |= _placements()
    for statement in statements():
        by_name |= _statement(statement)
    return by_name


def _beginnings() -> Iterator[HighlightRule]:
    """Yield the rules for the first words of statements, each with the name after it if one must follow."""
    for statement in statements():
        if statement.named:
            word = rf"(?!(?:{'|'.join(statement.next)})(?![\w-]))" if statement.next else ""
            name = rf"({word}{pattern('NAME')}|{pattern('STRING')})"
            yield HighlightRule(rf"{_whole(statement.word)}([ \t]+){name}", ("statement", "", "named"), statement.word)
        yield HighlightRule(_whole(statement.word), ("statement",), statement.word)


def _parts() -> dict[str, HighlightContext]:
    """Return the contexts that statements share: brackets, sizes and numbers."""
    number = HighlightRule("([0-9]+)", ("number",))
    clause = next(statement.inside for statement in statements() if statement.word == "for")
    return {
        "reckoning": HighlightContext((_COMMENT, *_reckoning())),
        "clause": HighlightContext((*_words({*clause, "for"}), "reckoning")),
        "names": HighlightContext(tuple(_names())),
        "value": HighlightContext(("reckoning",), r"(\})|$", "value"),
        "subscript": HighlightContext(("reckoning",), r"(\])", "punctuation"),
        "brackets": HighlightContext(("reckoning",), r"(\))", "punctuation"),
        "drawing": HighlightContext(
            (
                _COMMENT,
                _VALUE,
                HighlightRule(r"(\.+)", ("blank",)),
                HighlightRule("(/)", ("drawing",)),
                HighlightRule(r"([^\s#{}./]+)", ("cell",)),
            ),
            r"(\})",
            "drawing",
        ),
        "size": HighlightContext((number, HighlightRule("(x)", ("operator",)), _VALUE), rf"(?![0-9x{{])|{_FULL}"),
        "copies": HighlightContext(
            (
                number,
                HighlightRule(r"(\*)", ("modifier",)),
                HighlightRule(rf"(\.\.)({pattern('VARIABLE')})", ("punctuation", "name")),
                HighlightRule(r"(\.\.)", ("punctuation",)),
                _VALUE,
            ),
            rf"(?![0-9.*{{])|{_FULL}",
        ),
        "sides": HighlightContext(_signs(()), rf"{_END}|(?<!\S)(?=at(?!\S))"),
    }


def _placements() -> dict[str, HighlightContext]:
    """Return the contexts for the text after `covers`: sets, and clauses that repeat them."""
    sets = (_COMMENT, HighlightRule(r"(\{)", ("punctuation",), "set"))
    inside: tuple[HighlightRule | str, ...] = (
        *_texts(),
        HighlightRule(_whole("for"), ("word",), "set-clause"),
        _SUBSCRIPT,
        _BRACKETS,
        "names",
    )
    return {
        "covers": HighlightContext(
            (
                *sets,
                HighlightRule(r"(\()", ("punctuation",), "sets"),
                HighlightRule(_whole("for"), ("word",), "covers-clause"),
            ),
            _END,
        ),
        "covers-clause": HighlightContext(("clause",), rf"{_LINE}|(?=[{{}}])"),
        "sets": HighlightContext(
            (*sets, HighlightRule(_whole("for"), ("word",), "sets-clause")), r"(\))", "punctuation"
        ),
        "sets-clause": HighlightContext(("clause",), r"(?=[){])"),
        "set": HighlightContext(inside, r"(\})", "punctuation"),
        "set-clause": HighlightContext(("clause", _SUBSCRIPT), r"(?=\})"),
    }


def _statement(statement: StatementWords) -> dict[str, HighlightContext]:
    """Return the contexts of one kind of statement, after its first word."""
    word, inside = statement.word, statement.inside
    if statement.signs:
        return {word: HighlightContext(_signs(inside), _END)}
    if word == "for":
        traced = HighlightRule(rf"{_whole(pattern('IN'))}(\s*)(\{{)", ("word", "", "drawing"), "drawing")
        # It may continue over lines, up to its brace; a line that begins with a statement ends it.
        others = "|".join(statement.word for statement in statements())
        return {word: HighlightContext((traced, "clause"), rf"(\{{)|^(?=[ \t]*(?:{others})(?![\w-]))", "punctuation")}
    braces = _DRAWING if statement.drawn else _VALUE
    opening = HighlightRule(r"(\()", ("punctuation",), f"{word}-brackets")
    plain = (braces, opening, _SUBSCRIPT)
    special = (*_texts(), *_special(inside))
    clause: list[HighlightRule] = [HighlightRule(_whole("for"), ("word",), f"{word}-clause")] if "for" in inside else []
    last = "names" if statement.named or inside.intersection(words().regions) else "reckoning"
    inner: tuple[HighlightRule | str, ...] = (*special, *_words(inside), *plain, "reckoning")
    outer: tuple[HighlightRule | str, ...] = (*special, *clause, *_words(inside), *plain, last)
    return {
        word: HighlightContext(outer, _END),
        f"{word}-brackets": HighlightContext(inner, r"(\))", "punctuation"),
        **({f"{word}-clause": HighlightContext(inner, _END)} if clause else {}),
    }


def _special(inside: Collection[str]) -> Iterator[HighlightRule]:
    """Yield the rules for words that begin a separate context."""
    if regions := [word for word in sized() if word in inside]:
        yield HighlightRule(rf"{_whole('|'.join(regions))}([ \t]+)(?=[0-9{{])", ("region", ""), "size")
    if "sides" in inside:
        yield HighlightRule(_whole("sides"), ("word",), "sides")
    if "covers" in inside:
        yield HighlightRule(_whole("covers"), ("word",), "covers")
    if set(words().modifiers) & set(inside):
        yield HighlightRule(r"(?<!\w)(x)(?=[0-9*{]|\.\.)", ("modifier",), "copies")


def _words(inside: Collection[str]) -> Iterator[HighlightRule]:
    """Yield the rules for the words of a statement, one for each group except functions."""
    language = words()
    groups = {
        "modifier": language.modifiers,
        "region": language.regions,
        "reckoning": language.operators,
        "word": (*language.links, *language.statements),
    }
    for role, group in groups.items():
        if members := [word for word in group if word in inside]:
            yield HighlightRule(_whole("|".join(members)), (role,))


def _signs(inside: Collection[str]) -> tuple[HighlightRule, ...]:
    """Return the rules for a list of colours."""
    return (
        _COMMENT,
        *_words(inside),
        _VALUE,
        HighlightRule(r"(,)", ("punctuation",)),
        HighlightRule(r"([^\s#{},]+)", ("colour",)),
    )


def _texts() -> tuple[HighlightRule, ...]:
    return _COMMENT, HighlightRule(f"({pattern('STRING')})", ("title",))


def _names() -> Iterator[HighlightRule]:
    """Yield the rules for names and numbers, and for the signs between them."""
    yield HighlightRule(r"([0-9]+)(?![\w-])", ("number",))
    yield HighlightRule(f"({pattern('NAME')})", ("name",))
    yield HighlightRule("(//|[-+&*%]|[<>]=?)", ("operator",))
    yield _BREAK


def _reckoning() -> tuple[HighlightRule, ...]:
    """Return the rules for expressions. A name with hyphens becomes several names."""
    signs = "|".join(pattern(terminal) for terminal in ("COMPARISON", "UNEQUAL", "TIMES", "PLUS", "MINUS", "AND"))
    return (
        HighlightRule(f"({pattern('FUNCTION')})", ("function",)),
        *_words(words().operators),
        _BRACKETS,
        HighlightRule(r"([0-9]+)(?!\w)", ("number",)),
        HighlightRule(rf"({pattern('VARIABLE')}|\w+)", ("name",)),
        HighlightRule(f"({signs})", ("operator",)),
        _BREAK,
    )


def _whole(alternatives: str) -> str:
    """Return the pattern of complete words, as a group. A word before an index is a name.

    >>> bool(re.search(_whole("in"), "x in y")), bool(re.search(_whole("in"), "one-in-three or in[1]"))
    (True, False)
    """
    return rf"(?<!\w)({alternatives})(?![\w\-\[])"
