"""What a checkpoint stores, as bytes: a job's header, its portions and the sums over them.

All are JSON texts; headers and portions are deflated: paths share their beginnings, which zlib sees
(docs/decisions/036-a-checkpoint-is-a-database.md has the figures). Whoever reads them checks their digest before, which
tells accidents. But a checkpoint may come from anybody: nothing that is read fills the memory, and all is of the kind
that it should be.
"""

from __future__ import annotations

import json
import math
import zlib
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from puzzlec.jobs.header import MOST_SHARDS, Header
from puzzlec.jobs.portion import Portion, State
from puzzlec.lower.symmetries import SYMMETRIES

#: The version of what is in a checkpoint, and where.
FORMAT = 1

#: A text is inflated to so many bytes at most: a header has a whole puzzle, a portion some paths.
LARGEST_HEADER, LARGEST_PORTION = 512 << 20, 32 << 20

#: Whole numbers are no larger than this, so that one can compute with them; seconds are less than these.
MOST, MOST_SECONDS = 1 << 128, 1 << 63

#: What is written of a portion besides its key, state, paths and position, in this order.
_NUMBERS = tuple(each.name for each in fields(Portion) if each.name not in ("key", "state", "paths", "position"))


@dataclass
class Totals:
    """Sums over the portions of a job, and over its runs.

    ``number``, ``raw``, ``kept``, ``nodes`` and ``seconds`` (of turns) are those of the portions; ``states`` how many
    portions are in each state. ``blocks`` and ``bytes`` say how many blocks of solutions there are, and their length
    together. ``elapsed`` are the seconds of all runs, ``saved`` how many times something was saved. ``limit`` is how
    many solutions are wanted by now, None for all.
    """

    number: int = 0
    raw: int = 0
    kept: int = 0
    nodes: int = 0
    seconds: float = 0.0
    states: dict[State, int] = field(default_factory=lambda: dict.fromkeys(State, 0))
    blocks: int = 0
    bytes: int = 0
    elapsed: float = 0.0
    saved: int = 0
    limit: int | None = None

    def add(self, portion: Portion, times: int = 1) -> None:
        """Add a portion to the sums, or take it away where ``times`` is -1."""
        self.number += times * portion.number
        self.raw += times * portion.raw
        self.kept += times * portion.kept
        self.nodes += times * portion.nodes
        self.seconds += times * portion.seconds
        self.states[portion.state] += times

    @property
    def portions(self) -> int:
        """How many portions there are, those included that were made others."""
        return sum(self.states.values())


def header_bytes(header: Header) -> bytes:
    """Return a header as bytes, with the version of the format."""
    return _deflated({"format": FORMAT, **asdict(header)})


def header_versions(data: bytes) -> tuple[int, int, str]:
    """Return the versions that a header tells: of the format, of the rule of the tree, and of puzzlec.

    Every format has them so. Raises ValueError where it is no header.
    """
    told = _inflated(data, LARGEST_HEADER)
    if isinstance(told, dict):
        form, tree, version = told.get("format"), told.get("tree"), told.get("version")
        if isinstance(form, int) and isinstance(tree, int) and isinstance(version, str):
            return form, tree, version
    raise ValueError("this is no header")


def read_header(data: bytes) -> Header:
    """Return a header from its bytes; ValueError where it is none of this version of the package."""
    told = _inflated(data, LARGEST_HEADER)
    try:
        del told["format"]
        if (shard := told.pop("shard")) is not None:
            number, of = shard
            shard = (_whole(number, 1, _whole(of, 1, MOST_SHARDS)), of)
        for name in ("puzzle", "title", "fingerprint", "task", "symmetry", "plan", "version"):
            if not isinstance(told[name], str):
                raise ValueError(f"its {name} is no text")
        if told["task"] not in ("solutions", "count") or told["symmetry"] not in SYMMETRIES:
            raise ValueError("its task or its kind of symmetry is none")
        _whole(told["planned"])
        _wanted(told["limit"])
        return Header(shard=shard, **told)
    except (TypeError, KeyError) as error:
        raise ValueError(f"a header has other fields: {error}") from None


def portion_bytes(portion: Portion) -> bytes:
    """Return a portion as bytes, without its key and state."""
    return _deflated([[getattr(portion, name) for name in _NUMBERS], portion.position, portion.paths])


def read_portion(key: bytes, state: int, data: bytes) -> Portion:
    """Return a portion from its key, state and bytes; ValueError where they are none of this version."""
    try:
        numbers, position, paths = _inflated(data, LARGEST_PORTION)
        told = dict(zip(_NUMBERS, numbers, strict=True))
        for name, number in told.items():
            if name in ("size", "spread"):  # of a large tree it may be infinite
                _real(number, math.inf)
            else:
                (_seconds if name == "seconds" else _whole)(number)
        branches = tuple(tuple((_whole(item), _whole(option, -1)) for item, option in path) for path in paths)
        place = tuple((_whole(done), _whole(of)) for done, of in position)
        return Portion(key=key, state=State(state), paths=branches, position=place, **told)
    except TypeError as error:
        raise ValueError(f"a portion has other fields: {error}") from None


def totals_bytes(totals: Totals) -> bytes:
    """Return sums as bytes."""
    return json.dumps({**totals.__dict__, "states": [totals.states[state] for state in State]}).encode()


def read_totals(data: bytes) -> Totals:
    """Return sums from their bytes; ValueError where they are none of this version."""
    told = _read(data)
    try:
        told["states"] = dict(zip(State, map(_whole, told["states"]), strict=True))
        for name, value in told.items():
            if name in ("seconds", "elapsed"):
                _seconds(value)
            elif name == "limit":
                _wanted(value)
            elif name != "states":
                _whole(value)
        return Totals(**told)
    except (TypeError, KeyError) as error:
        raise ValueError(f"the sums have other fields: {error}") from None


def run_bytes(seconds: float, workers: str) -> bytes:
    """Return how long a run took, and who worked, as bytes."""
    return json.dumps([seconds, workers]).encode()


def read_run(data: bytes) -> tuple[float, str]:
    """Return how long a run took, and who worked, from their bytes; ValueError where they are none."""
    try:
        seconds, workers = _read(data)
        return _seconds(seconds), str(workers)
    except TypeError as error:
        raise ValueError(f"a run has other fields: {error}") from None


def _deflated(value: object) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)


def _inflated(data: bytes, most: int) -> Any:
    inflating = zlib.decompressobj()
    try:
        text = inflating.decompress(data, most)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not inflating.eof or inflating.unused_data:
        raise ValueError("it is cut off, or too long")
    return _read(text)


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _whole(number: object, least: int = 0, most: int = MOST) -> int:
    """Return a number that was read, if it is a whole one in these bounds; ValueError for all else."""
    if type(number) is not int or not least <= number <= most:
        raise ValueError("a number is none, or out of range")
    return number


def _real(number: object, most: float) -> float:
    """Return a number that was read, if it is from 0 to another one; ValueError for all else."""
    if isinstance(number, float) and 0 <= number <= most:
        return number
    return float(_whole(number))


def _seconds(number: object) -> float:
    return _real(number, MOST_SECONDS)


def _wanted(limit: object) -> None:
    """Raise ValueError unless this is a number of solutions that are wanted, or None for all."""
    if limit is not None:
        _whole(limit, 1)
