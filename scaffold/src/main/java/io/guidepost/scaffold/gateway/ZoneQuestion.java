package io.guidepost.scaffold.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A question of DNS (RFC 1035 section 4), checked.
 *
 * <pre>
 *   0    id
 *   2    QR 1 | opcode 4 | AA 1 | TC 1 | RD 1 || RA 1 | Z 3 | RCODE 4
 *   4    questions   6 answers   8 authorities   10 additional records
 *  12    name: labels, each behind its length, and a zero; then type 2, class 2
 *  then  records: name, type 2, class 2, TTL 4, length 2, data
 * </pre>
 *
 * @param bytes the datagram
 * @param fault the response code that its form earns; 0 if it is well formed
 * @param end offset behind the question, 12 if that is not readable
 * @param name in lower case, without a dot at its end
 * @param extended whether it has an OPT record of version 0 (RFC 6891)
 */
record ZoneQuestion(byte[] bytes, int fault, int end, String name, int type, int queryClass, boolean extended) {
    static final int HEADER_BYTES = 12;
    static final int TYPE_OPT = 41;

    static final int FORMAT_ERROR = 1;
    static final int NOT_IMPLEMENTED = 4;
    static final int BAD_VERSION = 16;

    private static final int RESPONSE = 0x80;
    private static final int OPCODE = 0x78;
    private static final int LABEL_MAX = 63;
    private static final int NAME_MAX = 255;
    private static final int RECORD_BYTES = 10;

    /** Records behind a question: real programs send one, OPT, or two. */
    private static final int RECORDS_MAX = 16;

    /** Reads one; returns null if it is no question at all, and is to be dropped. */
    static @Nullable ZoneQuestion read(byte[] bytes) {
        if (bytes.length < HEADER_BYTES || (bytes[2] & RESPONSE) != 0) {
            return null;
        }
        if ((bytes[2] & OPCODE) != 0) {
            return faulty(bytes, NOT_IMPLEMENTED);
        }
        int nameEnd = u16(bytes, 4) == 1 ? nameEnd(bytes, HEADER_BYTES) : -1;
        if (nameEnd < 0 || nameEnd + 4 > bytes.length) {
            return faulty(bytes, FORMAT_ERROR);
        }
        int end = nameEnd + 4;
        int extended = extended(bytes, end);
        int fault = extended < 0 ? FORMAT_ERROR : extended > 1 ? BAD_VERSION : 0;
        return new ZoneQuestion(
                bytes, fault, end, text(bytes, nameEnd), u16(bytes, nameEnd), u16(bytes, nameEnd + 2), extended > 0);
    }

    private static ZoneQuestion faulty(byte[] bytes, int fault) {
        return new ZoneQuestion(bytes, fault, HEADER_BYTES, "", 0, 0, false);
    }

    /** Returns the offset behind a name without pointers; -1 if there is none. */
    private static int nameEnd(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length && bytes[at] != 0) {
            int length = bytes[at] & 0xff;
            if (length > LABEL_MAX) {
                return -1;
            }
            at += 1 + length;
        }
        return at < bytes.length && at - from < NAME_MAX ? at + 1 : -1;
    }

    /** Returns 1 if an OPT record follows, 0 if none does, 2 if it is of another version, and -1 if the records are malformed. */
    private static int extended(byte[] bytes, int from) {
        int records = u16(bytes, 6) + u16(bytes, 8) + u16(bytes, 10);
        int at = from;
        int found = 0;
        if (records > RECORDS_MAX) {
            return -1;
        }
        for (int i = 0; i < records; i++) {
            boolean root = at < bytes.length && bytes[at] == 0;
            int behind = at < bytes.length && (bytes[at] & 0xc0) == 0xc0 ? at + 2 : nameEnd(bytes, at);
            if (behind < 0 || behind + RECORD_BYTES > bytes.length) {
                return -1;
            }
            if (u16(bytes, behind) == TYPE_OPT) {
                if (!root || found != 0) {
                    return -1;
                }
                found = bytes[behind + 5] == 0 ? 1 : 2;
            }
            at = behind + RECORD_BYTES + u16(bytes, behind + 8);
        }
        return at > bytes.length ? -1 : found;
    }

    private static String text(byte[] bytes, int nameEnd) {
        StringBuilder text = new StringBuilder();
        for (int at = HEADER_BYTES; at < nameEnd - 1; at += 1 + bytes[at]) {
            String label = new String(bytes, at + 1, bytes[at], StandardCharsets.ISO_8859_1);
            // A dot inside of a label is no border of two: no object has such a name.
            text.append(text.isEmpty() ? "" : ".").append(label.replace('.', '\0'));
        }
        return text.toString().toLowerCase(Locale.ROOT);
    }

    static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }
}
