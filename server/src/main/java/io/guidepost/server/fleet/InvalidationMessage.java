package io.guidepost.server.fleet;

import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.StoreLimits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a front end tells the others when it has written a record. All numbers are big-endian.
 *
 * <pre>
 *  offset size
 *     0   16  header as of any message between servers, see {@link PeerWire}: type 66, id 0
 *    16    8  version of the record; 2^63 - 1 if it is not known what was made
 *    24    .  key: namespace byte and bytes of the name, 2 or more
 *     .   16  seal
 * </pre>
 *
 * A message that comes late or again does no harm: a record is dropped if it is older than the version, and is read again.
 */
final class InvalidationMessage {
    static final int TYPE = 0x66;

    static final int BYTES_MAX = PeerWire.HEADER_BYTES + Long.BYTES + StoreLimits.KEY_BYTES_MAX + PeerWire.SEAL_BYTES;

    private static final int VERSION = PeerWire.HEADER_BYTES;
    private static final int KEY = VERSION + Long.BYTES;
    private static final int KEY_BYTES_MIN = 2;

    private InvalidationMessage() {}

    /** Writes one without its seal; returns its length. */
    static int write(MemorySegment out, byte[] key, long version) {
        int length = KEY + key.length;
        PeerWire.header(out, 0, TYPE, length, 0);
        out.set(PeerWire.LONG, VERSION, version);
        MemorySegment.copy(key, 0, out, ValueLayout.JAVA_BYTE, KEY, key.length);
        return length;
    }

    /** Returns whether a message without its seal, of at least the bytes of a header, is one of these. */
    static boolean isValid(MemorySegment in, int length) {
        int keyBytes = length - KEY;
        return keyBytes >= KEY_BYTES_MIN
                && keyBytes <= StoreLimits.KEY_BYTES_MAX
                && in.get(ValueLayout.JAVA_BYTE, 0) == 0
                && in.get(ValueLayout.JAVA_BYTE, PeerWire.TYPE) == TYPE
                && Short.toUnsignedInt(in.get(PeerWire.SHORT, PeerWire.LENGTH)) == length + PeerWire.SEAL_BYTES
                && in.get(ValueLayout.JAVA_BYTE, KEY) > 0
                && version(in) > 0;
    }

    static long version(MemorySegment in) {
        return in.get(PeerWire.LONG, VERSION);
    }

    static byte[] key(MemorySegment in, int length) {
        return in.asSlice(KEY, length - KEY).toArray(ValueLayout.JAVA_BYTE);
    }
}
