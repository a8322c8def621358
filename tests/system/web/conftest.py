"""Search processes, started as the server does."""

from tests.support.pool import process

__all__ = ["process"]
