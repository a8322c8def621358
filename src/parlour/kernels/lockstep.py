"""Games in lock-step, written once over any game's rules: each kernel goes through a share of a batch of games.

They run as they stand, or compiled, and do the same. What happens in one game depends on that game alone, its random
numbers included, so it does not matter who goes through which share, or in which order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.game import MOVER_LOSES, MOVER_WINS, ONGOING, PASS, Moves, count_moves, has_move
from parlour.kernels.moves import first_move, next_move, nth_move
from parlour.kernels.playouts import draw_below, next_state
from parlour.kernels.search import FLAGS, TOP, Jit, RuleFunctions, finished_score, from_child, sign

CHECKED, IGNORE, FORFEIT = 0, 1, 2  # wrong moves: there are none, nothing is played, they lose
NEVER, NEXT_STEP, SAME_STEP = 0, 1, 2  # when a game that is over is followed by a new one
UNKNOWN = -1 << 15  # no score of a position: the table does not have it
WINDOW = 32  # bits from one word to the next while observations are made; a word has eight more
BLOCK = 256  # games whose observations are made together


class Games(NamedTuple):
    """A batch of games: whatever belongs to one of them is at its place in each array."""

    options: Any  # some options and a position, to tell what is to be read
    position: Any
    moves: int  # are below this number
    dealt: Any  # the options of each deal, a column each
    starts: Any  # its first position
    deals: Any  # which of the deals is played
    fields: Any  # the position as it is now, a column for each game
    states: Any  # of its random numbers
    turns: Any  # the seat to move
    over: Any  # whether it has ended


class Told(NamedTuple):
    """What a step leads to."""

    rewards: Any  # 1, 0 or -1 for the player who was asked to move
    ended: Any  # the game has ended in this step
    refused: Any  # the move was not allowed
    movers: Any  # the seat that was asked to move
    finals: Any  # the position in which the last game ended, where another has begun
    waiting: Any  # room to note games


class Table(NamedTuple):
    """Scores of positions, those of all deals one after the other."""

    keys: Any  # packed positions, in rising order for each deal
    entries: Any  # what the search knows of each
    begins: Any  # where the keys of each deal begin and end
    ends: Any
    radix: Any  # the bounds of the fields of a position


# What Numba has its own bodies for.


def read_fields(like: Any, columns: Any, place: int) -> Any:
    """The tuple that stands in a column, of the same type as another tuple."""
    return type(like)(*(int(value) for value in columns[:, place]))


def write_fields(columns: Any, place: int, values: Any) -> None:
    """Write a tuple into a column."""
    columns[:, place] = values


def read_state(states: Any, place: int) -> Any:
    """A random state."""
    return int(states[place])


def write_eight(out: Any, place: int, bits: int, spread: Any) -> None:
    """Write eight bits, each as a number of its own; ``spread`` has all that can come of it."""
    for bit in range(8):
        out[place + bit] = bits >> bit & 1


# What needs no rules, or is told them.


def begin_game(games: Any, game: int) -> None:
    """A new game, dealt by its own random numbers where there is more than one deal."""
    if games.starts.shape[1] > 1:
        state = next_state(read_state(games.states, game))
        games.states[game] = state
        games.deals[game] = draw_below(state, games.starts.shape[1])
    write_fields(games.fields, game, read_fields(games.position, games.starts, games.deals[game]))
    games.turns[game] = 0
    games.over[game] = False


def eight_moves(legal: Moves, first: int) -> int:
    """Which of eight moves from the first on are legal, as bits."""
    if legal.mask:
        return legal.mask >> first & 255
    low, high = max(legal.low - first, 0), min(legal.high - first, 7)
    return (2 << high) - (1 << low) if low <= high else 0


def known_score(table: Any, deal: int, position: Any) -> int:
    """The score that a table has of a position; UNKNOWN: none."""
    key = 0
    for place in range(len(position)):
        key = key * table.radix[place] + position[place]
    low = table.begins[deal]
    high = end = table.ends[deal]
    while low < high:
        middle = (low + high) // 2
        if table.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < end and table.keys[low] == key:
        return int(table.entries[low]) >> FLAGS
    return UNKNOWN


def restart(games: Any, which: Any, finals: Any, begin: int, end: int) -> None:
    """Begin a new game wherever it is asked for."""
    for game in range(begin, end):
        if which[game]:
            write_fields(finals, game, read_fields(games.position, games.fields, game))
            begin_game(games, game)


def observe(fields: Any, offsets: Any, spread: Any, width: int, out: Any, words: Any, begin: int, end: int) -> None:
    """Write out the bits of every position, each field from its offset on, a row of ``width`` for each game.

    Word n of ``words`` collects the bits from n times WINDOW on, for a block of games. So any eight neighbours lie in
    one word.
    """
    for first in range(begin, end, BLOCK):
        count = min(BLOCK, end - first)
        for word in range(words.shape[0]):
            for place in range(count):
                words[word, place] = 0
            for field in range(fields.shape[0]):
                shift = offsets[field] - word * WINDOW
                if 0 <= shift < WINDOW + 8:
                    for place in range(count):
                        words[word, place] |= fields[field, first + place] << shift
                elif shift < 0 and offsets[field + 1] > word * WINDOW:
                    for place in range(count):
                        words[word, place] |= fields[field, first + place] >> -shift
        for place in range(count):
            row = (first + place) * width
            if width < 8:
                for bit in range(width):
                    out[row + bit] = words[0, place] >> bit & 1
            else:
                for bit in range(0, width - 8, 8):
                    write_eight(out, row + bit, words[bit // WINDOW, place] >> bit % WINDOW & 255, spread)
                last = width - 8  # the last eight may have been written in part
                write_eight(out, row + last, words[last // WINDOW, place] >> last % WINDOW & 255, spread)


# What is made from the rules of a game.


class Lockstep(NamedTuple):
    """The kernels of one game."""

    first_wrong: Any
    step: Any
    reply: Any
    masks: Any
    packed_masks: Any
    random_moves: Any
    perfect_moves: Any
    scores: Any
    restart: Any
    observe: Any


def make_lockstep(rules: RuleFunctions, jit: Jit) -> Lockstep:
    """All that a batch of games does, share by share: each takes the games from ``begin`` to before ``end``."""
    made = (
        _make_check(rules),
        _make_step(rules),
        _make_reply(rules),
        *_make_masks(rules),
        *_make_choices(rules),
        _make_scores(rules),
    )
    kernels = (*made, restart, observe)
    return Lockstep(*(jit(kernel) for kernel in kernels))


def _make_check(rules: RuleFunctions) -> Any:
    moves = rules.moves

    def first_wrong(games: Any, wanted: Any, begin: int, end: int) -> int:
        """The first game in which the wanted move is not allowed; -1: all are. Games that are over are left out."""
        for game in range(begin, end):
            if not games.over[game]:
                options = read_fields(games.options, games.dealt, games.deals[game])
                legal = moves(options, read_fields(games.position, games.fields, game))
                move = int(wanted[game])
                if not (0 <= move < games.moves and has_move(legal, move)):
                    return game
        return -1

    return first_wrong


def _make_step(rules: RuleFunctions) -> Any:
    moves, play, result = rules.moves, rules.play, rules.result

    def step(games: Any, wanted: Any, policy: int, renewal: int, told: Any, begin: int, end: int) -> None:
        """Play the wanted moves; ``policy`` is about those that are not allowed, ``renewal`` about new games."""
        alone = games.starts.shape[1] == 1  # one deal: its options need not be read again for every game
        options = read_fields(games.options, games.dealt, 0)
        told.movers[begin:end] = games.turns[begin:end]  # all at once costs next to nothing
        told.refused[begin:end] = False
        for first in range(begin, end, BLOCK):
            waiting = begin  # games that have ended are noted, for a branch that nobody can foretell costs more
            for game in range(first, min(first + BLOCK, end)):
                reward, ended = 0, False
                if games.over[game]:
                    if renewal != NEVER:
                        begin_game(games, game)
                else:
                    if not alone:
                        options = read_fields(games.options, games.dealt, games.deals[game])
                    position = read_fields(games.position, games.fields, game)
                    move = int(wanted[game])
                    if policy == CHECKED or (0 <= move < games.moves and has_move(moves(options, position), move)):
                        position = play(options, position, move)
                        write_fields(games.fields, game, position)
                        games.turns[game] = 1 - games.turns[game]
                        outcome = result(options, position)
                        reward = (outcome == MOVER_LOSES) - (outcome == MOVER_WINS)  # of the other player by now
                        ended = outcome != ONGOING
                    else:
                        told.refused[game] = True
                        if policy == FORFEIT:
                            reward = -1
                            ended = True
                    games.over[game] = ended
                told.rewards[game] = reward
                told.ended[game] = ended
                if renewal == SAME_STEP:
                    told.waiting[waiting] = game
                    waiting += ended
            if renewal == SAME_STEP:
                for place in range(begin, waiting):
                    game = told.waiting[place]
                    write_fields(told.finals, game, read_fields(games.position, games.fields, game))
                    begin_game(games, game)

    return step


def _make_reply(rules: RuleFunctions) -> Any:
    play, result = rules.play, rules.result

    def reply(games: Any, seats: Any, replies: Any, told: Any, begin: int, end: int) -> None:
        """Play the opponent's moves, wherever it is not the turn of these seats."""
        for game in range(begin, end):
            if not games.over[game] and games.turns[game] != seats[game]:
                options = read_fields(games.options, games.dealt, games.deals[game])
                position = play(options, read_fields(games.position, games.fields, game), int(replies[game]))
                write_fields(games.fields, game, position)
                games.turns[game] = seats[game]
                outcome = result(options, position)
                if outcome != ONGOING:
                    told.rewards[game] = (outcome == MOVER_WINS) - (outcome == MOVER_LOSES)
                    told.ended[game] = True
                    games.over[game] = True

    return reply


def _make_masks(rules: RuleFunctions) -> tuple[Any, ...]:
    moves = rules.moves

    def masks(games: Any, spread: Any, out: Any, begin: int, end: int) -> None:
        """Write 1 for every legal move and 0 for the others, a row for each game; the pass where a game is over."""
        width = games.moves
        for game in range(begin, end):
            row = game * width
            legal = Moves(0, PASS, PASS)
            if not games.over[game]:
                options = read_fields(games.options, games.dealt, games.deals[game])
                legal = moves(options, read_fields(games.position, games.fields, game))
            if width < 8:
                bits = eight_moves(legal, 0)
                for move in range(width):
                    out[row + move] = bits >> move & 1
            else:
                for move in range(0, width - 8, 8):
                    write_eight(out, row + move, eight_moves(legal, move), spread)
                last = width - 8  # the last eight may have been written in part
                write_eight(out, row + last, eight_moves(legal, last), spread)

    def packed_masks(games: Any, out: Any, begin: int, end: int) -> None:
        """The same with eight moves in each number, the first in its lowest bit."""
        for game in range(begin, end):
            legal = Moves(0, PASS, PASS)
            if not games.over[game]:
                options = read_fields(games.options, games.dealt, games.deals[game])
                legal = moves(options, read_fields(games.position, games.fields, game))
            for place in range(out.shape[1]):
                out[game, place] = eight_moves(legal, 8 * place)

    return masks, packed_masks


def _make_choices(rules: RuleFunctions) -> tuple[Any, ...]:
    moves, play, result, canonical = rules.moves, rules.play, rules.result, rules.canonical

    def random_moves(games: Any, states: Any, seats: Any, out: Any, begin: int, end: int) -> int:
        """A legal move for each game, each as likely as the others; chance is in ``states``. Returns -1.

        PASS where the game is over, or it is the turn of one of these seats.
        """
        for game in range(begin, end):
            move = PASS
            if not games.over[game] and games.turns[game] != seats[game]:
                options = read_fields(games.options, games.dealt, games.deals[game])
                legal = moves(options, read_fields(games.position, games.fields, game))
                state = next_state(read_state(states, game))
                states[game] = state
                move = nth_move(legal, draw_below(state, count_moves(legal)))
            out[game] = move
        return -1

    def perfect_moves(games: Any, states: Any, seats: Any, table: Any, out: Any, begin: int, end: int) -> int:
        """A move of the highest score for each game, each of these as likely as the others.

        PASS where the game is over, or it is the turn of one of these seats. Returns the first game whose moves the
        table does not know; -1: it knows them all.
        """
        for game in range(begin, end):
            chosen = PASS
            if not games.over[game] and games.turns[game] != seats[game]:
                deal = games.deals[game]
                options = read_fields(games.options, games.dealt, deal)
                position = read_fields(games.position, games.fields, game)
                legal = moves(options, position)
                state = read_state(states, game)
                best = -2 * TOP
                equal = 0
                move = first_move(legal)
                while move >= 0:
                    child = play(options, position, move)
                    outcome = result(options, child)
                    if outcome != ONGOING:
                        score = finished_score(outcome)
                    else:
                        score = known_score(table, deal, canonical(options, child))
                        if score == UNKNOWN:
                            return game
                    score = from_child(score)
                    if score > best:
                        best = score
                        equal = 0
                    if score == best:
                        equal += 1
                        state = next_state(state)
                        if draw_below(state, equal) == 0:
                            chosen = move
                    move = next_move(legal, move)
                states[game] = state
            out[game] = chosen
        return -1

    return random_moves, perfect_moves


def _make_scores(rules: RuleFunctions) -> Any:
    result, canonical = rules.result, rules.canonical

    def scores(games: Any, table: Any, values: Any, plies: Any, begin: int, end: int) -> int:
        """What each position is worth to the player to move, and the plies to the end; -1 for a draw.

        Returns the first game whose position the table does not know; -1: it knows them all.
        """
        for game in range(begin, end):
            deal = games.deals[game]
            options = read_fields(games.options, games.dealt, deal)
            position = read_fields(games.position, games.fields, game)
            outcome = result(options, position)
            if outcome != ONGOING:
                score = finished_score(outcome)
            else:
                score = known_score(table, deal, canonical(options, position))
                if score == UNKNOWN:
                    return game
            values[game] = sign(score)
            plies[game] = TOP - abs(score) if score else -1
        return -1

    return scores
