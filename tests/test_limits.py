"""Harmful input is refused with a reason, quickly, and without filling the memory."""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy  # noqa: F401
import pytest

from puzzlec import parse
from puzzlec.diagnostics import PuzzleError, Report, Source, files
from puzzlec.formats.reading import read
from puzzlec.formats.registry import FORMATS
from puzzlec.language.condition_text import read_condition
from puzzlec.language.lattice_file import open_lattice
from puzzlec.solving.lifting import lift
from tests.broken import refused
from tests.tools.fuzz.rules import import_all

import_all()  # imports are not part of the measurements below

#: Processor seconds for a file of a few hundred kB. Slower code takes time in the square of the length.
SOON = 5.0

TEXTS = list(FORMATS)
XML = ("piezas", "xmpuzzle")

#: Bombs of entities by the name of their effect; ``&z;`` expands to the whole bomb.
BOMBS = {
    "ten times ten times ten": '<!ENTITY a "1111111111"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY z "&b;&b;">',
    "the same long text again and again": f'<!ENTITY z "{"1" * 50_000}">',
    "a file": '<!ENTITY z SYSTEM "file:///etc/passwd">',
    "an address": '<!ENTITY z SYSTEM "http://example.invalid/">',
    "a parameter": '<!ENTITY % p SYSTEM "file:///etc/passwd"> %p; <!ENTITY z "1">',
    "itself": '<!ENTITY z "&z;">',
}


@contextmanager
def soon(memory: int) -> Iterator[None]:
    """Assert that a block takes little time, and at most this many bytes of memory."""
    begun = time.process_time()
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < memory, f"it took {peak} bytes"
    assert time.process_time() - begun < SOON


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("format", XML)
def test_entities_of_xml_are_refused(bomb: str, format: str) -> None:
    text = f'<?xml version="1.0"?>\n<!DOCTYPE p [{BOMBS[bomb]}]>\n<puzzle title="&z;">{"&z;" * 1000}</puzzle>'
    with soon(2**21):
        assert refused(text, format) == ["PZ232"]


def test_entities_in_the_answer_of_a_solver_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "answer.xml"
    for bomb in BOMBS.values():
        path.write_text(f"<!DOCTYPE p [{bomb}]>\n<CPLEXSolution>&z;</CPLEXSolution>")
        with soon(2**23), pytest.raises(PuzzleError, match="PZ612"):
            list(lift(parse("locations box 2x1\npiece A { xx }\n"), str(path), format="cplex"))


@pytest.mark.parametrize("format", TEXTS)
def test_a_file_that_becomes_very_large_when_decompressed_is_refused(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 2**19)
    monkeypatch.setattr(files, "UNPACKING_BYTES", 2**16)
    bomb = gzip.compress(b" " * 2**22)
    with soon(2**21):
        assert refused(bomb, format) == ["PZ007"]


def test_very_many_small_compressed_parts_take_no_time() -> None:
    """The rest after each part was copied: 2 MB took hours."""
    part = gzip.compress(b"", mtime=0)
    begun = time.process_time()
    assert refused(part * 100_001, "dpf") == ["PZ007"]
    with pytest.raises(PuzzleError, match="PZ003"):
        files.source_of(part * 1000 + bytes(20_000), "f.dpf")
    assert time.process_time() - begun < SOON


@pytest.mark.parametrize("end", [b"x", b"\x1f\x8b", b"\0x"])
def test_extra_bytes_after_compressed_parts_are_an_error(end: bytes) -> None:
    good = gzip.compress(b"1 1 1 1 0", mtime=0)
    assert files.source_of(good[:5] + good[5:] + b"\0\0", "f.dpf").text == "1 1 1 1 0"
    assert refused(good + end, "dpf") == ["PZ002"]
    assert refused(good[:-1], "dpf") == ["PZ002"]


#: Brackets that are opened again and again, after some other text.
NESTED = {
    "json": ["[", '{"a":', '[{"puzzlec":1,"stage":'],
    "puzzle": [
        "locations (", "param n = (", "param n = -", "for i in 1..1 { ", "piece A = (", "locations box {",
        "for i in ((", "piece A covers {", "locations { {", "locations cells (i,0) for i in 1..1 where not ",
    ],
    "piezas": ["<a>", "<a b='<"], "xmpuzzle": ["<puzzle><shapes>", "<voxel>"], "cells": ["[", "A: ((", "{"],
    "offsets": ["A = {", "A = [[", "a[["], "polyform": ["piece_data = {'A': (", "piece_data = {{"],
    "polycube": ["[", "[0-", "0[("], "soma": ["/SOMA", "/(", "/"], "dlx": [":", "a:b|", "|"],
    "universe": ["[", "(0,0)\n(("], "drawn": ["X(", "a:\nXY\n\n"], "iqpuzzler": ["1 ", "1 1 1\nCUSTOM\n"],
    "kanoodle": ["A", "A ", "A.\n"],
    "rows": ["(", "1("], "numeric": ["(", "0,("], "compact": ["(", "-"], "dpf": ["(", "//"], "board": ["x(", "x/x"],
    "burr": ["[", '{"shapes":[', "xxxxxx/"], "tiles": ["(", "0 0 0 0 "],
    "pips": ["[", '{"dominoes":['], "sudoku": ["[", "(", "1 [", "|"], "miniexact": ["<", "< a > [", "p xc 1 0\n"],
    "puzzlecad": ["burr_piece(", "burr_plate([", "module a() {", "for () "],
}  # fmt: skip


@pytest.mark.parametrize("format", NESTED)
def test_very_deep_nesting_is_refused(format: str) -> None:
    assert set(NESTED) == set(TEXTS)
    for sign in NESTED[format]:
        begun = time.process_time()
        assert refused(sign * 5_000, format, "2x2" if FORMATS[format].pieces_only else None), sign
        assert time.process_time() - begun < SOON, sign


@pytest.mark.parametrize("text", ["[" * 5000, "a: " * 5000, "- " * 5000, "? " * 5000, "{a: " * 5000, "!!a " * 5000])
def test_a_lattice_file_that_is_nested_very_deeply_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text(text)
    with soon(2**25), pytest.raises(PuzzleError, match="PZ34"):
        open_lattice(str(path))


def test_aliases_of_yaml_are_refused_before_they_multiply(tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, 30)]
    path.write_text("\n".join(lines))
    with soon(2**22), pytest.raises(PuzzleError, match=r"PZ340.*anchors and aliases are not allowed"):
        open_lattice(str(path))


@pytest.mark.parametrize("text", ["(" * 4000, "not " * 2498 + "A used", "A used and " * 900, '"' * 9999, "\\" * 9999])
def test_a_condition_that_is_nested_very_deeply_is_refused_or_understood(text: str) -> None:
    begun = time.process_time()
    if text.endswith("A used"):
        assert read_condition(text)
    else:
        with pytest.raises(PuzzleError, match="PZ630"):
            read_condition(text)
    assert time.process_time() - begun < SOON


#: Parts that are never closed, or are not text.
UNCLOSED = ["(", "[", "{", '"', "'", "/*", "<!--", "<![CDATA[", "<?", "<", "&", "\\", "`", "${", "<a b='", "\ufeff"]


@pytest.mark.parametrize("format", TEXTS)
def test_unclosed_parts_are_refused(format: str) -> None:
    for text in UNCLOSED:
        for whole in (text, "x " + text, text + "\n" * 3, f'{{"puzzlec": 1, "stage": {text}'):
            try:
                read(Source(f"f.{format}", whole), format, Report(), "2x2" if FORMATS[format].pieces_only else None)
            except PuzzleError as error:
                assert all(diagnostic.message for diagnostic in error.diagnostics)
            else:
                assert format in ("dlx", "rows", "numeric", "drawn"), f"{text!r} means something"


@pytest.mark.parametrize("format", TEXTS)
def test_a_null_a_control_character_and_half_a_character_are_not_text(format: str) -> None:
    assert refused(b"1 1\0", format) == ["PZ002"]
    assert refused(b"1 1 \x1b[31m", format) == ["PZ002"]
    assert refused(b"1 1 \xed\xa0\x80", format) == ["PZ002"]
    # A text from Python may contain a null character.
    with pytest.raises(PuzzleError):
        read(Source(f"f.{format}", "\udc80 \ud800\n"), format, Report(), "2x2" if FORMATS[format].pieces_only else None)


def in_a_process(code: str, memory: int, seconds: int) -> str:
    """Return the output of a script that may use this many bytes of memory and processor seconds."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, preexec_fn=limit)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout


_READING = """
import sys
from puzzlec.diagnostics import PuzzleError
from puzzlec.compiler import load
try:
    load({path!r}, {format!r}, board="2x2" if {pieces} else None)
    print("read")
except PuzzleError as error:
    print(error.diagnostics[0].code)
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("format", TEXTS)
@pytest.mark.parametrize("part", [b" ", b"1 ", b"a", b"(0,0)\n", b"x", b"[0,", b"\n"])
def test_a_file_of_100_mb_is_read_or_refused_in_bounded_memory(part: bytes, format: str, tmp_path: Path) -> None:
    path = tmp_path / f"large.{format}"
    path.write_bytes(b"1 " + part * (100 * 2**20 // len(part)))
    code = _READING.format(path=str(path), format=format, pieces=FORMATS[format].pieces_only)
    assert in_a_process(code, 6 * 2**30, 300).strip().startswith(("PZ", "read"))


@pytest.mark.slow
@pytest.mark.parametrize("format", TEXTS)
def test_a_compressed_file_of_many_gigabytes_is_refused_in_bounded_memory(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"bomb.{format}"
    packer = zlib.compressobj(9, wbits=31)
    with path.open("wb") as stream:
        for _ in range(4 * 64):
            stream.write(packer.compress(b" " * 2**24))
        stream.write(packer.flush())
    code = _READING.format(path=str(path), format=format, pieces=FORMATS[format].pieces_only)
    assert in_a_process(code, 3 * 2**30, 120).strip() == "PZ007"


@pytest.mark.slow
@pytest.mark.parametrize("sign", [" ", "0 ", "x", "(", "[", "'", '"', "-", "a:", "1,", "/", "<a>", "\\", "\n#", "é"])
@pytest.mark.parametrize("format", TEXTS)
def test_very_long_lines_take_no_more_than_their_length(sign: str, format: str) -> None:
    def seconds(size: int) -> float:
        text = sign * (size // len(sign))
        begun = time.process_time()
        with suppress(PuzzleError):
            read(Source(f"f.{format}", text), format, Report(), "2x2" if FORMATS[format].pieces_only else None)
        return time.process_time() - begun

    seconds(1000)
    assert seconds(400_000) < 12 * seconds(100_000) + 1.0
