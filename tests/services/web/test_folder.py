"""The folder of the page: only some files in it can be read and written."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.services.web import RefusalError
from puzzlec.services.web.folder import ENDINGS, MAX_FILE_BYTES, Folder, content_of, name_error, put

OUTSIDE = [
    "../out.puzzle", "a/../../out.puzzle", "/etc/out.puzzle", "..\\out.puzzle", "C:\\out.puzzle", "C:out.puzzle",
    "a//b.puzzle", "./a.puzzle", "a/./b.puzzle", "", ".", "..", "~/x.puzzle/", "a\0.puzzle", "a\n.puzzle",
    ".hidden.puzzle", ".git/x.puzzle", "a/.b/c.puzzle", "con.puzzle", "a/NUL.puzzle", "x.puzzle.", " x.puzzle",
    "x.txt", "x", "x.puzzle.sh", ".puzzle", "a/.puzzle", "x.npz", "x.py", "x.yaml", "é" * 300 + ".puzzle", "a:b.puzzle",
    "//server/share/x.puzzle", "\\\\server\\x.puzzle", "a?.puzzle", "a\u202e.puzzle", "x.puzzle/", "x.puzzle/..",
]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_invalid_names_are_neither_read_nor_written(name: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    before = sorted(tmp_path.rglob("*"))
    folder = Folder(inside)
    for act in (lambda: folder.read(name), lambda: folder.write(name, "x", None, True), lambda: folder.state(name)):
        with pytest.raises(RefusalError):
            act()
    assert sorted(tmp_path.rglob("*")) == before


@given(st.text(st.sampled_from("ab./\\:~ \0%C\u0307"), max_size=30))
def test_no_name_at_all_leads_out_of_the_folder(tmp_path_factory: pytest.TempPathFactory, stem: str) -> None:
    root = tmp_path_factory.getbasetemp().resolve()
    folder = Folder(root)
    for name in (stem, f"{stem}.puzzle", f"{stem}/x.dlx"):
        try:
            path = folder.path(name)
        except RefusalError:
            continue
        assert path.is_relative_to(root)
        assert path != root
        assert ".." not in path.parts


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need rights here")
def test_links_may_lead_only_to_files_of_the_folder(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for place in (inside, outside):
        place.mkdir()
    (outside / "secret.puzzle").write_text("secret")
    (inside / "own.puzzle").write_text("own")
    (inside / "notes.txt").write_text("notes")
    (inside / ".hidden.puzzle").write_text("hidden")
    for name, target in {
        "file.puzzle": outside / "secret.puzzle", "folder": outside, "new.puzzle": outside / "new.puzzle",
        "notes.puzzle": inside / "notes.txt", "shown.puzzle": inside / ".hidden.puzzle",
        "good.puzzle": inside / "own.puzzle", "circle.puzzle": inside / "circle.puzzle", "up.puzzle": inside,
    }.items():  # fmt: skip
        (inside / name).symlink_to(target)
    folder = Folder(inside)
    for name in (
        "file.puzzle",
        "folder/secret.puzzle",
        "new.puzzle",
        "notes.puzzle",
        "shown.puzzle",
        "circle.puzzle",
        "up.puzzle",
    ):
        with pytest.raises(RefusalError):
            folder.read(name)
        with pytest.raises(RefusalError):
            folder.write(name, "x", None, True)
    assert folder.read("good.puzzle").text == "own"
    folder.write("good.puzzle", "changed", folder.state("good.puzzle"))
    assert (inside / "own.puzzle").read_text() == "changed"
    assert (inside / "good.puzzle").is_symlink()
    assert (outside / "secret.puzzle").read_text() == "secret"
    assert [path.name for path in outside.iterdir()] == ["secret.puzzle"]


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need rights here")
def test_a_link_that_takes_the_place_of_a_file_or_folder_meanwhile_is_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for place in (inside, outside):
        place.mkdir()
    (outside / "x.puzzle").write_text("secret")
    (inside / "folder").symlink_to(outside)
    (inside / "x.puzzle").symlink_to(outside / "x.puzzle")
    os.mkfifo(inside / "pipe.puzzle")
    # These paths were inside the folder a moment ago.
    for name in ("folder/x.puzzle", "x.puzzle", "pipe.puzzle"):
        with pytest.raises(OSError, match=r"."):
            content_of(inside, inside / name, 100)
    with pytest.raises(OSError, match=r"."):
        put(inside, inside / "folder" / "new.puzzle", b"x", new=True)
    with pytest.raises(FileExistsError):
        put(inside, inside / "x.puzzle", b"x", new=True)
    put(inside, inside / "x.puzzle", b"own", new=False)  # the link is replaced, not its target
    assert (inside / "x.puzzle").read_bytes() == b"own"
    assert (outside / "x.puzzle").read_text() == "secret"
    assert [path.name for path in outside.iterdir()] == ["x.puzzle"]


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need rights here")
def test_a_link_cannot_take_the_place_of_a_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path)
    known = folder.write("x.puzzle", "one", None)
    names: list[str] = []
    plain = os.open

    def spied(name: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if str(name).endswith(".part"):
            names.append(str(name))
            assert flags & os.O_EXCL
            assert flags & os.O_NOFOLLOW
        return plain(name, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", spied)
    folder.write("x.puzzle", "three", folder.write("x.puzzle", "two", known.digest).digest)
    assert len(set(names)) == 2  # all different, so none can exist before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"one\r\ntwo\r\n", b"one\r\n2\r\n"), (b"\xef\xbb\xbfone\ntwo\n", b"\xef\xbb\xbfone\n2\n"),
        (b"\xef\xbb\xbfone\r\ntwo\r\n", b"\xef\xbb\xbfone\r\n2\r\n"), (b"one\r\ntwo\n", b"one\n2\n"),
        (b"one\ntwo\n", b"one\n2\n"), (b"", b"one\n2\n"),
    ],
)  # fmt: skip
def test_line_ends_and_a_mark_stay_as_they_were(before: bytes, after: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.puzzle").write_bytes(before)
    folder = Folder(tmp_path)
    read = folder.read("a.puzzle")
    assert "\r" not in read.text
    written = folder.write("a.puzzle", "one\n2\n", read.digest)
    assert (tmp_path / "a.puzzle").read_bytes() == after
    assert written.digest == folder.state("a.puzzle")


def test_packed_files_of_burrtools_are_read_and_stay_packed(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "a.xmpuzzle").write_bytes(gzip.compress("<?xml version='1.0'?>\n<puzzle>é</puzzle>".encode("latin-1")))
    read = folder.read("a.xmpuzzle")
    assert read.text.endswith("<puzzle>é</puzzle>")
    folder.write("a.xmpuzzle", "<puzzle/>", read.digest)
    assert gzip.decompress((tmp_path / "a.xmpuzzle").read_bytes()) == b"<puzzle/>"
    assert (tmp_path / "a.xmpuzzle").read_bytes()[4:8] == bytes(4)  # no date: the same text is the same file
    (tmp_path / "c.xmpuzzle").write_bytes(gzip.compress(b"\xef\xbb\xbf<puzzle>\r\n</puzzle>\r\n"))
    folder.write("c.xmpuzzle", "<puzzle>\n\n</puzzle>\n", folder.read("c.xmpuzzle").digest)
    assert gzip.decompress((tmp_path / "c.xmpuzzle").read_bytes()) == b"\xef\xbb\xbf<puzzle>\r\n\r\n</puzzle>\r\n"
    packed = gzip.compress(b"x" * 100)
    for wrong in (gzip.compress(b"x" * (MAX_FILE_BYTES + 1)), packed[:-9], packed[:10] + b"?" * 20):
        (tmp_path / "b.xmpuzzle").write_bytes(wrong)
        with pytest.raises(RefusalError):
            folder.read("b.xmpuzzle")


def test_a_file_is_overwritten_only_with_its_digest(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    first = folder.write("mine/cube.puzzle", "one", None)
    assert (tmp_path / "mine" / "cube.puzzle").read_text() == "one"
    with pytest.raises(RefusalError) as caught:
        folder.write("mine/cube.puzzle", "two", None)
    assert caught.value.reason == "exists"
    second = folder.write("mine/cube.puzzle", "two", first.digest)
    (tmp_path / "mine" / "cube.puzzle").write_text("another text")
    with pytest.raises(RefusalError) as caught:
        folder.write("mine/cube.puzzle", "three", second.digest)
    assert caught.value.reason == "changed"
    assert (tmp_path / "mine" / "cube.puzzle").read_text() == "another text"
    folder.write("mine/cube.puzzle", "three", second.digest, force=True)
    assert folder.read("mine/cube.puzzle").text == "three"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["cube.puzzle"]


def test_a_file_keeps_its_mode_and_no_part_of_it_stays_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path)
    known = folder.write("a.puzzle", "one", None)
    (tmp_path / "a.puzzle").chmod(0o640)
    folder.write("a.puzzle", "two", known.digest)
    assert (tmp_path / "a.puzzle").stat().st_mode & 0o777 == 0o640 or os.name == "nt"

    def full(written: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RefusalError, match="no space left"):
        folder.write("a.puzzle", "three", None, True)
    with pytest.raises(RefusalError, match="no space left"):
        folder.write("b.puzzle", "three", None)
    assert [path.name for path in tmp_path.iterdir()] == ["a.puzzle"]
    assert folder.read("a.puzzle").text == "two"


def test_large_or_binary_files_are_refused(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "large.puzzle").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    (tmp_path / "bytes.puzzle").write_bytes(b"\xff\xfe")
    (tmp_path / "null.puzzle").write_bytes(b"a\0b")
    (tmp_path / "folder.puzzle").mkdir()
    for name in ("large.puzzle", "bytes.puzzle", "null.puzzle", "folder.puzzle", "missing.puzzle"):
        with pytest.raises(RefusalError):
            folder.read(name)
    with pytest.raises(RefusalError):
        folder.write("new.puzzle", "x" * (MAX_FILE_BYTES + 1), None)
    assert not (tmp_path / "new.puzzle").exists()
    (tmp_path / "windows.puzzle").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree")
    assert folder.read("windows.puzzle").text == "one\ntwo\nthree"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.puzzle")
    folder = Folder(tmp_path)
    with pytest.raises(RefusalError):
        folder.read("pipe.puzzle")
    with pytest.raises(RefusalError):
        folder.write("pipe.puzzle", "x", None, True)


def test_the_listing_has_the_files_of_puzzle_formats_only(tmp_path: Path) -> None:
    for name in ("b.puzzle", "a.DLX", "mine/c.xml", "mine/.x/d.puzzle", ".e.puzzle", "f.txt", "g.npz", "h.puzzle.bak"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert Folder(tmp_path).listing() == ["a.DLX", "b.puzzle", "mine/c.xml"]
    assert all(name_error(f"x{ending}") == "" for ending in ENDINGS)


def test_a_long_listing_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        (tmp_path / f"{name}.puzzle").write_text("x")
    monkeypatch.setattr("puzzlec.services.web.folder.MAX_FILES_LISTED", 2)
    assert Folder(tmp_path).listing() == ["a.puzzle", "b.puzzle"]


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need rights here")
def test_the_listing_leaves_out_links_that_cannot_be_opened(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside.puzzle").write_text("x")
    (inside / "good.puzzle").write_text("x")
    (inside / "link.puzzle").symlink_to("good.puzzle")
    (inside / "out.puzzle").symlink_to(tmp_path / "outside.puzzle")
    assert Folder(inside).listing() == ["good.puzzle", "link.puzzle"]
