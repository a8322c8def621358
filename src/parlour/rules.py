"""A game under its options, and the referee: the only enforcer of the rules.

The rule functions of a game trust their caller and take the options as an argument. All other code uses ``Rules``,
which holds the options, reads moves, and refuses illegal ones with a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Generic, cast, overload

from parlour.arguments import as_index, several
from parlour.catalog import find_game
from parlour.errors import BadArgument, BadOptions, BadPosition, GameOver, IllegalMove, UnknownGame, UnreadableMove
from parlour.fields import names_of, written_as
from parlour.game import (
    PASS,
    REMARKS,
    Bounds,
    Game,
    Moment,
    Moves,
    P,
    count_moves,
    has_move,
    list_moves,
    number_name,
)
from parlour.notation import MoveTexts, is_number, is_pass, read_number
from parlour.options import (
    O,
    OptionValue,
    check_values,
    flag,
    left_to_chance,
    pack_options,
    read_options,
    say_options,
    show_options,
    show_words,
    unpack_options,
)
from parlour.pickles import upgrade_rules
from parlour.text import clip, counted
from parlour.view import View, spell

if TYPE_CHECKING:
    from parlour.game import Move
else:
    from parlour.pickles import PickledMove as Move  # the path in old pickles

LISTED_MOVES = 1000  # legal moves; longer lists are ranges


def read_rules(game: Game[O, P], given: Mapping[str, OptionValue]) -> Rules[O, P]:
    """Return a game under the given options, the book's by default; BadOptions if they are invalid."""
    return Rules(game, read_options(game.options, given))


@overload
def rules_of(game: str, /, **options: OptionValue) -> Rules: ...
@overload
def rules_of(game: Game[O, P] | Rules[O, P], /, **options: OptionValue) -> Rules[O, P]: ...


def rules_of(game: str | Game[O, P] | Rules[O, P], /, **options: OptionValue) -> Rules | Rules[O, P]:
    """Return a game under the given options, and the book's where none is given.

    The game is a ``Game``, a name for ``find_game``, or rules, whose options are then the default. An
    option is a number, a word, several numbers, or None if the game allows it.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: these options make no game.

    >>> import parlour
    >>> parlour.rules_of("sequence-builder", pool=30, increments=[1, 2])
    <Rules of Sequence Builder: length=4 pool=30 increments=1,2>
    >>> parlour.rules_of("double-up", limit=None)
    <Rules of Double Up: limit=none>
    >>> parlour.rules_of("double-up", limit=1)
    Traceback (most recent call last):
        ...
    parlour.errors.BadOptions: bad limit '1'; allowed: a number from 2 to 1000000, or none
    """
    return as_rules(game, options)


def as_rules(game: str | Game[O, P] | Rules[O, P], options: Mapping[str, OptionValue] = {}) -> Rules[O, P]:
    """Return rules as ``rules_of`` does, for functions that accept a game in any form."""
    if isinstance(game, Rules):
        if not options:
            return game
        known = {name: text for name, text in game.option_texts.items() if text}
        return read_rules(game.game, {**known, **options})
    if isinstance(game, Game):
        return read_rules(game, options)
    if not isinstance(game, str):
        raise UnknownGame(f"a game is needed, not {clip(repr(game))}; give its name or rules, like match.rules")
    return read_rules(cast(Game[O, P], find_game(game)), options)


class Status(IntEnum):
    """The status of a round, for the player to move: what ``Rules.result`` returns.

    The rule functions of a game are compiled and return the same numbers, as the constants of ``parlour.game``.

    >>> import parlour
    >>> rules = parlour.rules_of("double-up", limit=2)
    >>> rules.result(rules.start), rules.result(rules.play(rules.start, 2))
    (<Status.ONGOING: 0>, <Status.MOVER_LOSES: 1>)
    """

    ONGOING = 0  # the game is not over
    MOVER_LOSES = 1  # the player to move has lost
    DRAWN = 2  # neither player has won
    MOVER_WINS = 3  # the player to move has won


_STATUS = tuple(Status)  # indexing is faster than Status(number)


_BOOK_OPTIONS: Any = object()  # the default options of a game


written_as(lambda game: game.key)(Game)  # not in game.py: a change there makes all engines stale


@written_as(lambda rules: rules.option_texts)
class Rules(Generic[O, P]):
    """A game under its options, with questions about its positions and moves. ``rules_of`` returns one.

    A position is what ``start`` and ``play`` return: a tuple of numbers, seen from the side of the player to move. A
    move is a number; ``name`` and ``read`` translate it. Methods refuse a position of another game with BadPosition;
    only ``check_position`` also refuses positions that contradict themselves.

    >>> import parlour
    >>> rules = parlour.rules_of("double-up", limit=20)
    >>> rules.start
    Position(last=1)
    >>> rules.legal(rules.start), rules.name(2)
    ([2], '2')
    >>> position = rules.play(rules.start, 2)
    >>> rules.play(position, 5)
    Traceback (most recent call last):
        ...
    parlour.errors.IllegalMove: illegal move '5': 5 is more than 4, the double of 2; legal: 3, 4
    """

    def __init__(self, game: str | Game[O, P], options: O = _BOOK_OPTIONS) -> None:
        """Check and store the options, an instance of the game's ``options`` class; by default the book's.

        Raises:
            UnknownGame: there is no such game.
            BadOptions: the options are not this game's, or make no game together.
        """
        if not isinstance(game, Game):
            game = cast(Game[O, P], find_game(game))
        options = game.defaults if options is _BOOK_OPTIONS else options
        if not isinstance(options, game.options):
            raise BadOptions(
                f"options of {game.title} are needed, not {clip(repr(options))}; "
                f"known options: {', '.join(show_options(game.defaults))}"
            )
        packed = pack_options(options)
        check_values(packed)
        reason = game.rules.check(packed)
        if reason:
            raise BadOptions(reason)
        self.game = game  # the game with these rules
        self.packed = packed  # the options as ints, for the game's functions
        self._last_possible: object = object()  # the last position that passed the check
        # The last results with their positions: the next question is often about the same one. Each tuple is replaced
        # as a whole, so that threads can share these rules.
        self._last_result: tuple[object, Status] = (object(), Status.ONGOING)
        self._last_moves: tuple[object, Moves | None] = (object(), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and (self.game, self.packed) == (other.game, other.packed)

    def __hash__(self) -> int:
        return hash((self.game.key, self.packed))

    def __repr__(self) -> str:
        return f"<Rules of {self.title}>"

    def __deepcopy__(self, memo: object) -> Rules[O, P]:
        return self  # immutable

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules, (self.game, self.packed)

    def __setstate__(self, state: dict[str, Any]) -> None:  # for pickles from before version 0.2
        Rules.__init__(self, *upgrade_rules(state))

    # The game and its options.

    @property
    def title(self) -> str:
        """The title of the game with its options."""
        words = show_words(self.options)
        return f"{self.game.title}: {words}" if words else self.game.title

    @cached_property
    def options(self) -> O:
        """The options with Python values: ``None`` for no limit, ``(1, 2, 3)`` for several numbers.

        >>> import parlour
        >>> parlour.rules_of("sequence-builder").options
        Options(length=4, pool=20, increments=(1, 2, 3))
        """
        return unpack_options(self.packed)

    @cached_property
    def start(self) -> P:
        """The position before the first move; BadOptions if the deal is missing."""
        missing = [flag(name) for name in left_to_chance(self.game.options) if not getattr(self.packed, name)]
        if missing:
            raise BadOptions(f"the {missing[0]} is still to be dealt: give one, or begin a match, which deals one")
        return self.game.rules.start(self.packed)

    @cached_property
    def bounds(self) -> Bounds | None:
        """The maximum size of the game; None: it may never end."""
        return self.game.rules.bounds(self.packed)

    @cached_property
    def max_rounds(self) -> int | None:
        """The maximum number of rounds, 2**62 if there is none; None: a draw ends the match."""
        return self.game.rounds.maximum(self.packed)

    @property
    def summary(self) -> str:
        """The game under these options in one sentence."""
        under = self.game.display.summary_under
        return self.game.content.summary if under is None else under(self.packed)

    @property
    def rules_text(self) -> str:
        """The rules in the players' language, with the differences of these options."""
        return self._with_differences(self.game.content.rules_text)

    @property
    def bare_rules(self) -> str:
        """``rules_text`` without the remarks and advice at its end."""
        return self._with_differences(self.game.content.rules_text.partition(f"\n{REMARKS}\n")[0].rstrip() + "\n")

    def _with_differences(self, text: str) -> str:
        """Add the differences of these options to a text of the rules."""
        usual = say_options(self.game.defaults)
        different = [
            f"- {words} (usually {usual[name]})"
            for name, words in say_options(self.options).items()
            if usual[name] and words != usual[name]
        ]
        return "\n".join([text.rstrip(), "", "In this game", *different]) if different else text

    @property
    def option_texts(self) -> dict[str, str]:
        """The options as texts by name; empty for a missing deal."""
        return show_options(self.options)

    @cached_property
    def numbers_only(self) -> bool:
        """Whether the name of every move is its number."""
        return self.game.display.name is number_name

    # Positions. The methods check their type and trust their fields.

    def _check_own(self, position: P) -> None:
        if type(position) is not type(self.start):
            raise BadPosition(
                f"bad position {clip(repr(position))}; {self.game.title} has positions like {self.start}; "
                f"Rules.position makes one of numbers"
            )

    def result(self, position: P) -> Status:
        """Return the status of a position for the player to move."""
        known, result = self._last_result
        if known is not position:
            self._check_own(position)
            result = _STATUS[self.game.rules.result(self.packed, position)]
            self._last_result = position, result
        return result

    def is_over(self, position: P) -> bool:
        """Return whether the game has ended."""
        return self.result(position) is not Status.ONGOING

    def moves(self, position: P) -> Moves | None:
        """Return the legal moves as the game represents them; None when the game is over. See ``legal``."""
        known, moves = self._last_moves
        if known is not position:
            moves = self.game.rules.moves(self.packed, position) if self.result(position) is Status.ONGOING else None
            self._last_moves = position, moves
        return moves

    def legal(self, position: P) -> Sequence[Move]:
        """Return the legal moves in ascending order; empty when the game is over.

        A long result is a range, possibly too long for ``len``; see ``count_legal``.
        """
        moves = self.moves(position)
        if moves is None:
            return []
        listed = list_moves(moves)
        return list(listed) if moves.high - moves.low < LISTED_MOVES else listed

    def count_legal(self, position: P) -> int:
        """Return the number of legal moves."""
        moves = self.moves(position)
        return 0 if moves is None else count_moves(moves)

    def after(self, position: P, move: int) -> P:
        """Return the position after a legal move, without the checks of ``play``."""
        return self.game.rules.play(self.packed, position, move if type(move) is int else _number(move))

    def settled(self, position: P) -> bool:
        """Return whether neither player can win any more, though moves remain."""
        self._check_own(position)
        return self.game.rules.settled(self.packed, position)

    def canonical(self, position: P) -> P:
        """Return the canonical form of a position."""
        self._check_own(position)
        return self.game.search.canonical(self.packed, position)

    def expected(self, position: P) -> str:
        """Return a description of the legal moves, to follow "select"."""
        self._check_own(position)
        return self.game.display.expected(self.packed, position)

    def needs(self, position: P) -> str:
        """Return the constraint on the player to move as a short text; empty if there is none."""
        self._check_own(position)
        return self.game.display.needs(self.packed, position)

    def stuck(self, position: P) -> str:
        """Return the reason why the player to move can only pass; empty otherwise."""
        moves = self.moves(position)
        return self.game.display.stuck(self.packed, position) if moves is not None and has_move(moves, PASS) else ""

    def spoken(self, moves: Iterable[int]) -> list[str]:
        """Return the names of moves as players say them: the text on the tile if it differs from the name."""
        other = self.game.display.other_name
        return [(move != PASS and other(self.packed, move)) or self.name(move) for move in moves]

    def view(self, moment: Moment[O, P]) -> View:
        """Return the board as groups of tiles."""
        if not isinstance(moment, Moment):
            raise BadArgument(f"a moment is needed, not {clip(repr(moment))}; like match.moment")
        return self.game.display.view(moment)

    # The referee.

    def play(self, position: P, move: int | str) -> P:
        """Return the position after a move; IllegalMove, UnreadableMove or GameOver if it is illegal."""
        return self.after(position, self.check_move(position, move))

    def position_after(self, moves: Iterable[int | str]) -> P:
        """Return the position after moves from the start; IllegalMove, UnreadableMove or GameOver as in ``play``.

        >>> import parlour
        >>> parlour.rules_of("double-up").position_after([2, 4, 5])
        Position(last=5)
        """
        position = self.start
        for move in several("moves", moves):
            position = self.play(position, move)
        return position

    def check_move(self, position: P, move: int | str) -> Move:
        """Return a legal move given as a number or a text.

        Digits that name another move than their number are refused; ``read`` accepts them.

        Raises:
            UnreadableMove, IllegalMove, GameOver: it may not be played.
        """
        if type(move) is not int:
            if isinstance(move, str):
                self._refuse_other_number(position, move)
                return self.read(position, move)
            move = self._whole(position, move)
        moves = self.moves(position)
        if moves is None:
            raise GameOver("the game is over")
        if not has_move(moves, move):
            raise self._illegal(position, move, self.name(move))
        return cast("Move", move)

    def _whole(self, position: P, move: Any) -> int:
        """Return a whole number of any type, such as NumPy's, as an int; UnreadableMove for anything else."""
        whole = as_index(move)
        if whole is not None:
            return whole
        try:
            single = as_index(move.item())  # an array with one element
        except (AttributeError, TypeError, ValueError):
            single = None
        reason = "a move is a whole number, or its name as a text"
        if single is not None:
            reason = "a move is a whole number; an array with one element has it as array.item()"
        raise self._unreadable(position, clip(repr(move)), reason)

    def _unreadable(self, position: P, shown: str, reason: str) -> UnreadableMove:
        return UnreadableMove(f"unreadable move {shown}", reason, self.spell(self.legal(position)))

    def read(self, position: P, text: str) -> Move:
        """Return the legal move with a name; UnreadableMove, IllegalMove or GameOver without one."""
        if not isinstance(text, str):
            raise self._unreadable(position, clip(repr(text)), "the name of a move is a text")
        moves = self.moves(position)
        if moves is None:
            raise GameOver(f"the game is over: {clip(text)!r} cannot be played")
        move = PASS if is_pass(text) else self._named(text)
        if move is None:
            raise self._unreadable(position, repr(clip(text)), f"please select {self.expected(position)}")
        if not has_move(moves, move) or (move == PASS and not is_pass(text)):
            raise self._illegal(position, move, clip(text))
        return cast("Move", move)

    def _refuse_other_number(self, position: P, text: str) -> None:
        """Raise UnreadableMove for digits that name another move, as ``6`` does in Sequence Spot."""
        if self.numbers_only or (number := read_number(text)) is None:
            return
        named = self._named(text)
        if named is not None and named != number:
            cell, other = self.name(named), self.name(number)
            raise self._unreadable(
                position,
                repr(clip(text)),
                f"as a text it is {cell}, and as a number {other}; play {cell!r} or {other!r}, or read the text first",
            )

    def _illegal(self, position: P, move: int, text: str) -> IllegalMove:
        legal, lines = self.legal(position), list[str]()
        if is_pass(text):
            reason = "you can still move, so you cannot pass"
        elif legal[0] == PASS:
            reason = f"you can only pass: {self.stuck(position)}"
        elif not self._is_move(move) and not self.numbers_only:
            reason = "there is no such move in this game"
        elif move < 0 or (move >= 10**9 and self.bounds is not None):
            reason = f"no number in this game is as {'small' if move < 0 else 'large'} as that"
        else:
            reason = self.game.display.refusal(self.packed, position, move)
            lines = self.game.display.refusing(self.packed, position, move)
        return IllegalMove(f"illegal move {text!r}", reason, self.spell(legal), lines)

    # Names of moves.

    def _is_move(self, move: int) -> bool:
        """Return whether an int is a move of this game, legal now or not."""
        return move >= 0 and (self.bounds is None or move < self.bounds.moves)

    def name(self, move: int) -> str:
        """Return the name of a move, one lower-case token."""
        if type(move) is not int:
            move = _number(move)
        if move == PASS:
            return "pass"
        if not self.numbers_only and not self._is_move(move):
            return f"move {move}"
        return self.game.display.name(self.packed, move)

    def names(self, moves: Iterable[int]) -> list[str]:
        """Return the names of moves."""
        return [self.name(move) for move in several("moves", moves)]

    def spell(self, moves: Sequence[int]) -> str:
        """Return the names of moves as one text, short enough to read."""
        if self.numbers_only and PASS not in moves:
            return spell(moves)
        return "  ".join(self.names(moves))

    def _named(self, text: str) -> int | None:
        """Return the move that a text names, legal or not; None if it names none.

        This tolerant inverse of ``name`` reads ``2,1``, ``2 1`` and ``(2, 1)`` alike, and ``a1-b2``, ``A1 B2`` and
        ``a1b2``. Adjacent digits are one number: ``21`` is not ``2,1``.
        """
        return read_number(text) if self.numbers_only else _move_texts(self).find(text)

    # Positions as text.

    def read_position(self, token: str) -> P:
        """Return the position with a token, its numbers joined by dots; BadPosition if it contradicts itself."""
        parts = token.split(".") if isinstance(token, str) else []
        fields = len(self.start)
        if len(parts) != fields or not all(map(is_number, parts)):
            want = "a number" if fields == 1 else f"{fields} numbers joined by dots"
            raise BadPosition(f"bad position {clip(str(token))!r}; {want}, like {show_position(self.start)}")
        position = self.position(map(int, parts))
        self.check_position(position)
        return position

    def position(self, values: Iterable[int]) -> P:
        """Return the position with these fields, without the checks of ``check_position``.

        Raises:
            BadArgument: this is a text, or not iterable.
            BadPosition: these are not whole numbers, or the wrong number of them.
        """
        values = tuple(several("numbers", values))
        numbers = tuple(map(as_index, values))
        if len(numbers) != len(self.start) or None in numbers:
            fields = counted(len(self.start), "number")
            raise BadPosition(f"bad position {clip(str(values))}; give {fields}, like {tuple(self.start)}")
        made: P = type(self.start)._make(numbers)  # type: ignore[attr-defined]  # a NamedTuple
        return made

    def check_position(self, position: P) -> None:
        """Raise BadPosition, with the reason, if this position contradicts itself."""
        if position is self._last_possible:
            return
        reason = self._why_impossible(position)
        if reason:
            raise BadPosition(f"bad position {clip(_shown(position))!r}; {reason}")
        self._last_possible = position

    def _why_impossible(self, position: P) -> str | None:
        if type(position) is not type(self.start):
            return f"it is not a position of {self.game.title}"
        bounds = self.bounds.position if self.bounds else ()
        for name, value, bound in zip(names_of(type(self.start)), position, bounds, strict=False):
            if type(value) is not int:
                return f"{name} is {value!r}, and must be a whole number"
            if not 0 <= value < bound:
                return f"{name} is {value}, and must be below {bound}"
        reason = self.game.rules.impossible(self.packed, position)
        if reason is None and not self.is_over(position) and not self.legal(position):
            return "there is no legal move, yet the game is not over"
        return reason


def _number(move: object) -> int:
    number = as_index(move)
    if number is None:
        raise BadArgument(f"bad move {clip(repr(move))}; give a whole number")
    return number


def show_position(position: tuple[int, ...]) -> str:
    """Return the token of a position."""
    return ".".join(map(str, position))


def _shown(position: object) -> str:
    """Return a position, or an invalid argument, as a text."""
    return show_position(position) if isinstance(position, tuple) else repr(position)


@lru_cache(maxsize=16)  # thousands of moves take a tenth of a second; requests have their own Rules
def _move_texts(rules: Rules[O, P]) -> MoveTexts:
    every = range(1, rules.bounds.moves) if rules.bounds else ()
    other_name = rules.game.display.other_name
    others = ((other, move) for move in every if (other := other_name(rules.packed, move)))
    return MoveTexts({rules.name(move): move for move in every}, others)
