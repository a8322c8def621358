"""What ``parlour serve`` prints when it is ready."""

from __future__ import annotations

import re
import socket

import pytest

from parlour.cli import server


def greeting(host: str) -> tuple[str, list[str]]:
    """The address in the greeting of a server that listens at this one, and the lines."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as bound:  # it does not listen
        try:
            bound.bind((host, 0))
        except OSError:
            pytest.skip(f"this machine has no {host}")
        port = bound.getsockname()[1]
        first, *more = server._greeting(bound).split("\n")
    found = re.fullmatch(rf"Parlour is open at http://(\S+):{port}/ \(Ctrl-C closes it\)", first)
    assert found is not None, first
    return found[1], more


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("127.0.0.5", "127.0.0.5"), ("::1", "[::1]")])
def test_at_a_loopback_address_it_prints_that_address_alone(host: str, shown: str) -> None:
    assert greeting(host) == (shown, [])


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_at_all_addresses_it_prints_one_that_a_phone_can_open(host: str) -> None:
    shown, more = greeting(host)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("198.51.100.1", 9))
        except OSError:
            pytest.skip("this machine has no network")
        assert shown == asked.getsockname()[0]
    assert len(more) == 1
    assert "plain http" in more[0]


def test_without_a_network_it_prints_the_name_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unreachable(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr("socket.socket", Unreachable)
    assert server._network_address() == socket.gethostname()


def test_networks_of_ipv4_are_trusted_at_a_socket_of_ipv6_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.0/8, 192.0.2.7")
    assert server._trusted() == ["10.0.0.0/8", "192.0.2.7", "::ffff:10.0.0.0/104", "::ffff:192.0.2.7"]
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    assert server._trusted() == ["*"]
