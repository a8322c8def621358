"""The match service: loads matches, applies commands and stores changes.

Every change has the same steps: load the match, replay it through the referee, apply the command, and write the result
unless the stored match has changed meanwhile; then start again. ``replays`` caches replayed matches, but the store
alone has the current state. So several processes can share a store, and a process can be killed at any time.

The service is synchronous and thread-safe.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from threading import Lock

from parlour.errors import BadRecord
from parlour.secrets import new_secret
from parlour.service.commands import Join, MatchCommand, RenewSeat
from parlour.service.errors import NoSuchMatch, SeatWrong, ServerFull
from parlour.service.expiry import Expiry
from parlour.service.loaded import LoadedMatch
from parlour.service.new_matches import SeatedMatch, is_id, new_id
from parlour.service.replays import Replays
from parlour.service.rights import seats_of
from parlour.store import Attempt, IdTaken, Lifetimes, Store
from parlour.store.errors import Busy, DamagedMatch
from parlour.text import clip
from parlour.view import PlayerNumber

MAX_MATCHES = 100_000  # matches in a store; each takes 2 KB on average and 20 KB at most
MAX_WRITE_ATTEMPTS = 20  # attempts to write a change despite concurrent changes


class MatchService:
    """All matches of one store."""

    def __init__(self, store: Store, lifetimes: Lifetimes | None = None, most: int = MAX_MATCHES) -> None:
        """``most`` is the maximum number of matches in the store."""
        self.store = store
        self.most = most
        self._room = 0  # matches that can be added before the next count
        self.lifetimes = lifetimes or Lifetimes()
        self._expiry = Expiry(store, self.lifetimes)
        self._replays = Replays()
        self._written: Counter[str] = Counter()
        self._counting = Lock()

    @property
    def written(self) -> Counter[str]:
        """The number of changes that this process has written, by command; new matches are "NewMatch"."""
        with self._counting:
            return self._written.copy()

    def _count(self, command: str) -> None:
        with self._counting:
            self._written[command] += 1

    def load(self, id: str, secret: str | None = None) -> LoadedMatch:
        """Return the current state of a match.

        Raises:
            NoSuchMatch: there is no match with this id.
            DamagedMatch: it differs from what was written.
            SeatWrong: the secret opens no seat of the match.
        """
        standing = self.store.standing(id) if is_id(id) else None
        known = self._replays.find(id, standing.stamp) if standing else None
        stored = known.stored if known else self.store.load(id) if is_id(id) else None
        if stored is None:
            raise NoSuchMatch(f"there is no match {clip(id)!r}; it may have expired or been deleted")
        try:
            match = known.match if known else self._replays.replay(stored)
        except BadRecord as error:
            raise DamagedMatch(id, str(error)) from None
        present = standing.present if standing else frozenset[PlayerNumber]()
        return LoadedMatch(stored, match, seats_of(stored, secret), present)

    def add(self, seated: SeatedMatch, attempt: Attempt | None = None) -> SeatedMatch:
        """Store a new match of ``new_matches``, under another id if its own is taken.

        Returns the stored match if it was created with the same key before.
        """
        loaded = seated.loaded
        self._check_room()
        while True:
            try:
                self.store.add(loaded.stored, attempt)
                self._count("NewMatch")
                return replace(seated, loaded=loaded)
            except IdTaken:
                if (known := self._load_same(seated)) is not None:
                    return replace(seated, loaded=known)
                loaded = replace(loaded, stored=replace(loaded.stored, id=new_id()))

    def _check_room(self) -> None:
        """Reserve room for a new match, or raise ServerFull.

        Matches are counted only from time to time, so servers that share a database may exceed the limit slightly.
        """
        with self._counting:
            if self._room <= 0:
                self._room = min(self.most - self.store.count(), max(self.most // 100, 1))
            if self._room <= 0:
                raise ServerFull(
                    f"this server stores no more than {self.most:,} matches, and it is full; "
                    "delete one of yours that you no longer need, or try again later"
                )
            self._room -= 1

    def _load_same(self, seated: SeatedMatch) -> LoadedMatch | None:
        """Return the stored match with this id if it was created by the same request; None otherwise."""
        try:
            known = self.load(seated.loaded.id, seated.seat)
        except (NoSuchMatch, SeatWrong):
            return None
        return known if seated.seat is not None or known.stored.lines == seated.loaded.stored.lines else None

    def apply(self, id: str, secret: str | None, command: MatchCommand, attempt: Attempt | None = None) -> LoadedMatch:
        """Apply a command to a match, and return the new state.

        Raises:
            Busy: every attempt met a concurrent change, or the attempt was abandoned; nothing was changed.
            OutcomeUnknown: the connection was lost during the commit. To find out, apply the command again.
            ParlourError: the command was refused.
        """
        for _ in range(MAX_WRITE_ATTEMPTS):
            loaded = self.load(id, secret)
            change = command.apply_to(loaded)
            if change is None:
                return loaded
            if change.deletes:
                if self.store.remove(loaded.stored, attempt):
                    self._count(type(command).__name__)
                    return replace(loaded, deleted=True)
                continue
            after = change.applied_to(loaded, time.time())
            if change.following is not None:
                self._check_room()
            try:
                if self.store.replace(loaded.stored, after, change.following, attempt):
                    self._count(type(command).__name__)
                    self._replays.store(after, change.match)
                    return replace(loaded, stored=after, match=change.match)
            except IdTaken:  # the id of the rematch; the next attempt has a new one
                continue
        raise Busy("too many changes to this match at the same time; try again")

    def join(
        self,
        id: str,
        invitation: str,
        name: str | None,
        secret: str | None = None,
        attempt: Attempt | None = None,
    ) -> SeatedMatch:
        """Take the seat of an invitation, with a given secret or a new one."""
        secret = secret or new_secret()
        joined = self.apply(id, None, Join(invitation, secret, name), attempt)
        return SeatedMatch(replace(joined, seats=seats_of(joined.stored, secret)), secret)

    def renew_seat(self, id: str, old: str | None, new: str, attempt: Attempt | None = None) -> SeatedMatch:
        """Replace the secret of the client's seats. Idempotent."""
        try:
            renewed = self.apply(id, old, RenewSeat(new), attempt)
        except SeatWrong:  # an earlier request may have replaced it
            renewed = self.load(id, new)
        return SeatedMatch(renewed, new)

    def expires_at(self, loaded: LoadedMatch) -> float:
        """Return when the match expires without further changes, in seconds since 1970."""
        stored, lifetimes = loaded.stored, self.lifetimes
        if stored.over:
            return stored.changed_at + lifetimes.over
        return stored.changed_at + (lifetimes.waiting if loaded.waiting else lifetimes.playing)

    def remove_expired(self) -> int:
        """Remove expired matches, if this machine's clock is plausible; return their number."""
        return self._expiry.remove()


def lifetimes_in_words(lifetimes: Lifetimes) -> str:
    """Describe how long matches are stored."""

    def days(seconds: float) -> str:
        number = round(seconds / 86400)
        return "a day" if number == 1 else f"{number} days"

    return (
        f"An unused invitation is stored for {days(lifetimes.waiting)}, an unfinished match for "
        f"{days(lifetimes.playing)} after its last change, a finished one for {days(lifetimes.over)}."
    )
