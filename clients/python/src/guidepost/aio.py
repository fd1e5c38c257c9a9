"""The client for asyncio. :mod:`guidepost.sync` has the same for threads."""

from __future__ import annotations

import asyncio
import datetime
import json
import random
import ssl
import time
from typing import Any, AsyncIterator, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urljoin, urlsplit

from . import names
from .gnrs import GnrsChannel
from .http import NotSent, Response, Server, Servers, failure
from .model import Change, Denied, GuidepostError, Invalid, Place, PlaceLike, Record, TimedOut, Unreachable

# The server tells something every 15 seconds; after three times that it is gone.
_SILENCE_SECONDS = 45.0

_RETRY_SECONDS_MIN = 0.05
_RETRY_SECONDS_MAX = 5.0
_PAGE = 1000

# How much longer than one attempt GNRS may take before HTTP is asked, and how long it is left alone when it was silent.
_GNRS_PATIENCE = 5
_GNRS_PAUSE_SECONDS = 5.0


def _strings(value: Union[str, Sequence[str], None]) -> List[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _host_port(text: str) -> "tuple[str, int]":
    parts = urlsplit("//" + text)
    if not parts.hostname:
        raise ValueError(f"'{text}' is no GNRS server: write HOST:PORT")
    return parts.hostname, parts.port or 5001


def _place_out(place: PlaceLike) -> Dict[str, Any]:
    if isinstance(place, str):
        return {"place": place}
    out: Dict[str, Any] = {"place": place.address}
    if place.ttl is not None:
        out["ttl"] = place.ttl
    if place.expires is not None:
        moment = datetime.datetime.fromtimestamp(place.expires, datetime.timezone.utc)
        out["expires"] = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if place.weight is not None:
        out["weight"] = place.weight
    if place.labels:
        out["labels"] = dict(place.labels)
    return out


def _place_in(json_place: Mapping[str, Any]) -> Place:
    expires = json_place.get("expires")
    moment = None
    if expires is not None:
        whole, _, fraction = expires.rstrip("Z").partition(".")
        parsed = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
        moment = parsed.timestamp() + (float("0." + fraction) if fraction else 0.0)
    return Place(json_place["place"], json_place.get("ttl"), moment, json_place.get("weight"), json_place.get("labels", {}))


def _record_in(json_record: Mapping[str, Any]) -> Record:
    places = [_place_in(each) for each in json_record["places"]]
    return Record(json_record["name"], json_record["guid"], json_record["version"], places)


def _path(name: str) -> str:
    return "/v1/names/" + quote(name, safe="")


class AsyncClient:
    """A client of one or more servers of a deployment.

    :param servers: ``http://HOST:PORT`` or ``https://HOST:PORT``, one or a list; reads are hedged over all of them
    :param gnrs: ``HOST:PORT`` of GNRS over UDP, one or a list; with it :meth:`resolve` costs one datagram
    :param alto: the directory of ALTO, such as ``http://HOST:5082/directory``; needed by :meth:`rank`
    :param token: a bearer token, for writes
    :param tls: certificates to trust, and that of the client; the system's by default
    :param timeout: of each request, in seconds
    :param hedge_after: a read that takes longer is also sent to the next server, in seconds
    """

    def __init__(
        self,
        servers: Union[str, Sequence[str]],
        *,
        gnrs: Union[str, Sequence[str], None] = None,
        alto: Optional[str] = None,
        token: Optional[str] = None,
        tls: Optional[ssl.SSLContext] = None,
        timeout: float = 5.0,
        hedge_after: float = 0.1,
    ) -> None:
        urls = _strings(servers)
        if not urls:
            raise ValueError("a client needs a server: http://HOST:PORT")
        self._servers = Servers([Server(each, token, tls) for each in urls], hedge_after, timeout)
        ports = [_host_port(each) for each in _strings(gnrs)]
        self._gnrs = GnrsChannel(ports, hedge_after, min(timeout, _GNRS_PATIENCE * hedge_after)) if ports else None
        self._gnrs_from = 0.0
        self._alto = alto
        self._alto_servers: Dict[str, Server] = {}
        self._tls = tls
        self._timeout = timeout

    async def resolve(self, name: str, *, nearest: Optional[str] = None) -> List[Place]:
        """Returns the places of a name, links to other names followed; none if it has none.

        Over GNRS, if the client has a server of it: such places have neither weight nor labels. ``nearest`` is an address: the
        places that are nearest to it by the operator's topology come first; that goes over HTTP.

        :raises GuidepostError: if no server answers
        """
        if self._gnrs is not None and nearest is None and time.monotonic() >= self._gnrs_from:
            try:
                places = await self._gnrs.lookup(names.guid(name))
                if places:
                    return places
                # The server may fold handles otherwise than the client, or keep the name elsewhere: it is asked by the text too.
            except Unreachable:
                # UDP may be blocked on the way: HTTP for a while, instead of a wait for each name.
                self._gnrs_from = time.monotonic() + _GNRS_PAUSE_SECONDS
            except GuidepostError:
                pass
        query = {"recursive": "1"}
        if nearest is not None:
            query["nearest"] = nearest
        found = await self._get(name, query)
        return found.places if found else []

    async def get(self, name: str) -> Optional[Record]:
        """Returns the record of a name as it is kept: with version, weights and labels, and links not followed; None if there is none."""
        return await self._get(name, {})

    async def _get(self, name: str, query: Mapping[str, str]) -> Optional[Record]:
        target = _path(name) + ("?" + urlencode(query) if query else "")
        answer = await self._read(target, missing=True)
        return _record_in(answer.json()) if answer.status == 200 else None

    async def _read(self, target: str, missing: bool = False) -> Response:
        async def ask(server: Server) -> Response:
            answer = await server.request("GET", target, {"Accept": "application/json"})
            if answer.status == 200 or missing and answer.status == 404:
                return answer
            raise failure(answer)

        return await self._servers.read(ask)

    async def put(
        self, name: str, *places: PlaceLike, if_version: Optional[str] = None, if_absent: bool = False
    ) -> Record:
        """Replaces all places of a name, durably.

        :param if_version: only if the record has this version, else :class:`Conflict`
        :param if_absent: only if the name has no places, else :class:`Conflict`
        """
        headers = {"If-Match": f'"{if_version}"'} if if_version else {"If-None-Match": "*"} if if_absent else {}
        answer = await self._write("PUT", _path(name), {"places": [_place_out(each) for each in places]}, headers)
        return _record_in(answer.json())

    async def add(self, name: str, *places: PlaceLike) -> Record:
        """Adds places to a name, which keeps those that it has; a place that is there takes the new lifetime, weight and labels."""
        answer = await self._write("PATCH", _path(name), {"add": [_place_out(each) for each in places]})
        return _record_in(answer.json())

    async def remove(self, name: str, *places: str, if_version: Optional[str] = None) -> bool:
        """Removes places of a name, or without ``places`` all of them; returns False if the name had none."""
        headers = {"If-Match": f'"{if_version}"'} if if_version else {}
        if places:
            body = {"remove": [str(each) for each in places]}
            await self._write("PATCH", _path(name), body, headers)
            return True
        return (await self._write("DELETE", _path(name), None, headers, missing=True)).status != 404

    async def _write(
        self,
        method: str,
        target: str,
        body: Optional[Mapping[str, Any]],
        headers: Mapping[str, str] = {},
        missing: bool = False,
    ) -> Response:
        data = b"" if body is None else json.dumps(body).encode("utf-8")
        sent = {"Accept": "application/json", **({"Content-Type": "application/json"} if data else {}), **headers}

        async def ask(server: Server) -> Response:
            answer = await server.request(method, target, sent, data)
            if answer.status < 300 or missing and answer.status == 404:
                return answer
            raise failure(answer)

        return await self._servers.write(ask)

    async def list(self, prefix: str = "") -> AsyncIterator[Record]:
        """Yields the records of all names that begin with a text, sorted by their bytes; fetched in pages."""
        query = {"prefix": prefix, "limit": str(_PAGE)}
        while True:
            page = (await self._read("/v1/names?" + urlencode(query))).json()
            for each in page["names"]:
                yield _record_in(each)
            if "next" not in page:
                return
            query["after"] = page["next"]

    async def watch(self, prefix: str = "") -> AsyncIterator[Change]:
        """Yields a snapshot of the names that begin with a text, ``ready``, and then each change, at least once and in order for a name.

        Survives lost connections and servers: it resumes where it was, or tells ``reset`` and a new snapshot.

        :raises Denied: if the client may not read; :class:`Invalid` if the prefix is none
        """
        target = "/v1/names?" + urlencode({"watch": "1", "prefix": prefix})
        position: Optional[str] = None
        told = ready = False
        wait = _RETRY_SECONDS_MIN
        while True:
            server = self._servers.first()
            if position is None and told:
                # The snapshot was cut off, or is of another server: what was told of it may be gone.
                told = ready = False
                yield Change("reset")
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": position} if position else {})}
            try:
                event, data, identity = "", "", None
                async for line in server.lines(target, headers, _SILENCE_SECONDS):
                    key, _, value = line.partition(":")
                    value = value[1:] if value.startswith(" ") else value
                    if key == "event":
                        event = value
                    elif key == "data":
                        data += value
                    elif key == "id":
                        identity = value
                    elif not line and event:
                        wait = _RETRY_SECONDS_MIN
                        position = None if event == "reset" else identity or position
                        # A server tells "ready" once more when a watch resumes.
                        tells = told if event == "reset" else not ready if event == "ready" else True
                        told = event != "reset"
                        ready = told and (ready or event == "ready")
                        if tells:
                            yield _change_in(event, json.loads(data or "{}"))
                        event, data, identity = "", "", None
            except (NotSent, Unreachable, OSError, asyncio.TimeoutError):
                pass
            except (Denied, Invalid) as refused:
                if refused.status == 400 and position is not None:
                    position = None
                    continue
                raise
            except GuidepostError:
                pass
            self._servers.rotate()
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(2 * wait, _RETRY_SECONDS_MAX)

    def lease(self, seconds: float = 30.0) -> "AsyncLease":
        """Returns a lease, for ``async with``: places that it adds go when this process ends, ``seconds`` later at the latest."""
        return AsyncLease(self, seconds)

    async def rank(self, addresses: Sequence[str], *, source: Optional[str] = None) -> List[str]:
        """Returns addresses, nearest first by the operator's topology; those that the server does not know come last.

        :param source: the address that they are to be near to; the client's own if None, which a server may demand
        """
        if self._alto is None:
            raise Invalid("rank needs the directory of ALTO: alto='http://HOST:5082/directory'")
        directory = await self._alto_request("GET", self._alto, {})
        for each in directory.get("resources", {}).values():
            if each.get("media-type") == "application/alto-endpointcost+json":
                where = urljoin(self._alto, each["uri"])
                break
        else:
            raise GuidepostError("the server publishes no costs between addresses")
        endpoints: Dict[str, List[str]] = {"dsts": [_endpoint(each) for each in addresses]}
        if source is not None:
            endpoints["srcs"] = [_endpoint(source)]
        question = {"cost-type": {"cost-mode": "numerical", "cost-metric": "routingcost"}, "endpoints": endpoints}
        answer = await self._alto_request("POST", where, question)
        costs: Dict[str, float] = {}
        for row in answer["endpoint-cost-map"].values():
            costs.update(row)
        return sorted(addresses, key=lambda each: costs.get(_endpoint(each), float("inf")))

    async def _alto_request(self, method: str, url: str, body: Mapping[str, Any]) -> Any:
        parts = urlsplit(url)
        server = self._alto_servers.setdefault(parts.netloc, Server(f"{parts.scheme}://{parts.netloc}", None, self._tls))
        target = (parts.path or "/directory") + ("?" + parts.query if parts.query else "")
        headers = {"Accept": "*/*", **({"Content-Type": "application/alto-endpointcostparams+json"} if body else {})}
        data = json.dumps(body).encode("utf-8") if body else b""
        try:
            answer = await asyncio.wait_for(server.request(method, target, headers, data), self._timeout)
        except NotSent as refused:
            raise Unreachable(str(refused)) from refused
        except asyncio.TimeoutError:
            raise TimedOut(f"no answer within {self._timeout:g} s ({url})") from None
        if answer.status != 200:
            raise failure(answer)
        return answer.json()

    async def close(self) -> None:
        """Closes the connections; leases and watches are closed by themselves."""
        self._servers.close()
        for each in self._alto_servers.values():
            each.close()
        if self._gnrs is not None:
            self._gnrs.close()
        # The loop closes what it is told to in its next turn.
        await asyncio.sleep(0)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _endpoint(address: str) -> str:
    return ("ipv6:" if ":" in address else "ipv4:") + address


def _change_in(event: str, data: Mapping[str, Any]) -> Change:
    if event == "put":
        record = _record_in(data)
        return Change("put", record.name, record)
    return Change(event, data.get("name", ""))


class AsyncLease:
    """Places that go when this process ends: one renewal in the background for all of them.

    A lease that was lost, as the process was cut off for longer than it lasts, is begun anew with all places. ``id`` is the
    server's name of it, None before the first place; ``renewed`` and ``lost`` count; ``error`` is why the last renewal failed,
    None if it did not.
    """

    def __init__(self, client: AsyncClient, seconds: float) -> None:
        self._client = client
        self._seconds = seconds
        self._held: Dict[str, Dict[str, PlaceLike]] = {}
        self.id: Optional[str] = None
        self._turn = asyncio.Lock()
        self._task: Optional["asyncio.Task[None]"] = None
        self.renewed = 0
        self.lost = 0
        self.error: Optional[GuidepostError] = None

    async def add(self, name: str, *places: PlaceLike) -> None:
        """Adds places to a name, for as long as the lease lasts."""
        async with self._turn:
            if not await self._put(name, places):
                await self._again()
                await self._put(name, places)
            self._held.setdefault(name, {}).update((str(each), each) for each in places)
            if self._task is None:
                self._task = asyncio.ensure_future(self._renew())

    async def remove(self, name: str) -> None:
        """Removes the places that this lease added to a name."""
        async with self._turn:
            places = self._held.pop(name, {})
            if places:
                await self._client.remove(name, *places)

    async def _put(self, name: str, places: Sequence[PlaceLike]) -> bool:
        """Adds places under the lease, or begins one; returns False if the lease has ended."""
        term = self.id or f"{round(self._seconds * 1000)}ms"
        body = {"add": [_place_out(each) for each in places]}
        answer = await self._client._write("PATCH", _path(name) + "?lease=" + term, body, missing=self.id is not None)
        if answer.status != 404:
            self.id = answer.json()["lease"]["id"]
        return answer.status != 404

    async def _again(self) -> None:
        """Begins a new lease with all places: one with a part of them would be renewed as if it were whole."""
        self.lost += self.id is not None
        self.id = None
        try:
            for name, places in self._held.items():
                await self._put(name, list(places.values()))
        except BaseException:
            self.id = None
            raise

    async def _renew(self) -> None:
        wait = self._seconds / 3
        while True:
            await asyncio.sleep(wait)
            wait = self._seconds / 3
            try:
                async with self._turn:
                    renewed = self.id and await self._client._write("POST", f"/v1/leases/{self.id}:renew", None, missing=True)
                    if not renewed or renewed.status == 404:
                        await self._again()
                self.renewed += 1
                self.error = None
            except GuidepostError as failed:
                self.error = failed
                wait = min(1.0, self._seconds / 10)

    async def close(self) -> None:
        """Ends the lease: its places are removed."""
        if self._task is not None:
            self._task.cancel()
        async with self._turn:
            self._held.clear()
            if self.id is not None:
                ended, self.id = self.id, None
                await self._client._write("DELETE", f"/v1/leases/{ended}", None, missing=True)

    async def __aenter__(self) -> "AsyncLease":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
