"""What the compiler understood of a puzzle, as plain data: the numbers and names in the words of an explanation."""

from __future__ import annotations

from typing import Any

from puzzlec.engine.reduction.dominance import redundant
from puzzlec.explaining.data import cover_data, fitting_data
from puzzlec.explaining.findings import Findings, ItemMeaning, found_alone, plan, symmetry_kinds
from puzzlec.ir import Fitting, Puzzle
from puzzlec.ir.location import address_name
from puzzlec.lower import Encoding
from puzzlec.lower.covering import RULE
from puzzlec.lower.labels import Labelled

#: Members that are null if the placements cannot be listed.
_PLACED = ("pieces", "cover", "redundant", "symmetries", "symmetries_listed", "forced", "refuted", "left", "grade")


def explanation_data(subject: Puzzle | Findings) -> dict[str, Any]:
    """Return what was understood of a puzzle, with the members that docs/json.md lists.

    The placements of a Puzzle could not be listed: members that depend on them are null. An exact cover that was read
    as one has no locations and no pieces.
    """
    if isinstance(subject, Puzzle):
        lattice = subject.lattice.name if subject.lattice else None
        optional = sum(location.optional for location in subject.locations)
        sizes = {"title": subject.title, "lattice": lattice, "locations": len(subject.locations), "optional": optional}
        named = [address_name(location.at) for location in subject.locations]
        unknown: dict[str, Any] = {**dict.fromkeys(_PLACED), "search": None, "symmetry_kinds": []}
        return {**sizes, "names": named, **_rules(subject, subject.rules.empty), **unknown}
    encoding, fitting, left = subject.encoding, subject.encoding.fitting, subject.reduction.cover
    of_puzzle: dict[str, Any] = dict.fromkeys(("lattice", "locations", "optional", "names", "pieces"))
    if not encoding.raised:
        named = list(map(fitting.location_name, range(fitting.locations)))
        of_puzzle = {**fitting_data(fitting), "names": named, "pieces": _pieces(fitting, subject.bare)}
    refuted = subject.refuted or subject.reduction.refuted is not None
    return {
        "title": encoding.cover.title if encoding.raised else fitting.title,
        **of_puzzle,
        **_rules(fitting.puzzle, None if encoding.raised else fitting.empty),
        "cover": cover_data(encoding.cover),
        "redundant": _redundant(encoding),
        "symmetries": subject.order,
        "symmetries_listed": subject.listed,
        "symmetry_kinds": symmetry_kinds(subject),
        "forced": _forced(subject),
        "refuted": refuted,
        "left": None if refuted else {"options": len(left), "primary": left.primary, "secondary": left.secondary},
        "grade": subject.grade and subject.grade.as_dict(),
        "search": _search(subject) if subject.open else None,
    }


def _rules(puzzle: Puzzle | None, empty: tuple[int, int] | None) -> dict[str, Any]:
    """Return the rules of a puzzle, and the number of locations that stay empty."""
    rules: list[dict[str, Any]] = [
        {
            "rule": rule.kind.value,
            "piece": rule.piece,
            "locations": list(map(address_name, rule.region)),
            "sides": list(rule.sides),
        }
        for rule in (puzzle.rules.pieces if puzzle else ())
    ]
    others = [(rule.words, rule.region) for rule in puzzle.rules.regions] if puzzle else []
    others += [(f"{rule.words} {rule.where}".rstrip(), rule.region) for rule in puzzle.rules.meetings] if puzzle else []
    rules += [
        {"rule": words, "piece": None, "locations": list(map(address_name, region)), "sides": []}
        for words, region in others
    ]
    return {"empty": None if empty is None else list(empty), "rules": rules}


def _pieces(fitting: Fitting, bare: Fitting | None) -> list[dict[str, Any]]:
    """Return the pieces, each with the number of placements that the rules removed."""
    rows: list[dict[str, Any]] = fitting_data(fitting)["pieces"]
    before = [len(piece.placements) for piece in bare.pieces] if bare else [piece["placements"] for piece in rows]
    return [{**piece, "ruled_out": number - piece["placements"]} for piece, number in zip(rows, before, strict=True)]


def _redundant(encoding: Encoding) -> dict[str, Any]:
    """Return the names of idle and of repeated items, and the number of repeated options."""
    repeats, names = redundant(encoding.cover), ItemMeaning.of(encoding).names
    groups = [[names[item] for item in group] for group in repeats.items]
    repeated = sum(map(len, repeats.options)) - len(repeats.options)
    return {"idle": [names[item] for item in repeats.idle], "items": groups, "options": repeated}


def _forced(findings: Findings) -> dict[str, Any]:
    """Return the options that every solution has, each with the item that needs it, and the options that none has."""
    forced, names = found_alone(findings.reduction), ItemMeaning.of(findings.encoding).names
    labels = Labelled.of(findings.encoding)
    because = [names[item] for item in forced.because]
    options = [_option(findings.encoding, labels, option) for option in forced.chosen]
    return {
        "chosen": [{**option, "because": name} for option, name in zip(options, because, strict=True)],
        "impossible": [_option(findings.encoding, labels, option) for option in forced.impossible],
        "lost": None if forced.lost is None else names[forced.lost],
        "complete": forced.complete,
    }


def _option(encoding: Encoding, labels: Labelled, option: int) -> dict[str, Any]:
    """Return a placement, the null piece on a location that stays empty, or an option of an exact cover."""
    if encoding.raised:
        entries, colour = encoding.cover.entries(option), encoding.cover.colour_name
        items = [labels.items[item] + (f":{colour(number)}" if number else "") for item, number in entries]
        named = labels.option(option) if encoding.cover.option_names else str(option)
        return {"option": named, "items": items}
    piece, index = encoding.piece[option], encoding.index[option]
    if piece == RULE:
        return {"rule": labels.option(option)}
    if piece < 0:
        return {"piece": None, "placement": None, "locations": [index]}
    locations = encoding.fitting.pieces[piece].placements.row(index)
    return {"piece": encoding.fitting.piece_name(piece), "placement": index, "locations": list(locations)}


def _search(findings: Findings) -> dict[str, Any]:
    """Return how the exact cover would be searched."""
    search = plan(findings.encoding, findings.group)
    names = ItemMeaning.of(findings.encoding).names
    held = {"item": names[search.held], "options": search.having, "tried": search.movers} if search.held >= 0 else None
    compiled = search.patience is not None
    return {
        "kernel": search.kernel if compiled else "python",
        "reason": search.reason if compiled else None,
        "patience": search.patience,
        "frontier": None if search.half_done is None else {"half_done": search.half_done},
        "held": held,
    }
