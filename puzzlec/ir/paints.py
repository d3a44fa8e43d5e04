"""The colours of pieces in pictures, by their names."""

from __future__ import annotations

import re

from puzzlec.diagnostics import suggestion

#: Colours as `#rrggbb` by their names. They are also those of the marks of cells and sides with these names.
PAINTS = {
    "black": "#2b2f36", "white": "#ffffff", "grey": "#9aa3ab", "gray": "#9aa3ab", "red": "#d9443f",
    "green": "#3f9b57", "blue": "#3d74c7", "yellow": "#f2d33c", "orange": "#ef8a33", "purple": "#8a5cc0",
    "violet": "#8a5cc0", "pink": "#f2a0bd", "brown": "#8d5f3c", "cyan": "#49bcd0", "magenta": "#cf4fa5",
    "gold": "#d9b23c", "silver": "#c4c9cf", "turquoise": "#45bfb0", "beige": "#e3d5b0",
}  # fmt: skip

#: Second names of colours.
PAINT_SYNONYMS = ("gray", "violet")


def paint_of(word: str) -> str:
    """Return the colour of a name or of `#rrggbb`, as `#rrggbb`; empty if it is neither.

    >>> paint_of("Red"), paint_of("#FF8000"), paint_of("colourless")
    ('#d9443f', '#ff8000', '')
    """
    word = word.lower()
    return word if re.fullmatch("#[0-9a-f]{6}", word) else PAINTS.get(word, "")


def paint_advice(word: str) -> str:
    """Return the suggestion for an unknown colour.

    >>> paint_advice("#f00"), paint_advice("darkred"), paint_advice("rd")
    ('write `"#ff0000"`', 'write `red`', 'did you mean `red`?')
    """
    word = word.lower()
    digits = re.fullmatch("#?([0-9a-f]{3}|[0-9a-f]{6})", word)
    if digits:
        return f'write `"#{"".join(sign * (6 // len(digits[1])) for sign in digits[1])}"`'
    part = next((name for name in PAINTS if name in word), "")
    return f"write `{part}`" if part else "".join(suggestion(word, PAINTS)) or 'write `"#ff8000"`'
