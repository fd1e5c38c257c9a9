package io.guidepost.handle.message;

/**
 * A version of the protocol. A server answers all of 2.0 to 3.0 with the version that the client suggests, but none above
 * its own.
 *
 * @param major 0 to 255; a suggested one 0 to 3
 * @param minor 0 to 255
 */
public record ProtocolVersion(int major, int minor) implements Comparable<ProtocolVersion> {
    /** The newest version, which this code speaks. */
    public static final ProtocolVersion CURRENT = new ProtocolVersion(2, 11);

    /** The version of answers to what could not be read: older than all that differ in what answers hold. */
    public static final ProtocolVersion UNKNOWN = new ProtocolVersion(2, 3);

    /** What signatures and MACs cover besides header and body. */
    public enum Coverage {
        /** Nothing: up to 2.4. */
        MESSAGE,
        /** In 2.5 and 2.6 a layout of their own, which nobody should speak. */
        UNSUPPORTED,
        /** Version, session, request and counter: 2.7. */
        NUMBERS,
        /** The same with the suggested version: from 2.8 on. */
        SUGGESTION
    }

    /** Refuses what bytes do not hold. */
    public ProtocolVersion {
        if (major >>> 8 != 0 || minor >>> 8 != 0) {
            throw new IllegalArgumentException("a version is two bytes, not " + major + "." + minor);
        }
    }

    /** Whether it is the other or newer. */
    public boolean atLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || major == otherMajor && minor >= otherMinor;
    }

    /**
     * The version of an answer.
     *
     * @param spoken the version of the question
     * @param suggested the version that the asker suggests; one of 0.x says nothing
     */
    public static ProtocolVersion ofAnswer(ProtocolVersion spoken, ProtocolVersion suggested) {
        ProtocolVersion wanted = suggested.major == 0 ? spoken : suggested;
        return wanted.compareTo(CURRENT) > 0 ? CURRENT : wanted;
    }

    /** With what requests are digested: an old form of MD5 in 2.0, SHA-1 up to 2.6, SHA-256 from 2.7 on. */
    public DigestAlgorithm digest() {
        if (atLeast(2, 7)) {
            return DigestAlgorithm.SHA256;
        }
        return atLeast(2, 1) ? DigestAlgorithm.SHA1 : DigestAlgorithm.MD5_OLD;
    }

    /** What signatures and MACs cover besides header and body. */
    public Coverage coverage() {
        if (atLeast(2, 8)) {
            return Coverage.SUGGESTION;
        }
        if (atLeast(2, 7)) {
            return Coverage.NUMBERS;
        }
        return atLeast(2, 5) ? Coverage.UNSUPPORTED : Coverage.MESSAGE;
    }

    /** Whether an encrypted message begins with an initial vector: from 2.4 on. */
    public boolean encryptsWithVector() {
        return atLeast(2, 4);
    }

    /** Whether messages of a session are counted, so that a replayed one is known: from 2.5 on. */
    public boolean countsMessages() {
        return atLeast(2, 5);
    }

    /** Whether a question for transactions says how it tells its position: from 2.9 on. */
    public boolean marksPosition() {
        return atLeast(2, 9);
    }

    /** Orders from old to new. */
    @Override
    public int compareTo(ProtocolVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    /** As in {@code 2.11}. */
    @Override
    public String toString() {
        return major + "." + minor;
    }
}
