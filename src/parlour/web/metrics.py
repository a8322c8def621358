"""Numbers about the server, in the text format of Prometheus."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from parlour.web.observing import FinishedRequest

TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
DURATION_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds, of the durations
STARTED = time.time()

Labels = Mapping[str, str]


class Sample(NamedTuple):
    """One number of a family."""

    value: float
    labels: Labels = MappingProxyType({})
    suffix: str = ""  # of the family's name: "_sum"


class Family(NamedTuple):
    """Numbers of one kind, told apart by their labels."""

    name: str
    kind: Literal["counter", "gauge", "histogram", "summary"]
    about: str
    samples: Iterable[Sample]


def write_metrics(families: Iterable[Family]) -> str:
    """Families as Prometheus reads them."""
    lines = []
    for family in families:
        lines += [f"# HELP {family.name} {family.about}", f"# TYPE {family.name} {family.kind}"]
        for sample in family.samples:
            labels = ",".join(f'{name}="{_escape(value)}"' for name, value in sample.labels.items())
            labels = f"{{{labels}}}" if labels else ""
            lines.append(f"{family.name}{sample.suffix}{labels} {sample.value:.9g}")
    return "".join(f"{line}\n" for line in lines)


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")


class _Durations:
    """How many took how long."""

    def __init__(self) -> None:
        self.counts = [0] * (len(DURATION_BOUNDS) + 1)  # each up to its bound, above the one before; the last without
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(DURATION_BOUNDS, seconds)] += 1
        self.seconds += seconds

    def samples(self, labels: Labels) -> Iterable[Sample]:
        so_far = 0
        for bound, count in zip((*map(str, DURATION_BOUNDS), "+Inf"), self.counts, strict=True):
            so_far += count
            yield Sample(so_far, {**labels, "le": bound}, "_bucket")
        yield Sample(self.seconds, labels, "_sum")
        yield Sample(so_far, labels, "_count")


class RequestMetrics:
    """Requests of this process, counted since it began. To be used in one thread."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, str]] = Counter()  # by method, route and status
        self._refusals: Counter[str] = Counter()  # by code
        self._durations: dict[tuple[str, str], _Durations] = {}  # by method and route

    def count(self, finished: FinishedRequest) -> None:
        """Count a request."""
        self._requests[finished.method, finished.route, finished.status] += 1
        if finished.code:
            self._refusals[finished.code] += 1
        self._durations.setdefault((finished.method, finished.route), _Durations()).add(finished.seconds)

    def families(self) -> Iterable[Family]:
        requests = [
            Sample(count, {"method": method, "route": route, "status": status})
            for (method, route, status), count in sorted(self._requests.items())
        ]
        yield Family("parlour_requests_total", "counter", "Requests that have ended, by what became of them.", requests)
        refusals = [Sample(count, {"code": code}) for code, count in sorted(self._refusals.items())]
        yield Family(
            "parlour_refusals_total", "counter", "Requests that were refused, by the code of the refusal.", refusals
        )
        durations = [
            sample
            for (method, route), taken in sorted(self._durations.items())
            for sample in taken.samples({"method": method, "route": route})
        ]
        about = "How long requests took, until the last of the answer was sent."
        yield Family("parlour_request_duration_seconds", "histogram", about, durations)


def process_families() -> Iterable[Family]:
    """This process, by the names that Prometheus has for such numbers."""
    times = os.times()
    yield _one("process_cpu_seconds_total", "counter", "Time on a processor.", times.user + times.system)
    yield _one("process_start_time_seconds", "gauge", "When the process began, since 1970.", STARTED)
    try:
        descriptors = len(os.listdir("/proc/self/fd"))
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except OSError:  # not on Linux
        return
    yield _one("process_open_fds", "gauge", "Open files and connections.", descriptors)
    memory = pages * os.sysconf("SC_PAGE_SIZE")
    yield _one("process_resident_memory_bytes", "gauge", "Memory, without that of the workers.", memory)


def _one(name: str, kind: Literal["counter", "gauge"], about: str, value: float) -> Family:
    return Family(name, kind, about, [Sample(value)])
