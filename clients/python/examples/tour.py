"""What the documentation shows: a name is put, resolved, held by a lease and watched."""

from typing import List

import guidepost


def tour(server: str, gnrs: str, token: str) -> List[str]:
    """Returns what a program would print."""
    told: List[str] = []
    # snippet: python
    with guidepost.Client(server, gnrs=gnrs, token=token) as client:
        client.put("orders.example", "192.0.2.10:8443", "[2001:db8::10]:8443")
        for place in client.resolve("orders.example"):
            told.append(place.address)
        with client.lease(seconds=30) as lease:
            lease.add("workers.example", "192.0.2.7:9000")  # renewed until the lease or the process ends
            for change in client.watch("workers."):
                if change.kind == "ready":
                    break  # the snapshot is complete; a service goes on
                told.append(f"{change.kind} {change.name}")
    # end
    return told
