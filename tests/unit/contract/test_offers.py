"""What a game may offer to newcomers, beside its rules: an example to watch, variants to try, what is known."""

from __future__ import annotations

import pytest

from parlour import catalog
from parlour.game import PASS, Game
from parlour.match import Match
from parlour.options import read_words, say_options, show_options
from parlour.rules import Rules, read_rules
from parlour.setup import Setup

every_game = pytest.mark.parametrize("game", catalog.list_games(), ids=lambda game: game.key)


@every_game
def test_the_example_is_a_whole_game_under_its_options(game: Game) -> None:
    if game.content.example is None:
        return
    match = Match(Setup(read_rules(game, read_words(game.content.example.options))))
    moves = game.content.example.moves.split()
    match.play_line(moves)
    assert match.outcome is not None, f"{game.key}: the example stops before the end"
    assert match.outcome.winner is not None, f"{game.key}: an example shows how to win"
    assert len(match.rounds) == 1
    assert match.rules.names(move for move in match.round.moves if move != PASS) == [
        move for move in moves if move != "pass"
    ], f"{game.key}: moves are spelt as the game spells them"


@every_game
def test_the_example_shows_the_same_to_everybody(game: Game) -> None:
    if game.content.example is None:
        return
    options = read_rules(game, read_words(game.content.example.options)).options
    dealt = {Match(Setup(Rules(game, options), seed=seed)).options for seed in "123"}
    assert len(dealt) == 1, f"{game.key}: the example leaves something to chance"


@every_game
def test_every_variant_is_a_game_of_its_own(game: Game) -> None:
    chosen = [read_rules(game, variant.options).options for variant in game.content.variants]
    assert len({game.defaults, *chosen}) == 1 + len(chosen), f"{game.key}: two variants are the same"
    for variant, options in zip(game.content.variants, chosen, strict=True):
        shown = show_options(options)
        assert variant.options.items() <= shown.items(), "spelt as records spell them"
        match = Match(Setup(Rules(game, options)))
        assert match.legal_moves
        assert match.outcome is None


@every_game
def test_the_texts_follow_the_options(game: Game) -> None:
    book = Rules(game, game.defaults)
    assert book.summary == game.content.summary
    assert book.rules_text == game.content.rules_text
    for variant in game.content.variants:
        rules = read_rules(game, variant.options)
        assert rules.summary.endswith(".")
        _, _, told = rules.rules_text.partition("\nIn this game\n")
        for name in variant.options:
            assert f"- {say_options(rules.options)[name]} (usually {say_options(game.defaults)[name]})" in told


@every_game
def test_every_variant_says_in_short_what_it_is_for(game: Game) -> None:
    titles = [variant.title for variant in game.content.variants]
    assert len(set(titles)) == len(titles)
    for variant in game.content.variants:
        assert 3 <= len(variant.title) <= 30
        assert 10 <= len(variant.why) <= 90
        assert not variant.why.endswith("."), "it is part of a line"


@every_game
def test_one_press_plays_the_book_or_one_of_the_variants(game: Game) -> None:
    assert game.content.quick is None or game.content.quick in game.content.variants


@every_game
def test_what_is_known_is_one_sentence(game: Game) -> None:
    if game.content.known:
        assert 20 <= len(game.content.known) <= 120
        assert game.content.known.endswith(".")
        assert ". " not in game.content.known
