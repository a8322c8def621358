"""The metrics of a server, read by a few lines of our own: tests/system compares them with Prometheus' parser."""

from __future__ import annotations

import re

Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]  # by name and labels
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
ESCAPED = {r"\\": "\\", r"\"": '"', r"\n": "\n"}


def read_metrics(text: str) -> Numbers:
    """Read the text format."""
    numbers: Numbers = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, labels, value = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line).groups()  # type: ignore[union-attr]
        found = (
            (key, re.sub(r"\\.", lambda mark: ESCAPED[mark[0]], value)) for key, value in LABEL.findall(labels or "")
        )
        numbers[name, tuple(sorted(found))] = float(value)
    return numbers


def number(numbers: Numbers, name: str, **labels: str) -> float:
    return numbers.get((name, tuple(sorted(labels.items()))), 0.0)
