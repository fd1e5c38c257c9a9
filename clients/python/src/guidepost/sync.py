"""The client for threads: :class:`guidepost.aio.AsyncClient` on an event loop of its own."""

from __future__ import annotations

import asyncio
import os
import ssl
import threading
from typing import Any, AsyncIterator, Awaitable, Iterator, List, Optional, Sequence, TypeVar, Union

from .aio import AsyncClient, AsyncLease
from .model import Change, GuidepostError, PlaceLike, Place, Record

Result = TypeVar("Result")


class _Loop:
    """An event loop on a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._loop.run_forever, name="guidepost", daemon=True)
        self._thread.start()

    def run(self, work: Awaitable[Result]) -> Result:
        async def awaited() -> Result:
            return await work

        if self._process != os.getpid():
            raise GuidepostError("a client does not survive fork: make one in the new process")
        if self._loop.is_closed():
            raise GuidepostError("the client is closed")
        future = asyncio.run_coroutine_threadsafe(awaited(), self._loop)
        try:
            return future.result()
        except BaseException:
            # Such as KeyboardInterrupt in the calling thread.
            future.cancel()
            raise

    def iterate(self, items: AsyncIterator[Result]) -> Iterator[Result]:
        end = object()

        async def following() -> Any:
            async for each in items:
                return each
            return end

        try:
            while True:
                item = self.run(following())
                if item is end:
                    return
                yield item
        finally:
            if not self._loop.is_closed():
                self.run(items.aclose())  # type: ignore[attr-defined]

    def stop(self) -> None:
        async def cancel() -> None:
            others = [each for each in asyncio.all_tasks() if each is not asyncio.current_task()]
            for each in others:
                each.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await self._loop.shutdown_asyncgens()
            await asyncio.sleep(0)

        if not self._loop.is_closed():
            self.run(cancel())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


class Client:
    """A client of one or more servers of a deployment; threads may share it. Parameters as of :class:`guidepost.aio.AsyncClient`."""

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
        self._client = AsyncClient(
            servers, gnrs=gnrs, alto=alto, token=token, tls=tls, timeout=timeout, hedge_after=hedge_after
        )
        self._loop = _Loop()

    def resolve(self, name: str, *, nearest: Optional[str] = None) -> List[Place]:
        """As :meth:`AsyncClient.resolve`."""
        return self._loop.run(self._client.resolve(name, nearest=nearest))

    def get(self, name: str) -> Optional[Record]:
        """As :meth:`AsyncClient.get`."""
        return self._loop.run(self._client.get(name))

    def put(self, name: str, *places: PlaceLike, if_version: Optional[str] = None, if_absent: bool = False) -> Record:
        """As :meth:`AsyncClient.put`."""
        return self._loop.run(self._client.put(name, *places, if_version=if_version, if_absent=if_absent))

    def add(self, name: str, *places: PlaceLike) -> Record:
        """As :meth:`AsyncClient.add`."""
        return self._loop.run(self._client.add(name, *places))

    def remove(self, name: str, *places: str, if_version: Optional[str] = None) -> bool:
        """As :meth:`AsyncClient.remove`."""
        return self._loop.run(self._client.remove(name, *places, if_version=if_version))

    def list(self, prefix: str = "") -> Iterator[Record]:
        """As :meth:`AsyncClient.list`."""
        return self._loop.iterate(self._client.list(prefix))

    def watch(self, prefix: str = "") -> Iterator[Change]:
        """As :meth:`AsyncClient.watch`; ``close()`` of the iterator ends it."""
        return self._loop.iterate(self._client.watch(prefix))

    def rank(self, addresses: Sequence[str], *, source: Optional[str] = None) -> List[str]:
        """As :meth:`AsyncClient.rank`."""
        return self._loop.run(self._client.rank(addresses, source=source))

    def lease(self, seconds: float = 30.0) -> "Lease":
        """As :meth:`AsyncClient.lease`, for ``with``."""

        async def made() -> AsyncLease:
            return self._client.lease(seconds)

        return Lease(self._loop, self._loop.run(made()))

    def close(self) -> None:
        """Closes connections and the thread; leases end by themselves when they are not renewed."""
        self._loop.run(self._client.close())
        self._loop.stop()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Lease:
    """As :class:`guidepost.aio.AsyncLease`."""

    def __init__(self, loop: _Loop, lease: AsyncLease) -> None:
        self._loop = loop
        self._lease = lease

    @property
    def id(self) -> Optional[str]:
        """The server's name of it; None before the first place."""
        return self._lease.id

    @property
    def renewed(self) -> int:
        """How often it was renewed."""
        return self._lease.renewed

    @property
    def lost(self) -> int:
        """How often it was lost, and its places were put again."""
        return self._lease.lost

    @property
    def error(self) -> Optional[GuidepostError]:
        """Why the last renewal failed; None if it did not."""
        return self._lease.error

    def add(self, name: str, *places: PlaceLike) -> None:
        """As :meth:`AsyncLease.add`."""
        self._loop.run(self._lease.add(name, *places))

    def remove(self, name: str) -> None:
        """As :meth:`AsyncLease.remove`."""
        self._loop.run(self._lease.remove(name))

    def close(self) -> None:
        """As :meth:`AsyncLease.close`."""
        self._loop.run(self._lease.close())

    def __enter__(self) -> "Lease":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
