"""Sequence Builder, from its rule book.

In turn the players take a number from a common pool of 1 to `pool` and put it at the end of their own sequence. The
first can be any; each later one must be greater than the one before by one of the `increments`. Whoever first has
`length` numbers wins. A player for whom no number fits passes. When neither player has a valid number the longer
sequence wins, and equal ones draw.

A position is written as five numbers joined by dots: the pool (the sum of 2**n over the unused numbers n), then the
last number of the player to move and how many they have, then the same of the other player. A move is the number that
is taken, or "pass".
"""

NUMBERS = {"length": (2, 30), "pool": (2, 60)}  # the options, and their least and greatest values
OTHERS = ("increments",)
LARGEST_STEP = 20


class Game:
    def __init__(self, options):
        self.length, self.pool = int(options["length"]), int(options["pool"])
        self.increments = [int(n) for n in options["increments"].split(",")]
        if (
            self.increments != sorted(set(self.increments))
            or not 1 <= self.increments[0] <= max(self.increments) <= LARGEST_STEP
        ):
            raise ValueError(f"the increments are different numbers from 1 to {LARGEST_STEP}, in ascending order")
        if self.pool < 1 + (self.length - 1) * self.increments[0]:
            raise ValueError("the pool is too small for a complete sequence")

    def start(self):
        """The unused numbers, the sequence of the player to move, and the other one's."""
        return frozenset(range(1, self.pool + 1)), (), ()

    def text(self, position):
        pool, mine, theirs = position
        last, their_last = (sequence[-1] if sequence else 0 for sequence in (mine, theirs))
        return f"{sum(2**n for n in pool)}.{last}.{len(mine)}.{their_last}.{len(theirs)}"

    def fitting(self, pool, sequence):
        if not sequence:
            return sorted(pool)
        return sorted(n for n in (sequence[-1] + step for step in self.increments) if n in pool)

    def moves(self, position):
        pool, mine, _ = position
        return [str(n) for n in self.fitting(pool, mine)] or ["pass"]

    def play(self, position, move):
        pool, mine, theirs = position
        if move == "pass":
            return pool, theirs, mine
        return pool - {int(move)}, theirs, (*mine, int(move))

    def result(self, position):
        pool, mine, theirs = position
        if len(theirs) == self.length:
            return "loss"  # the other player has just completed a sequence
        if self.fitting(pool, mine) or self.fitting(pool, theirs):
            return None
        if len(mine) == len(theirs):
            return "draw"
        return "win" if len(mine) > len(theirs) else "loss"
