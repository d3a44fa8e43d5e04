"""First steps with the commands: lists, other words for commands, files in other folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import puzzlec
from puzzlec import resources
from puzzlec.cli import verbose
from puzzlec.cli.commands import COMMANDS
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import files_like
from puzzlec.lower.symmetries import SymmetryKind
from tests.commands import command


@pytest.mark.parametrize("which", ["rotations", "all", "parts"])
def test_without_geometry_a_symmetry_that_does_nothing_is_reported(
    which: SymmetryKind, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = "a puzzle without geometry has no rotations: `--symmetry automorphisms` compares as an exact cover"
    status, shown, told = command(capsys, monkeypatch, "count", "queens/8", "--symmetry", which)
    assert (status, shown) == (0, "92\n")
    assert told.splitlines()[0] == idle
    assert idle in command(capsys, monkeypatch, "solve", "queens/8", "--symmetry", which)[2]


@pytest.mark.parametrize(
    "words",
    [("count", "queens/8"), ("count", "queens/8", "--symmetry", "automorphisms"), ("count", "queens/8", "--raw"),
     ("count", "queens/8", "--symmetry", "none"), ("count", "dominoes/4x4", "--symmetry", "rotations")],
)  # fmt: skip
def test_other_symmetries_are_not_called_idle(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "nothing can be turned" not in command(capsys, monkeypatch, *words)[2]


def test_explain_says_how_symmetries_without_geometry_are_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, shown, _ = command(capsys, monkeypatch, "explain", "queens/8")
    assert "`--symmetry automorphisms` of count and solve finds those of the exact cover" in " ".join(shown.split())


def test_a_group_that_is_too_large_suggests_fewer_symmetries_only_with_geometry(tmp_path: Path) -> None:
    puzzle = puzzlec.parse(
        'puzzle "Balls"\nlattice none\nlocations names ball[b] for b in 1..7\n'
        "for k in 1..12 { piece box[k] x0..1 covers { ball[b] } for b in 1..7 }\n"
    )
    with pytest.raises(puzzlec.PuzzleError) as caught:
        puzzlec.count(puzzle, symmetry="automorphisms")
    assert caught.value.diagnostics[0].helps == ("count raw solutions with `--symmetry none`",)


def test_a_list_of_some_words_has_the_puzzles_with_all_of_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, shown, _ = command(capsys, monkeypatch, "list", "DOMINOES", "torus")
    names = [line.split()[0] for line in shown.splitlines()[1:]]
    assert "tori/dominoes-torus-4x4" in names
    wanted = [e.name for e in catalogue.entries() if catalogue.has_words(e, ["dominoes"])
              and "torus" in f"{e.name} {e.title} {' '.join(e.tags)}".lower()]  # fmt: skip
    assert names == wanted
    status, shown, told = command(capsys, monkeypatch, "list", "no-such-thing")
    assert (status, shown) == (1, "")
    assert "PZ006" in told


def test_a_list_can_be_of_one_lattice(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("hex", "none", "line"):
        _, shown, _ = command(capsys, monkeypatch, "list", "--lattice", name)
        names = {line.split()[0] for line in shown.splitlines()[1:]}
        assert 2 < len(names) < len(catalogue.entries())
        for listed in sorted(names)[:3]:
            what = puzzlec.load(listed)
            assert isinstance(what, puzzlec.Puzzle | puzzlec.Fitting)
            puzzle = what if isinstance(what, puzzlec.Puzzle) else what.puzzle
            assert (puzzle.lattice.name if puzzle and puzzle.lattice else "none") == name
    status, _, told = command(capsys, monkeypatch, "list", "--lattice", "honeycomb")
    assert status == 1
    assert "did you mean `hex`?" in told


def test_an_unknown_name_appears_in_quotes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = command(capsys, monkeypatch, "count", "soma", "--symmetry", "rotation")[2]
    assert "found `rotation`; did you mean `rotations`" in " ".join(told.split())


def test_one_piece_is_not_reported_as_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "one.puzzle"
    file.write_text('puzzle "One"\nlocations box 2x1\npiece D { xx }\n')
    assert "\n  1 placement in all\n" in command(capsys, monkeypatch, "explain", str(file))[1]


def test_a_puzzle_with_its_own_lattice_can_be_read_where_it_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    for name in ("lattice.puzzle", "wall.yaml"):
        shutil.copy(resources.folder("puzzles") / "new" / name, here)
    moved = there / "moved.puzzle"
    status, _, told = command(capsys, monkeypatch, "convert", str(here / "lattice.puzzle"), str(moved))
    assert status == 0
    assert 'lattice "../here/wall.yaml"' in moved.read_text()
    assert '`lattice "../here/wall.yaml"`' in told
    assert puzzlec.count(str(moved)) == puzzlec.count(str(here / "lattice.puzzle"))
    # in the same folder nothing changes, without a remark
    beside = here / "again.puzzle"
    assert command(capsys, monkeypatch, "convert", str(here / "lattice.puzzle"), str(beside)) == (0, "", "")
    assert 'lattice "wall.yaml"' in beside.read_text()


def test_a_lattice_that_the_compact_format_lacks_is_shown_at_its_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hex.puzzle"
    file.write_text('puzzle "Title"\nlattice hex\nlocations box 2x2\npiece A { x x/ x x }\n')
    told = command(capsys, monkeypatch, "convert", str(file), str(tmp_path / "hex.compact"))[2]
    assert "hex.puzzle:2:9" in told
    assert "--> Title" not in told


def test_time_for_compiling_is_mentioned_if_a_kernel_was_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlec.engine.kernels import jit

    monkeypatch.setattr(jit, "has_compiled", lambda: False)
    assert verbose.time_taken(20.0) == "in 20.00 s"
    monkeypatch.setattr(jit, "has_compiled", lambda: True)
    assert verbose.time_taken(20.0) == "in 20.00 s, including a one-time compilation"
    assert verbose.time_taken(0.5) == "in 0.50 s"


def test_compilation_by_numba_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlec.engine.kernels import jit

    monkeypatch.setattr(jit, "_FUNCTIONS", [])
    assert not jit.has_compiled()

    def twice(number: int) -> int:
        return 2 * number

    monkeypatch.setattr(twice, "__module__", "puzzlec.engine.kernels.jit")
    doubled = jit.jit(twice)
    assert not jit.has_compiled()
    assert doubled(3) == 6
    assert len(jit._FUNCTIONS) == 1


def help_of(told: str) -> str:
    return " ".join(told.split("= help: ")[1].split())


def test_a_name_without_its_extension_suggests_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("garden.puzzle", "garden.dlx", "garden.png", "soma.puzzle"):
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    for typed in ("garden", "GARDEN", "gardn.puzzle", "gardne"):
        status, _, told = command(capsys, monkeypatch, "solve", typed)
        assert (status, "PZ006" in told) == (1, True)
        assert help_of(told).startswith("did you mean `garden.puzzle`")
    assert "`garden.dlx`" in help_of(command(capsys, monkeypatch, "solve", "garden")[2])
    told = command(capsys, monkeypatch, "solve", str(tmp_path / "garden"))[2]
    assert f"`{tmp_path / 'garden.puzzle'}`" in help_of(told)
    assert "garden.png" not in told
    assert "PZ001" in command(capsys, monkeypatch, "solve", "nowhere/garden")[2]
    # a puzzle of the catalogue takes precedence over a file that is not named in full
    assert command(capsys, monkeypatch, "count", "soma")[:2] == (0, "240\n")


@pytest.mark.parametrize("name", ["", "/", ".", "..", "a/", "\0", "x\0.puzzle", "a" * 5000])
def test_an_impossible_file_name_has_no_similar_files(name: str) -> None:
    assert files_like(name) == []


@pytest.mark.parametrize("typed", ["pentominoes", "pentominoes/"])
def test_the_error_for_a_family_names_some_of_its_puzzles(
    typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, told = command(capsys, monkeypatch, "solve", typed)
    assert status == 1
    number = sum(entry.name.startswith("pentominoes/") for entry in catalogue.entries())
    assert f"the catalogue has a family of {number} puzzles with this name" in " ".join(told.split())
    assert "`pentominoes/6x10`" in help_of(told)
    assert "-f2" not in told
    assert "or list all with `puzzlec list pentominoes`" in help_of(told)
    assert "`pentominoes/6x10`" in help_of(command(capsys, monkeypatch, "solve", "pentominos")[2])


def test_a_file_is_suggested_before_the_family_of_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pentominoes.puzzle").write_text("")
    monkeypatch.chdir(tmp_path)
    assert help_of(command(capsys, monkeypatch, "solve", "pentominoes")[2]).startswith(
        "did you mean `pentominoes.puzzle` or `pentominoes/3x20`"
    )
    (tmp_path / "house.puzzle").write_text("")
    assert help_of(command(capsys, monkeypatch, "solve", "house")[2]) == "did you mean `house.puzzle`?"


def test_a_search_matches_names_in_tags_only_by_whole_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(*words: str) -> list[str]:
        return [line.split()[0] for line in command(capsys, monkeypatch, "list", *words)[1].splitlines()[1:]]

    assert {"burrs/six-piece-1", "rhombic/hexsticks"} <= set(listed("burr"))
    assert set(listed("burrtools")) - set(listed("burr"))
    assert listed("klein") == listed("klein bottle") == listed("Klein", "bottle") != []


def test_the_list_of_commands_cuts_none_of_their_sentences(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, shown, _ = command(capsys, monkeypatch, "--help")
    lines = [line for line in shown.splitlines() if line.strip().split("  ")[0] in COMMANDS and line.startswith("  ")]
    assert (status, [line.strip().split("  ")[0] for line in lines]) == (0, list(COMMANDS))
    assert all(line.endswith(".") and not line.endswith("..") and len(line) <= 80 for line in lines)


def test_one_thing_is_counted_in_the_singular() -> None:
    puzzle = puzzlec.parse('puzzle "P"\nlocations { xxx? }\npiece Bud { x }\npiece I { xx }\nfix I at { xx }')
    lines = str(puzzle).splitlines()
    assert "  3 locations and 1 optional one" in lines
    assert "  piece Bud: 1 cell" in lines
    assert "  piece I: 2 cells" in lines
