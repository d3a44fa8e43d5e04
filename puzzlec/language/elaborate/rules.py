"""Rules about placements, rules on regions, costs, and statements for taking the puzzle apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import lark

from puzzlec.diagnostics import Span, counted, suggestion
from puzzlec.geometry.lattice import LATTICES_WITH_TURNS, TURN_ORDERS
from puzzlec.ir import ANY, Condition, Cost, Payer, RegionRule, Rule, RuleKind
from puzzlec.ir.location import Address, address_text
from puzzlec.ir.paints import PAINTS, paint_advice, paint_of
from puzzlec.language.elaborate.context import MAX_NAMES_LISTED, RESERVED, Context, bounds_of, others_text
from puzzlec.language.elaborate.declarations import colour_of
from puzzlec.language.elaborate.locations import extent_of
from puzzlec.language.elaborate.parts import is_each, parts_of
from puzzlec.language.elaborate.regions import is_name, name_of, plain, region_of
from puzzlec.language.elaborate.values import givens_of, is_drawn
from puzzlec.language.expressions import Node, Tree
from puzzlec.language.spelling import addresses


def is_piece(context: Context, name: str, span: Span, words: Iterable[str] = (), help: str = "") -> bool:
    """Return whether a name is that of a piece; report an unknown one.

    ``words`` are allowed in its place. ``help`` is the suggestion for it, if it is no misspelling.
    """
    if name in context.pieces.defined:
        return True
    if not context.unread & {"piece", "pieces"}:
        names = list(context.pieces.defined)
        context.report.add(
            "PZ306",
            f"unknown piece `{name}`",
            span,
            note=f"pieces are {', '.join(names)}" if 0 < len(names) <= MAX_NAMES_LISTED else (),
            help=help or suggestion(name, [*names, *words]),
        )
    return False


def _restrict(
    context: Context, kind: RuleKind, piece: str, named: Span, where: Node, sides: tuple[str, ...] = ()
) -> None:
    assert isinstance(where, lark.Tree)
    if not is_piece(context, piece, named):
        return
    reaching = kind in (RuleKind.INSIDE, RuleKind.ON) and context.pieces.defined[piece].low > 0
    exact = kind in (RuleKind.FIX, RuleKind.FORBID)
    cells = _cells(context, where, exact, extent=True, reaching=reaching)
    if kind is RuleKind.FIX:
        _fix_once(context, piece, set(cells), context.span(where))
        _fix_apart(context, piece, set(cells), context.span(where))
        _fix_whole(context, piece, cells, context.span(where))
    context.rules.pieces.append(Rule(kind, piece, cells, sides, context.span(where)))


def _cells(
    context: Context, node: Node, on_board: bool, extent: bool = False, reaching: bool = False
) -> tuple[Address, ...]:
    """Return the cells of a region; report those outside the board, perhaps with its ``extent``.

    If ``on_board`` is set, each cell must be on the board. If ``reaching`` is set, one of them must be.
    """
    assert isinstance(node, lark.Tree)
    region = plain(context, region_of(context, node))
    cells = _around(context, region.cells)
    unknown = [at for at in cells if at not in context.board.locations]
    outside = bool(unknown) if on_board else reaching and 0 < len(unknown) == len(cells)
    if outside and not context.broken:
        message = f"unknown location {address_text(unknown[0])}{others_text(unknown[1:])}"
        note = extent_of(context) if extent else ()
        context.report.add(
            "PZ311", message, _narrowed(region.span_of(unknown[0], context, node), unknown[0]), note=note
        )
    return tuple(cells)


def _around(context: Context, cells: Iterable[Address]) -> list[Address]:
    """Return cells as locations of the board, which may wrap around; each once."""
    return list(dict.fromkeys([context.board.location_of(at, context.lattice) for at in cells]))


def _narrowed(span: Span, at: Address) -> Span:
    """Return the position of a cell's coordinates in a region, or the whole region without them."""
    numbers = r"\s*,\s*".join(map(str, at)) if isinstance(at, tuple) else ""
    match = re.search(rf"\(\s*{numbers}\s*\)", span.text) if numbers else None
    return span.source.span(span.start + match.start(), span.start + match.end()) if match else span


def _fix_whole(context: Context, piece: str, cells: tuple[Address, ...], span: Span) -> None:
    """Report a piece that is fixed on another number of locations than it has cells."""
    size = len(context.pieces.defined[piece].cells)
    if size not in (0, len(cells)) and context.board.wrapping is None and not context.report.errors:
        note = f"the piece covers {size} locations, found {len(cells)}"
        context.report.add("PZ316", f"piece `{piece}` cannot be fixed here", span, note=note)


def _fix_once(context: Context, piece: str, cells: set[Address], span: Span) -> None:
    """Report a piece that is already fixed to another placement."""
    before, other = context.pieces.fixed.setdefault(piece, (span, cells))
    if other != cells and context.pieces.defined[piece].high == 1:
        context.report.add(
            "PZ324",
            f"piece `{piece}` is fixed in two ways",
            span,
            "also fixed here",
            others=[(before, "fixed here")],
            help="remove one of them, or define a separate piece for each",
        )


def _fix_apart(context: Context, piece: str, cells: set[Address], span: Span) -> None:
    """Report a piece that is fixed on a location of another fixed piece, or of another copy."""
    shape = context.pieces.defined[piece]
    if shape.low == 0 or context.broken:
        return
    for at in sorted(cells & context.pieces.taken.keys(), key=str):
        other, before, there = context.pieces.taken[at]
        if other == piece and (shape.high == 1 or there == cells):
            continue
        context.report.add(
            "PZ370",
            f"pieces `{other}` and `{piece}` are both fixed on location {address_text(at)}"
            if other != piece
            else f"two copies of piece `{piece}` are fixed on location {address_text(at)}",
            span,
            "also fixed here",
            others=[(before, "fixed here")],
            help="remove one of them, or fix them on different locations",
        )
        return
    context.pieces.taken.update(dict.fromkeys(cells, (piece, span, cells)))


def place(context: Context, statement: Tree) -> None:
    """Keep a piece inside a region, on it, or off it."""
    name, span, (relation, region) = context.headed(statement.children)
    _restrict(context, RuleKind(f"place {relation}"), name, span, region)


def fix(context: Context, statement: Tree) -> None:
    """Fix a piece to a placement."""
    if is_drawn(statement.children[0]):
        _fix_drawn(context, statement)
    else:
        _exactly(context, RuleKind.FIX, statement)


def _fix_drawn(context: Context, statement: Tree) -> None:
    """Fix the pieces of a drawing."""
    for name, span, cells in givens_of(context, statement):
        if not is_piece(context, name, span):
            continue
        unknown = [at for at in cells if at not in context.board.locations]
        if unknown and not context.broken:
            message = f"unknown location {address_text(unknown[0])}{others_text(unknown[1:])}"
            context.report.add("PZ311", message, cells[unknown[0]], note=extent_of(context))
            continue
        _fix_once(context, name, set(cells), span)
        _fix_apart(context, name, set(cells), span)
        context.rules.pieces.append(Rule(RuleKind.FIX, name, tuple(cells), span=span))


def forbid(context: Context, statement: Tree) -> None:
    """Forbid a placement of a piece."""
    _exactly(context, RuleKind.FORBID, statement)


def together(context: Context, statement: Tree) -> None:
    """Add a group of pieces that may stay together."""
    group: dict[str, int] = {}
    for mate in statement.children:
        assert isinstance(mate, lark.Tree)
        name, span, copies = context.headed(mate.children)
        if not is_piece(context, name, span):
            continue
        most = _copies(context, copies[0]) if copies else ANY
        if most is not None:
            group[name] = most
    if group:
        context.rules.together.append(tuple(group.items()))


def _copies(context: Context, token: Node) -> int | None:
    """Return how many copies of a piece may stay together; report a number below 1."""
    if str(token) == "x*":
        return ANY
    numbers = [context.number_of(str(token)[1:], context.span(token).start + 1)] if ".." not in str(token) else []
    if len(numbers) == 1 and 1 <= numbers[0] <= ANY:
        return numbers[0]
    context.report.add("PZ319", f"expected a number of copies such as `x2`, found `{token}`", context.span(token))
    return None


def wall(context: Context, statement: Tree) -> None:
    """Add cells that never move."""
    (where,) = statement.children
    assert isinstance(where, lark.Tree)
    against = (
        "a board that wraps around"
        if context.board.wrapping
        else "`lattice none`"
        if context.lattice is None and "lattice" not in context.unread
        else ""
    )
    if against:
        context.report.add(
            "PZ705",
            f"{against} cannot have a wall",
            context.span(statement),
            note="the cells of a wall need a fixed place in space",
            help="remove it: such a board is not taken apart",
        )
        return
    before = context.report.errors
    region = plain(context, region_of(context, where))
    if context.broken or context.report.errors > before:
        return
    inside = [at for at in region.cells if at in context.board.locations]
    if inside:
        location = context.board.locations[inside[0]].span
        context.report.add(
            "PZ704",
            f"wall covers location {address_text(inside[0])}{others_text(inside[1:])}",
            region.span_of(inside[0], context, where),
            "the wall",
            others=[(location, "the location")] if location else (),
            help=f"write `wall {context.span(where).text} - cells {addresses(inside)}`"
            if len(inside) < min(len(region.cells), MAX_NAMES_LISTED)
            else "remove it: a wall is outside the board",
        )
    elif not region.cells:
        context.report.add("PZ706", "wall has no cells", context.span(where), help="remove it: its region is empty")
    elif context.report.errors == before:
        context.rules.walls.update({at: None for at in region.cells if not isinstance(at, str)})


def immovable(context: Context, statement: Tree) -> None:
    """Add pieces that never move."""
    for still in statement.children:
        assert isinstance(still, lark.Tree)
        name, span, _ = context.headed(still.children)
        if is_piece(context, name, span):
            context.rules.immovable[name] = None


def paint(context: Context, statement: Tree) -> None:
    """Give a piece its colour in pictures; report an unknown colour, and a second one."""
    name, span, (token,) = context.headed(statement.children)
    word = context.name(token)
    if not is_piece(context, name, span):
        return
    if name in context.pieces.painted:
        context.report.add(
            "PZ307",
            f"duplicate statement `paint {name}`",
            context.span(statement),
            "second statement",
            others=[(context.pieces.painted[name], "first statement")],
            help="remove the second one",
        )
    elif not paint_of(word):
        note = f"colours are {', '.join(PAINTS)}"
        context.report.add("PZ385", f"unknown colour `{word}`", context.span(token), note=note, help=paint_advice(word))
    else:
        context.pieces.painted[name] = context.span(statement)
        context.pieces.defined[name] = replace(context.pieces.defined[name], paint=word)


def turns(context: Context, statement: Tree) -> None:
    """Let pieces turn when the puzzle is taken apart."""
    context.rules.turns_allowed = True
    name = context.lattice.name if context.lattice is not None else "none"
    if context.board.wrapping is not None:
        message, note = "pieces cannot turn on a board that wraps around", ""
    elif name not in TURN_ORDERS and "lattice" not in context.unread:
        message, note = f"pieces cannot turn on the lattice `{name}`", LATTICES_WITH_TURNS
    else:
        return
    context.report.add("PZ720", message, context.span(statement), note=note or (), help="remove `turns`")


def _exactly(context: Context, kind: RuleKind, statement: Tree) -> None:
    name, span, (*turned, region) = context.headed(statement.children)
    sides: tuple[str, ...] = ()
    if turned:
        facing = turned[0]
        assert isinstance(facing, lark.Tree)
        piece = context.pieces.defined.get(name)
        if piece is not None and len(piece.sides) != len(facing.children):
            context.report.add(
                "PZ336",
                f"piece `{name}` has {counted(len(piece.sides), 'coloured side')}; the rule has {len(facing.children)}",
                context.span(facing),
            )
            return
        sides = tuple(sign for token in facing.children if (sign := colour_of(context, token)) is not None)
    _restrict(context, kind, name, span, region, sides)


def regions(context: Context, statement: Tree) -> None:
    """Declare the letters of regions."""
    for token in statement.children:
        sign = str(token)
        others = [context.colours.declared[sign]] if sign in context.colours.declared else []
        others += [context.regions.places[sign]] if sign in context.regions.places else []
        others += [context.regions.defined[sign].span] if sign in context.regions.defined else []
        if not re.fullmatch(r"[^\W\d_]", sign) or sign in RESERVED:
            context.report.add(
                "PZ361",
                f"invalid region `{sign[:40]}`",
                context.span(token),
                note="a region is one letter except `x`",
                help="write spaces between the regions: " + " ".join(filter(str.isalpha, sign[:20]))
                if len(sign) > 1 and sign.replace(",", "").isalpha()
                else (),
            )
        elif others:
            context.report.add(
                "PZ361",
                f"duplicate region `{sign}`",
                context.span(token),
                "second time",
                others=[(others[0], "first time")],
                help="choose another letter for the region",
            )
        else:
            context.regions.places[sign] = context.span(token)
            context.regions.cells[sign] = []


def rule(context: Context, statement: Tree) -> None:
    """Add a rule about the values that pieces show on a region, or about the number of pieces there."""
    where, demand = statement.children
    assert isinstance(demand, lark.Tree)
    made = _demand(context, demand)
    span = context.span(statement)
    if is_each(where):
        assert isinstance(where, lark.Tree)
        for part in parts_of(context, where):
            cells = _on_board(context, part.cells, lambda _: context.span(where))
            if made is not None and (len(cells) > 1 or (cells and made.kind.is_bounded)):
                context.rules.regions.append(replace(made, region=tuple(cells), name=part.name, span=span))
        return
    assert isinstance(where, lark.Tree)
    cells = _described(context, where)
    if cells and made is not None:
        name = name_of(context, where) if is_name(where) else ""
        context.rules.regions.append(replace(made, region=tuple(cells), name=name, span=span))


def _demand(context: Context, demand: Tree) -> RegionRule[Address] | None:
    """Return a rule with the condition of a tree, still without a region; None if nothing meets it."""
    if demand.data == "uniform":
        return RegionRule(Condition(str(demand.children[0])), ())
    if demand.data == "counted":
        return _counted(context, demand)
    bounds, written = _sum_bounds(context, demand)
    return bounds and RegionRule(Condition.SUM, (), *bounds, written=written)


def _counted(context: Context, demand: Tree) -> RegionRule[Address] | None:
    """Return a rule about the number of pieces on a region."""
    word, value, *named = demand.children
    assert isinstance(value, lark.Tree)
    number = context.number(value)
    name = ""
    if named:
        name, span, _ = context.headed(named)
        if not is_piece(context, name, span):
            return None
    if not 0 <= number < ANY:
        context.report.add("PZ319", f"number must be at least 0, found {number}", context.span(value))
        return None
    words = str(word)
    low = 0 if "most" in words else number
    return RegionRule(Condition.COUNT, (), low, ANY if "least" in words else number, piece=name)


def _part_meant(context: Context, name: str) -> str:
    """Return the part of a board that an unknown name of a region means, such as ``row``; "" if it means none."""
    part = name.removesuffix("s")
    return part if part in ("row", "column", "diagonal") and name not in context.regions.names else ""


def _described(context: Context, where: Node) -> list[Address]:
    """Return the locations of a region in a rule; report an empty one, and cells outside the board."""
    assert isinstance(where, lark.Tree)
    before = context.report.errors
    if is_name(where) and (part := _part_meant(context, name_of(context, where))):
        context.report.add(
            "PZ362",
            f"unknown region `{name_of(context, where)}`",
            context.span(where),
            note=f"`each {part}` is every {part} of the board",
            help=f"write `each {part}`",
        )
        return []
    region = plain(context, region_of(context, where))
    if context.report.errors > before:
        return []
    cells = _on_board(context, region.cells, lambda at: _narrowed(region.span_of(at, context, where), at))
    if not cells and not context.broken:
        context.report.add("PZ363", "region of the rule has no location", context.span(where))
    return cells


def _on_board(context: Context, region: Iterable[Address], span_of: Callable[[Address], Span]) -> list[Address]:
    """Return the locations of a region in a rule; report cells outside the board."""
    if context.broken:
        return []
    cells = _around(context, region)
    unknown = [at for at in cells if at not in context.board.locations]
    if unknown:
        message = f"unknown location {address_text(unknown[0])}{others_text(unknown[1:])}"
        context.report.add("PZ311", message, span_of(unknown[0]), note=extent_of(context))
    return cells


def _sum_bounds(context: Context, demand: Tree) -> tuple[tuple[int, int] | None, str]:
    """Return the bounds of a sum, and the rule in words; no bounds if no numbers have such a sum."""
    relation, bounds = demand.children
    assert isinstance(bounds, lark.Tree)
    least, most = context.range_in(bounds)
    if least != most:
        if str(relation) not in ("=", "=="):
            context.report.add(
                "PZ101",
                f"expected one number after `{relation}`, found a range",
                context.span(bounds),
                help=f"write `= {context.span(bounds).text}`",
            )
            return None, ""
        least, most = bounds_of(context, least, most, context.span(bounds))
    low, high = {
        "=": (least, most),
        "==": (least, most),
        "<": (0, most - 1),
        "<=": (0, most),
        ">": (least + 1, ANY),
        ">=": (least, ANY),
    }[str(relation)]
    written = "" if str(relation) in ("=", "==") else f"sum {relation} {least}"
    if high < 0 or low >= ANY:
        context.report.add(
            "PZ364",
            "sum is too small" if high < 0 else "sum is too large",
            context.span(demand),
            note="the number of a cell is from 0 to 999",
        )
        return None, ""
    return (max(low, 0), high), written


def cost(context: Context, statement: Tree) -> None:
    """Add a cost."""
    *parts, value = statement.children
    payer, name, is_defined, rest = _payer(context, parts)
    where, region = "", tuple[Address, ...]()
    if rest:
        where, place = str(rest[0]), rest[1]
        assert isinstance(place, lark.Tree)
        if where not in payer.relations:
            _refuse_relation(context, payer, rest[0])
            return
        region = (cells_of_region if payer.is_meeting else partial(_payers_region, where=where))(context, place)
    number = context.number(value)
    if is_defined:
        context.rules.costs.append(Cost(number, payer, name, where, region, context.span(statement)))


def _refuse_relation(context: Context, payer: Payer, word: Node) -> None:
    """Report a word between the payer of a cost and a region that does not fit the payer."""
    *more, last = [f"`{relation}`" for relation in payer.relations] or ["`=`"]
    expected = f"{', '.join(more)} or {last}" if more else last
    note = "only pieces lie `inside`, `on`, `off` or `at` a region"
    help: str | tuple[()] = "write `per` to count each location of the region"
    if payer is Payer.CROSSROADS:
        note, help = "points lie `inside`, `on` or `off` a region with the locations around them", "write `on`"
    elif payer is Payer.FAULTS:
        note, help = "faults are lines across the whole board", "for one direction, write `faults across x`"
    context.report.add("PZ101", f"expected {expected}, found `{word}`", context.span(word), note=note, help=help)


def cells_of_region(context: Context, region: Tree) -> tuple[Address, ...]:
    """Return the cells of a region; report one that is outside the board."""
    return _cells(context, region, on_board=False, extent=True, reaching=True)


def _payers_region(context: Context, region: Node, where: str) -> tuple[Address, ...]:
    """Return the region of a cost; report one outside the board, which no piece pays for."""
    return _cells(context, region, where in ("per", "at"), extent=True, reaching=where in ("inside", "on"))


def _payer(context: Context, parts: list[Node]) -> tuple[Payer, str, bool, list[Node]]:
    """Return the kind of thing that has a cost, its name, whether the name is known, and the other nodes."""
    if not parts or (isinstance(parts[0], lark.Token) and parts[0].type in ("INSIDE", "ON", "OFF", "AT", "PER")):
        return Payer.PIECE, "", True, parts
    first = parts[0]
    if isinstance(first, lark.Tree) and first.data == "vacant":
        return Payer.EMPTY, "", True, parts[1:]
    if isinstance(first, lark.Tree) and first.data == "met":
        word, *axis = first.children
        return Payer(str(word)), context.name(axis[0]) if axis else "", True, parts[1:]
    if isinstance(first, lark.Tree):
        colour = colour_of(context, first.children[0])
        return Payer.COLOUR, colour or "", colour is not None, parts[1:]
    name, span, rest = context.headed(parts)
    return Payer.PIECE, name, is_piece(context, name, span, ("empty", "crossroads", "faults")), rest
