"""Preferences: what `parlour config` shows and sets, and that no file can keep a game from beginning."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour.record import read_record
from tests.support.command import Run
from tests.support.terminal import Person

Runner = Callable[..., Run]
Terminal = Callable[..., Person]


@pytest.fixture
def file(state: Path) -> Path:
    """Where the file is looked for."""
    return state.parents[2] / "config" / "parlour" / "config.toml"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_nothing_is_set_at_first(run: Runner, file: Path) -> None:
    told = run("config")
    assert (told.code, told.err) == (0, "")
    assert told.out == f"{file} (no such file yet)\n  Nothing is set. For example: parlour config name Ann\n"
    assert not file.exists()
    assert run("config", "name").out == "not set\n"


def test_values_are_set_shown_and_taken_away(run: Runner, file: Path) -> None:
    for key, value in [
        ("name", "Ann"), ("opponent", "level:3"), ("first", "toss"), ("plain", "yes"),
        ("server", "https://parlour.example/"), ("double.limit", "50"), ("spot.max_rounds", "none"),
        ("sequence-builder.increments", "1, 2"),
    ]:  # fmt: skip
        assert run("config", key, value) == Run("", "", 0)
    assert tomllib.loads(file.read_text()) == {
        "name": "Ann",
        "opponent": "level:3",
        "first": "toss",
        "plain": True,
        "server": "https://parlour.example",
        "double-up": {"limit": 50},
        "sequence-spot": {"max-rounds": "none"},
        "sequence-builder": {"increments": "1,2"},
    }
    shown = run("config").out.splitlines()
    assert shown == [
        str(file), "  name = Ann", "  opponent = level:3", "  first = toss", "  plain = true",
        "  server = https://parlour.example", "  double-up.limit = 50", "  sequence-spot.max-rounds = none",
        "  sequence-builder.increments = 1,2",
    ]  # fmt: skip
    assert run("config", "double-up.limit").out == "50\n"
    assert run("config", "double-up.limit", "--unset").code == 0
    assert run("config", "name", "--unset").code == 0
    assert run("config", "double-up.limit").out == "not set\n"
    assert "name" not in tomllib.loads(file.read_text())


def test_everything_else_in_the_file_stays(run: Runner, file: Path) -> None:
    text = '# mine\nname = "Ann"  # that is me\nfuture = [1,\n  2]\n\n[double-up]\nlimit = 50\n\n[other]\nkey = "x"\n'
    write(file, text)
    assert run("config", "double-up.limit", "60").code == 0
    assert file.read_text() == text.replace("50", "60")
    assert run("config", "first", "2").code == 0
    assert file.read_text() == text.replace("50", "60").replace("  2]\n", "  2]\nfirst = 2\n")
    assert run("config", "pyramid.base", "4").code == 0
    assert file.read_text().endswith('key = "x"\n\n[pyramid-challenge]\nbase = 4\n')


INTRICATE = '''# preferences
name = "Ann"  # that is me
notes = """
name = 5
[double-up]
limit = 7
"""

[double-up] # the short one
limit = 50   # as at school
# the end
'''


def test_comments_stay_and_text_in_long_strings_is_not_edited(run: Runner, file: Path) -> None:
    write(file, INTRICATE)
    assert run("config", "name", "Bob").code == 0
    assert run("config", "double-up.limit", "60").code == 0
    edited = INTRICATE.replace('"Ann"', '"Bob"').replace("limit = 50", "limit = 60")
    assert file.read_text() == edited
    assert run("config", "name", "--unset").code == 0
    assert file.read_text() == edited.replace('name = "Bob"  # that is me\n', "")
    file.write_bytes(b'# Windows\r\nname = "Ann"\r\n')
    assert run("config", "name", "Bob").code == 0
    assert file.read_bytes() == b'# Windows\r\nname = "Bob"\r\n'


@pytest.mark.parametrize("text", ["double-up = {limit = 50} # one line\n", "double-up.limit = 50 # dotted\n"])
def test_options_can_be_written_in_other_ways(run: Runner, file: Path, text: str) -> None:
    write(file, text)
    assert run("config", "double-up.limit", "60").code == 0
    assert file.read_text() == text.replace("50", "60")


def test_a_section_under_a_short_name_is_edited_where_it_is(run: Runner, file: Path) -> None:
    write(file, "[spot]\nmax_rounds = 3 # enough\n")
    assert run("config", "sequence-spot.max-rounds", "none").code == 0
    assert file.read_text() == '[spot]\nmax_rounds = "none" # enough\n'


def test_what_an_edit_would_destroy_is_left_to_an_editor(run: Runner, file: Path) -> None:
    text = '[name]\nof = "a section"\n'
    write(file, text)
    told = run("config", "name", "Ann")
    assert told.code in (0, 2)
    assert (tomllib.loads(file.read_text())["name"] == "Ann") if told.code == 0 else (file.read_text() == text)


def test_only_what_is_known_or_there_can_be_unset(run: Runner, file: Path) -> None:
    told = run("config", "bogus", "--unset")
    assert (told.code, told.out) == (2, "")
    assert "unknown key 'bogus'" in told.err
    told = run("config", "double-up.limt", "--unset")
    assert (told.code, told.out) == (2, "")
    assert "unknown option 'limt' (did you mean 'limit'?)" in told.err
    assert "unknown game 'chess'" in run("config", "chess.board", "--unset").err
    assert not file.exists()
    assert run("config", "name", "--unset").code == 0
    write(file, 'bogus = 1\nname = "Ann"\n[double-up]\nlimt = 5\n')
    assert run("config", "bogus", "--unset").code == 0
    assert run("config", "double-up.limt", "--unset").code == 0
    assert file.read_text() == 'name = "Ann"\n[double-up]\n'


def test_a_section_in_double_brackets(run: Runner, file: Path) -> None:
    text = "# mine\n[[double-up]]\nlimit = 5\n"
    write(file, text)
    said = "the options of this game belong in one section with single brackets: [double-up]"
    assert run("config").err == f"parlour: {file}: line 2, double-up: {said}; it is not used\n"
    assert run("config", "double-up.limit", "6").err == f"parlour: {said}\n"
    assert file.read_text() == text
    assert "name one of its options, like double-up.limit" in run("config", "double-up", "6").err


def test_quotes_and_other_scripts(run: Runner, file: Path) -> None:
    for name in ('The "Ace" \\', "Zoë 王"):
        assert run("config", "name", name).code == 0
        assert tomllib.loads(file.read_text())["name"] == name
        assert run("config", "name").out == f"{name}\n"


@pytest.mark.parametrize(("arguments", "said"), [
    (("nmae", "Ann"), "unknown key 'nmae' (did you mean 'name'?); known keys: name, "),
    (("name", ""), "bad name ''"),
    (("name", "Player 2"), "'Player 2' is what the other player is called"),
    (("opponent", "levle:2"), "unknown player 'levle:2' (did you mean 'level:2'?)"),
    (("first", "me"), "bad first 'me'; allowed: 1, 2 or toss"),
    (("plain", "perhaps"), "bad plain 'perhaps'; allowed: true or false"),
    (("server", "parlour.example"), "bad server 'parlour.example'; an address is needed"),
    (("double-up.limit", "1"), "bad limit '1'; allowed: a number from 2 to 1000000, or none"),
    (("double-up.limt", "9"), "unknown option 'limt' (did you mean 'limit'?); known options: limit"),
    (("duoble-up.limit", "9"), "unknown game 'duoble-up' (did you mean 'double-up'?)"),
    (("increasing.length", "30"), "length 30 needs a range of at least 30"),
    (("name", "Ann", "--unset"), "use either a value or --unset"),
])  # fmt: skip
def test_a_value_that_will_not_do_is_refused_and_changes_nothing(
    run: Runner, file: Path, arguments: tuple[str, ...], said: str
) -> None:
    told = run("config", *arguments)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert said in told.err
    assert not file.exists()


BAD_FILES = {
    "no TOML": ('name = "Ann\n', "this is not TOML: ", "line 1"),
    "an unknown key": ('\nnmae = "Ann"\n', "unknown key 'nmae' (did you mean 'name'?)", "line 2, nmae"),
    "a wrong kind": ("name = [1]\nopponent = 3\n", "unknown player '3'", "line 2, opponent"),
    "a bad option": ("[double-up]\nlimit = 1\n", "bad limit '1'", "line 2, double-up.limit"),
    "options that make no game": (
        "# sizes\n[increasing-differences]\nlength = 9\nrange = 8\n",
        "length 9 needs a range of at least 9",
        "line 2, [increasing-differences]",
    ),
    "a game nobody knows": ("[chess]\nboard = 8\n", "unknown game 'chess'", "line 1, [chess]"),
    "a line after a long string": ('notes = """\nopponent = 1\n"""\nopponent = 3\n', "'3'", "line 4, opponent"),
    "an endless name": (f'name = "{"x" * 99}"\n', "at most 30 characters", "line 1, name"),
    "control characters": ('name = "a\\u001b[31m"\n', "control characters do not show", "line 1, name"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_one_line_and_the_game_begins(terminal: Terminal, run: Runner, file: Path, case: str) -> None:
    text, said, where = BAD_FILES[case]
    write(file, text)
    told = run("config")
    assert told.code == 0
    assert f"parlour: {file}: " in told.err
    assert said in told.err
    assert where in told.err
    assert told.err.endswith("; it is not used\n")
    assert all(character.isprintable() or character == "\n" for character in told.err)
    person = terminal("play", "double-up", "--limit", "10", columns=200)
    person.sees("it is not used")
    assert "resume 1" in person.leaves("quit\r")[0]


def test_no_text_at_all_and_a_folder_in_its_place(run: Runner, file: Path) -> None:
    write(file, "")
    file.write_bytes(b"name = \xff\n")
    assert "this is not text in UTF-8; it is not used" in run("config").err
    file.unlink()
    file.mkdir()
    assert "it cannot be read: Is a directory; it is not used" in run("config").err
    assert "Is a directory" in run("config", "name", "Ann").err


def test_a_bad_file_is_not_written_over(run: Runner, file: Path) -> None:
    write(file, 'name = "Ann\n')
    told = run("config", "name", "Bob")
    assert told.code == 1
    assert "fix the file in an editor first" in told.err
    assert file.read_text() == 'name = "Ann\n'


def test_the_file_counts_at_a_terminal_and_the_command_line_counts_more(
    terminal: Terminal, file: Path, state: Path
) -> None:
    write(file, 'name = "Ann"\nopponent = "random"\nfirst = 2\n[double-up]\nlimit = 50\n')
    person = terminal("play", "double-up")
    person.sees("turn")
    person.leaves("quit\r")
    setup = read_record((state / "1.parlour").read_text()).setup
    assert (setup.names[0], setup.players, setup.options, setup.first) == ("Ann", ("human", "random"), (50,), 2)
    person = terminal("play", "double-up", "--limit", "60", "--p2", "human", "--name1", "Eve", "--first", "1")
    person.sees("Eve's turn")
    person.leaves("quit\r")
    setup = read_record((state / "2.parlour").read_text()).setup
    assert (setup.names[0], setup.players, setup.options, setup.first) == ("Eve", ("human", "human"), (60,), 1)


@pytest.mark.parametrize(
    ("preferences", "arguments", "names", "players", "first"),
    [
        ('friend = "Bob"', ["--p2", "level:2"], ("Ann", "Computer"), ("human", "level:2"), 1),
        ('friend = "Bob"', [], ("Ann", "Bob"), ("human", "human"), 1),
        ('friend = "Bob"\nopponent = "random"', ["--p2", "human"], ("Ann", "Bob"), ("human", "human"), 1),
        ('friend = "Bob"\nopponent = "random"', [], ("Ann", "Computer"), ("human", "random"), 1),
        ('opponent = "level:2"', ["--p1", "random"], ("Computer", "Ann"), ("random", "human"), 1),
        ('friend = "Bob"\nfirst = 1', ["--p1", "random"], ("Computer", "Ann"), ("random", "human"), 2),
        ('opponent = "level:2"', ["--p1", "random", "--name2", "Eve"], ("Computer", "Eve"), ("random", "human"), 1),
        ('friend = "Bob"', ["--p1", "random", "--p2", "level:1"], ("Player 1", "Player 2"), ("random", "level:1"), 1),
    ],
)
def test_people_have_their_names_and_computers_have_not(
    preferences: str,
    arguments: list[str],
    names: tuple[str, str],
    players: tuple[str, str],
    first: int,
    terminal: Terminal,
    file: Path,
    state: Path,
) -> None:
    write(file, f'name = "Ann"\n{preferences}\n')
    person = terminal("play", "double-up", "--limit", "5", *arguments)
    if "human" in players:
        person.sees("turn")
        person.leaves("quit\r")
    else:
        person.leaves()
    setup = read_record((state / "1.parlour").read_text()).setup
    assert (setup.names, setup.players, setup.first) == (names, players, first)


def test_a_program_gets_the_same_game_everywhere(run: Runner, file: Path, state: Path) -> None:
    write(file, 'name = "Ann"\nopponent = "random"\nnmae = 1\n[double-up]\nlimit = 50\n')
    told = run("play", "double-up", stdin="2\n")
    assert "unknown key" not in told.err
    setup = read_record((state / "1.parlour").read_text()).setup
    assert (setup.names[0], setup.players, setup.options) == ("Player 1", ("human", "human"), (100,))
