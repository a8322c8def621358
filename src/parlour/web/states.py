"""The state of a match, as the doors of the web tell it."""

from __future__ import annotations

from typing import cast

from parlour.documents.match import MatchKind, State, match_state
from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.service.rights import usable_rights


def state_document(matches: MatchService, loaded: LoadedMatch) -> State:
    """What the match looks like to whoever has loaded it."""
    stored = loaded.stored
    return match_state(
        loaded.match,
        id=stored.id,
        seq=stored.seq,
        kind=cast(MatchKind, stored.kind),
        status=loaded.status,
        waiting=loaded.free_seats,
        present=loaded.present,
        you=loaded.seats,
        can=[] if loaded.deleted else usable_rights(loaded),
        thinking=loaded.computer_to_move,
        offer=loaded.offer,
        rematch=stored.rematch or None,
        created=stored.created_at,
        expires=matches.expires_at(loaded),
        deleted=loaded.deleted,
    )
