"""The workers of a command that has much to do: the processes of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from parlour.workers import Workers, processes

CLUSTER_HELP = "a cluster of dask.distributed that does the work: its address, or local to start one here"


@contextmanager
def chosen_workers(cluster: str | None, jobs: int) -> Iterator[Workers]:
    """The workers at an address, with a warning where anybody could use them; so many processes where none is given."""
    if cluster is None:
        with processes(jobs) as here:
            yield here
        return
    from parlour.workers import cluster as clusters

    with clusters.cluster(cluster, jobs) as there:
        if clusters.is_unprotected(cluster):
            click.echo(
                f"parlour: the cluster at {cluster} is not protected: whoever reaches it can run programs on its "
                "machines; a tls:// address asks for a certificate",
                err=True,
            )
        yield there
