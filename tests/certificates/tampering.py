"""Certificates with one changed value or line, and with a new digest."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from pathlib import Path
from typing import Any

from puzzlec.certificates.writing import write_best, write_count
from puzzlec.compiler import compile
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.cheapest import Cheapest

#: Replacements of a value, in addition to a near number.
STRANGE: tuple[Any, ...] = (0, 1, -1, 2, True, None, 1.0, "1", [], [0], [[0, 0]], {}, {"table": 0}, 1 << 31, 10**30)


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def save(path: Path, values: list[Any]) -> Path:
    """Write lines, the last one with the digest of the others."""
    text = "".join(json.dumps(value) + "\n" for value in values[:-1])
    last = values[-1]
    if isinstance(last, dict):
        last = last | {"sha256": hashlib.sha256(text.encode()).hexdigest()}
    path.write_text(text + json.dumps(last) + "\n", encoding="utf-8")
    return path


def certificate_of(cover: ExactCover, path: Path) -> list[Any]:
    """Return the lines of the certificate of an exact cover."""
    encoding = compile(cover)
    write_count(encoding, path, packed=False, which="automorphisms")
    return lines_of(path)


def best_of(cover: ExactCover, greatest: bool, path: Path) -> list[Any] | None:
    """Return the lines of the certificate of the best cost of an exact cover; None if it has no cover."""
    best = Cheapest(cover, greatest=greatest).find()
    if not best:
        return None
    write_best(compile(cover), best[0], greatest, path, packed=False)
    return lines_of(path)


def tampered(values: list[Any], draw: random.Random) -> list[Any]:
    """Return the lines with one change: a line removed, doubled or moved; or a value changed."""
    values = copy.deepcopy(values)
    at = draw.randrange(len(values))
    how = draw.randrange(8)
    if how == 0:
        del values[at]
    elif how == 1:
        values.insert(draw.randrange(len(values)), copy.deepcopy(values[at]))
    elif how == 2:
        other = draw.randrange(len(values))
        values[at], values[other] = values[other], values[at]
    else:
        _change(values, at, draw)
    return values


def _change(holder: Any, key: Any, draw: random.Random) -> None:
    """Change a value in a list or an object."""
    value = holder[key]
    if isinstance(value, list | dict) and value and draw.random() < 0.9:
        within = draw.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if isinstance(value, list) and draw.random() < 0.15:
            if draw.random() < 0.5:
                del value[within]
            else:
                value.insert(within, copy.deepcopy(value[within]))
            return
        _change(value, within, draw)
    elif isinstance(value, int) and draw.random() < 0.7:
        holder[key] = value + draw.choice((-2, -1, 1, 2))
    else:
        holder[key] = copy.deepcopy(draw.choice(STRANGE))


def brute(cover: Any) -> set[tuple[int, ...]]:
    """Return all covers of the exact cover in a certificate, by trying every set of options."""
    items, options = cover["items"], cover["options"]
    found = set()
    for chosen in range(1 << len(options)):
        taken = [option for option in range(len(options)) if chosen >> option & 1]
        shown: list[list[int]] = [[] for _ in items]
        for option in taken:
            for item, colour in zip(options[option][::2], options[option][1::2], strict=True):
                shown[item].append(colour)
        if all(
            len(values) < 2 or (len(set(values)) == 1 and values[0] > 0)
            if bounds is None
            else bounds[0] <= len(values) <= bounds[1]
            for bounds, values in zip(items, shown, strict=True)
        ):
            found.add(tuple(taken))
    return found


def orbits(covers: set[tuple[int, ...]], symmetries: list[Any]) -> int:
    """Return the number of covers up to symmetries; AssertionError if a symmetry leads out of the covers."""
    left, number = set(covers), 0
    while left:
        number += 1
        reached = {left.pop()}
        while reached:
            images = {tuple(sorted(move[option] for option in cover)) for _, move in symmetries for cover in reached}
            assert images <= covers
            reached = images & left
            left -= images
    return number


def small(draw: random.Random) -> ExactCover:
    """Return a random exact cover with few items and options, bounds and colours, often with symmetries."""
    primary, secondary = draw.randint(1, 4), draw.randint(0, 2)
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(draw.randint(1, 7)):
        row: list[int | tuple[int, int]] = [*draw.sample(range(primary), draw.randint(1, min(2, primary)))]
        others = [item for item in range(primary, primary + secondary) if draw.random() < 0.4]
        row.extend((item, draw.choice((0, 0, 1, 2))) for item in others)
        rows.append(row)
    bounds = [draw.choice(((1, 1), (1, 1), (1, 1), (0, 1), (1, 2), (2, 2), (0, 3), (0, 0))) for _ in range(primary)]
    return ExactCover.from_rows(rows, primary, secondary, bounds)


def true_claims(values: list[Any]) -> dict[str, int]:
    """Return the true claims about the exact cover of a certificate, by brute force."""
    covers = brute(values[0]["cover"])
    lists = [value for value in values[1:] if isinstance(value, dict) and "covers" in value]
    costs = values[0]["cover"].get("costs", [0] * len(values[0]["cover"]["options"]))
    prices = [sum(costs[option] for option in taken) for taken in covers]
    symmetries: list[Any] = next((value["symmetries"] for value in lists if "symmetries" in value), [])
    return {
        "raw": len(covers),
        "listed": sum(value["covers"] for value in lists),
        "distinct": orbits(covers, symmetries),
        "least": min(prices, default=0),
        "greatest": max(prices, default=0),
    }
