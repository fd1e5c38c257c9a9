package io.guidepost.scaffold.object;

import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.base.TokenBucket;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Cookie;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The door of an object router: hosts greet it and join, instances are registered, and the first packet of each flow goes on to
 * the instance that it gets. Belongs to one worker.
 *
 * <p>Nothing is kept of a stranger before it returns a cookie, and no answer is longer than its question, as long as the sender
 * is not known. A response to a SYN does not come from here: the instance's host answers the client.
 */
public final class ObjectDoor implements Door {
    /** A greeting is as long as its answer. */
    public static final int HELLO_BYTES = 192;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MILLIS_PER_SECOND = 1_000;

    private final ObjectRouter router;
    private final Cookie cookies;
    private final Seal seal = new Seal();
    private final InstanceChoice choice;
    private final ControlMessage message = new ControlMessage();
    private final ControlWriter writer = new ControlWriter();
    private final Counters<ObjectCount> counts = new Counters<>(ObjectCount.class);
    private final TokenBucket hellos;
    private final List<Guid> excluded = new ArrayList<>();
    private long nowMillis;

    /**
     * Creates the door of a worker.
     *
     * @param secret of the cookies; all doors of a server have the same
     */
    public ObjectDoor(ObjectRouter router, Distance distance, byte[] secret) {
        this.router = router;
        this.choice = new InstanceChoice(distance);
        this.cookies = new Cookie(secret);
        int perSecond = router.settings().hellosPerSecond();
        this.hellos = new TokenBucket(perSecond, perSecond);
    }

    public Counters<ObjectCount> counts() {
        return counts;
    }

    @Override
    public void begin(long now) {
        nowMillis = now;
        hellos.refill(nowNanos());
    }

    private long nowNanos() {
        return nowMillis * NANOS_PER_MILLI;
    }

    @Override
    public boolean next(Exchange exchange) {
        return false;
    }

    @Override
    public void end() {}

    @Override
    public void take(Exchange exchange) {
        if (exchange.roomLength() < ScaffoldLimits.CONTROL_BYTES_MAX) {
            counts.count(ObjectCount.DROPS_NO_ROOM);
        } else if (exchange.requestLength() == 0 || !ControlMessage.isControl(exchange.request(), exchange.requestOffset())) {
            counts.count(ObjectCount.DROPS_NOT_CONTROL);
        } else if (message.parse(exchange.request(), exchange.requestOffset(), exchange.requestLength()) != ControlFault.NONE) {
            counts.count(ObjectCount.DROPS_MALFORMED);
        } else if (message.type() == MessageType.HELLO) {
            counts.count(ObjectCount.REQUESTS_HELLO);
            hello(exchange);
        } else if (!message.type().sealed()) {
            counts.count(ObjectCount.DROPS_TYPE);
        } else {
            takeSealed(exchange);
        }
    }

    private void takeSealed(Exchange exchange) {
        Association sender = router.association(message.guid(Tlv.HOST));
        if (sender == null) {
            retry(exchange, 0);
        } else if (!seal.check(sender, message)) {
            counts.count(ObjectCount.DROPS_SEAL);
        } else {
            dispatch(exchange, sender);
        }
    }

    private void dispatch(Exchange exchange, Association sender) {
        switch (message.type()) {
            case JOIN -> {
                counts.count(ObjectCount.REQUESTS_JOIN);
                join(exchange, sender);
            }
            case LEAVE -> {
                counts.count(ObjectCount.REQUESTS_JOIN);
                leave(exchange, sender);
            }
            case REGISTER -> {
                counts.count(ObjectCount.REQUESTS_REGISTER);
                register(exchange, sender);
            }
            case UNREGISTER -> {
                counts.count(ObjectCount.REQUESTS_REGISTER);
                unregister(exchange, sender);
            }
            case RESOLVE -> {
                counts.count(ObjectCount.REQUESTS_RESOLVE);
                resolve(exchange, sender);
            }
            case SYN -> {
                counts.count(ObjectCount.REQUESTS_SYN);
                connect(exchange, sender);
            }
            case RSYN -> {
                counts.count(ObjectCount.REQUESTS_RSYN);
                connect(exchange, sender);
            }
            default -> counts.count(ObjectCount.DROPS_TYPE);
        }
    }

    private void hello(Exchange exchange) {
        if (message.length() < HELLO_BYTES) {
            counts.count(ObjectCount.DROPS_SHORT);
            return;
        }
        if (!message.has(Tlv.COOKIE)
                || !cookies.check(
                        message.segment(),
                        message.place(Tlv.COOKIE),
                        exchange.peerHigh(),
                        exchange.peerLow(),
                        exchange.peerPort(),
                        nowMillis / MILLIS_PER_SECOND)) {
            retry(exchange, message.longNumber(Tlv.NONCE));
            return;
        }
        Association agreed = agreed(message.bytes(Tlv.HOST_KEY), message.bytes(Tlv.KEY_SHARE));
        if (agreed != null) {
            begin(exchange, MessageType.HELLO_ACK, agreed)
                    .bytes(Tlv.HOST_KEY, router.own().open())
                    .bytes(Tlv.KEY_SHARE, router.share().open())
                    .longNumber(Tlv.NONCE, message.longNumber(Tlv.NONCE));
            respond(exchange, agreed, ObjectCount.RESPONSES_DONE);
        }
    }

    /** A greeting that comes again must not begin the count of messages again: what was agreed stays. */
    private @Nullable Association agreed(byte[] key, byte[] share) {
        Association before = router.association(HostKey.guid(key));
        if (before != null && before.isOf(share)) {
            return before;
        }
        if (!hellos.tryTake(1)) {
            counts.count(ObjectCount.DROPS_HELLO_RATE);
            return null;
        }
        try {
            Association agreed = Association.agree(router.own(), router.share(), key, share);
            if (router.put(agreed)) {
                return agreed;
            }
            counts.count(ObjectCount.DROPS_HELLO_RATE);
        } catch (Malformed e) {
            counts.count(ObjectCount.DROPS_KEY);
        }
        return null;
    }

    private void retry(Exchange exchange, long nonce) {
        int length = writer.begin(exchange.room(), exchange.roomOffset(), MessageType.RETRY, 0, message.senderFlow(), 0, 0, 0)
                .longNumber(Tlv.NONCE, nonce)
                .bytes(
                        Tlv.COOKIE,
                        cookies.of(
                                exchange.peerHigh(), exchange.peerLow(), exchange.peerPort(), nowMillis / MILLIS_PER_SECOND))
                .end();
        if (length > message.length()) {
            counts.count(ObjectCount.DROPS_SHORT);
            return;
        }
        exchange.respond(length);
        counts.count(ObjectCount.RESPONSES_RETRY);
    }

    /** Begins an answer to the message, with the GUID of this host. */
    private ControlWriter begin(Exchange exchange, MessageType type, Association to) {
        return writer.begin(
                        exchange.room(),
                        exchange.roomOffset(),
                        type,
                        0,
                        message.senderFlow(),
                        0,
                        message.epoch(),
                        to.nextSequence())
                .guid(Tlv.HOST, router.own().guid());
    }

    private void respond(Exchange exchange, Association to, ObjectCount count) {
        exchange.respond(seal.put(to, exchange.room(), exchange.roomOffset(), writer.end()));
        counts.count(count);
    }

    private void join(Exchange exchange, Association sender) {
        HostLocator observed = observed(exchange);
        List<HostLocator> locators = new ArrayList<>();
        for (int i = 0; i < message.count(Tlv.LOCATOR); i++) {
            locators.add(message.locator(i));
        }
        if (!locators.contains(observed)) {
            // It is behind a translator of addresses: what it gave is good inside of it alone.
            locators.addFirst(observed);
        }
        int lease = lease();
        long end = nowNanos() + lease * NANOS_PER_MILLI;
        JoinedHost.Place place = new JoinedHost.Place(message.epoch(), locators);
        JoinedHost there = router.host(sender.peer());
        boolean taken = there == null || there.join(place, end);
        if (there == null) {
            router.put(new JoinedHost(sender.peer(), place, end));
        }
        begin(exchange, MessageType.JOIN_ACK, sender).locator(Tlv.OBSERVED, observed);
        if (!taken) {
            writer.reason(Reason.OLD_EPOCH);
        }
        writer.number(Tlv.LEASE, taken ? lease : 0);
        respond(exchange, sender, taken ? ObjectCount.RESPONSES_DONE : ObjectCount.RESPONSES_REFUSED);
    }

    private static HostLocator observed(Exchange exchange) {
        return new HostLocator(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
    }

    private int lease() {
        int asked = message.number(Tlv.LEASE);
        int most = router.settings().leaseMillisMax();
        return asked < 1 || asked > most ? most : asked;
    }

    private void leave(Exchange exchange, Association sender) {
        JoinedHost there = router.host(sender.peer());
        if (there != null) {
            there.leave(nowNanos());
        }
        begin(exchange, MessageType.JOIN_ACK, sender)
                .locator(Tlv.OBSERVED, observed(exchange))
                .number(Tlv.LEASE, 0);
        respond(exchange, sender, ObjectCount.RESPONSES_DONE);
    }

    private void register(Exchange exchange, Association sender) {
        Guid object = message.guid(Tlv.OBJECT);
        Guid instance = message.guid(Tlv.INSTANCE);
        int lease = lease();
        Reason refusal = refusal(sender.peer(), object, instance, lease);
        begin(exchange, MessageType.REGISTER_ACK, sender).guid(Tlv.OBJECT, object).guid(Tlv.INSTANCE, instance);
        if (refusal != null) {
            writer.reason(refusal);
        }
        writer.number(Tlv.LEASE, refusal == null ? lease : 0);
        respond(exchange, sender, refusal == null ? ObjectCount.RESPONSES_DONE : ObjectCount.RESPONSES_REFUSED);
    }

    private @Nullable Reason refusal(Guid sender, Guid object, Guid instance, int lease) {
        JoinedHost host = router.host(sender);
        Instance.Offer service = service();
        if (host == null
                || !host.isHere(nowNanos())
                || !instance.equals(ObjectRouter.instance(object, sender, service.protocol(), service.port()))) {
            return Reason.NOT_ALLOWED;
        }
        ServedObject known = router.object(object);
        Instance there = known == null ? null : known.find(instance);
        Delegation delegation = delegation(object, sender, there);
        if (delegation == null) {
            return Reason.NOT_ALLOWED;
        }
        if (message.has(Tlv.NAME) && !isNamed(object)) {
            return Reason.NAME_TAKEN;
        }
        ServedObject served = router.objectToServe(object);
        if (served == null) {
            return Reason.TOO_MANY;
        }
        long end = nowNanos() + lease * NANOS_PER_MILLI;
        if (there == null || there.host() != host || !there.service().equals(service)) {
            there = new Instance(instance, host, service, delegation, end);
            if (!served.put(there)) {
                return Reason.TOO_MANY;
            }
        }
        long load = message.has(Tlv.LOAD) ? message.longNumber(Tlv.LOAD) : 0;
        there.renew(delegation, end, (int) (load >>> 32), (int) load);
        if ((message.flags() & ControlMessage.FLAG_DRAIN) != 0) {
            there.drain();
        }
        return null;
    }

    private Instance.Offer service() {
        int service = message.number(Tlv.SERVICE);
        long port = message.place(Tlv.PORT);
        return new Instance.Offer(
                service >>> 24,
                Math.max(1, service >>> 8 & 0xffff),
                Byte.toUnsignedInt(message.segment().get(Memory.BYTE, port)),
                Byte.toUnsignedInt(message.segment().get(Memory.BYTE, port + 1)) << 8
                        | Byte.toUnsignedInt(message.segment().get(Memory.BYTE, port + 2)),
                message.flags() & ~ControlMessage.FLAG_DRAIN);
    }

    /** Returns the delegation if it is right, else null; a signature that the instance has shown before is not checked again. */
    private @Nullable Delegation delegation(Guid object, Guid host, @Nullable Instance there) {
        try {
            Delegation shown = Delegation.read(message.bytes(Tlv.DELEGATION));
            boolean right = shown.object().equals(object)
                    && shown.host().equals(host)
                    && shown.expirySeconds() > nowMillis / MILLIS_PER_SECOND
                    && (there != null && shown.equals(there.delegation()) || shown.isSigned());
            return right ? shown : null;
        } catch (Malformed e) {
            return null;
        }
    }

    private boolean isNamed(Guid object) {
        return router.name(text(Tlv.NAME), object);
    }

    private String text(Tlv tlv) {
        return new String(message.bytes(tlv), StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    }

    private void unregister(Exchange exchange, Association sender) {
        Guid object = message.guid(Tlv.OBJECT);
        Guid instance = message.guid(Tlv.INSTANCE);
        ServedObject served = router.object(object);
        Instance there = served == null ? null : served.find(instance);
        if (there != null && there.host().guid().equals(sender.peer())) {
            there.end(nowNanos());
        }
        begin(exchange, MessageType.REGISTER_ACK, sender)
                .guid(Tlv.OBJECT, object)
                .guid(Tlv.INSTANCE, instance)
                .number(Tlv.LEASE, 0);
        respond(exchange, sender, ObjectCount.RESPONSES_DONE);
    }

    private void resolve(Exchange exchange, Association sender) {
        Guid object = message.has(Tlv.OBJECT) ? message.guid(Tlv.OBJECT) : message.has(Tlv.NAME) ? router.named(text(Tlv.NAME)) : null;
        ServedObject served = object == null ? null : router.object(object);
        Instance chosen = served == null ? null : choose(exchange, served);
        begin(exchange, MessageType.RESOLVED, sender);
        if (object != null) {
            writer.guid(Tlv.OBJECT, object);
        }
        if (chosen == null) {
            writer.reason(served == null ? Reason.NO_OBJECT : Reason.NO_INSTANCE);
            respond(exchange, sender, ObjectCount.RESPONSES_REFUSED);
            return;
        }
        writer.guid(Tlv.INSTANCE, chosen.guid());
        List<HostLocator> locators = chosen.host().place().locators();
        for (int i = 0; i < locators.size() && i < ScaffoldLimits.LOCATORS_MAX; i++) {
            writer.locator(Tlv.LOCATOR, locators.get(i));
        }
        respond(exchange, sender, ObjectCount.RESPONSES_DONE);
    }

    private @Nullable Instance choose(Exchange exchange, ServedObject served) {
        excluded.clear();
        for (int i = 0; i < message.count(Tlv.EXCLUDE); i++) {
            excluded.add(message.guid(Tlv.EXCLUDE, i));
        }
        return choice.choose(
                served,
                exchange.peerHigh(),
                exchange.peerLow(),
                message.senderFlow(),
                message.epoch(),
                excluded,
                nowNanos());
    }

    private void connect(Exchange exchange, Association sender) {
        Guid object = message.guid(Tlv.OBJECT);
        ServedObject served = router.object(object);
        if (served != null && message.type() == MessageType.RSYN) {
            report(served);
        }
        Instance chosen = served == null ? null : choose(exchange, served);
        Association next = chosen == null ? null : router.association(chosen.host().guid());
        if (chosen == null || next == null) {
            begin(exchange, MessageType.RESET, sender)
                    .guid(Tlv.OBJECT, object)
                    .reason(served == null ? Reason.NO_OBJECT : Reason.NO_INSTANCE);
            respond(exchange, sender, ObjectCount.RESPONSES_REFUSED);
            return;
        }
        chosen.given();
        forward(exchange, chosen, next);
    }

    private void report(ServedObject served) {
        for (int i = 0; i < message.count(Tlv.EXCLUDE); i++) {
            Instance lost = served.find(message.guid(Tlv.EXCLUDE, i));
            if (lost != null) {
                lost.report(message.senderFlow());
            }
        }
    }

    private void forward(Exchange exchange, Instance chosen, Association next) {
        writer.begin(
                        exchange.room(),
                        exchange.roomOffset(),
                        message.type(),
                        message.flags(),
                        0,
                        message.senderFlow(),
                        message.epoch(),
                        next.nextSequence())
                .copy(Tlv.HOST, message)
                .guid(Tlv.VIA, router.own().guid())
                .copy(Tlv.OBJECT, message)
                .guid(Tlv.INSTANCE, chosen.guid())
                .copy(Tlv.LOCATOR, message)
                .locator(Tlv.OBSERVED, observed(exchange))
                .copy(Tlv.HOST_KEY, message)
                .copy(Tlv.KEY_SHARE, message)
                .copy(Tlv.PORT, message)
                .copy(Tlv.CONTINUATION, message)
                .copy(Tlv.PACKET, message);
        HostLocator to = chosen.host().place().locators().getFirst();
        exchange.peer(to.high(), to.low(), to.port());
        respond(exchange, next, ObjectCount.RESPONSES_FORWARDED);
    }
}
