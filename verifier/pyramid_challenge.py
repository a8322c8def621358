"""Pyramid Challenge, from its rule book, with a limited supply of tokens as a variant.

Each player builds a pyramid, level by level from the bottom and from left to right; the bottom has `base` places,
each level above it one less. At the bottom any number from 1 to `highest` may be placed; above, the sum or the
difference of the two numbers below, if that is one of 1 to `highest`. With `copies` each number exists only so many
times for both players together. Whoever cannot place passes. The first complete pyramid wins; if neither player can
place, it is a draw.

A position is written as five numbers joined by dots. First how many numbers the player to move has placed, and which
of them can still be built upon, as the digits of a number in base highest + 1, the oldest first; then the same for
the other player; last how many of each number are left, as digits in base copies + 1, the number 1 last (0 if there
is no limit). A move is the number that is placed, or "pass".
"""

NUMBERS = {"base": (2, 10), "highest": (2, 60)}  # the options, and their least and greatest values
OTHERS = ("copies",)
MOST_COPIES = 60
LARGEST_SUPPLY = 2**62  # for the number that says how many of each are left


class Game:
    def __init__(self, options):
        self.base, self.highest = int(options["base"]), int(options["highest"])
        self.copies = 0 if options["copies"] == "none" else int(options["copies"])
        if options["copies"] != "none" and not 1 <= self.copies <= MOST_COPIES:
            raise ValueError(f"copies is none or a number from 1 to {MOST_COPIES}")
        if (self.copies + 1) ** self.highest > LARGEST_SUPPLY:
            raise ValueError("there are too many copies of too many numbers")
        self.full = sum(range(1, self.base + 1))

    def start(self):
        """The numbers that the player to move has placed, and those of the other one."""
        return (), ()

    def levels(self, pyramid):
        """The numbers by level, from the bottom."""
        rows, begin = [], 0
        for width in range(self.base, 0, -1):
            rows.append(pyramid[begin : begin + width])
            begin += width
        return rows

    def open_numbers(self, pyramid):
        """Those that a number can still be put upon, directly or with a neighbour to come; the oldest first."""
        if len(pyramid) < self.base:
            return pyramid
        rows = self.levels(pyramid)
        for level in range(1, self.base):
            if len(rows[level]) < self.base - level:
                return (*rows[level - 1][len(rows[level]) :], *rows[level])
        return rows[-1]

    def left(self, position, number):
        placed = position[0] + position[1]
        return self.copies - placed.count(number) if self.copies else 1

    def text(self, position):
        fields = []
        for pyramid in position:
            packed = 0
            for number in self.open_numbers(pyramid):
                packed = packed * (self.highest + 1) + number
            fields += [len(pyramid), packed]
        supply = 0
        if self.copies:
            for number in range(self.highest, 0, -1):
                supply = supply * (self.copies + 1) + self.left(position, number)
        return ".".join(map(str, [*fields, supply]))

    def fitting(self, position, pyramid):
        allowed = range(1, self.highest + 1)
        if len(pyramid) >= self.base:
            rows = self.levels(pyramid)
            level = next(n for n in range(1, self.base) if len(rows[n]) < self.base - n)
            a, b = rows[level - 1][len(rows[level]) : len(rows[level]) + 2]
            allowed = [n for n in allowed if n in (a + b, abs(a - b))]
        return [n for n in allowed if self.left(position, n) > 0]

    def moves(self, position):
        return [str(n) for n in self.fitting(position, position[0])] or ["pass"]

    def play(self, position, move):
        mine, theirs = position
        return (theirs, mine) if move == "pass" else (theirs, (*mine, int(move)))

    def result(self, position):
        mine, theirs = position
        if len(theirs) == self.full:
            return "loss"  # the other player has just completed a pyramid
        return None if self.fitting(position, mine) or self.fitting(position, theirs) else "draw"
