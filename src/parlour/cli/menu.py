"""``parlour`` alone at a terminal: pick a game, pick an opponent, play."""

from __future__ import annotations

from parlour import catalog, players, saves
from parlour.cli.keyboard import Keyboard
from parlour.cli.playing import or_menu, play_new, play_on, set_up
from parlour.cli.screen import Screen, reflow, width
from parlour.match import Match
from parlour.players import HUMAN


def menu() -> int:
    """The exit code of the command."""
    keyboard, screen = Keyboard(), Screen()
    screen.say(["Parlour: number games for two", ""], bold=True)
    games = catalog.list_games()
    choices = [f"{game.title}: {game.summary}" for game in games]
    open_game = _unfinished()
    if open_game is not None:
        number, match = open_game
        who = f"{match.names[0]} - {match.names[1]}"
        choices.append(f"Go on with game {number}: {match.game.title}, {who}, {match.standing}")
    picked = _pick(keyboard, screen, "Which game?", choices)
    if picked is None:
        return 0
    if open_game is not None and picked == len(games):
        return or_menu(lambda: play_on(open_game[0]))
    game = games[picked]
    kinds = players.offered()
    opponents = ["A friend at this keyboard", *(f"{kind.title}: a computer that {kind.about}" for kind in kinds)]
    opponent = _pick(keyboard, screen, "Against whom?", [*opponents, "First tell me the rules"])
    if opponent == len(opponents):
        screen.say([*reflow(game.rules_text, min(width(), 80)), ""])
        opponent = _pick(keyboard, screen, "Against whom?", opponents)
    if opponent is None:
        return 0
    words = (HUMAN, HUMAN if opponent == 0 else kinds[opponent - 1].word)
    names = (None, None if opponent == 0 else "Computer")
    return or_menu(lambda: play_new(set_up(game.key, {}, words, names)))


def _unfinished() -> tuple[int, Match] | None:
    try:
        return next(
            (
                (number, match)
                for number, match in saves.all_games()
                if isinstance(match, Match) and match.outcome is None
            ),
            None,
        )
    except OSError:
        return None


def _pick(keyboard: Keyboard, screen: Screen, question: str, choices: list[str]) -> int | None:
    """The place of the choice in the list; None if the person leaves."""
    for number, choice in enumerate(choices, 1):
        screen.say([f"  {number}  {choice}"])
    while True:
        answer = keyboard.read_line(
            f"{question} 1-{len(choices)}, or q to leave: ", lambda: [str(n) for n in range(1, len(choices) + 1)]
        )
        word = (answer or "").strip().lower()
        if answer is None or word in ("q", "quit", "exit"):
            return None
        if word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= len(choices):
            screen.say([""])
            return int(word) - 1
        begins = [place for place, choice in enumerate(choices) if word and choice.lower().startswith(word)]
        if len(begins) == 1:
            screen.say([""])
            return begins[0]
        screen.say([f"Please type a number from 1 to {len(choices)}."], "yellow")
