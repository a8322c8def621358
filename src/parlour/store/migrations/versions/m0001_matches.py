"""Matches, their lines, and the visits of their players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("seat_0", sa.LargeBinary),
        sa.Column("seat_1", sa.LargeBinary),
        sa.Column("invite", sa.LargeBinary),
        sa.Column("offer", sa.Text, nullable=False),
        sa.Column("rematch", sa.Text, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("touched", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_table(
        "lines",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "number", name="pk_lines"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_lines_match", ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "visits",
        sa.Column("visit", sa.Text, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("visit", name="pk_visits"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_visits_match", ondelete="CASCADE"),
    )
    op.create_index("ix_visits_match", "visits", ["match"])
    op.create_index("ix_visits_process", "visits", ["process"])
