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
import zlib
from pathlib import Path

GAMES = ("double-up", "increasing-differences", "pyramid-challenge", "sequence-builder", "sequence-spot")
LONGEST_REASON = 200  # characters
WORTH = {"loss": -1, "draw": 0, "win": 1}


class Wrong(Exception):
    """The certificate does not prove what it claims."""


def strategies(text):
    """The strategies of a file: the head of each, and its moves by position."""
    lines = text.splitlines()
    while lines:
        head = json.loads(lines[0], parse_constant=not_a_number)
        check_head(head)
        body, lines = lines[1 : 1 + head["positions"]], lines[1 + head["positions"] :]
        answers = dict(line.split(" ") for line in body if line.count(" ") == 1)
        if len(answers) != head["positions"]:
            raise Wrong("a line is missing or damaged, or a position has two")
        yield head, answers


def not_a_number(text):
    raise Wrong(f"{text} is not a number")


def check_head(head):
    """Wrong if the head of a strategy is not of the form that is described above."""
    if type(head) is not dict:
        raise Wrong("a strategy begins with a JSON object")
    if head.get("merged"):
        raise Wrong("this strategy merges positions; only one that merges nothing can be checked here")
    if type(head["positions"]) is not int or head["positions"] < 0:
        raise Wrong("positions is a whole number, not negative")
    if type(head["side"]) is not int or head["side"] not in (1, 2):
        raise Wrong("side is 1 or 2")
    if head["plies"] is not None and (type(head["plies"]) is not int or head["plies"] < 0):
        raise Wrong("plies is a whole number, not negative, or null")
    if head["value"] not in ("win", "draw"):
        raise Wrong("value is win or draw")
    if type(head["moves"]) is not list or not all(type(move) is str for move in head["moves"]):
        raise Wrong("moves is a list of texts")
    if type(head["options"]) is not dict or not all(type(text) is str for text in head["options"].values()):
        raise Wrong("options are texts by name")


def load_game(name, options):
    """The rules of a game under its options; Wrong if there is no such game."""
    if name not in GAMES:
        raise Wrong(f"no game {name!r} is known here")
    module = importlib.import_module(name.replace("-", "_"))
    numbers, others = getattr(module, "NUMBERS", {}), getattr(module, "OTHERS", ())
    if sorted(options) != sorted([*numbers, *others]):
        raise Wrong(f"the options of this game are {', '.join([*numbers, *others])}")
    if not all(text.isascii() and text.replace(",", "").isalnum() for text in options.values()):
        raise Wrong("an option is a word, a number, or several numbers with commas between them")
    for option, (low, high) in numbers.items():
        if not options[option].isdecimal() or not low <= int(options[option]) <= high:
            raise Wrong(f"{option} is a number from {low} to {high}")
    return module.Game(options)


def check(head, answers):
    """Play a strategy against every reply; the length of the longest game. Wrong if it fails."""
    game = load_game(head["game"], head["options"])
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
        except KeyError as error:
            failed = True
            print(f"REFUSED {name}: {error} is missing")
        except (Wrong, OSError, EOFError, RecursionError, ValueError, zlib.error) as error:
            failed = True
            print(f"REFUSED {name}: {' '.join(str(error).split())[:LONGEST_REASON]}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
