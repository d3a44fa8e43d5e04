"""Plots as SVG, of a few lines of text each: axes, grids and curves. The same values make the same bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis: values from ``low`` to ``high``, both powers of ten, at positions ``start`` to ``end``."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float) -> Axis:
        """Return the axis that contains all values."""
        low = math.floor(math.log10(min(values)))
        high = max(low + 1, math.ceil(math.log10(max(values))))
        return cls(low, high, start, end)

    def at(self, value: float) -> float:
        """Return the position of a value."""
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[int]:
        """The exponents of ten on the axis."""
        return list(range(self.low, self.high + 1))

    @property
    def marks(self) -> list[tuple[float, str]]:
        """Positions of grid lines, and their labels."""
        return [(self.at(10.0**tick), f"{10**tick:,}" if tick >= 0 else f"{10.0**tick:g}") for tick in self.ticks]


@dataclass(frozen=True)
class Straight:
    """An axis of equal steps: values from 0 to ``most``, marks at each ``step``, positions ``start`` to ``end``."""

    most: float
    step: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the position of a value."""
        return self.start + value / self.most * (self.end - self.start)

    @property
    def marks(self) -> list[tuple[float, str]]:
        """Positions of grid lines, and their labels."""
        return [(self.at(k * self.step), f"{k * self.step:g}") for k in range(int(self.most / self.step + 1e-9) + 1)]


@dataclass(frozen=True)
class Panel:
    """Two axes, and the drawing between them."""

    across: Axis | Straight
    up: Axis | Straight

    def grid(self) -> list[str]:
        """Return the lines of the grid, with values on the left and at the bottom."""
        left, right, top, bottom = self.across.start, self.across.end, self.up.end, self.up.start
        lines = []
        for x, shown in self.across.marks:
            lines.append(f'<line x1="{x:.1f}" y1="{top:g}" x2="{x:.1f}" y2="{bottom:g}" stroke="#ddd"/>')
            lines.append(f'<text x="{x:.1f}" y="{bottom + 20:g}" text-anchor="middle">{shown}</text>')
        for y, shown in self.up.marks:
            lines.append(f'<line x1="{left:g}" y1="{y:.1f}" x2="{right:g}" y2="{y:.1f}" stroke="#ddd"/>')
            lines.append(f'<text x="{left - 8:g}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
        return lines

    def curve(
        self, points: Sequence[tuple[float, float]], colour: str, dots: bool = True, dashes: str = ""
    ) -> list[str]:
        """Return a curve through points, with a dot at each if asked for; ``dashes`` such as "6 4" break its line."""
        places = [(self.across.at(x), self.up.at(y)) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        broken = f' stroke-dasharray="{dashes}"' if dashes else ""
        lines = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{broken}/>']
        if dots:
            lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        return lines


def picture(width: int, height: int, title: str, lines: Sequence[str]) -> str:
    """Return a whole SVG document, on white."""
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    return "\n".join([*head, *lines, "</svg>"]) + "\n"
