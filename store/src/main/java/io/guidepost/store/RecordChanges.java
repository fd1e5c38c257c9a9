package io.guidepost.store;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The changes that administration makes of whole records, alike in all stores. */
public final class RecordChanges {
    private RecordChanges() {}

    /** Returns the change of {@link RecordStore#put}. */
    public static RecordStore.Replace put(Record record, long expectedVersion) {
        byte[] image = RecordImage.write(record);
        return (key, current, version, nowMillis) -> {
            if (version(current, nowMillis) != expectedVersion) {
                return RecordStore.Change.KEEP;
            }
            if (current != null && stamped(current)) {
                return Expire.replaced(key, current, record.bindings(), record.values(), version, nowMillis);
            }
            return RecordImage.withVersion(image, version);
        };
    }

    /** Returns the change of {@link RecordStore#delete}. */
    public static RecordStore.Replace delete() {
        return (key, current, version, nowMillis) -> {
            if (current == null || dead(current)) {
                return RecordStore.Change.KEEP;
            }
            return stamped(current)
                    ? Expire.replaced(key, current, List.of(), List.of(), version, nowMillis)
                    : RecordStore.Change.DELETE;
        };
    }

    /**
     * Returns the record of an image without its expired parts; empty if nothing is left.
     *
     * @throws IOException if the image is damaged
     */
    public static Optional<Record> live(byte[] image, long nowMillis) throws IOException {
        try {
            Record record = Expire.left(RecordImage.read(image), nowMillis);
            return record.isEmpty() ? Optional.empty() : Optional.of(record);
        } catch (Malformed e) {
            throw new IOException("a stored record is damaged: " + e.getMessage(), e);
        }
    }

    /** Returns the version of an image as {@link RecordStore#get} shows it: a record whose every part has expired is absent. */
    private static long version(byte @Nullable [] image, long nowMillis) {
        if (image == null) {
            return Record.ABSENT;
        }
        try {
            return dead(image) || Memory.longAt(image, 24) <= nowMillis && live(image, nowMillis).isEmpty()
                    ? Record.ABSENT
                    : Memory.longAt(image, 8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean stamped(byte[] image) {
        return (image[1] & RecordImage.STAMPED) != 0;
    }

    private static boolean dead(byte[] image) {
        return Memory.intAt(image, 32) == 0 && ((image[1] & RecordImage.VALUES) == 0 || isTombstone(image));
    }

    /** Returns whether the only values of an image are the text of a name and what was said of its places. */
    private static boolean isTombstone(byte[] image) {
        try {
            return stamped(image) && RecordImage.read(image).values().stream().allMatch(PlaceAttributes::isOf);
        } catch (Malformed e) {
            return false;
        }
    }
}
