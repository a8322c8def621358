"""Vectorised kernels over any game's rules, in Python or compiled, with the same results.

Each call processes the games of a batch from ``begin`` to before ``end``, and returns the index of a game, or -1. Games
are independent and have their own random numbers, so a batch may be split into shares in any way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.engine.primitives import (
    Bytes,
    Ints,
    Octets,
    Shorts,
    Word,
    Words,
    draw_below,
    first_move,
    next_move,
    next_state,
    nth_move,
)
from parlour.engine.search import TOP, RuleFunctions, finished_score, from_child, sign
from parlour.game import MOVER_LOSES, MOVER_WINS, ONGOING, PASS, Moves, count_moves, has_move

CHECKED, IGNORE, FORFEIT = 0, 1, 2  # policies for illegal moves: checked before, ignored, lose the game
NEVER, NEXT_STEP, SAME_STEP = 0, 1, 2  # times of a new game after a finished one
UNKNOWN = -1 << 15  # score of a position that is not in the table
WORD_BITS = 64
CHUNK = 56  # bits of a long row that are written together: whole bytes, fewer than a word
BLOCK = 256  # games stepped before new ones begin


class Games(NamedTuple):
    """A batch of games. Arrays have an item or a row for each game, unless stated otherwise."""

    moves: int  # upper bound of the moves
    deal_count: int
    dealt: Ints  # the options of each deal, in rows
    starts: Ints  # the first position of each deal, in rows
    openings: Ints  # the mask of the legal moves in it; 0 as in ``masks``
    deals: Ints  # index of the game's deal
    fields: Ints  # the current position, in rows
    masks: Ints  # mask of the legal moves; 0: unknown, too many, or the game has ended
    states: Words  # random states
    turns: Bytes  # the player to move: 1 or 2
    over: Bytes  # 1: the game has ended
    began: Ints  # the clock when the game began
    movers: Bytes  # the player to move before the last step
    finals: Ints  # last position of the previous game, in rows
    waiting: Ints  # scratch memory: finished games that wait for new ones


class StepResults(NamedTuple):
    """The results of a step."""

    rewards: Bytes  # 1, 0 or -1 for the player who moved
    ended: Bytes  # 1: the game ended in this step
    refused: Bytes  # 1: the move was not allowed


class ScoreArrays(NamedTuple):
    """Scores of the positions of all deals, deal by deal."""

    keys: Ints  # packed positions, in ascending order for each deal
    scores: Shorts
    begins: Ints  # the first key of each deal
    ends: Ints
    radix: Ints  # the bounds of the fields of a position


class Rows(NamedTuple):
    """Functions that read and write tuples in rows of an array."""

    read_options: Any  # (rows, place) -> options
    read_position: Any
    write_position: Any  # (rows, place, position)
    pack_position: Any  # (radix, position) -> key
    position_bits: Any  # (offsets, position) -> at most 64 bits, each field from its offset on
    chunk_of_bits: Any  # (offsets, position, first) -> the next CHUNK bits, beginning with ``first``


# Primitives, which have hand-written C.


def read_state(states: Words, place: int) -> Word:
    """Return a random state."""
    return Word(int(states[place]))


def write_bits(out: Bytes, place: int, width: int, bits: int) -> None:
    """Write up to 64 bits, each to its own item."""
    for bit in range(width):
        out[place + bit] = bits >> bit & 1


def plain_rows(options: Any, position: Any) -> Rows:
    """Return functions for rows of these types in pure Python."""
    options_size, size = len(options._fields), len(position._fields)

    def read_options(rows: Any, place: int) -> Any:
        return options(*map(int, rows[place * options_size : (place + 1) * options_size]))

    def read_position(rows: Any, place: int) -> Any:
        return position(*map(int, rows[place * size : (place + 1) * size]))

    def write_position(rows: Any, place: int, values: Any) -> None:
        rows[place * size : (place + 1) * size] = values

    def pack_position(radix: Any, values: Any) -> int:
        key = 0
        for value, bound in zip(values, radix, strict=True):
            key = key * int(bound) + value
        return key

    def position_bits(offsets: Any, values: Any) -> int:
        return sum(value << offset for value, offset in zip(values, offsets, strict=True))

    def chunk_of_bits(offsets: Any, values: Any, first: int) -> int:
        return position_bits(offsets, values) >> first & (1 << CHUNK) - 1

    return Rows(read_options, read_position, write_position, pack_position, position_bits, chunk_of_bits)


# Functions that do not depend on the rules.


def chunk_of_moves(legal: Moves, first: int, count: int) -> int:
    """Return the legal moves among ``count`` from ``first`` on, as bits."""
    if legal.mask:
        return legal.mask >> first & (1 << count) - 1
    low = min(max(legal.low - first, 0), count)
    end = min(max(legal.high + 1 - first, low), count)
    return (1 << end) - (1 << low)


def find_score(table: ScoreArrays, deal: int, key: int) -> int:
    """Return the score of a packed position; UNKNOWN if it is not in the table."""
    low = table.begins[deal]
    end = table.ends[deal]
    high = end
    while low < high:
        middle = (low + high) // 2
        if table.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < end and table.keys[low] == key:
        return int(table.scores[low])
    return UNKNOWN


# Kernels for the rules of a game.


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


def make_lockstep(rules: RuleFunctions, rows: Rows) -> Lockstep:
    """Return the kernels of a game with these rules."""
    begin_game = _make_begin(rows)
    masks, packed_masks = _make_masks(rules, rows)
    random_moves, perfect_moves = _make_choices(rules, rows)
    return Lockstep(
        first_wrong=_make_check(rules, rows),
        step=_make_step(rules, rows, begin_game),
        reply=_make_reply(rules, rows),
        masks=masks,
        packed_masks=packed_masks,
        random_moves=random_moves,
        perfect_moves=perfect_moves,
        scores=_make_scores(rules, rows),
        restart=_make_restart(rows, begin_game),
        observe=_make_observe(rows),
    )


def _make_legal(rules: RuleFunctions, rows: Rows) -> Any:
    moves = rules.moves
    read_options, read_position = rows.read_options, rows.read_position

    def legal_moves(games: Games, game: int) -> Moves:
        """Return the legal moves of a game; the pass if it is over."""
        if games.masks[game]:
            return Moves(int(games.masks[game]), 1, 0)
        if games.over[game]:
            return Moves(0, PASS, PASS)
        options = read_options(games.dealt, games.deals[game])
        legal: Moves = moves(options, read_position(games.fields, game))
        return legal

    return legal_moves


def _make_check(rules: RuleFunctions, rows: Rows) -> Any:
    legal_moves = _make_legal(rules, rows)

    def first_wrong(games: Games, wanted: Ints, begin: int, end: int) -> int:
        """Return the first unfinished game in which the wanted move is not allowed."""
        for game in range(begin, end):
            move = int(wanted[game])
            allowed = 0 <= move < games.moves and has_move(legal_moves(games, game), move)
            if not allowed and not games.over[game]:
                return game
        return -1

    return first_wrong


def _make_begin(rows: Rows) -> Any:
    read_position, write_position = rows.read_position, rows.write_position

    def begin_game(games: Games, game: int, clock: int) -> None:
        """Begin a new game. If there are several deals, its random numbers choose one."""
        if games.deal_count > 1:
            state = next_state(read_state(games.states, game))
            games.states[game] = state
            games.deals[game] = draw_below(state, games.deal_count)
        deal = int(games.deals[game])
        write_position(games.fields, game, read_position(games.starts, deal))
        games.masks[game] = games.openings[deal]
        games.turns[game] = 1
        games.over[game] = False
        games.began[game] = clock

    return begin_game


def _make_step(rules: RuleFunctions, rows: Rows, begin_game: Any) -> Any:
    moves, play, result = rules.moves, rules.play, rules.result
    read_options, read_position, write_position = rows[:3]
    legal_moves = _make_legal(rules, rows)

    def step(
        games: Games, wanted: Ints, policy: int, renewal: int, clock: int, results: StepResults, begin: int, end: int
    ) -> int:
        """Play the wanted moves with a ``policy`` for illegal ones and a ``renewal`` for finished games."""
        options = read_options(games.dealt, 0)
        for game in range(begin, end):
            games.movers[game] = games.turns[game]
        for game in range(begin, end):
            results.refused[game] = False
        first = begin
        while first < end:
            waiting = begin  # a list of finished games is faster than an unpredictable branch
            for game in range(first, min(first + BLOCK, end)):
                reward, ended, mask = 0, False, 0
                if games.over[game]:
                    if renewal != NEVER:
                        begin_game(games, game, clock)
                else:
                    if games.deal_count > 1:
                        options = read_options(games.dealt, games.deals[game])
                    position = read_position(games.fields, game)
                    move = int(wanted[game])
                    if policy == CHECKED or (0 <= move < games.moves and has_move(legal_moves(games, game), move)):
                        position = play(options, position, move)
                        write_position(games.fields, game, position)
                        games.turns[game] = 3 - games.turns[game]
                        outcome = result(options, position)
                        reward = (outcome == MOVER_LOSES) - (outcome == MOVER_WINS)  # for the player who moved
                        ended = outcome != ONGOING
                        mask = 0 if ended else moves(options, position).mask
                    else:
                        results.refused[game] = True
                        if policy == FORFEIT:
                            reward = -1
                            ended = True
                        else:
                            mask = int(games.masks[game])
                    games.masks[game] = mask
                    games.over[game] = ended
                results.rewards[game] = reward
                results.ended[game] = ended
                if renewal == SAME_STEP:
                    games.waiting[waiting] = game
                    waiting += ended
            if renewal == SAME_STEP:
                for place in range(begin, waiting):
                    game = int(games.waiting[place])
                    write_position(games.finals, game, read_position(games.fields, game))
                    begin_game(games, game, clock)
            first += BLOCK
        return -1

    return step


def _make_restart(rows: Rows, begin_game: Any) -> Any:
    read_position, write_position = rows.read_position, rows.write_position

    def restart(games: Games, which: Bytes, clock: int, begin: int, end: int) -> int:
        """Begin a new game wherever ``which`` is 1."""
        for game in range(begin, end):
            if which[game]:
                write_position(games.finals, game, read_position(games.fields, game))
                begin_game(games, game, clock)
        return -1

    return restart


def _make_reply(rules: RuleFunctions, rows: Rows) -> Any:
    moves, play, result = rules.moves, rules.play, rules.result
    read_options, read_position, write_position = rows[:3]

    def reply(games: Games, players: Bytes, replies: Ints, results: StepResults, begin: int, end: int) -> int:
        """Play the opponent's moves in games in which these players are not to move."""
        for game in range(begin, end):
            if not games.over[game] and games.turns[game] != players[game]:
                options = read_options(games.dealt, games.deals[game])
                position = play(options, read_position(games.fields, game), int(replies[game]))
                write_position(games.fields, game, position)
                games.turns[game] = players[game]
                outcome = result(options, position)
                games.masks[game] = moves(options, position).mask if outcome == ONGOING else 0
                if outcome != ONGOING:
                    results.rewards[game] = (outcome == MOVER_WINS) - (outcome == MOVER_LOSES)
                    results.ended[game] = True
                    games.over[game] = True
        return -1

    return reply


def _make_masks(rules: RuleFunctions, rows: Rows) -> tuple[Any, ...]:
    legal_moves = _make_legal(rules, rows)

    def masks(games: Games, out: Bytes, begin: int, end: int) -> int:
        """Write 1 for each legal move and 0 for the others, a row for each game."""
        width = games.moves
        for game in range(begin, end):
            row = game * width
            legal = legal_moves(games, game)
            if legal.mask:
                write_bits(out, row, width, legal.mask)
            else:
                first = 0
                while first < width:
                    count = min(CHUNK, width - first)
                    write_bits(out, row + first, count, chunk_of_moves(legal, first, count))
                    first += CHUNK
        return -1

    def packed_masks(games: Games, out: Octets, begin: int, end: int) -> int:
        """Write the masks with eight moves in each number, the first in its lowest bit."""
        width = (games.moves + 7) // 8
        for game in range(begin, end):
            legal = legal_moves(games, game)
            for place in range(width):
                out[game * width + place] = chunk_of_moves(legal, 8 * place, 8)
        return -1

    return masks, packed_masks


def _make_choices(rules: RuleFunctions, rows: Rows) -> tuple[Any, ...]:
    moves, play, result, canonical = rules.moves, rules.play, rules.result, rules.canonical
    read_options, read_position, pack_position = rows.read_options, rows.read_position, rows.pack_position
    legal_moves = _make_legal(rules, rows)

    def random_moves(games: Games, states: Words, players: Bytes, out: Ints, begin: int, end: int) -> int:
        """Draw a legal move for each game, all equally likely, with the random ``states``.

        PASS in finished games and in those in which one of these players is to move.
        """
        for game in range(begin, end):
            move = PASS
            if not games.over[game] and games.turns[game] != players[game]:
                legal = legal_moves(games, game)
                state = next_state(read_state(states, game))
                states[game] = state
                move = nth_move(legal, draw_below(state, count_moves(legal)))
            out[game] = move
        return -1

    def perfect_moves(
        games: Games, states: Words, players: Bytes, table: ScoreArrays, out: Ints, begin: int, end: int
    ) -> int:
        """Draw a move of the highest score for each game, all such moves equally likely.

        PASS in finished games and in those in which one of these players is to move. Returns the first game whose moves
        are not in the table.
        """
        for game in range(begin, end):
            chosen = PASS
            if not games.over[game] and games.turns[game] != players[game]:
                deal = int(games.deals[game])
                options = read_options(games.dealt, deal)
                position = read_position(games.fields, game)
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
                        score = find_score(table, deal, pack_position(table.radix, canonical(options, child)))
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


def _make_scores(rules: RuleFunctions, rows: Rows) -> Any:
    result, canonical = rules.result, rules.canonical
    read_options, read_position, pack_position = rows.read_options, rows.read_position, rows.pack_position

    def scores(games: Games, table: ScoreArrays, values: Bytes, plies: Shorts, begin: int, end: int) -> int:
        """Write the value of each position to the player to move, and the plies to the end; -1 for a draw.

        Returns the first game whose position is not in the table.
        """
        for game in range(begin, end):
            deal = int(games.deals[game])
            options = read_options(games.dealt, deal)
            position = read_position(games.fields, game)
            outcome = result(options, position)
            if outcome != ONGOING:
                score = finished_score(outcome)
            else:
                score = find_score(table, deal, pack_position(table.radix, canonical(options, position)))
                if score == UNKNOWN:
                    return game
            values[game] = sign(score)
            plies[game] = TOP - abs(score) if score else -1
        return -1

    return scores


def _make_observe(rows: Rows) -> Any:
    read_position, position_bits, chunk_of_bits = rows.read_position, rows.position_bits, rows.chunk_of_bits

    def observe(fields: Ints, offsets: Ints, width: int, out: Bytes, begin: int, end: int) -> int:
        """Write the bits of every position, each field from its offset on, in rows of ``width``."""
        shifts = read_position(offsets, 0)
        for game in range(begin, end):
            row = game * width
            position = read_position(fields, game)
            if width <= WORD_BITS:
                write_bits(out, row, width, position_bits(shifts, position))
            else:
                first = 0
                while first < width:
                    write_bits(out, row + first, min(CHUNK, width - first), chunk_of_bits(shifts, position, first))
                    first += CHUNK
        return -1

    return observe
