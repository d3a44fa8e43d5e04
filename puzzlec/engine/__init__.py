"""The shared engine: an exact cover in, a stream of covers or a count out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlec.engine.search import Limits, Search, Stop
from puzzlec.ir.cover import ExactCover

if TYPE_CHECKING:
    from puzzlec.engine.counting import Counted, count_covers
    from puzzlec.engine.estimating import Estimate, estimate
    from puzzlec.engine.face import count, first, is_unique, solve
    from puzzlec.engine.order_race import UnfinishedError
    from puzzlec.engine.reductions import Reduction, Rule, reduce
    from puzzlec.engine.restarts import Found, first_cover
    from puzzlec.engine.solution_set import SolutionSet

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

#: Where the names are that are looked up when somebody asks for one, since some of these modules import numpy.
_HOMES = {
    "Counted": "counting",
    "Estimate": "estimating",
    "Found": "restarts",
    "Reduction": "reductions",
    "Rule": "reductions",
    "SolutionSet": "solution_set",
    "UnfinishedError": "order_race",
    "count": "face",
    "count_covers": "counting",
    "estimate": "estimating",
    "first": "face",
    "first_cover": "restarts",
    "is_unique": "face",
    "reduce": "reductions",
    "solve": "face",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
