"""Double Up, from its rule book, with the limit without which it would never end.

One sequence begins with 1. In turn the players add a number greater than the last and at most twice as large, and not
above the limit. Whoever cannot has lost.

A position is written as the last number. A move is the number that is added.
"""

NUMBERS = {"limit": (2, 1_000_000)}  # the options, and their least and greatest values


class Game:
    def __init__(self, options):
        self.limit = int(options["limit"])

    def start(self):
        return 1

    def text(self, last):
        return str(last)

    def moves(self, last):
        return [str(number) for number in range(last + 1, min(2 * last, self.limit) + 1)]

    def play(self, last, move):
        return int(move)

    def result(self, last):
        return None if self.moves(last) else "loss"
