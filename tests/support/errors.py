"""The tree of errors, as the modules that declare them have it."""

from __future__ import annotations

from parlour import errors
from parlour.errors import ParlourError
from parlour.service import errors as service_errors
from parlour.store import errors as store_errors

MODULES = (errors, store_errors, service_errors)


def tree(parent: type[ParlourError] = ParlourError) -> list[type[ParlourError]]:
    """An error class and all that derive from it; those that tests declare are left out."""
    children = (child for child in parent.__subclasses__() if child.__module__.startswith("parlour."))
    return list(dict.fromkeys([parent, *(found for child in children for found in tree(child))]))


def status_by_code() -> dict[str, int]:
    """HTTP status by code, of the errors with a code of their own."""
    return {error.code: error.status for error in tree() if "code" in vars(error)}
