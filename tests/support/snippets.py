"""Python examples on a page, run as doctests."""

from __future__ import annotations

import doctest
import re

FLAGS = doctest.ELLIPSIS


def run_snippets(text: str, name: str) -> None:
    """Run the examples of a page one after the other, in one namespace; line numbers are those of the page."""
    snippets = re.compile(r"^```python\n(?=>>> )(.*?)^```$", re.DOTALL | re.MULTILINE)
    assert snippets.search(text), f"{name} shows no Python"
    blank = list(re.sub(r"[^\n]", " ", text))
    for found in snippets.finditer(text):
        blank[found.start(1) : found.end(1)] = found[1]
    test = doctest.DocTestParser().get_doctest("".join(blank), {}, name, name, 0)
    told: list[str] = []
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append).failed == 0, "".join(told)
