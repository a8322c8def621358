"""Checks a certificate of Parlour without Parlour: python verifier/verify.py FILE ...

A certificate claims what a position is worth: that one side wins, in so many plies at most, or that it is a draw. Its
proof is a strategy for that side (for a draw, one for each side): a line for every position in which the side can find
itself, with the move that it plays there. This program plays each strategy against every possible reply. If all those
games end as claimed, the claim is true; no search is needed, and nothing of Parlour is used. The rules of each game
are written anew from its rule book in a file of its own beside this one.

The file is text, perhaps compressed by gzip. Each strategy begins with a line of JSON:

    game, options   which game, under which options, all as text
    moves           what has been played before the claim begins
    side            whose strategy it is: 1 for the player who began the game, 2 for the other
    value, plies    what it is to reach: "win" or "draw"; in how many plies at most, or null
    positions       how many lines follow

and each of those lines has a position and a move, for example "5 11". How a position is written is said in the game's
file. The positions are told from the side of the player to move.
"""

import gzip
import importlib
import json
import sys
from pathlib import Path

GAMES = ("double-up", "increasing-differences", "pyramid-challenge", "sequence-builder", "sequence-spot")
WORTH = {"loss": -1, "draw": 0, "win": 1}


class Wrong(Exception):
    """The certificate does not prove what it claims."""


def strategies(text):
    """The strategies of a file: the head of each, and its moves by position."""
    lines = text.splitlines()
    while lines:
        head = json.loads(lines[0])
        if head.get("merged"):
            raise Wrong("this strategy merges positions; only one that merges nothing can be checked here")
        body, lines = lines[1 : 1 + head["positions"]], lines[1 + head["positions"] :]
        answers = dict(line.split(" ") for line in body)
        if len(answers) != head["positions"]:
            raise Wrong("a line is missing, or a position has two")
        yield head, answers


def check(head, answers):
    """Play a strategy against every reply; the length of the longest game. Wrong if it fails."""
    if head["game"] not in GAMES:
        raise Wrong(f"no game {head['game']!r} is known here")
    game = importlib.import_module(head["game"].replace("-", "_")).Game(head["options"])
    position = game.start()
    for move in head["moves"]:
        position = step(game, position, move)
    mine = len(head["moves"]) % 2 == head["side"] - 1  # whether the side of the strategy is to move
    wanted = WORTH[head["value"]]
    longest = {}  # plies to the end, by position and whose turn it is
    used = set()
    todo = [(position, mine)]
    while todo:
        position, mine = todo[-1]
        key = (game.text(position), mine)
        if key in longest:
            todo.pop()
            continue
        result = game.result(position)
        if result is not None:
            if (WORTH[result] if mine else -WORTH[result]) < wanted:
                raise Wrong(f"a game ends in a {result} for the player to move at {key[0]}, which is not as claimed")
            longest[key] = 0
            continue
        if mine:
            if key[0] not in answers:
                raise Wrong(f"there is no move for {key[0]}")
            used.add(key[0])
            follows = [step(game, position, answers[key[0]])]
        else:
            follows = [step(game, position, move) for move in game.moves(position)]
        open_ones = [(after, not mine) for after in follows if (game.text(after), not mine) not in longest]
        if open_ones:
            todo += open_ones
        else:
            longest[key] = 1 + max(longest[game.text(after), not mine] for after in follows)
    if len(used) < len(answers):
        raise Wrong(f"{len(answers) - len(used)} of its lines are never needed")
    if head["plies"] is not None and longest[key] > head["plies"]:
        raise Wrong(f"a game lasts {longest[key]} plies, and {head['plies']} are claimed")
    return longest[key]


def step(game, position, move):
    """The position after a move, which must be legal."""
    if game.result(position) is not None or move not in game.moves(position):
        raise Wrong(f"{move!r} is no legal move at {game.text(position)}")
    return game.play(position, move)


def verify(data):
    """What a certificate proves, in words; Wrong if it proves nothing."""
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    proved = {}
    for head, answers in strategies(text):
        plies = check(head, answers)
        claim = (head["game"], json.dumps(head["options"]), " ".join(head["moves"]))
        proved.setdefault(claim, []).append((head["side"], head["value"], plies, len(answers)))
    if len(proved) != 1:
        raise Wrong("a certificate is about one position")
    (game, options, moves), sides = proved.popitem()
    where = f"{game} {options}" + (f" after {moves}" if moves else "")
    if len(sides) == 1 and sides[0][1] == "win":
        side, _, plies, positions = sides[0]
        return f"{where}: player {side} wins, in {plies} plies at most ({positions} positions)"
    if sorted(side[:2] for side in sides) == [(1, "draw"), (2, "draw")]:
        return f"{where}: a draw, each side can hold it ({sum(side[3] for side in sides)} positions)"
    raise Wrong("it shows that one side can hold the draw; for a draw both have to")


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python verify.py FILE ...")
    failed = False
    for name in sys.argv[1:]:
        try:
            print(f"proved  {verify(Path(name).read_bytes())}")
        except (Wrong, OSError, EOFError, KeyError, TypeError, ValueError, ArithmeticError) as error:
            failed = True
            print(f"REFUSED {name}: {error}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
