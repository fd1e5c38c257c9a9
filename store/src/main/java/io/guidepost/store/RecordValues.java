package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.NamedValues;
import io.guidepost.names.NameForm;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/** The values of a replicated record as merging sees them: {@link NamedValues} go with it, others stay. */
final class RecordValues {
    /** No values, in stored form. */
    static final byte[] NONE = new byte[0];

    /** Fixed bytes of a value in stored form, its longest type among them. */
    static final int VALUE_BYTES = 4 + 2 + 16 + 8 + 8 + 4 + 8 + 4 + 2;

    /** Bytes of the longest text, and of the longest attributes of one place, in stored form. */
    static final int NAMED_BYTES_MAX = 4
            + VALUE_BYTES
            + CommonLimits.NAME_BYTES_MAX
            + VALUE_BYTES
            + 4
            + CommonLimits.LOCATOR_BYTES_MAX
            + 4
            + PlaceAttributes.LEASE_BYTES
            + 8
            + PlaceAttributes.LABELS_BYTES_MAX;

    private RecordValues() {}

    /** Returns the values of a stored form. */
    static List<Value> read(byte[] image) {
        if (image.length == 0 || (image[1] & RecordImage.VALUES) == 0) {
            return List.of();
        }
        try {
            return RecordImage.read(image).values();
        } catch (Malformed e) {
            throw new IllegalArgumentException("the parts of a stored record do not lie within it: " + e.reason(), e);
        }
    }

    /** Returns the text of a record's name that a value of it holds. */
    static Optional<String> text(byte[] image) {
        return NamedValues.text(read(image));
    }

    /** Returns the values of a record that belong to names, in stored form. */
    static byte[] named(byte[] image) {
        return stored(read(image).stream().filter(PlaceAttributes::isOf).toList());
    }

    private static byte[] stored(List<Value> values) {
        return values.isEmpty() ? NONE : RecordImage.writeValues(values);
    }

    /** Returns the bytes of the value that holds the attributes of each place. */
    static int[] attributeBytes(ImageRows rows) {
        int[] bytes = new int[rows.count];
        Map<Locator, Value> attributes = attributes(read(rows.image));
        for (int i = 0; i < rows.count && !attributes.isEmpty(); i++) {
            Value value = attributes.get(rows.locator(i));
            bytes[i] = value == null ? 0 : VALUE_BYTES + value.data().length;
        }
        return bytes;
    }

    /** Returns the values that hold attributes by their places. */
    static Map<Locator, Value> attributes(List<Value> values) {
        Map<Locator, Value> attributes = new HashMap<>();
        for (Value each : values) {
            if (each.type().equals(PlaceAttributes.TYPE)) {
                try {
                    attributes.put(PlaceAttributes.locator(each), each);
                } catch (Malformed e) {
                    throw new IllegalArgumentException(e.getMessage(), e);
                }
            }
        }
        return attributes;
    }

    /** See {@link MergedImage#values}. */
    static byte[] merged(ImageRows old, IntPredicate oldStays, ImageRows fresh, IntPredicate freshStays, boolean tombstone) {
        List<Value> before = read(old.image);
        List<Value> after = read(fresh.image);
        Optional<String> text = NamedValues.text(before).or(() -> NamedValues.text(after));
        List<Value> places = new ArrayList<>();
        add(old, before, oldStays, places);
        add(fresh, after, freshStays, places);
        List<Value> others = before.stream().filter(each -> !PlaceAttributes.isOf(each)).toList();
        List<Value> all = new ArrayList<>();
        boolean bound = any(old, oldStays) || any(fresh, freshStays);
        if (text.isPresent() && (bound || tombstone || !others.isEmpty())) {
            all.add(PlaceAttributes.text(text.get()));
        }
        all.addAll(others);
        all.addAll(places);
        return stored(all);
    }

    private static boolean any(ImageRows rows, IntPredicate stays) {
        for (int i = 0; i < rows.count; i++) {
            if (stays.test(i)) {
                return true;
            }
        }
        return false;
    }

    private static void add(ImageRows rows, List<Value> values, IntPredicate stays, List<Value> to) {
        Map<Locator, Value> attributes = attributes(values);
        for (int i = 0; i < rows.count && !attributes.isEmpty(); i++) {
            Value value = stays.test(i) ? attributes.get(rows.locator(i)) : null;
            if (value != null) {
                to.add(value);
            }
        }
    }

    /**
     * Validates the values of a record that a peer server sent: a text whose GUID is the record's, at most once and first,
     * and attributes of its places, each once.
     *
     * @throws Malformed with the first reason
     */
    static void check(byte[] image) throws Malformed {
        Record record = RecordImage.read(image);
        Guid guid = Guid.of(Arrays.copyOfRange(image, RecordImage.HEADER_BYTES + 1, RecordImage.HEADER_BYTES + 1 + Guid.BYTES));
        Set<Locator> places = new HashSet<>();
        record.bindings().forEach(each -> places.add(each.locator()));
        long at = RecordImage.HEADER_BYTES;
        for (int i = 0; i < record.values().size(); i++) {
            Value each = record.values().get(i);
            boolean bare = each.ttlMillis() == 0 && each.expiryMillis() == 0 && each.references().isEmpty();
            if (!PlaceAttributes.isOf(each) || !bare) {
                throw new Malformed("values that are not those of names are not sent to other servers", at);
            }
            if (each.type().equals(PlaceAttributes.TYPE)) {
                PlaceAttributes.of(each);
                if (!places.remove(PlaceAttributes.locator(each))) {
                    throw new Malformed("attributes stand for no place, or twice for one", at);
                }
            } else if (i > 0 || !NameForm.matches(new String(each.data(), StandardCharsets.UTF_8), guid)) {
                throw new Malformed("the text is not that of the record's GUID", at);
            }
        }
    }
}
