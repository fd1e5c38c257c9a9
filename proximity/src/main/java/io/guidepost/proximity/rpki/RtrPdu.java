package io.guidepost.proximity.rpki;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The PDUs of RTR (RFC 8210 section 5), version 1, and version 0 (RFC 6810), which has no times in End of Data and no Router Key:
 *
 * <pre>
 *  0               8               16                              32
 *  | version 8     | type 8        | session, flags or code 16     |
 *  | length in bytes of the whole 32                               |
 *
 *   0 Serial Notify  | session | 12  | serial 32 |                      3 Cache Response | session | 8 |
 *   1 Serial Query   | session | 12  | serial 32 |                      8 Cache Reset    | 0 | 8 |
 *   2 Reset Query    | 0 | 8 |
 *   4 IPv4 Prefix    | 0 | 20 | flags 8 | length 8 | max length 8 | 0 | prefix 32  | AS 32 |    flags: 1 = announced
 *   6 IPv6 Prefix    | 0 | 32 | flags 8 | length 8 | max length 8 | 0 | prefix 128 | AS 32 |
 *   7 End of Data    | session | 24  | serial 32 | refresh 32 | retry 32 | expire 32 |         version 0: 12, to the serial
 *   9 Router Key     | flags 8, 0 | length | key identifier 160 | AS 32 | key |                not in version 0
 *  10 Error Report   | code | length | bytes 32 | PDU | bytes 32 | text in UTF-8 |
 * </pre>
 */
sealed interface RtrPdu {
    /** Bytes of the header, which is the shortest PDU. */
    int HEADER_BYTES = 8;

    /** The type of a {@link SerialNotify}. */
    int SERIAL_NOTIFY = 0;

    /** The type of an {@link ErrorReport}. */
    int ERROR_REPORT = 10;

    /** The cache has news. */
    record SerialNotify(int session, int serial) implements RtrPdu {}

    /** Asks for what changed after a serial. */
    record SerialQuery(int session, int serial) implements RtrPdu {}

    /** Asks for all. */
    record ResetQuery() implements RtrPdu {}

    /** Begins an answer. */
    record CacheResponse(int session) implements RtrPdu {}

    /**
     * A VRP.
     *
     * @param announced false = it is withdrawn
     */
    record Payload(boolean announced, Vrp vrp) implements RtrPdu {}

    /**
     * Ends an answer.
     *
     * @param refreshSeconds after which the cache may be asked again; 0 in version 0, like the others
     * @param retrySeconds after which it may be asked again if that failed
     * @param expireSeconds for which the data may be used
     */
    record EndOfData(int session, int serial, int refreshSeconds, int retrySeconds, int expireSeconds) implements RtrPdu {}

    /** The cache does not know any more what changed after that serial. */
    record CacheReset() implements RtrPdu {}

    /** A key of BGPsec, which origin validation does not need. */
    record RouterKey() implements RtrPdu {}

    /**
     * What the other side did wrong.
     *
     * @param code see {@link RtrError}
     * @param cause the PDU; may be empty, and is not whole if that was long
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record ErrorReport(int code, byte[] cause, String text) implements RtrPdu {}

    /**
     * Returns the length of the PDU that begins somewhere.
     *
     * @param at of a whole header
     * @throws Malformed if no PDU has this length
     */
    static int length(ByteBuffer bytes, int at) throws Malformed {
        int type = bytes.get(at + 1) & 0xff;
        int version = bytes.get(at);
        int length = bytes.getInt(at + 4);
        int right = switch (type) {
            case 0, 1 -> 12;
            case 2, 3, 8 -> HEADER_BYTES;
            case 4 -> 20;
            case 6 -> 32;
            case 7 -> version == 0 ? 12 : 24;
            default -> length;
        };
        if (length != right || length < HEADER_BYTES || length > RpkiLimits.PDU_BYTES_MAX) {
            throw new Malformed("a PDU of type " + type + " has " + Integer.toUnsignedString(length) + " bytes", at + 4);
        }
        return length;
    }

    /**
     * Reads a whole PDU.
     *
     * @param at where it begins
     * @throws Malformed if it contradicts itself
     * @throws UnknownType if it has none of the types above
     */
    static RtrPdu read(ByteBuffer bytes, int at) throws Malformed, UnknownType {
        int version = bytes.get(at);
        int type = bytes.get(at + 1) & 0xff;
        int field = bytes.getChar(at + 2);
        int length = length(bytes, at);
        return switch (type) {
            case SERIAL_NOTIFY -> new SerialNotify(field, bytes.getInt(at + 8));
            case 1 -> new SerialQuery(field, bytes.getInt(at + 8));
            case 2 -> new ResetQuery();
            case 3 -> new CacheResponse(field);
            case 4, 6 -> payload(bytes, at, type == 4);
            case 7 -> version == 0
                    ? new EndOfData(field, bytes.getInt(at + 8), 0, 0, 0)
                    : new EndOfData(field, bytes.getInt(at + 8), bytes.getInt(at + 12), bytes.getInt(at + 16), bytes.getInt(at + 20));
            case 8 -> new CacheReset();
            case ERROR_REPORT -> errorReport(bytes, at, length, field);
            default -> {
                if (type == 9 && version != 0) {
                    yield new RouterKey();
                }
                throw new UnknownType(type);
            }
        };
    }

    private static Payload payload(ByteBuffer bytes, int at, boolean ipv4) throws Malformed {
        int before = ipv4 ? Prefix.IPV4_BITS_BEFORE : 0;
        int length = before + (bytes.get(at + 9) & 0xff);
        int maxLength = before + (bytes.get(at + 10) & 0xff);
        if (length > maxLength || maxLength > 128) {
            throw new Malformed("a prefix of " + (length - before) + " bits may be " + (maxLength - before) + " long", at + 9);
        }
        Prefix prefix = ipv4
                ? Prefix.ofIpv4(bytes.getInt(at + 12), length - before)
                : new Prefix(bytes.getLong(at + 12), bytes.getLong(at + 20), length);
        long as = bytes.getInt(at + (ipv4 ? 16 : 28)) & 0xffffffffL;
        return new Payload((bytes.get(at + 8) & 1) != 0, new Vrp(prefix, maxLength, as));
    }

    private static ErrorReport errorReport(ByteBuffer bytes, int at, int length, int code) throws Malformed {
        int end = at + length;
        byte[] cause = block(bytes, at + HEADER_BYTES, end);
        byte[] text = block(bytes, at + HEADER_BYTES + 4 + cause.length, end);
        return new ErrorReport(code, cause, new String(text, StandardCharsets.UTF_8));
    }

    private static byte[] block(ByteBuffer bytes, int at, int end) throws Malformed {
        int length = end - at < 4 ? -1 : bytes.getInt(at);
        if (length < 0 || length > end - at - 4) {
            throw new Malformed("an Error Report ends within what it reports", at);
        }
        byte[] block = new byte[length];
        bytes.get(at + 4, block);
        return block;
    }

    /** Returns the bytes of this PDU in a version, 0 or 1. */
    default byte[] write(int version) {
        return switch (this) {
            case SerialNotify it -> start(version, SERIAL_NOTIFY, it.session, 12).putInt(it.serial).array();
            case SerialQuery it -> start(version, 1, it.session, 12).putInt(it.serial).array();
            case ResetQuery _ -> start(version, 2, 0, HEADER_BYTES).array();
            case CacheResponse it -> start(version, 3, it.session, HEADER_BYTES).array();
            case Payload it -> writePayload(version, it);
            case EndOfData it when version == 0 -> start(version, 7, it.session, 12).putInt(it.serial).array();
            case EndOfData it -> start(version, 7, it.session, 24).putInt(it.serial)
                    .putInt(it.refreshSeconds).putInt(it.retrySeconds).putInt(it.expireSeconds).array();
            case CacheReset _ -> start(version, 8, 0, HEADER_BYTES).array();
            case RouterKey _ -> throw new IllegalStateException("keys of routers are not kept");
            case ErrorReport it -> {
                byte[] text = it.text.getBytes(StandardCharsets.UTF_8);
                yield start(version, ERROR_REPORT, it.code, HEADER_BYTES + 8 + it.cause.length + text.length)
                        .putInt(it.cause.length).put(it.cause).putInt(text.length).put(text).array();
            }
        };
    }

    private static byte[] writePayload(int version, Payload it) {
        Prefix prefix = it.vrp.prefix();
        boolean ipv4 = prefix.isIpv4();
        int before = ipv4 ? Prefix.IPV4_BITS_BEFORE : 0;
        ByteBuffer out = start(version, ipv4 ? 4 : 6, 0, ipv4 ? 20 : 32)
                .put((byte) (it.announced ? 1 : 0))
                .put((byte) (prefix.length() - before))
                .put((byte) (it.vrp.maxLength() - before))
                .put((byte) 0);
        return (ipv4 ? out.putInt((int) prefix.low()) : out.putLong(prefix.high()).putLong(prefix.low()))
                .putInt((int) it.vrp.as()).array();
    }

    private static ByteBuffer start(int version, int type, int field, int length) {
        return ByteBuffer.allocate(length).put((byte) version).put((byte) type).putChar((char) field).putInt(length);
    }

    /** Thrown for a PDU of a type that the version does not have. */
    final class UnknownType extends Exception {
        UnknownType(int type) {
            super("a PDU has type " + type, null, false, false);
        }
    }
}
