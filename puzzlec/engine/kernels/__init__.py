"""Kernels: arrays of integers in, integers out. They know no puzzle, and import nothing of puzzlec.

Every kernel walks the same tree in the same order, so that they can be compared node for node. At a
node the *branching degree* of an active primary item with ``n`` options left and at least ``low`` and
at most ``high`` of them still to be taken is ``n + 1 - low``, and never below 0. The item of least
degree is branched on, the lowest number where several have it (MRV); degree 0 ends the branch. Its
options are taken in ascending order, each with the earlier ones excluded, while at least ``low`` are
left; the last branch, where ``low`` is 0 and ``high`` is not, takes none of them any more. For exact
cover this is Algorithm X, with colours Algorithm C, with bounds Algorithm M of TAOCP 7.2.2.1.

A kernel is made from the arrays of an exact cover and offers ``covers(budget)``, which searches at
most so many nodes and returns the covers found, and ``count(budget)``; ``finished`` says that the tree
is exhausted, ``nodes_visited`` how many branches were taken, ``position()`` where in the tree it stands and
``profile`` how many nodes each level had. These are ``python``, ``links`` and ``bits``.

``frontier`` and ``memo`` count without going through the covers, ``dives`` and ``simple_dives`` sample the same
tree, ``plunges`` and ``sweeps`` look for a first cover in trees of their own, ``reducing`` looks one step ahead.
"""
