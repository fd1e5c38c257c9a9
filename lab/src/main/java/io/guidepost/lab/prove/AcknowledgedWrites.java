package io.guidepost.lab.prove;

import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The GUIDs of one writer and the places that each must have, as several servers acknowledged it. A GUID is written by
 * one writer alone, one request after the other, through whichever server. Only those that are shared get a place of each writer, at
 * about the same time through different servers, and no request takes one away.
 *
 * <p>A write that was not acknowledged may still take effect, even later. So it is repeated until it is acknowledged,
 * and the GUID is written no more: whenever the first one takes effect, it changes nothing then. What every GUID must
 * have in the end is so known exactly.
 */
final class AcknowledgedWrites {
    /** What is done to GUIDs, as shares of all requests: as much inserting as removing, so that records stay small. */
    private static final int OF = 100;

    private static final int NEW = 30;
    private static final int INSERT = 30;
    private static final int REPLACE = 20;

    /** Requests of shared GUIDs in as many of all, where there are any. */
    private static final int SHARED = 10;

    private final int writer;
    private final SplittableRandom random;
    private final @Nullable AtomicInteger newest;
    private final Map<Guid, Set<Locator>> places = new HashMap<>();
    private final Set<Guid> shared = new HashSet<>();

    /** Those that may be written next. */
    private final List<Guid> idle = new ArrayList<>();

    private int made;
    private int closed;
    private int lastShared;

    /**
     * Creates those of one writer.
     *
     * @param newest number of the newest GUID that the writers share; null if they share none
     */
    AcknowledgedWrites(int writer, long seed, @Nullable AtomicInteger newest) {
        this.writer = writer;
        this.random = new SplittableRandom(seed + writer);
        this.newest = newest;
    }

    /** The next request: of a GUID that no request of this writer is under way for. */
    GnrsRequest next() {
        if (newest != null && random.nextInt(OF) < SHARED) {
            // The newest of all writers, so that others write it at this moment too; or the next one, if this writer has done so.
            lastShared = newest.accumulateAndGet(lastShared + 1, Math::max);
            Guid guid = Guid.ofAscii("shared-" + lastShared);
            shared.add(guid);
            return GnrsRequest.insert(guid, List.of(place()));
        }
        int dice = random.nextInt(OF);
        if (idle.isEmpty() || dice < NEW) {
            return GnrsRequest.insert(Guid.ofAscii("w" + writer + "-" + made), List.of(place()));
        }
        int at = random.nextInt(idle.size());
        Guid guid = idle.get(at);
        idle.set(at, idle.getLast());
        idle.removeLast();
        if (dice < NEW + INSERT) {
            return GnrsRequest.insert(guid, List.of(place()));
        }
        return dice < NEW + INSERT + REPLACE ? GnrsRequest.update(guid, List.of(place(), place())) : GnrsRequest.delete(guid);
    }

    /** A place that was never given before. */
    private Binding place() {
        made++;
        return place(made, 1024 + writer);
    }

    /** Returns a place that no writer gives. */
    static Binding somePlace() {
        return place(0, 1);
    }

    /** Returns the number of a place. */
    static int number(Binding place) {
        byte[] address = place.locator().data();
        return (address[1] & 255) << 16 | (address[2] & 255) << 8 | address[3] & 255;
    }

    /** Returns a place of a number of 24 bits. */
    static Binding place(int number, int port) {
        byte[] address = {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
        try {
            return Binding.of(Locator.of(new InetSocketAddress(InetAddress.getByAddress(address), port)));
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    /** A request was acknowledged at the first try, or later. */
    void acknowledged(GnrsRequest request, boolean first) {
        Set<Locator> of = places.computeIfAbsent(request.guid(), each -> new HashSet<>());
        if (request.kind() == GnrsRequest.Kind.UPDATE) {
            of.clear();
        }
        request.bindings().stream().map(Binding::locator).forEach(of::add);
        if (shared.contains(request.guid())) {
            return;
        }
        if (first) {
            idle.add(request.guid());
        } else {
            closed++;
        }
    }

    /** The GUIDs that were written at all. */
    Collection<Guid> guids() {
        return places.keySet();
    }

    /** Those of them that other writers wrote too, if they came to it. */
    Set<Guid> shared() {
        return shared;
    }

    /** How many of them were written no more because a request was not acknowledged at once. */
    int closed() {
        return closed;
    }

    /** What an answer is worth. */
    enum Verdict {
        /** Exactly the places that were acknowledged and not removed; of a shared GUID at least those. */
        RIGHT,
        /** Places that were acknowledged are missing. */
        MISSING,
        /** Places that were removed have come back. */
        RETURNED,
        /** No answer, or FAILED. */
        SILENT
    }

    Verdict judge(GnrsResponse answer) {
        if (answer.outcome() != GnrsResponse.Outcome.SUCCESS) {
            return Verdict.SILENT;
        }
        Set<Locator> wanted = places.getOrDefault(answer.request().guid(), Set.of());
        Set<Locator> found = new HashSet<>();
        answer.bindings().forEach(each -> found.add(each.locator()));
        if (!found.containsAll(wanted)) {
            return Verdict.MISSING;
        }
        return shared.contains(answer.request().guid()) || wanted.containsAll(found) ? Verdict.RIGHT : Verdict.RETURNED;
    }
}
