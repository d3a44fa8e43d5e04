"""What a long search is cut into, and what a turn on a portion of it brings.

A *portion* is some consecutive subproblems of the search tree (:mod:`puzzlec.engine.search.splitting`), what was found
in it so far, and the position where its search goes on. Workers have *turns*: each is given a portion, searches it for
a few seconds, and gives back what it has met and the new position. So nothing but the last seconds can be lost, whoever
fails, and any worker can go on where another one stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from puzzlec.engine.search.splitting import Path
from puzzlec.engine.search.walking import Position


class State(IntEnum):
    """What is known of a portion: something is left to search, all is searched, or the rest was made other portions."""

    OPEN = 0
    DONE = 1
    SPLIT = 2


@dataclass(frozen=True)
class Portion:
    """Consecutive subproblems of a stage of the search, and how far they are searched.

    ``key`` is its place in the order of the search: keys are compared as bytes, four for each level of splitting (big
    endian), and the portions that were split off from one come behind it, their keys beginning with its own.
    ``paths`` are the subproblems that are not done, in the order of the search; ``position`` is where the first of them
    was left. ``size`` is the estimated number of nodes that all of the portion had when it was made, ``spread`` the
    standard error of that estimate (nodes, too). ``nodes``, ``number`` (solutions) and ``seconds`` (of turns) are what
    was met so far; ``kept`` how many solutions of them are stored. ``raw`` is how many raw solutions ``number`` stands
    for. ``children`` is how many portions were split off from it; the store counts them.
    """

    key: bytes
    stage: int
    paths: tuple[Path, ...]
    position: Position = ()
    state: State = State.OPEN
    size: float = 0.0
    spread: float = 0.0
    nodes: int = 0
    number: int = 0
    raw: int = 0
    kept: int = 0
    seconds: float = 0.0
    children: int = 0

    @property
    def name(self) -> str:
        """The key as people read it, such as ``17.3``: the third one that was split off from the 17th, from 0 on."""
        numbers = [int.from_bytes(self.key[at : at + 4], "big") for at in range(0, len(self.key), 4)]
        return ".".join(map(str, numbers))


@dataclass(frozen=True)
class Work:
    """A turn that somebody is to have: search a portion for ``seconds``, or until ``room`` integers are filled.

    ``room`` bounds what one turn may bring (options of the solutions found). ``before`` is the name of the worker that
    had the turn before, who may still have the search at hand; "" for a first turn. Where ``divide`` is over 0, what is
    left at the end of the turn is divided into about so many portions; ``size`` is how many nodes may be left.
    """

    key: bytes
    stage: int
    paths: tuple[Path, ...]
    position: Position
    seconds: float
    room: int
    before: str = ""
    divide: int = 0
    size: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """What a turn has brought, and what is left: ``paths`` (none where the portion is done) and ``position``.

    ``parts`` are the portions that it was divided into, if it was; then ``paths`` are empty, and all that is left is
    theirs. ``block`` has the solutions that are to be kept, ``kept`` of them (see :mod:`puzzlec.jobs.blocks`); empty
    for none. The rest is as in :class:`Portion`, for this turn alone. ``worker`` names who had the turn.
    """

    key: bytes
    paths: tuple[Path, ...]
    position: Position
    nodes: int
    number: int
    raw: int
    kept: int
    block: bytes
    seconds: float
    worker: str = ""
    parts: tuple[Portion, ...] = ()
