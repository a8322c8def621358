"""Explanations of a game, against the textbook."""

from __future__ import annotations

from random import Random
from typing import Any

from parlour.game import ONGOING
from parlour.limit import Limit
from parlour.score import Value
from parlour.solver import Solver
from parlour.study.explain import explain, find_opening, group_moves, play_at_random
from tests.support.naive import Textbook
from tests.support.small import SmallGame, rules_of


def lines(key: str, texts: dict[str, str] | None = None, limit: Limit | None = None, **how: Any) -> list[str]:
    return [line.text for line in explain(rules_of(key, texts or {}), limit, **how).lines]


def part(said: list[str], heading: str) -> list[str]:
    """What stands under a heading."""
    begin = said.index(heading) + 1
    return said[begin : said.index("", begin) if "" in said[begin:] else None]


def check_opening(game: SmallGame) -> None:
    rules = game.rules
    book, start = Textbook(rules), rules.start
    said = lines(game.key, game.texts, games=3)
    value, plies = book.worth(start)
    (who, *_) = part(said, "Who wins")
    if rules.settled(start):
        assert "Neither player can win this" in who
        return
    if value == Value.DRAW:
        assert who.startswith("With best play the ")
    else:
        winner = "the first player" if value == Value.WIN else "the second player"
        moves = "1 move" if plies == 1 else f"{plies} moves"
        assert who == f"With best play {winner} wins in {moves}, counting both players'."
    opening = find_opening(Solver(rules))
    for move in opening.forced:
        assert list(rules.legal(start)) == [move]
        start = rules.play(start, move)
    if opening.found.choices:
        assert {choice.move: choice.score for choice in opening.found.choices} == book.moves(start)
        moves = book.moves(start)
        for text, found in group_moves(opening.found.choices):
            assert len({moves[move].value for move in found}) == 1
            assert text.startswith({"win": "win", "draw": "draw", "loss": "lose"}[str(moves[found[0]].value)])
        assert sorted(move for _, found in group_moves(opening.found.choices) for move in found) == sorted(moves)
        wrong = len(moves) - len(book.keeping(start))
        times = "once" if wrong == 1 else f"{wrong} times"
        share = f"{times} out of {len(moves)} ("
        assert any(share in line for line in part(said, "First moves")) == (wrong > 0)


def check_random_games(game: SmallGame) -> None:
    rules = game.rules
    book = Textbook(rules)
    found = play_at_random([Solver(rules)], 10, "s")
    assert found.graded == len(found.lengths) == 10
    random = Random("s explain")
    decisions = critical = errors = 0
    for length in found.lengths:
        position = rules.start
        for _ in range(length):
            legal = list(rules.legal(position))
            move = legal[random.randrange(len(legal))]
            value = book.worth(position).value
            if len(legal) > 1 and value != Value.LOSS and not rules.settled(position):
                decisions += 1
                critical += len(book.keeping(position)) < len(legal)
                errors += move not in book.keeping(position)
            position = rules.after(position, move)
        assert rules.result(position) != ONGOING
    assert (found.decisions, found.critical, found.errors) == (decisions, critical, errors)


def check_grading_limit(game: SmallGame) -> None:
    rules = game.rules
    whole, graded = play_at_random([Solver(rules)], 10, "s"), list[int]()
    for nodes in (1, 10, 100, 1000, 10_000):
        found = play_at_random([Solver(rules)], 10, "s", Limit(nodes=nodes))
        assert found.lengths == whole.lengths, "whatever is graded, the sample is the same"
        assert found[2:] == play_at_random([Solver(rules)], found.graded, "s")[2:]
        graded.append(found.graded)
    assert graded == sorted(graded)
