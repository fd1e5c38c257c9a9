package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;

/**
 * The header: operation, result and flags; the layout stands at {@link HandleWire}. The length of the body is not kept, as it
 * follows from the body.
 *
 * @param opcode number of the operation, see {@link HandleOperation}
 * @param responseCode 0 in requests, else see {@link ResponseCode}
 * @param flags see {@link OpFlag}
 * @param siteSerial serial number of the site's description: the client's in requests, the server's in responses
 * @param recursionCount servers that the request went through, 0 to 255
 * @param expirySeconds end of the message's validity, seconds since 1970, 0 to 2^32-1; servers do not check it
 */
public record MessageHeader(
        int opcode, int responseCode, int flags, int siteSerial, int recursionCount, long expirySeconds) {
    /** The serial number of an unknown site description. */
    public static final int SERIAL_UNKNOWN = HandleWire.SERIAL_UNKNOWN;

    /** Refuses numbers that its fields do not hold. */
    public MessageHeader {
        if (siteSerial >>> 16 != 0 || recursionCount >>> 8 != 0 || expirySeconds >>> 32 != 0) {
            throw new IllegalArgumentException("a header has a serial of 16, a count of 8 and an expiry of 32 bits, not "
                    + siteSerial + ", " + recursionCount + ", " + expirySeconds);
        }
    }

    /** Returns the header of a request of a client that does not know the site. */
    public static MessageHeader request(HandleOperation operation, long expirySeconds, OpFlag... flags) {
        return new MessageHeader(operation.number(), 0, OpFlag.of(flags), SERIAL_UNKNOWN, 0, expirySeconds);
    }

    /** Returns whether it belongs to a request. */
    public boolean isRequest() {
        return responseCode == 0;
    }

    /** Returns whether a flag is set. */
    public boolean has(OpFlag flag) {
        return flag.in(flags);
    }

    MessageHeader without(OpFlag... which) {
        return new MessageHeader(opcode, responseCode, flags & ~OpFlag.of(which), siteSerial, recursionCount, expirySeconds);
    }

    static MessageHeader readPrefix(WireReader in) throws Malformed {
        int opcode = in.u32();
        int responseCode = in.u32();
        int flags = in.u32();
        int serial = in.u16();
        int recursion = in.u8();
        in.u8();
        return new MessageHeader(opcode, responseCode, flags, serial, recursion, in.seconds());
    }
}
