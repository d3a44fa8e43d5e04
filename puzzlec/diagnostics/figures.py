"""Numbers, fractions and times in words."""

from __future__ import annotations

import math

#: Units of a number, the largest first.
UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def percentage(fraction: float) -> str:
    """Return a fraction as a percentage, with enough digits to show its growth.

    >>> percentage(0.374), percentage(0.00234), percentage(0.0), percentage(2e-7)
    ('37%', '0.23%', '0%', 'under 0.01%')
    """
    percent = 100 * min(max(fraction, 0.0), 1.0)
    if percent >= 10 or percent == 0:
        return f"{int(percent)}%"
    if percent >= 1:
        return f"{percent:.1f}%"
    return f"{percent:.2f}%" if percent >= 0.01 else "under 0.01%"


def about(fraction: float) -> str:
    """Return an estimated fraction as a percentage, in words.

    >>> about(0.374), about(2e-7)
    ('about 37%', 'under 0.01%')
    """
    text = percentage(fraction)
    return text if text.startswith("under") else f"about {text}"


def duration(seconds: float) -> str:
    """Return a time as minutes and seconds, as hours, or in words if it is long.

    >>> duration(7.9), duration(3725), duration(400_000), duration(1e10)
    ('0:07', '1:02:05', '4.6 days', '317 years')
    """
    if seconds >= 2 * 365 * 86400:
        years = seconds / (365.25 * 86400)
        return f"{years:.0f} years" if years < 1e6 else f"{years:.0e} years"
    if seconds >= 2 * 86400:
        return f"{seconds / 86400:.1f} days"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{rest:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def between(low: float, high: float) -> str:
    """Return an interval of times in one unit.

    >>> between(25, 41), between(6000, 9000), between(3 * 86400, 400_000), between(50, 1e10)
    ('0:25 to 0:41', '1:40 to 2:30 h', '3.0 to 4.6 days', '0:50 to 317 years')
    """
    if high >= 2 * 365 * 86400:
        return f"{duration(low)} to {duration(high)}"
    if high >= 2 * 86400:
        return f"{low / 86400:.1f} to {high / 86400:.1f} days"
    if high >= 3600:
        return f"{int(low) // 3600}:{int(low) // 60 % 60:02} to {int(high) // 3600}:{int(high) // 60 % 60:02} h"
    return f"{duration(low)} to {duration(high)}"


def short(number: float) -> str:
    """Return a number with at most three digits and a unit.

    >>> short(23_456_789), short(512), short(1999)
    ('23.5 M', '512', '2 k')
    """
    for unit, name in UNITS:
        if number >= unit:
            return f"{number / unit:.3g} {name}" if number < 1000 * unit else f"{number / unit:.0f} {name}"
    return f"{number:.0f}"


def rounded(number: float) -> str:
    """Return a number in three digits.

    >>> rounded(254675.0), rounded(46_300_000.0), rounded(31.0), rounded(2.5e13)
    ('255,000', '46.3 million', '31', '2.5e+13')
    """
    if math.isinf(number):
        return "over 1e308"  # too large for a float
    if number >= 1e12:
        return f"{number:.3g}"
    for size, word in ((1e9, " billion"), (1e6, " million")):
        if number >= size:
            return f"{number / size:.3g}{word}"
    if number < 1000:
        return f"{number:.3g}" if number < 100 else f"{number:.0f}"
    digits = 10 ** (len(str(int(number))) - 3)
    return f"{round(number / digits) * digits:,}"
