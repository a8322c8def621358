"""Whole games at a terminal, played somehow, with a check of every screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.support.terminal import Person


def pick(question: str, chance: Random) -> str:
    """One of the numbers that a question offers."""
    offered = question.partition(": ")[2].partition(" (")[0].partition(", or next")[0]
    numbers: list[int] = []
    for part in re.findall(r"(\d+)(?:-(\d+))?", offered):
        low, high = int(part[0]), int(part[1] or part[0])
        numbers += [*range(low, min(high, low + 200)), high]
    return str(chance.choice(numbers))


def play_to_the_end(person: Person, see: Callable[[list[str]], None], most: int = 150) -> None:
    """Play somehow, and show every screen with a question on it to ``see``."""
    chance = Random(1)
    for _ in range(most):
        person.sees_prompt()
        screen = person.display()
        if any("Again (Enter)" in line for line in screen):
            return
        see(screen)
        if screen[-1].startswith("(Enter"):
            person.presses("\r")
            continue
        asked = [line for line in screen if line.startswith("Your turn: ")][-1]
        question = " ".join(screen[screen.index(asked) : -1])
        if "next for a new round" in question:
            person.types("next")
        else:
            person.types(pick(question, chance))
    person.types("resign")
    person.sees("y or n: ")
    person.types("y")
    person.sees("Again (Enter)")


def check_screens(terminal: Callable[..., Person], columns: int, rows: int, key: str, options: str) -> None:
    """Play a game to a decided end against a random player, and check that every screen fits and is complete."""
    given = [part for word in options.split() for part in (f"--{word.split('=')[0]}", word.split("=")[1])]
    person = terminal("play", key, *given, "--p2", "random", "--seed", "7", columns=columns, rows=rows)

    def see(screen: list[str]) -> None:
        assert len(screen) <= rows
        assert screen[-1].startswith((">", "(Enter"))
        assert max(map(len, screen)) < columns, "no line is as wide as the window"
        assert "\ufffd" not in "".join(screen)
        exchanges = [at for at, line in enumerate(screen) if line.startswith(("You ", "Computer "))]
        if not exchanges:
            return
        begin = max(at for at in exchanges if screen[at].startswith("You "))
        if columns >= 80:
            assert len(screen) - begin <= 12, "\n".join(screen)
            assert len([line for line in screen if line.startswith("Your turn")]) <= 1, "the table stands there once"

    play_to_the_end(person, see, most=25 if "none" in options else 150)
    assert re.search(r": (you win!|Computer wins\.|a draw\.)|, and (win!|wins\.)", " ".join(person.display()))
    person.types("quit")
    assert person.leaves()[1] == 0
