"""Puzzles at the terminal: the daily, any other, your own mistakes; through pipes, by people, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from parlour.documents.puzzles import match_of_puzzle
from parlour.files import state_folder
from parlour.match import Match
from parlour.record import write_record
from parlour.rules import rules_of
from parlour.setup import Setup
from parlour.solver import Solver
from parlour.study import progress as kept
from parlour.study import progress_file
from parlour.study.archive import Archive, daily_number
from parlour.study.archive_file import archive
from parlour.study.grades import Mistake, mistakes_of
from parlour.study.progress import Progress, Result
from parlour.study.puzzle import Puzzle, read_exercise
from parlour.writer import plain
from tests.support.command import Run
from tests.support.terminal import Person

Terminal = Callable[..., Person]
Runner = Callable[..., Run]


@pytest.fixture(scope="module")
def held() -> Archive:
    return archive()


def answers(puzzle: Puzzle) -> list[str]:
    """What solves a puzzle, one move a turn."""
    return puzzle.rules.names(turn.answer for turn in puzzle.stages)


def lines(*typed: str) -> str:
    return "".join(f"{each}\n" for each in typed)


def of_several_turns(held: Archive) -> Puzzle:
    return next(puzzle for puzzle in held if len(puzzle.stages) > 1)


def wrong_move(puzzle: Puzzle) -> str:
    return puzzle.rules.name(next(iter(puzzle.stages[0].wrong)))


# Solving one.


@pytest.mark.parametrize("grade", [1, 3, 5])
def test_a_puzzle_of_each_game_is_solved_by_its_answers(run: Runner, held: Archive, grade: int) -> None:
    games = {entry.game: entry for entry in held.select(grade=grade)}
    for entry in games.values():
        puzzle = held.find(entry.id)
        done = run("puzzle", "--id", entry.id, stdin=lines(*answers(puzzle)))
        assert done.code == 0, done
        assert "Solved at the first try, no hint." in done.out
        assert done.out.count("Right.") == len(puzzle.stages)
        assert progress_file.load().progress.puzzles[entry.id].clean


def test_a_wrong_move_is_refuted_to_the_end_and_taken_back(run: Runner, held: Archive) -> None:
    puzzle = of_several_turns(held)
    move, refutation = next(iter(puzzle.stages[0].wrong.items()))
    name = puzzle.rules.spoken([move])[0]
    done = run("puzzle", "--id", puzzle.id, stdin=lines(puzzle.rules.name(move), *answers(puzzle)))
    shown = done.out.partition(f"No: {name} ")[2].partition(f"{name} is taken back.")[0]
    told = [line for line in shown.splitlines()[1:] if line.startswith(("You ", "Computer ", "Both "))]
    assert len(told) >= len(refutation), "a line for each move"
    assert "Solved in 2 tries, no hint." in done.out
    assert progress_file.load().progress.puzzles[puzzle.id].tries == 2


def test_what_the_rules_forbid_is_refused_and_costs_no_try(run: Runner, held: Archive) -> None:
    puzzle = held.find(held.select("double-up")[0].id)
    done = run("puzzle", "--id", puzzle.id, stdin=lines("1", "", "rubbish", *answers(puzzle)))
    position = match_of_puzzle(puzzle).position
    assert puzzle.rules.game.display.refusal(puzzle.rules.packed, position, 1) in done.out
    assert "type a move" in done.out.lower()
    assert "I don't know 'rubbish'" in done.out
    assert "Solved at the first try, no hint." in done.out


def test_hints_go_up_a_ladder_to_the_move(run: Runner, held: Archive) -> None:
    puzzle = next(puzzle for puzzle in held if puzzle.features.choices >= 6 and len(puzzle.stages) == 1)
    answer = puzzle.rules.spoken([puzzle.stages[0].answer])[0]
    done = run("puzzle", "--id", puzzle.id, stdin=lines("hint", "hint", "hint", *answers(puzzle)))
    told = [line for line in done.out.splitlines() if line.startswith(("It is ", "You have already"))]
    assert told[0].startswith(("It is between", "It is in row"))
    assert told[1] == f"It is {answer}."
    assert told[2] == "You have already seen the move."
    assert "Solved at the first try, 2 hints." in done.out


def test_whoever_gives_up_sees_the_answer(run: Runner, held: Archive) -> None:
    puzzle = of_several_turns(held)
    done = run("puzzle", "--id", puzzle.id, stdin=lines("answer"))
    for turn in puzzle.stages:
        assert f"The answer is {puzzle.rules.spoken([turn.answer])[0]}." in done.out
    assert "Not solved this time." in done.out
    assert not progress_file.load().progress.puzzles[puzzle.id].solved


def test_the_words_of_the_game_are_there(run: Runner, held: Archive) -> None:
    puzzle = of_several_turns(held)
    done = run("puzzle", "--id", puzzle.id, stdin=lines("help", "rules", "board", "quit"))
    assert "Possible now:" in done.out
    assert puzzle.rules.game.content.rules_text.split(".")[0].split()[-1] in done.out
    assert done.code == 0
    assert f"parlour puzzle --id {puzzle.id}" in done.out


def test_input_that_ends_before_the_puzzle_does_is_a_failure(run: Runner, held: Archive) -> None:
    assert run("puzzle", "--id", "1").code == 1
    assert progress_file.load().progress == Progress()


def test_whoever_leaves_is_told_how_to_come_back_in_one_piece(run: Runner, held: Archive) -> None:
    puzzle = held.daily(date(2026, 1, 5))
    assert "\nCome back to it with: parlour daily 5\n" in run("daily", "5", stdin="quit\n").out
    assert (
        f"\nCome back to it with: parlour puzzle --id {puzzle.id}\n" in run("puzzle", "--id", puzzle.id, stdin="").out
    )


def test_ctrl_c_tells_how_to_come_back(terminal: Terminal, held: Archive) -> None:
    person = terminal("daily", "5")
    person.sees("Your turn", "> ")
    told, code = person.leaves("\x03")
    assert "Come back to it with: parlour daily 5" in told
    assert code == 130


def test_programs_get_the_puzzle_with_its_answer(run: Runner, held: Archive) -> None:
    given = json.loads(run("puzzle", "--id", "17", "--json").out)
    puzzle = held.find("17")
    assert (given["id"], given["number"], given["daily"]) == (puzzle.id, 17, None)
    assert [turn["answer"] for turn in given["turns"]] == answers(puzzle)


def test_a_puzzle_is_of_the_game_and_the_grade_that_are_wanted(run: Runner) -> None:
    given = json.loads(run("puzzle", "pyramid", "--grade", "4", "--json").out)
    assert (given["game"], given["grade"]) == ("pyramid-challenge", 4)


def test_a_puzzle_that_was_met_does_not_come_again(run: Runner, held: Archive) -> None:
    entries = held.select("double-up", 1)
    spared = entries[len(entries) // 2]
    met = {entry.id: Result(1, 0, "2026-11-01") for entry in entries if entry != spared}
    with progress_file.changing() as change:
        change.progress = Progress(puzzles=met)
    assert json.loads(run("puzzle", "double-up", "--grade", "1", "--json").out)["id"] == spared.id


def test_the_grade_that_was_earned_is_asked(run: Runner) -> None:
    with progress_file.changing() as change:
        change.progress = Progress(grade=5)
    assert json.loads(run("puzzle", "--json").out)["grade"] == 5
    assert json.loads(run("puzzle", "double-up", "--json").out)["grade"] == 2, "it has no harder ones"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["puzzle", "--id", "nonsense"], "there is no puzzle 'nonsense'"),
        (["puzzle", "--id", "999999"], "there is no puzzle 999999"),
        (["puzzle", "chess"], "chess"),
        (["puzzle", "double-up", "--grade", "5"], "there is no puzzle of grade 5 for double-up; its grades: 1, 2"),
        (["puzzle", "double-up", "--id", "3"], "--id names one puzzle"),
        (["daily", "2025-12-31"], "the first was on 2026-01-01"),
        (["daily", "0"], "the first was on 2026-01-01"),
        (["daily", "999999"], "is not out yet"),
        (["daily", "9999-01-01"], "is not out yet"),
        (["daily", "tomorrow"], "'tomorrow' is not a date"),
        (["daily", "--import", "nowhere.json"], "nowhere.json"),
        (["daily", "--import", "."], "directory"),
        (["daily", "--json", "--statistics"], "use only one of"),
        (["practise", "77"], "there is no saved game '77'"),
    ],
)
def test_what_cannot_be_is_one_clear_line(run: Runner, arguments: list[str], told: str) -> None:
    done = run(*arguments)
    assert done.code in (1, 2)
    assert done.out == ""
    assert told in done.err
    assert len(done.err.splitlines()) == 1


# The daily.


def test_the_daily_reads_its_puzzle_once(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[date] = []
    daily = Archive.daily

    def counted(held: Archive, day: date) -> Puzzle:
        read.append(day)
        return daily(held, day)

    monkeypatch.setattr(Archive, "daily", counted)
    run("daily", "2026-11-02", stdin="q\n")
    assert read == [date(2026, 11, 2)]


def test_the_daily_ends_with_a_line_to_share_and_counts_once(run: Runner, held: Archive) -> None:
    today = date.today()
    puzzle, number = held.daily(today), daily_number(today)
    with progress_file.changing() as change:
        yesterday = today - timedelta(days=1)
        change.progress = Progress(daily={number - 1: Result(3, 0, yesterday.isoformat())})
    share = f"Parlour daily {number}, {puzzle.rules.game.title}: solved at the first try, no hint. Day 2 in a row."
    done = run("daily", stdin=lines(*answers(puzzle)))
    assert done.code == 0, done
    assert share in done.out
    assert "2 daily puzzles solved. Streak 2, best 2." in done.out
    again = run("daily", stdin=lines("answer"))
    assert f"{share}\nThat was on {today}; this time is for fun." in again.out
    assert progress_file.load().progress.daily[number] == Result(1, 0, today.isoformat())


def test_one_of_an_earlier_day_counts_as_solved_but_for_no_streak(run: Runner, held: Archive) -> None:
    puzzle = held.daily(date(2026, 1, 5))
    done = run("daily", "5", stdin=lines(*answers(puzzle)))
    assert "Parlour daily 5, Monday 5 January 2026" in done.out
    told = run("daily", "--statistics").out
    assert "played: 1" in told
    assert "Days in a row: 0" in told
    assert run("daily", "2026-01-05", "--json").out == run("daily", "#5", "--json").out


def test_progress_goes_from_one_device_to_another(run: Runner, tmp_path: Path) -> None:
    given = {"format": 1, "daily": {"312": {"tries": 2, "hints": 0, "date": "2026-11-08"}}, "puzzles": {}, "grade": 2}
    (tmp_path / "browser.json").write_text(json.dumps(given))
    with progress_file.changing() as change:
        change.progress = Progress(daily={311: Result(1, 0, "2026-11-07")})
    done = run("daily", "--import", str(tmp_path / "browser.json"))
    assert done.out == "1 daily puzzle added. 2 daily puzzles solved. Streak 0, best 2.\n"
    exported = json.loads(run("daily", "--export", "-").out)
    assert set(exported["daily"]) == {"311", "312"}
    assert exported["grade"] == 2
    run("daily", "--export", str(tmp_path / "all.json"))
    assert json.loads((tmp_path / "all.json").read_text()) == exported


def test_a_damaged_file_is_told_and_set_aside(run: Runner) -> None:
    with progress_file.changing() as change:
        change.progress = Progress(daily={3: Result(1, 0, "2026-01-03")})
    with progress_file.changing() as change:
        change.progress = Progress(daily={3: Result(1, 0, "2026-01-03"), 4: Result(1, 0, "2026-01-04")})
    (Path(state_folder()) / progress_file.FILE).write_text("{")
    done = run("daily", "--statistics")
    assert done.code == 0
    assert "progress-damaged-1.json, and the previous version replaces it" in done.err
    assert "Solved: 1" in done.out


def test_a_clock_that_went_back_takes_no_streak(run: Runner) -> None:
    later = date.today() + timedelta(days=3)
    with progress_file.changing() as change:
        change.progress = Progress(daily={daily_number(later): Result(1, 0, later.isoformat())})
    done = run("daily", "--statistics")
    assert f"your clock says {date.today()}, but you have solved something on {later}" in done.err
    assert "Days in a row: 1" in done.out


# Your own mistakes.


def lost_game() -> Match:
    """Both throw a won game away: whoever leaves 4, 9 and 20 wins."""
    rules = rules_of("double-up", limit=20)
    match: Match = Match(Setup(rules))
    match.play_line("2 3 5 8 9 18 20")
    return match


def test_the_turning_points_of_a_game_are_asked_and_come_back(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "game.parlour").write_text(write_record(lost_game()))
    found = list(mistakes_of(lost_game(), [1, 2], 5.0))
    assert found
    solver = Solver(lost_game().rules)
    typed = []
    for question in (each.question for each in found):
        position = question.rules.start
        for move in question.moves:
            position = question.rules.play(position, move)
        right = {
            move for move in question.rules.legal(position) if solver.keeps(position, move, solver.score(position))
        }
        assert right <= set(question.stages[0].right), "every move that keeps the value is right"
        assert read_exercise(plain(question)) == question
        typed += [question.rules.name(next(iter(stage.right))) for stage in question.stages]
    done = run("practise", str(tmp_path / "game.parlour"), stdin=lines(*typed))
    tomorrow = date.today() + timedelta(days=1)
    assert done.code == 0, done
    assert done.out.count(f"It comes back on {tomorrow}.") == len(found)
    assert "That was all for today." in done.out
    assert f"the next mistake comes back on {tomorrow}" in run("practise").out


def test_ctrl_c_keeps_the_mistakes_found_so_far(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_of(*arguments: object) -> Iterator[Mistake]:
        yield next(mistakes_of(lost_game(), [1, 2], 5.0))
        raise KeyboardInterrupt

    monkeypatch.setattr("parlour.study.grades.mistakes_of", first_of)
    (tmp_path / "game.parlour").write_text(write_record(lost_game()))
    done = run("practise", str(tmp_path / "game.parlour"), stdin="q\n")
    assert "Stopped.\nMistake 1 of 1" in done.out
    assert done.code == 0


def test_whoever_has_not_played_has_nothing_to_practise(run: Runner) -> None:
    assert run("practise").out == "You have no mistakes to practise; they come from your own games.\n"


def test_a_mistake_that_cannot_be_read_is_left_out(run: Runner) -> None:
    with progress_file.changing() as change:
        change.progress = kept.with_mistake(Progress(), "a", {"game": "chess"}, date.today())
    done = run("practise")
    assert "was removed" in done.out
    assert progress_file.load().progress.mistakes == {}


# At a terminal.


def test_a_person_steps_through_a_refutation_and_goes_on_to_the_next(terminal: Terminal, held: Archive) -> None:
    puzzle = next(each for each in held if all(len(rest) > 1 for rest in each.stages[0].wrong.values()))
    person = terminal("puzzle", "--id", puzzle.id)
    person.sees("You are ●.", "> ")
    person.types(wrong_move(puzzle))
    person.sees("No: ", "(Enter: show why, s: skip)")
    person.types("")
    person.sees("(Enter: show why, s: skip)")
    person.types("s")
    person.sees("Try again.", "> ")
    for move in answers(puzzle):
        person.types(move)
        person.sees("Right.")
    person.sees("Solved in 2 tries, no hint.", "Another one? (Enter: yes, q: leave)")
    person.types("")
    person.sees("Grade 1 of 5", "> ")
    person.types("quit")
    assert person.leaves()[1] == 0


def test_a_refutation_is_drawn_in_the_place_of_the_board(terminal: Terminal, held: Archive) -> None:
    puzzle = next(each for each in held if all(len(rest) > 1 for rest in each.stages[0].wrong.values()))
    person = terminal("puzzle", "--id", puzzle.id)
    person.sees("> ")
    before = len(person.display())
    move, line = next(iter(puzzle.stages[0].wrong.items()))
    person.types(puzzle.rules.name(move))
    for _ in line:
        person.sees("(Enter: show why, s: skip)")
        assert len([each for each in person.display() if each.startswith("● You")]) == 1
        person.types("")
    person.sees("(Enter: continue)")
    person.types("")
    person.sees("Try again.", "Which move is right?", "> ")
    assert "(Enter" not in "\n".join(person.display())
    assert len(person.scrollback()) <= before + 3, "what stays of it is a line or two"
    person.types("b")
    assert person.leaves()[1] == 0


def test_plain_lines_show_a_refutation_without_steps(terminal: Terminal, held: Archive) -> None:
    puzzle = of_several_turns(held)
    person = terminal("puzzle", "--id", puzzle.id, PARLOUR_PLAIN="1")
    person.sees("> ")
    person.types(wrong_move(puzzle))
    told = person.sees("No: ", "Try again.", "Which move is right?", "> ")
    assert "(Enter" not in told
    person.types("q")
    assert person.leaves()[1] == 0


def test_leaving_by_any_word_leaves_nothing_solved(run: Runner, held: Archive) -> None:
    for word in ("b", "back", "q", "exit"):
        assert run("puzzle", "--id", "1", stdin=lines(word)).code == 0
        assert run("master", "double-up", stdin=lines(word)).code == 0
        assert run("master", "double-up", stdin=lines("1", word)).code == 0
    assert progress_file.load().progress == Progress()


def test_the_menu_offers_the_puzzle_of_the_day(terminal: Terminal) -> None:
    person = terminal()
    person.sees("6  Puzzle of the day", "7  Puzzles", "Which game?")
    person.types("6")
    person.sees("Parlour daily", "> ")
    person.types("quit")
    person.sees("Which game?")
    person.types("puzzles")
    person.sees("Grade 1 of 5", "> ")
    person.types("quit")
    person.sees("Which game?")
    person.types("q")
    assert person.leaves()[1] == 0


def test_after_a_game_against_the_computer_one_can_practise(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--limit", "12", "--p2", "perfect")
    person.asked()
    person.types("2")
    person.asked()
    person.types("6")  # and not 5, so the computer reaches 12
    person.sees("Again (Enter)", "> ")
    person.types("practise")
    person.sees("1 turning point of yours in this game of Double Up.", "Mistake 1 of 1", "You can win.", "> ")
    person.types("5")
    person.sees("Right.", "It comes back on", "That was all for today.", "Again (Enter)", "> ")
    person.types("quit")
    assert person.leaves()[1] == 0
    assert [mistake.box for mistake in progress_file.load().progress.mistakes.values()] == [1]


def test_a_game_without_a_mistake_leaves_nothing_to_practise(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--limit", "12", "--p2", "random")
    person.asked()
    person.types("2")
    person.asked()
    person.types("5")  # of the numbers that win: 2, 5 and 12
    person.asked()
    person.types("12")
    person.sees("Again (Enter)", "> ")
    person.types("practise")
    told = person.sees("No mistakes of yours were found in this game of Double Up.", "Again (Enter)", "> ")
    assert "play a game" not in told
    person.types("quit")
    assert person.leaves()[1] == 0
    later = terminal("practise")
    assert "play a game" not in later.sees("You have no mistakes to practise; they come from your own games.")
    assert later.leaves()[1] == 0


def test_the_last_game_is_looked_through_once(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--limit", "12", "--p2", "perfect")
    person.asked()
    person.types("2")
    person.asked()
    person.types("6")
    person.sees("Again (Enter)", "> ")
    person.types("quit")
    assert person.leaves()[1] == 0
    later = terminal("practise")
    later.sees("1 turning point of yours in this game of Double Up.", "Mistake 1 of 1", "> ")
    later.types("quit")
    assert later.leaves()[1] == 0
    again = terminal("practise")
    told = again.sees("Mistake 1 of 1", "> ")
    assert "turning point" not in told
