"""The preparation of a frontier count: an order of the items, the steps, and the position of each item in a state.

A *step* is one primary item that is covered at most once, with the options that have it as their first item in the
order. For an item with other bounds, a step is one such option, which is taken or skipped. An item *lives* from the
first step with one of its options to the last. Only in between must a state remember it. Items whose lives do not
overlap share the same bits, as variables share the registers of a machine (M. Poletto and V. Sarkar, "Linear scan
register allocation", ACM TOPLAS 21, 1999), so a state takes as many bits as the frontier is wide.

The order determines the width. Candidates are the given order, also with the busiest items last, and orders grown from
an end of the item-option graph. They grow by the item that brings the fewest new ones into the frontier (in the manner
of S. W. Sloan's profile reduction, Int. J. Numer. Meth. Eng. 23, 1986). The order with the least :func:`width_of` wins.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import inner, jit

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

#: How an entry of more than one bit changes its field: count to a bound, count to enough, get a colour
COUNT, ENOUGH, COLOUR = 0, 1, 2

#: Numbers of the measure of an order. OF_BITS is the least exponent of all bits. A frontier reaches all states if, in
#: the middle of a count, the number of partial covers has more than MANY_WAYS times as many bits as a state.
OF_BITS, MANY_WAYS = 0.4, 2.5

LOG_TWO = math.log(2.0)


class LayersProblem(NamedTuple):
    """An exact cover of ``total`` items, the first ``primary`` of them primary; int32.

    ``weights`` says for each entry of an option how often the option covers the item.
    """

    primary: int
    total: int
    low: Ints
    high: Ints
    starts: Ints
    items: Ints
    colours: Ints
    weights: Ints


class ListsEndToEnd(NamedTuple):
    """Lists end to end: list ``n`` is ``members[heads[n] : heads[n + 1]]``."""

    heads: Ints
    members: Ints


class StateFields(NamedTuple):
    """The field of each item in a state, and the code of each entry in that field.

    For each item: ``bits`` (0: nothing to remember), ``kinds`` (-1: one bit, set when the item is covered) and
    ``caps``, the largest count that is kept. For each entry of an option: ``codes`` is what it adds to a count, or the
    number of its colour. The number 1 is for no colour and for colours that no other option has.
    """

    bits: Ints
    kinds: Ints
    caps: Ints
    codes: Ints


class StepOrder(NamedTuple):
    """The steps of an order, and the life of each item.

    ``options`` are the options in the order of the steps, and ``cuts`` is where the options of each step begin.
    ``branched`` is the item of each step (-1: one option, taken or skipped). ``first`` and ``last`` are the steps of
    each item (-1: none).
    """

    options: Ints
    cuts: Ints
    branched: Ints
    first: Ints
    last: Ints


class StepEffects(NamedTuple):
    """The effect of the steps on a state. ``cuts`` is where the options of each step begin.

    - ``masks`` (options in step order, words): the single bits of an option, which exclude each other
    - ``more``, ``changes``: an option's other entries, five numbers each (kind, bit, mask, code, cap)
    - ``branches`` (two a step): the bit of the item branched on (-1: none), and whether it may be left uncovered
    - ``keep``, ``need`` (steps, words): the bits that live on, and those that must be set
    - ``ends``, ``closing``: the counts that must have reached a bound, three numbers each (bit, mask, bound)
    """

    cuts: Ints
    masks: Words
    more: Ints
    changes: Ints
    branches: Ints
    keep: Words
    need: Words
    ends: Ints
    closing: Ints


@inner
def usable(problem: LayersProblem) -> Flags:
    """Return which options can be taken at all: options that alone exceed no bound."""
    primary, high, starts, items, weights = (
        problem.primary, problem.high, problem.starts, problem.items, problem.weights,
    )  # fmt: skip
    options = len(starts) - 1
    alive = np.ones(options, np.bool_)
    for option in range(options):
        for k in range(starts[option], starts[option + 1]):
            if items[k] < primary and weights[k] > high[items[k]]:
                alive[option] = False
    return alive


@inner
def options_of(problem: LayersProblem, alive: Flags) -> ListsEndToEnd:
    """Return for each item the options that have it."""
    total, starts, items = problem.total, problem.starts, problem.items
    heads = np.zeros(total + 1, np.int32)
    for option in range(len(alive)):
        if alive[option]:
            for k in range(starts[option], starts[option + 1]):
                heads[items[k] + 1] += 1
    for item in range(total):
        heads[item + 1] += heads[item]
    lists = np.empty(heads[total], np.int32)
    filled = heads[:-1].copy()
    for option in range(len(alive)):
        if alive[option]:
            for k in range(starts[option], starts[option + 1]):
                lists[filled[items[k]]] = option
                filled[items[k]] += 1
    return ListsEndToEnd(heads, lists)


@inner
def neighbours_of(problem: LayersProblem, by_item: ListsEndToEnd) -> ListsEndToEnd:
    """Return for each primary item its neighbours: primary items that share an option with it."""
    primary, starts, items = problem.primary, problem.starts, problem.items
    heads, lists = by_item
    begins = np.zeros(primary + 1, np.int32)
    seen = np.full(primary, -1, np.int32)
    number = 0
    room = 16
    flat = np.empty(room, np.int32)
    for item in range(primary):
        for place in range(heads[item], heads[item + 1]):
            option = lists[place]
            for k in range(starts[option], starts[option + 1]):
                other = items[k]
                if other < primary and other != item and seen[other] != item:
                    seen[other] = item
                    if number == room:
                        larger = np.empty(2 * room, np.int32)
                        for k2 in range(room):
                            larger[k2] = flat[k2]
                        flat = larger
                        room *= 2
                    flat[number] = other
                    number += 1
        begins[item + 1] = number
    return ListsEndToEnd(begins, flat[:number])


@inner
def narrowest(frontier: Ints, fresh: Ints, left: Ints, touched: Ints) -> int:
    """Return the position in the frontier of the item that brings the fewest new ones into it.

    Ties go to the item with the fewest options left, then to the one that entered the frontier first.
    """
    best = 0
    for place in range(1, len(frontier)):
        one, two = frontier[place], frontier[best]
        if fresh[one] != fresh[two]:
            if fresh[one] < fresh[two]:
                best = place
        elif left[one] != left[two]:
            if left[one] < left[two]:
                best = place
        elif touched[one] < touched[two]:
            best = place
    return best


@inner
def grown(begin: int, problem: LayersProblem, by_item: ListsEndToEnd, neighbours: ListsEndToEnd) -> Ints:
    """Return the order that grows from an item by the items that bring the fewest new ones into the frontier."""
    primary, starts, items = problem.primary, problem.starts, problem.items
    heads, lists = by_item
    begins, near = neighbours
    order = np.empty(primary, np.int32)
    done = np.zeros(primary, np.bool_)
    touched = np.full(primary, -1, np.int32)
    fresh = np.empty(primary, np.int32)  # number of neighbours of an item outside the frontier
    left = np.empty(primary, np.int32)
    for item in range(primary):
        fresh[item] = begins[item + 1] - begins[item]
        left[item] = heads[item + 1] - heads[item]
    used = np.zeros(len(starts) - 1, np.bool_)
    frontier = np.empty(primary, np.int32)
    size, clock, lowest = 0, 0, 0
    pick = begin
    for rank in range(primary):
        if rank:
            if size == 0:
                while done[lowest]:
                    lowest += 1
                pick = lowest
            else:
                best = narrowest(frontier[:size], fresh, left, touched)
                pick = frontier[best]
                size -= 1
                frontier[best] = frontier[size]
        order[rank] = pick
        done[pick] = True
        if touched[pick] < 0:
            touched[pick] = clock
            clock += 1
            for place in range(begins[pick], begins[pick + 1]):
                fresh[near[place]] -= 1
        for place in range(begins[pick], begins[pick + 1]):
            other = near[place]
            if touched[other] < 0:
                touched[other] = clock
                clock += 1
                frontier[size] = other
                size += 1
                for again in range(begins[other], begins[other + 1]):
                    fresh[near[again]] -= 1
        for place in range(heads[pick], heads[pick + 1]):
            option = lists[place]
            if not used[option]:
                used[option] = True
                for k in range(starts[option], starts[option + 1]):
                    if items[k] < primary:
                        left[items[k]] -= 1
    return order


@inner
def farthest(begin: int, neighbours: ListsEndToEnd) -> int:
    """Return an end of the graph: of the items farthest from an item, the one with the fewest neighbours."""
    begins, near = neighbours
    primary = len(begins) - 1
    distance = np.full(primary, -1, np.int32)
    queue = np.empty(primary, np.int32)
    queue[0], distance[begin] = begin, 0
    head, tail, best = 0, 1, begin
    while head < tail:
        item = queue[head]
        head += 1
        degree = begins[item + 1] - begins[item]
        if distance[item] > distance[best] or degree < begins[best + 1] - begins[best]:
            best = item
        for place in range(begins[item], begins[item + 1]):
            other = near[place]
            if distance[other] < 0:
                distance[other] = distance[item] + 1
                queue[tail] = other
                tail += 1
    return best


@inner
def lives(order: Ints, problem: LayersProblem, by_item: ListsEndToEnd) -> StepOrder:
    """Return the steps of an order, and the life of each item."""
    primary, total, high, starts, items = problem.primary, problem.total, problem.high, problem.starts, problem.items
    heads, lists = by_item
    used = np.zeros(len(starts) - 1, np.bool_)
    options = np.empty(len(starts) - 1, np.int32)
    cuts = np.zeros(len(starts) + primary, np.int32)
    branched = np.empty(len(starts) + primary, np.int32)
    first, last = np.full(total, -1, np.int32), np.full(total, -1, np.int32)
    step, number = 0, 0
    for rank in range(primary):
        item = order[rank]
        begun = number
        for place in range(heads[item], heads[item + 1]):
            option = lists[place]
            if used[option]:
                continue
            used[option] = True
            options[number] = option
            number += 1
            for k in range(starts[option], starts[option + 1]):
                if first[items[k]] < 0:
                    first[items[k]] = step
                last[items[k]] = step
            if high[item] != 1:
                branched[step] = -1
                step += 1
                cuts[step] = number
        if high[item] == 1 and number > begun:
            branched[step] = item
            step += 1
            cuts[step] = number
    return StepOrder(options[:number], cuts[: step + 1], branched[:step], first, last)


@inner
def width_of(bits: Ints, order: StepOrder, problem: LayersProblem, by_item: ListsEndToEnd) -> float:
    """Return a measure of the states of all steps; a smaller one is better.

    A step has at most two to the power of the bits that live, and it reaches them if there are far more partial covers
    (dominoes on a large board). Otherwise, most states are typical ones (pentominoes): two to the power of the entropy
    of the bits, if each option were taken with the same chance. This is about ``(4 p (1 - p)) ** 0.75`` for an item,
    where ``p`` is the part of its options that is done. A cell that one of its sixty options has met so far is nearly
    always free. The number of partial covers follows from the same chances.

    The entropy does not see some rules, such as the balance of a colouring. They forbid more of the states if few items
    live. So two to the power of all bits always is a factor, with the exponent :data:`OF_BITS`.
    """
    options, cuts, last = order.options, order.cuts, order.last
    starts, items, heads = problem.starts, problem.items, by_item.heads
    done, entropy = np.zeros(len(bits), np.int32), np.zeros(len(bits), np.float64)
    alive, free = np.zeros(len(bits), np.bool_), np.ones(len(bits), np.float64)
    wide, live, peak, ways = 0.0, 0.0, 1.0, 0.0
    total, most = 1.0, 1.0
    for step in range(len(cuts) - 1):
        branched, fit = order.branched[step], 0.0
        for option in options[cuts[step] : cuts[step + 1]]:
            chance = 1.0
            for k in range(starts[option], starts[option + 1]):
                if items[k] != branched:
                    chance *= free[items[k]]
            fit += chance
        left = free[branched] if branched >= 0 else 1.0
        ways += math.log(max(0.5, 1.0 + left * (fit - 1.0))) / LOG_TWO
        for option in options[cuts[step] : cuts[step + 1]]:
            for k in range(starts[option], starts[option + 1]):
                item = items[k]
                if last[item] > step and done[item] == 0:
                    live += bits[item]
                if last[item] == step and alive[item]:
                    live -= bits[item]
                alive[item] = last[item] > step
                done[item] += 1
                part = done[item] / (heads[item + 1] - heads[item])
                free[item] = 1.0 - part
                root = math.sqrt(max(0.0, 4 * part * (1 - part))) if last[item] > step else 0.0
                now = bits[item] * root * math.sqrt(root)
                wide += now - entropy[item]
                entropy[item] = now
        size = 1 + cuts[step + 1] - cuts[step]
        peak = max(peak, live)
        total += 2.0 ** min(max(wide, 0.0), 600.0) * size
        most += 2.0 ** min(live, 600.0) * size
    full = min(1.0, max(0.0, ways / (2 * peak) - MANY_WAYS))
    return float(total ** (1 - full) * most ** (full + OF_BITS))


@inner
def arrange(problem: LayersProblem, by_item: ListsEndToEnd, bits: Ints) -> Ints:
    """Return the order of the primary items that promises the narrowest frontier."""
    primary = problem.primary
    neighbours = neighbours_of(problem, by_item)
    begins = neighbours.heads
    most = 0
    for item in range(primary):
        most = max(most, begins[item + 1] - begins[item])
    best = np.arange(primary).astype(np.int32)
    least = width_of(bits, lives(best, problem, by_item), problem, by_item)
    order = np.empty(primary, np.int32)
    number = 0
    for late in range(2):  # the given order, items with nearly as many neighbours as any last, for example pieces
        for item in range(primary):
            if (5 * (begins[item + 1] - begins[item]) > 4 * most) == (late == 1):
                order[number] = item
                number += 1
    begin = order[0]
    width = width_of(bits, lives(order, problem, by_item), problem, by_item)
    if width < least:
        least, best = width, order
    for _ in range(3):
        order = grown(begin, problem, by_item, neighbours)
        width = width_of(bits, lives(order, problem, by_item), problem, by_item)
        if width < least:
            least, best = width, order
        begin = farthest(begin, neighbours)
    return best


@inner
def bits_for(number: int) -> int:
    """Return the number of bits for numbers up to this one."""
    bits = 0
    while number:
        bits += 1
        number >>= 1
    return bits


@inner
def codes_of(problem: LayersProblem, options: Ints, item: int, codes: Ints) -> int:
    """Return the greatest code of a secondary item. ``codes`` gets numbers from 2 for colours of several options."""
    starts, items, colours = problem.starts, problem.items, problem.colours
    most = 0
    for option in options:
        most += starts[option + 1] - starts[option]
    distinct, times, number = np.empty(most, np.int32), np.zeros(most, np.int32), 0
    for turn in range(2):
        for option in options:
            for k in range(starts[option], starts[option + 1]):
                if items[k] != item or colours[k] == 0:
                    continue
                index = 0
                while index < number and distinct[index] != colours[k]:
                    index += 1
                if turn:
                    codes[k] = times[index]
                    continue
                if index == number:
                    distinct[number] = colours[k]
                    number += 1
                times[index] += 1
        if turn == 0:
            code = 1
            for index in range(number):
                if times[index] > 1:
                    code += 1
                    times[index] = code
    return code


@inner
def fields_of(problem: LayersProblem, by_item: ListsEndToEnd) -> StateFields:
    """Return the field of each item in a state, and the code of each entry in that field."""
    primary, total, low, high, starts, items, _, weights = problem
    heads, lists = by_item
    bits, kinds, caps = np.ones(total, np.int32), np.full(total, -1, np.int32), np.ones(total, np.int32)
    codes = np.ones(len(items), np.int32)
    for item in range(primary):
        weight = 0
        for option in lists[heads[item] : heads[item + 1]]:
            for k in range(starts[option], starts[option + 1]):
                if items[k] == item:
                    codes[k] = weights[k]
                    weight += weights[k]
        if high[item] >= weight and not (low[item] == 1 and high[item] == 1):
            kinds[item], caps[item] = ENOUGH, low[item]
            bits[item] = bits_for(low[item])
        elif high[item] > 1:
            kinds[item], caps[item] = COUNT, high[item]
            bits[item] = bits_for(high[item])
    for item in range(primary, total):
        code = codes_of(problem, lists[heads[item] : heads[item + 1]], item, codes)
        if code > 1:
            kinds[item], caps[item] = COLOUR, code
            bits[item] = bits_for(code)
    return StateFields(bits, kinds, caps, codes)


@inner
def places_of(bits: Ints, order: StepOrder) -> tuple[Ints, int]:
    """Return the first bit of each item's field in a state, and the number of words of a state.

    No field crosses a border between words.
    """
    first, last, steps = order.first, order.last, len(order.branched)
    total = len(bits)
    ahead, behind = np.full(steps + 1, -1, np.int32), np.full(steps + 1, -1, np.int32)
    next_first, next_last = np.empty(total, np.int32), np.empty(total, np.int32)
    room = 64
    for item in range(total - 1, -1, -1):
        if first[item] >= 0 and bits[item]:
            next_first[item], ahead[first[item]] = ahead[first[item]], item
            next_last[item], behind[last[item]] = behind[last[item]], item
            room += 64 if bits[item] > 1 else 1
    occupied = np.zeros(room + 64, np.bool_)
    places = np.zeros(total, np.int32)
    most = 0
    for step in range(steps):
        item = ahead[step]
        place = 0
        while item >= 0:
            if bits[item] > 1:
                place = 0
            while True:
                fits = place // 64 == (place + bits[item] - 1) // 64
                if fits:
                    for k in range(place, place + bits[item]):
                        fits = fits and not occupied[k]
                if fits:
                    break
                place += 1
            places[item] = place
            occupied[place : place + bits[item]] = True
            most = max(most, place + bits[item])
            if bits[item] > 1:
                place = 0
            item = next_first[item]
        item = behind[step]
        while item >= 0:
            occupied[places[item] : places[item] + bits[item]] = False
            item = next_last[item]
    return places, max(1, (most + 63) // 64)


@inner
def closing_of(problem: LayersProblem, fields: StateFields, order: StepOrder, places: Ints, ends: Ints) -> Ints:
    """Return the counts that must have reached a bound, by steps. ``ends`` is where those of each step begin."""
    bits, kinds, last, low = fields.bits, fields.kinds, order.last, problem.low
    filled = ends[:-1].copy()
    closing = np.empty((ends[-1], 3), np.int32)
    for item in range(problem.primary):
        if last[item] >= 0 and bits[item] and kinds[item] >= 0 and low[item]:
            at = filled[last[item]]
            closing[at, 0], closing[at, 1], closing[at, 2] = places[item], (1 << bits[item]) - 1, low[item]
            filled[last[item]] += 1
    return closing


@inner
def compiled(problem: LayersProblem, fields: StateFields, order: StepOrder, places: Ints, words: int) -> StepEffects:
    """Return the effect of the steps on a state."""
    primary, low, starts, items = problem.primary, problem.low, problem.starts, problem.items
    bits, kinds, caps, codes = fields
    options, branched, last = order.options, order.branched, order.last
    number, steps, one = len(options), len(branched), np.uint64(1)
    masks = np.zeros((number, words), np.uint64)
    more = np.zeros(number + 1, np.int32)
    extra = 0
    for index in range(number):
        for k in range(starts[options[index]], starts[options[index] + 1]):
            if kinds[items[k]] >= 0 and bits[items[k]]:
                extra += 1
    changes = np.empty((extra, 5), np.int32)
    extra = 0
    for index in range(number):
        for k in range(starts[options[index]], starts[options[index] + 1]):
            item = items[k]
            place = places[item]
            if bits[item] == 0:
                continue
            if kinds[item] < 0:
                masks[index, place >> 6] |= one << np.uint64(place & 63)
            else:
                changes[extra, 0], changes[extra, 1] = kinds[item], place
                changes[extra, 2], changes[extra, 3] = (1 << bits[item]) - 1, codes[k]
                changes[extra, 4] = caps[item]
                extra += 1
        more[index + 1] = extra
    branches = np.zeros((steps, 2), np.int32)
    keep, need = np.empty((steps, words), np.uint64), np.zeros((steps, words), np.uint64)
    keep[:] = ~np.uint64(0)
    ends = np.zeros(steps + 1, np.int32)
    for step in range(steps):
        item = branched[step]
        branches[step, 0] = places[item] if item >= 0 and kinds[item] < 0 else -1
        branches[step, 1] = item < 0 or low[item] == 0
    for item in range(len(bits)):
        if last[item] < 0 or bits[item] == 0:
            continue
        step, place = last[item], places[item]
        keep[step, place >> 6] &= ~(((one << np.uint64(bits[item])) - one) << np.uint64(place & 63))
        if kinds[item] < 0 and item < primary and low[item]:
            need[step, place >> 6] |= one << np.uint64(place & 63)
        elif kinds[item] >= 0 and item < primary and low[item]:
            ends[step + 1] += 1
    for step in range(steps):
        ends[step + 1] += ends[step]
    closing = closing_of(problem, fields, order, places, ends)
    return StepEffects(order.cuts, masks, more, changes, branches, keep, need, ends, closing)


@inner
def has_enough(problem: LayersProblem, by_item: ListsEndToEnd) -> bool:
    """Return whether the options of every item together can cover it as often as it needs."""
    primary, starts, items = problem.primary, problem.starts, problem.items
    heads, lists = by_item
    for item in range(primary):
        weight = 0
        for option in lists[heads[item] : heads[item + 1]]:
            for k in range(starts[option], starts[option + 1]):
                if items[k] == item:
                    weight += problem.weights[k]
        if weight < problem.low[item]:
            return False
    return True


@jit
def prepare(problem: LayersProblem, order: Ints) -> tuple[bool, int, StepEffects]:
    """Return whether there may be a cover, the words of a state, and the steps.

    ``order`` lists the primary items. If it is empty, :func:`arrange` chooses.
    """
    by_item = options_of(problem, usable(problem))
    fields = fields_of(problem, by_item)
    if len(order) == 0 and problem.primary > 0:
        order = arrange(problem, by_item, fields.bits)
    lived = lives(order, problem, by_item)
    places, words = places_of(fields.bits, lived)
    return has_enough(problem, by_item), words, compiled(problem, fields, lived, places, words)
