"""The table as text and as SVG: complete, well formed and harmless, whatever the game and the players' names."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

import parlour
from parlour.picture import FramedMove, Picture, draw_rows, grid_labels, text_width
from parlour.view import GRID, LINE, POOL, PYRAMID, Group, Tile

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    ("<script>alert(1)</script>", "</svg><b>&amp;"),
    ('"quoted" onload="x"', "it's 'quoted'"),
    ("דוד 1", "سلمى (2)"),
    ("👩‍👩‍👧 x", "می‌خواهم"),
    ("]]><!--", "${name} {{name}} %s"),
    ("長い名前の人は横に広いのですね", "Å\u0308\u0304 z\u0300a\u0301"),
]
every_game = pytest.mark.parametrize("game", parlour.list_games(), ids=lambda game: game.key)


def parts(svg: str) -> ElementTree.Element:
    """The document, parsed strictly."""
    return ElementTree.fromstring(svg)


def texts(root: ElementTree.Element) -> list[str]:
    return [(element.text or "").replace("\u2068", "").replace("\u2069", "") for element in root.iter(f"{SVG}text")]


def played(game: parlour.Game, seed: int, plies: int, **more: tuple[str, str]) -> parlour.Match:
    """A match in which so many moves were chosen at random, or all there were."""
    match = parlour.new_match(game, seed=seed, **more)
    chance = random.Random(seed)
    for _ in range(plies):
        if match.outcome is not None:
            break
        if match.between_rounds:
            match.next_round()
        match.play(chance.choice(match.legal_moves[:50]))
    return match


@every_game
@pytest.mark.parametrize("plies", [0, 1, 4, 100])
def test_every_game_is_drawn_completely(game: parlour.Game, plies: int) -> None:
    match = played(game, 5, plies, names=("Ann", "Ben"))
    root = parts(match.svg())
    shown = texts(root)
    assert game.title in shown
    assert match.standing in shown
    for group in match.rules.view(match.moment):
        assert group.title in shown or not any(group.rows)
        for row in group.rows:
            for tile in row:
                assert not tile.text or tile.text in shown
    text = str(match)
    assert text.splitlines()[0].startswith(game.title)
    assert text.splitlines()[-1] == match.standing
    for group in match.rules.view(match.moment):
        assert group.shape == GRID or group.title in text


@pytest.mark.parametrize("key", ["double-up", "sequence-spot"])
@pytest.mark.parametrize("names", HOSTILE, ids=range(len(HOSTILE)))
def test_names_stay_names(key: str, names: tuple[str, str]) -> None:
    for plies in (3, 100):
        match = played(parlour.find_game(key), 1, plies, names=names)
        for drawn in (match.svg(), match._repr_svg_(), match._repr_html_(), match.card("limit <b>&")):
            root = parts(drawn)
            assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
                "svg", "style", "title", "g", "rect", "polygon", "text",
            }  # fmt: skip
            harmless = {
                "class",
                "fill",
                "stroke",
                "transform",
                "points",
                "style",
                "role",
                "aria-label",
                "viewBox",
                "rx",
            }
            for element in root.iter():
                for name in element.attrib:
                    assert name in harmless | {"x", "y", "dy", "width", "height"} or re.match(
                        "(font|stroke|text)-", name
                    )
            if "baize" not in drawn:  # on a card what is too long is cut
                assert match.standing in texts(root)
        assert names[match.turn - 1] in str(match) or match.outcome is not None


@every_game
@pytest.mark.parametrize("plies", [0, 4, 100])
def test_a_card_shows_the_whole_table_beside_its_words(game: parlour.Game, plies: int) -> None:
    match = played(game, 5, plies, names=("Ann", "Ben"))
    root = parts(match.card("limit 50"))
    assert (root.attrib["width"], root.attrib["height"]) == ("1200", "630")
    shown = texts(root)
    assert " ".join(shown).startswith(f"Parlour {game.title} limit 50 ")  # the title may take two lines
    assert {"Ann", "Ben"} <= set(shown)
    assert match.standing.split()[0] in " ".join(shown)
    for group in match.rules.view(match.moment):
        for tile in [tile for row in group.rows for tile in row][:20]:
            assert not tile.text or tile.text in shown
    (scaled,) = [element for element in root.iter(f"{SVG}g") if "scale" in element.get("transform", "")]
    left, top, scale = map(float, re.findall(r"[\d.]+", scaled.attrib["transform"]))
    felt = next(element for element in root if element.get("class") == "parlour-felt")
    x, y, width, height = box(felt)
    assert x < left < x + width
    assert y < top < y + height
    assert scale > 0.5, "large enough to be read"


def test_what_is_too_long_for_a_card_is_cut() -> None:
    names = ("W" * 30, "長い名前の人は横に広いのですね長い名前の人は横に広いのですね")
    shown = texts(parts(parlour.new_match("double-up", names=names).card("any terms at all " * 20)))
    assert [text for text in shown if text_width(text) > 45] == []
    assert sum(text.endswith("…") for text in shown) >= 3


def test_of_a_long_game_a_card_shows_the_end() -> None:
    match = parlour.new_match("double-up", limit="none")
    match.play_line(" ".join(str(number) for number in range(2, 500)))
    shown = texts(parts(match.card()))
    assert {"499", "470", "…"} <= set(shown)
    assert "300" not in shown
    assert len(shown) < 100
    match.play_line(" ".join(str(499 * 2**power) for power in range(1, 60)))
    assert max(map(len, texts(parts(match.card())))) <= len("Player 1 to move")


def test_each_name_runs_its_own_way() -> None:
    """A name is set apart, so that what stands beside it stays beside it."""
    match = parlour.new_match("double-up", names=("אבג 1", "Ben"))
    assert "\u2068אבג 1\u2069 to move" in match.svg()


def test_what_xml_cannot_hold_is_shown_as_such() -> None:
    view = (Group("a\x00b", POOL, ((Tile("\x1b\ufffe"),),)),)
    drawn = Picture("T\x07", view, (), str, "over\ud800").svg()
    assert {"a\ufffdb", "\ufffd\ufffd", "T\ufffd", "over\ufffd"} == set(texts(parts(drawn)))


# What is marked.


def kinds(root: ElementTree.Element) -> dict[str, list[str]]:
    """The tiles by their number: how each is painted."""
    found: dict[str, list[str]] = {}
    for group in root.iter(f"{SVG}g"):
        shown = group.find(f"{SVG}text")
        shapes = [child for child in group if child.tag in (f"{SVG}rect", f"{SVG}polygon")]
        if shown is not None and shapes:
            kind = [shape.attrib["class"].removeprefix("parlour-") for shape in shapes]
            found[shown.text or ""] = found.get(shown.text or "", []) + kind
    return found


def test_tiles_tell_whose_they_are_and_what_can_be_done() -> None:
    match = parlour.new_match("increasing-differences", range=15)
    match.play_line("5 7 8 9 12")
    found = kinds(parts(match.svg()))
    assert found["1"] == ["free"]
    assert found["10"] == ["barred"]
    assert found["5"] == ["p1", "p1"]  # in the pool and in the sequence
    assert found["7"] == ["p2", "p2"]
    assert found["12"] == ["p1", "last", "p1", "last"]


def test_when_it_is_over_nothing_is_free_or_barred_and_the_winning_tiles_stand_out() -> None:
    match = parlour.new_match("sequence-spot", grid=[2, 7, 6, 9, 5, 1, 4, 3, 8], names=("Ann", "Ben"))
    match.play_line("2,1 1,2 2,2 3,1 2,3")
    root = parts(match.svg())
    assert "Ann won" in texts(root)
    found = kinds(root)
    assert found["9"] == found["5"] == ["won", "p1"]
    assert found["1"] == ["won", "p1", "last"]
    assert found["7"] == ["p2"]
    assert found["2"] == ["plain"]


def test_a_pass_marks_no_tile() -> None:
    group = Group("Numbers", POOL, ((Tile("0", None, 0), Tile("1", None, 1)),))
    assert "parlour-last" in Picture("", (group,), (1,), str, "", None, FramedMove(1, 1, "1")).svg().partition("<g")[2]
    assert (
        "parlour-last"
        not in Picture("", (group,), (1,), str, "", None, FramedMove(1, 0, "pass")).svg().partition("<g")[2]
    )


def test_of_equal_numbers_only_the_one_put_down_last_is_marked() -> None:
    line = Group("Ann", LINE, ((Tile("4", 1), Tile("4", 1), Tile("")),), 1)
    root = parts(Picture("", (line,), (), str, "", None, FramedMove(1, 4, "4")).svg())
    assert kinds(root)["4"] == ["p1", "p1", "last"]


# Boards of every shape.


def square(move: int) -> str:
    return f"{'abcdefgh'[(move - 1) % 8]}{8 - (move - 1) // 8}"


BOARD = Group(
    "Board", GRID, tuple(tuple(Tile(f"{8 * y + x + 1}", None, 8 * y + x + 1) for x in range(8)) for y in range(8))
)


def test_a_board_of_eight_by_eight_has_its_letters() -> None:
    assert grid_labels(BOARD, square) == (list("abcdefgh"), list("87654321"))
    rows = draw_rows((BOARD,), range(1, 65), square)
    assert rows[0].split() == list("abcdefgh")
    assert rows[1].split() == ["8", *map(str, range(1, 9))]
    assert rows[8].split() == ["1", *map(str, range(57, 65))]
    root = parts(Picture("Chess", (BOARD,), range(1, 65), square, "a to move").svg())
    assert {*"abcdefgh", *map(str, range(1, 65))} <= set(texts(root))
    assert {title.text for title in root.iter(f"{SVG}title")} >= {"a8", "h1", "e4"}


def test_a_board_of_eight_by_eight_fits_a_narrow_terminal() -> None:
    rows = tuple(tuple(Tile(square(8 * y + x + 1), 1, None, "X") for x in range(8)) for y in range(8))
    board = Group("Board", GRID, rows)
    assert max(map(len, draw_rows((board,), (), str, 40))) <= 40
    assert draw_rows((board,), (), str, 40)[1].split() == ["8", *(f"X{letter}8" for letter in "abcdefgh")]
    assert draw_rows((board,), (), str, 80)[0] == "      " + "    ".join("abcdefgh")


def test_squares_that_are_no_moves_may_show_their_names() -> None:
    rows = tuple(tuple(Tile(square(8 * y + x + 1), 1 if y < 2 else None) for x in range(8)) for y in range(8))
    assert grid_labels(Group("Board", GRID, rows), str) == (list("abcdefgh"), list("87654321"))


def test_rows_and_columns_are_counted_where_the_names_do_not_tell() -> None:
    bare = Group("Board", GRID, ((Tile("x"), Tile("y")), (Tile(""), Tile("z"))))
    assert grid_labels(bare, str) == (["1", "2"], ["1", "2"])
    numbered = Group("Board", GRID, ((Tile("", None, 1), Tile("", None, 2)), (Tile("", None, 3), Tile("", None, 4))))
    assert grid_labels(numbered, str) == (["1", "2"], ["1", "2"])
    assert grid_labels(numbered, lambda move: f"{(move + 1) // 2 + 4},{(move - 1) % 2 + 7}") == (["7", "8"], ["5", "6"])


def test_a_row_in_which_nothing_can_be_chosen_has_no_label() -> None:
    taken = tuple(Tile(tile.text, 1) for tile in BOARD.rows[0])
    board = BOARD._replace(rows=(taken, *BOARD.rows[1:]))
    assert grid_labels(board, square) == (list("abcdefgh"), ["", *"7654321"])


def box(element: ElementTree.Element) -> tuple[float, float, float, float]:
    return tuple(float(element.attrib[name]) for name in ("x", "y", "width", "height"))  # type: ignore[return-value]


@pytest.mark.parametrize("count", [1, 9, 11, 13, 20, 21, 60])
@pytest.mark.parametrize("shape", [POOL, LINE, GRID, PYRAMID])
def test_tiles_do_not_overlap_and_stay_on_the_card(count: int, shape: str) -> None:
    numbers = [Tile(str(10**n % 99_991), None, n + 1, f"+{n}") for n in range(count)]
    side = 8
    rows = {
        GRID: [tuple(numbers[at : at + side]) for at in range(0, count, side)],
        PYRAMID: [tuple(numbers[n * (n + 1) // 2 : (n + 1) * (n + 2) // 2]) for n in range(11)],
    }.get(shape, [tuple(numbers)])
    group = Group("Group", shape, tuple(row for row in rows if row))
    root = parts(Picture("Game", (group,), (), str, "over").svg())
    card, *_ = root.iter(f"{SVG}rect")
    assert box(card)[2:] == (float(root.attrib["width"]) - 2, float(root.attrib["height"]) - 2)
    places = []

    def look(element: ElementTree.Element, left: float, top: float) -> None:
        shift = re.fullmatch(r"translate\(([\d.-]+),([\d.-]+)\)", element.get("transform", "translate(0,0)"))
        assert shift
        left, top = left + float(shift[1]), top + float(shift[2])
        for child in element:
            if child.tag == f"{SVG}g":
                look(child, left, top)
            elif child.get("class") == "parlour-plain":
                x, y, width, height = box(child)
                places.append((left + x, top + y, left + x + width, top + y + height))

    look(root, 0, 0)
    assert len(places) == count
    for at, (left, top, right, bottom) in enumerate(places):
        assert left >= 0
        assert top >= 0
        assert right <= float(root.attrib["width"])
        assert bottom <= float(root.attrib["height"])
        for other in places[:at]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_a_line_of_text_is_not_too_wide() -> None:
    pool = Group("Numbers", POOL, (tuple(Tile(str(10_000 + n), None, n) for n in range(60)),))
    for columns in (30, 80):
        assert max(map(len, draw_rows((pool,), (), str, columns))) <= columns


def test_wide_letters_take_two_columns_and_marks_none() -> None:
    assert [text_width(text) for text in ("abc", "日本", "e\u0301", "a\u200db", "")] == [3, 4, 1, 2, 0]


# What a match says of itself.


def test_what_a_match_is_is_told_in_one_line() -> None:
    match = parlour.new_match("sequence-spot", grid=[1, 8, 9, 7, 6, 5, 2, 4, 3], names=("Ann", "Ben"))
    assert repr(match) == "<Match of Sequence Spot: Ann - Ben, 0 moves, Ann to move>"
    match.play_line("1,1")
    assert repr(match) == "<Match of Sequence Spot: Ann - Ben, 1 move, Ben to move>"
    while not match.rules.settled(match.position):
        match.play(match.legal_moves[0])
    match.next_round()
    assert repr(match) == "<Match of Sequence Spot: Ann - Ben, round 2, 0 moves, Ben to move>"
    assert str(match).splitlines()[0].endswith("max_rounds=none, round 2")
    match.resign(2)
    assert repr(match) == "<Match of Sequence Spot: Ann - Ben, round 2, 0 moves, Ann won by resignation>"


def test_the_other_objects_say_what_they_are() -> None:
    rules = parlour.rules_of("double-up", limit=20)
    shown = [repr(thing) for thing in (rules.game, rules, parlour.Solver(rules), parlour.tabulate(rules))]
    assert shown == [
        "<Game double-up>",
        "<Rules of Double Up: limit=20>",
        "<Solver of Double Up: limit=20>",
        "<ScoreTable of Double Up: limit=20, 19 positions>",
    ]
    assert repr(parlour.Limit(nodes=5000)) == "<Limit: 0 of 5,000 positions searched>"
    assert repr(parlour.Limit(seconds=2.5, nodes=7)) == "<Limit: 2.5 seconds, 0 of 7 positions searched>"
