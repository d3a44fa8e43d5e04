"""The records of a checkpoint as bytes: a job's header, its work units and their sums, and digests of the rows.

All are JSON texts. Headers and work units are deflated: paths share their beginnings
(docs/decisions/036-a-checkpoint-is-a-database.md has the figures). Readers check the digest first. It reveals
accidental damage, but not forgery. A checkpoint may also be forged, so reading never fills the memory and checks every
type.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from typing import Any, Literal, TypeAlias, get_args

from puzzlec.diagnostics.error import fail
from puzzlec.jobs.work_unit import SUMMED, UnitState, WorkUnit
from puzzlec.lower.symmetries import SYMMETRIES, SymmetryKind
from puzzlec.version import __version__

VERSION = __version__

#: Maximum number of shards. A larger number is probably a typing error.
MAX_SHARDS = 10_000


def read_shard(text: str) -> tuple[int, int]:
    """Return the number of a shard from 1, and the number of all shards; raise PuzzleError for another text.

    >>> read_shard("3/100")
    (3, 100)
    """
    match = re.fullmatch(r"\s*([0-9]{1,99})\s*/\s*([0-9]{1,99})\s*", text)
    help = "use `--shard 3/100` for the third of 100 parts"
    if match is None:
        raise fail("PZ629", f"`{text}` is not a shard: expected two integers separated by `/`", help=help)
    number, of = int(match[1]), int(match[2])
    if not 1 <= of <= MAX_SHARDS:
        raise fail("PZ629", f"{of} shards are not possible", note=f"the number must be 1 to {MAX_SHARDS}", help=help)
    if not 1 <= number <= of:
        raise fail("PZ629", f"unknown shard {number} of {of}", note=f"shards are numbered from 1 to {of}", help=help)
    return number, of


#: What a job does with solutions: keep them, or only count them.
TaskName: TypeAlias = Literal["solutions", "count"]
TASKS = get_args(TaskName)


@dataclass(frozen=True)
class Header:
    """The identity of a job. It is at the head of its checkpoint and never changes.

    - ``puzzle``: the puzzle as JSON text of this package (lossless; see docs/formats/own.md); ``title``: its title.
    - ``fingerprint``: the sha256 of its exact cover (:func:`puzzlec.engine.diagram_file.fingerprint`).
    - ``task``: "solutions" (all are found and kept) or "count".
    - ``symmetry``: one of :data:`puzzlec.lower.symmetries.SYMMETRIES`, under which solutions are counted.
    - ``limit``: number of solutions to find at first, None for all.
    - ``shard``: (3, 100) for the third of a hundred parts.
    - ``plan``: the sha256 of all planned work units; ``planned``: their number in all shards together.
    - ``tree``: the version of the search tree (:data:`puzzlec.engine.search.splitting.TREE_VERSION`).
    - ``version``: the puzzlec that made it.
    """

    puzzle: str = field(repr=False)
    title: str
    fingerprint: str
    task: TaskName
    symmetry: SymmetryKind
    limit: int | None
    shard: tuple[int, int] | None
    plan: str
    planned: int
    tree: int
    version: str


#: Version of the content of a checkpoint.
FORMAT = 1

#: Maximum numbers of bytes of inflated texts: a header has a whole puzzle, a work unit has some paths.
MAX_HEADER_BYTES, MAX_UNIT_BYTES = 512 << 20, 32 << 20

#: Largest integers and seconds. Larger ones are damage.
MAX_INTEGER, MAX_SECONDS = 1 << 128, 1 << 63

#: Members of a stored work unit besides its key, state, paths and position, in this order.
_UNIT_MEMBERS = tuple(
    field.name for field in fields(WorkUnit) if field.name not in ("key", "state", "paths", "position")
)


@dataclass
class JobTotals:
    """Sums over the work units of a job, and over its runs.

    ``number``, ``raw``, ``kept``, ``nodes`` and ``seconds`` (of time slices) are sums over work units. ``states`` is
    the number of work units in each state. ``blocks`` and ``bytes`` are the number of blocks of solutions and their
    total length. ``elapsed`` are the seconds of all runs, ``saved`` is the number of saves. ``limit`` is the number of
    solutions to find, None for all.
    """

    number: int = 0
    raw: int = 0
    kept: int = 0
    nodes: int = 0
    seconds: float = 0.0
    states: dict[UnitState, int] = field(default_factory=lambda: dict.fromkeys(UnitState, 0))
    blocks: int = 0
    bytes: int = 0
    elapsed: float = 0.0
    saved: int = 0
    limit: int | None = None

    def add(self, unit: WorkUnit, times: int = 1) -> None:
        """Add a work unit to the sums, or subtract it if ``times`` is -1."""
        for name in SUMMED:
            setattr(self, name, getattr(self, name) + times * getattr(unit, name))
        self.states[unit.state] += times


def header_bytes(header: Header) -> bytes:
    """Return a header as bytes, with the version of the format."""
    return _deflated({"format": FORMAT, **asdict(header)})


def header_versions(data: bytes) -> tuple[int, int, str]:
    """Return the versions in a header: of the format, of the search tree, and of puzzlec.

    Every format has them in the same position. Raises ValueError if it is not a header.
    """
    match _inflated(data, MAX_HEADER_BYTES):
        case {"format": int(form), "tree": int(tree), "version": str(version)}:
            return form, tree, version
    raise ValueError("this is not a header")


def read_header(data: bytes) -> Header:
    """Return a header from its bytes; ValueError if it is not one of this version."""
    members = _inflated(data, MAX_HEADER_BYTES)
    try:
        del members["format"]
        if (shard := members.pop("shard")) is not None:
            number, of = shard
            shard = (_whole(number, 1, _whole(of, 1, MAX_SHARDS)), of)
        _check(members)
        if members["task"] not in TASKS or members["symmetry"] not in SYMMETRIES:
            raise ValueError("its task or its kind of symmetry is unknown")
        return Header(shard=shard, **members)
    except (TypeError, KeyError) as error:
        raise ValueError(f"a header has the wrong fields: {error}") from None


def unit_bytes(unit: WorkUnit) -> bytes:
    """Return a work unit as bytes, without its key and state."""
    return _deflated([[getattr(unit, name) for name in _UNIT_MEMBERS], unit.position, unit.paths])


def read_unit(key: bytes, state: int, data: bytes) -> WorkUnit:
    """Return a work unit from its key, state and bytes; ValueError if it is not one of this version."""
    try:
        numbers, position, paths = _inflated(data, MAX_UNIT_BYTES)
        members = dict(zip(_UNIT_MEMBERS, numbers, strict=True))
        _check(members)
        branches = tuple(tuple((_whole(item), _whole(option, -1)) for item, option in path) for path in paths)
        place = tuple((_whole(done), _whole(of)) for done, of in position)
        return WorkUnit(key=key, state=UnitState(state), paths=branches, position=place, **members)
    except TypeError as error:
        raise ValueError(f"a work unit has the wrong fields: {error}") from None


def totals_bytes(totals: JobTotals) -> bytes:
    """Return sums as bytes."""
    return json.dumps({**totals.__dict__, "states": [totals.states[state] for state in UnitState]}).encode()


def read_totals(data: bytes) -> JobTotals:
    """Return sums from their bytes; ValueError if they are not of this version."""
    members = _read(data)
    try:
        states = dict(zip(UnitState, map(_whole, members.pop("states")), strict=True))
        _check(members)
        return JobTotals(states=states, **members)
    except (TypeError, KeyError) as error:
        raise ValueError(f"the sums have the wrong fields: {error}") from None


def run_bytes(seconds: float, workers: str) -> bytes:
    """Return the seconds and the workers of a run as bytes."""
    return json.dumps([seconds, workers]).encode()


def read_run(data: bytes) -> tuple[float, str]:
    """Return the seconds and the workers of a run from their bytes; ValueError if they are invalid."""
    try:
        seconds, workers = _read(data)
        return _real(seconds, MAX_SECONDS), str(workers)
    except TypeError as error:
        raise ValueError(f"a run has the wrong fields: {error}") from None


def _deflated(value: object) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)


def _inflated(data: bytes, most: int) -> Any:
    inflating = zlib.decompressobj()
    try:
        text = inflating.decompress(data, most)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not inflating.eof or inflating.unused_data:
        raise ValueError("it is truncated or too long")
    return _read(text)


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _whole(number: object, least: int = 0, most: int = MAX_INTEGER) -> int:
    """Return a number if it is an integer in these bounds; ValueError otherwise."""
    if type(number) is not int or not least <= number <= most:
        raise ValueError("a number is invalid or out of range")
    return number


def _real(number: object, most: float) -> float:
    """Return a number if it is from 0 to the largest one; ValueError otherwise."""
    if isinstance(number, float) and 0 <= number <= most:
        return number
    return float(_whole(number))


def _check(members: Mapping[str, object]) -> None:
    """Raise ValueError unless the members of a record have the types of their names."""
    for name, value in members.items():
        if name in ("puzzle", "title", "fingerprint", "task", "symmetry", "plan", "version"):
            if not isinstance(value, str):
                raise ValueError(f"its {name} is not a text")
        elif name in ("size", "spread"):  # infinite for a large tree
            _real(value, math.inf)
        elif name in ("seconds", "elapsed"):
            _real(value, MAX_SECONDS)
        elif name != "limit" or value is not None:  # no limit: all solutions
            _whole(value, int(name == "limit"))


#: Bytes of a digest. One case of damage in 10^19 goes unnoticed.
_DIGEST_BYTES = 8


def digest(data: bytes, *where: object, job: bytes = b"") -> bytes:
    """Return the digest of bytes at a position (name of the table, key, ...) of a job's checkpoint.

    It is blake2b (RFC 7693), keyed by the job and the table, so a row of another checkpoint does not fit.
    """
    made = blake2b(digest_size=_DIGEST_BYTES, key=job)
    place = repr(where).encode()
    made.update(len(place).to_bytes(4, "big") + place)
    made.update(data)
    return made.digest()


def sealed(data: bytes, *where: object, job: bytes = b"") -> bytes:
    """Return the bytes followed by their digest."""
    return data + digest(data, *where, job=job)


def opened(data: object, *where: object, job: bytes = b"") -> bytes:
    """Return sealed bytes without their digest; raise ValueError if the digest is wrong."""
    if type(data) is not bytes or digest(data[:-_DIGEST_BYTES], *where, job=job) != data[-_DIGEST_BYTES:]:
        raise ValueError("wrong digest")
    return data[:-_DIGEST_BYTES]
