"""Migrations of the tables, one per file. ``open_store`` upgrades every database to the newest one.

For a new migration, change ``tables.py``, add a file to ``versions`` with an ``upgrade`` that makes the same change and
with the previous migration as its ``down_revision``, and set ``tables.NEWEST_MIGRATION``. There are no downgrades. Each
migration has to run on both databases, and ``open_store`` runs all of them in one transaction.
"""
