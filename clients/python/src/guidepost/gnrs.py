"""GNRS over UDP: the codec of look-ups, and a channel that retransmits and hedges them.

A request and its response, all numbers big-endian (docs/gnrs.md has every message)::

    header                                    payload of LOOKUP (type 0x01)
     offset size                               +0  20  GUID
        0     1  version, 0                   payload of LOOKUP_RESPONSE (0x81)
        1     1  type                          +0   2  code, 0 = SUCCESS
        2     2  length of the message         +2   2  padding
        4     4  request id                    +4   4  b, number of places
        8     2  options offset, 0 = none      +8   .  b addresses: type 16, length 16, value
       10     2  payload offset, 16+n         option
       12     2  origin type                   +0   1  bit 7: the last one; bits 0-6: which
       14     2  n, origin length              +1   1  length of the value
       16     n  origin; none = the source     +2   .  value
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import struct
import time
from typing import Dict, List, Optional, Sequence, Tuple

from .model import GuidepostError, Place, TimedOut, Unreachable

_LOOKUP, _LOOKUP_RESPONSE = 0x01, 0x81
_RECURSION, _EXPIRATION, _TTL, _PARTIAL, _ACCEPT, _PADDING, _LAST = 0, 1, 2, 0x60, 0x61, 0x62, 0x80
_IPV4, _GUID, _IPV6, _URL = 0, 1, 0xF006, 0xF007
_HEADER = struct.Struct(">BBHIHHHH")

# The longest UDP payload over IPv4.
_DATAGRAM_BYTES_MAX = 65_507

# Bytes of a place in a response, with its times: a padded request of that length permits a response with all places.
_PLACE_BYTES_USUAL = 64


class Malformed(Exception):
    """A datagram is not a response of this protocol."""


def lookup(request_id: int, guid: bytes, padding: int = 0) -> bytes:
    """Returns a recursive LOOKUP that accepts every address type; ``padding`` bytes lengthen it."""
    options = bytearray(struct.pack(">BBH", _RECURSION, 2, 1))
    while padding > 0:
        size = min(padding, 255)
        options += struct.pack(">BB", _PADDING, size) + bytes(size)
        padding -= size
    options += struct.pack(">BBH", _ACCEPT | _LAST, 2, _DATAGRAM_BYTES_MAX)
    length = _HEADER.size + len(guid) + len(options)
    return _HEADER.pack(0, _LOOKUP, length, request_id, _HEADER.size + len(guid), _HEADER.size, 0, 0) + guid + bytes(options)


def _address(kind: int, value: bytes) -> str:
    if kind == _IPV4 and len(value) == 6:
        return f"{ipaddress.IPv4Address(value[:4])}:{int.from_bytes(value[4:], 'big')}"
    if kind == _IPV6 and len(value) == 18:
        return f"[{ipaddress.IPv6Address(value[:16])}]:{int.from_bytes(value[16:], 'big')}"
    if kind == _GUID and len(value) == 20:
        return "guid:" + value.hex()
    if kind == _URL:
        return value.decode("utf-8", "replace")
    return f"type{kind}:{value.hex()}"


def response(message: bytes) -> Tuple[int, bool, List[Place], int]:
    """Parses a LOOKUP_RESPONSE: its id, whether it is SUCCESS, the places, and how many the name has.

    :raises Malformed: if it is none
    """
    try:
        version, kind, length, request_id, options, payload, _, origin = _HEADER.unpack_from(message)
        at = _HEADER.size + origin
        if version != 0 or kind != _LOOKUP_RESPONSE or length != len(message) or payload not in (0, at):
            raise Malformed("not a LOOKUP_RESPONSE")
        code, count = struct.unpack_from(">H2xI", message, at)
        at += 8
        if count > (length - at) // 4:
            raise Malformed("more places than bytes")
        addresses = []
        for _ in range(count):
            kind, size = struct.unpack_from(">HH", message, at)
            at += 4 + size
            if at > length:
                raise Malformed("a place is cut off")
            addresses.append(_address(kind, message[at - size : at]))
        found: Dict[int, bytes] = {}
        while options and at < length:
            kind, size = message[at], message[at + 1]
            found[kind & ~_LAST] = message[at + 2 : at + 2 + size]
            at += 2 + size
            if at > length or kind & _LAST and at != length:
                raise Malformed("the options end elsewhere than the message")
        ttls, expiries = (_times(found.get(each), count) for each in (_TTL, _EXPIRATION))
        total = int.from_bytes(found[_PARTIAL], "big") if _PARTIAL in found else count
    except (struct.error, IndexError) as cut:
        raise Malformed("a response is cut off") from cut
    places = [
        Place(address, ttl=ttl / 1000 if ttl else None, expires=expiry / 1000 if expiry else None)
        for address, ttl, expiry in zip(addresses, ttls, expiries)
    ]
    return request_id, code == 0, places, total


def _times(value: Optional[bytes], count: int) -> Sequence[int]:
    if value is None or len(value) != 8 * count:
        return [0] * count
    return struct.unpack(f">{count}Q", value)


class _Port(asyncio.DatagramProtocol):
    """A connected socket: the kernel passes only datagrams of the server's address."""

    def __init__(self) -> None:
        self.waiting: Dict[int, "asyncio.Future[Tuple[bool, List[Place], int]]"] = {}
        self.transport: Optional[asyncio.DatagramTransport] = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def datagram_received(self, data: bytes, addr: object) -> None:
        try:
            request_id, success, places, total = response(data)
        except Malformed:
            return
        future = self.waiting.pop(request_id, None)
        if future is not None and not future.done():
            future.set_result((success, places, total))

    def error_received(self, exc: Exception) -> None:
        self._fail(exc)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._fail(exc or ConnectionError("closed"))

    def _fail(self, cause: Exception) -> None:
        for future in self.waiting.values():
            if not future.done():
                future.set_exception(cause)
        self.waiting.clear()


class GnrsChannel:
    """Look-ups at one or more servers. Each attempt goes to the next server; the first response counts."""

    def __init__(self, servers: Sequence[Tuple[str, int]], hedge_after: float, timeout: float) -> None:
        self._servers = list(servers)
        self._hedge_after = hedge_after
        self._timeout = timeout
        self._ports: Dict[Tuple[str, int], _Port] = {}

    async def _port(self, server: Tuple[str, int]) -> _Port:
        port = self._ports.get(server)
        if port is None or port.transport is None or port.transport.is_closing():
            _, port = await asyncio.get_running_loop().create_datagram_endpoint(_Port, remote_addr=server)
            if server in self._ports and not self._ports[server].transport.is_closing():  # type: ignore[union-attr]
                # Another look-up opened one meanwhile.
                port.transport.close()  # type: ignore[union-attr]
                port = self._ports[server]
            self._ports[server] = port
        return port

    async def lookup(self, guid: bytes) -> List[Place]:
        """Returns the places of a GUID, none if nothing is bound to it.

        :raises TimedOut: if no server answers in time
        :raises GuidepostError: if a server answers FAILED
        """
        success, places, total = await self._ask(guid, 0)
        if success and total > len(places):
            # A longer request permits a longer response.
            success, places, total = await self._ask(guid, min(_PLACE_BYTES_USUAL * total, _DATAGRAM_BYTES_MAX // 2))
        if not success or total > len(places):
            raise GuidepostError("the server answered FAILED over GNRS" if not success else f"{len(places)} of {total} places came")
        return places

    async def _ask(self, guid: bytes, padding: int) -> Tuple[bool, List[Place], int]:
        end = time.monotonic() + self._timeout
        pending: Dict["asyncio.Future[Tuple[bool, List[Place], int]]", Tuple[_Port, int, str]] = {}
        causes: Dict[str, str] = {}
        wait = self._hedge_after
        attempt = 0
        try:
            while True:
                server = self._servers[attempt % len(self._servers)]
                title = f"{server[0]}:{server[1]}"
                attempt += 1
                try:
                    port = await asyncio.wait_for(self._port(server), max(0.001, end - time.monotonic()))
                    request_id = secrets.randbits(32)
                    future = asyncio.get_running_loop().create_future()
                    port.waiting[request_id] = future
                    pending[future] = (port, request_id, title)
                    port.transport.sendto(lookup(request_id, guid, padding))  # type: ignore[union-attr]
                except (OSError, asyncio.TimeoutError) as failure:
                    causes[title] = str(failure) or "no address in time"
                until = min(end, time.monotonic() + wait)
                while pending and time.monotonic() < until:
                    done, _ = await asyncio.wait(
                        list(pending), timeout=until - time.monotonic(), return_when=asyncio.FIRST_COMPLETED
                    )
                    for each in done:
                        asked = pending.pop(each)[2]
                        if each.exception() is None:
                            return each.result()
                        causes[asked] = str(each.exception())
                if time.monotonic() >= end:
                    silent = ", ".join(f"{host}:{port}" for host, port in self._servers)
                    raise TimedOut(f"no GNRS server answered within {self._timeout:g} s ({silent})")
                if not pending and attempt >= len(self._servers):
                    raise Unreachable("no GNRS server can be reached: " + "; ".join(f"{k}: {v}" for k, v in causes.items()))
                if pending:
                    wait *= 2
        finally:
            for port, request_id, _ in pending.values():
                port.waiting.pop(request_id, None)

    def close(self) -> None:
        """Closes the sockets; look-ups in flight fail."""
        for port in self._ports.values():
            if port.transport is not None:
                port.transport.close()
