"""Notebooks of the documentation run from the first cell to the last, and are stored without pictures."""

from __future__ import annotations

import asyncio
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

nbformat = pytest.importorskip("nbformat")


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs_and_in_good_form(path: Path) -> None:
    book = read(path)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
    assert path.stat().st_size < 20_000


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the notebooks after all of their cells have run in an empty folder."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("shapely")
    pytest.importorskip("manifold3d")
    found = {}
    for path in NOTEBOOKS:
        book = read(path)
        folder = tmp_path_factory.mktemp(path.stem)
        with warnings.catch_warnings():
            # Kernels are processes with sockets, which libraries of Jupyter close later.
            warnings.simplefilter("ignore")
            _run(book, folder)
        found[path.stem] = book
    return found


def _run(book: Any, folder: Path, tries: int = 3) -> None:
    """Run all cells. Jupyter chooses free ports before the kernel takes them, and another process may be faster."""
    from nbclient import NotebookClient

    client = NotebookClient(book, timeout=120, resources={"metadata": {"path": str(folder)}})
    try:
        asyncio.run(client.async_execute())
    except RuntimeError as error:
        if "Kernel died before replying" not in str(error) or tries == 1:
            raise
        _run(book, folder, tries - 1)


def outputs(book: Any) -> list[Any]:
    return [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_of_a_notebook_runs_without_a_warning(path: Path, executed: dict[str, Any]) -> None:
    for output in outputs(executed[path.stem]):
        assert output.output_type in ("display_data", "execute_result", "stream"), output
        assert output.get("name") != "stderr", output


def test_the_last_value_of_a_cell_is_shown(executed: dict[str, Any]) -> None:
    shown = [output for output in outputs(executed["puzzlec"]) if output.output_type != "stream"]
    pictures = [output.data["image/svg+xml"] for output in shown if "image/svg+xml" in output.data]
    assert len(pictures) == 6  # the puzzle, a piece, a solution, all solutions, the cube, the outlines
    for picture in pictures:
        assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    assert all("text/plain" in output.data for output in shown)
    pages = [output.data["text/html"] for output in shown if "text/html" in output.data]
    assert len(pages) == 1
    assert pages[0].startswith("<iframe")
    texts = [output.data["text/plain"] for output in shown]
    assert "(6, 48)" in texts
    assert any(text.startswith("error[PZ") and "help:" in text for text in texts)
    assert "['pieces.svg', 'solution.svg', 'soma.html', 'soma.stl']" in texts
