"""Runs ../../scenarios.txt against the server that the environment names, once with threads and once with asyncio."""

import asyncio
import os
import re
import sys
import time
import urllib.request

for folder in ("src", "examples"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder))

import guidepost  # noqa: E402
from tour import tour  # noqa: E402

KINDS = [
    ("timeout", guidepost.TimedOut), ("unreachable", guidepost.Unreachable), ("denied", guidepost.Denied), ("invalid", guidepost.Invalid),
    ("conflict", guidepost.Conflict), ("overloaded", guidepost.Overloaded), ("other", guidepost.GuidepostError),
]

PATIENCE_SECONDS = 20


def place(text):
    address, *rest = text.split(";")
    pairs = dict(each.split("=", 1) for each in rest)
    ttl, weight = pairs.pop("ttl", None), pairs.pop("weight", None)
    return guidepost.Place(address, ttl=ttl and float(ttl), weight=weight and int(weight), labels=pairs)


def text(each):
    parts = [each.address]
    parts += [f"ttl={each.ttl:g}"] if each.ttl is not None else []
    parts += [f"weight={each.weight}"] if each.weight is not None else []
    return ";".join(parts + [f"{key}={value}" for key, value in sorted(each.labels.items())])


def words(value):
    return [] if value == "-" else value.split(",")


class Run:
    """One scenario. ``wait`` returns what a call gives: at once with threads, awaited with asyncio."""

    def __init__(self, made, wait):
        self.made, self.wait = made, wait
        self.opened = []
        self.version = None
        self.watch = self.lease = None
        self.do_client()

    def do_client(self, *settings):
        given = {"servers": "$HTTP", "gnrs": "$GNRS", "alto": "$ALTO", "token": "$TOKEN", "timeout": "5000", "hedge": "100"}
        given = {key: os.environ[value[1:]] if value.startswith("$") else value for key, value in given.items()}
        given.update(each.split("=", 1) for each in settings)
        self.client = self.made(
            words(given["servers"]), gnrs=words(given["gnrs"]), alto=given["alto"], token=None if given["token"] == "-" else given["token"],
            timeout=int(given["timeout"]) / 1000, hedge_after=int(given["hedge"]) / 1000,
        )
        self.opened.append(self.client)

    def do_put(self, name, *places):
        self.version = self.wait(self.client.put(name, *map(place, places))).version

    def do_create(self, name, *places):
        self.wait(self.client.put(name, *map(place, places), if_absent=True))

    def do_replace(self, name, *places):
        self.version = self.wait(self.client.put(name, *map(place, places), if_version=self.version)).version

    def do_add(self, name, *places):
        self.wait(self.client.add(name, *map(place, places)))

    def do_remove(self, name, *places):
        removed = self.wait(self.client.remove(name, *places))
        return [] if places else ["removed" if removed else "nothing"]

    def do_get(self, name):
        record = self.wait(self.client.get(name))
        if record is None:
            return ["nothing"]
        self.version = record.version
        return map(text, record.places)

    def do_resolve(self, name):
        return map(str, self.wait(self.client.resolve(name)))

    def do_nearest(self, name, address):
        return map(str, self.wait(self.client.resolve(name, nearest=address)))

    def items(self, iterable):
        if hasattr(iterable, "__next__"):
            return list(iterable)

        async def gathered():
            return [each async for each in iterable]

        return self.wait(gathered())

    def do_list(self, prefix):
        return [each.name for each in self.items(self.client.list(prefix))]

    def do_rank(self, *addresses):
        return self.wait(self.client.rank(addresses))

    def do_guid(self, name):
        return [guidepost.guid(name).hex()]

    def do_watch(self, prefix):
        self.watch = self.client.watch(prefix)

    def do_next(self):
        change = next(self.watch) if hasattr(self.watch, "__next__") else self.wait(self.watch.__anext__())
        places = map(str, change.record.places) if change.record else []
        return [" ".join(each for each in [change.kind, change.name, *places] if each)]

    def do_unwatch(self):
        self.wait(self.watch.close() if hasattr(self.watch, "close") else self.watch.aclose())

    def do_lease(self, seconds):
        self.lease = self.client.lease(float(seconds))

    def do_hold(self, name, *places):
        self.wait(self.lease.add(name, *map(place, places)))

    def do_release(self, name):
        self.wait(self.lease.remove(name))

    def do_end(self):
        self.wait(self.lease.close())

    def until(self, condition):
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition() and time.monotonic() < end:
            self.wait(asyncio.sleep(0.02) if self.made is guidepost.AsyncClient else time.sleep(0.02))
        return [] if condition() else [f"not within {PATIENCE_SECONDS} s: {self.lease.error}"]

    def do_renewed(self, number):
        return self.until(lambda: self.lease.renewed >= int(number))

    def do_lost(self, number):
        return self.until(lambda: self.lease.lost >= int(number))

    def do_lose(self):
        self.do_control("lose?" + self.lease.id)

    def do_control(self, word):
        urllib.request.urlopen(os.environ["CONTROL"] + "/" + word, data=b"", timeout=PATIENCE_SECONDS).read()

    def act(self, line):
        action, *arguments = line.split(" ")
        try:
            return list(getattr(self, "do_" + action)(*arguments) or [])
        except guidepost.GuidepostError as error:
            return ["! %s: %s" % (next(kind for kind, known in KINDS if isinstance(error, known)), error)]

    def close(self):
        for each in self.opened:
            self.wait(each.close())


def fits(wanted, given):
    if len(wanted) != len(given):
        return False
    for left, right in zip(wanted, given):
        kind, _, part = left.partition(": ") if left.startswith("! ") else ("", "", "")
        if not (right.startswith(kind.rstrip(":") + ":") and part in right if kind else left == right):
            return False
    return True


def play(lines, made, wait):
    """Returns what is wrong, None if nothing."""
    run = Run(made, wait)
    try:
        at = 0
        while at < len(lines):
            action, wanted = lines[at], []
            at += 1
            while at < len(lines) and lines[at].startswith(">"):
                wanted.append(lines[at][2:])
                at += 1
            again = action.startswith("await ")
            end = time.monotonic() + PATIENCE_SECONDS
            while True:
                given = run.act(action[6:] if again else action)
                if fits(wanted, given):
                    break
                if not again or time.monotonic() > end:
                    return f"'{action}' gave {given}, not {wanted}"
        return None
    finally:
        run.close()


def scenarios(own):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenarios.txt")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    title, lines = None, []
    for line in text.split("\n") + ["== "]:
        if line.startswith("== "):
            if title:
                yield title, lines
            title, lines = line[3:], []
        elif line.strip() and not line.startswith("#"):
            line = re.sub(r"\$([A-Z]+)", lambda each: own if each.group(1) == "L" else os.environ[each.group(1)], line)
            lines.append(re.sub(r"@(\S+)", lambda each: guidepost.guid(each.group(1)).hex(), line))


def main():
    failed = 0
    loop = asyncio.new_event_loop()
    ways = [
        ("threads", guidepost.Client, lambda given: given),
        ("asyncio", guidepost.AsyncClient, lambda given: loop.run_until_complete(given) if hasattr(given, "__await__") else given),
    ]
    for way, made, wait in ways:
        for title, lines in scenarios("py-" + way):
            wrong = play(lines, made, wait)
            failed += wrong is not None
            print(f"FAILED {way}: {title}: {wrong}" if wrong else f"ok {way}: {title}", flush=True)
    loop.close()
    given = tour(os.environ["HTTP"], os.environ["GNRS"], os.environ["TOKEN"])
    print(f"ok tour: {', '.join(given)}")
    sys.exit(1 if failed else 0)


main()
