"""The tables of the current version.

Every change here needs a migration, and its name in ``NEWEST_MIGRATION``. A test compares the two.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Integer, LargeBinary, MetaData, Table, Text

NEWEST_MIGRATION = "0002"  # lets an up-to-date database open without loading Alembic
VERSION_TABLE = "parlour_schema"  # other programs in the database may use Alembic's default name

# Constraints have the same names on both databases, so that later migrations can change them.
metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("head", Text, nullable=False),
    Column("seat_0", LargeBinary),
    Column("seat_1", LargeBinary),
    Column("invite", LargeBinary),
    Column("offer", Text, nullable=False),
    Column("rematch", Text, nullable=False),  # no foreign key: the rematch may be removed before this match
    Column("over", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("touched", Double, nullable=False),
    Column("seal", Text),  # see seal.py; null: written by a version without seals
)

# Lines are added and never changed. The primary key is the last guard against duplicate lines.
lines = Table(
    "lines",
    metadata,
    Column("match", Text, ForeignKey(matches.c.id, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("digest", LargeBinary),  # see seal.py; null as above
    sqlite_with_rowid=False,  # stores the lines of a match together
)

visits = Table(
    "visits",
    metadata,
    Column("visit", Text, primary_key=True),
    Column("match", Text, ForeignKey(matches.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", Integer, nullable=False),  # 0 for player 1, 1 for player 2, as in databases of 0.1.0
    Column("process", Text, nullable=False, index=True),
    Column("seen", Double, nullable=False),
)
