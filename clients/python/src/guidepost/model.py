"""What the client gives and takes: places, records, changes, and the errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Union

__all__ = [
    "Change", "Conflict", "Denied", "GuidepostError", "Invalid", "Overloaded", "Place", "PlaceLike", "Record", "TimedOut", "Unreachable",
]


@dataclass(frozen=True)
class Place:
    """A place of a name.

    ``address`` is ``10.1.2.3:4444``, ``[2001:db8::1]:4444``, ``guid:`` and 40 digits, or a URL. ``ttl`` is how long a cache may keep
    it, in seconds; ``expires`` when it ends, in seconds since 1970; None where it is not set.
    """

    address: str
    ttl: Optional[float] = None
    expires: Optional[float] = None
    weight: Optional[int] = None
    labels: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.address


PlaceLike = Union[Place, str]


class GuidepostError(Exception):
    """A request failed. ``status`` is that of HTTP, 0 where no server answered; ``problem`` the server's problem details (RFC 9457)."""

    def __init__(self, message: str, status: int = 0, problem: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.status = status
        self.problem = problem or {}


class Unreachable(GuidepostError):
    """No server could be reached. A write was not done, unless the message says that its outcome is unknown."""


class TimedOut(Unreachable):
    """No server answered in time."""


class Denied(GuidepostError):
    """The token is missing, unknown, or not for this name (401, 403)."""


class Invalid(GuidepostError):
    """The request is wrong: a malformed name, place, lifetime or event id (400, 413, 422)."""


class Conflict(GuidepostError):
    """The record has another version than the one that the write demands (409, 412)."""


class Overloaded(GuidepostError):
    """The server has reached a bound, or has no room (429, 503, 507); nothing was changed."""


@dataclass(frozen=True)
class Record:
    """The places of a name. ``version`` grows with every change; a write can demand it (``if_version``)."""

    name: str
    guid: str
    version: str
    places: List[Place]


@dataclass(frozen=True)
class Change:
    """What a watch tells.

    ===========  =================================================================================
    kind         meaning
    ===========  =================================================================================
    ``put``      ``record`` has the name's places now
    ``delete``   ``name`` has no places any more
    ``ready``    the snapshot is complete; what follows are changes
    ``reset``    forget all that was told: a snapshot follows, in which deleted names are missing
    ===========  =================================================================================
    """

    kind: str
    name: str = ""
    record: Optional[Record] = None
