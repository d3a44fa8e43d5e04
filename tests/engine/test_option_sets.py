"""Sets of options as integers: the options of each item, and options that agree."""

from __future__ import annotations

from hypothesis import given

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.forcing import agreeing_options, members, options_of_items
from tests.engine.test_kernels import problems


@given(problems())
def test_an_option_is_in_the_sets_of_its_items_and_of_its_colours(cover: ExactCover) -> None:
    options_of, agreeing = options_of_items(cover), agreeing_options(cover)
    rows = [cover.entries(option) for option in range(len(cover))]
    for item, options in enumerate(options_of):
        assert list(members(options)) == [o for o, row in enumerate(rows) if item in dict(row)]
    painted = {entry for row in rows for entry in row if entry[1]}
    assert agreeing.keys() == painted, "options that give an item no colour do not go together there"
    for entry, options in agreeing.items():
        assert list(members(options)) == [o for o, row in enumerate(rows) if entry in row]


def test_the_ninth_option_is_in_the_second_byte() -> None:
    cover = ExactCover.from_rows([[0], *[[1]] * 7, [0, (2, 1)], [1, (2, 1)]], primary=2, secondary=1)
    assert options_of_items(cover) == [0b01_0000_0001, 0b10_1111_1110, 0b11_0000_0000]
    assert agreeing_options(cover) == {(2, 1): 0b11_0000_0000}
    assert list(members(1 << 8 | 1)) == [0, 8]
    assert list(members(0)) == []
