"""The fields of :class:`puzzlec.Choices` as keywords of calls: tests/show/test_picture_settings.py writes this file."""

from __future__ import annotations

from typing import TypedDict


class Chosen(TypedDict, total=False):
    """The settings of a picture, ``comes_apart`` for its solutions, and ``scale`` for PNG."""

    show: str | None
    title: str | None
    paper: str | None
    plain: bool
    labels: str
    view: str | None
    explode: float
    cell: float | None
    columns: int | None
    legend: bool | None
    background: str
    steps: bool
    animate: bool
    rotate: bool
    palette: str
    fewest_colours: bool
    comes_apart: bool | None
    scale: float | None
