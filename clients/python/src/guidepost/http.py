"""HTTP/1.1 over asyncio: requests with a deadline, streams, connections that are kept, and hedging over several servers."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, TypeVar
from urllib.parse import urlsplit

from .model import Conflict, Denied, GuidepostError, Invalid, Overloaded, TimedOut, Unreachable

Result = TypeVar("Result")

# Bytes of a body that the client takes, of a line, and of a head: more is no answer of this server.
_BODY_BYTES_MAX = 64 << 20
_LINE_BYTES_MAX = 1 << 20
_HEADERS_MAX = 200

# Idle connections that are kept for each server, and how long: shorter than servers keep theirs.
_IDLE_MAX = 8
_IDLE_SECONDS = 10.0

_CONNECT_SECONDS = 2.0


@dataclass(frozen=True)
class Response:
    """A response whose body has come."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as fault:
            raise GuidepostError(f"the server's answer is no JSON: {fault}", self.status) from fault


class NotSent(Exception):
    """No connection came about: the server has not seen the request."""


def failure(response: Response) -> GuidepostError:
    """Returns the error of a response above 399, with what the server says about it."""
    problem: Dict[str, Any] = {}
    if "json" in response.headers.get("content-type", ""):
        try:
            parsed = json.loads(response.body)
            problem = parsed if isinstance(parsed, dict) else {}
        except ValueError:
            pass
    said = problem.get("detail") or problem.get("title") or response.body.decode("utf-8", "replace")[:200].strip()
    kind = (
        Denied if response.status in (401, 403)
        else Conflict if response.status in (409, 412)
        else Overloaded if response.status in (429, 503, 507)
        else Invalid if response.status in (400, 405, 406, 413, 414, 415, 422)
        else GuidepostError
    )
    return kind(f"{response.status}: {said}" if said else f"the server answered {response.status}", response.status, problem)


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.idle_since = 0.0
        self.reusable = False

    async def head(self) -> "tuple[int, Dict[str, str]]":
        while True:
            parts = (await self._line()).split(None, 2)
            if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not parts[1].isdigit():
                raise ConnectionError("the server does not speak HTTP/1.1")
            headers: Dict[str, str] = {}
            for _ in range(_HEADERS_MAX):
                line = await self._line()
                if not line:
                    break
                key, _, value = line.partition(":")
                headers[key.strip().lower()] = value.strip()
            else:
                raise ConnectionError(f"a response has more than {_HEADERS_MAX} headers")
            status = int(parts[1])
            if status >= 200:
                self.reusable = parts[0] == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
                return status, headers

    async def _line(self) -> str:
        line = await self.reader.readline()
        if not line.endswith(b"\n"):
            raise ConnectionResetError("the server closed the connection")
        return line.rstrip(b"\r\n").decode("latin-1")

    async def chunks(self, status: int, headers: Mapping[str, str]) -> AsyncIterator[bytes]:
        """Yields the body as it comes."""
        if status in (204, 304):
            return
        if headers.get("transfer-encoding", "").lower() == "chunked":
            while True:
                size = int((await self._line()).split(";")[0], 16)
                if size == 0:
                    while await self._line():
                        pass
                    return
                yield await self.reader.readexactly(size)
                await self._line()
        elif "content-length" in headers:
            left = int(headers["content-length"])
            while left > 0:
                piece = await self.reader.read(min(left, 1 << 16))
                if not piece:
                    raise ConnectionResetError("the server closed the connection within a body")
                left -= len(piece)
                yield piece
        else:
            self.reusable = False
            while True:
                piece = await self.reader.read(1 << 16)
                if not piece:
                    return
                yield piece


class Server:
    """One server: its address, and the connections to it that are idle."""

    def __init__(self, url: str, token: Optional[str], tls: Optional[ssl.SSLContext]) -> None:
        parts = urlsplit(url if "://" in url else "http://" + url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"'{url}' is no server: write http://HOST:PORT or https://HOST:PORT")
        self.title = f"{parts.scheme}://{parts.netloc}"
        self._host = parts.hostname
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._path = parts.path.rstrip("/")
        self._tls = (tls or ssl.create_default_context()) if parts.scheme == "https" else None
        self._fixed = f"Host: {parts.netloc}\r\n" + (f"Authorization: Bearer {token}\r\n" if token else "")
        self._idle: List[_Connection] = []

    async def _connect(self) -> _Connection:
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection(self._host, self._port, ssl=self._tls, limit=_LINE_BYTES_MAX), _CONNECT_SECONDS
            )
            return _Connection(reader, writer)
        except asyncio.TimeoutError:
            raise NotSent(f"{self.title}: no connection within {_CONNECT_SECONDS:g} s") from None
        except OSError as refused:
            raise NotSent(f"{self.title}: {refused}") from refused

    async def _send(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> "tuple[_Connection, int, Dict[str, str]]":
        head = f"{method} {self._path}{target} HTTP/1.1\r\n{self._fixed}"
        head += "".join(f"{key}: {value}\r\n" for key, value in headers.items())
        if body or method in ("PUT", "POST", "PATCH"):
            head += f"Content-Length: {len(body)}\r\n"
        while True:
            kept = None
            while self._idle and kept is None:
                kept = self._idle.pop()
                if time.monotonic() - kept.idle_since > _IDLE_SECONDS or kept.reader.at_eof():
                    kept.writer.close()
                    kept = None
            connection = kept or await self._connect()
            try:
                connection.writer.write(head.encode("latin-1") + b"\r\n" + body)
                await connection.writer.drain()
                return (connection, *await connection.head())
            except (OSError, ValueError, asyncio.IncompleteReadError) as broken:
                connection.writer.close()
                # A connection that was kept may have been closed by the server before it saw the request; a PATCH or a POST is not
                # sent twice all the same.
                if kept is None or method in ("POST", "PATCH"):
                    raise Unreachable(f"{self.title}: {broken or 'the connection broke'}") from broken
            except BaseException:
                connection.writer.close()
                raise

    async def request(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Response:
        """Sends a request and returns the whole response, whatever its status."""
        connection, status, answered = await self._send(method, target, headers, body)
        done = False
        try:
            pieces, size = [], 0
            async for piece in connection.chunks(status, answered):
                size += len(piece)
                if size > _BODY_BYTES_MAX:
                    raise GuidepostError(f"{self.title} answered more than {_BODY_BYTES_MAX} bytes", status)
                pieces.append(piece)
            done = connection.reusable
        except (OSError, ValueError, asyncio.IncompleteReadError) as broken:
            raise Unreachable(f"{self.title}: {broken or 'the connection broke'}") from broken
        finally:
            if done and len(self._idle) < _IDLE_MAX:
                connection.idle_since = time.monotonic()
                self._idle.append(connection)
            else:
                connection.writer.close()
        return Response(status, answered, b"".join(pieces))

    async def lines(self, target: str, headers: Mapping[str, str], silence: float) -> AsyncIterator[str]:
        """Yields the lines of a streamed response; ends when the server ends it or is silent for ``silence`` seconds."""
        connection, status, answered = await asyncio.wait_for(self._send("GET", target, headers, b""), silence)
        try:
            body = connection.chunks(status, answered)
            if status != 200:
                raise failure(Response(status, answered, b"".join([piece async for piece in body])))
            rest = b""
            while True:
                rest += await asyncio.wait_for(body.__anext__(), silence)
                if len(rest) > _BODY_BYTES_MAX:
                    raise GuidepostError(f"{self.title} sent a line of more than {_BODY_BYTES_MAX} bytes")
                *whole, rest = rest.split(b"\n")
                for line in whole:
                    yield line.rstrip(b"\r").decode("utf-8", "replace")
        except StopAsyncIteration:
            return
        finally:
            connection.writer.close()

    def close(self) -> None:
        """Closes the idle connections."""
        for each in self._idle:
            each.writer.close()
        self._idle.clear()


class Servers:
    """The servers of a client. Reads are hedged; a write goes to one, and to the next only if that one never saw it."""

    def __init__(self, servers: Sequence[Server], hedge_after: float, timeout: float) -> None:
        self._servers = list(servers)
        self._hedge_after = hedge_after
        self._timeout = timeout

    def first(self) -> Server:
        """Returns the server that is asked first."""
        return self._servers[0]

    def rotate(self) -> None:
        """Puts the first server last, after it failed."""
        self._servers.append(self._servers.pop(0))

    def _prefer(self, server: Server) -> None:
        while self._servers[0] is not server:
            self.rotate()

    async def read(self, call: Callable[[Server], Awaitable[Result]]) -> Result:
        """Asks the first server, after ``hedge_after`` or a failure also the next; the first success counts, and is preferred then.

        :raises Unreachable: if none can be reached, or none answers in time
        """
        end = time.monotonic() + self._timeout
        order = list(self._servers)
        asked: Dict["asyncio.Task[Result]", Server] = {}
        failures: List[str] = []
        refusal: Optional[GuidepostError] = None
        try:
            while order or asked:
                if order:
                    server = order.pop(0)
                    asked[asyncio.ensure_future(call(server))] = server
                patience = min(end - time.monotonic(), self._hedge_after if order else self._timeout)
                done, _ = await asyncio.wait(list(asked), timeout=max(0.0, patience), return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    server = asked.pop(task)
                    problem = task.exception()
                    if problem is None:
                        self._prefer(server)
                        return task.result()
                    if isinstance(problem, (NotSent, Unreachable)):
                        failures.append(str(problem))
                    elif isinstance(problem, GuidepostError) and problem.status >= 429:
                        # This server cannot now; another may.
                        refusal = problem
                    else:
                        raise problem
                if not done and time.monotonic() >= end:
                    raise TimedOut(f"no answer within {self._timeout:g} s ({', '.join(each.title for each in self._servers)})")
        finally:
            for task in asked:
                task.cancel()
        raise refusal or Unreachable("; ".join(failures))

    async def write(self, call: Callable[[Server], Awaitable[Result]]) -> Result:
        """Asks the first server that can be connected to."""
        failures = []
        for server in list(self._servers):
            try:
                result = await asyncio.wait_for(call(server), self._timeout)
                self._prefer(server)
                return result
            except NotSent as refused:
                failures.append(str(refused))
            except Unreachable as broken:
                raise Unreachable(f"{broken}; whether the write was done is unknown") from broken
            except asyncio.TimeoutError:
                raise TimedOut(
                    f"no answer within {self._timeout:g} s ({server.title}); whether the write was done is unknown"
                ) from None
        raise Unreachable("; ".join(failures))

    def close(self) -> None:
        """Closes the idle connections."""
        for each in self._servers:
            each.close()
