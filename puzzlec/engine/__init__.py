"""The shared engine: an exact cover in, a stream of covers or a count out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.race import Limits, Stop
from puzzlec.engine.search.search import Search

if TYPE_CHECKING:
    from puzzlec.engine.api import count, first, is_unique, solve
    from puzzlec.engine.diagram import SolutionSet
    from puzzlec.engine.reduction.reductions import Reduction, Rule, reduce
    from puzzlec.engine.search.counting import Counted, count_covers
    from puzzlec.engine.search.estimating import Estimate, estimate
    from puzzlec.engine.search.order_race import UnfinishedError
    from puzzlec.engine.search.restarts import Found, first_cover

__all__ = [
    "Counted",
    "Estimate",
    "ExactCover",
    "Found",
    "Limits",
    "Reduction",
    "Rule",
    "Search",
    "SolutionSet",
    "Stop",
    "UnfinishedError",
    "count",
    "count_covers",
    "estimate",
    "first",
    "first_cover",
    "is_unique",
    "reduce",
    "solve",
]

#: Modules of the names that are imported on first use, since some of these modules import numpy.
_HOMES = {
    "Counted": "search.counting",
    "Estimate": "search.estimating",
    "Found": "search.restarts",
    "Reduction": "reduction.reductions",
    "Rule": "reduction.reductions",
    "SolutionSet": "diagram",
    "UnfinishedError": "search.order_race",
    "count": "api",
    "count_covers": "search.counting",
    "estimate": "search.estimating",
    "first": "api",
    "first_cover": "search.restarts",
    "is_unique": "api",
    "reduce": "reduction.reductions",
    "solve": "api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
