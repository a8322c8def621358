"""Reports: games made by hand and counted by hand, random games against the textbook, and the command itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour import record, saves
from parlour.errors import TooBig
from parlour.limit import Limit
from parlour.match import Match
from parlour.score import Score, Value
from parlour.setup import Setup
from parlour.solver import Solver
from parlour.study import report
from parlour.study.grades import make_report
from parlour.writer import write_json
from tests.support import ROOT
from tests.support.by_hand import played
from tests.support.command import Run
from tests.support.reports import check_grades, check_last_chances, check_unfinished_games
from tests.support.small import SmallGame, quick_games, random_matches, rules_of

Runner = Callable[..., Run]


def double_up(moves: str, limit: str = "100", **how: Any) -> Match:
    return played(rules_of("double-up", {"limit": limit}), moves, names=("Ann", "Bob"), **how)


def builder(moves: str, **texts: str) -> Match:
    return played(rules_of("sequence-builder", texts), moves, names=("Ann", "Bob"))


def grades(match: Match, **how: Any) -> list[str]:
    return [decision.grade for round in make_report(match, **how).rounds for decision in round.decisions]


def words(match: Match, **how: Any) -> list[str]:
    return [line.text for line in report.report_lines(make_report(match, **how))]


# Against the textbook.


@quick_games
def test_every_grade_agrees_with_the_textbook(game: SmallGame) -> None:
    check_grades(game)


@quick_games
def test_the_last_chances_agree_with_the_textbook(game: SmallGame) -> None:
    check_last_chances(game)


# By hand. In Double Up with limit 100 the lost numbers are 2, 5, 11, 24, 49 and 100.

GAME = "2 3 4 5 10 11 20 24 48 49 50 100"


def test_a_game_by_hand() -> None:
    match = double_up(GAME)
    assert grades(match) == [
        "forced", "lost", "threw-win", "kept", "lost", "kept", "lost", "kept", "lost", "kept", "lost", "kept",
    ]  # fmt: skip
    ann, bob = make_report(match).accounts
    assert (ann.decisions, ann.held, ann.accuracy) == (1, 0, 0.0)
    assert ann.left_out == {"forced": 1, "lost": 4, "settled": 0, "ungraded": 0}
    assert (bob.decisions, bob.held, bob.accuracy, bob.critical) == (5, 5, 1.0, 5)
    assert bob.left_out == {"forced": 0, "lost": 1, "settled": 0, "ungraded": 0}
    assert words(match) == [
        "All values are exact and from the mover's side. Move numbers count both players, passes included.",
        "",
        "Ann began; with best play Ann wins in 11 moves. Bob won in 12 moves.",
        "",
        "Move by move",
        "- 1. Ann: 2 (the only move)",
        "- 2. Bob: 3 (lost already, 10 moves to go)",
        "- 3. Ann: 4 threw away the win: now a loss in 10 moves",
        "- 4. Bob: 5 kept the win in 9 moves",
        "- 5. Ann: 10 (lost already, 8 moves to go)",
        "- 6. Bob: 11 kept the win in 7 moves",
        "- 7. Ann: 20 (lost already, 6 moves to go)",
        "- 8. Bob: 24 kept the win in 5 moves",
        "- 9. Ann: 48 (lost already, 4 moves to go)",
        "- 10. Bob: 49 kept the win in 3 moves",
        "- 11. Ann: 50 (lost already, 2 moves to go)",
        "- 12. Bob: 100 kept the win in 1 move",
        "",
        "Turning points",
        (
            "- Move 3, Ann: 4 threw away the win; 5 would have kept it. After 4: Bob: 5, Ann: 6, Bob: 11, Ann: 12, "
            "Bob: 24, Ann: 25, Bob: 49, Ann: 50, Bob: 100, and Bob wins."
        ),
        "",
        "Last chances",
        "- Ann's last chance to win was move 3, with 5.",
        "- Bob won, and was winning from move 4 on.",
        "",
        "Accuracy",
        "- Ann: 0%. 0 of 1 choice kept the best result. Not graded: 1 forced move and 4 moves in lost positions.",
        "- Bob: 100%. 5 of 5 choices kept the best result. Not graded: 1 move in a lost position.",
        ("Graded: choices in positions not yet lost. A choice keeps the best result if no other move was worth more."),
    ]


def test_accuracy_is_held_by_real_decisions() -> None:
    # Bob: 3 is lost; 6 instead of 5 throws the win away, 12 instead of 11 too, 24 holds.
    match = double_up("2 3 4 6 7 12 13 24")
    ann, bob = make_report(match).accounts
    # Ann: 2 forced; 4 throws away (5); 7 from 6 throws away (11); 13 from 12 throws away (24).
    assert (ann.decisions, ann.held, ann.threw_win) == (3, 0, 3)
    assert (bob.decisions, bob.held, bob.threw_win) == (3, 1, 2)
    assert bob.accuracy == pytest.approx(1 / 3)
    assert "- Bob: 33%. 1 of 3 choices kept the best result. Not graded: 1 move in a lost position." in words(match)


def test_a_player_without_a_real_decision_has_no_accuracy() -> None:
    match = double_up("2 3", limit="3")
    assert [account.accuracy for account in make_report(match).accounts] == [None, None]
    assert "- Ann had no real choice: 1 forced move." in words(match)
    assert "No turning points." in words(match)
    assert "- Bob won, and was winning from the start." in words(match)
    assert "- Ann could not win at any point." in words(match)


def test_a_slower_win_is_no_mistake() -> None:
    # After 20 Ann is stuck: 16 and 19 would win in 3 moves for Bob, four numbers take 7.
    match = builder("20 3 4 5 6")
    made = make_report(match)
    wanted = ["threw-win", "slower", "forced", "kept", "forced", "kept", "forced", "kept"]
    assert [decision.grade for decision in made.rounds[0].decisions] == wanted
    bob, said = made.accounts[1], [line.text for line in report.report_lines(made)]
    assert (bob.slower, bob.held, bob.decisions, bob.accuracy) == (1, 4, 4, 1.0)
    assert "- 2. Bob: 3 kept the win in 7 moves, though 3 moves would have done" in said
    assert "- 3. Ann: pass (the only move)" in said
    assert not any(line.startswith("- Move 2") for line in said), "no turning point"


def test_a_draw_thrown_away_and_a_win_thrown_away() -> None:
    # With 14 Ann gives up the win for a draw, with 15 Bob the draw for a loss (17 is the only move that holds it).
    match = builder("14 15 16 17 18 19 20")
    made = make_report(match)
    assert [(point.decision.ply, point.decision.grade) for point in made.rounds[0].turning_points][:2] == [
        (1, "threw-win"),
        (2, "threw-draw"),
    ]
    said = [line.text for line in report.report_lines(made)]
    assert "- 1. Ann: 14 threw away the win: now a draw" in said
    assert "- 2. Bob: 15 threw away the draw: now a loss in 6 moves" in said
    assert "- Bob's last chance to draw was move 2, with 17." in said
    start = "- Move 2, Bob: 15 threw away the draw; 17 would have kept it. After 15: Ann: 16, "
    assert any(line.startswith(start) for line in said)


def test_the_loser_could_have_won_and_later_still_drawn() -> None:
    # 14 instead of 1 to 13 gave the win away; then 16 would have drawn, and 15 lost: Bob takes 18 and has the rest.
    match = builder("14 17 15 18 16 19 20")
    said = words(match)
    assert "- Ann's last chance to win was move 1, with 1-13; the last to draw was move 3, with 16." in said
    assert "- Bob won, and was winning from move 4 on." in said


def test_a_drawn_game() -> None:
    match = builder("14 17 16 18 19 20")
    assert match.outcome == (None, "drawn")
    made = make_report(match)
    assert [decision.grade for decision in made.rounds[0].decisions[:3]] == ["threw-win", "kept", "kept"]
    said = [line.text for line in report.report_lines(made)]
    assert "Ann began; with best play Ann wins in 7 moves. The game was drawn." in said
    assert "- 2. Bob: 17 kept the draw" in said
    assert "- Ann's last chance to win was move 1, with 1-13." in said
    assert "- Bob could not win at any point." in said


# What was undone, given up, or left.


def test_moves_taken_back_are_left_out_and_that_is_said() -> None:
    match = double_up("2 3")
    for move in (4, 6):
        match.play(move)
        match.undo()
    for move in (5, 6):
        match.play(move)
    assert grades(match) == ["forced", "lost", "kept", "lost"]
    assert "2 moves were undone; the report grades the moves that remain." in words(match)
    match.undo()
    match.undo()
    match.play(5)
    assert make_report(match).undone == 4
    once = double_up("2 3 4")
    once.undo()
    assert "1 move was undone; the report grades the moves that remain." in words(once)


def test_a_won_position_resigned() -> None:
    match = double_up("2 3 5 6")
    match.resign(1)
    made = make_report(match).rounds[0]
    assert made.resignation is not None
    assert made.resignation == report.Resignation(player=1, score=Score(Value.WIN, 7))
    said = words(match)
    assert "Ann began; with best play Ann wins in 11 moves. Ann resigned when the position was won in 7 moves." in said
    assert "- Ann's last chance to win was move 5, with 11." in said
    assert "- Bob won by resignation." in said


def test_resigning_while_the_other_is_to_move() -> None:
    match = double_up("2 3 5 6")
    match.resign(2)
    made = make_report(match).rounds[0]
    assert made.resignation is not None
    assert made.resignation == report.Resignation(player=2, score=Score(Value.LOSS, 7))
    assert any("Bob resigned when the position was lost in 7 moves against best play." in line for line in words(match))
    assert "- Bob could not win at any point." in words(match)


def test_a_draw_resigned() -> None:
    match = builder("14")
    match.resign(2)
    said = words(match)
    assert any("Bob resigned when the position was a draw with best play." in line for line in said)
    assert "- Bob's last chance to draw was move 2, with 17." in said


def test_a_win_given_up_is_a_turning_point() -> None:
    # 6 leaves Ben a lost number of Double Up 30 (2, 6, 14 and 30), so Ann resigns a win that no move threw away.
    match = double_up("2 4 6", limit="30")
    match.resign(1)
    said = words(match)
    assert grades(match) == ["forced", "lost", "kept"]
    assert not any("No turning points." in line for line in said)
    assert said[said.index("Turning points") + 1] == "- Ann resigned a won position and so threw away the win."
    assert "- Ann was still winning after move 3." in said
    assert not any("last chance" in line for line in said)


def test_a_win_given_up_follows_the_other_turning_points() -> None:
    match = double_up("2 4 5", limit="30")
    match.resign(2)
    said = words(match)
    first = said.index("Turning points") + 1
    assert said[first].startswith("- Move 3, Ann: 5 threw away the win")
    assert said[first + 1] == "- Bob resigned a won position and so threw away the win."
    assert "- Bob's last chance to win was move 4, with 6." in said


def test_a_draw_given_up_while_the_other_is_to_move() -> None:
    match = builder("14 17 16")
    match.resign(1)
    said = words(match)
    assert "- Ann resigned a drawn position and so threw away the draw." in said
    assert "- Ann's last chance to win was move 1, with 1-13; Ann still had a draw after move 3." in said


def test_a_lost_position_given_up_throws_nothing_away() -> None:
    match = double_up("2 3 5 6")
    match.resign(2)
    assert "No turning points." in words(match)


def test_an_unknown_position_given_up_may_have_been_worth_something() -> None:
    match = double_up("", limit="none")
    match.resign(1)
    assert not any("No turning points." in line for line in words(match))


def test_a_forfeit_is_no_resignation() -> None:
    match = double_up("2 3 5 6")
    match.resign(1, forfeit=True)
    made = make_report(match)
    assert made.rounds[0].how == "forfeited"
    told = json.loads(write_json(made))
    assert told["rounds"][0]["how"] == told["how"] == "forfeited"
    said = words(match)
    assert "Ann began; with best play Ann wins in 11 moves. Ann forfeited when the position was won in 7 moves." in said
    assert "- Bob won by forfeit." in said


def test_an_unfinished_game_and_one_without_moves() -> None:
    match = double_up("2 3 4")
    assert "Ann began; with best play Ann wins in 11 moves. The game is not finished." in words(match)
    assert grades(match) == ["forced", "lost", "threw-win"]
    nothing = double_up("")
    assert grades(nothing) == []
    assert "Ann began; with best play Ann wins in 11 moves. The game is not finished." in words(nothing)
    assert "- Ann had no real choice." in words(nothing)


@pytest.mark.parametrize(
    ("match", "stands"),
    [
        (builder("9 3"), ["- Ann is winning.", "- Bob is losing."]),
        (double_up("2 4 6", limit="30"), ["- Ann is winning.", "- Bob is losing."]),
        (
            double_up("2 4 5", limit="30"),
            ["- Ann is losing; the last chance to win was move 3, with 6.", "- Bob is winning."],
        ),
        (
            builder("14 17"),
            [
                "- Ann has a draw with best play; the last chance to win was move 1, with 1-13.",
                "- Bob has a draw with best play.",
            ],
        ),
        (double_up("2", limit="none"), ["- Ann's chances are unknown.", "- Bob's chances are unknown."]),
    ],
    ids=["won, to move", "won, not to move", "lost", "drawn", "not known"],
)
def test_a_chance_that_still_exists_is_not_called_the_last(match: Match, stands: list[str]) -> None:
    said = words(match)
    at = said.index("How it stands")
    assert said[at + 1 : at + 3] == stands
    assert "Last chances" not in said


@quick_games
def test_what_an_unfinished_game_is_worth_agrees_with_the_textbook(game: SmallGame) -> None:
    check_unfinished_games(game)


# Rounds.


def spot_match(*rounds: tuple[str, str]) -> Match:
    """A match of rounds, each with its grid and what was played."""
    rules = rules_of("sequence-spot", {})
    dealt = [rules_of("sequence-spot", {"grid": grid}).options for grid, _ in rounds]
    match = Match(Setup(rules, names=("Ann", "Bob")), dealt[0])
    for number, (_, moves) in enumerate(rounds):
        if number:
            match.next_round(dealt[number])
        for word in moves.split():
            match.play(match.read(word))
    return match


ROWS = "9,8,7,1,2,3,4,5,6"
DEAD = "3,6,4,8,5,1,7,2,9"


def test_all_rounds_of_a_match() -> None:
    match = spot_match((DEAD, ""), (DEAD, "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3"), (ROWS, "1,1 3,1 1,2 2,2 1,3"))
    assert match.outcome is not None
    assert match.outcome.winner == 1
    made = make_report(match)
    assert [round.how for round in made.rounds] == ["settled", "drawn", "won"]
    assert [round.first for round in made.rounds] == [1, 2, 1]
    ann, bob = made.accounts
    # In the third round Bob had to take 1,3 with his second move; everything else held.
    assert (bob.decisions, bob.held, bob.threw_draw) == (2, 1, 1)
    assert ann.left_out["settled"] + bob.left_out["settled"] == 9
    said = words(match)
    assert "Round 1 of 3, grid 3,6,4,8,5,1,7,2,9" in said
    assert (
        "Ann began; with best play it is a draw. The round was left because neither player could win it any more."
        in said
    )
    assert "Bob began; with best play it is a draw. The round was drawn." in said
    assert "Neither player could win this round, so no move is graded." in said
    assert "Ann began; with best play it is a draw. Ann won in 5 moves." in said
    assert "- 4. Bob: 2 threw away the draw: now a loss in 2 moves" in said
    assert "- Bob's last chance to draw was move 4, with 7." in said
    assert "- Ann won, and was winning from move 5 on." in said


def test_what_is_played_when_nobody_can_win_is_left_out() -> None:
    match = spot_match((ROWS, "1,1 2,1 3,1 1,2 2,2 3,2 1,3 2,3 3,3"))
    graded = grades(match)
    assert graded.count("settled") >= 2
    assert graded == sorted(graded, key=lambda grade: grade == "settled"), "it stays so"
    first = graded.index("settled") + 1
    assert f"- {first}. to 9. (neither player could win any more)" in words(match)


def test_every_move_draws_when_nobody_can_win() -> None:
    match = spot_match((DEAD, "1,1 1,2"))
    match.resign(1)
    chance = make_report(match).rounds[0].chances[0].draw
    assert chance == report.LastChance(ply=3, moves=(3, 4, 5, 6, 7, 8, 9))
    match = spot_match((DEAD, ""))
    match.resign(1)
    chance = make_report(match).rounds[0].chances[0].draw
    assert chance == report.LastChance(ply=1, moves=(1, 2, 3, 4, 5, 6, 7, 8, 9))
    cells = "3, 6, 4, 8, 5, 1, 7, 2 or 9"
    assert f"- Ann's last chance to draw was move 1, with {cells}." in words(match)


# What cannot be known.


def test_what_is_too_big_is_ungraded_and_what_follows_it_is_not() -> None:
    (match,) = random_matches(rules_of("increasing-differences", {"length": "12", "range": "40"}), 1, seed=4)
    made = make_report(match, seconds=0)
    graded = [decision.grade for decision in made.rounds[0].decisions]
    assert graded[0] == "ungraded"
    assert graded[-1] != "ungraded"
    assert graded == sorted(graded, key=lambda grade: grade != "ungraded"), "from the end to the first that is too big"
    assert made.rounds[0].start is None
    ann, bob = made.accounts
    assert ann.left_out["ungraded"] + bob.left_out["ungraded"] == graded.count("ungraded")
    said = words(match, seconds=0)
    assert any("the winner with best play is unknown." in line for line in said)
    assert "Ungraded moves could not be solved within 0 seconds each; --seconds allows more." in said
    assert any(line.endswith("(ungraded)") for line in said)


def test_the_whole_report_keeps_within_its_limit() -> None:
    match, limit = builder("14 17 15 18 16 19 20"), Limit(nodes=1)
    made = make_report(match, limit)
    graded = [decision.grade for decision in made.rounds[0].decisions if decision.grade != "forced"]
    assert graded[0] == "ungraded"
    assert graded == sorted(graded, key=lambda grade: grade != "ungraded"), "from the end to the first that is too big"
    assert limit.spent <= 2, "one position was too big, and no larger one is begun"
    assert "- Ann's chances are unknown." in words(match, limit=Limit(nodes=1))


def test_what_is_known_at_once_is_graded_when_the_time_is_up() -> None:
    match = double_up(GAME)
    assert make_report(match, Limit(seconds=0)).rounds == make_report(match).rounds


def test_progress_counts_what_all_positions_took() -> None:
    told: list[int] = []
    make_report(builder("14 17 15 18 16 19 20"), Limit(on_progress=told.append))
    assert told == sorted(told)
    assert told[-1] > 1000


def test_nothing_of_a_game_that_need_not_end_is_graded() -> None:
    match = double_up("2 3 4 5", limit="none")
    match.resign(1)
    assert grades(match) == ["forced", "ungraded", "ungraded", "ungraded"]
    said = words(match)
    assert "A game that may never end has no exact values, so no move is graded." in said
    assert "No turning points among the graded moves." in said
    assert any("Ann resigned; the value of the position is unknown." in line for line in said)


def test_without_distances_values_are_graded_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_big(*arguments: object) -> None:
        raise TooBig("too big")

    monkeypatch.setattr(Solver, "choices", too_big)
    monkeypatch.setattr(Solver, "line", too_big)
    match = builder("20 3 4 5 6")
    assert grades(match) == ["threw-win", "kept", "forced", "kept", "forced", "kept", "forced", "kept"]
    said = words(match)
    assert "- 1. Ann: 20 threw away the win: now a loss" in said
    assert any(line.endswith("After 20: there was no time to find the line.") for line in said)


# The command.

EVENING = """[Parlour "1"]
[Game "double-up"]
[Version "1"]
[Options "limit=100"]
[Player1 "Ann"]
[Player2 "Bob"]
[Chooser1 "human"]
[Chooser2 "human"]
[First "1"]
[Seed "7"]
[Date "2026-11-15T19:00:00Z"]
[Result "*"]

1. 2
2. 3
3. 6
undo
3. 4
4. 5
5. 10
6. 11
resign 1
"""


def test_a_record_file_standard_input_and_a_kept_game(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "evening.parlour"
    path.write_text(EVENING)
    by_file = run("report", str(path))
    assert by_file.code == 0
    assert by_file.err == ""
    assert by_file.out.startswith("Double Up: Ann - Bob\nUp to 100. Bob won by resignation.\nAll values are exact")
    assert run("report", "-", stdin=EVENING).out == by_file.out
    assert run("import", str(path)).code == 0
    assert run("report", "1").out == by_file.out
    assert run("report", "-", "--json", stdin=EVENING).out == run("report", "1", "--json").out


@pytest.mark.parametrize("source", ["7", "nowhere.parlour", "-"])
def test_what_is_no_record_is_one_line(run: Runner, source: str) -> None:
    told = run("report", source, stdin="nonsense\n")
    assert told.code == 1
    assert told.out == ""
    assert told.err.startswith("parlour: ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("seconds", ["-1", "soon"])
def test_bad_seconds(run: Runner, seconds: str) -> None:
    told = run("report", "-", "--seconds", seconds, stdin=EVENING)
    assert told.code == 2
    assert told.err.count("\n") == 1


def test_it_fits_into_eighty_columns(run: Runner) -> None:
    match = double_up(GAME, limit="100")
    text = record.write_record(match).replace('"Ann"', '"A name of thirty characters ok"')
    out = run("report", "-", stdin=text).out
    assert max(map(len, out.splitlines())) <= 80
    narrow = run("report", "-", stdin=text, env={"COLUMNS": "40"}).out
    assert max(map(len, narrow.splitlines())) <= 40
    assert "\x1b" not in out


def test_an_unfinished_game_is_said_to_be(run: Runner) -> None:
    out = run("report", "-", stdin=EVENING.replace("resign 1\n", "")).out
    assert "Up to 100. Not finished: Ann to move.\n" in out
    assert "1 move was undone" in out


def test_a_name_stays_as_it_is(run: Runner) -> None:
    out = run("report", "-", stdin=EVENING.replace('"Ann"', '"ann"').replace('"Bob"', '"bob"')).out
    assert "Up to 100. bob won by resignation.\n" in out
    assert "Ann" not in out
    assert "Bob" not in out


STANDING = {"value": str, "plies": (int, type(None))}
TYPES: dict[str, Any] = {
    "format": int, "game": str, "version": int, "options": dict, "names": list, "players": list, "result": str,
    "how": (str, type(None)), "winner": (int, type(None)), "undone": int, "seconds": (int, float),
    "accuracy": [{
        "player": int, "accuracy": (float, type(None)), "decisions": int, "held": int, "critical": int, "slower": int,
        "threw_win": int, "threw_draw": int,
        "left_out": {"forced": int, "lost": int, "settled": int, "ungraded": int},
    }],
    "rounds": [{
        "round": int, "options": dict, "first": int, "start": (STANDING, None), "how": str,
        "winner": (int, type(None)),
        "decisions": [{
            "ply": int, "player": int, "move": str, "grade": str, "before": (STANDING, None), "after": (STANDING, None),
            "legal": int, "holding": int, "critical": bool,
        }],
        "turning_points": [{
            "ply": int, "player": int, "move": str, "from": str, "to": str, "held_by": [str], "line": [str],
        }],
        "chances": [{
            "player": int, "win": ({"ply": int, "moves": [str]}, None), "draw": ({"ply": int, "moves": [str]}, None),
            "winning_since": (int, type(None)),
        }],
        "resignation": ({"player": int, "standing": (STANDING, None)}, None),
    }],
    "text": [str],
}  # fmt: skip


def assert_shape(found: Any, wanted: Any, where: str = "report") -> None:
    if isinstance(wanted, dict):
        assert isinstance(found, dict), where
        assert list(found) == list(wanted), where
        for name, inner in wanted.items():
            assert_shape(found[name], inner, f"{where}.{name}")
    elif isinstance(wanted, list):
        assert isinstance(found, list), where
        for place, each in enumerate(found):
            assert_shape(each, wanted[0], f"{where}[{place}]")
    elif isinstance(wanted, tuple) and wanted[-1] is None:
        if found is not None:
            assert_shape(found, wanted[0], where)
    else:
        assert isinstance(found, wanted), where
        assert not isinstance(found, bool) or wanted is bool, where


@pytest.mark.parametrize("arguments", [(), ("--seconds", "0")], ids=["solved", "hurried"])
def test_the_json_document_has_the_shape_it_is_said_to_have(run: Runner, arguments: tuple[str, ...]) -> None:
    spot = record.write_record(spot_match((DEAD, ""), (ROWS, "1,1 3,1 1,2 2,2 1,3")))
    endless = record.write_record(double_up("2 3 4", limit="none"))
    for text in (EVENING, spot, endless):
        told = run("report", "-", "--json", *arguments, stdin=text)
        assert told.code == 0
        assert told.out.count("\n") == 1
        assert_shape(json.loads(told.out), TYPES)


def test_every_field_is_described() -> None:
    page = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
    tables = "".join(line for line in page.splitlines(keepends=True) if line.startswith("| `"))
    told = set(re.findall(r"`([\w-]+)`", tables + page.partition("A *standing* is")[2].partition("\n\n")[0]))

    def fields(shape: Any) -> set[str]:
        if isinstance(shape, dict):
            return set(shape).union(*(fields(inner) for inner in shape.values()))
        return set().union(*map(fields, shape)) if isinstance(shape, list | tuple) else set()

    assert fields(TYPES) <= told
    assert {*report.COUNTED, *report.LEFT_OUT} <= told


def test_the_json_document_of_a_game_by_hand(run: Runner) -> None:
    document = json.loads(run("report", "-", "--json", stdin=EVENING).out)
    assert (document["game"], document["names"], document["undone"]) == ("double-up", ["Ann", "Bob"], 1)
    assert (document["result"], document["how"], document["winner"]) == ("0-1", "resigned", 2)
    (round,) = document["rounds"]
    assert round["start"] == {"value": "win", "plies": 11}
    assert [decision["grade"] for decision in round["decisions"]] == [
        "forced", "lost", "threw-win", "kept", "lost", "kept",
    ]  # fmt: skip
    assert round["decisions"][2] == {
        "ply": 3, "player": 1, "move": "4", "grade": "threw-win",
        "before": {"value": "win", "plies": 9}, "after": {"value": "loss", "plies": 10},
        "legal": 3, "holding": 1, "critical": True,
    }  # fmt: skip
    assert round["turning_points"] == [
        {
            "ply": 3, "player": 1, "move": "4", "from": "win", "to": "loss", "held_by": ["5"],
            "line": ["5", "6", "11", "12", "24", "25", "49", "50", "100"],
        }
    ]  # fmt: skip
    assert round["chances"] == [
        {"player": 1, "win": {"ply": 3, "moves": ["5"]}, "draw": {"ply": 3, "moves": ["5"]}, "winning_since": None},
        {"player": 2, "win": {"ply": 6, "moves": ["11"]}, "draw": {"ply": 6, "moves": ["11"]}, "winning_since": None},
    ]
    assert round["resignation"] == {"player": 1, "standing": {"value": "loss", "plies": 6}}
    assert [account["accuracy"] for account in document["accuracy"]] == [0.0, 1.0]


def test_a_huge_choice_is_reported_in_short(run: Runner) -> None:
    match = double_up(" ".join(str(2**power) for power in range(1, 14)), limit="20000")
    match.resign(match.turn)
    told = run("report", "-", "--json", stdin=record.write_record(match))
    assert told.code == 0
    assert len(told.out) < 30_000


def test_reports_of_kept_games_do_not_change_them(run: Runner, state: Path) -> None:
    saves.add(double_up(GAME))
    before = (state / "1.parlour").read_bytes()
    run("report", "1")
    assert (state / "1.parlour").read_bytes() == before
