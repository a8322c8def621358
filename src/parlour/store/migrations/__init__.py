"""How the tables came about, one step a file; ``open_store`` takes a database from wherever it is to the newest.

For a new step, change ``tables.py``, put a file into ``versions`` whose ``upgrade`` does the same to an existing
database, with the step before as its ``down_revision``, and write its name into ``tables.NEWEST_MIGRATION``. Steps only
go forward. Each must run on both databases, and inside the one transaction in which ``open_store`` takes them all.
"""
