"""The engine that all commands share: it turns an exact cover into a stream of covers or a count."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlec.engine.limits import Limits, Stop, UnfinishedError
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.search import Search, count, count_each, is_unique, solve

if TYPE_CHECKING:
    from puzzlec.engine.diagram import SolutionSet
    from puzzlec.engine.reduction.reductions import Reduction, ReductionRule, reduce
    from puzzlec.engine.search.counting import Counted, count_covers
    from puzzlec.engine.search.estimating import Estimate, estimate
    from puzzlec.engine.search.first_cover import FirstCover, first, first_cover

__all__ = [
    "Counted",
    "Estimate",
    "ExactCover",
    "FirstCover",
    "Limits",
    "Reduction",
    "ReductionRule",
    "Search",
    "SolutionSet",
    "Stop",
    "UnfinishedError",
    "count",
    "count_covers",
    "count_each",
    "estimate",
    "first",
    "first_cover",
    "is_unique",
    "reduce",
    "solve",
]

#: The module of each name that is imported on first use. Some of these modules import numpy.
_HOMES = {
    "Counted": "search.counting",
    "Estimate": "search.estimating",
    "FirstCover": "search.first_cover",
    "Reduction": "reduction.reductions",
    "ReductionRule": "reduction.reductions",
    "SolutionSet": "diagram",
    "count_covers": "search.counting",
    "estimate": "search.estimating",
    "first": "search.first_cover",
    "first_cover": "search.first_cover",
    "reduce": "reduction.reductions",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = attribute = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return attribute


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
