"""One Chromium per worker, whose contexts are used again."""

from tests.support.browser import browser, visit, waiting

__all__ = ["browser", "visit", "waiting"]
