"""The menu that ``parlour`` shows without a command; every question has a way back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple

from parlour import catalog, players, saves
from parlour.errors import GameInUse, ParlourError
from parlour.game import Game, Variant
from parlour.match import Match
from parlour.names import DEFAULT_NAMES
from parlour.options import flag, options_in_words, read_whole
from parlour.players import HUMAN
from parlour.rules import read_rules
from parlour.terminal import preferences
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.lesson import teach
from parlour.terminal.narration import COMPUTER
from parlour.terminal.pager import pager
from parlour.terminal.play import MenuWanted, SessionSettings, play_new, resume, set_up
from parlour.terminal.screen import Screen, fit_prompt, prose_width, reflow, terminal_size, width, wrap
from parlour.terminal.session import Session, command
from parlour.text import clip, counted, sentence

DEFAULT_OPPONENT = "level:2"


class Back(Exception):
    """A return to the previous question."""


class MenuItem(NamedTuple):
    """A choice in a list."""

    title: str
    about: str = ""  # an explanation, omitted on small screens

    def __str__(self) -> str:
        return f"{self.title}: {self.about}" if self.about else self.title


DAILY = MenuItem("Puzzle of the day", "the same everywhere, easy on Monday, hard on Sunday")
PUZZLES = MenuItem("Puzzles", "find the one right move; they get harder as you get better")
PRACTISE = MenuItem("Your mistakes", "the turning points of your own games, until you know them")
MASTER = MenuItem("Master it", "an exam that ends with a proof that you cannot be beaten")


class Preset(NamedTuple):
    """Options offered for a game."""

    title: str
    why: str
    options: dict[str, str]


def menu() -> int:
    """Run the menu and return the exit code."""
    settings = preferences.load()
    settings.complain()
    return _Menu(settings).run()


class _Menu(Session):
    """The questions of the menu, and the answers so far."""

    def __init__(self, settings: preferences.Preferences) -> None:
        super().__init__(Keyboard())
        self.screen = Screen()
        self.own_options = settings.options
        self.opponent = settings.opponent or DEFAULT_OPPONENT  # the word of a player
        self.first = settings.first or "1"  # "1", "2" or "toss"
        self.name, self.friend = settings.name, settings.friend  # None: not asked yet
        self.plain = bool(settings.plain)
        self._question = ""
        self._read: Callable[[str], Any] = str  # returns the answer for a text, or None to ask again
        self._words: list[str] = []
        self._can_go_back = True

    def run(self) -> int:
        self.screen.say(["Parlour: number games for two", ""], bold=True)
        try:
            while True:
                code = self._choose_game()
                if code is not None:
                    return code
        except Quit as left:
            return left.exit_code

    # The questions. They return the exit code if the player leaves, or None to ask again.

    def _choose_game(self) -> int | None:
        games = catalog.list_games()
        choices = [MenuItem(game.title, game.content.summary) for game in games]
        unfinished = _unfinished()
        if len(unfinished) == 1:
            choices.append(MenuItem(f"Resume {_describe(*unfinished[0])}"))
        elif unfinished:
            choices.append(MenuItem("Resume an unfinished game", f"there are {len(unfinished)}"))
        choices += [DAILY, PUZZLES, *([PRACTISE] if _has_mistakes() else [])]
        try:
            picked = self._pick("Which game?", choices, back=False)
            if picked < len(games):
                return self._choose_preset(games[picked])
            if choices[picked] in (DAILY, PUZZLES, PRACTISE):
                self._solve(choices[picked])
                return None
            return self._resume(unfinished)
        except (Back, MenuWanted):
            return None

    def _solve(self, wanted: MenuItem) -> None:
        from parlour.terminal.puzzles import practise_due, solve_daily, solve_puzzles  # loads the archive

        with suppress(Quit):
            if wanted == DAILY:
                solve_daily(date.today(), self.keyboard)
            elif wanted == PRACTISE:
                practise_due(self.keyboard)
            else:
                solve_puzzles(None, None, keyboard=self.keyboard)
        self.screen.say([""])

    def _resume(self, unfinished: list[tuple[int, Match]]) -> int | None:
        number = unfinished[0][0]
        if len(unfinished) > 1:
            number = unfinished[self._pick_from_many([_describe(*game) for game in unfinished])][0]
        try:
            return resume(number, SessionSettings(plain=self.plain))[1]
        except GameInUse as error:
            self.remark(sentence(str(error)), "yellow")
            return None

    def _choose_preset(self, game: Game) -> int:
        """Ask for the options, and play; also offer the opponent, the beginner, a lesson, the rules and exams."""
        while True:
            presets = _presets(game, self.own_options.get(game.key, {}), against_computer=self.opponent != HUMAN)
            plays = [MenuItem(preset.title, preset.why) for preset in presets]
            self.screen.say([game.title], bold=True)
            self.remark(game.content.summary)
            others: list[tuple[MenuItem, Callable[[], None]]] = [
                (self._against(), self._choose_opponent),
                (MenuItem(self._who_begins(), "choose who does"), self._choose_first),
                (MenuItem("Rules"), lambda: self._read_rules(game)),
            ]
            if game.content.lesson is not None:
                learn = MenuItem("Learn it", "a guided first game, two minutes")
                others.insert(2, (learn, lambda: self._learn(game)))
            if game.content.exams:
                others.append((MASTER, lambda: self._master(game)))
            picked = self._pick("Which one?", [*plays, *(choice for choice, _ in others)], enter=0)
            try:
                if picked >= len(presets):
                    others[picked - len(presets)][1]()
                else:
                    return self._play(game, presets[picked].options)
            except Back:
                continue

    def _read_rules(self, game: Game) -> None:
        with pager(below=2) as shown:
            self.remark(game.content.rules_text)
        self.screen.say([""])
        if not shown.paged:  # wait, or the menu pushes the rules off the screen
            self._ask("Enter: back, q: leave: ", str)

    def _learn(self, game: Game) -> None:
        if game.content.lesson is not None:
            teach(game, game.content.lesson, self.keyboard)
            self.screen.say([""])

    def _master(self, game: Game) -> None:
        from parlour.terminal.exam import offer_exams  # loads the archive

        with suppress(Quit):
            offer_exams(game, keyboard=self.keyboard)
        self.screen.say([""])

    def _choose_opponent(self) -> None:
        kinds = players.offered()
        choices = [MenuItem("A friend at this keyboard"), *(MenuItem(kind.title, kind.about) for kind in kinds)]
        picked = self._pick("Against whom?", choices)
        self.opponent = HUMAN if picked == 0 else kinds[picked - 1].word

    def _choose_first(self) -> None:
        other = "Your friend" if self.opponent == HUMAN else "The computer"
        picked = self._pick("Who begins?", [MenuItem("You"), MenuItem(other), MenuItem("A coin decides")])
        self.first = preferences.FIRST[picked]

    def _play(self, game: Game, options: dict[str, str]) -> int:
        """Play and return the exit code; MenuWanted if the player wants another game."""
        words, names, first = (HUMAN, self.opponent), self._names(), self.first
        setup = set_up(game.key, options, words, names, first)
        return play_new(setup, SessionSettings(plain=self.plain, tossed=first == "toss"))[1]

    def _names(self) -> tuple[str, str]:
        if self.name is None:
            self.name = self._ask_name("What is your name?", DEFAULT_NAMES[0], "name")
        name = self.name
        if self.opponent != HUMAN:
            title = players.find_kind(self.opponent).title
            return name, COMPUTER if name.casefold() != COMPUTER.casefold() else title
        usual = self.friend or DEFAULT_NAMES[1]
        while True:
            self.friend = self._ask_name("What is your friend's name?", usual, "friend")
            if self.friend.casefold() != name.casefold():
                return name, self.friend
            self.remark("You cannot both have that name.", "yellow")
            usual = DEFAULT_NAMES[1]

    def _ask_name(self, question: str, usual: str, key: str) -> str:
        """Ask for a name and save it in the configuration; Enter takes the usual one and saves nothing."""

        def read(text: str) -> str:
            if not text:
                return usual
            try:
                preferences.set_value(key, text)
            except ParlourError:
                raise
            except (OSError, ValueError):  # use it even if it can't be saved
                pass
            return text

        name: str = self._ask(f"{question} Enter: {usual}, b: back: ", read)
        return name

    # The prompt.

    def _ask(self, question: str, read: Callable[[str], Any], words: list[str] | None = None, back: bool = True) -> Any:
        """Ask a question; ``read`` returns the answer for a text, or None to ask again.

        Raises:
            Back: the player returns to the previous question.
            Quit: the player leaves.
        """
        self._question, self._read, self._words, self._can_go_back = question, read, words or [], back
        return super().ask()

    def prompt(self, again: bool) -> str:
        *before, prompt = fit_prompt(self._question)
        self.screen.say(before)
        return prompt

    def answer(self, text: str) -> Any:
        return self._read(text.strip())

    def moves(self) -> list[str]:
        return self._words

    def refuse(self, text: str, error: ParlourError) -> None:
        self.remark(sentence(str(error)), "yellow")

    @command("back", "b", help="the question before", when=lambda menu: menu._can_go_back)
    def go_back(self, text: str) -> None:
        self.screen.say([""])
        raise Back

    def _pick(self, question: str, choices: list[MenuItem], *, enter: int | None = None, back: bool = True) -> int:
        """Return the index of the choice."""
        for line in _listed(choices):
            sys.stdout.write(self._with_bold_title(line) + "\n")
        ways_out = [*(["Enter: 1"] if enter == 0 else []), *(["b: back"] if back else []), "q: leave"]

        def read(text: str) -> int | None:
            index = _index_of(text.lower(), choices) if text else enter
            if index is None:
                self._refuse_choice(text, len(choices))
            return index

        numbers = [str(number) for number in range(1, len(choices) + 1)]
        picked: int = self._ask(f"{question} 1-{len(choices)}, {', '.join(ways_out)}: ", read, numbers, back)
        self.screen.say([""])
        return picked

    def _pick_from_many(self, titles: list[str]) -> int:
        """Return the index of the choice, from a list that is shown one screen at a time."""
        room, begin = max(terminal_size()[1] // 2 - 3, 3), 0
        more = True

        def read(text: str) -> int | None:
            if more and text.lower() in ("m", "more", ""):
                return -1
            index = _number_index(text, len(titles))
            if index is None:
                self._refuse_choice(text, len(titles))
            return index

        while True:
            shown = titles[begin : begin + room]
            for number, title in enumerate(shown, begin + 1):
                self.screen.say(_item(number, title))
            more = begin + room < len(titles)
            last = begin + len(shown)
            picked: int = self._ask(
                f"Which one? {begin + 1}-{last},{' m: more,' if more else ''} b: back, q: leave: ", read
            )
            if picked >= 0:
                self.screen.say([""])
                return picked
            begin += room

    def _refuse_choice(self, text: str, choices: int) -> None:
        unknown = f"There is no {clip(text)!r} here. " if text else ""
        self.remark(f"{unknown}Type 1 to {choices}, or ? for help.", "yellow")

    def _with_bold_title(self, line: str) -> str:
        title, colon, rest = line.partition(": ")
        return self.screen.style(title, bold=True) + colon + rest if line[2].isdigit() else line

    def remark(self, text: str, colour: str | None = None) -> None:
        self.screen.say(reflow(text, prose_width()), colour)

    # Texts.

    def _against(self) -> MenuItem:
        if self.opponent == HUMAN:
            return MenuItem("Against a friend", "at this keyboard")
        kind = players.find_kind(self.opponent)
        return MenuItem(f"Against {kind.title}", f"a computer that {kind.about}")

    def _who_begins(self) -> str:
        other = "Your friend begins" if self.opponent == HUMAN else "The computer begins"
        return {"1": "You begin", "2": other, "toss": "A coin decides who begins"}[self.first]


def _has_mistakes() -> bool:
    """Return whether there are mistakes to practise, today or later."""
    from parlour.study import progress_file  # slow to load

    return any(each.due for each in progress_file.peek().mistakes.values())


def _presets(game: Game, own: dict[str, str], *, against_computer: bool) -> list[Preset]:
    """Return the presets of a game, the default first; the book's options are always among them.

    Games that need not end are only for two people, because a computer never resigns.
    """
    endless = [variant for variant in game.content.variants if not _ends(game, variant)]
    as_usual = options_in_words(game.defaults)
    about = f"the book's rules, {as_usual}, so that it ends" if endless else "just as the rule book has it"
    book = Preset("The book's game", about, {})
    hidden = [game.content.quick, *(endless if against_computer else [])]
    others = [_preset(variant) for variant in game.content.variants if variant not in hidden]
    quick = [_preset(game.content.quick)] if game.content.quick else []
    changed = ", ".join(f"{flag(name)} {text}" for name, text in own.items())
    yours = [Preset("Yours", changed, own)] if own else []
    return [*yours, *quick, book, *others]


def _ends(game: Game, variant: Variant) -> bool:
    """Return whether a variant ends without a resignation."""
    return read_rules(game, variant.options).bounds is not None


def _preset(variant: Variant) -> Preset:
    about = "; ".join(filter(None, [variant.character, variant.why]))
    return Preset(variant.title, about, variant.options)


def _unfinished() -> list[tuple[int, Match]]:
    """Return the user's own unfinished games, without those of programs, the newest first."""
    try:
        return [(number, match) for number, match in saves.unfinished() if not saves.is_hidden(number, match)]
    except OSError:
        return []


def _describe(number: int, match: Match) -> str:
    moves = sum(len(round.moves) for round in match.rounds)
    who = f"{match.names[0]} - {match.names[1]}"
    return f"game {number}: {match.game.title}, {who}, {match.standing} after {counted(moves, 'move')}"


def _listed(choices: list[MenuItem]) -> list[str]:
    """Return the lines of the choices, without explanations on a small screen."""
    whole = [line for number, choice in enumerate(choices, 1) for line in _item(number, str(choice))]
    if len(whole) + 7 <= terminal_size()[1]:
        return whole
    return [line for number, choice in enumerate(choices, 1) for line in _item(number, choice.title)]


def _item(number: int, text: str) -> list[str]:
    return wrap(f"{number:>3}  {text}", width(), 3)


def _index_of(word: str, choices: list[MenuItem]) -> int | None:
    """Return the index of the choice that a number or the beginning of a title names."""
    if (index := _number_index(word, len(choices))) is not None:
        return index
    found = [index for index, choice in enumerate(choices) if choice.title.lower().startswith(word)]
    return found[0] if len(found) == 1 else None


def _number_index(text: str, count: int) -> int | None:
    """Return the index for a number from 1 to ``count``, else None."""
    number = read_whole(text)
    return number - 1 if number and number <= count else None
