"""Budgets of time, nodes and memory, which bound every search.

Code that shares a ``Limit`` shares its budget; ``part`` splits off a smaller one. A search calls ``spend`` and
``check`` every few hundredths of a second; ``check`` reads the clock. A limit can be sent to another process of the
same machine, which counts its own nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic

from parlour.arguments import as_index, whole_number
from parlour.errors import BadArgument, Cancelled, TooBig
from parlour.text import clip, decimal

DEFAULT_NODES = 2_000_000_000  # positions
UNBOUNDED = 1e9  # seconds, 31 years: JSON has no infinity
DEFAULT_MEMORY = 3 << 30  # bytes of tables


class Limit:
    """A budget for a piece of work, and the nodes spent so far.

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
        """Allow ``seconds`` from now on, a number of ``nodes`` (positions searched) and bytes of ``memory``.

        By default time is unlimited. ``on_progress`` is called with the number of nodes spent; it must not raise.

        Raises:
            BadArgument: one of these is not a number, or is negative.
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
        self._parent: Limit | None = None  # the limit this one was split from

    def __repr__(self) -> str:
        seconds = "" if self.seconds is None else f"{decimal(self.seconds)} seconds, "
        return f"<Limit: {seconds}{self.spent:,} of {self.nodes:,} positions searched>"

    def part(self, seconds: float | None = None, nodes: int | None = None) -> Limit:
        """Return a limit within this one. Its nodes count here too, and it ends no later than this one.

        Raises:
            BadArgument: one of these is not a number, or is negative.
        """
        if isinstance(seconds, int | float):
            seconds = max(seconds, 0)  # the remaining time may be negative
        part = Limit(seconds, self.nodes if nodes is None else nodes, self.memory)
        part._parent = self
        return part

    def cancel(self) -> None:
        """Make the next ``check`` raise Cancelled. Any thread may call this."""
        self._cancelled = True

    def hurry(self) -> None:
        """Expire the deadline now. Any thread may call this."""
        self._deadline = -inf

    @property
    def hurried(self) -> bool:
        """Whether ``hurry`` has expired the deadline."""
        return self._deadline == -inf

    @property
    def seconds_left(self) -> float:
        """The remaining seconds; infinity without a time limit."""
        left = max(0.0, self._deadline - monotonic())
        return left if self._parent is None else min(left, self._parent.seconds_left)

    def allowance(self, most: int) -> int:
        """Return how many nodes may be searched before the next ``spend``: from 1 to ``most``."""
        left = max(1, min(most, self.nodes - self.spent))
        return left if self._parent is None else self._parent.allowance(left)

    def spend(self, nodes: int) -> None:
        """Count searched nodes, and report the total."""
        self.spent += nodes
        if self._parent is not None:
            self._parent.spend(nodes)
        if self._on_progress is not None:
            self._on_progress(self.spent)

    @property
    def time_is_up(self) -> bool:
        """Whether the deadline of this limit, or of one it was split from, has passed."""
        return monotonic() >= self._deadline or (self._parent is not None and self._parent.time_is_up)

    def check(self) -> None:
        """Raise Cancelled or TooBig if the work must stop."""
        if self._parent is not None:
            self._parent.check()
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
        """Raise TooBig if this number of bytes exceeds the memory."""
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
