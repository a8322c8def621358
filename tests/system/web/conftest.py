"""Search processes, started as the server does, and applications in this process that have some."""

from tests.support.asgi import start_app
from tests.support.pool import process

__all__ = ["process", "start_app"]
