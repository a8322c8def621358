"""The hint ladder and the reasons for a move, against the textbook."""

from __future__ import annotations

import re
from random import Random

from parlour.game import ONGOING
from parlour.match import Match
from parlour.rules import Rules
from parlour.score import Value
from parlour.setup import Setup
from parlour.study.hints import MOVE, Hint, Hints
from parlour.text import ordinal
from tests.support.naive import Textbook
from tests.support.small import SmallGame, random_matches


def begun(rules: Rules) -> Match:
    return Match(Setup(rules), rules.options)


def climb(match: Match) -> list[Hint]:
    """All hints up to the first that repeats itself."""
    ladder, hints = Hints(match), list[Hint]()
    while not hints or hints[-1].rung != MOVE:
        hints.append(ladder.hint())
    assert ladder.hint() == hints[-1], "it does not stay at the top"
    return hints


def check_rungs(game: SmallGame) -> None:
    rules = game.rules
    book, random = Textbook(rules), Random(1)
    for _ in range(3):
        match = begun(rules)
        while match.round_result == ONGOING:
            position = match.position
            hints = climb(match)
            rungs = [hint.rung for hint in hints]
            assert rungs == sorted(set(rungs))
            worth, top = book.worth(position), hints[-1]
            assert all(hint.value == worth.value for hint in hints)
            for hint in hints[1:]:
                assert hint.legal == len(match.legal_moves)
                assert hint.keeping == len(book.keeping(position))
            assert top.move is not None
            assert top.move in book.best(position)
            assert top.plies == worth.plies
            assert all(hint.move is None for hint in hints[:-1]), "the move is told too early"
            if top.region is not None:
                assert_holds(match, top.region, top.move)
            match.play(random.choice(match.legal_moves))


def assert_holds(match: Match, region: str, move: int) -> None:
    """The move lies where the region says, and so does another one."""
    if row := re.fullmatch(r"in row ([1-3])", region):
        inside = [cell for cell in match.legal_moves if (cell + 2) // 3 == int(row[1])]
    else:
        ends = re.fullmatch(r"between (\S+) and (\S+)", region) or re.fullmatch(r"(\S+) or (\S+)", region)
        assert ends, region
        low, high = match.read(ends[1]), match.read(ends[2])
        inside = [other for other in match.legal_moves if low <= other <= high]
        assert len(inside) <= (len(match.legal_moves) + 1) // 2
        assert (" or " in region) == (len(inside) == 2)
    assert move in inside
    assert len(inside) > 1


def check_reasons(game: SmallGame) -> None:
    rules = game.rules
    book, random = Textbook(rules), Random(2)
    match = begun(rules)
    ladder = Hints(match)
    while match.round_result == ONGOING:
        for move, worth in book.moves(match.position).items():
            name = "pass" if move == 0 else rules.name(move)
            reason = ladder.why(name)
            assert (reason.move, reason.value, reason.plies) == (move, worth.value, worth.plies)
            assert reason.keeps == (worth.value == book.worth(match.position).value)
            after = rules.after(match.position, move)
            end = book.is_best_play(after, reason.line)
            assert rules.result(end) != ONGOING or rules.settled(end)
            if worth.plies is not None:
                assert len(reason.line) == worth.plies - 1, "a line as long as it was said to be"
            assert reason.text.startswith(rules.spoken([move])[0])
        match.play(random.choice(match.legal_moves))


def check_turns(game: SmallGame) -> None:
    for match in random_matches(game.rules, 3, seed=3):
        while match.round.moves:
            match.undo()
            hint = climb(match)[-1]
            if hint.move is None or hint.plies is None or hint.value is Value.DRAW:
                continue
            # One's own turns, taken from the line of best play itself: every other move, the first one included.
            reason = Hints(match).why(hint.move)
            line = [hint.move, *reason.line]
            own = len(line[::2])
            last = "on" if len(line) % 2 else "after"
            when = f"{last} your {ordinal(own)} turn, counting this one"
            if len(line) <= 2:
                when = "immediately" if len(line) == 1 else "on the next move"
            assert when in hint.text
            assert when in reason.text
            assert not re.search(r"\d turns", hint.text + reason.text)
