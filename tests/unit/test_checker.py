"""The checker accepts what is possible, and rejects what is planted.

A match is made up here, by a model that has no rules: any text is a move, and players take turns. So what the checker
is to find is known without Parlour.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.histories import checker
from tests.support.histories.checker import (
    DAMAGED,
    DENIED,
    DOUBLED,
    FAILED,
    FORKED,
    HALF,
    LOST,
    REORDERED,
    RESURRECTED,
    STALE,
    UNEXPLAINED,
    check,
)
from tests.support.histories.history import DONE, REFUSED, UNKNOWN, Attempt, Ending, History, Seen, read_history
from tests.support.strategies import examples

BOTH = (1, 2)
some = examples(12)


@dataclass
class Table:
    """A match on one device, as an honest server would keep it."""

    lines: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)  # of the only round
    names: tuple[str, str] = ("Ann", "Ben")
    seq: int = 1
    resigned: bool = False

    def do(self, action: str, text: str) -> None:
        if action == "move":
            self._move(text)
        elif action == "stuck":  # a move after which the other player can only pass
            self._move(text)
            self._move("pass")
        elif action == "undo":
            while True:
                self.lines.append("undo")
                if self.moves.pop() != "pass":
                    break
        elif action == "resign":
            self.lines.append("resign 1")
            self.resigned = True
        elif action == "rename":
            self.names = (text, self.names[1])
        self.seq += 1

    def _move(self, text: str) -> None:
        self.moves.append(text)
        self.lines.append(f"{len(self.moves)}. {text}")

    def can(self, action: str) -> bool:
        return not (self.resigned and action != "rename") and (action != "undo" or bool(self.moves))

    def seen(self) -> Seen:
        outcome = ("resigned", 2) if self.resigned else None
        status = "over" if self.resigned else "playing"
        return Seen(self.seq, len(self.lines), status, (tuple(self.moves),), self.names, outcome=outcome)


def ending(lines: list[str], names: tuple[str, str], seq: int) -> Ending:
    """A match whose record has these lines."""
    table = Table(names=names, seq=seq)
    for line in lines:
        if line == "undo":
            table.moves.pop()
        elif line[0].isdigit():
            table.moves.append(line.partition(". ")[2])
        table.resigned = line.startswith("resign")
    table.lines = lines
    tags = {"First": "1", "Player1": names[0], "Player2": names[1], "Chooser1": "human", "Chooser2": "human"}
    head = "".join(f'[{name} "{value}"]\n' for name, value in {"Parlour": "1", **tags, "Result": "*"}.items())
    return Ending("m", "\n".join([head, *lines, ""]), table.seen())


ACTIONS = ["move", "move", "move", "stuck", "undo", "rename", "resign", "look"]
FATES = ["done", "done", "refused", "unknown and done", "unknown and not", "repeated"]
APPLIED = {"done", "unknown and done", "repeated"}


@st.composite
def histories(
    draw: st.DrawFn, least: int = 0, actions: list[str] = ACTIONS, fates: list[str] = FATES, *, alike: bool = False
) -> History:
    """Histories that are possible: everything happens at one moment between its begin and its end.

    ``alike``: some of the moves are the same, so that one can be taken for another.
    """
    table, history = Table(), History()
    time = 0.0
    for number in range(draw(st.integers(least, 10))):
        time += 10
        action = draw(st.sampled_from(actions))
        if not table.can(action):
            continue
        fate = draw(st.sampled_from(fates))
        begin, end = time - draw(st.integers(1, 25)), time + draw(st.integers(1, 25))
        text = f"name {number}" if action == "rename" else "1" if alike and draw(st.booleans()) else str(number)
        if action == "look":
            history.attempts.append(attempt(f"o{number}", "look", begin, end, DONE, seen=table.seen()))
            continue
        ply = len(table.lines) if action in ("move", "stuck", "undo") else None
        if fate in APPLIED:
            table.do(action, text)
        name = "move" if action == "stuck" else action
        outcome = {"done": DONE, "refused": REFUSED}.get(fate, UNKNOWN)
        seen = table.seen() if fate == "done" else None
        history.attempts.append(attempt(f"o{number}", name, begin, end, outcome, ply=ply, text=text, seen=seen))
        if fate == "repeated":
            again = attempt(f"o{number}", name, end, end + 30, DONE, ply=ply, text=text, seen=table.seen())
            time = end + 20  # the answer is that of a moment after the request
            history.attempts.append(again)
    history.endings = [ending(table.lines, table.names, table.seq)]
    return history


def attempt(operation: str, action: str, begin: float, end: float, outcome: str, **more: object) -> Attempt:
    return Attempt(operation, action, "m", BOTH, begin, end, outcome, **more)  # type: ignore[arg-type]


def kinds(history: History) -> set[str]:
    return {violation.kind for violation in check(history)}


def steps(history: History) -> list[str]:
    assert history.endings[0].record is not None
    return history.endings[0].record.partition("\n\n")[2].splitlines()


def with_lines(history: History, lines: list[str]) -> History:
    """The same history with another record at the end, which is well-formed by itself."""
    moves: list[str] = []
    numbered = []
    for line in lines:
        if line[0].isdigit():
            text = line.partition(". ")[2]
            moves.append(text)
            numbered.append(f"{len(moves)}. {text}")
        elif line == "undo":
            assume(moves)
            moves.pop()
            numbered.append(line)
        else:
            numbered.append(line)
    assume("resign 1" not in numbered[:-1])
    last = history.endings[0].seen
    assert last is not None
    return History(history.attempts, [ending(numbered, last.names, last.seq)])


@examples(60)
@given(histories(alike=True))
def test_what_is_possible_is_accepted(history: History) -> None:
    assert check(history) == []


@some
@given(histories(3), st.data())
def test_a_lost_line_is_noticed(history: History, data: st.DataObject) -> None:
    lines = steps(history)
    done = {attempt.ply for attempt in history.attempts if attempt.outcome == DONE and attempt.ply is not None}
    place = data.draw(st.sampled_from(sorted(done) or [-1]))
    assume(place >= 0)
    left = lines[:place] + lines[place + 1 :]
    assume(left[place : place + 1] != lines[place : place + 1])  # what follows is not the same again
    assert kinds(with_lines(history, left))


@some
@given(histories(3), st.data())
def test_a_lost_end_is_noticed(history: History, data: st.DataObject) -> None:
    lines = steps(history)
    done = [attempt.ply for attempt in history.attempts if attempt.outcome == DONE and attempt.ply is not None]
    assume(done)
    left = lines[: data.draw(st.integers(0, max(done)))]  # type: ignore[type-var]
    assert LOST in kinds(with_lines(history, left))


@some
@given(histories(3), st.data())
def test_a_doubled_line_is_noticed(history: History, data: st.DataObject) -> None:
    lines = steps(history)
    moves = [place for place, line in enumerate(lines) if line[0].isdigit() and not line.endswith("pass")]
    assume(moves)
    place = data.draw(st.sampled_from(moves))
    assert kinds(with_lines(history, [*lines[: place + 1], lines[place], *lines[place + 1 :]]))


@some
@given(histories(4, ["move", "stuck"], ["done", "repeated"]), st.data())
def test_reordered_lines_are_noticed(history: History, data: st.DataObject) -> None:
    lines = steps(history)
    done = {attempt.ply for attempt in history.attempts}
    texts = [line.partition(". ")[2] for line in lines]
    places = [
        place for place in range(len(lines) - 1) if {place, place + 1} <= done and texts[place] != texts[place + 1]
    ]
    assume(places)
    place = data.draw(st.sampled_from(places))
    swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
    assert kinds(with_lines(history, swapped)) & {LOST, REORDERED}


@some
@given(histories(3), st.data())
def test_what_was_refused_and_is_there_is_noticed(history: History, data: st.DataObject) -> None:
    changed = ("move", "undo", "rename", "resign")
    done = [
        place
        for place, attempt in enumerate(history.attempts)
        if attempt.action in changed and attempt.outcome == DONE and attempt.seen is not None
    ]
    assume(done)
    place = data.draw(st.sampled_from(done))
    operation = history.attempts[place].operation
    attempts = [
        replace(attempt, outcome=REFUSED, code="server/busy", seen=None) if attempt.operation == operation else attempt
        for attempt in history.attempts
    ]
    refused = history.attempts[place]
    assume(
        not any(
            (other.action, other.ply) == (refused.action, refused.ply) and other.outcome == UNKNOWN
            for other in attempts
        )
    )
    last = history.endings[0].seen
    if refused.action == "rename":
        seen = {name for attempt in attempts if attempt.seen is not None for name in attempt.seen.names}
        assume(refused.text in seen or (last is not None and refused.text in last.names))
    assert RESURRECTED in kinds(History(attempts, history.endings))


@some
@given(histories(3), st.data())
def test_a_stale_look_is_noticed(history: History, data: st.DataObject) -> None:
    looks = [attempt for attempt in history.attempts if attempt.seen is not None]
    assume(looks)
    newest = max(looks, key=lambda look: look.seen.seq if look.seen else 0)
    older = [look for look in looks if look.seen and newest.seen and look.seen.seq < newest.seen.seq]
    assume(older)
    old = data.draw(st.sampled_from(older))
    late = attempt("late", "look", newest.end + 100, newest.end + 101, DONE, seen=old.seen)
    assert STALE in kinds(History([*history.attempts, late], history.endings))


@some
@given(histories())
def test_a_history_can_be_kept(history: History) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "history.jsonl")
        history.write(path)
        assert read_history(path) == history


# One match between friends, told move by move; then with one thing changed.


def friends() -> list[Attempt]:
    """Ann (1) and Ben (2) play 5 and 7; Ben asks to take his back, Ann agrees; Ben plays 8, Ann resigns."""

    def seen(seq: int, ply: int, *moves: str, offer: tuple[str, int] | None = None, over: bool = False) -> Seen:
        names = ("Ann", "Ben" if seq > 1 else "Player 2")
        outcome = ("resigned", 2) if over else None
        return Seen(seq, ply, "over" if over else "playing", (moves,), names, offer, outcome)

    return [
        Attempt("a1", "create", "m", (), 0, 1, DONE, text="key", seen=seen(1, 0)),
        Attempt("b1", "join", "m", (), 2, 3, DONE, text="Ben", seen=seen(2, 0)),
        Attempt("a2", "move", "m", (1,), 4, 5, DONE, 0, "5", seen=seen(3, 1, "5")),
        Attempt("b2", "move", "m", (2,), 6, 7, DONE, 1, "7", seen=seen(4, 2, "5", "7")),
        Attempt("b3", "offer", "m", (2,), 8, 9, DONE, 2, "undo", seen=seen(5, 2, "5", "7", offer=("undo", 2))),
        Attempt("a3", "accept", "m", (1,), 10, 11, DONE, 2, "undo", seen=seen(6, 3, "5")),
        Attempt("b4", "move", "m", (2,), 12, 13, DONE, 3, "8", seen=seen(7, 4, "5", "8")),
        Attempt("a4", "resign", "m", (1,), 14, 15, DONE, seen=seen(8, 5, "5", "8", over=True)),
        Attempt("w1", "look", "m", (), 16, 17, DONE, seen=seen(8, 5, "5", "8", over=True)),
    ]


LINES = ["1. 5", "2. 7", "undo", "2. 8", "resign 1"]


def told(*changes: Attempt, lines: list[str] | None = None, without: str = "") -> set[str]:
    """What the checker finds in that match with these attempts in the place of those of the same operation."""
    changed = {change.operation for change in changes} | {without}
    attempts = [attempt for attempt in friends() if attempt.operation not in changed] + list(changes)
    return kinds(History(attempts, [ending(lines or LINES, ("Ann", "Ben"), 8)]))


def named(operation: str, **more: object) -> Attempt:
    [found] = [attempt for attempt in friends() if attempt.operation == operation]
    return replace(found, **more)  # type: ignore[arg-type]


def test_a_match_between_friends_is_possible() -> None:
    assert told() == set()


@pytest.mark.parametrize("operation", ["b2", "a3", "b4", "a4"])
def test_what_nobody_knows_may_be_there(operation: str) -> None:
    assert told(named(operation, outcome=UNKNOWN, seen=None)) == set()


@pytest.mark.parametrize("action", ["move", "undo", "rename", "resign", "join"])
def test_what_nobody_knows_may_be_missing(action: str) -> None:
    ply = 5 if action in ("move", "undo") else None
    assert told(Attempt("x", action, "m", (2,), 1, 20, UNKNOWN, ply, "Xenia")) == set()


@pytest.mark.parametrize("operation", ["b2", "a3", "b4", "a4"])
def test_what_was_refused_is_not_to_be_there(operation: str) -> None:
    assert RESURRECTED in told(named(operation, outcome=REFUSED, code="server/busy", seen=None))


@pytest.mark.parametrize("operation", ["b2", "a3", "b4", "a4"])
def test_what_nobody_asked_for_is_not_to_be_there(operation: str) -> None:
    assert told(without=operation) & {UNEXPLAINED, DOUBLED}


def test_an_offer_counts_once() -> None:
    """It is gone, and there again, and nobody has made it twice."""
    offered = named("b3").seen
    assert offered is not None
    gone = Attempt("w2", "look", "m", (), 9.2, 9.3, DONE, seen=replace(offered, seq=5.5, offer=None))  # type: ignore[arg-type]
    again = Attempt("w3", "look", "m", (), 9.4, 9.5, DONE, seen=replace(offered, seq=5.7))  # type: ignore[arg-type]
    assert told(gone) == set()
    assert told(gone, again) == {DOUBLED}


def test_an_offer_is_made_by_somebody_who_was_not_refused() -> None:
    shown = Attempt("w2", "look", "m", (), 9.2, 9.3, DONE, seen=named("b3").seen)
    assert RESURRECTED in told(named("b3", outcome=REFUSED, seen=None), shown)


def test_who_asks_again_is_told_the_truth() -> None:
    lost = named("b4", outcome=UNKNOWN, seen=None)
    denied = named("b4", begin=13.1, end=13.2, outcome=REFUSED, code="move/stale", seen=None)
    assert told(lost, denied) == {DENIED}


def test_a_state_is_the_same_for_all() -> None:
    seen = named("b4").seen
    assert seen is not None
    assert told(Attempt("w2", "look", "m", (), 13.2, 13.3, DONE, seen=replace(seen, rounds=(("5", "9"),)))) >= {FORKED}


def test_what_is_done_at_once_is_seen_at_once() -> None:
    """After Ann's take-back of a move and its answer, nobody sees the match with only one of them taken back."""
    lines = ["1. 5", "2. 7", "undo", "undo"]
    start, one, two = Seen(1, 0, "playing", ((),), ("Ann", "Ben")), ("5",), ("5", "7")
    attempts = [
        attempt("o1", "move", 1, 2, DONE, ply=0, text="5", seen=replace(start, seq=2, ply=1, rounds=(one,))),
        attempt("o2", "move", 3, 4, DONE, ply=1, text="7", seen=replace(start, seq=3, ply=2, rounds=(two,))),
        replace(attempt("o3", "undo", 5, 6, DONE, ply=2, seen=replace(start, seq=4, ply=4)), players=(1,)),
    ]
    half = attempt("w", "look", 5, 6, DONE, seen=replace(start, seq=4, ply=3, rounds=(one,)))
    assert kinds(History(attempts, [ending(lines, ("Ann", "Ben"), 4)])) == set()
    assert {HALF, FORKED} & kinds(History([*attempts, half], [ending(lines, ("Ann", "Ben"), 4)]))


def test_what_was_known_before_it_was_asked_for_is_noticed() -> None:
    assert told(
        named("b4", begin=13.8, end=13.9), Attempt("w2", "look", "m", (), 13.4, 13.6, DONE, seen=named("b4").seen)
    ) == {REORDERED}


def test_an_answer_shows_what_it_acknowledges() -> None:
    assert STALE in told(named("b4", seen=named("a3").seen))


def test_a_stream_may_be_late_but_not_go_back() -> None:
    late = Attempt("s", "look", "m", (), 18, 19, DONE, seen=named("b2").seen, stream=True)
    assert told(late) == set()
    newer = replace(late, begin=17, end=18, seen=named("b4").seen)
    assert told(newer, late) == {STALE}


def test_one_seat_is_taken_once() -> None:
    assert DOUBLED in told(Attempt("c1", "join", "m", (), 2, 3, DONE, text="Ben", seen=named("b1").seen))


def test_a_seat_and_a_match_are_kept() -> None:
    assert told(Attempt("x", "look", "m", (1,), 18, 19, REFUSED, code="seat/wrong")) == {LOST}
    assert kinds(History(friends(), [Ending("m", None, None)])) == {LOST}


def test_one_key_makes_one_match() -> None:
    other = replace(named("a1"), match="n", begin=1.1, end=1.2)
    assert kinds(History([*friends(), other], [ending(LINES, ("Ann", "Ben"), 8)])) == {DOUBLED}


def test_a_name_does_not_come_back() -> None:
    seen = named("w1").seen
    assert seen is not None
    renamed = [
        Attempt("b5", "rename", "m", (2,), 18, 19, DONE, text="Bob", seen=replace(seen, seq=9, names=("Ann", "Bob"))),
        Attempt("w2", "look", "m", (), 20, 21, DONE, seen=replace(seen, seq=10, names=("Ann", "Ben"))),
    ]
    assert kinds(History([*friends(), *renamed], [ending(LINES, ("Ann", "Ben"), 10)])) == {DOUBLED}


def test_a_computer_plays_its_own_moves_only() -> None:
    seen = Seen(2, 1, "playing", (("5",),), ("Ann", "Computer"))
    moved = Attempt("o1", "move", "m", (1,), 1, 2, DONE, 0, "5", seen=seen)

    def found(*lines: str) -> set[str]:
        whole = ending(list(lines), ("Ann", "Computer"), 9)
        assert whole.record is not None
        return kinds(History([moved], [replace(whole, record=whole.record.replace('2 "human', '2 "level:1'))]))

    assert found("1. 5", "2. 7") == set()
    assert found("1. 5", "2. 7", "3. 5") == {DOUBLED}


def test_a_record_is_one_and_a_mistake_is_one() -> None:
    damaged = replace(ending(LINES, ("Ann", "Ben"), 8), record="what is this?")
    assert kinds(History(friends(), [damaged])) == {DAMAGED}
    assert told(lines=["2. 5"]) == {DAMAGED}
    for code in ("server/failed", "match/damaged"):
        assert told(Attempt("x", "look", "m", (1,), 18, 19, REFUSED, code=code)) == {FAILED}


def test_the_checker_knows_nothing_of_the_server() -> None:
    for name in ("tests.support.histories.checker", "tests.support.histories.history"):
        path = sys.modules[name].__file__
        assert path is not None
        tree = ast.parse(Path(path).read_text())
        imported = {
            alias.name if isinstance(node, ast.Import) else str(node.module)
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        ours = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
        assert ours <= {"tests.support.histories.history"}
    assert checker.__name__ == "tests.support.histories.checker"
