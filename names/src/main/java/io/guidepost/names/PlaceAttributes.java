package io.guidepost.names;

import io.guidepost.base.Malformed;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is said of a place beside its lifetimes. A record keeps it in a value of type {@link #TYPE}, whose data is
 *
 * <pre>
 *  type 16, length 16, bytes   the locator
 *  weight 32                   -1 = not said
 *  lease 128, duration 64      the duration in milliseconds; zeros = none
 *  then each label             length 8, key; length 16, text; both in UTF-8
 * </pre>
 *
 * Immutable.
 *
 * @param weight its share among places that are equally near, 0 to 65,535; -1 = not said
 * @param labels texts by key
 * @param lease the lease that it goes with, 32 hexadecimal digits; empty = none
 * @param leaseMillis duration of that lease in milliseconds
 */
public record PlaceAttributes(int weight, SortedMap<String, String> labels, String lease, long leaseMillis) {
    /** Type of the values that hold attributes. */
    public static final String TYPE = "guidepost.place";

    /** Type of the value that holds the text of a name, in UTF-8. */
    public static final String TEXT_TYPE = "guidepost.name";

    /** Largest weight, as in SRV. */
    public static final int WEIGHT_MAX = 65_535;

    /** Bytes of all labels of a place: some dozen of usual length. */
    public static final int LABELS_BYTES_MAX = 1024;

    /** Labels of a place. */
    public static final int LABELS_MAX = 16;

    /** Bytes of a label's key. */
    public static final int KEY_BYTES_MAX = 64;

    /** Bytes of a lease's id. */
    public static final int LEASE_BYTES = 16;

    /** Nothing is said. */
    public static final PlaceAttributes NONE = new PlaceAttributes(-1, new TreeMap<>(), "", 0);

    /** Copies the labels. */
    public PlaceAttributes {
        labels = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** Returns whether nothing is said. */
    boolean isNone() {
        return weight < 0 && labels.isEmpty() && lease.isEmpty();
    }

    /** Returns the same, held by a lease. */
    public PlaceAttributes leased(String id, long millis) {
        return new PlaceAttributes(weight, labels, id, millis);
    }

    /** Returns whether a value belongs to names: a text or attributes. Such values go with the record to other servers. */
    public static boolean isOf(Value value) {
        return value.type().equals(TYPE) || value.type().equals(TEXT_TYPE);
    }

    /** Returns the value that holds the text of a name. */
    public static Value text(String text) {
        return new Value(0, TEXT_TYPE, text.getBytes(StandardCharsets.UTF_8), 0, 0, 0, 0, List.of());
    }

    /** Returns the value that holds these attributes of a place. */
    public Value value(int index, Locator locator) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(4).putShort((short) locator.type()).putShort((short) locator.data().length).array());
        out.writeBytes(locator.data());
        out.writeBytes(ByteBuffer.allocate(4).putInt(weight).array());
        out.writeBytes(lease.isEmpty() ? new byte[LEASE_BYTES] : HexFormat.of().parseHex(lease));
        out.writeBytes(ByteBuffer.allocate(8).putLong(leaseMillis).array());
        for (Map.Entry<String, String> each : labels.entrySet()) {
            byte[] key = each.getKey().getBytes(StandardCharsets.UTF_8);
            byte[] text = each.getValue().getBytes(StandardCharsets.UTF_8);
            out.write(key.length);
            out.writeBytes(key);
            out.writeBytes(ByteBuffer.allocate(2).putShort((short) text.length).array());
            out.writeBytes(text);
        }
        return new Value(index, TYPE, out.toByteArray(), 0, 0, 0, 0, List.of());
    }

    /** Returns the bytes of all labels as they are kept. */
    public int labelsBytes() {
        return value(0, new Locator(0, new byte[0])).data().length - (4 + 4 + LEASE_BYTES + 8);
    }

    /** Returns the locator of a value of type {@link #TYPE}. */
    public static Locator locator(Value value) throws Malformed {
        ByteBuffer in = ByteBuffer.wrap(value.data());
        try {
            return new Locator(Short.toUnsignedInt(in.getShort()), bytes(in, Short.toUnsignedInt(in.getShort())));
        } catch (BufferUnderflowException e) {
            throw new Malformed("the attributes of a place are cut off", value.data().length);
        }
    }

    /** Parses a value of type {@link #TYPE}. */
    public static PlaceAttributes of(Value value) throws Malformed {
        ByteBuffer in = ByteBuffer.wrap(value.data());
        try {
            in.getShort();
            bytes(in, Short.toUnsignedInt(in.getShort()));
            int weight = in.getInt();
            String lease = HexFormat.of().formatHex(bytes(in, LEASE_BYTES));
            long millis = in.getLong();
            int labelsAt = in.position();
            SortedMap<String, String> labels = new TreeMap<>();
            while (in.hasRemaining()) {
                String key = text(in, Byte.toUnsignedInt(in.get()));
                labels.put(key, text(in, Short.toUnsignedInt(in.getShort())));
            }
            if (weight < -1 || weight > WEIGHT_MAX || millis < 0 || in.limit() - labelsAt > LABELS_BYTES_MAX) {
                throw new Malformed("the attributes of a place are out of bounds", labelsAt);
            }
            return new PlaceAttributes(weight, labels, millis == 0 ? "" : lease, millis);
        } catch (BufferUnderflowException e) {
            throw new Malformed("the attributes of a place are cut off", in.position());
        }
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer in, int length) {
        return new String(bytes(in, length), StandardCharsets.UTF_8);
    }
}
