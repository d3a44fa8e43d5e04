"""Words for formats: other names, capitals, names of files, and formats that go one way only."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.diagnostics.files import open_source
from puzzlec.formats import catalogue
from puzzlec.formats.reading import guess_format, read, recognised_as_written
from puzzlec.formats.record import plain_ending, plain_stem
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import write, write_chunks, writer_for

SQUARES = "lattice square\nlocations box 2x1\npiece A { x }\npiece B { x }\n"


def codes_and_helps(error: PuzzleError) -> tuple[list[str], str]:
    return [diagnostic.code for diagnostic in error.diagnostics], " ".join(
        help for diagnostic in error.diagnostics for help in diagnostic.helps
    )


#: Formats that are only written, with the extensions of their files.
WRITTEN_ONLY = {name: record.endings for name, record in WRITERS.items() if name not in FORMATS}


def test_each_format_that_is_written_only_has_a_sign() -> None:
    assert WRITTEN_ONLY
    assert all(WRITERS[name].recognise for name in WRITTEN_ONLY)


@pytest.mark.parametrize("format", WRITTEN_ONLY)
@pytest.mark.parametrize("puzzle", ["soma", SQUARES], ids=["with a title", "without one"])
def test_a_format_that_is_only_written_is_recognised_by_extension_and_by_content(format: str, puzzle: str) -> None:
    text = write(puzzlec.parse(puzzle) if "\n" in puzzle else puzzlec.load(puzzle), format)
    for name in (f"x{WRITTEN_ONLY[format][0]}", f"x{WRITTEN_ONLY[format][0].upper()}.gz", "<stdin>", "x.txt"):
        with pytest.raises(PuzzleError) as caught:
            guess_format(Source(name, text))
        codes, helps = codes_and_helps(caught.value)
        assert codes == ["PZ008"], name
        assert f"`{format}`" in str(caught.value)
        assert "puzzlec check --to text" in helps


@pytest.mark.parametrize("text", ["c a remark\nc\np cnf 1 1\n1 0\n", "p cnf 0 0\n"])
def test_clauses_of_others_are_recognised(text: str) -> None:
    assert recognised_as_written(Source("x", text)) == "cnf"


def test_no_readable_text_is_mistaken_for_a_format_that_is_only_written() -> None:
    for entry in catalogue.entries():
        assert recognised_as_written(open_source(str(entry.path))) is None, entry.name
    for name, puzzle in (("soma", "soma"), ("pentominoes", "pentominoes/6x10"), ("queens", "queens/8")):
        for format in WRITERS:
            if format in FORMATS:
                try:
                    text = write(puzzlec.load(puzzle), format)
                except PuzzleError:  # this format cannot store this puzzle
                    continue
                assert recognised_as_written(Source(name, text)) is None, (name, format)


@pytest.mark.parametrize(("word", "format"), [("cnf", "cnf"), ("MiniZinc", "mzn"), ("sat", "cnf"), ("LP", "lp")])
def test_a_format_that_is_written_only_cannot_be_asked_for_in_reading(word: str, format: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse("p cnf 0 0\n", format=word)
    assert codes_and_helps(caught.value)[0] == ["PZ008"]
    assert f"`{format}`" in str(caught.value)


def test_the_names_of_formats_may_be_in_capitals() -> None:
    cover = read(Source("x", "a b\na\nb\n"), "DLX", Report())
    assert write(cover, "Rows") == write(cover, "rows")


@pytest.mark.parametrize(
    ("word", "help"),
    [
        ("sat", "did you mean `cnf`?"),
        ("Minizinc", "did you mean `mzn`?"),
        ("burrtools", "did you mean `xmpuzzle`?"),
        ("dlxx", "did you mean `dlx`?"),
        ("zz.cnf", "use the format of this file name: `cnf`"),
        ("a/b.dlx.gz", "use the format of this file name: `dlx`"),
    ],
)
def test_a_word_for_a_format_to_write_is_answered_with_the_format(word: str, help: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.convert("soma", word)
    assert codes_and_helps(caught.value) == (["PZ004"], help)


@pytest.mark.parametrize(("word", "help"), [("burrtools", "xmpuzzle"), ("knuth", "dlx"), ("a.rows", "rows")])
def test_a_word_for_a_format_to_read_is_answered_with_the_format(word: str, help: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse("1\n", format=word)
    codes, helps = codes_and_helps(caught.value)
    assert codes == ["PZ004"]
    assert f"`{help}`" in helps


def test_a_format_that_is_read_only_cannot_be_written() -> None:
    for ask in (lambda: write_chunks(puzzlec.load("soma"), "SOMA"), lambda: writer_for("x.soma")):
        with pytest.raises(PuzzleError) as caught:
            ask()
        assert codes_and_helps(caught.value)[0] == ["PZ009"]
        assert "`soma`" in str(caught.value)


def test_the_names_of_files_are_taken_apart() -> None:
    assert [plain_ending(name) for name in ("a.DLX", "a.dlx.GZ", ".gz", "-")] == [".dlx", ".dlx", "", ""]
    assert [plain_stem(name) for name in ("a/b.dlx", "b.dlx.gz", "<text>", "a\udcff\nb.rows")] == ["b", "b", "", "a  b"]
