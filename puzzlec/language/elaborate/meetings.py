"""Rules about how pieces meet: crossroads, faults, pieces apart and touching, symmetric solutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, count

import lark

from puzzlec.diagnostics import Span
from puzzlec.ir import Meeting, MeetingKind, Rule, RuleKind
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.regions import place_of
from puzzlec.language.elaborate.rules import cells_of_region, is_piece
from puzzlec.language.expressions import Node, Tree
from puzzlec.language.spelling import quoted


def no(context: Context, statement: Tree) -> None:
    """Forbid crossroads, or demand that pieces cross each line."""
    word, *rest = statement.children
    if MeetingKind(str(word)) is MeetingKind.CROSSROADS:
        _limit(context, statement, MAX_WITHOUT_CROSSROADS, rest)
    else:
        motion = context.name(rest[0]) if rest else ""
        _add(context, Meeting(MeetingKind.FAULTS, motion=motion, span=context.span(statement)))


def at_most(context: Context, statement: Tree) -> None:
    """Limit the number of pieces that meet at a point."""
    value, *rest = statement.children
    assert isinstance(value, lark.Tree)
    number = context.number(value)
    if number < 1:
        message = f"at least 1 piece must be allowed at a point, found {number}"
        context.report.add("PZ319", message, context.span(value), help="write `at most 3 at a point`")
    else:
        _limit(context, statement, number, rest)


def _limit(context: Context, statement: Tree, high: int, where: Sequence[Node]) -> None:
    """Limit the number of pieces at each point, or at the points with a relation to a region."""
    relation, region = where or ("", None)
    cells = cells_of_region(context, region) if isinstance(region, lark.Tree) else ()
    span = context.span(statement)
    _add(context, Meeting(MeetingKind.CROSSROADS, where=str(relation), region=cells, high=high, span=span))


def apart(context: Context, statement: Tree) -> None:
    """Keep pieces apart: those of a list, the copies of each piece, or the pieces of each colour."""
    members = list(statement.children)
    corners = bool(members) and isinstance(members[-1], lark.Tree) and members[-1].data == "corners"
    members = members[:-1] if corners else members
    first, span = members[0], context.span(statement)
    if isinstance(first, lark.Token) and first.type == "KINSHIP":
        groups: list[list[str]] | None = _copies(context) if first == "copies" else _colours(context, span)
        if groups == [] and not context.unread & {"piece", "pieces"}:
            note = "no piece has copies" if first == "copies" else "no piece has a colour"
            context.report.add("PZ373", f"no piece can break `apart {first}`", span, note=note)
    else:
        groups = [_named(context, members, _INSTEAD)]
    for names in groups or ():
        if names:
            _add(context, Meeting(MeetingKind.APART, tuple(names), corners=corners, span=span))


#: What to write in place of words that are no pieces after `apart`.
_INSTEAD = {
    "and": "remove `and`",
    "corners": "write `with corners`",
    **dict.fromkeys(("all", "copy", "pieces"), "write `copies`"),
}

#: Minimum number of copies of a piece that can touch each other.
MIN_COPIES = 2


def _named(context: Context, members: Sequence[Node], instead: Mapping[str, str] = {}) -> list[str]:
    """Return the pieces of a list, each once; report unknown ones and repetitions."""
    names: dict[str, str] = {}
    for member in members:
        assert isinstance(member, lark.Tree)
        name, span, _ = context.headed(member.children)
        words = ("copies", "colours") if instead else ()
        if not is_piece(context, name, span, words, instead.get(name, "")):
            return []
        if name in names:
            help = f"write `apart {' '.join(names.values())}`" if instead else f"write `touching {names[name]} border`"
            context.report.add("PZ373", f"duplicate piece `{name}`", span, help=help)
            return []
        names[name] = context.source.text[span.start : span.end]
    return [*names]


def _copies(context: Context) -> list[list[str]]:
    return [[piece.name] for piece in context.pieces.defined.values() if piece.high >= MIN_COPIES]


def _colours(context: Context, span: Span) -> list[list[str]] | None:
    """Return the pieces of each colour; report a piece of several colours, and return None."""
    groups: dict[str, list[str]] = {}
    for piece in context.pieces.defined.values():
        colours = {*piece.colours, *piece.sides}
        if len(colours) > 1:
            context.report.add(
                "PZ373",
                f"piece `{piece.name}` has several colours",
                span,
                others=[(piece.span, "the piece")] if piece.span else (),
                help="name the pieces that keep apart, such as `apart A B`",
            )
            return None
        for colour in colours - {None}:
            groups.setdefault(str(colour), []).append(piece.name)
    return list(groups.values())


def touching(context: Context, statement: Tree) -> None:
    """Let two pieces touch, or a piece or all pieces touch the border."""
    first, second = statement.children
    span = context.span(statement)
    to_border = isinstance(second, lark.Token)
    names = [*context.pieces.defined] if isinstance(first, lark.Token) else _named(context, [first])
    if to_border:
        border = tuple(place_of(context, "border", span))
        context.rules.pieces.extend(Rule(RuleKind.ON, name, border, span=span) for name in names)
        return
    if isinstance(first, lark.Token):
        context.report.add("PZ373", "`touching all` needs `border`", span, help="write `touching all border`")
        return
    pair = _named(context, [first, second])
    for name in pair:
        piece = context.pieces.defined[name]
        if (piece.low, piece.high) != (1, 1):
            context.report.add(
                "PZ373",
                f"piece `{name}` cannot touch another one: it does not have exactly one copy",
                span,
                others=[(piece.span, "the piece")] if piece.span else (),
                note="a rule about one of several copies needs a name for it" if piece.high > 1 else (),
                help=_named_copy(context, pair, name) if piece.high > 1 else "remove its number of copies",
            )
            return
    if len(pair) == 2:
        _add(context, Meeting(MeetingKind.TOUCHING, tuple(pair), span=span))


def _named_copy(context: Context, pair: Sequence[str], piece: str) -> str:
    """Return what to write if one of the copies of a piece shall touch another piece: a name for this copy."""
    numbered = (f"one{number}" for number in count(2))
    one = next(name for name in chain(["one"], numbered) if name not in context.pieces.defined)
    names = " ".join([one if name == piece else quoted(name) for name in pair])
    return f"take one copy less, and write `piece {one} = {quoted(piece)}` and `touching {names}`"


def symmetric(context: Context, statement: Tree) -> None:
    """Let the solution be equal to its image."""
    motion = " ".join([str(statement.children[0]), *map(context.name, statement.children[1:])])
    _add(context, Meeting(MeetingKind.SYMMETRIC, motion=motion, span=context.span(statement)))


def _add(context: Context, meeting: Meeting) -> None:
    if meeting not in context.rules.meetings:
        context.rules.meetings.append(meeting)
