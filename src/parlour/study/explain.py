"""What is known about a game under its options, in words a player understands.

Everything is exact but what is said to be a sample: how players fare who pick their moves at random, and where chance
has a part, which deals were looked at. A sample comes from a seed and is the same each time.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from parlour.arguments import seed_text, whole_number
from parlour.batch import random_game
from parlour.errors import BadOptions, TooBig
from parlour.game import MOVER_LOSES, NO_CAP, REMARKS, Game, Move, P
from parlour.limit import Limit, check_seconds, limit_of, limit_within
from parlour.options import O, OptionValue, flag, left_to_chance, options_in_words, show_options
from parlour.rules import Rules, read_rules
from parlour.score import Score, Value
from parlour.solver import Analysis, Choice, Solver
from parlour.study.words import Line, drawn_round, in_per_cent, moves_in_words
from parlour.subject import rules_from
from parlour.text import counted, sentence
from parlour.view import spell
from parlour.writer import about, document, hidden, written

QUESTION_SECONDS = 30.0  # that one question may take
SAMPLE_QUESTIONS = 4  # as many times that much for all questions about a sample together
SAMPLE_GAMES = 30  # random games that are looked at
SAMPLE_DEALS = 300  # deals that are looked at, where something is dealt
MOST_GROUPS = 8  # of first moves, by value and distance; more are put together by value
MOST_FOLLOWED = 200_000  # moves that are followed to list the lost positions

VERBS = {Value.WIN: "win", Value.DRAW: "draw", Value.LOSS: "lose"}


class Opening(NamedTuple):
    """The first position with a choice, and what its moves are worth."""

    forced: list[int]  # moves without a choice before it
    found: Analysis  # no choices: there is never a choice


class RandomGames(NamedTuple):
    """What happened when both players picked at random."""

    lengths: list[int]  # plies of each game
    graded: int  # games whose decisions could be graded: the first so many
    decisions: int  # in these: turns with more than one move, in a position not lost and not settled
    critical: int  # of these decisions: some move would have thrown value away
    errors: int  # of the critical ones: the move picked did


class Deals(NamedTuple):
    """What the first round is worth for the player who begins it, over a sample of deals."""

    deals: int
    settled: int  # nobody can win, whatever is played
    values: dict[Value, int]  # of the others
    unsolved: int = 0  # not within the limit


@document
class ExplanationPart:
    """One part of an explanation.

    >>> import parlour
    >>> [part.title for part in parlour.explain("double-up", limit=30).parts[:3]]
    ['Double Up: up to 30', 'Who wins', 'First moves']
    """

    title: str = about("the topic")
    text: list[str] = about("the paragraphs")


@document
class Explanation:
    """An explanation of a game under its options; ``str`` returns it as text.

    >>> import parlour
    >>> explanation = parlour.explain("double-up", limit=30)
    >>> explanation.parts[0].title
    'Double Up: up to 30'
    """

    @property
    @written
    def game(self) -> Game:
        """the name of the game"""
        return self.rules.game

    rules: Rules[Any, Any] = about("the options; a value that is still to be dealt is empty", name="options")
    parts: list[ExplanationPart] = about("the parts of the explanation, from who wins to other facts")
    lines: list[Line] = hidden()  # the same, line by line

    def __repr__(self) -> str:
        return f"<Explanation of {self.rules.title}>"

    def __str__(self) -> str:
        return "\n".join(self.text)

    @property
    def text(self) -> list[str]:
        """The explanation in words, line by line; JSON has it in parts."""
        return [line.text for line in self.lines]


def explanation_of(rules: Rules[Any, Any], lines: Iterable[Line]) -> Explanation:
    """Return an explanation from its lines; a strong line begins a part."""
    parts, lines = list[ExplanationPart](), list(lines)
    for line in lines:
        if line.strong or not parts:
            parts.append(ExplanationPart(title=line.text if line.strong else "", text=[]))
        if line.text and not line.strong:
            parts[-1].text.append(line.text)
    return Explanation(rules=rules, parts=parts, lines=lines)


def explain(
    game: str | Game[O, P] | Rules[O, P],
    limit: Limit | None = None,
    /,
    *,
    seed: int | str = "1",
    seconds: float | None = QUESTION_SECONDS,
    games: int = SAMPLE_GAMES,
    deals: int = SAMPLE_DEALS,
    **options: OptionValue,
) -> Explanation:
    """Return all that is known about a game: who wins, how soon, and which decisions matter.

    A game and its options are as in ``new_match``. ``seconds`` bounds one question, the limit all of them. Answers that
    take longer are said to be unknown. ``seed`` decides the sample of random ``games`` and of ``deals``.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: these options make no game.
        BadArgument: ``games`` or ``deals`` is not a whole number of at least 1, or the seed is not a text or number.
        ParlourError: ``seconds`` is not a number, or negative.

    >>> import parlour
    >>> print(parlour.explain("double-up", limit=30))
    Double Up: up to 30
    ...
    """
    rules, within, seed = rules_from(game, options), limit_within(limit), seed_text(seed)
    seconds, games = check_seconds(seconds), whole_number("games", games, 1)
    lines = explain_lines(rules, within, seed=seed, seconds=seconds, games=games, deals=whole_number("deals", deals, 1))
    return explanation_of(rules, lines)


def explain_lines(
    rules: Rules[O, P],
    limit: Limit | None = None,
    *,
    seed: str = "1",
    seconds: float = QUESTION_SECONDS,
    games: int = SAMPLE_GAMES,
    deals: int = SAMPLE_DEALS,
) -> Iterator[Line]:
    """Yield the lines of an explanation as they are found out; the arguments are those of ``explain``."""
    return _explain(rules, limit_of(limit), seed, seconds, games, deals)


def _explain(rules: Rules[O, P], limit: Limit, seed: str, seconds: float, games: int, deals: int) -> Iterator[Line]:
    chosen = options_in_words(rules.options)
    yield Line(rules.game.title + (f": {chosen}" if chosen else ""), True)
    yield Line(rules.summary)
    yield Line("")
    yield Line("Who wins", True)
    texts = rules.option_texts
    undealt = [flag(name) for name in left_to_chance(rules.game.options) if not texts[name]]
    dealt = _sample_deals(rules, deals, seed) if undealt else [rules]
    try:
        solvers = [Solver(each) for each in dealt]
    except TooBig as error:
        yield from _endless(rules) if rules.bounds is None else [Line(f"Nobody knows yet: {error}.")]
    else:
        if undealt:
            yield from _explain_deals(rules, undealt, solvers, limit, seconds, seed, games)
        else:
            yield from _explain_solved(solvers[0], limit, seconds, seed, games)
    yield from _good_to_know(rules.game)


# A game that is given in full.


def _explain_solved(solver: Solver[O, P], limit: Limit, seconds: float, seed: str, games: int) -> Iterator[Line]:
    rules = solver.rules
    if rules.settled(rules.start):
        yield Line(f"Nobody can win this {_game_or_round(rules)}, whatever is played.")
        if rules.max_rounds is not None:
            yield Line(drawn_round(rules))
        return
    value, opening = None, None
    with suppress(TooBig):
        value = solver.value(rules.start, limit.part(seconds))
        opening = find_opening(solver, limit.part(seconds))  # first, because it makes the distance of the start cheap
    yield from _who_wins(solver, value, limit.part(seconds))
    yield Line("")
    yield from _first_moves(rules, opening)
    yield Line("")
    yield from _random_games(play_at_random([solver], games, seed, limit.part(seconds * SAMPLE_QUESTIONS)), seed)
    if rules.game.search.theory is not None:
        yield Line("")
        yield from _secret(solver, limit.part(seconds))


def _game_or_round(rules: Rules[O, P]) -> str:
    return "round" if rules.max_rounds is not None else "game"


def _who_wins(solver: Solver[O, P], value: Value | None, limit: Limit) -> Iterator[Line]:
    """``value`` is that of the start; None: not known."""
    rules, what = solver.rules, _game_or_round(solver.rules)
    if value is None:
        yield Line(f"Nobody knows yet: the {what} is too big to solve in this time, and Parlour does not guess.")
        yield Line("Try smaller options or more --seconds.")
        return
    score, line = Score(value), list[Move]()
    with suppress(TooBig):
        score = solver.score(rules.start, limit)
        line = solver.line(rules.start, limit)
    if score.value is Value.DRAW:
        yield Line(f"Nobody, with best play: the {what} is a draw.")
    else:
        winner = "whoever begins" if score.value is Value.WIN else "the second player"
        soon = "; there was no time to find out how soon"
        if score.plies is not None:
            soon = f" in {counted(score.plies, 'move')}, counting both players'"
        yield Line(f"With best play {winner} wins{soon}.")
    if line:
        yield Line(f"One line of best play: {' '.join(rules.names(line))}")
    if rules.max_rounds is not None and score.value is Value.DRAW:
        yield Line(drawn_round(rules))


def find_opening(solver: Solver[O, P], limit: Limit | None = None) -> Opening:
    """The first position that offers a choice, after the moves that are forced; TooBig if its moves are."""
    rules, forced = solver.rules, list[int]()
    position = rules.start
    while rules.count_legal(position) == 1:
        forced.append(rules.legal(position)[0])
        position = rules.after(position, forced[-1])
    return Opening(forced, solver.analyse(position, limit))


def _first_moves(rules: Rules[O, P], opening: Opening | None) -> Iterator[Line]:
    yield Line("First moves", True)
    if opening is None:
        yield Line("There was no time to find out what each of them is worth.")
        return
    choices = opening.found.choices
    if not choices:
        yield Line("There is never a choice: every move of the game is forced.")
        return
    if opening.forced:
        names = " ".join(rules.names(opening.forced))
        one = len(opening.forced) == 1
        begins = f"The first {'move is' if one else f'{len(opening.forced)} moves are'} forced: {names}. "
        yield Line(begins + f"After {'it' if one else 'them'} the next player has {counted(len(choices), 'move')}:")
    else:
        yield Line(f"The {counted(len(choices), 'first move')}, by what they are worth:")
    for text, moves in group_moves(choices):
        yield Line(f"- {text}: {moves_in_words(rules, moves)}")
    wrong = len(choices) - len(opening.found.keeping)
    if opening.found.score.value is Value.LOSS:
        yield Line("So nothing can go wrong yet: they all lose.")
    elif wrong == 0:
        yield Line("So nothing can go wrong yet: a player who picks at random is as well off as any other.")
    else:
        often = f"{_times(wrong)} out of {len(choices):,} ({in_per_cent(wrong, len(choices))})"
        yield Line(f"So a player who picks the first move at random goes wrong {often}.")


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def group_moves(choices: Sequence[Choice]) -> list[tuple[str, list[int]]]:
    """The moves by value, the best first, and by distance as long as that does not make too many groups.

    Each group comes with what its moves do: ``win in 7 moves``, ``draw``, ``lose in 2 to 10 moves``.
    """
    ordered = sorted(choices, key=lambda choice: choice.score, reverse=True)
    groups = [list(group) for _, group in groupby(ordered, key=lambda choice: choice.score)]
    if len(groups) > MOST_GROUPS:
        groups = [list(group) for _, group in groupby(ordered, key=lambda choice: choice.value)]
    return [(_group_in_words(group), sorted(choice.move for choice in group)) for group in groups]


def _group_in_words(group: Sequence[Choice]) -> str:
    verb, distances = VERBS[group[0].value], sorted({choice.plies for choice in group if choice.plies is not None})
    if not distances:
        return verb
    if len(distances) == 1:
        return f"{verb} in {counted(distances[0], 'move')}"
    return f"{verb} in {distances[0]} to {counted(distances[-1], 'move')}"


# Players who pick at random.


def play_at_random(solvers: Sequence[Solver[O, P]], games: int, seed: str, limit: Limit | None = None) -> RandomGames:
    """Let two players pick at random, one game after the other, under the rules of each solver in turn.

    The games are graded one after the other as long as the limit allows; none is graded in part.
    """
    limit = limit_of(limit)
    random, lengths, graded = Random(f"{seed} explain"), list[int](), 0
    decisions = critical = errors = 0
    for number in range(games):
        solver = solvers[number % len(solvers)]
        played = list(random_game(solver.rules, solver.rules.start, random))
        lengths.append(len(played) - 1)
        if graded == number:  # no game before was too big
            with suppress(TooBig):
                found = _count_errors(solver, played, limit)
                graded += 1
                decisions, critical, errors = decisions + found[0], critical + found[1], errors + found[2]
    return RandomGames(lengths, graded, decisions, critical, errors)


def _count_errors(solver: Solver[O, P], played: Sequence[tuple[P, int | None]], limit: Limit) -> tuple[int, int, int]:
    """The real decisions of a game, how many of them were critical, and how many were wrong; TooBig if not in time.

    What was played are its positions and the move made at each.
    """
    rules = solver.rules
    decisions = critical = errors = 0
    for position, move in played:
        if move is None or rules.count_legal(position) == 1 or rules.settled(position):
            continue
        limit.check()
        question = limit.part()
        score = Score(solver.value(position, question))
        if score.value is Value.LOSS:
            continue
        wrong = not solver.keeps(position, move, score, question)
        decisions += 1
        errors += wrong
        critical += wrong or not all(solver.keeps(position, other, score, question) for other in rules.legal(position))
    return decisions, critical, errors


def _random_games(found: RandomGames, seed: str) -> Iterator[Line]:
    yield Line("How easily it goes wrong", True)
    games, partly = len(found.lengths), 0 < found.graded < len(found.lengths)
    number = f"{found.graded:,} of {counted(games, 'game')}" if partly else counted(games, "game")
    missing = "; there was no time to grade the others" if partly else ""
    sample = f"In {number} between two players who pick at random (a sample, seed {seed}{missing})"
    if not found.graded:
        yield Line(f"{sample}, not every position could be solved in this time, so their mistakes are not counted.")
    elif not found.decisions:
        yield Line(
            f"{sample}, there was nothing to decide: only forced moves, and positions that were lost already "
            "or that nobody could win."
        )
    elif not found.critical:
        choices = counted(found.decisions, "choice")
        yield Line(f"{sample}, there {'was' if found.decisions == 1 else 'were'} {choices}, and no way to go wrong.")
    else:
        yield Line(
            f"{sample}, {found.critical:,} of {counted(found.decisions, 'choice')} "
            f"({in_per_cent(found.critical, found.decisions)}) could go wrong: some move would have thrown away a win "
            f"or a draw. The players did so {_times(found.errors)} ({in_per_cent(found.errors, found.critical)})."
        )
    least, most = min(found.lengths), max(found.lengths)
    average = sum(found.lengths) / games
    those = f"All {games:,}" if partly else "Those"
    yield Line(
        f"{those} games took {counted(least, 'move')} each." if least == most
        else f"{those} games took {least} to {counted(most, 'move')}, {average:.1f} on average."
    )  # fmt: skip


# The secret.


def _secret(solver: Solver[O, P], limit: Limit) -> Iterator[Line]:
    rules = solver.rules
    words = inspect.getdoc(rules.game.search.theory) or ""
    yield Line("The secret", True)
    yield Line(sentence(" ".join(words.split("\n\n")[0].split()).removeprefix("The secret: ")))
    lost = lost_positions(rules)
    if lost is not None:
        yield Line(f"Whoever has to move from one of these loses: {spell(lost)}")
    elif len(rules.start) == 1:  # too many to look at each: at least those that best play visits
        visited = [rules.start]
        for move in solver.line(rules.start, limit):
            visited.append(rules.after(visited[-1], move))
        found = [position[0] for position in visited if solver.value(position, limit) is Value.LOSS]
        yield Line(f"Best play visits these, and whoever has to move from one of them loses: {spell(found)}")


def lost_positions(rules: Rules[O, P]) -> list[int] | None:
    """All positions that are lost for the player to move, where a theory knows them and a position is one number.

    None where there is no theory, where positions are more than a number, or where there are too many.
    """
    theory, start = rules.game.search.theory, rules.start
    if theory is None or len(start) != 1:
        return None
    found, ahead, followed = {start}, [start], 0
    while ahead:
        position = ahead.pop()
        followed += rules.count_legal(position)
        if followed > MOST_FOLLOWED:
            return None
        following = {rules.after(position, move) for move in rules.legal(position)} - found
        found |= following
        ahead += following
    return sorted(position[0] for position in found if theory(rules.packed, position)[0] == MOVER_LOSES)


# Where chance has a part.


def _sample_deals(rules: Rules[O, P], deals: int, seed: str) -> list[Rules[O, P]]:
    game = rules.game
    chances = (Random(f"{seed} deal {number}") for number in range(1, deals + 1))
    return [Rules(game, game.rounds.deal(rules.packed, 1, chance)) for chance in chances]


def look_at_deals(solvers: Sequence[Solver[O, P]], limit: Limit | None = None) -> Deals:
    """What the rounds of these solvers are worth for the player who begins each."""
    limit = limit_of(limit)
    values, settled, unsolved = Counter[Value](), 0, 0
    for solver in solvers:
        if solver.rules.settled(solver.rules.start):
            settled += 1
            continue
        try:
            values[solver.value(solver.rules.start, limit.part())] += 1
        except TooBig:
            unsolved += 1
    return Deals(len(solvers), settled, {value: values[value] for value in Value}, unsolved)


def _explain_deals(
    rules: Rules[O, P],
    undealt: Sequence[str],
    solvers: Sequence[Solver[O, P]],
    limit: Limit,
    seconds: float,
    seed: str,
    games: int,
) -> Iterator[Line]:
    """``undealt`` are the options that a deal settles, and each solver knows one deal."""
    what, deals = " and ".join(undealt), len(solvers)
    yield Line(f"That depends on the {what}, which is dealt. Of {counted(deals, 'deal')} (a sample, seed {seed}):")
    found = look_at_deals(solvers, limit.part(seconds * SAMPLE_QUESTIONS))
    told = {
        "nobody can win the round, whatever is played": found.settled,
        "with best play the round is a draw": found.values[Value.DRAW],
        "the player who begins the round wins it": found.values[Value.WIN],
        "the other player wins it": found.values[Value.LOSS],
    }
    if found.unsolved:
        told["there was no time to find out"] = found.unsolved
    for text, number in told.items():
        yield Line(f"- {number:,} ({in_per_cent(number, deals)}): {text}")
    yield from _match_of_rounds(rules, found)
    yield Line("")
    sample = play_at_random(solvers, max(games, deals), seed, limit.part(seconds * SAMPLE_QUESTIONS))
    yield from _random_games(sample, seed)
    yield Line(f"To ask about one {what}, name it with --{undealt[0]}")


def _match_of_rounds(rules: Rules[O, P], found: Deals) -> Iterator[Line]:
    """What the rounds mean for the match."""
    if rules.max_rounds is None:
        return
    yield Line(drawn_round(rules))
    if found.unsolved:
        return
    win, loss = found.values[Value.WIN] / found.deals, found.values[Value.LOSS] / found.deals
    if not win + loss:
        yield Line(
            "Between players who make no mistake, none of these rounds would have decided the match"
            + (": it goes on until somebody makes one." if rules.max_rounds == NO_CAP else ".")
        )
        return
    if rules.max_rounds == NO_CAP:
        about = f"So between players who make no mistake, a match takes about {1 / (win + loss):.1f} rounds"
        # The player who begins a round wins the match with chance v = win + draw * (1 - v).
        begins = (1 - loss) / (2 - win - loss)
        yield Line(
            f"{about}, and the player who begins the first of them wins about {100 * begins:.0f} matches in 100."
        )


# A game without an end.


def _endless(rules: Rules[O, P]) -> Iterator[Line]:
    yield Line(
        "Nobody can say, because with these options a game need not end. A position is worth what the end of the "
        "game makes of it; where play can go on for ever, there is no end to work back from."
    )
    game, flags = rules.game, list[str]()
    chosen = {name: text for name, text in rules.option_texts.items() if text}
    for name, text in show_options(game.defaults).items():
        with suppress(BadOptions):
            if read_rules(game, {**chosen, name: text}).bounds is not None:
                flags.append(f"--{flag(name)} {text}")
    if flags:
        yield Line(f"To have an end, give {' or '.join(flags)}")


def _good_to_know(game: Game[O, P]) -> Iterator[Line]:
    """What the rules say at their end: errata, and what is worth knowing."""
    _, heading, rest = game.content.rules_text.partition(f"\n{REMARKS}\n")
    if heading:
        yield Line("")
        yield Line(REMARKS, True)
        items: list[str] = []
        for line in rest.strip().splitlines():
            if line.startswith("- ") or not items:
                items.append(line)
            else:
                items[-1] += " " + line.strip()
        yield from (Line(item) for item in items)
