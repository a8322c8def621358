"""Seals of matches, and digests of lines.

What is there already stays without: its next change seals a match. A server of the version before can go on writing
meanwhile, and nobody waits for this step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("matches", sa.Column("seal", sa.Text))
    op.add_column("lines", sa.Column("digest", sa.LargeBinary))
