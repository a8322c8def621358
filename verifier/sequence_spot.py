"""Sequence Spot, one round, from its rule book.

The numbers 1 to 9 lie in a grid of three by three. In turn the players mark a free cell. Whoever has marked all three
cells of a row, a column or a diagonal whose numbers go up or down by the same amount wins; a full grid is a draw.

A position is written as three numbers joined by dots: the cells that the player to move has marked (the sum of 2**n
over the cells n, which are counted from 1, row by row), those of the other player, and the lines that can win (the
sum of 2**n over the lines n, which are counted from 0: rows, columns, the diagonal from the top left, the other one).
A move is the row and the column of a cell.
"""

OTHERS = ("grid", "deal", "max_rounds")
FEWEST_LINES = {"any": 0, "winnable": 1, "lively": 4}  # lines that can win on a grid of each deal
MOST_ROUNDS = 1000
LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))


class Game:
    def __init__(self, options):
        grid = [int(n) for n in options["grid"].split(",")]
        if sorted(grid) != list(range(1, 10)):
            raise ValueError("a grid has the numbers 1 to 9, each once")
        self.winning = []
        for number, line in enumerate(LINES):
            a, b, c = (grid[cell - 1] for cell in line)
            if b - a == c - b:
                self.winning.append(number)
        if options["deal"] not in FEWEST_LINES or len(self.winning) < FEWEST_LINES[options["deal"]]:
            raise ValueError(f"this grid is not of the deal {options['deal'][:20]!r}")
        if options["max_rounds"] != "none" and not 1 <= int(options["max_rounds"]) <= MOST_ROUNDS:
            raise ValueError(f"max_rounds is none or a number from 1 to {MOST_ROUNDS}")

    def start(self):
        """The cells of the player to move, and those of the other one."""
        return frozenset(), frozenset()

    def text(self, position):
        mine, theirs = (sum(2**cell for cell in cells) for cells in position)
        return f"{mine}.{theirs}.{sum(2**number for number in self.winning)}"

    def moves(self, position):
        free = [cell for cell in range(1, 10) if cell not in position[0] | position[1]]
        return [f"{(cell - 1) // 3 + 1},{(cell - 1) % 3 + 1}" for cell in free]

    def play(self, position, move):
        row, column = map(int, move.split(","))
        return position[1], position[0] | {3 * (row - 1) + column}

    def result(self, position):
        mine, theirs = position
        if any(theirs.issuperset(LINES[number]) for number in self.winning):
            return "loss"
        return "draw" if len(mine | theirs) == 9 else None
