"""Decimals as exact fractions, for proofs about the corners of outlines."""

from __future__ import annotations

from fractions import Fraction


def exactly(value: float) -> Fraction:
    """Return the fraction that a decimal means: one with a small denominator if it is close enough.

    >>> exactly(0.3333333333333333), exactly(-1.5), exactly(0.2501)
    (Fraction(1, 3), Fraction(-3, 2), Fraction(2501, 10000))
    """
    decimal = Fraction(str(value))
    small = decimal.limit_denominator(1000)
    return small if abs(small - decimal) < Fraction(1, 10**12) else decimal
