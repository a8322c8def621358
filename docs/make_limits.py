"""Write the tables of limits in ``docs/web.md`` from the constants of the code.

Run it with: make limits (or with --check, which only says whether the tables are current)
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from parlour.documents import practice
from parlour.documents.games import MAX_DEMO_BOARDS
from parlour.documents.table import MAX_LISTED_MOVES
from parlour.names import MAX_NAME_LENGTH
from parlour.service import capacity, new_matches, searches
from parlour.store import VISIT_SECONDS
from parlour.web import app, connections, costs, hub, limits, matches, messages, pool, streams

PAGE = Path(__file__).parent / "web.md"
BEGIN = "<!-- The tables of limits are written by docs/make_limits.py: make limits -->\n"
END = "<!-- End of the tables of limits -->\n"


def rate_rows() -> list[tuple[str, str, str]]:
    """Return kinds of request, how many an address may send at once, and how many a second after that."""
    rates = costs.Rates()
    kinds = {
        "looking: all `GET` but those of the last row and files of the page; sockets opened": rates.look,
        "playing: moves, offers, names, joining": rates.act,
        f"making: new matches, rematches, imports (each counts as {costs.IMPORT.tokens:g})": rates.create,
        "asking: solutions, hints, reasons, reports, replays, QR codes": rates.solve,
        "connections": rates.connect,
        "seconds of processor time of the process that answers": rates.processor,
    }
    return [(kind, f"{rate.burst:g}", f"{rate.each_second:g}") for kind, rate in kinds.items()]


def limit_rows() -> list[tuple[str, str]]:
    """Return all other limits, and what they are about."""
    rates, settings = costs.Rates(), app.ServerSettings()
    waiting = inspect.signature(pool.Pool).parameters["waiting"].default
    (record,) = matches.Imported.model_fields["record"].metadata
    return [
        ("requests of one address that are answered at the same time", f"{limits.MOST_REQUESTS_AT_ONCE}"),
        ("questions of one address that are being answered", f"{rates.questions}"),
        ("pages and streams of one address", f"{rates.listening}"),
        ("connections of one address", f"{connections.MOST_CONNECTIONS_EACH}"),
        ("connections fewer that an address may open, for each refusal", f"{costs.FINE}"),
        ("the wait for a whole request on a connection", f"{connections.REQUEST_SECONDS:g} seconds"),
        ("pieces in which a request may arrive", f"{connections.MOST_PIECES}"),
        ("and one more for every", f"{connections.BYTES_FOR_A_PIECE} bytes"),
        ("bytes after a body was refused", f"{connections.MOST_UNWANTED:,}"),
        ("bytes that a page may send on a socket", f"{connections.MOST_SAID:,}"),
        ("and more of them with every second", f"{connections.SAID_EACH_SECOND}"),
        ("the wait for the first message on a socket", f"{streams.HELLO_SECONDS:g} seconds"),
        ("the body of a request", f"{limits.MOST_BODY_BYTES // 1024} KB"),
        ("headers of a request", f"{limits.MOST_HEADERS}"),
        ("a record to be imported", f"{record.max_length:,} characters"),
        ("its tags together", f"{capacity.MAX_TAG_CHARACTERS:,} characters"),
        ("a name", f"{MAX_NAME_LENGTH} characters"),
        ("the ID of a match", f"{new_matches.ID_LENGTH} characters"),
        ("moves, take-backs and deals in one match", f"{capacity.MAX_ACTIONS:,}"),
        ("moves in one of its rounds, and moves that a new match begins with", f"{capacity.MAX_ROUND_MOVES}"),
        ("characters of all its moves together", f"{capacity.MAX_MOVE_CHARACTERS:,}"),
        ("moves that a table lists", f"{MAX_LISTED_MOVES}"),
        ("tables of a game's demo", f"{MAX_DEMO_BOARDS}"),
        ("pages and streams connected to one server process", f"{hub.MOST_LISTENERS:,}"),
        ("search processes", f"{settings.workers}"),
        ("questions that wait for them, of each kind", f"{waiting}"),
        ("the wait for one of them", f"{pool.LONGEST_WAIT_SECONDS:g} seconds"),
        ("the search for a solution, a hint or a reason", f"{settings.seconds:g} seconds"),
        ("the search for a report or for your mistakes", f"{messages.REPORT_SECONDS:g} seconds"),
        ("an exam's sheet or diploma", f"{messages.EXAM_SECONDS:g} seconds"),
        ("the search for the computer's move", f"{searches.MOVE_NODES:,} positions"),
        ("the same of `perfect`", f"{searches.PROOF_NODES:,} positions"),
        ("tiles on all boards of a question to practise", f"{practice.MAX_TILES:,}"),
        ("states of one match that are sent, to all who listen together", f"{1 / hub.SECONDS_EACH:,.0f} a second"),
        ("silence on a connection, before a line is sent all the same", f"{hub.KEEP_ALIVE_SECONDS:g} seconds"),
        ("the time that a player is shown as present when a server was killed", f"{VISIT_SECONDS:g} seconds"),
        ("the time between two removals of expired matches", f"{app.SECONDS_BETWEEN_SWEEPS:g} seconds"),
    ]


def tables() -> str:
    """Return both tables as Markdown."""
    rates = ["For each address, and each kind of request:", ""]
    rates += ["| Requests | At once | A second after that |", "|---|---|---|"]
    rates += [f"| {' | '.join(row)} |" for row in rate_rows()]
    others = ["", "Other limits:", "", "| What | At most |", "|---|---|"]
    others += [f"| {' | '.join(row)} |" for row in limit_rows()]
    return "\n".join([*rates, *others]) + "\n"


def updated(page: str) -> str:
    """Return the page with the tables of today."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{tables()}\n{END}{after}"


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    new = updated(page)
    if "--check" in sys.argv[1:]:
        sys.exit(0 if new == page else "the limits in docs/web.md are not current: make limits")
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
