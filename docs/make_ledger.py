"""Write docs/ledger.md: the sentences of the rule books, and the tests that prove each of them.

The sentences are in tests/support/ledger.toml, the marks (``@rule``) on the tests. Run it with: make ledger
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "ledger.md"
sys.path.insert(0, str(ROOT))

from tests.support.ledger import proofs, sentences  # noqa: E402

from parlour import catalog  # noqa: E402

HEAD = """\
# The rule ledger

Every sentence of the five rule books that states a rule, and the tests that hold Parlour to it. Sentences are quoted
shortened. Where a sentence is silent or disagrees with another one, the last column gives our reading:
the rule text beats an example, the defaults are the book's, and a wrong entry never costs a turn.

Strategy tips that state no rule are left out. `make ledger` writes this page from the list of sentences in
`tests/support/ledger.toml` and from the `@rule` marks on the tests; `tests/unit/test_ledger.py` checks that the page is
current, that every sentence has a test and that every test of a game's file proves a sentence.

Besides the single rules, three tests look at whole games: `tests/unit/games/test_move_counts.py` (and, for the larger
games, `tests/proofs/test_move_counts.py`) compares the number of move sequences and their endings with an enumerator
written from the books alone (`tests/support/enumerators.py`), `tests/interfaces/cli/test_samples.py` plays the books'
sample interactions through the command, and `tests/unit/games/test_impossible_positions.py` uses the same enumerator to
find out which positions exist. Under the small options it tries, all reachable positions are accepted. Most unreachable
positions are refused: all in Double Up and Sequence Spot, at least 95 % in Increasing Differences and Sequence Builder,
and 70 % in Pyramid Challenge. The others are consistent and can be played.
"""


def page() -> str:
    """Return the text of the page."""
    proved = proofs()
    parts = [HEAD]
    for game, of_game in groupby(sentences(), key=lambda sentence: sentence.game):
        parts.append(f"## {catalog.find_game(game).title}\n\n| Rule | Tests | Reading |\n|---|---|---|")
        for sentence in of_game:
            tests = "<br>".join(f"`{test}`" for test in proved.get(sentence, []))
            reading = f" {sentence.reading}" if sentence.reading else ""
            parts.append(f"| *{sentence.section}:* {sentence.text} | {tests} |{reading} |")
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
