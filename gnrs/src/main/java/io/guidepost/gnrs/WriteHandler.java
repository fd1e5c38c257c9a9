package io.guidepost.gnrs;

import io.guidepost.base.DynamicThresholdQuota;
import io.guidepost.base.Malformed;
import io.guidepost.base.SourceNetwork;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.NamedValues;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands INSERT and UPDATE to the store. Belongs to one worker; the methods that the committer calls are marked, and use
 * none of the worker's state.
 *
 * <p>The worker makes the stored form of the requested record out of the datagram, as if there were no such record. If
 * there is none, or all of it is replaced, the committer only stamps a version on it; else it merges the two.
 */
final class WriteHandler {
    /** Where a stored form has its version, see {@link RecordImage}. */
    private static final int VERSION_OFFSET = 8;

    private final RecordStore store;
    private final Runnable wake;
    private final LongSupplier nanoClock;
    private final int inFlightMax;
    private GnrsSettings settings;

    private final BindingList requested = new BindingList();
    private final WriteAnnotations annotations = new WriteAnnotations();
    private final List<PendingWrite> free = new ArrayList<>();
    private final CompletionRing<PendingWrite> completions;
    private final ArrayDeque<PendingWrite> relayed = new ArrayDeque<>();
    private final DynamicThresholdQuota sources;
    private final DynamicThresholdQuota names;
    private int inFlight;

    /** The committer's scratch. */
    private final BindingList merging = new BindingList();

    WriteHandler(GnrsSettings settings, RecordStore store, Runnable wake, LongSupplier nanoClock, long secret) {
        this.store = store;
        this.wake = wake;
        this.nanoClock = nanoClock;
        this.settings = settings;
        this.inFlightMax = settings.writesInFlightMax();
        this.completions = new CompletionRing<>(inFlightMax);
        this.sources = new DynamicThresholdQuota(inFlightMax, GnrsLimits.SOURCE_TIMES_FREE, secret);
        this.names = new DynamicThresholdQuota(inFlightMax, GnrsLimits.NAME_TIMES_FREE, Long.rotateLeft(secret, 32));
    }

    /** Follows new settings, but for the bound of writes in flight, which queues are made for. */
    void follow(GnrsSettings next) {
        settings = next;
    }

    /**
     * Hands a request to the store.
     *
     * @return null if the write is in flight and will be answered later, else its outcome
     */
    @Nullable GnrsCount submit(Exchange exchange, GnrsMessageFlyweight question) {
        GnrsCount refusal = refusal(exchange, question, inFlightMax);
        if (refusal != null) {
            return refusal;
        }
        byte[] key = key(question);
        PendingWrite write = fill(exchange, question, key);
        if (!store.submit(key, write, write)) {
            giveUp(write);
            return GnrsCount.WRITES_QUEUE_FULL;
        }
        return null;
    }

    /** Hands a request to all servers that keep the record; as {@link #submit} otherwise. */
    @Nullable GnrsCount relay(Exchange exchange, GnrsMessageFlyweight question, boolean passedOn, PeerGateway relays) {
        GnrsCount refusal = refusal(exchange, question, relays.room());
        if (refusal != null) {
            return refusal;
        }
        PendingWrite write = fill(exchange, question, key(question));
        if (!relays.write(write.image(), write.append(), passedOn, exchange, write)) {
            giveUp(write);
            return GnrsCount.WRITES_PEERS_MAX;
        }
        return null;
    }

    /**
     * Gathers what is to be written, unless it is refused or empty.
     *
     * @param room the number of further writes that other bounds permit
     */
    private @Nullable GnrsCount refusal(Exchange exchange, GnrsMessageFlyweight question, int room) {
        if (question.bindings() > 1 + 2 * settings.bindingsMax()) {
            return GnrsCount.WRITES_BINDINGS_MAX;
        }
        if (inFlight == inFlightMax) {
            return GnrsCount.WRITES_IN_FLIGHT_MAX;
        }
        if (question.bindings() == 0 && question.type() == GnrsWire.INSERT) {
            return GnrsCount.WRITES_DONE;
        }
        long source = SourceNetwork.of(exchange.peerHigh(), exchange.peerLow());
        if (!sources.tryAcquire(source, room)) {
            return GnrsCount.WRITES_SOURCE_QUOTA;
        }
        long name = GnrsWire.nameKey(question.segment(), question.guid());
        if (!names.tryAcquire(name)) {
            sources.release(source);
            return GnrsCount.WRITES_NAME_QUOTA;
        }
        GnrsCount wrong = gather(question, exchange.nowMillis());
        if (wrong != null) {
            sources.release(source);
            names.release(name);
        }
        return wrong;
    }

    private static byte[] key(GnrsMessageFlyweight question) {
        byte[] key = new byte[1 + Guid.BYTES];
        key[0] = Name.Namespace.GUID.code();
        MemorySegment.copy(question.segment(), GnrsWire.BYTE, question.guid(), key, 1, Guid.BYTES);
        return key;
    }

    private PendingWrite fill(Exchange exchange, GnrsMessageFlyweight question, byte[] key) {
        PendingWrite write = free.isEmpty() ? new PendingWrite(this, settings) : free.removeLast();
        long name = GnrsWire.nameKey(question.segment(), question.guid());
        byte[] image = annotations.with(requested.image(key, Record.ABSENT));
        write.fill(exchange, question, name, image, settings, nanoClock.getAsLong());
        inFlight++;
        return write;
    }

    private void giveUp(PendingWrite write) {
        inFlight--;
        sources.release(SourceNetwork.of(write.asker().peerHigh(), write.asker().peerLow()));
        names.release(write.name());
        write.release();
        free.add(write);
    }

    /**
     * Gathers the bindings of a request; of equal ones the last gives the times. Those of an INSERT that have expired stay:
     * they end the same binding of the record.
     *
     * @return null, or why the request is refused
     */
    private @Nullable GnrsCount gather(GnrsMessageFlyweight question, long now) {
        requested.clear();
        annotations.clear();
        int places = 0;
        boolean insert = question.type() == GnrsWire.INSERT;
        MemorySegment segment = question.segment();
        long at = question.addresses();
        for (int i = 0; i < question.bindings(); i++) {
            int head = segment.get(GnrsWire.INT, at);
            int length = GnrsWire.ADDRESS_HEADER_BYTES + (head & 0xffff);
            if (Locator.isAnnotation(head >>> 16)) {
                annotations.add(segment, at, length);
                at += length;
                continue;
            }
            if (++places > settings.bindingsMax()) {
                return GnrsCount.WRITES_BINDINGS_MAX;
            }
            long ttl = time(segment, question.ttls(), i, settings.ttlDefaultMillis());
            long expiry = time(segment, question.expiries(), i, 0);
            if (expiry == 0 && settings.expiryDefaultMillis() != 0) {
                expiry = sum(now, settings.expiryDefaultMillis());
            }
            if (insert || expiry == 0 || expiry > now) {
                put(requested, segment, at, length, ttl, expiry);
            }
            at += length;
        }
        return annotations.areOf(segment, question.guid()) ? null : GnrsCount.WRITES_NAME_MISMATCH;
    }

    /** Returns a time of a request; a time beyond 63 bits counts as never. */
    private static long time(MemorySegment segment, long times, int binding, long otherwise) {
        long time = times == 0 ? 0 : segment.get(GnrsWire.LONG, times + 8L * binding);
        return time == 0 ? otherwise : time < 0 ? Long.MAX_VALUE : time;
    }

    private static long sum(long now, long duration) {
        return duration > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + duration;
    }

    private static void put(
            BindingList places, MemorySegment segment, long at, int length, long ttl, long expiry) {
        int there = places.merge(segment, at, length, ttl, expiry);
        if (there >= 0) {
            places.times(there, ttl, expiry);
        }
    }

    /** Returns a completed write, or null; the caller reads it and gives it to {@link #recycle}. */
    @Nullable PendingWrite next() {
        if (inFlight == 0) {
            return null;
        }
        return relayed.isEmpty() ? completions.take() : relayed.poll();
    }

    /** Returns whether a write has completed at other servers. */
    boolean ready() {
        return !relayed.isEmpty();
    }

    /** Queues a write that all its servers have answered; on the worker's thread. */
    void written(PendingWrite write) {
        write.completedAt(nanoClock.getAsLong());
        relayed.add(write);
    }

    void recycle(PendingWrite write) {
        giveUp(write);
    }

    /** Queues a durable or refused write; the committer calls. */
    void completed(PendingWrite write) {
        write.completedAt(nanoClock.getAsLong());
        completions.put(write);
    }

    Runnable wake() {
        return wake;
    }

    /** Returns the next form of a record, see {@link RecordStore.Change#apply}; the committer calls. */
    byte[] applied(PendingWrite write, byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        byte[] image = write.image();
        MemorySegment fresh = MemorySegment.ofArray(image);
        boolean nothing = RecordImage.bindings(fresh, 0) == 0;
        if (current == null) {
            if (nothing) {
                return RecordStore.Change.KEEP;
            }
            return RecordImage.nextExpiry(fresh, 0) > nowMillis
                    ? stamped(image, fresh, version)
                    : (RecordImage.flags(fresh, 0) & RecordImage.VALUES) != 0
                            ? withValues(write, image, version, nowMillis)
                            : merged(write, key, fresh, fresh, version, nowMillis);
        }
        MemorySegment old = MemorySegment.ofArray(current);
        if ((RecordImage.flags(old, 0) & RecordImage.DERIVED) != 0) {
            return refused(write, GnrsCount.WRITES_DERIVED);
        }
        if (((RecordImage.flags(old, 0) | RecordImage.flags(fresh, 0)) & RecordImage.VALUES) != 0) {
            return withValues(write, current, version, nowMillis);
        }
        if (write.append()) {
            return merged(write, key, old, fresh, version, nowMillis);
        }
        return nothing ? RecordStore.Change.DELETE : stamped(image, fresh, version);
    }

    private static byte[] stamped(byte[] image, MemorySegment fresh, long version) {
        fresh.set(GnrsWire.LONG, VERSION_OFFSET, version);
        return image;
    }

    private byte[] merged(
            PendingWrite write, byte[] key, MemorySegment old, MemorySegment fresh, long version, long nowMillis) {
        merging.clear();
        mergeLive(old, nowMillis);
        int before = merging.count();
        boolean all = mergeLive(fresh, nowMillis);
        merging.removeEnded(nowMillis);
        if (!all || merging.count() > Math.max(before, write.bindingsMax())) {
            return refused(write, GnrsCount.WRITES_BINDINGS_MAX);
        }
        if (merging.count() == 0) {
            return RecordStore.Change.DELETE;
        }
        if (merging.imageBytes(key) > io.guidepost.base.CommonLimits.RECORD_BYTES_MAX) {
            return refused(write, GnrsCount.WRITES_RECORD_BYTES_MAX);
        }
        return merging.image(key, version);
    }

    /**
     * Adds the bindings of a stored form that have not expired, and gives those that are there their end if they have; returns
     * false if there are more places than a record may have.
     */
    private boolean mergeLive(MemorySegment image, long nowMillis) {
        int count = RecordImage.bindings(image, 0);
        long ttls = RecordImage.ttls(image, 0);
        long expiries = RecordImage.expiries(image, 0);
        long at = RecordImage.places(image, 0) + 4;
        for (int i = 0; i < count; i++) {
            int length = GnrsWire.ADDRESS_HEADER_BYTES + (image.get(GnrsWire.INT, at) & 0xffff);
            long expiry = image.get(GnrsWire.LONG, expiries + 8L * i);
            if (expiry == 0 || expiry > nowMillis) {
                if (merging.full()) {
                    return false;
                }
                put(merging, image, at, length, image.get(GnrsWire.LONG, ttls + 8L * i), expiry);
            } else {
                merging.end(image, at, length, expiry);
            }
            at += length;
        }
        return true;
    }

    private static byte[] refused(PendingWrite write, GnrsCount reason) {
        write.refuse(reason);
        return RecordStore.Change.KEEP;
    }

    /** Returns the record with the values of other doors kept, a rare case. */
    private byte[] withValues(PendingWrite write, byte[] current, long version, long nowMillis) {
        try {
            Record old = RecordImage.read(current);
            List<Binding> bindings = new ArrayList<>();
            if (write.append()) {
                old.bindings().stream().filter(each -> !each.expired(nowMillis)).forEach(bindings::add);
            }
            Record fresh = RecordImage.read(write.image());
            for (Binding each : fresh.bindings()) {
                replace(bindings, each);
            }
            bindings.removeIf(each -> each.expired(nowMillis));
            if (bindings.size() > write.bindingsMax()) {
                return refused(write, GnrsCount.WRITES_BINDINGS_MAX);
            }
            List<Value> values = NamedValues.left(WriteAnnotations.merged(old, fresh), bindings, false);
            return bindings.isEmpty() && values.isEmpty()
                    ? RecordStore.Change.DELETE
                    : RecordImage.write(old.name().key(), version, bindings, values);
        } catch (Malformed damaged) {
            return refused(write, GnrsCount.WRITES_STORE_FAILED);
        } catch (IllegalArgumentException tooLarge) {
            return refused(write, GnrsCount.WRITES_RECORD_BYTES_MAX);
        }
    }

    private static void replace(List<Binding> bindings, Binding binding) {
        Locator locator = binding.locator();
        for (int i = 0; i < bindings.size(); i++) {
            if (bindings.get(i).locator().equals(locator)) {
                bindings.set(i, binding);
                return;
            }
        }
        bindings.add(binding);
    }
}
