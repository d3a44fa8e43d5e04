"""What a user chooses about a text that is written, beside its format."""

from __future__ import annotations

from typing import NamedTuple

#: How "at most one of these" is said in clauses; auto takes the one with fewer of them.
AT_MOST_ONE = ("auto", "pairwise", "sequential")


class Choices(NamedTuple):
    """Choices that some writers know: ``at_most_one`` of :data:`AT_MOST_ONE`, for clauses."""

    at_most_one: str = "auto"
