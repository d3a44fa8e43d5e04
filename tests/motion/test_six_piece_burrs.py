"""The class of six-piece burrs: docs/disassembly.md has its numbers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

pytest.importorskip("numba")

from puzzlec.geometry import find_lattice
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.moves import Body
from tests.tools.bench.six_piece_burrs import Burrs, Counter, Mover, _first_level, levels


def test_sticks_and_symmetries_are_those_that_are_published() -> None:
    burrs, every = Burrs(), Burrs(notchable=False)
    assert (burrs.masks.shape, every.masks.shape, len(burrs.bit)) == ((6, 147), (6, 2225), 32)
    assert len(burrs.symmetries[0]) == 24
    assert {place: len(cells) for place, cells in enumerate(burrs.inside)} == dict.fromkeys(range(6), 12)


@pytest.mark.slow
def test_first_levels_are_those_of_the_disassembler() -> None:
    burrs, random, seen = Burrs(8), Random(4), set[int]()
    mover, known = Mover(burrs), Disassembler(find_lattice("cubic"))
    room = mover.room()
    while len(seen) < 3:
        chosen, used = [], 0
        for place in range(6):
            free = [number for number, mask in enumerate(burrs.masks[place].tolist()) if not used & mask]
            chosen.append(random.choice(free) if free else -1)
            used |= int(burrs.masks[place, chosen[-1]])
        if -1 in chosen:
            continue
        bodies = [Body("s", burrs.stick(place, int(burrs.masks[place, n]))) for place, n in enumerate(chosen)]
        result = known.take_apart(bodies)
        found = _first_level(np.array(chosen), (mover.shapes, mover.ats, mover.lines, mover.steps), room)
        if result.apart:
            assert result.level is not None
            assert found == result.level[0]
            seen.add(found)
        elif found == 0:
            seen.add(0)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_all_notchable_burrs_have_the_published_number_and_levels() -> None:
    burrs = Burrs()
    counter = Counter(burrs)
    assert counter.count() == (13_354_991, 320_439_782)
    for assembly in counter.sampled(200, 1):
        masks = [int(burrs.masks[place, stick]) for place, stick in enumerate(assembly)]
        assert sum(mask.bit_count() for mask in masks) == int(np.bitwise_or.reduce(masks)).bit_count()
    tally = levels(6, 2)
    assert tally[:10].tolist() == [5896054, 4594630, 1736019, 864053, 218550, 42724, 2297, 629, 19, 16]
    assert tally.sum() == 13_354_991
