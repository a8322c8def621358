"""Decides whether a history is possible. It knows docs/api.md and docs/records.md, and nothing of Parlour's code.

In a match everything that is done answers a ply, and becomes the lines of the record from that ply on. So the record at
the end is the order in which things were done, and a history is possible if

- everything acknowledged is in the record, at its ply, and every line of the record is what somebody asked for who was
  not refused, or what a computer played: nothing is lost, doubled, or there although it was refused,
- every state that anybody saw is what the lines up to its ply come to, and the same for all who saw it,
- the order is one that real time allows: what was over before something else began is before it, for whoever reads
  as well as for whoever writes.

An operation of which nobody knows whether it was done may be there once, or not at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import NamedTuple

from tests.support.histories.history import DONE, REFUSED, UNKNOWN, Attempt, Ending, History, Seen, of_match

# What kinds of thing can be wrong.
LOST = "lost"  # acknowledged, and not there
DOUBLED = "doubled"  # there more often than it was asked for
RESURRECTED = "resurrected"  # refused, and there all the same
DENIED = "denied"  # there, although whoever asked again was told that it is not
UNEXPLAINED = "unexplained"  # there, and nobody asked for it
REORDERED = "reordered"  # in an order that real time does not allow
STALE = "stale"  # seen, although something newer had been seen or acknowledged before
FORKED = "forked"  # two have seen different things as one and the same state
HALF = "half"  # seen, although it is only a part of what was done at once
DAMAGED = "damaged"  # the record is none
FAILED = "failed"  # the server says that it made a mistake, or lost something

GONE = {"match/unknown", "seat/wrong", "seat/needed"}  # refusals that deny a match, or a seat, that somebody has
MISTAKES = ("/failed", "/damaged")  # how the codes of these refusals end
LATER = "move/stale"  # the refusal that says what is at this ply: something else
TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
MOVE_LINE = re.compile(r"(\d+)\. (.+)")
PASS = "pass"
LINE_OF = {"move": "move", "undo": "undo", "next": "deal", "resign": "resign"}  # the line that an action becomes
OFFERED = {"undo": "undo", "next": "deal"}  # and that an offer becomes when both agree


class Violation(NamedTuple):
    """Something in a history that cannot be."""

    kind: str
    match: str
    about: str


class Impossible(Exception):
    """A record that is none."""


@dataclass(frozen=True)
class Step:
    """What one operation did to a match: one or more lines of its record, which were written together."""

    begin: int  # the ply that it answers
    end: int  # the ply after it
    kind: str  # of line: move, undo, deal or resign
    player: int  # whose move, or who resigns; 0 where it does not matter
    text: str  # the move


@dataclass
class Operation:
    """All attempts at the same thing."""

    attempts: list[Attempt]

    def __post_init__(self) -> None:
        self.attempts.sort(key=lambda attempt: attempt.begin)
        self.first = self.attempts[0]

    @property
    def begin(self) -> float:
        """Before this it cannot have been done."""
        return self.first.begin

    @property
    def end(self) -> float:
        """By then it was done, if it was ever acknowledged."""
        return min((attempt.end for attempt in self.attempts if attempt.outcome == DONE), default=inf)

    @property
    def done(self) -> bool:
        return any(attempt.outcome == DONE for attempt in self.attempts)

    @property
    def refused(self) -> bool:
        """It was never done: every attempt was turned down."""
        return all(attempt.outcome == REFUSED for attempt in self.attempts)

    @property
    def overtaken(self) -> bool:
        """Somebody who asked again was told that something else was done at this ply."""
        return any(attempt.code == LATER for attempt in self.attempts)

    def became(self, step: Step) -> bool:
        """Whether it is what this step does."""
        first = self.first
        if first.action == "resign":
            return step.kind == "resign" and step.player in first.players
        if first.ply != step.begin:
            return False
        if first.action in ("accept", "offer"):  # whoever offers what the other asks for already accepts it
            return OFFERED.get(first.text) == step.kind
        if LINE_OF.get(first.action) != step.kind:
            return False
        return step.kind != "move" or (first.text == step.text and step.player in first.players)

    def __str__(self) -> str:
        first = self.first
        who = "and".join(f"player {player}" for player in first.players) or "a watcher"
        return f"{first.action} {first.text!r} at ply {first.ply} by {who} ({first.operation})"


def check(history: History) -> list[Violation]:
    """Everything in a history that cannot be; nothing, if it is possible."""
    found = list(_check_creation(history.attempts))
    attempts = of_match(history.attempts)
    for ending in history.endings:
        found += CheckedMatch(ending, attempts.get(ending.match, [])).violations()
    found += (
        Violation(FAILED, attempt.match, f"{attempt.action}: {attempt.code}")
        for attempt in history.attempts
        if attempt.code.endswith(MISTAKES)
    )
    return found


def _check_creation(attempts: Iterable[Attempt]) -> Iterator[Violation]:
    """A match that was asked for twice with the same key is one match."""
    made: dict[str, set[str]] = defaultdict(set)
    for attempt in attempts:
        if attempt.action == "create" and attempt.outcome == DONE and attempt.text:
            made[attempt.text].add(attempt.match)
    for key, ids in made.items():
        if len(ids) > 1:
            yield Violation(DOUBLED, min(ids), f"the key {key!r} made the matches {', '.join(sorted(ids))}")


class CheckedMatch:
    """One match: what was done to it, what was seen of it, and what became of it."""

    def __init__(self, ending: Ending, attempts: list[Attempt]) -> None:
        self.ending = ending
        self.attempts = attempts
        grouped: dict[str, list[Attempt]] = defaultdict(list)
        for attempt in attempts:
            if attempt.action != "look":
                grouped[attempt.operation].append(attempt)
        self.operations = [Operation(group) for group in grouped.values()]
        self.looks = [attempt for attempt in attempts if attempt.seen is not None]
        if ending.seen is not None:
            self.looks.append(
                Attempt("ending", "look", ending.match, (), inf, inf, DONE, seen=ending.seen),
            )

    def violations(self) -> list[Violation]:
        """What cannot be."""
        if self.ending.record is None or self.ending.seen is None:
            acknowledged = any(attempt.outcome == DONE for attempt in self.attempts)
            return [Violation(LOST, self.ending.match, "the whole match is gone")] if acknowledged else []
        try:
            self.tags, self.lines = read_record(self.ending.record)
            self.steps, self.tables = self._replay()
        except Impossible as error:
            return [Violation(DAMAGED, self.ending.match, str(error))]
        checks = (
            self._every_step_was_asked_for(),
            self._everything_acknowledged_is_there(),
            self._states_are_what_the_lines_come_to(),
            self._order_is_that_of_time(),
            self._names_are_given(),
            self._offers_are_made(),
            self._seats_are_kept(),
        )
        return [Violation(kind, self.ending.match, about) for check in checks for kind, about in check]

    # What the record says.

    def _replay(self) -> tuple[list[Step], dict[int, tuple[tuple[str, ...], ...]]]:
        """The steps of the match, and the moves of its rounds at the end of each, by ply."""
        begins = int(self.tags["First"])
        rounds: list[list[str]] = [[]]
        steps: list[Step] = []
        tables = {0: ((),)}

        def mover(place: int) -> int:
            return 1 + (begins - 1 + len(rounds) - 1 + place) % 2  # the players take turns, in rounds and in beginning

        ply = 0
        while ply < len(self.lines):
            begin, line = ply, self.lines[ply]
            kind, player, text = read_line(line)
            if steps and steps[-1].kind == "resign":
                raise Impossible(f"after a resignation comes {line!r}")
            if kind == "undo":
                ply = self._take_back(ply, rounds[-1], mover)
            else:
                if kind == "move":
                    if not line.startswith(f"{len(rounds[-1]) + 1}. "):
                        raise Impossible(f"line {ply + 1} of the moves, {line!r}, has the wrong number")
                    player = mover(len(rounds[-1]))
                    rounds[-1].append(text)
                elif kind == "deal":
                    rounds.append([])
                ply += 1
                while ply < len(self.lines) and self.lines[ply] == f"{len(rounds[-1]) + 1}. {PASS}":
                    rounds[-1].append(PASS)  # whoever has no move passes without being asked
                    ply += 1
            steps.append(Step(begin, ply, kind, player, text))
            tables[ply] = tuple(map(tuple, rounds))
        return steps, tables

    def _take_back(self, ply: int, moves: list[str], mover: Callable[[int], int]) -> int:
        """Take back what the lines from this ply on take back at once; the ply after them.

        A take-back goes back to the last choice of whoever asked for it: the passes and answers after it are taken back
        as well, each in a line of its own.
        """
        known = {attempt.seen.ply for attempt in self.looks if attempt.seen is not None}
        possible = []
        for takers in self._takers(ply):
            place = len(moves) - 1
            while place >= 0 and (moves[place] == PASS or mover(place) not in takers):
                place -= 1
            length = len(moves) - place
            end = ply + length
            whole = self.lines[ply:end] == ["undo"] * length and not any(ply < seen < end for seen in known)
            followed = self.lines[end : end + 1] != ["undo"] or any(self._takers(end))
            if place >= 0 and whole and followed:
                possible.append(length)
        length = max(possible, default=1)  # both may have asked for it, and each for another number of lines
        if length > len(moves):
            raise Impossible(f"at ply {ply} a move is taken back, and there is none")
        del moves[len(moves) - length :]
        return ply + length

    def _takers(self, ply: int) -> Iterator[tuple[int, ...]]:
        """Whose last choice may be taken back at this ply: of those who asked and were not refused."""
        for operation in self.operations:
            first = operation.first
            if first.ply == ply and not operation.refused:
                if first.action == "undo":
                    yield first.players
                elif first.action in ("accept", "offer") and first.text == "undo" and self._agreed(operation):
                    yield tuple(3 - player for player in first.players)

    def _agreed(self, operation: Operation) -> bool:
        """Whether what one player agrees to, or asks for, was asked for by the other; anything else needs nobody."""
        first = operation.first
        if first.action not in ("accept", "offer"):
            return True
        return any(
            (other.first.action, other.first.text, other.first.ply) == ("offer", first.text, first.ply)
            and other.first.players != first.players
            and not other.refused
            for other in self.operations
        )

    # What has to be true.

    def _every_step_was_asked_for(self) -> Iterator[tuple[str, str]]:
        computers = {player for player in (1, 2) if self.tags[f"Chooser{player}"] != "human"}
        for step in self.steps:
            if step.player in computers and step.kind in ("move", "resign"):
                continue
            asked = [operation for operation in self.operations if operation.became(step)]
            if any(not _denied(operation) for operation in self._who_did(step)):
                continue
            asked.sort(key=lambda operation: operation.first.action)  # who accepts is named before who offers
            line = f"{self.lines[step.begin]!r} at ply {step.begin}"
            if any(operation.refused for operation in asked):
                yield RESURRECTED, f"{line} was refused: {asked[0]}"
            elif any(map(_denied, asked)):
                yield DENIED, f"{line} is there, but whoever asked again was told that it is not: {asked[0]}"
            elif any(_alike(operation, step) for operation in self.operations):
                yield DOUBLED, f"{line} was asked for, but not at this ply"
            else:
                yield UNEXPLAINED, f"{line} was asked for by nobody"

    def _everything_acknowledged_is_there(self) -> Iterator[tuple[str, str]]:
        for operation in self.operations:
            first = operation.first
            if not operation.done:
                continue
            if first.action == "offer":
                shown = any(
                    attempt.seen is not None
                    and (attempt.seen.offer == (first.text, first.players[0]) or attempt.seen.rematch)
                    for attempt in operation.attempts
                    if attempt.outcome == DONE
                )
                if not shown and not any(operation.became(step) for step in self.steps):
                    yield LOST, f"acknowledged, and not shown: {operation}"
            elif first.action in LINE_OF or (first.action == "accept" and first.text in OFFERED):
                if any(operation.became(step) for step in self.steps):
                    continue
                elsewhere = any(_alike(operation, step) for step in self.steps)
                kind = REORDERED if elsewhere and first.action == "move" else LOST
                yield kind, f"acknowledged, and not there: {operation}"
            elif first.action == "rematch" and self.ending.seen is not None and not self.ending.seen.rematch:
                yield LOST, f"acknowledged, and not there: {operation}"

    def _states_are_what_the_lines_come_to(self) -> Iterator[tuple[str, str]]:
        states: dict[int, Seen] = {}
        for look in self.looks:
            seen = look.seen
            assert seen is not None
            if seen != states.setdefault(seen.seq, seen):
                yield FORKED, f"two different states have the seq {seen.seq}: {seen} and {states[seen.seq]}"
        for seen in states.values():
            if seen.ply > len(self.lines):
                yield LOST, f"a state of ply {seen.ply} was seen, but there are only {len(self.lines)} lines"
            elif seen.ply not in self.tables:
                yield HALF, f"a state of ply {seen.ply} was seen, in the middle of what was done at once"
            elif seen.rounds != self.tables[seen.ply]:
                yield LOST, f"what was seen at ply {seen.ply} is not in the record: {seen.rounds}"
        ordered = sorted(states.values(), key=lambda seen: seen.seq)
        for before, after in pairwise(ordered):
            if after.ply < before.ply:
                yield REORDERED, f"seq {before.seq} has ply {before.ply}, seq {after.seq} has ply {after.ply}"
            if before.rematch and after.rematch != before.rematch:
                yield LOST, f"the rematch {before.rematch} was seen, and then {after.rematch}"
        last = self.ending.seen
        if last is not None and last.ply != len(self.lines):
            yield FORKED, f"at the end the state has ply {last.ply}, the record {len(self.lines)} lines"

    def _order_is_that_of_time(self) -> Iterator[tuple[str, str]]:
        plies, seqs = Clock(), Clock()
        for look in self.looks:
            assert look.seen is not None
            plies.note(look.end, look.seen.ply)
            seqs.note(look.end, look.seen.seq)
        writes = [(operation, step) for step in self.steps for operation in self._who_did(step)]
        for operation, step in writes:
            if operation.done and operation.first.action != "offer":  # which is done when nobody has accepted it yet
                plies.note(operation.end, step.end)
                for attempt in operation.attempts:
                    if attempt.outcome == DONE and attempt.seen is not None and attempt.seen.ply < step.end:
                        yield STALE, f"the answer does not show what it acknowledges: {operation}"
        for operation, step in writes:
            before = plies.known_before(operation.begin)
            if before > step.begin and len(self._who_did(step)) == 1:
                yield REORDERED, f"ply {before} was known before this was asked for: {operation}"
        newest: dict[str, tuple[int, int]] = {}
        for look in sorted(self.looks, key=lambda look: look.end):
            assert look.seen is not None
            if look.stream:
                known = newest.get(look.operation, (0, 0))
                newest[look.operation] = (look.seen.seq, look.seen.ply)
            else:
                known = (int(seqs.known_before(look.begin)), int(plies.known_before(look.begin)))
            if look.seen.seq < known[0] or look.seen.ply < known[1]:
                yield STALE, f"seq and ply {known} were known, and {look.seen.seq, look.seen.ply} shown: {look.action}"

    def _who_did(self, step: Step) -> list[Operation]:
        return [
            operation
            for operation in self.operations
            if operation.became(step) and not operation.refused and self._agreed(operation)
        ]

    def _names_are_given(self) -> Iterator[tuple[str, str]]:
        """No two of the clients give the same name, so each is there from when it was given to when another was."""
        refused = {
            operation.first.text
            for operation in self.operations
            if operation.first.action in ("rename", "join") and operation.refused
        }
        ordered = sorted({look.seen.seq: look.seen for look in self.looks if look.seen is not None}.items())
        for place in (0, 1):
            earlier: list[str] = []
            for _, seen in ordered:
                name = seen.names[place]
                if earlier and name == earlier[-1]:
                    continue
                if name in earlier:
                    yield DOUBLED, f"the name {name!r} was there, then {earlier[-1]!r}, then {name!r} again"
                if name in refused:
                    yield RESURRECTED, f"the name {name!r} was refused, and is there"
                earlier.append(name)
            if ordered and ordered[-1][1].names[place] != self.tags[f"Player{place + 1}"]:
                yield LOST, f"the name {ordered[-1][1].names[place]!r} is not in the record"
        for operation in self.operations:
            if operation.first.action not in ("rename", "join") or not operation.first.text:
                continue
            for attempt in operation.attempts:
                shown = attempt.outcome != DONE or attempt.seen is None or operation.first.text in attempt.seen.names
                if not shown:
                    yield LOST, f"acknowledged, and not there: {operation}"

    def _offers_are_made(self) -> Iterator[tuple[str, str]]:
        made: dict[tuple[str, int, int], list[Operation]] = defaultdict(list)
        for operation in self.operations:
            first = operation.first
            if first.action == "offer" and first.ply is not None:
                made[first.text, first.players[0], first.ply].append(operation)
        times: dict[tuple[str, int, int], int] = defaultdict(int)
        pending: tuple[str, int, int] | None = None
        for _, seen in sorted({look.seen.seq: look.seen for look in self.looks if look.seen is not None}.items()):
            now = None if seen.offer is None else (*seen.offer, seen.ply)
            if now is not None and now != pending:
                times[now] += 1
            pending = now
        for offer, count in times.items():
            possible = [operation for operation in made[offer] if not operation.refused]
            if count > len(possible):
                kind = DOUBLED if possible else RESURRECTED if made[offer] else UNEXPLAINED
                yield kind, f"the offer {offer} was there {count} times, asked for {len(possible)} times"

    def _seats_are_kept(self) -> Iterator[tuple[str, str]]:
        joined = {
            operation.first.operation
            for operation in self.operations
            if operation.first.action == "join" and operation.done
        }
        if len(joined) > 1:
            yield DOUBLED, f"one seat was taken by {' and '.join(sorted(joined))}"
        for attempt in self.attempts:
            if attempt.code in GONE and attempt.players:
                yield LOST, f"{attempt.code}, to somebody who has a seat: {attempt.action}"


class Clock:
    """What was known by when."""

    def __init__(self) -> None:
        self._noted: list[tuple[float, float]] = []
        self._sorted: tuple[list[float], list[float]] | None = None

    def note(self, time: float, number: float) -> None:
        self._noted.append((time, number))
        self._sorted = None

    def known_before(self, time: float) -> float:
        """The highest number that was noted earlier than this; 0 if none was."""
        if self._sorted is None:
            self._noted.sort()
            highest, times, numbers = 0.0, [], []
            for at, number in self._noted:
                highest = max(highest, number)
                times.append(at)
                numbers.append(highest)
            self._sorted = times, numbers
        times, numbers = self._sorted
        place = bisect_left(times, time)
        return numbers[place - 1] if place else 0


def _denied(operation: Operation) -> bool:
    """Whoever asked again was told that something else is at this ply. An offer is nothing at a ply."""
    return operation.overtaken and not operation.done and operation.first.action != "offer"


def _alike(operation: Operation, step: Step) -> bool:
    """Whether the two are the same but for the ply."""
    first = operation.first
    if first.action in ("accept", "offer"):
        return OFFERED.get(first.text) == step.kind
    return LINE_OF.get(first.action) == step.kind and (step.kind != "move" or first.text == step.text)


def read_record(text: str) -> tuple[dict[str, str], list[str]]:
    """The tags and the lines of a record."""
    head, _, body = text.partition("\n\n")
    tags = {}
    for line in head.splitlines():
        found = TAG.fullmatch(line)
        if found is None:
            raise Impossible(f"no tag: {line!r}")
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
    missing = {"First", "Player1", "Player2", "Chooser1", "Chooser2", "Result"} - tags.keys()
    if missing:
        raise Impossible(f"no tag {', '.join(sorted(missing))}")
    return tags, body.splitlines()


def read_line(line: str) -> tuple[str, int, str]:
    """What a line of a record does: its kind, who resigns, and the move."""
    if found := MOVE_LINE.fullmatch(line):
        return "move", 0, found[2]
    word, _, rest = line.partition(" ")
    if word in ("resign", "forfeit"):
        return "resign", int(rest), ""
    if word == "deal" or line == "undo":
        return word, 0, ""
    raise Impossible(f"no action: {line!r}")


def summary(history: History) -> dict[str, int]:
    """How many attempts there were, and how they ended."""
    counts = {"operations": len({attempt.operation for attempt in history.attempts if attempt.action != "look"})}
    for outcome in (DONE, REFUSED, UNKNOWN):
        counts[outcome] = sum(attempt.outcome == outcome for attempt in history.attempts if attempt.action != "look")
    counts["states"] = sum(attempt.seen is not None for attempt in history.attempts)
    counts["matches"] = len(history.endings)
    return counts
