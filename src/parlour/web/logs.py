"""The log: text, or JSON with one object a line for programs that collect logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

from uvicorn.config import LOGGING_CONFIG

from parlour.service import expiry
from parlour.web.observing import FinishedRequest

log = logging.getLogger(__name__)

# The text log: uvicorn's own, and the number of matches that expired.
PLAIN_LOG: dict[str, Any] = {
    **LOGGING_CONFIG,
    "loggers": {
        **LOGGING_CONFIG["loggers"],
        expiry.__name__: {"handlers": ["default"], "level": "INFO", "propagate": False},
    },
}
# For logging.config.dictConfig, which uvicorn calls. What it says itself is only of interest if something is wrong.
JSON_LOG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "parlour.web.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {__name__: {"level": "INFO"}, expiry.__name__: {"level": "INFO"}},
}


class JsonLines(logging.Formatter):
    """Each message as a JSON object on a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        request = getattr(record, "request", None)
        if isinstance(request, FinishedRequest):
            line |= request._asdict() | {"seconds": round(request.seconds, 6)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_request(finished: FinishedRequest) -> None:
    """Write down that a request has ended; neither who sent it nor which match it was about."""
    log.info("request", extra={"request": finished})
