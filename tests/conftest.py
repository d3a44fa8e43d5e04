"""Hypothesis profiles: a fixed, short one for every run, and `--hypothesis-profile nightly` for a long one."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.browser import chromium, tab

#: The fixtures that all tests know.
__all__ = ["chromium", "tab"]

settings.register_profile(
    "short", max_examples=40, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("nightly", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("short")

#: Needs a library that is not among the dependencies; it is a program, not a test.
collect_ignore = ["fuzz/with_atheris.py"]
