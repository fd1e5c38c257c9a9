package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.NamedValues;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record as rows, one for each place, for a database that merges records row by row. It says of them what {@link RecordMerge} says
 * of stored forms, but for its bound of bytes: a form that leaves no server may have {@link CommonLimits#RECORD_BYTES_MAX}.
 *
 * @param rows at most one for each place
 * @param cleared the stamp of the last UPDATE; 0 for none
 * @param text of the name; empty if it is not known
 * @param others values that are not those of names
 */
public record PlaceRows(List<PlaceRow> rows, long cleared, Optional<String> text, List<Value> others) {
    /** Nothing. */
    public static final PlaceRows NONE = new PlaceRows(List.of(), 0, Optional.empty(), List.of());

    /** Bytes from which no older place is taken: one more, with what is said of it, would still fit. */
    private static final int FULL_BYTES = CommonLimits.RECORD_BYTES_MAX - 2 * RecordValues.NAMED_BYTES_MAX;

    /** Bytes of a place beside its address: its times and its stamp. */
    private static final int TIMES_BYTES = 3 * 8;

    /**
     * A place with its lifetimes.
     *
     * @param place type, length and value of the locator, as {@link RecordImage} has them
     * @param ttlMillis its TTL; 0 = not said
     * @param expiryMillis when it ends, milliseconds since 1970; 0 = never
     * @param attributes what is said of it, as {@link PlaceAttributes} has that behind the locator; none = nothing
     * @param stamp of the write that made it
     */
    public record PlaceRow(byte[] place, long ttlMillis, long expiryMillis, byte[] attributes, long stamp) {
        /** Returns whether it has ended. */
        public boolean ended(long nowMillis) {
            return expiryMillis != 0 && expiryMillis <= nowMillis;
        }

        /**
         * Returns this row, which a database returned.
         *
         * @throws Malformed if its bytes are no locator with what is said of it
         */
        public PlaceRow checked() throws Malformed {
            if (place.length < 4 || ((place[2] & 0xff) << 8 | place[3] & 0xff) != place.length - 4) {
                throw new Malformed("the length of a locator is not that of its bytes", 2);
            }
            if (attributes.length > 0) {
                PlaceAttributes.of(value(1));
            }
            return this;
        }

        private boolean later(PlaceRow other) {
            if (stamp != other.stamp) {
                return stamp > other.stamp;
            }
            long end = expiryMillis == 0 ? Long.MAX_VALUE : expiryMillis;
            long otherEnd = other.expiryMillis == 0 ? Long.MAX_VALUE : other.expiryMillis;
            return end != otherEnd ? end > otherEnd : ttlMillis > other.ttlMillis;
        }

        private int bytes() {
            return place.length + TIMES_BYTES + (attributes.length == 0 ? 0 : RecordValues.VALUE_BYTES + place.length + attributes.length);
        }

        private Binding binding() {
            int type = Short.toUnsignedInt(ByteBuffer.wrap(place).getShort());
            return new Binding(new Locator(type, Arrays.copyOfRange(place, 4, place.length)), ttlMillis, expiryMillis);
        }

        private Value value(int index) {
            byte[] data = Arrays.copyOf(place, place.length + attributes.length);
            System.arraycopy(attributes, 0, data, place.length, attributes.length);
            return new Value(index, PlaceAttributes.TYPE, data, 0, 0, 0, 0, List.of());
        }
    }

    /**
     * Returns the rows of a stored form.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static PlaceRows of(byte[] image) {
        ImageRows from = new ImageRows(image);
        List<Value> values = RecordValues.read(image);
        Map<Locator, Value> attributes = RecordValues.attributes(values);
        List<PlaceRow> rows = new ArrayList<>(from.count);
        for (int i = 0; i < from.count; i++) {
            byte[] place = Arrays.copyOfRange(image, from.address(i), from.address(i) + from.addressLength(i));
            Value said = attributes.isEmpty() ? null : attributes.get(from.locator(i));
            byte[] rest = said == null ? RecordValues.NONE : Arrays.copyOfRange(said.data(), place.length, said.data().length);
            rows.add(new PlaceRow(place, from.ttl(i), from.expiry(i), rest, from.stamp(i)));
        }
        List<Value> others = values.stream().filter(each -> !PlaceAttributes.isOf(each)).toList();
        return new PlaceRows(rows, from.cleared, NamedValues.text(values), others);
    }

    /** Returns both: of each place the later row, of the two UPDATEs the later one. */
    public PlaceRows merge(PlaceRows other) {
        Map<ByteBuffer, PlaceRow> merged = new LinkedHashMap<>();
        rows.forEach(each -> merged.put(ByteBuffer.wrap(each.place), each));
        other.rows.forEach(each -> merged.merge(ByteBuffer.wrap(each.place), each, (old, next) -> next.later(old) ? next : old));
        return new PlaceRows(
                List.copyOf(merged.values()),
                Math.max(cleared, other.cleared),
                text.isPresent() ? text : other.text,
                others.isEmpty() ? other.others : others);
    }

    /** Returns the newest stamp. */
    public long newest() {
        return rows.stream().mapToLong(PlaceRow::stamp).reduce(cleared, Math::max);
    }

    /** Returns the rows that are not older than the last UPDATE, and have not ended; of too many the newest. In order of their stamps. */
    public List<PlaceRow> live(long nowMillis) {
        List<PlaceRow> live = new ArrayList<>();
        for (PlaceRow each : rows) {
            if (each.stamp >= cleared && !each.ended(nowMillis)) {
                live.add(each);
            }
        }
        live.sort(Comparator.comparingLong(PlaceRow::stamp).reversed().thenComparing(PlaceRow::place, Arrays::compareUnsigned));
        int count = 0;
        for (long bytes = 0; count < live.size() && count < CommonLimits.LOCATORS_MAX && bytes < FULL_BYTES; count++) {
            bytes += live.get(count).bytes();
        }
        List<PlaceRow> newest = new ArrayList<>(live.subList(0, count));
        newest.sort(Comparator.comparingLong(PlaceRow::stamp).thenComparing(PlaceRow::place, Arrays::compareUnsigned));
        return newest;
    }

    /**
     * Returns the stored form of what is left at a time.
     *
     * @param tombstoneMillis lifetime of the tombstone of an UPDATE
     * @return a form without places for a tombstone; null if nothing is left
     * @throws IllegalArgumentException if values and places together pass the bound of a record
     */
    public byte @Nullable [] image(byte[] key, long version, long nowMillis, long tombstoneMillis) {
        List<PlaceRow> live = live(nowMillis);
        long forgetAt = cleared == 0 ? 0 : HybridClock.millis(cleared) + tombstoneMillis;
        boolean tombstone = forgetAt > nowMillis;
        List<Value> values = new ArrayList<>();
        if (text.isPresent() && (!live.isEmpty() || tombstone || !others.isEmpty())) {
            values.add(PlaceAttributes.text(text.get()));
        }
        values.addAll(others);
        List<Binding> bindings = new ArrayList<>(live.size());
        long[] stamps = new long[live.size()];
        for (PlaceRow each : live) {
            stamps[bindings.size()] = each.stamp;
            bindings.add(each.binding());
            if (each.attributes.length > 0) {
                values.add(each.value(values.size() + 1));
            }
        }
        if (live.isEmpty() && !tombstone && values.isEmpty()) {
            return null;
        }
        RecordImage.Stamps all = new RecordImage.Stamps(tombstone ? cleared : 0, tombstone ? forgetAt : 0, stamps);
        return RecordImage.write(key, version, bindings, all, values);
    }
}
