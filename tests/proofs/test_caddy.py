"""A new version is rolled out behind Caddy; tests/system/deploy does it behind nginx."""

from __future__ import annotations

import pytest

from tests.support.deploy import open_cluster, roll_out
from tests.support.postgres import Server


def test_a_new_version_is_rolled_out_behind_caddy_and_nobody_waits(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: Server
) -> None:
    with open_cluster("caddy", tmp_path_factory, postgres_server) as cluster:
        roll_out(cluster)
