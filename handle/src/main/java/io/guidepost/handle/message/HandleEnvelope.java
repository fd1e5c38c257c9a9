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
 * @param suggested the version that the sender would like in the answer; its major part is 0 to 3
 * @param compressed nobody does that
 * @param encrypted whether what follows is encrypted with the session's key
 * @param split whether the message came or goes in several packets
 * @param sessionId the session, or the challenge that is answered; 0 = none
 * @param requestId chosen by the client, repeated in the answer
 * @param sequence number of this packet, from 0
 * @param length bytes of the whole message behind the envelope, 0 to {@link HandleLimits#MESSAGE_BYTES_MAX}
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

    /** Refuses a suggested version that two bits do not hold, and a length that no message has. */
    public HandleEnvelope {
        if (suggested.major() > HandleWire.SUGGESTED_MAJOR_MASK) {
            throw new IllegalArgumentException("a suggested version is below 4, not " + suggested);
        }
        if (length < 0 || length > HandleLimits.MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a message has at most " + HandleLimits.MESSAGE_BYTES_MAX + " bytes, not " + length);
        }
    }

    /** The envelope of a whole message of the current version, whose length is not yet known. */
    public static HandleEnvelope of(int sessionId, int requestId) {
        return new HandleEnvelope(
                ProtocolVersion.CURRENT, ProtocolVersion.CURRENT, false, false, false, sessionId, requestId, 0, 0);
    }

    /** The same with another length. */
    public HandleEnvelope withLength(int bytes) {
        return new HandleEnvelope(
                version, suggested, compressed, encrypted, split, sessionId, requestId, sequence, bytes);
    }

    /** The same in another session. */
    public HandleEnvelope withSession(int id) {
        return new HandleEnvelope(version, suggested, compressed, encrypted, split, id, requestId, sequence, length);
    }

    /** The same with another mark of encryption. */
    public HandleEnvelope withEncrypted(boolean isEncrypted) {
        return new HandleEnvelope(
                version, suggested, compressed, isEncrypted, split, sessionId, requestId, sequence, length);
    }

    /**
     * Reads one, and leaves what follows.
     *
     * @throws Malformed if it is cut off, or says a length that no message has
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
