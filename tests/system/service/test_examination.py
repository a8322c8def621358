"""Databases on PostgreSQL are examined, copied and salvaged."""

from __future__ import annotations

from tests.support.examination import CopyTests, ExaminationTests


class TestExaminationOfPostgresql(ExaminationTests):
    """The same tests as on SQLite."""


class TestCopyOfPostgresql(CopyTests):
    """The same tests as on SQLite."""
