"""Interactive prompts and their commands.

A kind of session defines its commands as methods::

    class PuzzleSession(Session):
        @command("hint", help="where to look; asked again, the move", strict=False)
        def hint(self, text: str) -> None:
            self.remark("Look on the left.")

        @command("answer", "give up", help="give up and see it")
        def show_answer(self, text: str) -> Answer:
            return Answer.GIVEN_UP

        def prompt(self, again: bool) -> str: ...  # draw the board and the question, and return the prompt
        def answer(self, text: str) -> int: ...  # any other text, usually a move
        def remark(self, text: str) -> None: ...  # show a text beside the board

``ask`` prompts until a command or ``answer`` returns something other than None, and returns that. A ParlourError is
shown, and the question is repeated. Subclasses inherit commands; every session has ``help`` and ``quit``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, TypeVar

from parlour.errors import ParlourError, StrictGame
from parlour.terminal import narration
from parlour.terminal.keyboard import Keyboard, Quit

STRICT = "this is a strict game: no hints, no undo, no change of opponent"

F = TypeVar("F", bound=Callable[..., Any])


class Command(NamedTuple):
    """A command of a session."""

    word: str
    aliases: tuple[str, ...]
    help: str
    argument: bool  # whether text may follow the word
    strict: bool  # whether it is available in strict games
    when: Callable[[Any], bool]  # whether a session has it now
    listed: Callable[[Any], bool]  # whether a session lists and completes the word
    name: str  # the method's name

    def is_called(self, text: str) -> bool:
        return text == self.word or text in self.aliases


def _always(session: Session) -> bool:
    return True


def unlisted(session: Session) -> bool:
    return False


def command(
    word: str,
    *aliases: str,
    help: str,
    argument: bool = False,
    strict: bool = True,
    when: Callable[[Any], bool] = _always,
    listed: Callable[[Any], bool] = _always,
) -> Callable[[F], F]:
    """Register a method of a session as a command; it is called with the text that follows the word.

    Args:
        word: the word to type.
        aliases: other words, not listed; "" is Enter.
        help: a description for the list of commands.
        argument: whether text may follow, as in ``why 7``.
        strict: whether it is available in strict games.
        when: whether a session has it now; otherwise the word is an answer like any other text.
        listed: whether a session lists and completes it. The method still runs if the word is typed.
    """

    def register(method: F) -> F:
        method.command = Command(word, aliases, help, argument, strict, when, listed, method.__name__)  # type: ignore[attr-defined]
        return method

    return register


class Session:
    """A prompt for a person or a program."""

    commands: ClassVar[dict[str, Command]] = {}  # keyed by word, in the order of the help
    strict = False  # refuse the commands that strict games lack

    def __init_subclass__(cls) -> None:
        """Collect the commands of the class after the inherited ones; ``quit`` stays the last."""
        super().__init_subclass__()
        found: dict[str, Command] = {}
        for base in cls.__mro__[::-1]:
            for each in vars(base).values():
                if (known := getattr(each, "command", None)) is not None:
                    found[known.word] = known
        found["quit"] = found.pop("quit")
        cls.commands = found

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard

    # To be defined by each kind of session.

    def prompt(self, again: bool) -> str:
        """Show the question and return the prompt. ``again``: the last line typed did not answer it."""
        raise NotImplementedError

    def answer(self, text: str) -> Any:
        """Return the answer for a text that is not a command; None to ask again."""
        self.remark(narration.unknown(text))

    def remark(self, text: str) -> None:
        """Show a text that is not part of the game."""
        raise NotImplementedError

    def refuse(self, text: str, error: ParlourError) -> None:
        """Show the reason why a text is refused."""
        self.remark(narration.refusal(text, error))

    def moves(self) -> list[str]:
        """Return the moves that Tab completes."""
        return []

    # The loop.

    def ask(self) -> Any:
        """Ask until there is an answer, and return it.

        Raises:
            Quit: the person leaves, or the input has ended.
        """
        again = False
        while True:
            text = self.keyboard.read_line(self.prompt(again), self.completions)
            if text is None:
                raise Quit(0 if self.keyboard.terminal else 1)
            result = self._dispatch(text)
            if result is not None:
                return result
            again = True

    def _dispatch(self, text: str) -> Any:
        """Run the command in a line, or ``answer`` without one; return None to ask again."""
        found = self.find(text)
        try:
            if found is None:
                return self.answer(text)
            known, rest = found
            if self.strict and not known.strict:
                raise StrictGame(STRICT)
            return getattr(self, known.name)(rest)
        except ParlourError as error:
            self.refuse(text, error)
            return None

    def find(self, text: str) -> tuple[Command, str] | None:
        """Return the command in a line, and the text after it; None without a command."""
        word = text.strip().lower()
        head, _, rest = text.strip().partition(" ")
        for each in self.commands.values():
            if each.is_called(word) and each.when(self):
                return each, ""
            if each.argument and each.is_called(head.lower()) and each.when(self):
                return each, rest.strip()
        return None

    def offered(self) -> list[Command]:
        """Return the commands to list."""
        known = (each for each in self.commands.values() if each.strict or not self.strict)
        return [each for each in known if each.when(self) and each.listed(self)]

    def completions(self) -> list[str]:
        return [*self.moves(), *(each.word for each in self.offered())]

    # The commands of every session.

    @command("help", "?", "h", help="what you can type")
    def show_help(self, text: str) -> None:
        self.remark(self.help_text())

    @command("quit", "q", "b", "back", "exit", help="leave")
    def quit(self, text: str) -> Any:
        raise Quit(0)

    def help_text(self) -> str:
        """Return the offered commands, one a line."""
        return "\n".join(f"- {each.word}: {each.help}" for each in self.offered())
