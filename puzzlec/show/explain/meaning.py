"""The meaning of items, redundant items and options, and the effect of reductions, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from puzzlec.diagnostics import counted
from puzzlec.engine.reduction.dominance import redundant
from puzzlec.engine.reduction.forcing import Forced
from puzzlec.engine.reduction.reductions import Reduction
from puzzlec.engine.reduction.reductions import Rule as Reason
from puzzlec.lower import Encoding
from puzzlec.lower.labels import Labelled
from puzzlec.show.terminal.layout import entry, listed

#: The longest list of items; longer ones are cut.
MOST_ITEMS = 8

_KINDS = ("piece ", "location ", "item ")


class Meaning(NamedTuple):
    """The meaning of the items of an exact cover: `piece X`, `location 0,0`; `item a` if it was read as one."""

    names: list[str]

    @classmethod
    def of(cls, encoding: Encoding) -> Meaning:
        """Return the meaning of the items of this exact cover."""
        if encoding.raised:
            return cls([f"item {name}" for name in Labelled(encoding.cover).items])
        names = ["the number of empty locations"] * (encoding.cover.primary + encoding.cover.secondary)
        for number, item in enumerate(encoding.item_of_piece):
            if item >= 0:
                names[item] = f"piece {encoding.fitting.piece_name(number)}"
        for number, item in enumerate(encoding.item_of_location):
            if item >= 0:
                names[item] = f"location {encoding.fitting.location_name(number)}"
        for ends, item in encoding.item_of_joint.items():
            names[item] = f"the joint of {listed([encoding.fitting.location_name(end) for end in ends])}"
        for ways, item in encoding.item_of_crossing.items():
            around = sorted({end for way in ways for end in way})
            names[item] = f"the crossing of {listed([encoding.fitting.location_name(end) for end in around])}"
        if encoding.rules is not None:
            rules = encoding.rules
            for first, own in zip(encoding.first_of_rules, (rules.primary, rules.secondary), strict=True):
                for number, name in enumerate(own):
                    names[first + number] = f"`{name}`"
        return cls(names)

    def listed(self, items: Iterable[int]) -> str:
        """Describe items in words: their kind once, then the names of the first ones."""
        names = [self.names[item] for item in items]
        for kind in ("joint", "crossing"):  # their names are long
            own = [name for name in names if name.startswith(f"the {kind} ")]
            if own[2:]:
                names = [*(name for name in names if name not in own), counted(len(own), kind)]
        shown = names[:MOST_ITEMS] if len(names) > MOST_ITEMS + 1 else names
        texts = []
        for kind in _KINDS:
            own = [name.removeprefix(kind) for name in shown if name.startswith(kind)]
            texts += [f"{kind.strip()}{'s' * (len(own) > 1)} {listed(own)}"] * bool(own)
        texts += [name for name in shown if not name.startswith(_KINDS)]
        texts += [counted(len(names) - len(shown), "other")] * (len(shown) < len(names))
        return listed(texts)


def redundancies(encoding: Encoding) -> Iterator[str]:
    """Yield a sentence for each redundancy of an exact cover."""
    found = redundant(encoding.cover)
    meaning = Meaning.of(encoding)
    if found.idle:
        verbs = "forbid nor demand" if found.idle[1:] else "forbids nor demands"
        yield f"{meaning.listed(found.idle)} neither {verbs} anything"
    for group in found.items[:MOST_ITEMS]:
        yield f"{meaning.listed(group)} have the same options: one of them is enough"
    if len(found.items) > MOST_ITEMS:
        yield f"and {counted(len(found.items) - MOST_ITEMS, 'other group')} of items with the same options"
    if found.options:
        number = sum(map(len, found.options)) - len(found.options)
        single = number == 1
        repeats, count = (
            ("repeats another", "it counts as a solution") if single else ("repeat others", "they count as solutions")
        )
        yield f"{counted(number, 'option')} that {repeats}: {count} of {'its' if single else 'their'} own"
    if found == type(found)((), (), ()):
        yield "nothing"


def found_alone(reduction: Reduction) -> Forced:
    """Return the effect of the reductions on single options."""
    because = [item for step in reduction.steps if step.rule is Reason.FORCED for item in step.others]
    impossible = reduction.options_by(Reason.IMPOSSIBLE) + reduction.options_by(Reason.DOMINATED)
    chosen = reduction.options_by(Reason.FORCED)
    return Forced(tuple(chosen), tuple(because), tuple(sorted(impossible)), reduction.refuted, reduction.complete)


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
    meaning = Meaning.of(encoding)
    same: dict[int, list[int]] = {}
    for step in reduction.steps:
        if step.rule is Reason.EQUAL:
            for item, other in zip(step.items, step.others, strict=True):
                same.setdefault(other, []).append(item)
    if same:
        groups = [meaning.listed([other, *items]) for other, items in same.items()]
        shown = groups[:MOST_ITEMS] if len(groups) > MOST_ITEMS + 1 else groups
        more = [counted(len(groups) - len(shown), "other group")] * (len(shown) < len(groups))
        yield from entry("equal", "; ".join([*shown, *more]), width)
    settled = {item for option in reduction.chosen for item in before.row(option)}
    implied = [item for item in reduction.items_by(Reason.IMPLIED) if item not in settled]
    needless = [item for item in reduction.items_by(Reason.NEEDLESS) if item not in settled]
    if implied or needless:
        text = f"{meaning.listed(implied + needless)} forbid{'s' * (len(implied + needless) == 1)} nothing more"
        yield from entry("implied", text, width)
    optional = reduction.items_by(Reason.OPTIONAL)
    if optional:
        yield from entry("optional", f"{meaning.listed(optional)}: may be left out, so not branched on", width)
