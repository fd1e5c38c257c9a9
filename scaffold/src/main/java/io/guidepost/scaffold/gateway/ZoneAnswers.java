package io.guidepost.scaffold.gateway;

import io.guidepost.base.Counters;
import io.guidepost.scaffold.flow.GatewaySettings;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answers of DNS for one zone, whose names are objects: each has one address of each version of IP, for this host alone. A
 * function of bytes; no answer is longer than 512 bytes, as a question's name is repeated once, and names of the zone are pointers
 * into it.
 */
final class ZoneAnswers {
    static final int TYPE_A = 1;
    static final int TYPE_NS = 2;
    static final int TYPE_SOA = 6;
    static final int TYPE_AAAA = 28;
    static final int TYPE_ANY = 255;

    static final int NO_ERROR = 0;
    static final int SERVER_FAILURE = 2;
    static final int NO_NAME = 3;
    static final int REFUSED = 5;

    /** An object keeps its address for an hour and more; a client that has lost the gateway asks again soon. */
    private static final int ADDRESS_TTL_SECONDS = 30;

    /** An object may be registered in the next moment (RFC 2308). */
    private static final int NEGATIVE_TTL_SECONDS = 1;

    private static final int ANSWER_BYTES_MAX = 512;
    private static final int CLASS_IN = 1;
    private static final int CLASS_ANY = 255;
    private static final int AUTHORITATIVE_RESPONSE = 0x84;
    private static final int RECURSION_DESIRED = 1;
    private static final int POINTER = 0xc000;
    private static final int TIMER_SECONDS = 3_600;

    /** The zone's server is each host's own. */
    private static final byte[] SERVER = {9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 0};

    private static final byte[] MAILBOX = {10, 'h', 'o', 's', 't', 'm', 'a', 's', 't', 'e', 'r'};

    private final String zone;
    private final boolean ipv6;
    private final Counters<ZoneCount> counts = new Counters<>(ZoneCount.class);

    /**
     * Creates the answers of a zone.
     *
     * @param ipv6 whether objects have IPv6 addresses too
     * @throws IllegalArgumentException if it is no name of DNS
     */
    ZoneAnswers(String zone, boolean ipv6) {
        this.ipv6 = ipv6;
        this.zone = zone.toLowerCase(Locale.ROOT);
        if (!this.zone.matches("[a-z0-9_-]{1,63}(\\.[a-z0-9_-]{1,63})*") || zone.length() > 200) {
            throw new IllegalArgumentException("'" + zone + "' is no zone: write one such as svc.internal");
        }
    }

    Counters<ZoneCount> counts() {
        return counts;
    }

    /** Returns the object that a question is about, below the zone; null if {@link #answer} needs none. */
    @Nullable String object(ZoneQuestion question) {
        boolean asks = isOfZone(question) && question.name().length() > zone.length();
        return asks && (question.type() == TYPE_A || question.type() == TYPE_ANY || ipv6 && question.type() == TYPE_AAAA)
                ? question.name().substring(0, question.name().length() - zone.length() - 1)
                : null;
    }

    private boolean isOfZone(ZoneQuestion question) {
        boolean internet = question.queryClass() == CLASS_IN || question.queryClass() == CLASS_ANY;
        return question.fault() == 0 && internet && (question.name().equals(zone) || question.name().endsWith("." + zone));
    }

    /** Returns the answer to a question that is about no object. */
    byte[] answer(ZoneQuestion question) {
        counts.count(ZoneCount.QUESTIONS);
        if (question.fault() != 0) {
            boolean format = question.fault() == ZoneQuestion.FORMAT_ERROR;
            counts.count(format ? ZoneCount.ANSWERS_FORMAT_ERROR : ZoneCount.ANSWERS_NOT_IMPLEMENTED);
            return finished(question, begun(question), question.fault(), 0, 0);
        }
        if (!isOfZone(question)) {
            counts.count(ZoneCount.ANSWERS_REFUSED);
            return finished(question, begun(question), REFUSED, 0, 0);
        }
        ByteBuffer out = begun(question);
        boolean apex = question.name().equals(zone);
        boolean any = question.type() == TYPE_ANY;
        boolean ofZone = apex && (question.type() == TYPE_SOA || question.type() == TYPE_NS || any);
        counts.count(ofZone ? ZoneCount.ANSWERS_ZONE : ZoneCount.ANSWERS_NO_DATA);
        if (apex && (question.type() == TYPE_SOA || any)) {
            putAuthority(question, out);
            return finished(question, out, NO_ERROR, 1, 0);
        }
        if (apex && question.type() == TYPE_NS) {
            putHead(out, POINTER | zoneAt(question), TYPE_NS, TIMER_SECONDS);
            out.putShort((short) SERVER.length).put(SERVER);
            return finished(question, out, NO_ERROR, 1, 0);
        }
        putAuthority(question, out);
        return finished(question, out, NO_ERROR, 0, 1);
    }

    /**
     * Returns the answer to a question about an object.
     *
     * @param address the object's, of IPv4; 0 if there is no such object
     * @param known false if no object router has answered
     */
    byte[] answer(ZoneQuestion question, int address, boolean known) {
        counts.count(ZoneCount.QUESTIONS);
        ByteBuffer out = begun(question);
        if (!known) {
            counts.count(ZoneCount.ANSWERS_SERVER_FAILURE);
            return finished(question, out, SERVER_FAILURE, 0, 0);
        }
        if (address == 0) {
            counts.count(ZoneCount.ANSWERS_NO_NAME);
            putAuthority(question, out);
            return finished(question, out, NO_NAME, 0, 1);
        }
        counts.count(ZoneCount.ANSWERS_ADDRESS);
        boolean ipv4 = question.type() != TYPE_AAAA;
        putHead(out, POINTER | ZoneQuestion.HEADER_BYTES, ipv4 ? TYPE_A : TYPE_AAAA, ADDRESS_TTL_SECONDS);
        if (ipv4) {
            out.putShort((short) Integer.BYTES).putInt(address);
        } else {
            out.putShort((short) (2 * Long.BYTES)).putLong(GatewaySettings.IPV6_HIGH).putLong(GatewaySettings.low(false, address));
        }
        return finished(question, out, NO_ERROR, 1, 0);
    }

    private static ByteBuffer begun(ZoneQuestion question) {
        return ByteBuffer.allocate(ANSWER_BYTES_MAX).put(question.bytes(), 0, question.end());
    }

    private int zoneAt(ZoneQuestion question) {
        return ZoneQuestion.HEADER_BYTES + question.name().length() - zone.length();
    }

    private static void putHead(ByteBuffer out, int name, int type, int ttlSeconds) {
        out.putShort((short) name).putShort((short) type).putShort((short) CLASS_IN).putInt(ttlSeconds);
    }

    private void putAuthority(ZoneQuestion question, ByteBuffer out) {
        putHead(out, POINTER | zoneAt(question), TYPE_SOA, NEGATIVE_TTL_SECONDS);
        out.putShort((short) (SERVER.length + MAILBOX.length + Short.BYTES + 5 * Integer.BYTES));
        out.put(SERVER).put(MAILBOX).putShort((short) (POINTER | zoneAt(question)));
        out.putInt(1).putInt(TIMER_SECONDS).putInt(TIMER_SECONDS).putInt(TIMER_SECONDS).putInt(NEGATIVE_TTL_SECONDS);
    }

    private static byte[] finished(ZoneQuestion question, ByteBuffer out, int code, int answers, int authorities) {
        if (question.extended()) {
            out.put((byte) 0).putShort((short) ZoneQuestion.TYPE_OPT).putShort((short) ANSWER_BYTES_MAX);
            out.putInt(code >>> 4 << 24).putShort((short) 0);
        }
        boolean whole = question.end() > ZoneQuestion.HEADER_BYTES;
        out.put(2, (byte) (AUTHORITATIVE_RESPONSE | question.bytes()[2] & (0x78 | RECURSION_DESIRED)));
        out.put(3, (byte) (code & 0xf));
        out.putShort(4, (short) (whole ? 1 : 0));
        out.putShort(6, (short) answers).putShort(8, (short) authorities).putShort(10, (short) (question.extended() ? 1 : 0));
        byte[] answer = new byte[out.position()];
        out.get(0, answer);
        return answer;
    }
}
