package io.guidepost.lab.prove;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One name whose place one client replaces again and again, while another looks it up, each through all front ends in turn: an answer
 * must not be older than what was acknowledged as long before the look-up as a front end may answer from its cache. A place whose write
 * was not acknowledged at first is no proof of that: its request may lie at a front end that is stopped, which makes it when it goes on.
 */
final class FreshPlaces {
    /** {@code fleet.stale-millis} of the front ends, which they measure in whole milliseconds. */
    static final long FLEET_STALE_NANOS = TimeUnit.MILLISECONDS.toNanos(1000 + 2);

    /** Answers that were too old of which more is told. */
    private static final int EXAMPLES_MAX = 20;

    private static final long REST_NANOS = 20_000_000;
    static final Guid NAME = Guid.ofAscii("fresh?");
    private static final GnrsClientSettings PATIENCE = new GnrsClientSettings(2000, 1, 1);

    private final List<InetSocketAddress> servers;
    private final long staleNanos;
    private final ConcurrentLinkedQueue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final Set<Integer> doubtful = ConcurrentHashMap.newKeySet();
    private final AtomicLong seen = new AtomicLong();
    private final AtomicLong older = new AtomicLong();
    private final List<String> examples = Collections.synchronizedList(new ArrayList<>());
    private final long madeNanos = System.nanoTime();

    /** A place that was acknowledged, and when. */
    private record Acknowledged(int number, long nanos) {}

    /**
     * Creates them.
     *
     * @param staleNanos for how long an answer may be what was replaced; 0 = no longer than it takes to acknowledge that, and what was once
     *     answered has been replaced
     */
    FreshPlaces(List<InetSocketAddress> servers, long staleNanos) {
        this.servers = servers;
        this.staleNanos = staleNanos;
    }

    /** Replaces the place as long as more is wanted; each until it is acknowledged. */
    void write(BooleanSupplier more) {
        int turn = 0;
        for (int number = 1; more.getAsBoolean(); number++) {
            GnrsRequest update = GnrsRequest.update(NAME, List.of(AcknowledgedWrites.place(number, 1)));
            while (more.getAsBoolean()) {
                GnrsResponse answer = ask(turn, update);
                if (answer != null && answer.outcome() == GnrsResponse.Outcome.SUCCESS) {
                    acknowledged.add(new Acknowledged(number, System.nanoTime()));
                    break;
                }
                doubtful(number);
                turn++;
                LockSupport.parkNanos(REST_NANOS);
            }
            turn++;
        }
    }

    /** Takes a place of which a write was not acknowledged. */
    void doubtful(int number) {
        doubtful.add(number);
    }

    /** Looks it up as long as more is wanted. */
    void read(BooleanSupplier more) {
        read(more, turn -> {
            GnrsResponse answer = ask(turn, GnrsRequest.lookup(NAME, false));
            return answer == null || answer.outcome() != GnrsResponse.Outcome.SUCCESS ? null : answer.bindings();
        });
    }

    /** The same by a look-up of {@link #NAME} in another way, which returns null if there is no answer. */
    void read(BooleanSupplier more, IntFunction<@Nullable List<Binding>> lookup) {
        int least = 0;
        for (int turn = 0; more.getAsBoolean(); turn++) {
            long begun = System.nanoTime();
            for (Acknowledged next = acknowledged.peek(); next != null && begun - next.nanos > staleNanos; next = acknowledged.peek()) {
                least = next.number;
                acknowledged.remove();
            }
            List<Binding> places = lookup.apply(turn);
            if (places != null) {
                int found = seen(places, least, begun - madeNanos, Math.floorMod(turn, servers.size()));
                least = staleNanos == 0 ? Math.max(least, found) : least;
            } else {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    /**
     * Takes an answer to a look-up before which a place, and all before it, had long been acknowledged; returns the place in it.
     *
     * @param nanos when it was asked, after this was made
     * @param frontEnd 0 and up
     */
    int seen(List<Binding> bindings, int least, long nanos, int frontEnd) {
        seen.incrementAndGet();
        int found = bindings.stream().mapToInt(AcknowledgedWrites::number).max().orElse(0);
        if (found < least && !doubtful.contains(found) && older.getAndIncrement() < EXAMPLES_MAX) {
            examples.add(String.format(
                    Locale.ROOT, "after %.1f s front-end-%d answered place %,d, and place %,d had long been acknowledged",
                    nanos / 1e9, 1 + frontEnd, found, least));
        }
        return found;
    }

    /** Returns the first look-ups that were answered with what was too old, a line for each. */
    List<String> examples() {
        return List.copyOf(examples);
    }

    private @Nullable GnrsResponse ask(int turn, GnrsRequest request) {
        @Nullable GnrsResponse[] answer = {null};
        try (GnrsClient client = GnrsClient.open(servers.get(Math.floorMod(turn, servers.size())), PATIENCE)) {
            client.batch(List.of(request).iterator(), each -> answer[0] = each);
        } catch (IOException e) {
            // No answer, which is what is returned.
        }
        return answer[0];
    }

    /** Returns how many look-ups were answered. */
    long seen() {
        return seen.get();
    }

    /** Returns how many of them with what was too old. */
    long older() {
        return older.get();
    }
}
