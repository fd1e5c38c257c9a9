package io.guidepost.scaffold.wire;

import io.guidepost.names.Guid;
import org.jspecify.annotations.Nullable;

/**
 * What a control message carries behind its header, each as type, length and value. The types stand in ascending order, so
 * that equal messages are equal bytes; those that may be repeated stand together.
 */
public enum Tlv {
    /** GUID of the host that sends: the hash of its key. */
    HOST(1, Guid.BYTES),
    /** GUID of the host whose seal is on the message, where an object router sends it on. */
    VIA(2, Guid.BYTES),
    /** GUID of the object that is asked for or served. */
    OBJECT(3, Guid.BYTES),
    /** GUID of one instance of it. */
    INSTANCE(4, Guid.BYTES),
    /** An address of the sending host, 128 bits, and its UDP port; the preferred one first. */
    LOCATOR(5, HostLocator.BYTES, HostLocator.BYTES, ScaffoldLimits.LOCATORS_MAX),
    /** The address and port that a message came from, as the object router saw it. */
    OBSERVED(6, HostLocator.BYTES),
    /** The sender's X25519 key (RFC 7748), of which its GUID is the hash. */
    HOST_KEY(7, 32),
    /** An X25519 key that the sender uses for an hour. */
    KEY_SHARE(8, 32),
    /** A random number that the response repeats. */
    NONCE(9, 8),
    /** What a host was given, and returns, to show that it receives at its address. */
    COOKIE(10, 24),
    /** That the object's key lets a host serve the object, signed. */
    DELEGATION(11, 124),
    /** Why, see {@link Reason}. */
    REASON(12, 1),
    /** GUID of an instance that the next one must not be. */
    EXCLUDE(13, Guid.BYTES, Guid.BYTES, ScaffoldLimits.EXCLUDED_MAX),
    /** Milliseconds for which what is said holds. */
    LEASE(14, 4),
    /** Priority (8 bits), weight (16), flags (8) of an instance. */
    SERVICE(15, 4),
    /** The UDP or TCP port that an instance listens at, behind the number of the protocol; 253 is a stream, see {@code stream}. */
    PORT(17, 3),
    /** A continuation, sealed for the instances of an object. */
    CONTINUATION(18, 1, ScaffoldLimits.CONTINUATION_BYTES_MAX, 1),
    /** A name of an object below the zone. */
    NAME(19, 1, ScaffoldLimits.NAME_BYTES_MAX, 1),
    /** An IP packet: the SYN or SYN-ACK of the program's own TCP. */
    PACKET(21, 40, ScaffoldLimits.HANDSHAKE_PACKET_BYTES_MAX, 1),
    /** Zeros, so that the answer is not longer than the question. */
    PADDING(22, 0, ScaffoldLimits.CONTROL_BYTES_MAX, 1),
    /** GUID of the host that an object router is to send something on to. */
    RECEIVER(23, Guid.BYTES),
    /** A control message of another association, as it goes on. */
    MESSAGE(24, ControlMessage.HEADER_BYTES, ScaffoldLimits.RELAYED_BYTES_MAX, 1);

    private static final Tlv[] BY_NUMBER = new Tlv[32];

    static {
        for (Tlv each : values()) {
            BY_NUMBER[each.number] = each;
        }
    }

    private final int number;
    private final int bytesMin;
    private final int bytesMax;
    private final int timesMax;

    Tlv(int number, int bytes) {
        this(number, bytes, bytes, 1);
    }

    Tlv(int number, int bytesMin, int bytesMax, int timesMax) {
        this.number = number;
        this.bytesMin = bytesMin;
        this.bytesMax = bytesMax;
        this.timesMax = timesMax;
    }

    /** Returns the type on the wire: 1 to 31. */
    public int number() {
        return number;
    }

    /** Returns the bit of a set of types that is this one's. */
    int bit() {
        return 1 << number;
    }

    /** Returns whether a value may have this number of bytes. */
    boolean fits(int bytes) {
        return bytes >= bytesMin && bytes <= bytesMax;
    }

    /** Returns how often it may stand in one message. */
    int timesMax() {
        return timesMax;
    }

    /** Returns the type of a number on the wire; null if there is none. */
    static @Nullable Tlv of(int number) {
        return number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }
}
