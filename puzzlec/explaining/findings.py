"""Facts about a compiled puzzle that need no search, for words and for data, and the plan of its search.

The facts include the meaning of items, redundant items and options, the effect of reductions, and symmetries: each of a
small group, the kinds of a large one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from puzzlec.diagnostics import PuzzleError, counted, listed
from puzzlec.diagnostics.columns import entry
from puzzlec.engine.reduction.dominance import redundant
from puzzlec.engine.reduction.forcing import Forced
from puzzlec.engine.reduction.reductions import Reduction, ReductionRule, reduce
from puzzlec.engine.search import selection
from puzzlec.engine.search.count_tasks import width as width_of_frontier
from puzzlec.engine.search.grading import Grade
from puzzlec.geometry import Lattice
from puzzlec.geometry.wording import IsometryWords, formula, told_apart, words
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, Symmetry, encode, place, symmetry
from puzzlec.lower.impossibility import AnyRule, needed_rules, rules_text
from puzzlec.lower.labels import Labelled
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.solving import representatives
from puzzlec.solving.grading import grade


@dataclass(frozen=True)
class Findings:
    """A compiled puzzle, with facts that need no search.

    ``group`` are its symmetries: the identity alone if they are not looked for or not ``listed``. ``order`` is then a
    lower bound of their number. ``bare`` is the puzzle without its rules; None if it has none, or too many placements
    to list. ``refuted``: an error already reports that no solution exists.
    """

    encoding: Encoding
    reduction: Reduction
    group: Symmetry
    order: int
    listed: bool
    bare: Fitting | None
    refuted: bool = False

    @property
    def open(self) -> bool:
        """Whether something is left to search."""
        return len(self.reduction.cover) > 0 and self.reduction.refuted is None and not self.refuted

    @cached_property
    def grade(self) -> Grade | None:
        """How hard the puzzle is for a person; None for one that is too large, or was refuted."""
        return None if self.refuted or self.reduction.refuted is not None else grade(self.encoding)

    @cached_property
    def needed_rules(self) -> list[AnyRule]:
        """The first rule of each statement of a smallest set with which the analysis finds that no solution exists."""
        puzzle = self.encoding.fitting.puzzle
        return needed_rules(puzzle, _is_lost) if puzzle is not None and self.is_lost and not self.refuted else []

    @property
    def is_lost(self) -> bool:
        """Whether the analysis, or the search for the grade, finds that no solution exists."""
        return self.reduction.refuted is not None or (self.grade is not None and self.grade.solutions == 0)


def _is_lost(puzzle: Puzzle) -> bool:
    """Return whether a puzzle is found to have no solution; see :attr:`Findings.is_lost`."""
    encoding = encode(place(puzzle))
    identity = symmetry(encoding, "none")
    return Findings(encoding, reduce(encoding.cover, compiled=False), identity, 1, True, None).is_lost


def found(what: Fitting | Encoding, refuted: bool = False) -> Findings:
    """Return the facts about a puzzle, or about an exact cover that was read as one."""
    encoding = what if isinstance(what, Encoding) else encode(what)
    reduction = reduce(encoding.cover, compiled=False)
    group, order, listed = symmetry(encoding, "none"), 1, True
    if not encoding.raised:
        try:
            group = symmetry(encoding)
            order = len(group)
        except GroupTooLargeError as error:
            order, listed = error.order, False
    return Findings(encoding, reduction, group, order, listed, without_rules(encoding.fitting.puzzle), refuted)


def without_rules(puzzle: Puzzle | None) -> Fitting | None:
    """Return a puzzle without its rules; None if it has none, or too many placements to list."""
    if puzzle is not None and (puzzle.rules.pieces or puzzle.rules.regions or puzzle.rules.meetings):
        with suppress(PuzzleError):
            return place(replace(puzzle, rules=replace(puzzle.rules, pieces=(), regions=(), meetings=())))
    return None


class SearchPlan(NamedTuple):
    """The plan of the search of an exact cover.

    The first ``patience`` nodes are searched in plain Python (None: all of them, since numba is not installed). The
    compiled ``kernel`` searches the rest, for the ``reason``. Of the ``having`` options of the item ``held`` (-1:
    none), only ``movers`` options are tried: by symmetry they represent all. A count also has a frontier, with at most
    ``half_done`` items half done at a time (None: it has none, without numba).
    """

    kernel: str
    reason: str
    patience: int | None
    half_done: int | None
    held: int
    movers: int
    having: int


def plan(encoding: Encoding, group: Symmetry) -> SearchPlan:
    """Return the plan of the search of an exact cover with these symmetries."""
    cover = encoding.cover
    choice, patience = selection.choose(cover), 0 if selection.is_slow(cover) else selection.NODES_BEFORE_NUMBA
    held, numba = representatives(cover, group), selection.has_numba()
    return SearchPlan(
        *choice,
        patience if numba else None,
        width_of_frontier(cover) if numba else None,
        held.item,
        len(held.movers),
        len(held.having),
    )


def search_plan(encoding: Encoding, group: Symmetry, width: int) -> Iterator[str]:
    """Yield the lines of the block."""
    cover = encoding.cover
    if not len(cover):
        return
    search = plan(encoding, group)
    then = f"`{search.kernel}`: {search.reason}"
    if search.patience is None:
        yield from entry("kernel", "`python`: numba is not installed", width)
    elif not search.patience:
        yield from entry("kernel", then, width)
    else:
        yield from entry("kernel", f"`python` for {counted(search.patience, 'node')}, then {then}", width)
    if search.half_done is not None:
        text = f"`count` tries it after a moment: frontier width {search.half_done:,}"
        yield from entry("frontier", text, width)
    if search.held >= 0:
        name = f"`{cover.item_name(search.held)}`"
        text = (
            f"{name}: the search tries {search.movers} of its {search.having} options, and symmetry covers the others"
        )
        yield from entry("held", text, width)


def grade_lines(findings: Findings, width: int) -> Iterator[str]:
    """Yield the lines of the block about the grade: how hard the puzzle is for a person."""
    grade = findings.grade
    if grade is None:
        yield from entry("figure", "none: the puzzle is too large", width)
        return
    things, end = ("items", "cover") if findings.encoding.raised else ("locations and pieces", "solution")
    until = "until all is excluded" if grade.solutions == 0 else f"until the first {end}"
    about = f"{'more than' if grade.least else 'about'} {_rounded(grade.looks)}"
    yield from entry("figure", f"{grade}; one more means twice as many looks", width)
    yield from entry("looks", f"{about} at {things}, {until}", width)
    yield from entry("forced", f"{counted(grade.forced, 'move')} before the first choice", width)
    if grade.choices:
        yield from entry("choices", f"{grade.choices:.1f} on the way to a {end}", width)
    dead = f"{'more than' * grade.least} {_rounded(grade.dead_ends)}".strip()
    after = f", {grade.depth:.1f} moves after a wrong choice" if grade.depth else ""
    yield from entry("dead ends", f"{dead}{after}", width)
    if grade.solutions is not None:
        why = f": {rules_text(findings.needed_rules, 'leave')} none" if findings.needed_rules else ""
        yield from entry(f"{end}s", f"{grade.solutions:,}{'' if findings.encoding.raised else ' raw'}{why}", width)


def _rounded(number: float) -> str:
    """Return a number with two digits, and with separators.

    >>> _rounded(5341.7), _rounded(3.14), _rounded(0)
    ('5,300', '3.1', '0')
    """
    return f"{float(f'{number:.2g}'):,.1f}".removesuffix(".0")


#: The longest lists of items and of forced options; longer ones are cut.
MOST_ITEMS, MOST_FORCED = 8, 24


class Item(NamedTuple):
    """The meaning of an item: `piece X`, `location 0,0`; `item a` if the exact cover was read as one.

    ``kind`` is "piece", "location", "item", "side" or "crossing", or "" for an item that is described by ``name``.
    """

    kind: str
    name: str

    def __str__(self) -> str:
        if not self.kind:
            return self.name
        return f"the {self.kind} of {self.name}" if self.kind in _COUNTED_KINDS else f"{self.kind} {self.name}"


#: Kinds of items whose names are listed after the kind, and kinds with long names, which are counted.
_LISTED_KINDS, _COUNTED_KINDS = ("piece", "location", "item"), ("side", "crossing")


class ItemMeaning(NamedTuple):
    """The meaning of the items of an exact cover."""

    items: list[Item]

    @property
    def names(self) -> list[str]:
        """The meaning of each item in words."""
        return list(map(str, self.items))

    @classmethod
    def of(cls, encoding: Encoding) -> ItemMeaning:
        """Return the meaning of the items of this exact cover."""
        if encoding.raised:
            return cls([Item("item", name) for name in Labelled(encoding.cover).items])
        where = encoding.fitting.location_name
        items = [Item("", "the number of empty locations")] * (encoding.cover.primary + encoding.cover.secondary)
        for number, item in enumerate(encoding.item_of_piece):
            if item >= 0:
                items[item] = Item("piece", encoding.fitting.piece_name(number))
        for number, item in enumerate(encoding.item_of_location):
            if item >= 0:
                items[item] = Item("location", where(number))
        for ends, item in encoding.item_of_side.items():
            items[item] = Item("side", listed(list(map(where, ends))))
        for ways, item in encoding.item_of_crossing.items():
            items[item] = Item("crossing", listed(list(map(where, sorted({end for way in ways for end in way})))))
        if encoding.rules is not None:
            rules = encoding.rules
            for first, rule_names in zip(encoding.first_of_rules, (rules.primary, rules.secondary), strict=True):
                for number, name in enumerate(rule_names):
                    items[first + number] = Item("", f"`{name}`")
        return cls(items)

    def listed(self, numbers: Iterable[int]) -> str:
        """Describe items in words: their kind once, then the names of the first ones."""
        items = [self.items[number] for number in numbers]
        for kind in _COUNTED_KINDS:
            number = sum(item.kind == kind for item in items)
            if number > 2:
                items = [*(item for item in items if item.kind != kind), Item("", counted(number, kind))]
        first = items[:MOST_ITEMS] if len(items) > MOST_ITEMS + 1 else items
        texts = []
        for kind in _LISTED_KINDS:
            names_of_kind = [item.name for item in first if item.kind == kind]
            texts += [f"{kind}{'s' * (len(names_of_kind) > 1)} {listed(names_of_kind)}"] * bool(names_of_kind)
        texts += [str(item) for item in first if item.kind not in _LISTED_KINDS]
        texts += [counted(len(items) - len(first), "other")] * (len(first) < len(items))
        return listed(texts)


def redundancies(encoding: Encoding) -> Iterator[str]:
    """Yield a sentence for each redundancy of an exact cover."""
    repeated = redundant(encoding.cover)
    meaning = ItemMeaning.of(encoding)
    if repeated.idle:
        verbs = "forbid nor demand" if repeated.idle[1:] else "forbids nor demands"
        yield f"{meaning.listed(repeated.idle)} neither {verbs} anything"
    for group in repeated.items[:MOST_ITEMS]:
        yield f"{meaning.listed(group)} have the same options: one of them is enough"
    if len(repeated.items) > MOST_ITEMS:
        yield f"and {counted(len(repeated.items) - MOST_ITEMS, 'other group')} of items with the same options"
    if repeated.options:
        number = sum(map(len, repeated.options)) - len(repeated.options)
        single = number == 1
        repeats, count = (
            ("repeats another", "it counts as a solution") if single else ("repeat others", "they count as solutions")
        )
        yield f"{counted(number, 'option')} that {repeats}: {count} of {'its' if single else 'their'} own"
    if repeated == type(repeated)((), (), ()):
        yield "nothing"


def redundant_lines(encoding: Encoding, width: int) -> Iterator[str]:
    """Yield the :func:`redundancies` as lines under one head."""
    head = "redundant"
    for line in redundancies(encoding):
        yield from entry(head, line, width)
        head = ""


def found_alone(reduction: Reduction) -> Forced:
    """Return the effect of the reductions on single options."""
    because = [item for step in reduction.steps if step.rule is ReductionRule.FORCED for item in step.others]
    impossible = reduction.options_by(ReductionRule.IMPOSSIBLE) + reduction.options_by(ReductionRule.DOMINATED)
    options = reduction.options_by(ReductionRule.FORCED)
    return Forced(tuple(options), tuple(because), tuple(sorted(impossible)), reduction.refuted, reduction.complete)


def search_blocks(findings: Findings, forced: Iterable[str], width: int) -> list[list[str]]:
    """Return the blocks about the search: what is forced, what is left, how hard it is, and the plan."""
    left, plan_lines = left_to_search(findings.encoding, findings.reduction, width), list[str]()
    if findings.open:
        plan_lines += search_plan(findings.encoding, findings.group, width)
    blocks = {"forced": forced, "left to search": left, "grade": grade_lines(findings, width), "search": plan_lines}
    return [[head, *lines] for head, lines in ((head, list(lines)) for head, lines in blocks.items()) if lines]


def forced_lines(
    result: Forced,
    options: int,
    words: tuple[str, str, str],
    reason: Callable[[int, int], str],
    lost: Callable[[int], str],
    impossible: str,
    width: int,
) -> Iterator[str]:
    """Yield what is forced, of a number of options; ``words`` name the problem, an option and a cover.

    ``reason`` describes a forced option and the item that forces it, ``lost`` an item that cannot be covered.
    """
    whole, option_word, cover_word = words
    if not result.complete and not result.chosen and not result.impossible:
        yield f"  nothing was found, but the check of a {whole} this large is incomplete"
        return
    pairs = list(zip(result.chosen, result.because, strict=True))
    for option, item in pairs[:MOST_FORCED]:
        yield from entry("", reason(option, item), width, 2)
    if len(pairs) > MOST_FORCED:
        yield f"  and {counted(len(pairs) - MOST_FORCED, 'other')}"
    if result.lost is not None:
        ruled_out = f" once {counted(len(result.impossible), 'option')} are ruled out" if result.impossible else ""
        yield from entry("", f"no {cover_word}{' after this' if pairs else ruled_out}: {lost(result.lost)}", width, 2)
        return
    if not pairs:
        yield "  nothing: every item still has two or more options"
    if result.impossible:
        yield from entry("", impossible, width, 2)
    if len(pairs) + len(result.impossible) == options:
        yield f"  no other {option_word} is left: this is the only {cover_word}"
    elif not result.complete:
        yield "  there may be more: the check is incomplete"


def left_to_search(encoding: Encoding, reduction: Reduction, width: int) -> Iterator[str]:
    """Yield what the reductions leave of the exact cover, and which items they remove for other reasons."""
    before, after = reduction.original, reduction.cover
    if reduction.refuted is not None or not reduction.steps or not len(after):
        return
    if len(after) < len(before):
        yield from entry("options", f"{len(after)} of {len(before)}", width)
    items = len(reduction.items)
    if items == before.primary + before.secondary and after.primary == before.primary:
        return
    now = f"{after.primary} primary and {after.secondary} secondary" if before.secondary else str(after.primary)
    then = f"{before.primary} and {before.secondary}" if before.secondary else str(before.primary)
    yield from entry("items", f"{now}, of {then}", width)
    meaning = ItemMeaning.of(encoding)
    same: dict[int, list[int]] = {}
    for step in reduction.steps:
        if step.rule is ReductionRule.EQUAL:
            for item, other in zip(step.items, step.others, strict=True):
                same.setdefault(other, []).append(item)
    if same:
        groups = [meaning.listed([other, *items]) for other, items in same.items()]
        first = groups[:MOST_ITEMS] if len(groups) > MOST_ITEMS + 1 else groups
        more = [counted(len(groups) - len(first), "other group")] * (len(first) < len(groups))
        yield from entry("equal", "; ".join([*first, *more]), width)
    settled = {item for option in reduction.chosen for item in before.row(option)}
    implied = [item for item in reduction.items_by(ReductionRule.IMPLIED) if item not in settled]
    needless = [item for item in reduction.items_by(ReductionRule.NEEDLESS) if item not in settled]
    if implied or needless:
        text = f"{meaning.listed(implied + needless)} forbid{'s' * (len(implied + needless) == 1)} nothing more"
        yield from entry("implied", text, width)
    optional = reduction.items_by(ReductionRule.OPTIONAL)
    if optional:
        yield from entry("optional", f"{meaning.listed(optional)}: may be left out, so not branched on", width)


#: Maximum number of symmetries that are listed one by one.
MOST_SYMMETRIES = 8


def symmetry_lines(findings: Findings, width: int) -> Iterator[str]:
    """Yield the section on symmetries: each of a small group, the kinds of a large one."""
    encoding, group = findings.encoding, findings.group
    if not findings.listed:
        yield f"symmetries of its locations and pieces: {findings.order} at least, not listed"
        return
    puzzle = encoding.fitting.puzzle
    lattice = puzzle.lattice if puzzle else None
    if lattice is None or not group.turns:
        yield "symmetries"
        how = "`--symmetry automorphisms` of count and solve finds those of the exact cover"
        yield from entry("not looked for:", how, width)
        return
    whose = "of its locations and pieces"
    yield f"symmetries {whose}: {len(group)}{', the identity alone' * (len(group) == 1)}"
    swaps = [_in_words(encoding, swap) for swap in _swaps(encoding, group)]
    if puzzle is not None and puzzle.wraps:
        yield from _around(group, lattice, swaps, width)
    elif 1 < len(group) <= MOST_SYMMETRIES:
        plain = all(lattice.cell(point) == point for point in _units(lattice))
        named = list(map(str, told_apart(group.turns, lattice)))
        formulas = [formula(turn) if plain else "" for turn in group.turns]
        wide, long = max(map(len, named)), max(map(len, formulas))
        for name, moved, swap in zip(named, formulas, swaps, strict=True):
            yield from entry(f"{name:<{wide}}  {moved:<{long}}", swap, width, wide + long + 6)
    elif len(group) > 1:
        kinds: dict[tuple[str, str, str], list[IsometryWords]] = {}
        for turn, swap in zip(group.turns, swaps, strict=True):
            described = words(turn, lattice)
            kinds.setdefault((described.kind, described.diagonal, swap), []).append(described)
        for (kind, _, swap), several in kinds.items():
            text = kind.format(_axes(several)) + (f"; {swap}" if swap else "")
            yield from entry(f"{len(several):>3}", text, width, 7)


def symmetry_kinds(findings: Findings) -> list[dict[str, Any]]:
    """Return the symmetries as data: their names, the number of each, and the names of the pieces that they exchange.

    On a wrap-around board, symmetries with the same name differ by translations. The list is empty if they are not
    looked for, or are too many.
    """
    encoding, group = findings.encoding, findings.group
    puzzle = encoding.fitting.puzzle
    lattice = puzzle.lattice if puzzle else None
    if lattice is None or not findings.listed or not group.turns:
        return []
    number: dict[tuple[str, tuple[tuple[int, ...], ...]], int] = {}
    wraps = puzzle is not None and bool(puzzle.wraps)
    named = map(partial(words, lattice=lattice), group.turns) if wraps else told_apart(group.turns, lattice)
    for name, cycles in zip(map(str, named), _swaps(encoding, group), strict=True):
        number[name, cycles] = number.get((name, cycles), 0) + 1
    piece = encoding.fitting.piece_name
    return [
        {"name": name, "number": many, "pieces": [list(map(piece, cycle)) for cycle in cycles]}
        for (name, cycles), many in number.items()
    ]


def _around(group: Symmetry, lattice: Lattice, swaps: list[str], width: int) -> Iterator[str]:
    """Yield the symmetries of a wrap-around board: the number of each rotation or reflection, with all translations."""
    kinds: dict[tuple[str, str], int] = {}
    for turn, swap in zip(group.turns, swaps, strict=True):
        name = str(words(turn, lattice))
        kinds[name, swap] = kinds.get((name, swap), 0) + 1
    for (name, swap), number in kinds.items():
        text = "in place, or shifted around" if name == "identity" else f"{name}, in place or shifted"
        if len(group) > 1:
            yield from entry(f"{number:>3}", text + (f"; {swap}" if swap else ""), width, 7)


def _axes(several: list[IsometryWords]) -> str:
    """Return the axes of isometries of one kind: all of up to three, else an example."""
    axes = sorted({words.axis for words in several if words.axis}, key=lambda axis: (axis.count("-"), axis))
    return f"one of {len(axes)} diagonals such as {axes[0]}" if axes[3:] else listed(axes, "or")


def _units(lattice: Lattice) -> list[tuple[int, ...]]:
    """Return the points whose coordinates are the unit vectors and zero."""
    size = len(lattice.translations[0])
    return [tuple(int(axis == number) for axis in range(size)) for number in range(-1, size)]


def _swaps(encoding: Encoding, group: Symmetry) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield for each symmetry the cycles of two or more pieces that it exchanges, pairs first.

    A piece without placements is fixed.
    """
    first: dict[int, int] = {}
    for option, piece in enumerate(encoding.piece):
        if piece >= 0:
            first.setdefault(piece, option)
    for options in group.options:
        image = {piece: encoding.piece[options[option]] for piece, option in first.items()}
        pairs, cycles = [], []
        while image:
            start, at = image.popitem()
            cycle = [start]
            while at != start:
                cycle.append(at)
                at = image.pop(at)
            if len(cycle) == 2:
                pairs.append(tuple(sorted(cycle)))
            elif len(cycle) > 2:
                cycles.append(tuple(cycle))
        yield (*sorted(pairs), *reversed(cycles))


def _in_words(encoding: Encoding, cycles: tuple[tuple[int, ...], ...]) -> str:
    """Return which pieces swap, and which move in longer cycles."""
    name = encoding.fitting.piece_name
    texts = [listed(list(map(name, cycle))) for cycle in cycles if len(cycle) == 2]
    phrases = [f"{', '.join(texts)} swap"] if texts else []
    return ", ".join(phrases + [" -> ".join(map(name, [*cycle, cycle[0]])) for cycle in cycles if len(cycle) > 2])
