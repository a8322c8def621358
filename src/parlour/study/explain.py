"""Explanations of a game under its options, in a player's words.

Everything is exact except the samples, which are labelled: games between players who move at random, and deals. The
seed determines each sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from parlour.arguments import seed_text, whole_number
from parlour.batch import random_game
from parlour.errors import BadOptions, TooBig
from parlour.fields import about, document, hidden, written
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

QUESTION_SECONDS = 30.0  # time limit of one question
SAMPLE_QUESTIONS = 4  # time limit of a sample, in time limits of a question
SAMPLE_GAMES = 30  # random games in a sample
SAMPLE_DEALS = 300  # deals in a sample
MAX_GROUPS = 8  # groups of first moves by value and distance; more are merged by value
MAX_EXAMINED_MOVES = 200_000  # for the list of lost positions

VERBS = {Value.WIN: "win", Value.DRAW: "draw", Value.LOSS: "lose"}


class Opening(NamedTuple):
    """The first position with a choice, and the values of its moves."""

    forced: list[int]  # forced moves before it
    found: Analysis  # its moves; empty if every move of the game is forced


class RandomGames(NamedTuple):
    """Statistics of games between players who move at random."""

    lengths: list[int]  # plies of each game
    graded: int  # number of graded games, always the first ones
    decisions: int  # turns of graded games with several moves, in positions neither lost nor settled
    critical: int  # decisions where some move would have thrown value away
    errors: int  # decisions that threw value away


class Deals(NamedTuple):
    """Values of the first round for the player who begins it, over a sample of deals."""

    deals: int
    settled: int  # deals that neither player can win
    values: dict[Value, int]  # number of the other deals by value
    unsolved: int = 0  # deals not solved within the limit


@document
class ExplanationPart:
    """One part of an explanation.

    >>> import parlour
    >>> [part.title for part in parlour.explain("double-up", limit=30).parts[1:4]]
    ['Who wins', 'First moves', 'How easily it goes wrong']
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
    lines: list[Line] = hidden()  # the whole text, line by line

    def __repr__(self) -> str:
        return f"<Explanation of {self.rules.title}>"

    def __str__(self) -> str:
        return "\n".join(self.text)

    @property
    def text(self) -> list[str]:
        """The explanation as text, line by line; JSON has it in parts."""
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
    """Return an explanation of a game: who wins, how soon, and which decisions matter.

    A game and its options are as in ``new_match``. ``seconds`` limits one question, the limit all of them. Answers that
    take longer are reported as unknown. ``seed`` decides the sample of random ``games`` and of ``deals``.

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
    limit: Limit,
    *,
    seed: str,
    seconds: float,
    games: int = SAMPLE_GAMES,
    deals: int = SAMPLE_DEALS,
) -> Iterator[Line]:
    """Yield the lines of an explanation as they are found; the arguments are those of ``explain``."""
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
        yield from _endless(rules) if rules.bounds is None else [Line(f"Unknown: {error}.")]
    else:
        if undealt:
            yield from _explain_deals(rules, undealt, solvers, limit, seconds, seed, games)
        else:
            yield from _explain_solved(solvers[0], limit, seconds, seed, games)
    yield from _remarks(rules.game)


# A game without a deal.


def _explain_solved(solver: Solver[O, P], limit: Limit, seconds: float, seed: str, games: int) -> Iterator[Line]:
    rules = solver.rules
    if rules.settled(rules.start):
        if rules.max_rounds is None:
            yield Line("Neither player can win this game.")
        else:
            yield from (Line("Neither player can win this round."), Line(drawn_round(rules)))
        return
    value, opening = None, None
    with suppress(TooBig):
        value = solver.value(rules.start, limit.part(seconds))
        opening = find_opening(solver, limit.part(seconds))  # makes the distance of the start cheap
    yield from _who_wins(solver, value, limit.part(seconds))
    yield Line("")
    yield from _first_moves(rules, opening)
    yield Line("")
    yield from _random_games(play_at_random([solver], games, seed, limit.part(seconds * SAMPLE_QUESTIONS)), seed)
    if rules.game.search.theory is not None:
        yield Line("")
        yield from _secret(solver, limit.part(seconds))


def _who_wins(solver: Solver[O, P], value: Value | None, limit: Limit) -> Iterator[Line]:
    """Yield the winner with best play; ``value`` is that of the start, None if it is unknown."""
    rules = solver.rules
    what = "game" if rules.max_rounds is None else "round"
    if value is None:
        yield Line(f"Unknown: the {what} is too big to solve in this time.")
        yield Line("Try smaller options or more --seconds.")
        return
    score, line = Score(value), list[Move]()
    with suppress(TooBig):
        score = solver.score(rules.start, limit)
        line = solver.line(rules.start, limit)
    if score.value is Value.DRAW:
        yield Line(f"With best play the {what} is a draw.")
    else:
        winner = "the first player" if score.value is Value.WIN else "the second player"
        soon = "; there was no time to find out how soon"
        if score.plies is not None:
            soon = f" in {counted(score.plies, 'move')}, counting both players'"
        yield Line(f"With best play {winner} wins{soon}.")
    if line:
        yield Line(f"One line of best play: {' '.join(rules.names(line))}")
    if rules.max_rounds is not None and score.value is Value.DRAW:
        yield Line(drawn_round(rules))


def find_opening(solver: Solver[O, P], limit: Limit | None = None) -> Opening:
    """Return the first position with a choice, after the forced moves; TooBig if it cannot be solved."""
    rules, forced = solver.rules, list[int]()
    position = rules.start
    while rules.count_legal(position) == 1:
        forced.append(rules.legal(position)[0])
        position = rules.after(position, forced[-1])
    return Opening(forced, solver.analyse(position, limit))


def _first_moves(rules: Rules[O, P], opening: Opening | None) -> Iterator[Line]:
    yield Line("First moves", True)
    if opening is None:
        yield Line("There was no time to find their values.")
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
        yield Line(f"The {counted(len(choices), 'first move')}, by value:")
    for text, moves in group_moves(choices):
        yield Line(f"- {text}: {moves_in_words(rules, moves)}")
    wrong = len(choices) - len(opening.found.keeping)
    if opening.found.score.value is Value.LOSS:
        yield Line("You cannot go wrong yet: all of them lose.")
    elif wrong == 0:
        yield Line("You cannot go wrong yet: any first move is as good as another.")
    else:
        often = f"{_times(wrong)} out of {len(choices):,} ({in_per_cent(wrong, len(choices))})"
        yield Line(f"A random first move is wrong {often}.")


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def group_moves(choices: Sequence[Choice]) -> list[tuple[str, list[int]]]:
    """Return the moves in groups by value and distance, or by value alone if that makes too many groups.

    The best group comes first. Each has a label: ``win in 7 moves``, ``draw``, ``lose in 2 to 10 moves``.
    """
    ordered = sorted(choices, key=lambda choice: choice.score, reverse=True)
    groups = [list(group) for _, group in groupby(ordered, key=lambda choice: choice.score)]
    if len(groups) > MAX_GROUPS:
        groups = [list(group) for _, group in groupby(ordered, key=lambda choice: choice.value)]
    return [(_group_in_words(group), sorted(choice.move for choice in group)) for group in groups]


def _group_in_words(group: Sequence[Choice]) -> str:
    verb, distances = VERBS[group[0].value], sorted({choice.plies for choice in group if choice.plies is not None})
    if not distances:
        return verb
    if len(distances) == 1:
        return f"{verb} in {counted(distances[0], 'move')}"
    return f"{verb} in {distances[0]} to {counted(distances[-1], 'move')}"


# Random games.


def play_at_random(solvers: Sequence[Solver[O, P]], games: int, seed: str, limit: Limit | None = None) -> RandomGames:
    """Play random games under the rules of each solver in turn, and grade them within the limit.

    The games are graded in order, each completely or not at all.
    """
    limit = limit_of(limit)
    random, lengths, graded = Random(f"{seed} explain"), list[int](), 0
    decisions = critical = errors = 0
    for number in range(games):
        solver = solvers[number % len(solvers)]
        played = list(random_game(solver.rules, solver.rules.start, random))
        lengths.append(len(played) - 1)
        if graded == number:  # all earlier games were graded
            with suppress(TooBig):
                found = _count_errors(solver, played, limit)
                graded += 1
                decisions, critical, errors = decisions + found[0], critical + found[1], errors + found[2]
    return RandomGames(lengths, graded, decisions, critical, errors)


def _count_errors(solver: Solver[O, P], played: Sequence[tuple[P, int | None]], limit: Limit) -> tuple[int, int, int]:
    """Return the number of decisions of a game, of critical ones and of errors; TooBig beyond the limit.

    ``played`` has the positions, each with the move made there.
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
    sample = f"In {number} between two random players (a sample, seed {seed}{missing})"
    if not found.graded:
        yield Line(f"{sample}, not every position could be solved in this time, so their mistakes are not counted.")
    elif not found.decisions:
        yield Line(
            f"{sample}, there was nothing to decide: only forced moves, and positions that were lost already "
            "or that neither player could win."
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
    words = rules.game.search.theory.__doc__ or ""
    yield Line("The secret", True)
    yield Line(sentence(" ".join(words.split("\n\n")[0].split()).removeprefix("The secret: ")))
    lost = lost_positions(rules)
    if lost is not None:
        yield Line(f"The player to move from one of these loses: {spell(lost)}")
    elif len(rules.start) == 1:  # too many for a list: those that best play visits
        visited = [rules.start]
        for move in solver.line(rules.start, limit):
            visited.append(rules.after(visited[-1], move))
        found = [position[0] for position in visited if solver.value(position, limit) is Value.LOSS]
        yield Line(f"Best play visits these, and the player to move from one of them loses: {spell(found)}")


def lost_positions(rules: Rules[O, P]) -> list[int] | None:
    """Return all positions that are lost for the player to move.

    Return None if the game has no theory, its positions are more than one number, or there are too many of them.
    """
    theory, start = rules.game.search.theory, rules.start
    if theory is None or len(start) != 1:
        return None
    found, ahead, examined = {start}, [start], 0
    while ahead:
        position = ahead.pop()
        examined += rules.count_legal(position)
        if examined > MAX_EXAMINED_MOVES:
            return None
        following = {rules.after(position, move) for move in rules.legal(position)} - found
        found |= following
        ahead += following
    return sorted(position[0] for position in found if theory(rules.packed, position)[0] == MOVER_LOSES)


# A game with a deal.


def _sample_deals(rules: Rules[O, P], deals: int, seed: str) -> list[Rules[O, P]]:
    game = rules.game
    chances = (Random(f"{seed} deal {number}") for number in range(1, deals + 1))
    return [Rules(game, game.rounds.deal(rules.packed, 1, chance)) for chance in chances]


def survey_deals(solvers: Sequence[Solver[O, P]], limit: Limit | None = None) -> Deals:
    """Return the values of the rounds of some solvers for the player who begins."""
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
    """Yield the lines for a game with a deal; ``undealt`` are its dealt options, and each solver is for one deal."""
    what, deals = " and ".join(undealt), len(solvers)
    yield Line(f"That depends on the {what}, which is dealt. Of {counted(deals, 'deal')} (a sample, seed {seed}):")
    found = survey_deals(solvers, limit.part(seconds * SAMPLE_QUESTIONS))
    counts = {
        "neither player can win the round": found.settled,
        "with best play the round is a draw": found.values[Value.DRAW],
        "the player who begins the round wins it": found.values[Value.WIN],
        "the other player wins it": found.values[Value.LOSS],
    }
    if found.unsolved:
        counts["there was no time to find out"] = found.unsolved
    for text, number in counts.items():
        yield Line(f"- {number:,} ({in_per_cent(number, deals)}): {text}")
    yield from _match_of_rounds(rules, found)
    yield Line("")
    sample = play_at_random(solvers, max(games, deals), seed, limit.part(seconds * SAMPLE_QUESTIONS))
    yield from _random_games(sample, seed)
    yield Line(f"To ask about one {what}, name it with --{undealt[0]}")


def _match_of_rounds(rules: Rules[O, P], found: Deals) -> Iterator[Line]:
    """Yield the consequences of drawn rounds for the match."""
    if rules.max_rounds is None:
        return
    yield Line(drawn_round(rules))
    if found.unsolved:
        return
    win, loss = found.values[Value.WIN] / found.deals, found.values[Value.LOSS] / found.deals
    if not win + loss:
        yield Line(
            "Between players who make no mistake, none of these rounds would have decided the match"
            + (": it continues until a player makes one." if rules.max_rounds == NO_CAP else ".")
        )
        return
    if rules.max_rounds == NO_CAP:
        about = f"So between players who make no mistake, a match takes about {1 / (win + loss):.1f} rounds"
        # The player who begins a round wins the match with chance v = win + draw * (1 - v).
        begins = (1 - loss) / (2 - win - loss)
        yield Line(
            f"{about}, and the player who begins the first of them wins about {100 * begins:.0f} matches in 100."
        )


# An endless game.


def _endless(rules: Rules[O, P]) -> Iterator[Line]:
    yield Line(
        "Unknown, because with these options a game may never end. A position gets its value from the end of the "
        "game, and endless play has none."
    )
    game, flags = rules.game, list[str]()
    chosen = {name: text for name, text in rules.option_texts.items() if text}
    for name, text in show_options(game.defaults).items():
        with suppress(BadOptions):
            if read_rules(game, {**chosen, name: text}).bounds is not None:
                flags.append(f"--{flag(name)} {text}")
    if flags:
        yield Line(f"For a game that ends, give {' or '.join(flags)}")


def _remarks(game: Game[O, P]) -> Iterator[Line]:
    """Yield the remarks at the end of the rules."""
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
