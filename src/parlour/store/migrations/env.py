"""The environment of Alembic, which runs migrations on the connection and in the transaction of ``open_store``."""

from __future__ import annotations

from alembic import context

from parlour.store.tables import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, version_table=VERSION_TABLE
)
context.run_migrations()
