package io.guidepost.server.http.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * Writes what certificates are made of, by the distinguished encoding rules (X.690): a tag, a length, a content.
 *
 * <pre>
 *  length below 128   one byte
 *  longer             80 + number of bytes that follow, and these, big-endian
 * </pre>
 */
final class DerWriter {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int NULL = 0x05;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int SHORT_LENGTH_MAX = 127;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private DerWriter() {}

    static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] each : parts) {
            content.writeBytes(each);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length <= SHORT_LENGTH_MAX) {
            out.write(length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(length >>> 8 * i);
            }
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, parts);
    }

    static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    static byte[] none() {
        return tagged(NULL);
    }

    static byte[] text(String text) {
        return tagged(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] content) {
        return tagged(OCTET_STRING, content);
    }

    static byte[] bits(byte[] content) {
        return tagged(BIT_STRING, new byte[1], content);
    }

    /** To the second. */
    static byte[] time(Instant time) {
        return tagged(GENERALIZED_TIME, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    /** An object identifier of its content in hexadecimal digits. */
    static byte[] identifier(String digits) {
        return tagged(OBJECT_IDENTIFIER, HexFormat.of().parseHex(digits));
    }
}
