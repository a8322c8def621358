"""Seals of matches, and digests of lines.

Existing matches get a seal with their next change. Servers of the previous version can still write meanwhile, and the
migration blocks no other process.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("matches", sa.Column("seal", sa.Text))
    op.add_column("lines", sa.Column("digest", sa.LargeBinary))
