package io.guidepost.store;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Memory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What each store checks of keys and images, before it takes them and before it shows them. */
public final class StoredForm {
    private StoredForm() {}

    /**
     * Checks the key of a change.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static void checkKey(byte[] key) {
        if (key.length < 2 || key.length > StoreLimits.KEY_BYTES_MAX || key[0] == 0) {
            throw new IllegalArgumentException("a key has a namespace other than 0 and 1 to "
                    + (StoreLimits.KEY_BYTES_MAX - 1) + " bytes more, this one has " + key.length + " bytes");
        }
    }

    /**
     * Returns an image that a change has made.
     *
     * @throws IllegalArgumentException if it must not be stored, or has another version than that of the change
     */
    public static byte[] checked(byte[] key, byte[] image, long version) {
        String wrong = wrong(key, image);
        if (wrong == null && Memory.longAt(image, 8) != version) {
            wrong = "a change made an image with another version than the one it was given";
        }
        if (wrong != null) {
            throw new IllegalArgumentException(wrong);
        }
        return image;
    }

    /** Returns why an image must not be published under a key; null if it may. */
    public static @Nullable String wrong(byte[] key, byte[] image) {
        int length = image.length;
        if (length < RecordImage.HEADER_BYTES + key.length + 8 || image[0] != RecordImage.FORMAT) {
            return "a stored record is not an image of format " + RecordImage.FORMAT;
        }
        if (length > CommonLimits.RECORD_BYTES_MAX || Memory.intAt(image, 4) != length) {
            return "a stored record says that it has " + Memory.intAt(image, 4) + " bytes, and has " + length;
        }
        int keyEnd = RecordImage.HEADER_BYTES + key.length;
        if ((Memory.intAt(image, 0) & 0xffff) != key.length
                || !Arrays.equals(key, 0, key.length, image, RecordImage.HEADER_BYTES, keyEnd)) {
            return "a stored record does not carry the key under which it stands";
        }
        int bindings = Memory.intAt(image, 32);
        int addressBytes = Memory.intAt(image, 36);
        if (bindings < 0 || addressBytes < 0 || keyEnd + 8L + addressBytes + 16L * bindings > length) {
            return "the parts of a stored record are longer than the record";
        }
        return null;
    }
}
