package io.guidepost.naming;

import io.guidepost.base.SharedCounters;
import io.guidepost.names.NameForm;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The directory behind names over HTTP: records, the history for watchers, leases, and who may do what. Made before the store
 * opens, as it observes each change. Thread-safe.
 */
public final class NameDirectory {
    private final SharedCounters<NamingCount> counts = new SharedCounters<>(NamingCount.class);
    private final NameHistory history;
    private final LongSupplier nanoClock;
    private volatile NameSettings settings;
    private volatile NameAccess access;
    private volatile @Nullable Leases leases;
    private volatile @Nullable NameRecords records;

    /**
     * Creates it without a store.
     *
     * @param settings who may do what
     * @param historyBytesMax bytes of changes that are kept for watchers
     * @param nanoClock measures leases
     */
    public NameDirectory(NameSettings settings, long historyBytesMax, LongSupplier nanoClock) {
        this.settings = settings;
        this.access = new NameAccess(settings, counts);
        this.history = new NameHistory(historyBytesMax, counts);
        this.nanoClock = nanoClock;
    }

    /** Adds the indexes, and has the store tell its changes. */
    public StoreOptions store(StoreOptions options) {
        return options.withDerivation(new NameIndex()).withObserver((sequence, key, before, after) -> {
            history.changed(sequence, key, before, after);
            Leases now = leases;
            if (now != null) {
                now.changed(key, after);
            }
        });
    }

    /**
     * Takes the store, open; requests may come from now on.
     *
     * @param sites the other servers of a deployment
     * @param rankings by what places are put in order
     */
    public void open(RecordStore store, SiteGateway sites, Supplier<Ranking> rankings, InstantSource clock, RandomGenerator random)
            throws IOException {
        if (!store.isShared()) {
            leases = new Leases(store, nanoClock, random, counts);
        }
        records = new NameRecords(store, sites, rankings, clock);
    }

    /** Follows new settings. */
    public void follow(NameSettings next) {
        settings = next;
        access = new NameAccess(next, counts);
    }

    /** Tells watchers what changes, until the thread is interrupted. */
    public void tell() {
        history.run(records().store());
    }

    /**
     * Begins to tell watchers what changes, for a caller that has no thread for {@link #tell}: what was before, and then each {@link
     * #turn} what has changed.
     *
     * @param version the last that the store has given
     */
    public void begin(long version) {
        history.begin(records().store(), version);
    }

    /** Tells watchers what has changed since the last time. */
    public void turn() {
        history.tell();
    }

    /**
     * Returns what writes a watcher's stream of events: names with a prefix, and then their changes.
     *
     * @param since the position that it goes on from; empty for none
     * @param silence after so long without a change it is told that the stream is alive
     * @throws IllegalArgumentException if that is no position
     */
    public HttpResponse.Writing watch(String prefix, String since, Duration silence) {
        try {
            return watch(prefix, since.isEmpty() ? Optional.empty() : Optional.of(Position.parse(since)), silence);
        } catch (Problem e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    HttpResponse.Writing watch(String prefix, Optional<Position> since, Duration silence) {
        return new NameWatch(history, records(), counts, prefix, since, silence);
    }

    /** Ends leases that are not renewed, until the thread is interrupted. */
    public void expire() {
        ownLeases().run();
    }

    /** Returns the counters. */
    public SharedCounters<NamingCount> counts() {
        return counts;
    }

    /** Returns the number of leases. */
    public int leaseCount() {
        Leases now = leases;
        return now == null ? 0 : now.size();
    }

    /** Returns the bytes of changes kept for watchers, about. */
    public long historyBytes() {
        return history.bytes();
    }

    /** Returns the settings in force. */
    public NameSettings settings() {
        return settings;
    }

    NameAccess access() {
        return access;
    }

    NameHistory history() {
        return history;
    }

    /** Refuses what a store that others change too cannot do, as it is not told of their changes. */
    private void refuseOnAFleet(String what, String instead) throws Problem {
        if (isOnAFleet()) {
            throw new Problem(Problem.Kind.NOT_ON_A_FLEET, "a front end of a fleet " + what + ": " + instead);
        }
    }

    /** Returns whether names are in a store that other servers change too. */
    boolean isOnAFleet() {
        return records().store().isShared();
    }

    /** Refuses to watch where not all changes are told. */
    void checkWatch() throws Problem {
        refuseOnAFleet("sees no changes that others make, and tells none", "list the names, with ?prefix= and without watch, again");
    }

    /** Returns the leases; refuses where names are shared, as no other server knows them. */
    Leases leases() throws Problem {
        refuseOnAFleet("gives no leases", "give places an end (expires), and write them again before it");
        if (isShared()) {
            throw new Problem(Problem.Kind.MALFORMED_REQUEST, "a server that shares its names with others gives no leases: set expires");
        }
        return ownLeases();
    }

    /** Returns the leases that were given here. */
    Leases ownLeases() {
        Leases now = leases;
        if (now == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return now;
    }

    NameRecords records() {
        NameRecords now = records;
        if (now == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return now;
    }

    Optional<InetAddress> nearestTo(InetAddress client) {
        return settings.nearestFirst() ? Optional.of(client) : Optional.empty();
    }

    /** Returns whether names are shared with other servers. */
    boolean isShared() {
        return records().isShared();
    }

    /** Makes a change and waits until it is durable, at a quorum of the servers that keep the name if there are others. */
    WriteResult write(NameForm name, NameEdit edit) throws Problem, InterruptedException, IOException {
        return isShared() ? records().share(name, edit) : begin(name, edit).await();
    }

    /** Begins a change at this server, which is alone. */
    NameWrite begin(NameForm name, NameEdit edit) throws Problem {
        return records().begin(name, edit);
    }
}
