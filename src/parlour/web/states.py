"""The state of a match, as the doors of the web tell it."""

from __future__ import annotations

from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.service.rights import usable_rights
from parlour.web.documents import State, state_of


def state_document(matches: MatchService, loaded: LoadedMatch) -> State:
    """What the match looks like to whoever has loaded it."""
    return state_of(
        loaded,
        present=matches.seats_present(loaded),
        can=usable_rights(loaded),
        expires=matches.expires_at(loaded),
    )
