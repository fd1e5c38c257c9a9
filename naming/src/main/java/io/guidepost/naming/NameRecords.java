package io.guidepost.naming;

import io.guidepost.base.Addresses;
import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.Expire;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The records behind names: reads, writes, aliases, the order of places. Thread-safe; may wait for the disk. */
final class NameRecords {
    private final RecordStore store;
    private final SiteGateway sites;
    private final Supplier<Ranking> rankings;
    private final InstantSource clock;
    private final ThreadLocal<RecordReader> readers;

    NameRecords(RecordStore store, SiteGateway sites, Supplier<Ranking> rankings, InstantSource clock) {
        this.store = store;
        this.sites = sites;
        this.rankings = rankings;
        this.clock = clock;
        this.readers = ThreadLocal.withInitial(store::reader);
    }

    long nowMillis() {
        return clock.millis();
    }

    RecordStore store() {
        return store;
    }

    /** Returns what this server has of a name; empty if it has no places. */
    Optional<NamedRecord> get(NameForm name) throws IOException {
        Optional<Record> found = store.get(Name.of(name.guid())).filter(each -> !each.bindings().isEmpty());
        return found.isEmpty() ? Optional.empty() : Optional.of(NamedRecord.of(name, found.get()));
    }

    /**
     * Returns what the index in memory has of a name, without waiting; empty if that is nothing, or does not know. One reader
     * belongs to each thread that calls, so these should be few.
     */
    Optional<NamedRecord> indexed(NameForm name) throws IOException {
        RecordReader reader = readers.get();
        byte[] key = Name.of(name.guid()).key();
        byte[] image;
        reader.enter();
        try {
            if (reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1) != RecordReader.Found.YES) {
                return Optional.empty();
            }
            image = Memory.read(reader.offset(), RecordImage.length(reader.segment(), reader.offset()));
        } finally {
            reader.exit();
        }
        try {
            Record live = Expire.left(RecordImage.read(image), clock.millis());
            return live.bindings().isEmpty() ? Optional.empty() : Optional.of(NamedRecord.of(name, live));
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /** Returns a name: what this server has, or else others have, links followed. */
    Optional<NamedRecord> resolve(NameForm name) throws IOException {
        Optional<NamedRecord> own = find(name);
        if (own.isEmpty() || own.get().places().stream().noneMatch(NameRecords::isLink)) {
            return own;
        }
        Map<Locator, Binding> places = new LinkedHashMap<>();
        Map<Locator, PlaceAttributes> attributes = new HashMap<>();
        Set<Guid> seen = new HashSet<>(Set.of(name.guid()));
        ArrayDeque<NamedRecord> open = new ArrayDeque<>(List.of(own.get()));
        while (!open.isEmpty() && places.size() < CommonLimits.LOCATORS_MAX) {
            NamedRecord next = open.remove();
            for (Binding each : next.places()) {
                if (!isLink(each)) {
                    places.putIfAbsent(each.locator(), each);
                    attributes.putIfAbsent(each.locator(), next.attributes().getOrDefault(each.locator(), PlaceAttributes.NONE));
                } else if (seen.size() <= NamingLimits.LINKS_MAX && seen.add(Guid.of(each.locator().data()))) {
                    find(NameForm.of(Guid.of(each.locator().data()))).ifPresent(open::add);
                }
            }
        }
        NamedRecord first = own.get();
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(new NamedRecord(first.name(), first.version(), List.copyOf(places.values()), attributes));
    }

    private static boolean isLink(Binding place) {
        return place.locator().type() == Locator.Type.GUID.code() && place.locator().data().length == Guid.BYTES;
    }

    private Optional<NamedRecord> find(NameForm name) throws IOException {
        Optional<NamedRecord> own = get(name);
        if (own.isPresent() || !sites.isShared()) {
            return own;
        }
        List<Binding> places = sites.find(name.guid());
        return places.isEmpty() ? Optional.empty() : Optional.of(new NamedRecord(name, Record.ABSENT, places, Map.of()));
    }

    /** Returns a record with its places in the order of their nearness to an address. */
    NamedRecord ordered(NamedRecord record, InetAddress near) {
        Ranking ranking = rankings.get();
        int source = ranking.source(ranking.place(Addresses.high(near), Addresses.low(near)));
        if (source == Ranking.NO_SOURCE || record.places().size() < 2) {
            return record;
        }
        List<Binding> places = new ArrayList<>(record.places());
        Map<Locator, Double> costs = new HashMap<>();
        places.forEach(each -> costs.put(each.locator(), cost(ranking, source, each.locator())));
        places.sort(Comparator.comparingDouble(each -> costs.getOrDefault(each.locator(), Double.POSITIVE_INFINITY)));
        return record.with(places);
    }

    private static double cost(Ranking ranking, int source, Locator locator) {
        InetAddress address = address(locator);
        double cost = address == null
                ? Double.NaN
                : ranking.cost(source, ranking.place(Addresses.high(address), Addresses.low(address)));
        return Double.isNaN(cost) ? Double.POSITIVE_INFINITY : cost;
    }

    private static @Nullable InetAddress address(Locator locator) {
        int bytes = locator.type() == Locator.Type.IPV4_UDP.code() ? 4 : locator.type() == Locator.Type.IPV6_UDP.code() ? 16 : -1;
        try {
            return bytes < 0 || locator.data().length < bytes ? null : InetAddress.getByAddress(Arrays.copyOf(locator.data(), bytes));
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }

    /** Parses an address that a client names. */
    static InetAddress near(String text) throws Problem {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new Problem(Problem.Kind.MALFORMED_REQUEST, "nearest is an IPv4 or IPv6 address");
        }
    }

    boolean isShared() {
        return sites.isShared();
    }

    /**
     * Makes a change at all servers that keep a name. Of two changes of one place the later one wins; conditions are checked
     * against what is known here before, so that two changes may both hold them.
     */
    WriteResult share(NameForm name, NameEdit edit) throws Problem, IOException {
        Optional<NamedRecord> before = find(name);
        NameWrite.check(name, edit, before.isPresent(), before.map(NamedRecord::version).orElse(Record.ABSENT));
        List<Binding> written = edit.merged();
        if (!written.isEmpty() || edit.replace()) {
            try {
                sites.write(name.guid(), edit.replace(), written, edit.mergedValues(name));
            } catch (IOException e) {
                throw new Problem(Problem.Kind.UNAVAILABLE, e.getMessage() == null ? "the other servers do not answer" : e.getMessage());
            }
        }
        NamedRecord after = edit.replace() && edit.add().bindings().isEmpty() ? null : find(name).orElse(null);
        return new WriteResult(before.isPresent(), after == null ? new NamedRecord(name, Record.ABSENT, List.of(), Map.of()) : after);
    }

    /** Begins a change; {@link NameWrite#await} waits for it. */
    NameWrite begin(NameForm name, NameEdit edit) throws Problem {
        NameWrite write = new NameWrite(name, edit, null);
        long end = System.nanoTime() + NamingLimits.QUEUE_WAIT_MAX.toNanos();
        while (!submit(write)) {
            if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
                throw new Problem(Problem.Kind.UNAVAILABLE, "too many writes wait for the disk");
            }
            LockSupport.parkNanos(100_000);
        }
        return write;
    }

    /** Submits a change without waiting; false if the store's queue is full. */
    boolean submit(NameWrite write) {
        return store.submit(Name.of(write.name().guid()).key(), write, write);
    }
}
