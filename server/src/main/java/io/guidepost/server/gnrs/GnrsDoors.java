package io.guidepost.server.gnrs;

import io.guidepost.base.Histogram;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.wire.GnrsParseResult;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.config.AddressParsing;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.store.RecordStore;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Makes the GNRS doors of the workers, and tells what they count. */
public final class GnrsDoors implements AutoCloseable {
    /** Threads that look-ups wait on the disk with: what a disk does at once, and more would only wait for each other. */
    private static final int ENGINE_THREADS = 4;

    private static final long CLOSE_SECONDS_MAX = 2;

    private record Row(String worker, GnrsDoor door) {}

    private final GnrsSettings settings;
    private final RecordStore store;
    private final LivePlacement placement;
    private final PeerServers sites;
    private final Optional<Supplier<Ranking>> ordering;
    private final ExecutorService engine;
    private final List<Row> rows = new CopyOnWriteArrayList<>();

    /**
     * Those of a store.
     *
     * @param ordering by what answers are put in order; empty = they are not
     */
    public GnrsDoors(
            GnrsSettings settings,
            RecordStore store,
            LivePlacement placement,
            PeerServers sites,
            Optional<Supplier<Ranking>> ordering) {
        this.settings = settings;
        this.store = store;
        this.placement = placement;
        this.sites = sites;
        this.ordering = ordering;
        this.engine = Executors.newFixedThreadPool(
                ENGINE_THREADS,
                Thread.ofPlatform().daemon(true).name("guidepost-engine-", 0).factory());
    }

    public static GnrsSettings settings(Configuration configuration) throws ConfigurationException {
        String advertise = configuration.get(ConfigurationKeys.GNRS_ADVERTISE);
        Optional<InetSocketAddress> advertised = advertise.isEmpty()
                ? Optional.empty()
                : Optional.of(AddressParsing.withPort(configuration, ConfigurationKeys.GNRS_ADVERTISE, advertise));
        return new GnrsSettings(
                configuration.get(ConfigurationKeys.GNRS_BINDINGS_MAX).intValue(),
                configuration.get(ConfigurationKeys.GNRS_ANSWER_BYTES_MAX).intValue(),
                configuration.get(ConfigurationKeys.GNRS_AMPLIFICATION).intValue(),
                AddressParsing.prefixes(configuration, ConfigurationKeys.GNRS_TRUSTED),
                configuration.get(ConfigurationKeys.GNRS_TTL_MILLIS),
                configuration.get(ConfigurationKeys.GNRS_EXPIRY_MILLIS),
                configuration.get(ConfigurationKeys.GNRS_WRITES_MAX).intValue(),
                configuration.get(ConfigurationKeys.GNRS_LOOKUPS_MAX).intValue(),
                advertised);
    }

    /** Makes the door of a worker at one of its ports. */
    public GnrsDoor make(int worker, InetSocketAddress port, Runnable wake) {
        long secret = new SecureRandom().nextLong();
        GnrsDoor door = new GnrsDoor(
                settings,
                placement.placer(),
                store,
                wake,
                engine,
                System::nanoTime,
                secret,
                sites.relays(worker, port, wake, engine));
        ordering.ifPresent(door::nearestFirst);
        rows.add(new Row(Integer.toString(worker), door));
        return door;
    }

    /** Ends the look-ups that wait for the disk. */
    @Override
    public void close() {
        engine.shutdownNow();
        try {
            engine.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A count over all doors. */
    long count(GnrsCount name) {
        return rows.stream().mapToLong(each -> each.door.counts().get(name)).sum();
    }

    public void write(Exposition out) {
        List<String> workers = rows.stream().map(Row::worker).distinct().toList();
        out.counter("guidepost_gnrs_events", "What the GNRS door counted; docs/metrics.md explains each event.");
        for (String worker : workers) {
            for (GnrsCount name : GnrsCount.values()) {
                long sum = of(worker).stream().mapToLong(door -> door.counts().get(name)).sum();
                out.sample(sum, "worker", worker, "event", Exposition.name(name));
            }
        }
        out.counter("guidepost_gnrs_malformed", "Malformed messages dropped, by their first fault.");
        for (String worker : workers) {
            for (GnrsParseResult reason : GnrsParseResult.values()) {
                long sum = of(worker).stream().mapToLong(door -> door.malformed().get(reason)).sum();
                if (reason != GnrsParseResult.OK) {
                    out.sample(sum, "worker", worker, "reason", Exposition.name(reason));
                }
            }
        }
        out.histogram("guidepost_gnrs_write_seconds", "Time of writes from the worker to the disk and back.");
        for (String worker : workers) {
            long[] buckets = Histogram.doubling().counts();
            of(worker).forEach(door -> Arrays.setAll(buckets, i -> buckets[i] + door.writeLatencies().count(i)));
            long nanos = of(worker).stream().mapToLong(door -> door.writeLatencies().sum()).sum();
            out.doubling(buckets, 1e-9, nanos / 1e9, "worker", worker);
        }
    }

    private List<GnrsDoor> of(String worker) {
        return rows.stream().filter(each -> each.worker.equals(worker)).map(Row::door).toList();
    }
}
