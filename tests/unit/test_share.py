"""The share of the proofs that a short run takes."""

from __future__ import annotations

from random import Random

from tests.support.share import choose_share

IDS = [
    *(f"a.py::test_many[{number}]" for number in range(40)),
    *(f"a.py::test_few[{n}]" for n in range(3)),
    "b.py::one",
]


def functions(ids: set[str]) -> set[str]:
    return {id.partition("[")[0] for id in ids}


def test_a_share_has_at_least_one_case_of_each_test_and_the_fraction_of_large_ones() -> None:
    chosen = choose_share(IDS, 0.15, 1)
    assert chosen <= set(IDS)
    assert functions(chosen) == functions(set(IDS))
    assert sum(id.startswith("a.py::test_many") for id in chosen) == 6
    assert len(choose_share(IDS, 0.0, 1)) == 3
    assert choose_share(IDS, 1.0, 1) == set(IDS)


def test_the_same_seed_chooses_the_same_share_in_any_order_and_other_seeds_choose_all_cases_in_time() -> None:
    shuffled = Random(5).sample(IDS, len(IDS))
    assert choose_share(IDS, 0.15, 7) == choose_share(shuffled, 0.15, 7)
    assert choose_share(IDS, 0.15, 7) != choose_share(IDS, 0.15, 8)
    assert set().union(*(choose_share(IDS, 0.15, seed) for seed in range(60))) == set(IDS)
