package io.guidepost.handle.message;

/**
 * A version of the protocol. A server answers versions 2.0 to 3.0 in the version that the client suggests, but not
 * above its own.
 *
 * @param major 0 to 255; a suggested one 0 to 3
 * @param minor 0 to 255
 */
public record ProtocolVersion(int major, int minor) implements Comparable<ProtocolVersion> {
    /** The newest version, which this code implements. */
    public static final ProtocolVersion CURRENT = new ProtocolVersion(2, 11);

    /** The version of responses to malformed requests: older than every change of the response layouts. */
    public static final ProtocolVersion UNKNOWN = new ProtocolVersion(2, 3);

    /** The fields that signatures and MACs cover besides header and body. */
    public enum Coverage {
        /** No others: up to 2.4. */
        MESSAGE,
        /** A layout of 2.5 and 2.6 alone, which is not implemented. */
        UNSUPPORTED,
        /** Version, session, request and counter: 2.7. */
        NUMBERS,
        /** Those and the suggested version: from 2.8 on. */
        SUGGESTION
    }

    /** Refuses numbers that one byte does not hold. */
    public ProtocolVersion {
        if (major >>> 8 != 0 || minor >>> 8 != 0) {
            throw new IllegalArgumentException("a version is two bytes, not " + major + "." + minor);
        }
    }

    /** Returns whether it is this version or newer. */
    public boolean atLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || major == otherMajor && minor >= otherMinor;
    }

    /**
     * Returns the version of a response.
     *
     * @param spoken the version of the request
     * @param suggested the version that the client suggests; 0.x suggests none
     */
    public static ProtocolVersion ofAnswer(ProtocolVersion spoken, ProtocolVersion suggested) {
        ProtocolVersion wanted = suggested.major == 0 ? spoken : suggested;
        return wanted.compareTo(CURRENT) > 0 ? CURRENT : wanted;
    }

    /** Returns the digest of requests: an old form of MD5 in 2.0, SHA-1 up to 2.6, SHA-256 from 2.7 on. */
    public DigestAlgorithm digest() {
        if (atLeast(2, 7)) {
            return DigestAlgorithm.SHA256;
        }
        return atLeast(2, 1) ? DigestAlgorithm.SHA1 : DigestAlgorithm.MD5_OLD;
    }

    /** Returns the fields that signatures and MACs cover besides header and body. */
    public Coverage coverage() {
        if (atLeast(2, 8)) {
            return Coverage.SUGGESTION;
        }
        if (atLeast(2, 7)) {
            return Coverage.NUMBERS;
        }
        return atLeast(2, 5) ? Coverage.UNSUPPORTED : Coverage.MESSAGE;
    }

    /** Returns whether an encrypted message begins with an initialization vector: from 2.4 on. */
    public boolean encryptsWithVector() {
        return atLeast(2, 4);
    }

    /** Returns whether messages of a session carry a counter against replay: from 2.5 on. */
    public boolean countsMessages() {
        return atLeast(2, 5);
    }

    /** Returns whether a request for transactions states the kind of its position: from 2.9 on. */
    public boolean marksPosition() {
        return atLeast(2, 9);
    }

    /** Orders from old to new. */
    @Override
    public int compareTo(ProtocolVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    /** Returns the textual form, as {@code 2.11}. */
    @Override
    public String toString() {
        return major + "." + minor;
    }
}
