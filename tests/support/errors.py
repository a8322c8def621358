"""The tree of errors, as the modules that declare them have it."""

from __future__ import annotations

from parlour import errors
from parlour.errors import IllegalMove, MissingExtra, MoveRefused, ParlourError
from parlour.service import errors as service_errors
from parlour.service.errors import TooManyRequests
from parlour.store import errors as store_errors
from parlour.store.errors import DamagedMatch

MODULES = (errors, store_errors, service_errors)


class Unlisted(IllegalMove):
    """An error with arguments of its own."""

    def __init__(self, place: int) -> None:
        super().__init__(f"illegal move at {place}", "too large", "2", ["line"])


def tree(parent: type[ParlourError] = ParlourError) -> list[type[ParlourError]]:
    """An error class and all that derive from it; those that tests declare are left out."""
    children = (child for child in parent.__subclasses__() if child.__module__.startswith("parlour."))
    return list(dict.fromkeys([parent, *(found for child in children for found in tree(child))]))


def examples() -> list[ParlourError]:
    """An error of every class, and one of a subclass that is not listed anywhere."""
    arguments: dict[type[ParlourError], tuple[object, ...]] = {
        **dict.fromkeys(tree(MoveRefused), ("illegal move '3'", "too large", "2", ["line"])),
        MissingExtra: ("batches need NumPy", "batch"),
        DamagedMatch: ("abc", "line 3 is missing"),
        TooManyRequests: (5,),
    }
    return [*(kind(*arguments.get(kind, ("it is odd",))) for kind in tree()), Unlisted(3)]


def status_by_code() -> dict[str, int]:
    """HTTP status by code, of the errors with a code of their own."""
    return {error.code: error.status for error in tree() if "code" in vars(error)}
