"""Increasing Differences, from its rule book.

In turn the players take a number from a common pool of 1 to `range` and put it at the end of their own sequence. From
the third number on, each must differ from the one before by more than that one differed from its own predecessor.
Whoever first has `length` numbers wins; whoever has no valid number on their turn has lost.

A position is written as five numbers joined by dots: the pool (the sum of 2**n over the unused numbers n), then the
last number and the last difference of the player to move, then those of the other player; 0 where there is none yet.
A move is the number that is taken.
"""

NUMBERS = {"length": (2, 30), "range": (2, 60)}  # the options, and their least and greatest values


class Game:
    def __init__(self, options):
        self.length, self.range = int(options["length"]), int(options["range"])
        if self.length > self.range:
            raise ValueError("the pool has fewer numbers than a sequence needs")

    def start(self):
        """The unused numbers, the sequence of the player to move, and the other one's."""
        return frozenset(range(1, self.range + 1)), (), ()

    def text(self, position):
        pool, mine, theirs = position
        numbers = [sum(2**n for n in pool)]
        for sequence in (mine, theirs):
            numbers.append(sequence[-1] if sequence else 0)
            numbers.append(abs(sequence[-1] - sequence[-2]) if len(sequence) > 1 else 0)
        return ".".join(map(str, numbers))

    def moves(self, position):
        pool, mine, _ = position
        if len(mine) < 2:
            return [str(n) for n in sorted(pool)]
        difference = abs(mine[-1] - mine[-2])
        return [str(n) for n in sorted(pool) if abs(n - mine[-1]) > difference]

    def play(self, position, move):
        pool, mine, theirs = position
        number = int(move)
        return pool - {number}, theirs, (*mine, number)

    def result(self, position):
        if len(position[2]) == self.length:
            return "loss"  # the other player has just completed a sequence
        return None if self.moves(position) else "loss"
