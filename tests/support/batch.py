"""A referee that plays the games of a batch one by one, to compare with."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour import Batch
from parlour.game import DRAWN, MOVER_WINS, ONGOING, has_move
from parlour.rules import Rules


class Referee:
    """The same games, one by one, each by the rules that it was dealt."""

    def __init__(self, batch: Batch, autoreset: str = "same_step") -> None:
        self.autoreset = autoreset
        self.rules = [batch.rules_at(game) for game in range(len(batch))]
        self.positions: list[Any] = [rules.start for rules in self.rules]
        self.turns = [1] * len(batch)
        self.over = [False] * len(batch)
        self.ages = [0] * len(batch)

    def step(self, batch: Batch, moves: list[int], allowed: str = "raise") -> tuple[list[int], list[bool], list[Any]]:
        """What has to come of these moves: rewards, games that ended, and in which positions."""
        rewards, ended, finals = [0] * len(moves), [False] * len(moves), list(self.positions)
        for game, move in enumerate(moves):
            self.ages[game] += 1
            rules = self.rules[game]
            if self.over[game]:
                if self.autoreset != "never":
                    self.renew(batch, game)
                continue
            if not has_move(rules.game.rules.moves(rules.packed, self.positions[game]), move):
                assert allowed != "raise"
                if allowed == "forfeit":
                    rewards[game], ended[game], self.over[game] = -1, True, True
            else:
                self.positions[game] = finals[game] = rules.play(self.positions[game], move)
                self.turns[game] = 3 - self.turns[game]
                result = rules.result(finals[game])
                if result != ONGOING:
                    rewards[game] = 0 if result == DRAWN else -1 if result == MOVER_WINS else 1
                    ended[game] = self.over[game] = True
            if self.over[game] and self.autoreset == "same_step":
                self.renew(batch, game)
        return rewards, ended, finals

    def renew(self, batch: Batch, game: int) -> None:
        self.rules[game] = batch.rules_at(game)
        self.positions[game], self.turns[game], self.over[game] = self.rules[game].start, 1, False
        self.ages[game] = 0


def mask_of(rules: Rules, position: Any, over: bool) -> list[int]:
    assert rules.bounds
    legal = [0] if over else rules.legal(position)
    return [int(move in legal) for move in range(rules.bounds.moves)]


def bits_of(rules: Rules, position: Any) -> list[int]:
    """A position as the documents say that it is written."""
    assert rules.bounds
    bits: list[int] = []
    for value, bound in zip(position, rules.bounds.position, strict=True):
        bits += [value >> bit & 1 for bit in range(len(f"{bound - 1:b}") if bound > 1 else 0)]
    return bits


def agrees(batch: Batch, referee: Referee) -> None:
    """Everything that a batch tells about its games is so."""
    count = len(batch)
    assert batch.fields.T.tolist() == [list(position) for position in referee.positions]
    assert batch.turns.tolist() == referee.turns
    assert batch.over.tolist() == referee.over
    assert batch.ages.tolist() == referee.ages
    masks = [mask_of(*told) for told in zip(referee.rules, referee.positions, referee.over, strict=True)]
    assert batch.masks().tolist() == masks
    assert np.array_equal(batch.packed_masks(), np.packbits(np.array(masks, np.uint8), axis=1, bitorder="little"))
    observations = batch.observations()
    assert observations.tolist() == [bits_of(referee.rules[game], referee.positions[game]) for game in range(count)]
    assert np.array_equal(batch.encoding.decode(observations), batch.fields.T)
    assert [batch.position(game) for game in range(count)] == referee.positions


def played(batch: Batch, steps: int, autoreset: str = "same_step") -> int:
    """Play random moves and let the referee follow each of them; how many games ended."""
    referee, total = Referee(batch, autoreset), 0
    agrees(batch, referee)
    for _ in range(steps):
        moves = batch.random_moves().copy()
        movers = list(referee.turns)
        step = batch.step(moves)
        rewards, ended, finals = referee.step(batch, moves.tolist())
        assert step.rewards.tolist() == rewards
        assert step.ended.tolist() == ended
        assert step.movers.tolist() == movers
        assert not step.refused.any()
        signs = [
            (reward, -reward) if mover == 1 else (-reward, reward)
            for reward, mover in zip(rewards, movers, strict=True)
        ]
        assert step.by_player().tolist() == [list(pair) for pair in signs]
        if autoreset == "same_step" and any(ended):
            told = batch.final_observations()[step.ended].tolist()
            assert told == [bits_of(batch.rules_at(game), finals[game]) for game in np.flatnonzero(ended)]
        agrees(batch, referee)
        total += sum(ended)
    return total
