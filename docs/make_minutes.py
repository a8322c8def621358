"""Writes docs/minutes.md: where the minutes of the last test run went, by phase, layer and file.

Run it with: make minutes

It reads what the last runs left in build/tests: the report of each layer, and the phases of `.ci/run`.
"""

from __future__ import annotations

import argparse
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
REPORTS = ROOT / "build" / "tests"
PAGE = ROOT / "docs" / "minutes.md"
BEGIN, END = "<!-- begin: make minutes -->\n", "<!-- end -->\n"
LONGEST = 25  # files that are listed


def read_reports() -> dict[str, tuple[int, float]]:
    """Each test file with its number of tests and the seconds they took together."""
    tests, seconds = Counter[str](), Counter[str]()
    for report in sorted(REPORTS.glob("*.xml")):
        for case in ET.parse(report).getroot().iter("testcase"):
            file = "/".join(case.get("classname", "").split(".")[1:])
            tests[file] += 1
            seconds[file] += float(case.get("time", 0))  # type: ignore[assignment]
    return {file: (tests[file], seconds[file]) for file in tests}


def read_phases() -> dict[str, int]:
    """The phases of the last `.ci/run` with their seconds."""
    path = REPORTS / "phases"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: int(seconds) for name, seconds in map(str.split, lines)}


def write_tables() -> str:
    files, phases = read_reports(), read_phases()
    parts = []
    if phases:
        rows = [f"| {name} | {seconds // 60}:{seconds % 60:02} |" for name, seconds in phases.items()]
        total = sum(phases.values())
        rows.append(f"| **together** | {total // 60}:{total % 60:02} |")
        parts.append("| Phase of `.ci/run` | Minutes |\n|---|---:|\n" + "\n".join(rows) + "\n")
    layers: dict[str, tuple[int, float]] = {}
    for file, (tests, seconds) in files.items():
        layer = file.split("/")[0]
        before = layers.get(layer, (0, 0.0))
        layers[layer] = before[0] + tests, before[1] + seconds
    rows = [f"| {layer} | {tests:,} | {seconds:,.0f} |" for layer, (tests, seconds) in layers.items()]
    parts.append("| Layer | Tests | Seconds, all workers |\n|---|---:|---:|\n" + "\n".join(rows) + "\n")
    longest = sorted(files.items(), key=lambda item: -item[1][1])[:LONGEST]
    rows = [f"| `tests/{file}.py` | {tests:,} | {seconds:,.0f} |" for file, (tests, seconds) in longest]
    parts.append("| File | Tests | Seconds |\n|---|---:|---:|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print the tables, and write nothing")
    tables = write_tables()
    if parser.parse_args().show:
        print(tables)
        return
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{tables}{rest[rest.index(END) :]}", encoding="utf-8")


if __name__ == "__main__":
    main()
