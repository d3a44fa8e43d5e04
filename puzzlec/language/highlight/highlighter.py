"""The puzzle language for Pygments, and so for Sphinx, MkDocs and terminals. Needs the extra ``highlight``."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, include
from pygments.token import string_to_tokentype

from puzzlec.language.highlight.contexts import ROLES, HighlightContext, contexts


def _tokens(roles: tuple[str, ...]) -> Any:
    """Return the callback or token type for the groups of a pattern. Empty groups make no token."""
    return bygroups(*(string_to_tokentype(ROLES[role].token) for role in roles))


def _state(context: HighlightContext) -> list[Any]:
    """Return a context as a state of a lexer. Spaces do not include line ends, which may close the state."""
    end = [(context.end, _tokens((context.role,) if context.role else ()), "#pop")] if context.end else []
    rules = [
        include(rule) if isinstance(rule, str) else (rule.pattern, _tokens(rule.roles), *filter(None, [rule.opens]))
        for rule in context.rules
    ]
    return [*end, *rules, (r"([^\S\n]+|\n)", _tokens(("",)))]


class PuzzleLexer(RegexLexer):
    """Lexer of the puzzle language. Words are keywords only in positions for keywords."""

    name = "puzzlec"
    aliases: ClassVar[list[str]] = ["puzzle", "puzzlec"]
    filenames: ClassVar[list[str]] = ["*.puzzle"]
    mimetypes: ClassVar[list[str]] = ["text/x-puzzle"]
    tokens: ClassVar[dict[str, Any]] = {name: _state(context) for name, context in contexts().items()}
