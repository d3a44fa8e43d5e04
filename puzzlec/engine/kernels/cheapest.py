"""Branch and bound for covers of lowest cost, after Knuth's DLX5 (TAOCP 7.2.2.1, Algorithm C with costs).

Each item pays a tax: the lowest cost of its options. The net cost of an option is its cost minus the taxes of its
items, and is never negative. The options of a level are a list, ascending by net cost; a child copies those that remain
possible. So a node is one pass over its list, which gives the degrees of all items, and a bound on the cost.

For the bound, the primary items of an option share its net cost. An item that needs an option pays at least the least
share of its options. An option that would exceed the bound is dropped from the list.

The functions use only indices and integers. :mod:`puzzlec.engine.search.cheapest` compiles them for numpy arrays, or
runs them uncompiled on arrays of Python. Both walk the same tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from puzzlec.engine.kernels.jit import inner, jit

# Fields of ``state``. LIMIT: the highest net cost that is still interesting, FRESH: whether the level is a new node.
LEVEL, FRESH, NODES, LIMIT = 0, 1, 2, 3

#: Results of :func:`advance`: the tree is exhausted, a cover was found, the budget is used up, the lists need room.
FINISHED, FOUND, PAUSED, FULL = 0, 1, 2, 3

#: Instead of an item: the node is a cover, or no cover is below it. Instead of an option: the item takes no more
#: options.
COVER, DEAD, NONE = -1, -2, -1

#: A limit that excludes nothing.
UNLIMITED = 1 << 62


class PricedProblem(NamedTuple):
    """The options in the order of their net costs, with their entries, net costs, and the share of each primary item.

    Net costs and shares are multiplied by the same number, so that shares are nearly exact.
    """

    starts: Any
    items: Any
    colours: Any
    net: Any
    share: Any
    primary: int


class PricedPath(NamedTuple):
    """The position of the search.

    - For each item: ``room`` is the number of options that it may still get, ``need`` the number that it must get.
    - For each secondary item: ``shade`` is its colour (0: none yet, -1: used without colour), ``setter`` its level.
    - ``live`` has the lists of all levels; each begins at ``first`` and ends at ``last``.
    - For each level: ``branch`` is its item, ``cursor`` the next position to try, ``chosen`` the option taken.
      ``saved`` is the room of an item that takes no more options.
    - For each level: ``paid`` is the sum of net costs, ``bound`` the bound of its node.
    - In a node, ``count`` and ``least`` are the numbers of options of the items, and their least shares.
    """

    room: Any
    need: Any
    shade: Any
    setter: Any
    live: Any
    first: Any
    last: Any
    branch: Any
    cursor: Any
    chosen: Any
    saved: Any
    paid: Any
    bound: Any
    count: Any
    least: Any


@inner
def has(problem: PricedProblem, option: int, item: int) -> bool:
    """Return whether an option has an item."""
    for entry in range(problem.starts[option], problem.starts[option + 1]):  # noqa: SIM110  # numba compiles no `any`
        if problem.items[entry] == item:
            return True
    return False


@inner
def take(problem: PricedProblem, path: PricedPath, level: int, option: int) -> None:
    """Take an option on a level: its items get it."""
    for entry in range(problem.starts[option], problem.starts[option + 1]):
        item = problem.items[entry]
        path.room[item] -= 1
        path.need[item] -= 1
        if item >= problem.primary and path.shade[item] == 0:
            colour = problem.colours[entry]
            path.shade[item] = colour if colour > 0 else -1
            path.setter[item] = level


@inner
def give_back(problem: PricedProblem, path: PricedPath, level: int, option: int) -> None:
    """Undo :func:`take`."""
    for entry in range(problem.starts[option], problem.starts[option + 1]):
        item = problem.items[entry]
        path.room[item] += 1
        path.need[item] += 1
        if item >= problem.primary and path.setter[item] == level and path.shade[item] != 0:
            path.shade[item] = 0


@inner
def fits(problem: PricedProblem, path: PricedPath, option: int) -> bool:
    """Return whether an option can be taken beside those of the path."""
    for entry in range(problem.starts[option], problem.starts[option + 1]):
        item = problem.items[entry]
        if item < problem.primary:
            if path.room[item] <= 0:
                return False
        elif path.shade[item] != 0 and path.shade[item] != problem.colours[entry]:
            return False
    return True


@inner
def pass_on(problem: PricedProblem, path: PricedPath, level: int, index: int) -> None:
    """Make the list of the next level; ``index`` is the position of the taken option in the list of this level."""
    item, filled = path.branch[level], path.last[level]
    path.first[level + 1] = filled
    for place in range(path.first[level], path.last[level]):
        option = path.live[place]
        tried = place <= index and (place == index or (path.room[item] > 0 and has(problem, option, item)))
        if not tried and fits(problem, path, option):
            path.live[filled] = option
            filled += 1
    path.last[level + 1] = filled


@inner
def measure(problem: PricedProblem, path: PricedPath, level: int) -> None:
    """Count the options of each item in the list of a level, and find the least share of each item."""
    for item in range(problem.primary):
        path.count[item] = 0
        path.least[item] = UNLIMITED
    for place in range(path.first[level], path.last[level]):
        option = path.live[place]
        share = problem.share[option]
        for entry in range(problem.starts[option], problem.starts[option + 1]):
            item = problem.items[entry]
            if item < problem.primary:
                path.count[item] += 1
                path.least[item] = min(path.least[item], share)


@inner
def bound_of(problem: PricedProblem, path: PricedPath, level: int) -> Any:
    """Return a lower bound of the net cost of all covers below a node, above :data:`UNLIMITED` if no cover exists."""
    bound = path.paid[level]
    for item in range(problem.primary):
        if path.need[item] > 0:
            if path.count[item] < path.need[item]:
                return UNLIMITED + 1
            bound += path.need[item] * path.least[item]
    return bound


@inner
def drop(problem: PricedProblem, path: PricedPath, level: int, spare: int) -> None:
    """Drop the options that would raise the bound by more than ``spare``."""
    filled = path.first[level]
    for place in range(path.first[level], path.last[level]):
        option = path.live[place]
        more = problem.net[option]
        for entry in range(problem.starts[option], problem.starts[option + 1]):
            item = problem.items[entry]
            if item < problem.primary and path.need[item] > 0:
                more -= path.least[item]
        if more <= spare:
            path.live[filled] = option
            filled += 1
            continue
        for entry in range(problem.starts[option], problem.starts[option + 1]):
            item = problem.items[entry]
            if item < problem.primary:
                path.count[item] -= 1
    path.last[level] = filled


@inner
def choose(problem: PricedProblem, path: PricedPath) -> int:
    """Return the item of least branching degree, :data:`COVER` or :data:`DEAD`. Ties: the lowest item."""
    best, fewest = COVER, UNLIMITED
    for item in range(problem.primary):
        need, left = max(0, path.need[item]), path.count[item]
        if path.room[item] > 0 and need + left > 0:
            degree = left + 1 - need
            if degree <= 0:
                return DEAD
            if degree < fewest:
                best, fewest = item, degree
        elif need > 0:
            return DEAD
    return best


@inner
def enter(problem: PricedProblem, path: PricedPath, level: int, limit: int) -> int:
    """Return the item to branch on at a new node, :data:`COVER` or :data:`DEAD`."""
    measure(problem, path, level)
    path.bound[level] = bound_of(problem, path, level)
    if path.bound[level] > limit:
        return DEAD
    if limit < UNLIMITED:
        drop(problem, path, level, limit - path.bound[level])
    return choose(problem, path)


@inner
def next_place(problem: PricedProblem, path: PricedPath, level: int, limit: int) -> int:
    """Return the position of the next option to try on a level, -1 if there is none."""
    item = path.branch[level]
    for place in range(path.cursor[level], path.last[level]):
        option = path.live[place]
        if path.paid[level] + problem.net[option] > limit:
            return -1
        if has(problem, option, item):
            return place
    return -1


@inner
def descend(problem: PricedProblem, path: PricedPath, level: int, limit: int) -> bool:
    """Take the next branch of a level; return False if there is none."""
    item = path.branch[level]
    if item < 0 or path.bound[level] > limit:
        return False
    place = next_place(problem, path, level, limit) if path.cursor[level] >= 0 else -1
    path.paid[level + 1] = path.paid[level]
    if place >= 0:
        option = path.live[place]
        path.chosen[level], path.cursor[level] = option, place + 1
        path.paid[level + 1] += problem.net[option]
        take(problem, path, level, option)
        pass_on(problem, path, level, place)
        return True
    if path.cursor[level] < 0 or path.need[item] > 0:
        return False
    path.chosen[level], path.cursor[level], path.saved[level] = NONE, -1, path.room[item]
    path.room[item] = 0
    pass_on(problem, path, level, -1)
    return True


@inner
def ascend(problem: PricedProblem, path: PricedPath, level: int) -> None:
    """Undo the branch of a level."""
    if path.chosen[level] == NONE:
        path.room[path.branch[level]] = path.saved[level]
    else:
        give_back(problem, path, level, path.chosen[level])


@jit
def advance(state: Any, budget: int, problem: PricedProblem, path: PricedPath) -> int:
    """Continue a search for at most ``budget`` nodes; the options of a cover that is found are in ``chosen``."""
    level, limit = state[LEVEL], state[LIMIT]
    while True:
        if state[FRESH] == 1:
            state[FRESH] = 0
            path.branch[level], path.cursor[level] = enter(problem, path, level, limit), path.first[level]
            if path.branch[level] == COVER:
                state[LEVEL] = level
                return FOUND
        if budget <= 0 or 2 * path.last[level] - path.first[level] > len(path.live):
            state[LEVEL] = level
            return PAUSED if budget <= 0 else FULL
        if descend(problem, path, level, limit):
            budget -= 1
            state[NODES] += 1
            state[FRESH] = 1
            level += 1
        elif level == 0:
            return FINISHED
        else:
            level -= 1
            ascend(problem, path, level)
