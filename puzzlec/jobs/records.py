"""What a checkpoint stores, as bytes: a job's header, its portions and the sums over them.

All are JSON texts; headers and portions are deflated: paths share their beginnings, which zlib sees
(docs/decisions/036-a-checkpoint-is-a-database.md has the figures). Whoever reads them checks their digest before, so
what is read here was written here, or by another version of the package.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from puzzlec.jobs.header import Header
from puzzlec.jobs.portion import Portion, State

#: The version of what is in a checkpoint, and where.
FORMAT = 1

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
    told = _inflated(data)
    if isinstance(told, dict):
        form, tree, version = told.get("format"), told.get("tree"), told.get("version")
        if isinstance(form, int) and isinstance(tree, int) and isinstance(version, str):
            return form, tree, version
    raise ValueError("this is no header")


def read_header(data: bytes) -> Header:
    """Return a header from its bytes; ValueError where it is none of this version of the package."""
    told = _inflated(data)
    try:
        del told["format"]
        shard = told.pop("shard")
        return Header(shard=None if shard is None else (int(shard[0]), int(shard[1])), **told)
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"a header has other fields: {error}") from None


def portion_bytes(portion: Portion) -> bytes:
    """Return a portion as bytes, without its key and state."""
    return _deflated([[getattr(portion, name) for name in _NUMBERS], portion.position, portion.paths])


def read_portion(key: bytes, state: int, data: bytes) -> Portion:
    """Return a portion from its key, state and bytes; ValueError where they are none of this version."""
    try:
        numbers, position, paths = _inflated(data)
        told = dict(zip(_NUMBERS, numbers, strict=True))
        branches = tuple(tuple((item, option) for item, option in path) for path in paths)
        return Portion(key=key, state=State(state), paths=branches, position=tuple((a, b) for a, b in position), **told)
    except TypeError as error:
        raise ValueError(f"a portion has other fields: {error}") from None


def totals_bytes(totals: Totals) -> bytes:
    """Return sums as bytes."""
    return json.dumps({**totals.__dict__, "states": [totals.states[state] for state in State]}).encode()


def read_totals(data: bytes) -> Totals:
    """Return sums from their bytes; ValueError where they are none of this version."""
    told = json.loads(data)
    try:
        told["states"] = dict(zip(State, told["states"], strict=True))
        return Totals(**told)
    except (TypeError, KeyError) as error:
        raise ValueError(f"the sums have other fields: {error}") from None


def run_bytes(seconds: float, workers: str) -> bytes:
    """Return how long a run took, and who worked, as bytes."""
    return json.dumps([seconds, workers]).encode()


def read_run(data: bytes) -> tuple[float, str]:
    """Return how long a run took, and who worked, from their bytes; ValueError where they are none."""
    seconds, workers = json.loads(data)
    return float(seconds), str(workers)


def _deflated(value: object) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)


def _inflated(data: bytes) -> Any:
    try:
        return json.loads(zlib.decompress(data))
    except zlib.error as error:
        raise ValueError(str(error)) from None
