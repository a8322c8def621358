"""How much a piece of work may cost: the one way in which Parlour bounds a search, however deep inside it happens.

A ``Limit`` is made when the work begins and handed down to whatever does it. Everything that is given the same limit
shares it; ``part`` cuts off a smaller one for a single question. Whoever works says with ``spend`` what it cost, every
few hundredths of a second, and asks with ``check`` whether to go on: that is where the clock is read. It can be sent
to another process, where the same clock goes; what is spent there is counted there.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic

from parlour.arguments import as_index, whole_number
from parlour.errors import BadArgument, Cancelled, TooBig
from parlour.text import clip, decimal

DEFAULT_NODES = 2_000_000_000  # positions that a piece of work may search, unless it is told otherwise
UNBOUNDED = 1e9  # seconds, 31 years: JSON has no infinity
DEFAULT_MEMORY = 3 << 30  # bytes that its tables may take


class Limit:
    """What a piece of work may cost, and what it has cost so far.

    >>> import parlour
    >>> limit = parlour.Limit(seconds=60, nodes=500)
    >>> parlour.solve(parlour.rules_of("sequence-builder"), limit)
    Traceback (most recent call last):
        ...
    parlour.errors.TooBig: no exact answer within 500 positions searched; ask later in the game, or allow more
    >>> limit.spent
    500
    """

    def __init__(
        self,
        seconds: float | None = None,
        nodes: int = DEFAULT_NODES,
        memory: int = DEFAULT_MEMORY,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        """``seconds`` from now on, so many ``nodes`` (positions searched) and bytes of ``memory``.

        Unless told otherwise it is any time, 2,000,000,000 positions and 3 GiB.
        ``on_progress`` is called now and then with the number of nodes spent. It must not raise. BadArgument if one of
        these is not a number, or is negative.
        """
        if on_progress is not None and not callable(on_progress):
            raise BadArgument(f"bad on_progress {clip(repr(on_progress))}; give a function of a number")
        self.seconds = seconds = None if seconds is None else _seconds(seconds)  # the time limit, from the start
        self.nodes = whole_number("nodes", nodes, 0)  # the maximum number of nodes
        self.memory = whole_number("memory", memory, 0)  # the maximum number of bytes
        self.spent = 0  # the number of nodes searched so far
        self._on_progress = on_progress
        self._deadline = inf if seconds is None else monotonic() + seconds
        self._cancelled = False
        self._whole: Limit | None = None  # that this is a part of

    def __repr__(self) -> str:
        seconds = "" if self.seconds is None else f"{decimal(self.seconds)} seconds, "
        return f"<Limit: {seconds}{self.spent:,} of {self.nodes:,} positions searched>"

    def part(self, seconds: float | None = None, nodes: int | None = None) -> Limit:
        """A limit for one question within this one: what it costs counts here too, and neither may be exceeded."""
        part = Limit(None if seconds is None else max(seconds, 0), self.nodes if nodes is None else nodes, self.memory)
        part._whole = self
        return part

    def cancel(self) -> None:
        """Let the work stop as soon as it looks: it raises Cancelled. Any thread may call this."""
        self._cancelled = True

    def hurry(self) -> None:
        """Let the time be up: the work ends as if its seconds were used up. Any thread may call this."""
        self._deadline = -inf

    @property
    def hurried(self) -> bool:
        """Somebody has let the time be up."""
        return self._deadline == -inf

    @property
    def seconds_left(self) -> float:
        """How many seconds the work may still take: none when they are used up, endless where nobody bounds them."""
        left = max(0.0, self._deadline - monotonic())
        return left if self._whole is None else min(left, self._whole.seconds_left)

    def allowance(self, most: int) -> int:
        """How many nodes may be searched before the next ``spend``: at most so many, and at least one."""
        left = max(1, min(most, self.nodes - self.spent))
        return left if self._whole is None else self._whole.allowance(left)

    def spend(self, nodes: int) -> None:
        """Count what was searched, and report it."""
        self.spent += nodes
        if self._whole is not None:
            self._whole.spend(nodes)
        if self._on_progress is not None:
            self._on_progress(self.spent)

    @property
    def time_is_up(self) -> bool:
        """The seconds are used up, of this limit or of one that it is a part of."""
        return monotonic() >= self._deadline or (self._whole is not None and self._whole.time_is_up)

    def check(self) -> None:
        """Cancelled, or TooBig, if the work must stop here."""
        if self._whole is not None:
            self._whole.check()
        if self._cancelled:
            raise Cancelled("the search was given up")
        if self.spent >= self.nodes:
            raise TooBig(
                f"no exact answer within {self.nodes:,} positions searched; ask later in the game, or allow more"
            )
        if monotonic() >= self._deadline:
            time = "the time that was left"
            if self.seconds is not None and not self.hurried:
                time = f"{decimal(self.seconds)} second{'s' * (self.seconds != 1)}"
            raise TooBig(f"no exact answer within {time}; ask later in the game, or allow more")

    def check_memory(self, needed: int) -> None:
        """TooBig if so many bytes are more than the work may take."""
        if needed > self.memory:
            raise TooBig(f"no exact answer within {self.memory >> 20:,} MB of memory; ask later in the game")


def limit_of(given: object, seconds: float | None = None) -> Limit:
    """Return the given limit, or a new one of ``seconds`` if there is none.

    Raises:
        BadArgument: the given one is not a ``Limit``.
    """
    if given is None:
        return Limit(seconds)
    if not isinstance(given, Limit):
        hint = ""
        if isinstance(given, str) or as_index(given) is not None:
            hint = f"; an option called limit is given with rules_of, as rules_of(game, limit={clip(repr(given))})"
        raise BadArgument(f"a limit is needed, not {clip(repr(given))}; like Limit(seconds=10){hint}")
    return given


def limit_within(given: object, seconds: float | None = None) -> Limit:
    """Return a limit of ``seconds``, within the given one if there is one.

    Raises:
        BadArgument: the given one is not a ``Limit``, or the seconds are not a number or negative.
    """
    own = Limit(seconds)
    return own if given is None else limit_of(given) if seconds is None else limit_of(given).part(seconds)


def check_seconds(seconds: float | None) -> float:
    """Return a number of seconds, ``UNBOUNDED`` for None.

    Raises:
        BadArgument: this is not a number, or negative.
    """
    return UNBOUNDED if seconds is None else min(_seconds(seconds), UNBOUNDED)


def _seconds(given: object) -> float:
    number = given if isinstance(given, float) else as_index(given)
    if number is None or not number >= 0:  # NaN is not
        raise BadArgument(f"bad seconds {clip(repr(given))}; give a number that is not negative, or None")
    return number if number < 10**9 else inf  # larger ints may not fit into a float
