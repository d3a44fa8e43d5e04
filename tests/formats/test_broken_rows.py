from __future__ import annotations

import pytest

from tests.broken import refused

ROWS: dict[str, tuple[str | bytes, list[str]]] = {
    "only remarks": ("# nothing\n// here\n", ["PZ287"]),
    "rows of different length": ("101\n10\n", ["PZ287"]),
    "a longer row": ("101 a\n1011 b\n", ["PZ287"]),
    "a two": ("101\n121\n", ["PZ287"]),
    "a two in the first row": ("201\n111\n", ["PZ287"]),
    "a letter": ("101\n1o1\n", ["PZ287"]),
    "a name in front": ("Q 101\n011\n", ["PZ287", "PZ287"]),
    "a minus sign": ("101\n-11\n", ["PZ287"]),
    "a two behind commas": ("1,0,2\n0,1,2\n", ["PZ287", "PZ287"]),
    "a letter behind a comma": ("1,0,1\n0,x,0\n", ["PZ287"]),
    "a letter in the first row behind a comma": ("1,x,1\n0,1,0\n", ["PZ287", "PZ287"]),
    "rows of different length between spaces": ("1 0 1\n0 1\n", ["PZ287"]),
    "too few names of columns": ("a,b\n1,0,1\n0,1,0\n", ["PZ287"]),
    "a separator that changes": ("1,0,1\n0 1 0\n", ["PZ287"]),
    "names of 0 and 1": ("101 0\n010 1\n", ["PZ227"]),
    "groups of digits": ("1010 0110\n0101 1001\n", ["PZ227"]),
    "names of 0 and 1 behind commas": ("1,0,1 0\n0,1,0 1\n", ["PZ227", "PZ227"]),
    "fewer columns than a comment says": ("# 3 columns\n10 1\n01 0\n", ["PZ287", "PZ287"]),
    "brackets": ("[101]\n[010]\n", ["PZ287", "PZ287"]),
    "letters for digits": ("10l\n0l0\n", ["PZ287", "PZ287"]),
    "digits of another script": ("101\n1\u0661\u0660\n", ["PZ287"]),
    "a line of the numeric form": ("101\n0,2 b\n", ["PZ287"]),
    "a line of dlx": ("| remark\n101\n", ["PZ287", "PZ287"]),
    "several faults": ("101\n10\n000\n1x1\n", ["PZ287", "PZ287"]),
    "a dot for zero": ("1.1\n.1.\n", ["PZ287", "PZ287"]),
    "an underscore": ("1_1\n011\n", ["PZ287"]),
    "a no-break space": ("101\n1\u00a001\n", ["PZ287"]),
    "null": (b"10\0\n", ["PZ002"]),
    "not UTF-8": (b"10\xff\n", ["PZ002"]),
    "empty": ("\n \n", ["PZ003"]),
}
NUMERIC: dict[str, tuple[str | bytes, list[str]]] = {
    "only remarks": ("# nothing\n", ["PZ287"]),
    "a letter": ("0,a\n", ["PZ287"]),
    "a name in front": ("Q 0,1\n", ["PZ287"]),
    "a negative column": ("0,-1\n", ["PZ287"]),
    "a plus sign": ("+1\n", ["PZ287"]),
    "a comma at the end": ("0,1, Q\n", ["PZ287"]),
    "a comma in front": (",1 Q\n", ["PZ287"]),
    "two commas": ("0,,1 Q\n", ["PZ287"]),
    "a comma alone": (",\n", ["PZ287", "PZ287"]),
    "blanks behind commas": ("0, 1, 2 Q\n", ["PZ287"]),
    "semicolons": ("0;1\n", ["PZ287"]),
    "a fraction": ("0.5,1\n", ["PZ287"]),
    "an exponent": ("1e3\n", ["PZ287"]),
    "an underscore": ("1_0\n", ["PZ287"]),
    "a hexadecimal number": ("0x1f\n", ["PZ287"]),
    "a huge column": ("0,99999999999999999999\n", ["PZ287"]),
    "a column just too large": ("0,10000001\n", ["PZ287"]),
    "digits of another script": ("0,\u0661\n", ["PZ287"]),
    "superscripts": ("0,\u00b2\n", ["PZ287"]),
    "a column twice": ("0,1,0 Q\n", ["PZ283"]),
    "a column twice in other digits": ("0,1,00 Q\n", ["PZ283"]),
    "a row of 0 and 1 in brackets": ("[0,1]\n", ["PZ287", "PZ287"]),
    "several faults": ("0,1\nx\n1,1\n2,y,z\n", ["PZ283", "PZ287", "PZ287", "PZ287"]),
    "null": (b"0,1\0\n", ["PZ002"]),
    "not UTF-8": (b"0,1 \xff\n", ["PZ002"]),
    "empty": (" ", ["PZ003"]),
}
CASES = [(format, name) for format, table in (("rows", ROWS), ("numeric", NUMERIC)) for name in table]


@pytest.mark.parametrize(("format", "name"), CASES)
def test_a_broken_text_of_rows_is_refused_with_a_position(format: str, name: str) -> None:
    text, codes = (ROWS if format == "rows" else NUMERIC)[name]
    assert sorted(refused(text, format)) == codes
