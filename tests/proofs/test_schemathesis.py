"""Schemathesis sends requests that the OpenAPI document describes, and requests that it does not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.seats import challenge
from tests.support.server import Server

# The schema cannot say which words make a game, so a request that fits it may still be refused.
CONFIG = """
[generation]
deterministic = true
max-examples = 6

[checks]
positive_data_acceptance.enabled = false
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413]
"""


def examine(server: Server, folder: Path, config: str, *options: str) -> None:
    """Run Schemathesis, which has to find nothing."""
    (folder / "schemathesis.toml").write_text(config)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "--no-color"),
            *("run", f"{server.url}/api/openapi.json", "--phases", "coverage,fuzzing", "--continue-on-failure"),
            *options,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    told = "\n".join(line[:500] for line in (done.stdout + done.stderr).splitlines())
    assert done.returncode == 0, told
    assert re.search(r"(\d+) generated, \1 passed", told), told


# Each path is in one of these: a share of the proofs examines one of them.
PATHS = {"matches": "^/api/matches", "games": "^/api/games", "others": "^/api/(?!matches|games)"}


@pytest.mark.parametrize("paths", PATHS.values(), ids=PATHS)
def test_no_request_is_answered_in_a_way_that_openapi_does_not_describe(
    server: Server, tmp_path: Path, paths: str
) -> None:
    alone = ("--include-path-regex", paths, "--exclude-path-regex", "/stream$")  # a stream lasts as long as its match
    examine(server, tmp_path, CONFIG, *alone)


@pytest.mark.parametrize("paths", [r"\{id\}(?!/(stream|delete|seat))", r"\{game\}"], ids=["match", "game"])
def test_no_request_of_a_player_is_answered_in_a_way_that_openapi_does_not_describe(
    server: Server, tmp_path: Path, paths: str
) -> None:
    with server.client() as client:
        made = challenge(client, "local", game="sequence-spot", first="1", moves=["2,2"])
    seated = f"""
[auth.openapi.seat]
bearer = "{made["seat"]}"

[parameters]
"path.id" = "{made["id"]}"
"path.game" = "sequence-spot"
"""
    examine(server, tmp_path, CONFIG + seated, "--include-path-regex", paths)  # the match and its seat stay
