"""The pages of the documentation: what they name exists, and what they list is complete.

``tests/system/test_docs.py`` runs the commands that the pages show.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import pytest

import parlour
from parlour import catalog
from parlour.cli import COMMANDS
from parlour.cli import parlour as command_line
from parlour.documents.events import TableEvent
from parlour.errors import ParlourError
from parlour.rules import Rules
from parlour.terminal.game import GameSession
from parlour.terminal.session import unlisted
from tests.support import ROOT
from tests.support.command import run_parlour
from tests.support.docs import DOCS, PAGES, Block, agree, blocks, code, prose, section, table
from tests.support.errors import status_by_code, tree

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
TARGETS = {
    name for line in re.findall(r"^([a-z -]+):", (ROOT / "Makefile").read_text(), re.MULTILINE) for name in line.split()
}

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def test_the_comparison_itself_is_strict() -> None:
    assert agree(["a", "b"], ["a", "b"])
    assert agree(["a", "b"], ["a  ", "b", ""])
    assert agree(["a", "..."], ["a"])
    assert agree(["a", "..."], ["a", "b", "c"])
    assert agree(["a", "...", "d"], ["a", "b", "c", "d"])
    assert agree(["...", "d"], ["d"])
    assert agree(["[17, 18, ..., 32]"], ["[17, 18, ..., 32]"])
    assert agree([], [])
    assert not agree([], ["a"])
    assert not agree(["a"], [])
    assert not agree(["a"], ["a", "b"])
    assert not agree(["a", "b"], ["a"])
    assert not agree(["a", "b"], ["a", "", "b"])
    assert not agree(["a", "...", "d"], ["a", "b", "c"])
    assert not agree(["[17, 18, ..., 32]"], ["[17, 18, 19, 32]"])
    assert not agree(["a.c"], ["abc"])


@every_page
def test_commands_are_shown_nowhere_else(page: Path) -> None:
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        assert block.language in ("console", "python", "text", "sh"), f"{where}: language {block.language!r}"
        assert block.language == "console" or not re.search(r"^\$ ", block.text, re.MULTILINE), (
            f"{where}: commands stand in console blocks, where they are run"
        )


# What is named exists.


def option_names(command: click.Command) -> set[str]:
    context = click.Context(command, **command.context_settings)
    return {name for parameter in command.get_params(context) for name in parameter.opts if name.startswith("-")}


def commands() -> dict[str, click.Command]:
    """Every command by the words that call it."""
    context = click.Context(command_line)
    found: dict[str, click.Command] = {"": command_line}
    for name in COMMANDS:
        command = command_line.get_command(context, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            for key in command.list_commands(context):
                inner = command.get_command(context, key)
                assert inner is not None
                found[f"{name} {key}"] = inner
    return found


CALLED = commands()
OPTIONS = {option for command in CALLED.values() for option in option_names(command)}


def complaint(call: str, own_games: set[str]) -> str | None:
    """What is wrong with a call of parlour in the prose, if anything."""
    words = re.split(r" [|<>;&]", call)[0].replace("[", " ").replace("]", " ").split()[1:]
    name = words.pop(0) if words and not words[0].startswith("-") else ""
    if name not in CALLED:
        return f"there is no command {name!r}"
    allowed = option_names(CALLED[name])
    if isinstance(CALLED[name], click.Group) and name and words and not words[0].startswith("-"):
        game = words.pop(0)
        if game in own_games:
            return None
        if game == "GAME":
            allowed = OPTIONS
        elif f"{name} {game}" in CALLED:
            allowed = option_names(CALLED[f"{name} {game}"])
        else:
            try:
                allowed = option_names(CALLED[f"{name} {catalog.find_key(game)}"])
            except ParlourError as error:
                return str(error)
    given = {word.split("=")[0] for word in words if word.startswith("-") and len(word) > 1}
    return f"no option {', '.join(sorted(given - allowed))}" if given - allowed else None


def calls(page: Path) -> list[str]:
    """The calls of parlour in the prose of a page, and in what it gives to copy into a shell's start file."""
    found = [span for span in code(page) if re.match(r"parlour( |$)", span)]
    shells = "".join(block.text for block in blocks(page) if block.language == "sh")
    return found + re.findall(r"parlour [a-z ]+", shells)


def test_a_call_that_is_wrong_is_noticed() -> None:
    assert complaint("parlour play spot --deal winnable", set()) is None
    assert complaint("parlour play GAME --p2 random | cat", set()) is None
    assert complaint("parlour replay FILE|ID", set()) is None
    assert complaint("parlour", set()) is None
    assert complaint("parlour --version", set()) is None
    assert complaint("parlour resumes 3", set())
    assert complaint("parlour play chess", set())
    assert complaint("parlour play spot --limit 9", set())
    assert complaint("parlour export 1 --json", set())


@every_page
def test_what_a_page_names_exists(page: Path) -> None:
    examples = "".join(block.text for block in blocks(page) if block.language == "python")
    own_games = set(re.findall(r'key="([a-z-]+)"', examples))
    for call in calls(page):
        wrong = complaint(call, own_games)
        assert wrong is None, f"{page.name}: `{call}`: {wrong}"
    for span in code(page):
        if not span.startswith("parlour "):
            unknown = set(re.findall(r"(?<!\S)--[a-z][a-z0-9-]*", span)) - OPTIONS
            assert not unknown, f"{page.name}: `{span}`: there is no option {unknown}"
        if span.startswith("make ") or span == "make":
            named = {word for word in span.split('"')[0].split()[1:] if "=" not in word}
            assert named <= TARGETS, f"{page.name}: `{span}`: no such target in the Makefile"
        if re.fullmatch(r"(?:src|tests|docs|bench|\.ci)/[\w./-]*", span) and not list(blocks_named(page, span)):
            assert (ROOT / span).exists(), f"{page.name}: `{span}`: there is no such file"


def blocks_named(page: Path, path: str) -> Iterator[str]:
    """Files that a page tells its reader to write."""
    return iter(re.findall(rf"[Ss]ave it as `{re.escape(path)}`", prose(page)))


def anchors(page: Path) -> set[str]:
    """The names that the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match("[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{page.name}: {target} leads nowhere"
        assert found.is_relative_to(ROOT), f"{page.name}: {target} leads out of the project"
        assert not anchor or anchor in anchors(found), f"{page.name}: {target}: there is no such heading"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in reached:
            reached.add(page)
            links = re.findall(r"\]\(([^)#\s]+\.md)", prose(page))
            ahead += [(page.parent / link).resolve() for link in links if not re.match("[a-z]+:", link)]
    assert set(PAGES) <= reached


# What is listed is complete.


def games_of_the_books() -> list[dict[str, Any]]:
    """The games that the documents speak of, those with a rule ledger. A game that was only added is none of them."""
    books = re.findall(r"^## (.*)$", (DOCS / "ledger.md").read_text(), re.MULTILINE)
    found = [game for game in listed_games() if game["title"] in books]
    assert len(found) == len(books)
    return found


def listed_games() -> list[dict[str, Any]]:
    document: list[dict[str, Any]] = json.loads(run_parlour("list", "--json").out)
    return document


def test_the_readme_has_every_game() -> None:
    rows = table(section(ROOT / "README.md", "The games"))
    assert [(title, call) for title, _, call in rows] == [
        (game["title"], f"parlour rules {game['key']}") for game in games_of_the_books()
    ]


def test_the_table_of_options_is_that_of_the_games() -> None:
    rows = table(section(DOCS / "play.md", "Options of the games"))
    assert rows == [
        [
            game["key"],
            f"--{option['name'].replace('_', '-')}",
            option["default"] or "",
            option["allowed"],
            option["help"],
        ]
        for game in games_of_the_books()
        for option in game["options"]
    ]


def test_the_table_of_common_options_is_complete() -> None:
    rows = table(section(DOCS / "play.md", "Who plays"))
    own = {f"--{option['name'].replace('_', '-')}" for game in listed_games() for option in game["options"]}
    shared = set.intersection(*(option_names(CALLED[f"play {key}"]) for key in catalog.keys())) - own
    assert {option for row in rows for option in row[0].split(", ")} == shared


def test_every_command_and_option_is_told_of() -> None:
    told = {word.strip("[]") for page in PAGES for span in code(page) for word in span.split()}
    ours = {game["key"] for game in games_of_the_books()}
    added = set(catalog.keys()) - ours
    of_commands = {name: command for name, command in CALLED.items() if name.partition(" ")[2] not in added}
    options = {option for command in of_commands.values() for option in option_names(command)}
    assert not options - told, "no page tells of these options"
    called = {call.split()[1] for page in PAGES for call in calls(page) if " " in call}
    assert not set(COMMANDS) - called, "no page tells of these commands"


def test_the_table_of_words_is_complete() -> None:
    rows = table(section(DOCS / "play.md", "Words at the prompt"))
    commands = [each for each in GameSession.commands.values() if each.listed is not unlisted]
    assert [(word, shorts) for word, shorts, _ in rows] == [(each.word, ", ".join(each.aliases)) for each in commands]


def test_the_table_of_exit_codes_is_complete() -> None:
    rows = table(section(DOCS / "play.md", "Exit codes"))
    assert {int(exit) for exit, _ in rows} == {0, 130} | {error.exit_code for error in tree()}


def test_every_event_is_described_with_its_fields_and_an_example() -> None:
    page = DOCS / "json.md"
    events = re.findall(r"^### (\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name for kind in get_args(TableEvent) for name in get_args(get_type_hints(kind)["event"])} == set(events)
    everywhere = {name for name, _ in table(section(page, "Events"))}
    for event in events:
        part = re.search(rf"^### {event}\n(.*?)(?=^##|\Z)", page.read_text(), re.DOTALL | re.MULTILINE)
        assert part
        examples = [json.loads(line) for line in part[1].splitlines() if line.startswith('{"event"')]
        assert examples, f"{event}: no example"
        fields = {name for names, _ in table(part[1]) for name in names.split(", ")}
        for example in examples:
            assert example["event"] == event
            assert set(example) <= fields | everywhere, f"{event}: a field is not described"
        assert fields <= set().union(*examples), f"{event}: a field that the example does not have"


def test_the_codes_of_refusals_are_ours() -> None:
    rows = table(section(DOCS / "json.md", "Codes of refusals"))
    assert {code for code, _ in rows} <= set(status_by_code())


def test_the_tags_of_a_record_are_complete() -> None:
    rows = table(section(DOCS / "records.md", "Tags"))
    assert [tag for tags, _ in rows for tag in tags.split(", ")] == written_tags()


def written_tags() -> list[str]:
    """Every tag that a record can have, in the order in which they are written."""
    game = parlour.find_game("sequence-spot")
    setup = parlour.Setup(Rules(game, game.defaults), cap=3, strict=True)
    return re.findall(r"^\[(\w+) ", parlour.write_record(parlour.Match(setup)), re.MULTILINE)


RECORDS = [block for page in PAGES for block in blocks(page) if block.file.endswith(".parlour")]


@pytest.mark.parametrize("block", RECORDS, ids=lambda block: f"{block.page.name}:{block.line}")
def test_records_in_the_documents_can_be_read_back(block: Block) -> None:
    if block.file.startswith("damaged"):
        with pytest.raises(ParlourError):
            parlour.read_record(block.text)
    else:
        assert parlour.write_record(parlour.read_record(block.text)) == block.text


def test_the_layers_are_those_of_the_linter() -> None:
    contract = next(c for c in PROJECT["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    layers = contract["layers"]
    block = next(block for block in blocks(DOCS / "architecture.md") if block.language == "text")
    assert [re.split(r"  +", line)[0] for line in block.text.splitlines()] == layers


def test_the_tree_of_errors_is_that_of_the_classes() -> None:
    listed = {
        name: subclasses.split(", ") if subclasses else []
        for name, _, subclasses in table(section(DOCS / "python.md", "What can be refused"))
    }
    own = [error for error in tree() if error.__module__ == "parlour.errors"]
    assert listed == {
        branch.__name__: [error.__name__ for error in own if branch in error.__bases__]
        for branch in own
        if ParlourError in branch.__bases__
    }


def test_every_field_of_a_game_is_described_for_authors() -> None:
    described = set(re.findall(r"`(\w+)[`=]", section(ROOT / "CONTRIBUTING.md", "Add a sixth game")))
    for record in (parlour.Game, *parlour.game.RECORDS.values()):
        assert {each.name for each in fields(record)} <= described, record.__name__


def test_every_game_has_its_rulings() -> None:
    headings = re.findall(r"^## (.*)$", (DOCS / "rulings.md").read_text(), re.MULTILINE)
    assert {game["title"] for game in games_of_the_books()} <= set(headings)


def test_the_changelog_has_this_version() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"], "the version stands in one place"
    version = parlour.__version__
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased" if "dev" in version else headings[0].startswith(f"{version} - ")
    assert all(re.fullmatch(r"Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", heading) for heading in headings)


def test_whoever_cites_parlour_cites_a_release() -> None:
    fields = dict(re.findall(r"^([a-z-]+): (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE))
    released = re.findall(r"^## (\d+\.\d+\.\d+) - ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert fields["version"] == released[0]
    assert fields["license"] == PROJECT["project"]["license"]
    assert fields["cff-version"] == "1.2.0"
