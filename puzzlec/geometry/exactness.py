"""Decimals as exact fractions, and decimals that are nearly right."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def exactly(value: float) -> Fraction:
    """Return the fraction that a decimal means: one with a small denominator if it is close enough.

    >>> exactly(0.3333333333333333), exactly(-1.5), exactly(0.2501)
    (Fraction(1, 3), Fraction(-3, 2), Fraction(2501, 10000))
    """
    decimal = Fraction(str(value))
    small = decimal.limit_denominator(1000)
    return small if abs(small - decimal) < Fraction(1, 10**12) else decimal


#: The value of each root that is frequent in `axes`, and its name.
ROOTS = {
    root**0.5 / part: f"{name} root of {root}"
    for root in (2, 3, 5)
    for part, name in (
        (1, "the"),
        (2, "half the"),
        (3, "a third of the"),
        (4, "a quarter of the"),
        (6, "a sixth of the"),
    )
}

#: A number within this relative error may be a rounded root.
NEAR = 0.006


def told_apart(one: float, two: float) -> tuple[str, str]:
    """Return two numbers with enough digits to show that they differ.

    >>> told_apart(1.0, 0.9999999), told_apart(1.0, 2.0)
    (('1.0000000', '0.9999999'), ('1', '2'))
    """
    if f"{one:.6g}" != f"{two:.6g}":
        return f"{one:.6g}", f"{two:.6g}"
    places = next((places for places in range(6, 17) if f"{one:.{places}f}" != f"{two:.{places}f}"), 17)
    return f"{one:.{places}f}", f"{two:.{places}f}"


def roots_meant(axes: Sequence[Sequence[float]], precision: float) -> str:
    """Return the suggestion for axes that are nearly right: they may be rounded roots.

    >>> roots_meant([[1, 0], [-0.5, 0.866]], 1e-9)
    'write axes with 9 correct digits; did you mean 0.8660254037844386 (half the root of 3) for 0.866?'
    """
    text = "write axes with 9 correct digits"
    for value in (abs(value) for axis in axes for value in axis):
        root = min(ROOTS, key=lambda candidate: abs(candidate - value))
        if precision < abs(root - value) / root <= NEAR:
            return f"{text}; did you mean {root!r} ({ROOTS[root]}) for {value!r}?"
    return text if axes else ""
