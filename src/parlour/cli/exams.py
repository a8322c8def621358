"""The command ``master``: exams."""

from __future__ import annotations

import click

from parlour import catalog
from parlour.cli.options import HELP, GameCommands, chosen_texts, game_options
from parlour.cli.proofs import strategy_text
from parlour.errors import BadOptions
from parlour.game import Game
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.options import flag, left_to_chance
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.study.mastery import ladder_of
from parlour.study.strategy import check_strategy, read_strategy
from parlour.terminal import narration
from parlour.terminal.exam import EXAM_SECONDS, ExamSession, describe, offer_exams
from parlour.terminal.exercise import ExerciseBoard
from parlour.terminal.puzzles import load_progress
from parlour.terminal.screen import Screen
from parlour.text import cleaned, counted
from parlour.view import PlayerNumber


def _command(game: Game) -> click.Command:
    def run(side: str | None, again: bool, **given: str | None) -> None:
        texts = chosen_texts(given)
        if not texts and side is None:
            offer_exams(game, again)
        else:
            student: PlayerNumber | None = None if side is None else 1 if side == "1" else 2
            ExamSession(ExerciseBoard(), _rules(game, texts), student).hold(again)

    return click.Command(
        game.key,
        callback=run,
        help=f"Take an exam in {game.title}: find the right move in every position that matters.\n\n"
        "Without options, choose from a list of exams, the shortest first.",
        short_help=f"Take an exam in {game.title}.",
        params=[
            *game_options(game),
            click.Option(["--side"], type=click.Choice(["1", "2"]), help="your side; 1 begins  [default: the winner]"),
            click.Option(["--again"], is_flag=True, help="start the exam over"),
        ],
        context_settings=HELP,
    )


def _rules(game: Game, texts: dict[str, str]) -> Rules:
    rules = read_rules(game, texts)
    missing = [name for name in left_to_chance(game.options) if not rules.option_texts[name]]
    if missing:
        raise BadOptions(f"an exam leaves nothing to chance: choose --{flag(missing[0])}, or one of the exams listed")
    if rules.bounds is None:
        raise BadOptions("this game may never end with these options, so there is no exam")
    return rules


class _MasterCommands(GameCommands):
    """The command ``master``, with a subcommand for each game and an option without a game."""

    def __init__(self) -> None:
        super().__init__("master", _command, "Take an exam in a game and earn a diploma.")
        self.invoke_without_command, self.no_args_is_help = True, False
        self.params.append(click.Option(["--check"], metavar="FILE", help="check the strategy file of a passed exam"))
        self.callback = click.pass_context(_without_game)


def _without_game(context: click.Context, check: str | None) -> None:
    if check is not None and context.invoked_subcommand is not None:
        raise click.UsageError("--check needs a file and no game", context)
    if check is not None:
        _check(check)
    elif context.invoked_subcommand is None:
        _list_exams()


master_command = _MasterCommands()


def _list_exams() -> None:
    screen, progress = Screen(), load_progress()
    for game in catalog.list_games():
        if game.content.exams:
            screen.say([game.title], bold=True)
            screen.say([f"  {describe(exam, progress)}" for exam in ladder_of(game).exams])
    screen.say(["", f"Take one with: {own_command()} master GAME"])


def _check(path: str) -> None:
    strategy = read_strategy(strategy_text(path))
    checked = check_strategy(strategy, Limit(EXAM_SECONDS))
    does = "wins against every reply" if strategy.claim.value is Value.WIN else "holds the draw against every reply"
    found = f"{counted(checked.positions, 'position')}, {counted(checked.replies, 'reply', 'replies')}"
    click.echo(
        f"It holds: in {narration.title(strategy.rules)}, Player {strategy.side} {does}, "
        f"in at most {checked.plies} moves ({found})."
    )
    if strategy.notes:
        click.echo(", ".join(f"{cleaned(note)}: {cleaned(text)}" for note, text in strategy.notes.items()))
