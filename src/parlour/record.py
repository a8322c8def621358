"""Records: a match as text, with tags, an empty line, and one line for each action.

::

    [Parlour "1"]
    [Game "sequence-builder"]
    [Version "1"]
    [Options "length=4 pool=20 increments=1,2,3"]
    [Player1 "Alice"]
    [Player2 "Bob"]
    [Chooser1 "human"]
    [Chooser2 "human"]
    [First "1"]
    [Seed "7"]
    [Date "2026-11-15T19:00:00Z"]
    [Result "*"]

    1. 5
    2. 6
    3. 7
    undo
    3. 8
    resign 2

Moves are numbered within their round. ``undo`` takes back the last action in effect, ``deal`` begins the next round,
and ``resign`` and ``forfeit`` name the player. The optional tags ``Deal`` and ``Rounds`` have the first deal and the
maximum number of rounds; ``[Strict "yes"]`` marks a game without hints and undo. The reader replays every line through
the referee, so it accepts legal games only.
"""

from __future__ import annotations

from parlour import catalog
from parlour.errors import BadRecord, ParlourError
from parlour.game import Game, P
from parlour.match import DEAL, FORFEIT, MOVE, RESIGN, UNDO, Action, Match, check_match
from parlour.names import check_name, check_names
from parlour.notation import read_number
from parlour.options import O, left_to_chance, read_options, read_whole, read_words, show_options, show_words
from parlour.outcome import UNFINISHED, result_of
from parlour.rules import Rules, read_rules
from parlour.setup import Setup
from parlour.text import clip
from parlour.view import PlayerNumber

RECORD_FORMAT = "1"
MAX_RECORD_LENGTH = 2_000_000  # characters of an imported record and bytes of its file
MAX_RECORD_LINES = 10_000
REQUIRED = (
    "Parlour",
    "Game",
    "Version",
    "Options",
    "Player1",
    "Player2",
    "Chooser1",
    "Chooser2",
    "First",
    "Seed",
    "Date",
    "Result",
)
OPTIONAL = ("Deal", "Rounds", "Strict")
STRICT = "yes"  # the only value of the tag Strict


def show_action(match: Match[O, P], action: Action[O], number: int) -> str:
    """Return the line of an action; ``number`` is the number of its move within the round."""
    if action.kind == MOVE:
        return f"{number}. {match.rules.name(action.move)}"
    if action.kind in (RESIGN, FORFEIT):
        return f"{action.kind} {action.player}"
    if action.options is not None:
        return f"deal {show_words(action.options, match.setup.options)}".rstrip()
    return "undo"


def lines(match: Match[O, P], since: int = 0) -> list[str]:
    """Return the lines of all actions, or of those after the first ``since``."""
    shown: list[str] = []
    numbers = [0]  # the number of moves in the round, after each action in effect
    for at, action in enumerate(match.log):
        if action.kind == UNDO:
            numbers.pop()
        else:
            numbers.append(numbers[-1] + 1 if action.kind == MOVE else 0 if action.kind == DEAL else numbers[-1])
        if at >= since:
            shown.append(show_action(match, action, numbers[-1]))
    return shown


def write_record(match: Match[O, P]) -> str:
    """Return the record of a match.

    Raises:
        BadArgument: this is not a match.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=20, seed=7)
    >>> match.play_line("2 4 8")
    >>> print(parlour.write_record(match))
    [Parlour "1"]
    [Game "double-up"]
    ...
    1. 2
    2. 4
    3. 8
    <BLANKLINE>
    """
    return "\n".join([head(check_match(match)), *lines(match)]) + "\n"


def head(match: Match[O, P]) -> str:
    """Return the tags of a match's record."""
    setup = match.setup
    deal = show_words(match.rounds[0].options, setup.options)
    tags = {
        "Parlour": RECORD_FORMAT,
        "Game": setup.game.key,
        "Version": str(setup.game.version),
        "Options": show_words(setup.options),
        **({"Deal": deal} if deal else {}),
        **({"Rounds": str(setup.cap)} if setup.cap is not None else {}),
        "Player1": setup.names[0],
        "Player2": setup.names[1],
        "Chooser1": setup.players[0],
        "Chooser2": setup.players[1],
        "First": str(setup.first),
        "Seed": setup.seed,
        "Date": setup.date,
        **({"Strict": STRICT} if setup.strict else {}),
        "Result": result_of(match.outcome),
    }
    return "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())


def read_record(text: str) -> Match:
    """Return the match in a record.

    Raises:
        BadRecord: the record is invalid or too long; the message names the line.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=20)
    >>> match.play_line("2 4 8")
    >>> parlour.read_record(parlour.write_record(match)).rounds == match.rounds
    True
    """
    if not isinstance(text, str):
        raise BadRecord(f"a record is a text, not {clip(repr(text))}")
    check_length(text)
    return replay_record(text)


def check_length(text: str) -> None:
    """Raise BadRecord if a text is too long for a record."""
    if len(text) > MAX_RECORD_LENGTH:
        raise BadRecord(f"the record is too long; at most {MAX_RECORD_LENGTH:,} characters")
    if (count := text.count("\n")) > MAX_RECORD_LINES:
        raise BadRecord(f"the record is too long: it has {count:,} lines; at most {MAX_RECORD_LINES:,}")


def replay_record(text: str) -> Match:
    """Return the match in a trusted record, like ``read_record`` but without a maximum length."""
    match, damage = read_beginning(text)
    if damage is not None:
        raise BadRecord(damage)
    return match


def read_beginning(text: str) -> tuple[Match, str | None]:
    """Return the match up to the first invalid line of a record, and the error in that line or None.

    Raises:
        BadRecord: the tags are invalid.
    """
    text_lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    tags, end = _read_tags(text_lines)
    match = _set_up(tags)
    for at, line in enumerate(text_lines[end:], end + 1):
        if line.strip():
            try:
                repeat_line(match, line.strip())
            except ParlourError as error:
                return match, f"line {at}: {error}"
    found = result_of(match.outcome)
    result, at = tags["Result"]
    if result not in (found, UNFINISHED):
        return match, f"line {at}: the result is given as {clip(result)!r}, but the moves lead to {found!r}"
    return match, None


def _read_tags(lines: list[str]) -> tuple[dict[str, tuple[str, int]], int]:
    """Return the tags with their line numbers, and the index of the first line after them."""
    tags: dict[str, tuple[str, int]] = {}
    end = 0
    while end < len(lines) and lines[end].strip():
        tag = _read_tag(lines[end].strip())
        at = end + 1
        if tag is None:
            what = "this is not a Parlour record" if end == 0 else 'a tag looks like [Name "value"]'
            raise BadRecord(f"line {at}: {what}, found {clip(lines[end])!r}")
        # check_name checks names: some scripts need characters that are not printable.
        name, value = tag
        if not name.startswith("Player") and not lines[end].strip().isprintable():
            raise BadRecord(f"line {at}: there are control characters in {clip(lines[end])!r}")
        if end == 0 and name != "Parlour":
            raise BadRecord(f"line 1: this is not a Parlour record, it begins with the tag {name[:20]!r}")
        if end == 0 and value != RECORD_FORMAT:
            raise BadRecord(
                f"line 1: record format {clip(value)!r} is unknown; this Parlour reads format {RECORD_FORMAT}"
            )
        if name not in REQUIRED + OPTIONAL:
            raise BadRecord(f"line {at}: unknown tag {name[:20]!r}")
        if name in tags:
            raise BadRecord(f"line {at}: tag {name} is repeated")
        tags[name] = value, at
        end += 1
    missing = [name for name in REQUIRED if name not in tags]
    if missing:
        raise BadRecord(
            f"line {end + 1}: "
            + ("this is not a Parlour record, it is empty" if not tags else f"tag {missing[0]} is missing")
        )
    return tags, end


def _set_up(tags: dict[str, tuple[str, int]]) -> Match:
    """Return the new match that the tags describe."""

    def refuse(name: str, reason: object) -> BadRecord:
        return BadRecord(f"line {tags[name][1]}: {reason}")

    def value(name: str) -> str:
        return tags[name][0]

    if value("Game") not in catalog.keys():
        raise refuse("Game", f"unknown game {clip(value('Game'))!r}; known games: {', '.join(catalog.keys())}")
    game = catalog.find_game(value("Game"))
    if value("Version") != str(game.version):
        version = clip(value("Version"))
        raise refuse(
            "Version", f"made under version {version!r} of the rules; this Parlour knows version {game.version}"
        )
    if value("First") not in ("1", "2"):
        raise refuse("First", f"{clip(value('First'))!r} is not a player: 1 or 2")
    cap = None
    if "Rounds" in tags:
        cap = read_number(value("Rounds")) or 0
        if cap == 0 or value("Rounds") != str(cap):
            raise refuse("Rounds", f"{clip(value('Rounds'))!r} is not a number of rounds")
    if "Strict" in tags and value("Strict") != STRICT:
        raise refuse("Strict", f"{clip(value('Strict'))!r} is unknown here; a strict game has {STRICT!r}")
    try:
        options = read_rules(game, read_words(value("Options"))).options
    except ParlourError as error:
        raise refuse("Options", error) from None
    names = (value("Player1"), value("Player2"))
    try:
        check_name(names[0])
    except ParlourError as error:
        raise refuse("Player1", error) from None
    try:
        check_names(names)
    except ParlourError as error:
        raise refuse("Player2", error) from None
    players = (value("Chooser1"), value("Chooser2"))
    strict = "Strict" in tags
    first: PlayerNumber = 1 if value("First") == "1" else 2
    setup = Setup(Rules(game, options), names, players, first, value("Seed"), cap, value("Date"), strict)
    try:
        return Match(setup, _read_deal(game, options, tags["Deal"][0] if "Deal" in tags else ""))
    except ParlourError as error:
        raise refuse("Deal" if "Deal" in tags else "Options", error) from None


def repeat_line(match: Match[O, P], line: str) -> None:
    """Apply the action of a line; ParlourError if it is invalid."""
    word, _, rest = line.partition(" ")
    if line == "undo":
        match.undo()
    elif word in (RESIGN, FORFEIT) and rest in ("1", "2"):
        match.resign(1 if rest == "1" else 2, forfeit=word == FORFEIT)
    elif word == "deal":
        match.next_round(_read_deal(match.game, match.setup.options, rest))
    elif word.endswith(".") and (given := read_whole(word[:-1])) is not None and rest.split() == [rest]:
        number = len(match.round.moves) + 1
        if given != number:
            raise BadRecord(f"move {number} is expected here, found {clip(line)!r}")
        match.play(match.read(rest))
    else:
        raise BadRecord(f"unreadable line {clip(line)!r}; known are '1. MOVE', 'undo', 'deal' and 'resign 1'")


def _read_deal(game: Game[O, P], options: O, words: str) -> O:
    """Return the options with a deal; BadRecord if the deal sets other options or leaves one out."""
    texts = read_words(words)
    foreign = sorted(set(texts) - set(left_to_chance(game.options)))
    if foreign:
        raise BadRecord(f"{clip(foreign[0])!r} is nothing that is dealt")
    known = {name: text for name, text in show_options(options).items() if text}
    dealt = Rules(game, read_options(game.options, known | texts)).options
    if not all(show_options(dealt).values()):
        raise BadRecord("what was dealt is missing")
    return dealt


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _read_tag(line: str) -> tuple[str, str] | None:
    """Return the name and the value of a tag; None if the line is not a tag."""
    before, _, after = line.partition(' "')
    name = before.removeprefix("[")
    if name == before or not (name.isascii() and name.isalnum()) or not after.endswith('"]'):
        return None
    parts = after.removesuffix('"]').split("\\\\")  # between escaped backslashes
    if any(character in part.replace('\\"', "") for part in parts for character in '"\\'):
        return None
    return name, "\\".join(part.replace('\\"', '"') for part in parts)
