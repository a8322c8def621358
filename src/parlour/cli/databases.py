"""Databases that commands are given, by their URL or the name of their file."""

from __future__ import annotations

import click

from parlour.installation import install_command


def url_of(database: str) -> str:
    """The URL of a database; what is no URL is the name of a file of SQLite."""
    return database if "://" in database else f"sqlite:///{database}"


def needs_web(missing: ModuleNotFoundError) -> click.ClickException:
    """What to say where the extra is not installed that databases need."""
    return click.ClickException(f"this needs {missing.name}; install it with: {install_command('web')}")
