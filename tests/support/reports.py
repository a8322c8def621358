"""Reports of random games, against the textbook."""

from __future__ import annotations

import json

from parlour.game import opponent
from parlour.score import Value
from parlour.study import report
from parlour.study.grades import make_report
from parlour.view import PLAYERS
from parlour.writer import write_json
from tests.support.naive import Textbook
from tests.support.small import SmallGame, random_matches


def check_grades(game: SmallGame) -> None:
    rules = game.rules
    book = Textbook(rules)
    for match in random_matches(rules, 5):
        made = make_report(match)
        round = match.rounds[0]
        assert made.rounds[0].start == book.worth(round.positions[0])
        held, real, critical = [0, 0], [0, 0], [0, 0]
        for position, move, decision in zip(round.positions, round.moves, made.rounds[0].decisions, strict=False):
            moves, here = book.moves(position), book.worth(position)
            lost = moves[move].value != here.value
            wanted = "kept" if moves[move].plies == here.plies else "slower"
            if rules.settled(position):
                wanted = "settled"
            elif len(moves) == 1:
                wanted = "forced"
            elif here.value == Value.LOSS:
                wanted = "lost"
            else:
                real[decision.player - 1] += 1
                held[decision.player - 1] += not lost
                critical[decision.player - 1] += len(book.keeping(position)) < len(moves)
                if lost:
                    wanted = f"threw-{here.value}"
            assert (decision.move, decision.grade, decision.legal) == (move, wanted, len(moves))
            if wanted != "settled":
                assert (decision.before, decision.after) == (here, moves[move])
            if wanted in report.COUNTED:
                assert list(decision.held_by) == book.keeping(position)
        for player, account in zip(PLAYERS, made.accounts, strict=True):
            counts = real[player - 1], held[player - 1], critical[player - 1]
            assert (account.decisions, account.held, account.critical) == counts
            assert account.accuracy == (counts[1] / counts[0] if counts[0] else None)
            own = [decision for decision in made.rounds[0].decisions if decision.player == player]
            assert account.decisions + sum(account.left_out.values()) == len(own)
        for point in made.rounds[0].turning_points:
            assert point.decision.turning
            end = book.is_best_play(round.positions[point.decision.ply], point.line)
            assert rules.is_over(end) or rules.settled(end)
        assert len(made.rounds[0].turning_points) == sum(real) - sum(held)


def check_last_chances(game: SmallGame) -> None:
    book = game.book
    for match in random_matches(game.rules, 4, seed=5):
        round = match.rounds[0]
        made = make_report(match).rounds[0]
        for player in PLAYERS:
            had = [
                (ply, book.worth(position).value)
                for ply, position in enumerate(round.positions[:-1], 1)
                if round.player(ply - 1) == player
            ]
            chances = made.chances[player - 1]
            wins = [ply for ply, value in had if value == Value.WIN]
            draws = [ply for ply, value in had if value != Value.LOSS]
            assert (chances.win.ply if chances.win else None) == (wins[-1] if wins else None)
            assert (chances.draw.ply if chances.draw else None) == (draws[-1] if draws else None)
            for chance in filter(None, (chances.win, chances.draw)):
                assert list(chance.moves) == book.keeping(round.positions[chance.ply - 1])
            if match.round_winner != player:
                assert chances.winning_since is None
                continue
            value = [
                book.worth(position).value == (Value.WIN if round.player(ply - 1) == player else Value.LOSS)
                for ply, position in enumerate(round.positions, 1)
            ]
            since = len(value)
            while since > 1 and value[since - 2]:
                since -= 1
            assert chances.winning_since == (since if since <= len(round.moves) else None)


def check_unfinished_games(game: SmallGame) -> None:
    book = game.book
    for match in random_matches(game.rules, 1, seed=9):
        while match.round.moves:
            match.undo()
            worth, whole = book.worth(match.position), make_report(match)
            made = whole.rounds[0]
            mine, other = made.chances[match.turn - 1].now, made.chances[opponent(match.turn) - 1].now
            assert mine is not None
            assert other is not None
            assert (mine.value, other.value) == (worth.value, -worth.value)
            told = json.loads(write_json(whole))["rounds"][0]["chances"][match.turn - 1]["now"]
            assert told["value"] == worth.value.word
