"""The match service: loads matches, lets commands change them, and stores the change before anyone hears of it.

Every change goes the same way: load the match, replay it through the referee, apply the command, write what comes of it
on condition that nobody was quicker; if somebody was, begin again. What was replayed before is not replayed again
(``replays``), but which state is the present one only the store says: so several processes can share one store, and a
process can be killed at any moment.

Everything here is synchronous, and can be called from several threads at once.
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

MOST_MATCHES = 100_000  # in one store; on average one takes some 2 KB, and 20 KB at most
MOST_WRITE_ATTEMPTS = 20  # to write a change while others write theirs


class MatchService:
    """All matches of one store."""

    def __init__(self, store: Store, lifetimes: Lifetimes | None = None, most: int = MOST_MATCHES) -> None:
        """``most`` is how many matches there may be, of all together."""
        self.store = store
        self.most = most
        self._room = 0  # for so many more, before they are counted again
        self.lifetimes = lifetimes or Lifetimes()
        self._expiry = Expiry(store, self.lifetimes)
        self._replays = Replays()
        self._written: Counter[str] = Counter()
        self._counting = Lock()

    @property
    def written(self) -> Counter[str]:
        """What this process has written since it began: how many of each command, by its name; "NewMatch" of add."""
        with self._counting:
            return self._written.copy()

    def _count(self, what: str) -> None:
        with self._counting:
            self._written[what] += 1

    def load(self, id: str, secret: str | None = None) -> LoadedMatch:
        """A match as it is now.

        NoSuchMatch, DamagedMatch if it is not as it was written, or SeatWrong if the secret fits no seat of it.
        """
        standing = self.store.standing(id) if is_id(id) else None
        known = self._replays.find(id, standing.stamp) if standing else None
        stored = known.stored if known else self.store.load(id) if is_id(id) else None
        if stored is None:
            raise NoSuchMatch(f"no match goes by the name {clip(id)!r}; it may have expired or been deleted")
        try:
            match = known.match if known else self._replays.replay(stored)
        except BadRecord as error:
            raise DamagedMatch(id, str(error)) from None
        present = standing.present if standing else frozenset[PlayerNumber]()
        return LoadedMatch(stored, match, seats_of(stored, secret), present)

    def add(self, seated: SeatedMatch, attempt: Attempt | None = None) -> SeatedMatch:
        """Store a new match, one of ``creating``; under another id if its own is taken.

        One that was made out of the same key before is there already: then that is the answer.
        """
        loaded = seated.loaded
        self._check_room()
        while True:
            try:
                self.store.add(loaded.stored, attempt)
                self._count("NewMatch")
                return replace(seated, loaded=loaded)
            except IdTaken:
                if (known := self._made_before(seated)) is not None:
                    return replace(seated, loaded=known)
                loaded = replace(loaded, stored=replace(loaded.stored, id=new_id()))

    def _check_room(self) -> None:
        """ServerFull if there are as many matches as there may be; otherwise there is room for one more.

        They are counted now and then only. So servers that share a database may come to a few more.
        """
        with self._counting:
            if self._room <= 0:
                self._room = min(self.most - self.store.count(), max(self.most // 100, 1))
            if self._room <= 0:
                raise ServerFull(
                    f"this server keeps no more than {self.most:,} matches, and has as many; "
                    "delete one of yours that you need no more, or try again later"
                )
            self._room -= 1

    def _made_before(self, seated: SeatedMatch) -> LoadedMatch | None:
        """The match that has the id of this new one, if whoever has its secrets made it."""
        try:
            known = self.load(seated.loaded.id, seated.seat)
        except (NoSuchMatch, SeatWrong):
            return None
        return known if seated.seat is not None or known.stored.lines == seated.loaded.stored.lines else None

    def apply(self, id: str, secret: str | None, command: MatchCommand, attempt: Attempt | None = None) -> LoadedMatch:
        """Do one thing to a match; what it is afterwards.

        Busy if others are quicker again and again, or the attempt was given up: then nothing was done. OutcomeUnknown
        if the database went away while it was to commit: then the same command, applied again, tells.
        """
        for _ in range(MOST_WRITE_ATTEMPTS):
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
                    self._replays.keep(after, change.match)
                    return replace(loaded, stored=after, match=change.match)
            except IdTaken:  # of the match that follows: the next has another
                continue
        raise Busy("too many changes to this match at once; try again")

    def join(
        self,
        id: str,
        invitation: str,
        name: str | None,
        secret: str | None = None,
        attempt: Attempt | None = None,
    ) -> SeatedMatch:
        """Take the seat that an invitation is for, with a secret of your own or a new one."""
        secret = secret or new_secret()
        joined = self.apply(id, None, Join(invitation, secret, name), attempt)
        return SeatedMatch(replace(joined, seats=seats_of(joined.stored, secret)), secret)

    def renew_seat(self, id: str, old: str | None, new: str, attempt: Attempt | None = None) -> SeatedMatch:
        """Have a new secret for one's seat in the place of the old one. Sent twice, it is done once."""
        try:
            renewed = self.apply(id, old, RenewSeat(new), attempt)
        except SeatWrong:  # unless it was done already
            renewed = self.load(id, new)
        return SeatedMatch(renewed, new)

    def expires_at(self, loaded: LoadedMatch) -> float:
        """When the match is removed if nothing happens in it, in seconds since 1970."""
        stored, lifetimes = loaded.stored, self.lifetimes
        if stored.over:
            return stored.changed_at + lifetimes.over
        return stored.changed_at + (lifetimes.waiting if loaded.waiting else lifetimes.playing)

    def remove_expired(self) -> int:
        """Remove expired matches, if this machine's clock is plausible; return their number."""
        return self._expiry.remove()


def lifetimes_in_words(lifetimes: Lifetimes) -> str:
    """How long matches are stored."""

    def days(seconds: float) -> str:
        number = round(seconds / 86400)
        return "a day" if number == 1 else f"{number} days"

    return (
        f"An invitation that nobody takes is kept for {days(lifetimes.waiting)}, an unfinished match for "
        f"{days(lifetimes.playing)} after anything last happened in it, a finished one for {days(lifetimes.over)}."
    )
