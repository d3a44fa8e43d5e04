"""Outlines to cut, as a notebook shows them."""

from __future__ import annotations

import pytest

pytest.importorskip("shapely", reason="the extra `laser` is not installed")

import puzzlec


def test_hairlines_are_wide_on_the_screen_and_thin_in_the_file() -> None:
    text = puzzlec.cut("pentominoes/6x10")
    bundle = text._repr_mimebundle_()  # type: ignore[attr-defined]  # a `str` that shows itself
    shown = bundle["image/svg+xml"]
    assert 'stroke-width="0.1"' in text
    assert "vector-effect" not in text
    assert 'stroke-width="1.5"' in shown
    assert shown.count("non-scaling-stroke") == text.count("<path ") + text.count("<rect ")
