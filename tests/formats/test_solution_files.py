"""Files of solutions have the same bytes as the output of commands, compressed or not; Parquet has the same content."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given

from puzzlec.cli.texts.solutions import formatted
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import Search
from puzzlec.engine.cover_rows import rows_of
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.solutions import files, streams
from puzzlec.formats.solutions.files import SolutionLines, writer
from puzzlec.formats.solutions.streams import StreamForm, form_of
from puzzlec.ir import Fitting
from puzzlec.lower import Encoding, encode
from puzzlec.lower.raising import encoded_cover
from puzzlec.show.terminal.style import Style
from tests.covers import covers
from tests.jobs.kept import GARDEN, compiled
from tests.levels import fittings

FORMATS = ("jsonl", "list", "orientations", "locations")


def printed(encoding: Encoding, format: str, most: int = 300) -> list[str]:
    found = islice(Search(encoding.cover, kernel="python"), most)
    return [formatted(encoding.lift(cover), number, format, Style(ascii=True)) for number, cover in enumerate(found, 1)]


def compare(encoding: Encoding) -> None:
    rows = rows_of(islice(Search(encoding.cover, kernel="python"), 300), len(encoding.cover))
    for format in FORMATS:
        lines = SolutionLines(encoding, format)
        half = len(rows) // 2
        assert [*lines.texts(rows[:half]), *lines.texts(rows[half:], half + 1)] == printed(encoding, format)


@given(fittings())
def test_lines_of_any_fitting_are_as_they_are_printed(fitting: Fitting) -> None:
    compare(encode(fitting))


@given(covers())
def test_lines_of_any_exact_cover_are_as_they_are_printed(cover: ExactCover) -> None:
    compare(encoded_cover(cover))


@pytest.mark.parametrize("name", ["soma", "langford/pairs", "garden"])
@pytest.mark.parametrize("dense", [True, False])
def test_lines_of_puzzles_are_as_they_are_printed(name: str, dense: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not dense:
        monkeypatch.setattr(files, "MAX_TABLE_ENTRIES", 0)
    encoding = compiled(GARDEN if name == "garden" else name)
    rows = rows_of(islice(Search(encoding.cover), 300), len(encoding.cover))
    for format in FORMATS:
        assert list(SolutionLines(encoding, format).texts(rows)) == printed(encoding, format)


def some(number: int = 300) -> tuple[Encoding, list[tuple[int, ...]]]:
    encoding = compiled("soma")
    return encoding, list(islice(Search(encoding.cover), number))


def opened_by_arrow(path: Path) -> bytes:
    arrow: Any = pytest.importorskip("pyarrow")
    with path.open("rb") as file, arrow.CompressedInputStream(file, "zstd") as stream:
        found = stream.read()
    assert isinstance(found, bytes)
    return found


@pytest.mark.parametrize(
    ("ending", "read"),
    [
        ("", Path.read_bytes),
        (".gz", lambda path: gzip.decompress(path.read_bytes())),
        (".bz2", lambda path: bz2.decompress(path.read_bytes())),
        (".xz", lambda path: lzma.decompress(path.read_bytes())),
        (".zst", opened_by_arrow),
    ],
)
def test_a_file_compressed_or_not_has_all_lines_and_is_the_same_each_time(
    tmp_path: Path, ending: str, read: Callable[[Path], bytes]
) -> None:
    if ending == ".zst":
        pytest.importorskip("pyarrow")
    encoding, found = some()
    form = form_of(f"x.jsonl{ending}", None)
    assert form is not None
    rows = rows_of(found, len(encoding.cover))
    with writer(tmp_path / "one", form, encoding) as file:
        for at in range(0, len(rows), 70):
            file.write_options(rows[at : at + 70])
        assert file.number == len(rows)
    assert read(tmp_path / "one").decode() == "".join(line + "\n" for line in printed(encoding, "jsonl"))
    with writer(tmp_path / "two", form, encoding) as file:
        for options in found:
            file.write(encoding.lift(options))
    if not ending:
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert read(tmp_path / "one") == read(tmp_path / "two")


def test_pictures_are_separated_and_an_empty_file_is_empty(tmp_path: Path) -> None:
    encoding, found = some(3)

    def drawn(solution: object, number: int) -> str:
        return f"number {number}"

    with writer(tmp_path / "a", StreamForm("text"), encoding, drawn) as file:
        file.write_options(rows_of(found[:1], len(encoding.cover)))
        for options in found[1:]:
            file.write(encoding.lift(options))
    assert (tmp_path / "a").read_text() == "number 1\n\nnumber 2\n\nnumber 3\n"
    with writer(tmp_path / "b", StreamForm("jsonl"), encoding):
        pass
    assert (tmp_path / "b").read_bytes() == b""


@given(fittings())
def test_parquet_has_the_same_content_as_lines_of_json(fitting: Fitting) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    encoding = encode(fitting)
    rows = rows_of(islice(Search(encoding.cover, kernel="python"), 300), len(encoding.cover))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.parquet"
        with writer(path, StreamForm("parquet"), encoding, about={"title": "It"}) as file:
            file.write_options(rows[:2])
            file.write_options(rows[2:])
        table = parquet.read_table(path)
        assert table.schema.metadata[b"title"] == b"It"
        told = [json.loads(line) for line in printed(encoding, "jsonl")]
        assert table.to_pylist() == [
            {
                "solution": solution["solution"],
                "pieces": [placement["piece"] for placement in solution["placements"]],
                "placements": [placement["placement"] for placement in solution["placements"]],
                "locations": solution["locations"],
            }
            for solution in told
        ]


def test_parquet_is_written_in_groups_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    from puzzlec.formats.solutions import files as module

    monkeypatch.setattr(module, "GROUP", 100)
    encoding, found = some()
    rows = rows_of(found, len(encoding.cover))
    with writer(tmp_path / "x", StreamForm("parquet"), encoding) as file:
        for at in range(0, len(rows), 50):
            file.write_options(rows[at : at + 50])
    assert parquet.ParquetFile(tmp_path / "x").num_row_groups == 3
    assert parquet.read_table(tmp_path / "x")["solution"].to_pylist() == list(range(1, 301))


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    encoding, _ = some(1)
    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PuzzleError, match="a Parquet file needs the package `pyarrow`"):
        writer(tmp_path / "x", StreamForm("parquet"), encoding).__enter__()
    if sys.version_info < (3, 14):
        with pytest.raises(PuzzleError, match="compressed by zstd needs the package `pyarrow`"):
            streams.stream(tmp_path / "x", "zstd").__enter__()


def test_names_of_files_select_forms() -> None:
    assert form_of("a/b.jsonl", None) == form_of("x.ndjson", None) == StreamForm("jsonl")
    assert form_of("x.JSONL.GZ", None) == StreamForm("jsonl", "gzip")
    assert form_of("x.parquet", None) == form_of("x", "parquet") == StreamForm("parquet")
    assert form_of("x.txt", "list") == StreamForm("list")
    for name, format in (("x.txt", None), ("x.gz", None), ("x.jsonl", "list"), ("-", "list")):
        with pytest.raises(ValueError):  # noqa: PT011  # the command line has the sentences
            form_of(name, format)


def test_a_drawn_format_needs_a_function_that_draws() -> None:
    with pytest.raises(ValueError, match="unknown format"):
        SolutionLines(compiled(GARDEN), "text")
