"""The proofs, or a seeded share of their cases.

pytest tests/proofs                                   every case
pytest tests/proofs --share 0.15                      a random share of the cases of every test
pytest tests/proofs --share 0.15 --share-seed 4711    the same share again
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.certificates import verifier
from tests.support.share import choose_share

__all__ = ["verifier"]

HERE = Path(__file__).parent
COUNTS = pytest.StashKey[tuple[int, int]]()  # chosen cases, all cases


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("proofs")
    group.addoption("--share", type=float, default=1.0, metavar="FRACTION", help="run this share of the proofs' cases")
    group.addoption("--share-seed", type=int, metavar="N", help="choose the same share as the run that printed this")


def share_of(config: pytest.Config) -> float:
    """Return the share; everything where pytest was started for other folders and does not know the option."""
    return float(config.getoption("share", 1.0))


def seed_of(config: pytest.Config) -> int:
    """Return the seed: the one given, or that of the random order, which all workers of a run have in common."""
    given = config.getoption("share_seed", None)
    return int(config.getoption("randomly_seed", 0) if given is None else given)


def pytest_report_header(config: pytest.Config) -> str | None:
    if share_of(config) >= 1:
        return None
    return f"proofs: --share {share_of(config):g} --share-seed {seed_of(config)}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if share_of(config) >= 1:
        return
    proofs = [item for item in items if HERE in item.path.parents]
    chosen = choose_share((item.nodeid for item in proofs), share_of(config), seed_of(config))
    left = [item for item in proofs if item.nodeid not in chosen]
    items[:] = [item for item in items if item not in left]
    config.hook.pytest_deselected(items=left)
    config.stash[COUNTS] = (len(chosen), len(proofs))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if COUNTS in session.config.stash and hasattr(session.config, "workeroutput"):  # in a worker of pytest-xdist
        session.config.workeroutput["proofs"] = session.config.stash[COUNTS]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    if "proofs" in getattr(node, "workeroutput", {}):
        node.config.stash[COUNTS] = tuple(node.workeroutput["proofs"])


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if COUNTS in config.stash:
        chosen, whole = config.stash[COUNTS]
        again = f"--share {share_of(config):g} --share-seed {seed_of(config)}"
        terminalreporter.write_line(f"proofs: {chosen} of {whole} cases; the same again: {again}")
