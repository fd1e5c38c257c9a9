package io.guidepost.scaffold.object;

import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import io.guidepost.base.TokenBucket;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Cookie;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import org.jspecify.annotations.Nullable;

/**
 * Answers the greetings of hosts that a door does not know: with a cookie first, and, when the host returns that, with what both
 * agree on. Nothing is kept of a stranger before, and no answer is longer than its question. Belongs to one door.
 */
final class Greeter {
    private static final int MILLIS_PER_SECOND = 1_000;

    private final ObjectRouter router;
    private final Cookie cookies;
    private final Counters<ObjectCount> counts;
    private final Seal seal = new Seal();
    private final ControlWriter writer = new ControlWriter();
    private final TokenBucket hellos;

    Greeter(ObjectRouter router, byte[] secret, Counters<ObjectCount> counts) {
        this.router = router;
        this.cookies = new Cookie(secret);
        this.counts = counts;
        int perSecond = router.settings().hellosPerSecond();
        this.hellos = new TokenBucket(perSecond, perSecond);
    }

    void begin(long nowNanos) {
        hellos.refill(nowNanos);
    }

    /** Answers a greeting; the exchange then has the answer, or none, and all is counted. */
    void hello(Exchange exchange, ControlMessage message) {
        if (message.length() < ScaffoldLimits.HELLO_BYTES) {
            counts.count(ObjectCount.DROPS_SHORT);
            return;
        }
        long seconds = exchange.nowMillis() / MILLIS_PER_SECOND;
        if (!message.has(Tlv.COOKIE) || !cookies.check(message.bytes(Tlv.COOKIE), ObjectDoor.observed(exchange), seconds)) {
            retry(exchange, message, message.longNumber(Tlv.NONCE));
            return;
        }
        Association agreed = agreed(message.bytes(Tlv.HOST_KEY), message.bytes(Tlv.KEY_SHARE));
        if (agreed != null) {
            int length = writer.begin(
                            exchange.room(),
                            exchange.roomOffset(),
                            MessageType.HELLO_ACK,
                            0,
                            message.senderFlow(),
                            0,
                            message.epoch(),
                            agreed.nextSequence())
                    .guid(Tlv.HOST, router.guid())
                    .bytes(Tlv.HOST_KEY, router.own.open())
                    .bytes(Tlv.KEY_SHARE, agreed.ownShare())
                    .longNumber(Tlv.NONCE, message.longNumber(Tlv.NONCE))
                    .end();
            respond(exchange, seal.put(agreed, exchange.room(), exchange.roomOffset(), length), ObjectCount.RESPONSES_DONE);
        }
    }

    /** A greeting that comes again must not begin the count of messages again: what was agreed stays. */
    private @Nullable Association agreed(byte[] key, byte[] share) {
        Guid host = HostKey.guid(key);
        JoinedHost known = router.host(host);
        Association before = known == null ? null : known.agreedWith(share);
        if (before != null) {
            return before;
        }
        if (!hellos.tryTake(1)) {
            counts.count(ObjectCount.DROPS_HELLO_RATE);
            return null;
        }
        try {
            Association agreed = Association.agree(router.own, router.shareFor(host), key, share);
            if (router.greeted(agreed)) {
                return agreed;
            }
            counts.count(ObjectCount.DROPS_HOSTS_MAX);
        } catch (Malformed e) {
            counts.count(ObjectCount.DROPS_KEY);
        }
        return null;
    }

    /** Asks a host that is not known to greet with a cookie. */
    void retry(Exchange exchange, ControlMessage message, long nonce) {
        byte[] cookie = cookies.of(ObjectDoor.observed(exchange), exchange.nowMillis() / MILLIS_PER_SECOND);
        int length = writer.begin(exchange.room(), exchange.roomOffset(), MessageType.RETRY, 0, message.senderFlow(), 0, 0, 0)
                .longNumber(Tlv.NONCE, nonce)
                .bytes(Tlv.COOKIE, cookie)
                .end();
        if (length > message.length()) {
            counts.count(ObjectCount.DROPS_SHORT);
        } else {
            respond(exchange, length, ObjectCount.RESPONSES_RETRY);
        }
    }

    private void respond(Exchange exchange, int length, ObjectCount count) {
        exchange.respond(length);
        counts.count(count);
        counts.add(ObjectCount.BYTES_SENT, length);
    }
}
