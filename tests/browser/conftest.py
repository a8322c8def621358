"""A real browser."""

from tests.support.browser import browser, visit

__all__ = ["browser", "visit"]
