"""``parlour`` alone at a terminal: pick a game and play, with a way back at every question."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from parlour import catalog, players, saves
from parlour.cli import preferences
from parlour.cli.playing import Manner, MenuWanted, play_new, play_on, set_up
from parlour.errors import GameInUse, ParlourError
from parlour.game import Game, Variant
from parlour.match import Match
from parlour.names import DEFAULT_NAMES
from parlour.options import flag, options_in_words
from parlour.players import HUMAN
from parlour.rules import read_rules
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.lesson import teach
from parlour.terminal.narration import COMPUTER
from parlour.terminal.pager import pager
from parlour.terminal.screen import Screen, fit_prompt, reflow, terminal_size, width, wrap
from parlour.text import clip, counted, sentence

USUAL_OPPONENT = "level:2"  # for whoever has not chosen one: gentle, but no fool


class Back(Exception):
    """Somebody wants to see the question before this one."""


class MenuItem(NamedTuple):
    """One line to choose."""

    title: str
    about: str = ""  # left out where the screen is too small for all of it

    def __str__(self) -> str:
        return f"{self.title}: {self.about}" if self.about else self.title


DAILY = MenuItem("Puzzle of the day", "the same for everybody, easy on Monday, hard on Sunday")
PUZZLES = MenuItem("Puzzles", "find the one right move; they get harder as you get better")
PRACTISE = MenuItem("Your mistakes", "the turning points of your own games, until you know them")
MASTER = MenuItem("Master it", "an exam, and a proof that nobody can beat you")


class Way(NamedTuple):
    """A way to play a game."""

    title: str
    why: str
    options: dict[str, str]


def menu() -> int:
    """The exit code of the command."""
    found = preferences.load()
    found.complain()
    return _Menu(found).run()


def _first_offered() -> str:
    words = [kind.word for kind in players.offered()]
    return USUAL_OPPONENT if USUAL_OPPONENT in words else words[0]


class _Menu:
    """The questions, and what was answered."""

    def __init__(self, preferences: preferences.Preferences) -> None:
        self.keyboard, self.screen = Keyboard(), Screen()
        self.own_options = preferences.options
        # The answers so far; they last until the menu is left.
        self.opponent = preferences.opponent or _first_offered()  # the word of a player
        self.first = preferences.first or "1"  # "1", "2" or "toss"
        self.name, self.friend = preferences.name, preferences.friend  # None: not asked yet
        self.plain = bool(preferences.plain)

    def run(self) -> int:
        self.screen.say(["Parlour: number games for two", ""], bold=True)
        try:
            while True:
                code = self._choose_game()
                if code is not None:
                    return code
        except Quit as left:
            return left.exit_code

    # The questions. Each answers with the exit code of a game after which nobody wants to go on; None: ask again.

    def _choose_game(self) -> int | None:
        games = catalog.list_games()
        choices = [MenuItem(game.title, game.content.summary) for game in games]
        unfinished = _unfinished()
        if len(unfinished) == 1:
            choices.append(MenuItem(f"Go on with {_described(*unfinished[0])}"))
        elif unfinished:
            choices.append(MenuItem("Go on with an unfinished game", f"there are {len(unfinished)}"))
        choices += [DAILY, PUZZLES, *([PRACTISE] if _has_mistakes() else [])]
        try:
            picked = self._pick("Which game?", choices, back=False)
            if picked < len(games):
                return self._at_the_door(games[picked])
            if choices[picked] in (DAILY, PUZZLES, PRACTISE):
                self._solve(choices[picked])
                return None
            return self._go_on(unfinished)
        except (Back, MenuWanted):
            return None

    def _solve(self, wanted: MenuItem) -> None:
        from parlour.terminal.puzzles import practise_due, solve_daily, solve_puzzles  # loads the archive

        if wanted == DAILY:
            solve_daily(date.today(), self.keyboard)
        elif wanted == PRACTISE:
            practise_due(self.keyboard)
        else:
            solve_puzzles(None, None, keyboard=self.keyboard)
        self.screen.say([""])

    def _go_on(self, unfinished: list[tuple[int, Match]]) -> int | None:
        number = unfinished[0][0]
        if len(unfinished) > 1:
            number = unfinished[self._pick_from_many([_described(*game) for game in unfinished])][0]
        try:
            return play_on(number, Manner(plain=self.plain))[1]
        except GameInUse as error:
            self._remark(sentence(str(error)), "yellow")
            return None

    def _at_the_door(self, game: Game) -> int:
        """One game: play it in one of its ways, change against whom or who begins, learn it, read its rules."""
        while True:
            ways = _ways(game, self.own_options.get(game.key, {}), against_computer=self.opponent != HUMAN)
            plays = [MenuItem(way.title, way.why) for way in ways]
            self.screen.say([game.title], bold=True)
            self._remark(game.content.summary)
            others: list[tuple[MenuItem, Callable[[], None]]] = [
                (self._against(), self._choose_opponent),
                (MenuItem(self._who_begins(), "choose who does"), self._choose_first),
                (MenuItem("Rules", "read them all"), lambda: self._read_rules(game)),
            ]
            if game.content.lesson is not None:
                learn = MenuItem("Learn it", "a first game of two minutes that explains itself")
                others.insert(2, (learn, lambda: self._learn(game)))
            if game.content.exams:
                others.append((MASTER, lambda: self._master(game)))
            picked = self._pick("Which one?", [*plays, *(choice for choice, _ in others)], enter=0)
            try:
                if picked >= len(ways):
                    others[picked - len(ways)][1]()
                else:
                    return self._play(game, ways[picked])
            except Back:
                continue

    def _read_rules(self, game: Game) -> None:
        with pager(below=2) as shown:
            self._remark(game.content.rules_text)
        self.screen.say([""])
        if not shown.paged:  # or the menu would push the rules off the screen
            self._read("Enter: back, q: leave: ")

    def _learn(self, game: Game) -> None:
        if game.content.lesson is not None:
            teach(game, game.content.lesson, self.keyboard)
            self.screen.say([""])

    def _master(self, game: Game) -> None:
        from parlour.terminal.exam import offer_exams  # loads the archive

        offer_exams(game, self.name or "You", keyboard=self.keyboard)
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

    def _play(self, game: Game, way: Way) -> int:
        """Play until nobody wants to go on; MenuWanted if it is to be another game."""
        words, names, first = (HUMAN, self.opponent), self._names(), self.first
        setup = set_up(game.key, way.options, words, names, first)
        return play_new(setup, Manner(plain=self.plain, tossed=first == "toss"))[1]

    def _names(self) -> tuple[str, str]:
        if self.name is None:
            self.name = self._ask_name("What is your name?", DEFAULT_NAMES[0], "name")
        name = self.name
        if self.opponent != HUMAN:
            title = players.find_kind(self.opponent).title
            return name, COMPUTER if name.casefold() != COMPUTER.casefold() else title
        usual = self.friend or DEFAULT_NAMES[1]
        while True:
            self.friend = self._ask_name("And your friend's?", usual, "friend")
            if self.friend.casefold() != name.casefold():
                return name, self.friend
            self._remark("You cannot both be called that.", "yellow")
            usual = DEFAULT_NAMES[1]

    def _ask_name(self, question: str, usual: str, key: str) -> str:
        """Ask for a name and remember it in the configuration; Enter takes the usual one and stores nothing."""
        while True:
            name = self._read(f"{question} Enter: {usual}, b: back: ")
            if not name:
                return usual
            try:
                preferences.keep(key, name)
            except ParlourError as error:
                self._remark(sentence(str(error)), "yellow")
                continue
            except (OSError, ValueError):  # it cannot be remembered, and counts all the same
                pass
            return name

    # How they are asked.

    def _read(self, prompt: str, words: list[str] | None = None) -> str:
        """What was typed; Back or Quit where that is what it says."""
        *before, prompt = fit_prompt(prompt)
        self.screen.say(before)
        answer = self.keyboard.read_line(prompt, lambda: words or [])
        word = (answer or "").strip()
        if answer is None or word.lower() in ("q", "quit", "exit"):
            raise Quit(0)
        if word.lower() in ("b", "back"):
            self.screen.say([""])
            raise Back
        return word

    def _pick(self, question: str, choices: list[MenuItem], *, enter: int | None = None, back: bool = True) -> int:
        """The place of the choice in the list."""
        for line in _listed(choices):
            sys.stdout.write(self._with_bold_title(line) + "\n")
        ways_out = [*(["Enter: 1"] if enter == 0 else []), *(["b: back"] if back else []), "q: leave"]
        prompt = f"{question} 1-{len(choices)}, {', '.join(ways_out)}: "
        while True:
            word = self._read(prompt, [str(n) for n in range(1, len(choices) + 1)]).lower()
            found = enter if not word else _meant(word, choices)
            if found is not None:
                self.screen.say([""])
                return found
            self._remark(f"{clip(word)!r} is none of these; type a number from 1 to {len(choices)}.", "yellow")

    def _pick_from_many(self, titles: list[str]) -> int:
        """The place of the choice, a screen at a time."""
        room, begin = max(terminal_size()[1] // 2 - 3, 3), 0
        while True:
            shown = titles[begin : begin + room]
            for number, title in enumerate(shown, begin + 1):
                self.screen.say(_item(number, title))
            more = begin + room < len(titles)
            word = self._read(
                f"Which one? {begin + 1}-{begin + len(shown)},{' m: more,' if more else ''} b: back, q: leave: "
            )
            if more and word.lower() in ("m", "more", ""):
                begin += room
            elif word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= len(titles):
                self.screen.say([""])
                return int(word) - 1
            else:
                self._remark(f"{clip(word)!r} is none of these; type a number.", "yellow")

    def _with_bold_title(self, line: str) -> str:
        title, colon, rest = line.partition(": ")
        return self.screen.style(title, bold=True) + colon + rest if line[2].isdigit() else line

    def _remark(self, text: str, colour: str | None = None) -> None:
        self.screen.say(reflow(text, min(width(), 80)), colour)

    # In words.

    def _against(self) -> MenuItem:
        if self.opponent == HUMAN:
            return MenuItem("Against a friend", "at this keyboard")
        kind = players.find_kind(self.opponent)
        return MenuItem(f"Against {kind.title}", f"a computer that {kind.about}")

    def _who_begins(self) -> str:
        other = "Your friend begins" if self.opponent == HUMAN else "The computer begins"
        return {"1": "You begin", "2": other, "toss": "A coin decides who begins"}[self.first]


def _has_mistakes() -> bool:
    """Whether there is something to practise, today or later."""
    from parlour.study import progress_file  # only whoever is asked needs it

    return any(each.due for each in progress_file.glance().mistakes.values())


def _ways(game: Game, own: dict[str, str], *, against_computer: bool) -> list[Way]:
    """Return the ways to play a game, the one that Enter begins first; the book's is always among them.

    A game that need not end is for two people only: a computer never resigns.
    """
    endless = [variant for variant in game.content.variants if not _ends(game, variant)]
    as_usual = options_in_words(game.defaults)
    about = f"the book's rules, {as_usual}, so that it ends" if endless else "just as the rule book has it"
    book = Way("The book's game", about, {})
    hidden = [game.content.quick, *(endless if against_computer else [])]
    others = [_way(variant) for variant in game.content.variants if variant not in hidden]
    quick = [_way(game.content.quick)] if game.content.quick else []
    yours = [Way("Yours", ", ".join(f"{flag(name)} {text}" for name, text in own.items()), own)] if own else []
    return [*yours, *quick, book, *others]


def _ends(game: Game, variant: Variant) -> bool:
    """Return whether a variant ends without a resignation."""
    return read_rules(game, variant.options).bounds is not None


def _way(variant: Variant) -> Way:
    about = "; ".join(filter(None, [variant.character, variant.why]))
    return Way(variant.title, about, variant.options)


def _unfinished() -> list[tuple[int, Match]]:
    """The games to go on with, the newest first: your own, not those of programs."""
    try:
        return [(number, match) for number, match in saves.unfinished() if not saves.is_aside(number, match)]
    except OSError:
        return []


def _described(number: int, match: Match) -> str:
    moves = sum(len(round.moves) for round in match.rounds)
    who = f"{match.names[0]} - {match.names[1]}"
    return f"game {number}: {match.game.title}, {who}, {match.standing} after {counted(moves, 'move')}"


def _listed(choices: list[MenuItem]) -> list[str]:
    """The choices with their numbers; without what is said about them where the screen has no room for that."""
    whole = [line for number, choice in enumerate(choices, 1) for line in _item(number, str(choice))]
    if len(whole) + 7 <= terminal_size()[1]:
        return whole
    return [line for number, choice in enumerate(choices, 1) for line in _item(number, choice.title)]


def _item(number: int, text: str) -> list[str]:
    return wrap(f"{number:>3}  {text}", width(), 3)


def _meant(word: str, choices: list[MenuItem]) -> int | None:
    """The choice that a number or the beginning of a title names."""
    if word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= len(choices):
        return int(word) - 1
    begins = [place for place, choice in enumerate(choices) if choice.title.lower().startswith(word)]
    return begins[0] if len(begins) == 1 else None
