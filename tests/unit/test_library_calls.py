"""Calls of the library that a stranger would try: each is answered, or refused with the reason before any work."""

from __future__ import annotations

import logging
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

import parlour
from parlour.errors import BadStrategy, NoSuchExam, NoSuchPuzzle, ParlourError
from tests.support.eventually import eventually
from tests.support.tabletop import begin

rules = parlour.rules_of("double-up", limit=30)
Score, Value = parlour.Score, parlour.Value
anything: Any = parlour  # for calls that a type checker would refuse


class Chooser:
    """A player that answers every turn with the same thing."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, match: parlour.Match, random: Random, limit: parlour.Limit | None = None) -> int:
        return self.answer  # type: ignore[no-any-return]

    def close(self) -> None:
        pass


class Narrow:
    """A player whose ``choose`` takes a match only."""

    def choose(self, match: parlour.Match) -> int:
        return match.legal_moves[0]

    def close(self) -> None:
        pass


class Buggy(Chooser):
    """A player with a mistake in its own code."""

    def choose(self, match: parlour.Match, random: Random, limit: parlour.Limit | None = None) -> int:
        return len(5)  # type: ignore[arg-type]


def over() -> parlour.Match:
    return begin("double-up", "2", limit=2)


def resigned() -> parlour.Match:
    match = begin("double-up", "2", limit=30)
    match.resign(1)
    return match


def exam() -> Any:
    return parlour.start_exam("double-up")


def passed() -> Any:
    asked = exam()
    while (question := asked.question()) is not None:
        asked.answer(asked.recommended(question.position))
    return asked


BOTH = ["random", "perfect"]
CALLS: list[tuple[type[ParlourError], Callable[[], object], str]] = [
    # Options with a match, which has its own.
    (parlour.BadOptions, lambda: parlour.solve(begin("double-up"), limit=30), "already, so 'limit' cannot change"),
    (parlour.BadOptions, lambda: parlour.write_certificate(begin("double-up"), limit=30), "'limit' cannot change"),
    (parlour.BadOptions, lambda: parlour.play_out(begin("double-up"), BOTH, limit=6), "'limit' cannot change"),
    (parlour.BadOptions, lambda: parlour.play_out(begin("double-up"), BOTH, seed=6), "'seed' cannot change"),
    (
        parlour.BadOptions,
        lambda: parlour.solve("double-up", limit=anything.Limit(seconds=2)),
        "give the Limit by posit",
    ),
    (parlour.BadInput, lambda: anything.tabulate("double-up", limit=30), "rules_of(game, limit=30)"),
    (parlour.BadInput, lambda: anything.measure_contest("double-up", limit=30), "rules_of(game, limit=30)"),
    # Players.
    (
        parlour.EngineFailed,
        lambda: parlour.play_out("double-up", ["engine:no-such-program", "random"]),
        "cannot be started",
    ),
    (parlour.BadOptions, lambda: parlour.play_out("double-up", BOTH, limit=None), "give seconds"),
    (parlour.BadOptions, lambda: parlour.play_out("double-up", BOTH, parlour.Limit(nodes=9), limit=None), "seconds"),
    (parlour.TooBig, lambda: parlour.play_out("double-up", BOTH, seconds=0), "the match was not over in time"),
    (
        parlour.UnknownPlayer,
        lambda: anything.take_turn(begin("double-up"), Narrow()),
        "choose(match, random, limit=None)",
    ),
    (parlour.BadInput, lambda: anything.take_turn(begin("double-up"), parlour.find_player("random"), 5), "a limit is"),
    *(
        (parlour.BadInput, lambda word=word: anything.find_player(word).choose(None), "a match is needed, not None")
        for word in ("random", "level:2", "perfect", "mcts:9", "engine:true")
    ),
    # Finished matches.
    *(
        (
            parlour.GameOver,
            lambda word=word, ended=ended: parlour.take_turn(ended(), parlour.find_player(word)),
            "is over",
        )
        for word in ("random", "level:2", "perfect", "mcts:9")
        for ended in (over, resigned)
    ),
    *(
        (parlour.GameOver, lambda word=word: anything.find_player(word).choose(over()), "the game is over")
        for word in ("random", "level:2", "perfect", "mcts:9", "engine:true")
    ),
    (parlour.GameOver, lambda: parlour.solve(resigned()), "the game is over: Player 2 won by resignation"),
    (parlour.GameOver, lambda: parlour.write_certificate(resigned()), "the game is over"),
    (parlour.GameOver, lambda: parlour.write_certificate(over()), "there is nothing to prove"),
    # Tournaments.
    (parlour.BadInput, lambda: parlour.play_tournament(["double-up"], BOTH, openings=-1), "bad openings -1"),
    (parlour.BadInput, lambda: parlour.play_tournament(["double-up"], BOTH, openings=0), "of at least 1"),
    (parlour.BadInput, lambda: parlour.play_tournament(["double-up"], BOTH, random_moves=-1), "bad random_moves -1"),
    (parlour.BadInput, lambda: parlour.play_tournament(["double-up"], BOTH, jobs=0), "bad jobs 0"),
    (parlour.BadInput, lambda: anything.play_tournament(["double-up"], BOTH, seed=1.5), "bad seed 1.5"),
    (parlour.BadOptions, lambda: parlour.play_tournament([], BOTH), "there is no game in the list"),
    (
        parlour.BadOptions,
        lambda: parlour.play_tournament([rules, "double-up"], BOTH),
        "'double-up' is in the list twice",
    ),
    (parlour.BadInput, lambda: anything.play_tournament("double-up", BOTH, limit=30), "rules_of(game, limit=30)"),
    (parlour.UnknownGame, lambda: anything.play_tournament(5, BOTH), "a game is needed, not 5"),
    (parlour.UnknownPlayer, lambda: anything.play_tournament(["double-up"], 2), "a list of players is needed, not 2"),
    (parlour.UnknownPlayer, lambda: parlour.play_tournament(["double-up"], "random"), "a list of players is needed"),
    (
        parlour.UnknownPlayer,
        lambda: anything.play_tournament(["double-up"], ["random", parlour.find_player("perfect")]),
        "given by words, such as 'perfect' or 'engine:COMMAND', not as <Player perfect>",
    ),
    # Sweeps.
    (parlour.BadInput, lambda: anything.sweep("double-up", games="x"), "bad games 'x'"),
    (parlour.BadInput, lambda: anything.sweep("double-up", seed="x"), "bad seed 'x'"),
    (parlour.BadInput, lambda: anything.sweep("double-up", jobs="x"), "bad jobs 'x'"),
    (parlour.BadInput, lambda: parlour.sweep("double-up", jobs=0), "bad jobs 0"),
    (parlour.BadInput, lambda: parlour.sweep("double-up", error=2), "bad error 2; give the share of moves"),
    (parlour.BadOptions, lambda: parlour.sweep("double-up", limit=[]), "at least one value is needed"),
    (parlour.BadOptions, lambda: anything.sweep("double-up", limit=2.5), "bad limit 2.5; give a number"),
    (parlour.BadOptions, lambda: anything.sweep("double-up", limit=[True]), "bad limit True"),
    (parlour.BadOptions, lambda: parlour.sweep("sequence-builder", pool=None), "bad pool 'none'; allowed"),
    (
        parlour.BadOptions,
        lambda: anything.sweep("double-up", measures=None),
        "bad measures None; known measures: value",
    ),
    (parlour.BadOptions, lambda: parlour.sweep("double-up", measures="valu"), "(did you mean 'value'?)"),
    (parlour.BadOptions, lambda: anything.sweep("double-up", measures=[["value"]]), "unknown measure"),
    # Searches.
    (ParlourError, lambda: anything.Solver("double-up", runtime="foo"), "bad runtime 'foo'; allowed: python"),
    (parlour.BadInput, lambda: anything.Solver(rules).keeps(rules.start, 2, "win"), "a score is needed, not 'win'"),
    (parlour.BadInput, lambda: anything.Solver(rules).line(rules.start, most="3"), "bad most '3'"),
    (parlour.UnreadableMove, lambda: parlour.Solver(rules).keeps(rules.start, "x", Value.WIN), "unreadable move 'x'"),
    (parlour.BadInput, lambda: parlour.playouts(rules, 5, threads=10**9), "at most 1,000"),
    (parlour.BadInput, lambda: anything.measure_exploitability(rules, "random"), "a policy is needed, not 'random'"),
    (parlour.BadInput, lambda: parlour.measure_contest(rules, 2), "bad error 2; give the share of moves"),
    (parlour.UnknownGame, lambda: parlour.random_game("chess", None, Random(1)), "unknown game 'chess'"),
    (parlour.BadPosition, lambda: anything.random_game(rules, (1,), Random(1)), "bad position (1,); Double Up has"),
    (parlour.BadInput, lambda: anything.random_game(rules, rules.start, 1), "bad random 1; give a random.Random"),
    # Puzzles, exams, explanations, hints.
    (parlour.BadInput, lambda: parlour.list_puzzles(grade=99), "bad grade 99; give a whole number from 1 to 5"),
    (parlour.BadInput, lambda: anything.list_puzzles(grade="2"), "bad grade '2'"),
    (parlour.BadInput, lambda: parlour.list_puzzles(grade=True), "bad grade True"),
    (parlour.BadInput, lambda: anything.daily_puzzle(5), "a date is needed, not 5"),
    (NoSuchPuzzle, lambda: parlour.daily_puzzle("yesterday"), "'yesterday' is not a date"),
    *(
        (
            NoSuchExam,
            lambda number=number: anything.start_exam("double-up", number),
            f"has no exam {number!r}; they are",
        )
        for number in ("1", None, 1.0, True, 0, 99)
    ),
    (parlour.IllegalMove, lambda: exam().refutation(exam().question().position, 99), "illegal move '99'"),
    (parlour.IllegalMove, lambda: exam().kept_name(exam().question().position, 99), "illegal move '99'"),
    (parlour.GameOver, lambda: exam().recommended(exam().rules.position([exam().rules.options.limit])), "is over"),
    (parlour.GameOver, lambda: exam().recommended(exam().rules.position([10**6])), "there is no move to recommend"),
    (ParlourError, lambda: exam().strategy({}), "the exam is not over: questions are left"),
    (parlour.Conflict, lambda: passed().answer(4), "the exam is over: no question is left"),
    (parlour.BadInput, lambda: anything.start_exam("double-up", limit=30), "rules_of(game, limit=30)"),
    (parlour.BadPosition, lambda: exam().is_right(None, 3), "bad position None"),
    (parlour.UnreadableMove, lambda: exam().answer("x"), "unreadable move 'x'"),
    (parlour.BadInput, lambda: parlour.explain("double-up", games=0), "bad games 0; give a whole number of at least 1"),
    (parlour.BadInput, lambda: parlour.explain("sequence-spot", deals=0), "bad deals 0"),
    (parlour.BadInput, lambda: anything.explain("double-up", seed=[1]), "bad seed [1]"),
    (ParlourError, lambda: anything.explain("double-up", seconds="x"), "bad seconds 'x'"),
    (ParlourError, lambda: anything.make_report(begin("double-up"), seconds="x"), "bad seconds 'x'"),
    (ParlourError, lambda: parlour.solve("double-up", parlour.Limit(), seconds=-1), "bad seconds -1"),
    (parlour.BadName, lambda: anything.Hints(begin("double-up"), names=("a",)), "a pair of them"),
    (parlour.BadName, lambda: anything.Hints(begin("double-up"), names=5), "a pair of them"),
    (parlour.BadName, lambda: anything.Hints(begin("double-up"), names=("a", 5)), "a name is a text"),
    # Texts.
    (parlour.BadInput, lambda: anything.write_record("double-up"), "a match is needed, not 'double-up'"),
    (BadStrategy, lambda: anything.check_certificate(None), "a certificate is a text, not None"),
    (BadStrategy, lambda: anything.check_certificate(b"{}"), "a certificate is a text, not b'{}'"),
    (ParlourError, lambda: anything.Score.read(None), "None is not a score, like"),
    (ParlourError, lambda: anything.Value.read(1), "1 is not a value: win, draw or loss"),
]


@pytest.mark.parametrize(("kind", "call", "words"), CALLS)
def test_a_call_is_refused_with_the_reason(kind: type[ParlourError], call: Callable[[], object], words: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 300


# Games and matches.


def test_rules_with_options_are_the_default_everywhere() -> None:
    """Up to 12, 5 is lost, because its moves 6 to 10 can all be followed by 12. 3 and 4 lead to 5, so 2 is lost."""
    chosen = parlour.rules_of("double-up", limit=12)
    (row,) = parlour.sweep(chosen, measures="value").rows
    assert row.options == {"limit": "12"}
    assert row.value is Value.WIN
    assert [row.options["limit"] for row in parlour.sweep(chosen, measures="value", limit=[5, "6-7"])] == [
        "5",
        "6",
        "7",
    ]


def test_values_of_a_sweep_are_given_as_for_rules() -> None:
    def swept(game: str, **ranges: Any) -> list[str]:
        return [row.words for row in parlour.sweep(game, measures="value", seconds=None, **ranges)]

    assert swept("double-up", limit=[None, 10]) == swept("double-up", limit="none,10") == ["limit=none", "limit=10"]
    assert swept("double-up", limit=None) == ["limit=none"]
    ends = [words.rpartition("=")[2] for words in swept("sequence-builder", pool=9, increments=[(1, 2), (1, 3)])]
    assert ends == ["1,2", "1,3"]
    alone = parlour.rules_of("sequence-builder", pool=9, increments=(1, 2)).options
    assert swept("sequence-builder", **alone._asdict()) == swept("sequence-builder", pool=9, increments=[(1, 2)])
    assert len(swept("sequence-builder", pool=9, increments=((1, 2), (1, 3)))) == 2
    assert swept("double-up", limit=(5, 6)) == ["limit=5", "limit=6"]


def test_a_finished_match_has_a_score() -> None:
    assert parlour.solve(over()) == Score(Value.LOSS, 0)


def test_games_are_accepted_where_names_are() -> None:
    game = parlour.find_game("double-up")
    assert parlour.find_game(game) is game
    assert repr(parlour.start_exam(game)) == repr(exam())
    assert parlour.list_puzzles(game, 1) == parlour.list_puzzles("double-up", 1) != []
    one = parlour.play_tournament(game, ("random", "perfect"), openings=1)
    assert one == parlour.play_tournament("double-up", ["random", "perfect"], openings=1)


def test_seconds_bound_all_that_takes_a_limit() -> None:
    large = parlour.rules_of("increasing-differences", length=12, range=24)
    for work in (
        lambda: parlour.tabulate(large, seconds=0),
        lambda: parlour.kept_table(large, seconds=0),
        lambda: parlour.measure_contest(large, seconds=0),
        lambda: parlour.measure_exploitability(large, lambda position: {}, seconds=0),
    ):
        with pytest.raises(parlour.TooBig):
            work()


def test_a_limit_has_a_name_where_keywords_are_not_options() -> None:
    none = parlour.Limit(seconds=0)
    text = parlour.write_certificate("double-up", limit=20)
    with pytest.raises(parlour.TooBig):
        parlour.check_certificate(text, limit=none)
    with pytest.raises(parlour.TooBig):
        parlour.start_exam("increasing-differences", number=3, limit=none)
    played = parlour.play_tournament(games="double-up", players=BOTH, limit=none)
    assert (played.results, played.complete) == ([], False)


def test_no_seconds_is_no_bound() -> None:
    small = parlour.rules_of("double-up", limit=10)
    assert str(parlour.explain(small, seconds=None)) == str(parlour.explain(small))
    match = begin("double-up", "2", limit=10)
    assert str(parlour.make_report(match, seconds=None)) == str(parlour.make_report(match))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pthread_kill")
@pytest.mark.parametrize("threads", [1, 2])
def test_random_games_can_be_interrupted(threads: int) -> None:
    main, others = threading.main_thread().ident, set(threading.enumerate())
    assert main == threading.get_ident()

    def interrupt() -> None:
        eventually(lambda: len(set(threading.enumerate()) - others) > 1, "the games to begin")
        signal.pthread_kill(main, signal.SIGINT)

    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    with pytest.raises(KeyboardInterrupt):
        parlour.playouts(rules, 10**15, threads=threads)
    interrupter.join()


# Players.


def test_a_new_match_of_drawn_rounds_ends_undecided() -> None:
    outcome = parlour.play_out("sequence-spot", ["perfect", "perfect"], seed=1)
    assert outcome == parlour.Outcome(None, parlour.Termination.UNDECIDED)


@pytest.mark.parametrize(("given", "rounds"), [({}, 20), ({"max_rounds": 3}, 3), ({"cap": 2}, 2)])
def test_a_given_match_of_drawn_rounds_ends_undecided_too(given: dict[str, int], rounds: int) -> None:
    match = begin("sequence-spot", seed=1, **given)  # type: ignore[arg-type]
    outcome = parlour.play_out(match, ["perfect", "perfect"], seconds=60)
    assert outcome == match.outcome == parlour.Outcome(None, parlour.Termination.UNDECIDED)
    assert len(match.rounds) == rounds


def test_a_new_match_has_the_names_seed_and_first_player_that_are_given() -> None:
    class Watcher(Chooser):
        """Plays the first legal move and notes the match."""

        def choose(self, match: parlour.Match, random: Random, limit: parlour.Limit | None = None) -> int:
            self.answer = match
            return match.legal_moves[0]

    watcher = Watcher(None)
    parlour.play_out("double-up", [watcher, watcher], names=("Ann", "Ben"), first=2, seed=7, limit=5)
    assert (watcher.answer.names, watcher.answer.setup.first, watcher.answer.setup.seed) == (("Ann", "Ben"), 2, "7")


@pytest.mark.parametrize("answer", [None, 2.0, 7])
def test_a_forfeit_is_logged_with_the_reason(answer: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        outcome = parlour.play_out("double-up", [Chooser(answer), "random"])
    assert outcome == parlour.Outcome(2, parlour.Termination.FORFEITED)
    (record,) = caplog.records
    assert record.name == "parlour.players"
    assert record.getMessage().startswith("Player 1 forfeited the match: ")
    assert f"move {answer!r}" in record.getMessage() or f"move '{answer}'" in record.getMessage()


def test_players_are_recognised() -> None:
    assert isinstance(Chooser(2), parlour.Player)
    assert all(isinstance(parlour.find_player(word), parlour.Player) for word in ("random", "engine:true"))
    assert not isinstance("random", parlour.Player)
    assert [repr(parlour.find_player(word)) for word in ("random", "level:3", "perfect", "mcts:5", "engine:a b")] == [
        *("<Player random>", "<Player level:3>", "<Player perfect>", "<Player mcts:5>", "<Player engine:a b>"),
    ]


def test_a_mistake_inside_a_player_is_shown_as_it_is() -> None:
    with pytest.raises(TypeError, match="has no len"):
        parlour.take_turn(begin("double-up"), Buggy(0))


# Numbers and texts.


def test_moves_are_given_as_numbers_or_texts() -> None:
    solver = parlour.Solver(rules)
    position = rules.position([4])
    assert solver.choices(position, moves=["6"]) == solver.choices(position, moves=[6])
    assert solver.keeps(position, "6", Value.WIN)
    assert not solver.keeps(position, 5, Score(Value.WIN))
    asked = parlour.start_exam("double-up")
    question = asked.question()
    assert question is not None
    assert (asked.is_right(question.position, "4"), asked.is_right(question.position, "3")) == (True, False)
    assert asked.answer("4").right


def test_a_day_is_a_date_or_its_text() -> None:
    puzzle = parlour.daily_puzzle(date(2026, 1, 5))
    assert puzzle == parlour.daily_puzzle("2026-01-05") == parlour.daily_puzzle(datetime(2026, 1, 5, 12))


def test_a_tournament_without_a_seed_makes_one() -> None:
    one, two = (parlour.play_tournament("double-up", ["random", "level:1"], openings=1, seed=None) for _ in range(2))
    assert one.seed != two.seed
    assert one.random_moves == 2


def test_a_random_game_begins_at_the_start_or_at_a_position() -> None:
    def played(*given: Any) -> list[tuple[tuple[int, ...], int | None]]:
        return list(parlour.random_game(*given, Random(1)))

    book = parlour.rules_of("double-up")
    assert played("double-up", None) == played(book, book.start)
    assert played(rules, rules.position([16]))[0][0] == (16,)
    assert played(rules, rules.position([30])) == [((30,), None)]


# Objects.


def test_puzzles_can_be_collected_in_a_set() -> None:
    found = parlour.list_puzzles("double-up", 1)
    assert len({*found, *parlour.list_puzzles("double-up", 1)}) == len(found)
    assert hash(parlour.find_puzzle(1)) == hash(parlour.find_puzzle(1))


def test_a_pickled_exam_resumes_where_it_was() -> None:
    asked = parlour.start_exam("double-up")
    asked.answer(4)
    copied = pickle.loads(pickle.dumps(asked))
    assert (copied.asked, copied.question(), copied.rules) == (1, asked.question(), asked.rules)
    for one in (asked, copied):
        while (question := one.question()) is not None:
            one.answer(one.recommended(question.position))
    assert asked.strategy({}) == copied.strategy({})


def test_results_have_short_texts() -> None:
    swept = parlour.sweep("double-up", limit="5-7", measures="value")
    assert repr(swept) == str(swept) == "<Sweep of Double Up: 3 rows>"
    assert list(swept) == swept.rows
    played = parlour.play_tournament("double-up", ["random", "perfect"], openings=1)
    assert repr(played) == "<Tournament of random, perfect: double-up, 2 games>"
    assert repr(exam()).startswith("<Exam of Double Up: limit=")
    hints = parlour.Hints(begin("double-up", limit=30))
    assert repr(hints).startswith("<Hints for <Match of Double Up: ")
    assert str(hints.hint()) == "You are winning."
    assert f"{hints.why(2)}".startswith("2 keeps the win: it wins on your 4th turn")
