package io.guidepost.store;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.NamedValues;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The change that removes the expired parts of one record, and the record if nothing is left. A replicated record
 * leaves a tombstone of its last UPDATE until that may be forgotten.
 */
public final class Expire implements RecordStore.Replace, RecordStore.Completion {
    private final LongAdder expired;
    private int ended;

    /**
     * Creates the change for one record.
     *
     * @param expired counts what was removed for good
     */
    public Expire(LongAdder expired) {
        this.expired = expired;
    }

    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        if (current == null) {
            return KEEP;
        }
        Record record;
        try {
            record = RecordImage.read(current);
        } catch (Malformed e) {
            throw new IllegalStateException("an image in the index is damaged: " + e.getMessage(), e);
        }
        MemorySegment image = MemorySegment.ofArray(current);
        Record left = left(record, nowMillis, RecordImage.cleared(image, 0) != 0);
        ended = record.bindings().size() - left.bindings().size() + record.values().size() - left.values().size();
        long forgetAt = RecordImage.forgetAt(image, 0);
        boolean forget = forgetAt != 0 && forgetAt <= nowMillis;
        if (ended == 0 && !forget) {
            return KEEP;
        }
        long cleared = forget ? 0 : RecordImage.cleared(image, 0);
        if (cleared == 0 && new Record(record.name(), version, left.bindings(), NamedValues.left(left.values(), left.bindings(), false))
                .isEmpty()) {
            return DELETE;
        }
        RecordImage.Stamps stamps = (RecordImage.flags(image, 0) & RecordImage.STAMPED) == 0
                ? null
                : new RecordImage.Stamps(cleared, forget ? 0 : forgetAt, stampsLeft(record, image, nowMillis));
        return RecordImage.write(key, version, left.bindings(), stamps, left.values());
    }

    private static long[] stampsLeft(Record record, MemorySegment image, long nowMillis) {
        return IntStream.range(0, record.bindings().size())
                .filter(i -> !record.bindings().get(i).expired(nowMillis))
                .mapToLong(i -> RecordImage.stamp(image, 0, i))
                .toArray();
    }

    /** Returns a replicated record after an UPDATE at this moment without bindings. */
    public static byte[] replaced(
            byte[] key, byte[] current, List<Binding> bindings, List<Value> values, long version, long nowMillis) {
        long stamp = Math.max(RecordImage.newest(MemorySegment.ofArray(current), 0) + 1, HybridClock.of(nowMillis));
        long[] stamps = new long[bindings.size()];
        Arrays.fill(stamps, stamp);
        long forgetAt = nowMillis + StoreLimits.TOMBSTONE_MILLIS;
        return RecordImage.write(key, version, bindings, new RecordImage.Stamps(stamp, forgetAt, stamps), values);
    }

    /** Returns the unexpired part of a record. */
    public static Record left(Record record, long nowMillis) {
        return left(record, nowMillis, false);
    }

    private static Record left(Record record, long nowMillis, boolean tombstone) {
        List<Binding> bindings =
                record.bindings().stream().filter(each -> !each.expired(nowMillis)).toList();
        List<Value> values = record.values().stream()
                .filter(each -> each.expiryMillis() == 0 || each.expiryMillis() > nowMillis)
                .toList();
        // Why only then? Most records have no place that ends, and none of these values.
        boolean whole = !bindings.isEmpty() && bindings.size() == record.bindings().size();
        List<Value> kept = whole ? values : NamedValues.left(values, bindings, tombstone);
        return new Record(record.name(), record.version(), bindings, kept);
    }

    @Override
    public void complete(RecordStore.Outcome outcome, long version) {
        if (outcome == RecordStore.Outcome.DONE) {
            expired.add(ended);
        }
    }
}
