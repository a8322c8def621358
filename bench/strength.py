"""What knowing the rules alone is worth: how often such a player errs, and its points against random and perfect.

Run it with: python bench/strength.py [GAMES] [SEED]; it takes a minute or two and prints tables in Markdown.
Every game is played at the book's options from its beginning, GAMES times against each opponent, alternating as player
1 and player 2.
"""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random

from parlour import catalog, players
from parlour.game import P
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O, Word, declared
from parlour.players.perfect import solver_for
from parlour.rules import Rules, read_rules
from parlour.setup import Setup
from parlour.tournament import MAX_ROUNDS
from parlour.turn import play_out
from parlour.view import PLAYERS

WORDS = ("random", "mcts:200", "perfect")
OPPONENTS = ("random", "perfect")


class Watched:
    """A player, and how often it could have lost value and did."""

    def __init__(self, word: str) -> None:
        player = players.load(word)
        assert player is not None
        self.player = player
        self.critical = 0
        self.errors = 0

    def choose(self, match: Match[O, P], random: Random, limit: Limit | None = None) -> int:
        move = self.player.choose(match, random, limit)
        solver = solver_for(match.rules, match.position)
        assert solver is not None  # the book's options are small
        values = {choice.move: choice.value for choice in solver.values(match.position)}
        self.errors += values[move] < max(values.values())
        self.critical += min(values.values()) < max(values.values())
        return move

    def close(self) -> None:
        self.player.close()


def variants() -> list[tuple[str, dict[str, str]]]:
    """Every game as the book has it, and with another deal where it can be dealt in another way."""
    found = []
    for key in catalog.keys():
        found.append((key, {}))
        for name, kind in declared(catalog.find_game(key).options).items():
            if isinstance(kind, Word):
                found += [(key, {name: word}) for word in kind.words[1:]]
    return found


def measure(task: tuple[str, dict[str, str], str, int, str]) -> tuple[int, int, list[float]]:
    """Critical positions that a player had, errors that it made there, and its points out of 100 by opponent."""
    key, texts, word, games, seed = task
    game = catalog.find_game(key)
    options = read_rules(game, texts).options
    critical, errors, scores = 0, 0, []
    for opponent in OPPONENTS:
        points = 0.0
        for number in range(games):
            watched, other = Watched(word), players.load(opponent)
            assert other is not None
            own = PLAYERS[number % 2]
            words = (word, opponent) if own == 1 else (opponent, word)
            luck = f"{seed} {key} {texts} {word} {opponent} {number}"
            match = Match(Setup(Rules(game, options), players=words, seed=luck, cap=MAX_ROUNDS))
            play_out(match, (watched, other) if own == 1 else (other, watched))
            assert match.outcome is not None
            points += match.outcome.points[own - 1]
            critical += watched.critical
            errors += watched.errors
        scores.append(100 * points / games)
    return critical, errors, scores


def show(title: str, columns: list[str], rows: dict[str, list[str]]) -> None:
    """Print a table in Markdown: a row for each player."""
    print(f"\n| {title} |", " | ".join(columns), "|")
    print("|---|" + "---:|" * len(columns))
    for word, cells in rows.items():
        print(f"| `{word}` |", " | ".join(cells), "|")


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    tasks = [(key, texts, word, games, seed) for key, texts in variants() for word in WORDS]
    lost: dict[str, list[str]] = {word: [] for word in WORDS}
    scored: dict[str, dict[str, list[str]]] = {opponent: {word: [] for word in WORDS} for opponent in OPPONENTS}
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        for number, (task, measured) in enumerate(zip(tasks, pool.map(measure, tasks), strict=True), 1):
            critical, errors, scores = measured
            lost[task[2]].append(f"{100 * errors / critical:.1f} % of {critical}" if critical else "-")
            for opponent, score in zip(OPPONENTS, scores, strict=True):
                scored[opponent][task[2]].append(f"{score:.0f} %")
            print(f"{number} of {len(tasks)} done", file=sys.stderr)
    columns = [", ".join([catalog.find_game(key).title, *texts.values()]) for key, texts in variants()]
    show("value lost on critical positions", columns, lost)
    for opponent in OPPONENTS:
        show(f"points against {opponent}", columns, scored[opponent])


if __name__ == "__main__":
    main()
