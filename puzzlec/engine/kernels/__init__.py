"""Kernels: arrays of integers in, integers out. They know no puzzle.

Every kernel walks the same tree in the same order, so that they can be compared node for node:
:mod:`puzzlec.engine.kernels.spec` specifies it.

A kernel is made from the arrays of an exact cover and offers ``covers(budget)``, which searches at
most that many nodes and returns the covers found, and ``count(budget)``; ``finished`` says that the tree
is exhausted, ``nodes_visited`` how many branches were taken, ``position()`` where in the tree the search is and
``profile`` how many nodes each level had. These are ``python``, ``links`` and ``bits``.

``frontier`` and ``memo`` count without going through the covers, ``random_probes`` and ``simple_probes`` sample the
same tree, ``randomized_dfs`` and ``fixed_order_dfs`` look for a first cover in trees of their own, ``reducing`` looks
one step ahead.
"""
