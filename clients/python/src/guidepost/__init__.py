"""Guidepost from Python: where is it? A name goes in, the places where it is now come out."""

from .aio import AsyncClient, AsyncLease
from .model import (
    Change, Conflict, Denied, GuidepostError, Invalid, Overloaded, Place, PlaceLike, Record, TimedOut, Unreachable,
)
from .names import guid
from .sync import Client, Lease

__version__ = "0.1.0"

__all__ = [
    "AsyncClient", "AsyncLease", "Change", "Client", "Conflict", "Denied", "GuidepostError", "Invalid", "Lease", "Overloaded", "Place",
    "PlaceLike", "Record", "TimedOut", "Unreachable", "guid",
]
