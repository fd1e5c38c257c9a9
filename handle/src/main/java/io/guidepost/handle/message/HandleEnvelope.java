package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;

/**
 * The first twenty bytes of a message, and of each packet of one that is split; the layout stands at {@link HandleWire}.
 *
 * @param version of the message
 * @param suggested the version that the sender prefers for the response; its major part is 0 to 3
 * @param compressed unused by all implementations
 * @param encrypted whether the rest is encrypted with the session's key
 * @param split whether the message is fragmented over several packets
 * @param sessionId the session, or the challenge that is answered; 0 = none
 * @param requestId chosen by the client, echoed in the response
 * @param sequence number of this packet, from 0
 * @param length bytes of the whole message after the envelope, 0 to {@link HandleLimits#MESSAGE_BYTES_MAX}
 */
public record HandleEnvelope(
        ProtocolVersion version,
        ProtocolVersion suggested,
        boolean compressed,
        boolean encrypted,
        boolean split,
        int sessionId,
        int requestId,
        int sequence,
        int length)
        implements WireRecord {
    /** Bytes of every envelope. */
    public static final int BYTES = HandleWire.ENVELOPE_BYTES;

    /** Refuses a suggested version that two bits do not hold, and a length above the maximum. */
    public HandleEnvelope {
        if (suggested.major() > HandleWire.SUGGESTED_MAJOR_MASK) {
            throw new IllegalArgumentException("a suggested version is below 4, not " + suggested);
        }
        if (length < 0 || length > HandleLimits.MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a message has at most " + HandleLimits.MESSAGE_BYTES_MAX + " bytes, not " + length);
        }
    }

    /** Returns the envelope of an unfragmented message of the current version, with length 0. */
    public static HandleEnvelope of(int sessionId, int requestId) {
        return new HandleEnvelope(
                ProtocolVersion.CURRENT, ProtocolVersion.CURRENT, false, false, false, sessionId, requestId, 0, 0);
    }

    /** Returns a copy with another length. */
    public HandleEnvelope withLength(int bytes) {
        return new HandleEnvelope(
                version, suggested, compressed, encrypted, split, sessionId, requestId, sequence, bytes);
    }

    /** Returns a copy with another session. */
    public HandleEnvelope withSession(int id) {
        return new HandleEnvelope(version, suggested, compressed, encrypted, split, id, requestId, sequence, length);
    }

    /** Returns a copy with another encryption flag. */
    public HandleEnvelope withEncrypted(boolean isEncrypted) {
        return new HandleEnvelope(
                version, suggested, compressed, isEncrypted, split, sessionId, requestId, sequence, length);
    }

    /**
     * Reads one, and leaves the bytes after it.
     *
     * @throws Malformed if it is cut off, or its length is above the maximum
     */
    public static HandleEnvelope readPrefix(WireReader in) throws Malformed {
        int major = in.u8();
        int minor = in.u8();
        int flags = in.u8();
        int suggestedMinor = in.u8();
        int session = in.u32();
        int request = in.u32();
        int sequence = in.u32();
        int at = in.position();
        int length = in.u32();
        if (length < 0 || length > HandleLimits.MESSAGE_BYTES_MAX) {
            throw new Malformed(
                    "a message has at most " + HandleLimits.MESSAGE_BYTES_MAX + " bytes, not "
                            + Integer.toUnsignedString(length),
                    at);
        }
        return new HandleEnvelope(
                new ProtocolVersion(major, minor),
                new ProtocolVersion(flags & HandleWire.SUGGESTED_MAJOR_MASK, suggestedMinor),
                (flags & HandleWire.COMPRESSED) != 0,
                (flags & HandleWire.ENCRYPTED) != 0,
                (flags & HandleWire.SPLIT) != 0,
                session,
                request,
                sequence,
                length);
    }

    @Override
    public void write(WireWriter out) {
        int flags = (compressed ? HandleWire.COMPRESSED : 0) | (encrypted ? HandleWire.ENCRYPTED : 0) | (split ? HandleWire.SPLIT : 0);
        out.u8(version.major()).u8(version.minor()).u8(flags | suggested.major()).u8(suggested.minor());
        out.u32(sessionId).u32(requestId).u32(sequence).u32(length);
    }
}
