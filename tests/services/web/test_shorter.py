"""Scripts without spaces that mean nothing: what a slash begins depends on what is before it."""

from __future__ import annotations

import pytest

from puzzlec.services.web.shorter import short_script


@pytest.mark.parametrize(
    ("source", "short"),
    [
        ("x = a / b / c;", "x=a/b/c;"),
        ("x = f(a) / b / c;", "x=f(a)/b/c;"),
        ("x = a[0] / b / c;", "x=a[0]/b/c;"),
        ("x = / b /.test(c);", "x=/ b /.test(c);"),
        ("f(/ b [/] c /g, d / e);", "f(/ b [/] c /g,d/e);"),
        ("if (a) return / b /;", "if(a)return/ b /;"),
        ("x = a; // / b /\ny = c / d;", "x=a;y=c/d;"),
        ("x = a / /* b / c */ d;", "x=a/d;"),
    ],
)
def test_a_slash_divides_after_a_value_and_begins_a_pattern_or_a_comment_elsewhere(source: str, short: str) -> None:
    assert short_script(source).decode() == short
