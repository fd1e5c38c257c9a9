package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Record;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What {@link RecordMerge} says, in the plainest form: a map from places to bindings with stamps. */
record MergeModel(long cleared, Map<String, Stamped> bindings) {
    record Stamped(Binding binding, long stamp) {}

    static final MergeModel NONE = new MergeModel(0, Map.of());

    static MergeModel of(byte @Nullable [] image) {
        if (image == null) {
            return NONE;
        }
        MemorySegment in = MemorySegment.ofArray(image);
        Map<String, Stamped> bindings = new TreeMap<>();
        List<Binding> read = read(image).bindings();
        for (int i = 0; i < read.size(); i++) {
            bindings.put(place(read.get(i).locator()), new Stamped(read.get(i), RecordImage.stamp(in, 0, i)));
        }
        return new MergeModel(RecordImage.cleared(in, 0), bindings);
    }

    static Record read(byte[] image) {
        try {
            return RecordImage.read(image);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static String place(Locator locator) {
        return "%04x %04x ".formatted(locator.type(), locator.data().length)
                + java.util.HexFormat.of().formatHex(locator.data());
    }

    MergeModel merge(MergeModel other, long nowMillis, long tombstoneMillis) {
        Map<String, Stamped> merged = new TreeMap<>(bindings);
        other.bindings.forEach((place, each) -> merged.merge(place, each, MergeModel::later));
        long latest = Math.max(cleared, other.cleared);
        merged.values().removeIf(each -> each.stamp < latest || each.binding.expired(nowMillis));
        boolean forgotten = latest != 0 && HybridClock.millis(latest) + tombstoneMillis <= nowMillis;
        return new MergeModel(forgotten ? 0 : latest, bounded(merged));
    }

    private static Map<String, Stamped> bounded(Map<String, Stamped> all) {
        List<Map.Entry<String, Stamped>> newest = new ArrayList<>(all.entrySet());
        newest.sort(Comparator.<Map.Entry<String, Stamped>>comparingLong(each -> each.getValue().stamp)
                .reversed()
                .thenComparing(Map.Entry::getKey));
        Map<String, Stamped> left = new TreeMap<>();
        long bytes = RecordImage.HEADER_BYTES + 21 + 8 + 16;
        for (Map.Entry<String, Stamped> each : newest) {
            if (left.size() == CommonLimits.LOCATORS_MAX || bytes >= MergedImage.FULL_BYTES) {
                break;
            }
            bytes += 4 + each.getValue().binding.locator().data().length + 24;
            left.put(each.getKey(), each.getValue());
        }
        return left;
    }

    private static Stamped later(Stamped one, Stamped other) {
        long[] left = order(one);
        long[] right = order(other);
        return Arrays.compare(left, right) >= 0 ? one : other;
    }

    private static long[] order(Stamped each) {
        long expiry = each.binding.expiryMillis();
        return new long[] {each.stamp, expiry == 0 ? Long.MAX_VALUE : expiry, each.binding.ttlMillis()};
    }

    boolean isNothing() {
        return cleared == 0 && bindings.isEmpty();
    }
}
