"""Real servers on a real PostgreSQL behind a real proxy, with the configuration that is in deploy/."""

from tests.support.deploy import cluster

__all__ = ["cluster"]
