package io.guidepost.store;

import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges what two servers know of one record, so that all come to the same whatever they hear first, and how often.
 *
 * <p>A record is a set of bindings, each with the stamp of the write that made it, and the stamp of the last UPDATE,
 * which took away all that was older. Of two forms of a record the merged one has
 *
 * <ul>
 *   <li>the later of the two UPDATEs;
 *   <li>for each place the binding with the later stamp; of equal stamps the one that ends later, then the one that may
 *       be cached longer;
 *   <li>of these what is not older than the UPDATE, and has not ended.
 * </ul>
 *
 * <p>That is a last-writer-wins element set (Shapiro et al., Conflict-free replicated data types, 2011) whose removals
 * are one stamp. Merging is commutative, associative and idempotent but for what has ended. INSERT is a record with
 * stamped bindings and no UPDATE; UPDATE is one whose own stamp is that of its bindings; a record that was deleted is
 * an UPDATE without bindings, kept until it may be forgotten.
 */
public final class Merge {
    private Merge() {}

    private record Stamped(Binding binding, long stamp) {}

    /**
     * Gives every binding of a record the same stamp: what INSERT or UPDATE say, as a change to be merged.
     *
     * @param image the bindings in stored form, unstamped
     * @param update whether what is older is taken away
     */
    public static byte[] change(byte[] image, long stamp, boolean update) {
        Record record = read(image);
        long[] stamps = new long[record.bindings().size()];
        java.util.Arrays.fill(stamps, stamp);
        return Image.write(
                record.name().key(), 0, record.bindings(), new Image.Stamps(update ? stamp : 0, 0, stamps), List.of());
    }

    /**
     * Merges two forms of a record.
     *
     * @param current what is known, or null for nothing; its values stay
     * @param change what is merged into it; its values are not looked at
     * @param version the version of the new form
     * @param nowMillis what ended before is left out
     * @param tombstoneMillis how long it is kept in mind that there was an UPDATE
     * @return the new form, or {@link RecordStore.Change#KEEP} if the change says nothing new
     * @throws IllegalArgumentException if one of the two is no record, or the new form would pass the bounds
     */
    public static byte[] merge(
            byte @Nullable [] current, byte[] change, long version, long nowMillis, long tombstoneMillis) {
        Record fresh = read(change);
        Record old = current == null ? null : read(current);
        long before = current == null ? 0 : Image.cleared(MemorySegment.ofArray(current), 0);
        long cleared = Math.max(before, Image.cleared(MemorySegment.ofArray(change), 0));
        Map<Locator, Stamped> merged = new LinkedHashMap<>();
        if (old != null && current != null) {
            stamped(old, current).forEach(each -> merged.put(each.binding().locator(), each));
        }
        Map<Locator, Stamped> known = Map.copyOf(merged);
        for (Stamped each : stamped(fresh, change)) {
            merged.merge(each.binding().locator(), each, Merge::later);
        }
        List<Stamped> left = new ArrayList<>(merged.values());
        left.removeIf(each -> each.stamp() < cleared || each.binding().expired(nowMillis));
        boolean same = cleared == before && left.size() == known.size() && known.values().containsAll(left);
        if (same) {
            return RecordStore.Change.KEEP;
        }
        left.sort(Comparator.comparingLong(Stamped::stamp));
        List<Value> values = old == null ? List.of() : old.values();
        long forgetAt = cleared == 0 ? 0 : sum(HybridClock.millis(cleared), tombstoneMillis);
        return Image.write(
                fresh.name().key(),
                version,
                left.stream().map(Stamped::binding).toList(),
                new Image.Stamps(cleared, forgetAt, left.stream().mapToLong(Stamped::stamp).toArray()),
                values);
    }

    private static long sum(long millis, long duration) {
        return duration > Long.MAX_VALUE - millis ? Long.MAX_VALUE : millis + duration;
    }

    private static Stamped later(Stamped one, Stamped other) {
        if (one.stamp() != other.stamp()) {
            return one.stamp() > other.stamp() ? one : other;
        }
        long oneEnd = one.binding().expiryMillis() == 0 ? Long.MAX_VALUE : one.binding().expiryMillis();
        long otherEnd = other.binding().expiryMillis() == 0 ? Long.MAX_VALUE : other.binding().expiryMillis();
        if (oneEnd != otherEnd) {
            return oneEnd > otherEnd ? one : other;
        }
        return one.binding().ttlMillis() >= other.binding().ttlMillis() ? one : other;
    }

    private static List<Stamped> stamped(Record record, byte[] image) {
        MemorySegment in = MemorySegment.ofArray(image);
        List<Stamped> stamped = new ArrayList<>();
        for (int i = 0; i < record.bindings().size(); i++) {
            stamped.add(new Stamped(record.bindings().get(i), Image.stamp(in, 0, i)));
        }
        return stamped;
    }

    private static Record read(byte[] image) {
        try {
            return Image.read(image);
        } catch (Malformed e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
