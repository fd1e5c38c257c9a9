package io.guidepost.scaffold.flow;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.KeyRollover;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A host's session with one object router: it greets it, joins, offers its instances, and asks for names. What is not answered
 * is sent again; a router that was started again does not know the host, says so by a cookie, and is greeted again. Belongs to
 * one thread.
 */
final class RouterSession {
    /** Of a lease so much is left when it is renewed. */
    private static final int RENEWALS = 3;

    private static final long GREET_NANOS = 100 * LocalHost.MILLI;
    private static final int BACKOFF_MAX = 6;
    private static final int LOST_TRIES = 8;

    /** How often it is said that this host leaves: for 0.4 s. */
    private static final int LEAVE_TRIES = 4;

    private final LocalHost host;
    private final HostLocator at;
    private final List<Offered> offers = new ArrayList<>();
    private final Map<Long, PendingResolution> questions = new HashMap<>();
    private @Nullable KeyRollover keys;
    private byte[] cookie = {};
    private long nonce;

    /** The own way by which the router is asked: the next one when no answer comes, as something on it may be silent. */
    private int way;

    private long wayAtNanos;
    private boolean joined;
    private boolean leaves;
    private int tries;
    private long dueNanos;

    /** An instance that is offered, and when that is to be done next. */
    static final class Offered {
        final LocalService service;
        boolean draining;

        /** It was drained for a while, and is taken back now. */
        boolean ends;

        boolean taken;
        int tries;
        long dueNanos;
        @Nullable Reason refusal;

        Offered(LocalService service) {
            this.service = service;
        }
    }

    /**
     * What is asked for.
     *
     * @param name the object's; empty for none
     * @param host whose places are asked for; null if an object is
     * @param excluded instances that the one in the answer must not be
     * @param protocolAndPort which instance is wanted, see {@link Tlv#PORT}; empty if any
     */
    record ObjectQuery(String name, @Nullable Guid host, List<Guid> excluded, byte[] protocolAndPort) {}

    /** A name that is asked for. */
    private static final class PendingResolution {
        final ObjectQuery query;
        final Consumer<@Nullable ControlMessage> listener;
        int tries;
        long dueNanos;

        PendingResolution(ObjectQuery query, Consumer<@Nullable ControlMessage> listener) {
            this.query = query;
            this.listener = listener;
        }
    }

    RouterSession(LocalHost host, HostLocator at) {
        this.host = host;
        this.at = at;
    }

    HostLocator at() {
        return at;
    }

    /** Returns what was agreed with the router; null if it does not know this host now. */
    @Nullable
    Association association() {
        return joined ? agreed() : null;
    }

    private @Nullable Association agreed() {
        return keys == null ? null : keys.now();
    }

    /** Returns whether a message is sealed by this router. */
    boolean isOf(Guid guid) {
        Association with = agreed();
        return with != null && with.peer().equals(guid);
    }

    boolean check(ControlMessage message) {
        return keys != null && keys.check(host.seal, message, host.nowNanos);
    }

    /**
     * Seals and sends the message that was begun.
     *
     * @param again whether the one before had no answer
     */
    void send(Association with, boolean again) {
        if (again) {
            nextWay();
        }
        if (settleWay()) {
            host.control.send(with, way, at);
        }
    }

    private boolean settleWay() {
        way = host.isUp(way) ? way : host.way();
        return way >= 0;
    }

    /** Takes the next way, as a message had no answer. All that is sent again at once goes by the same one. */
    private void nextWay() {
        if (host.nowNanos - wayAtNanos >= LocalHost.RETRANSMIT_NANOS && settleWay()) {
            wayAtNanos = host.nowNanos;
            do {
                way = (way + 1) % host.ways.size();
            } while (!host.isUp(way));
        }
    }

    /** Offers an instance from now on. */
    void register(LocalService service) {
        offers.removeIf(each -> each.service.instance().equals(service.instance()));
        offers.add(new Offered(service));
    }

    /** Has an instance get no more flows, and takes it back when it would be renewed. */
    void drain(LocalService service) {
        Offered there = find(service);
        if (there != null) {
            there.draining = true;
            there.dueNanos = host.nowNanos;
            there.tries = 0;
        }
    }

    /** Returns what is known of an instance; null if it is not offered. */
    @Nullable
    Offered find(LocalService service) {
        for (Offered each : offers) {
            if (each.service.equals(service)) {
                return each;
            }
        }
        return null;
    }

    /** Asks for a name; the listener is called once, with null if no answer comes in time. */
    void resolve(ObjectQuery query, Consumer<@Nullable ControlMessage> listener) {
        questions.put(host.random.getAsLong(), new PendingResolution(query, listener));
    }

    /** Says that this host leaves; returns whether the router knows, or does not answer. Called again until then. */
    boolean leave() {
        if (!leaves) {
            leaves = true;
            moved();
        }
        return !joined || tries > LEAVE_TRIES;
    }

    private void sendLeave() {
        Association with = association();
        if (with != null && tries < LEAVE_TRIES) {
            host.control.begin(MessageType.LEAVE, 0, 0, 0, host.moves, with);
            send(with, tries > 0);
        }
        dueNanos = host.nowNanos + (LocalHost.RETRANSMIT_NANOS << Math.min(tries, LEAVE_TRIES));
        tries++;
    }

    /** Joins anew, as the host is elsewhere. */
    void moved() {
        dueNanos = host.nowNanos;
        tries = 0;
    }

    /** Joins by another way than one on which a peer is silent: flows that come to this host are to be sent there. */
    void leave(int silent) {
        if (way == silent) {
            nextWay();
            moved();
        }
    }

    /** Takes a message of the router, whose seal is right where it has one from before. */
    void take(ControlMessage message) {
        switch (message.type()) {
            case RETRY -> retry(message);
            case HELLO_ACK -> greeted(message);
            case JOIN_ACK -> joined(message);
            case REGISTER_ACK -> registered(message);
            default -> resolved(message);
        }
    }

    /** Has the router send the message that was sent last on to a host, which its datagram may not reach. */
    void relay(Guid receiver) {
        Association with = association();
        if (with != null) {
            byte[] message = host.control.last();
            host.control.begin(MessageType.RELAY, 0, 0, 0, 0, with).guid(Tlv.RECEIVER, receiver).bytes(Tlv.MESSAGE, message);
            send(with, false);
        }
    }

    /** Takes what the router gives to those that it does not know: this host is greeted as if it were new. */
    private void retry(ControlMessage message) {
        long theirs = message.longNumber(Tlv.NONCE);
        if (theirs != 0 && theirs != nonce) {
            host.counts.count(FlowCount.DROPS_SEAL);
            return;
        }
        if (theirs == 0 && keys == null) {
            return;
        }
        // Without a nonce it is the answer to a sealed message, and may be forged: the router is greeted, and the rest goes on.
        cookie = message.bytes(Tlv.COOKIE);
        greet();
    }

    private void greet() {
        if (leaves || !settleWay()) {
            return;
        }
        if (nonce == 0) {
            nonce = host.random.getAsLong() | 1;
        }
        ControlWriter writer = host.control.beginBare(MessageType.HELLO)
                .bytes(Tlv.HOST_KEY, host.own.open())
                .bytes(Tlv.KEY_SHARE, host.share.open())
                .longNumber(Tlv.NONCE, nonce);
        if (cookie.length > 0) {
            writer.bytes(Tlv.COOKIE, cookie);
        }
        writer.padTo(ScaffoldLimits.HELLO_BYTES);
        host.control.sendBare(way, at);
    }

    /** Takes the router's keys. */
    private void greeted(ControlMessage message) {
        if (nonce == 0 || message.longNumber(Tlv.NONCE) != nonce) {
            host.counts.count(FlowCount.DROPS_SEAL);
            return;
        }
        try {
            byte[] theirs = message.bytes(Tlv.KEY_SHARE);
            KeyRollover with = keys;
            boolean known = with != null && with.now().isBy(host.share);
            boolean same = with != null && with.now().isOf(theirs);
            Association next = with != null && known && same
                    ? with.now()
                    : Association.agree(host.own, host.share, message.bytes(Tlv.HOST_KEY), theirs);
            if (!next.peer().equals(message.guid(Tlv.HOST)) || !host.seal.check(next, message)) {
                host.counts.count(FlowCount.DROPS_SEAL);
                return;
            }
            nonce = 0;
            cookie = new byte[0];
            // This host has the same keys, and the router others: it was started again, or has forgotten the host.
            joined &= same || !known;
            if (with == null) {
                keys = new KeyRollover(next);
            } else if (next != with.now()) {
                with.use(next, host.nowNanos);
            }
            join();
        } catch (Malformed e) {
            host.counts.count(FlowCount.DROPS_NOT_ALLOWED);
        }
    }

    private void join() {
        Association with = agreed();
        if (with == null || !settleWay()) {
            return;
        }
        ControlWriter writer = host.control.begin(MessageType.JOIN, 0, 0, 0, host.moves, with);
        host.putLocators(writer);
        writer.number(Tlv.LEASE, host.settings.leaseMillis());
        send(with, false);
        again();
    }

    private void again() {
        dueNanos = host.nowNanos + (GREET_NANOS << Math.min(tries, BACKOFF_MAX));
        tries++;
    }

    /** Takes the answer to a join. */
    private void joined(ControlMessage message) {
        if (message.has(Tlv.REASON)) {
            // A later place of this host is known, as its clock was once ahead.
            host.moves++;
            return;
        }
        if (message.epoch() != host.moves) {
            return;
        }
        if (leaves) {
            joined &= message.number(Tlv.LEASE) > 0;
            return;
        }
        host.observed(message.locator(Tlv.OBSERVED, 0));
        if (!joined) {
            joined = true;
            offers.forEach(each -> {
                each.dueNanos = host.nowNanos;
                each.tries = 0;
            });
        }
        tries = 0;
        dueNanos = host.nowNanos + Math.max(1, message.number(Tlv.LEASE)) * LocalHost.MILLI / RENEWALS;
    }

    private void register(Offered each) {
        Association with = agreed();
        if (with == null) {
            return;
        }
        if (each.ends) {
            host.control.begin(MessageType.UNREGISTER, 0, 0, 0, 0, with)
                    .guid(Tlv.OBJECT, each.service.object())
                    .guid(Tlv.INSTANCE, each.service.instance());
        } else {
            writeRegistration(each, with);
        }
        send(with, each.tries > 0);
        each.dueNanos = host.nowNanos + (LocalHost.RETRANSMIT_NANOS << Math.min(each.tries, BACKOFF_MAX));
        each.tries++;
    }

    private void writeRegistration(Offered each, Association with) {
        LocalService service = each.service;
        int flags = (service.repeatable() ? ControlMessage.FLAG_REPEATABLE : 0) | (each.draining ? ControlMessage.FLAG_DRAIN : 0);
        ControlWriter writer = host.control.begin(MessageType.REGISTER, flags, 0, 0, 0, with)
                .guid(Tlv.OBJECT, service.object())
                .guid(Tlv.INSTANCE, service.instance())
                .bytes(Tlv.DELEGATION, service.delegation().bytes())
                .number(Tlv.LEASE, host.settings.leaseMillis())
                .number(Tlv.SERVICE, service.word(0))
                .bytes(Tlv.PORT, service.protocolAndPort());
        if (!service.name().isEmpty()) {
            writer.bytes(Tlv.NAME, service.name().getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Takes the answer to a registration. */
    private void registered(ControlMessage message) {
        Guid instance = message.guid(Tlv.INSTANCE);
        boolean isTakenBack = !message.has(Tlv.REASON) && message.number(Tlv.LEASE) == 0;
        offers.removeIf(each -> each.ends && isTakenBack && each.service.instance().equals(instance));
        for (Offered each : offers) {
            if (each.service.instance().equals(instance) && !isTakenBack) {
                each.tries = 0;
                each.refusal = message.has(Tlv.REASON) ? message.reason() : null;
                each.taken = each.refusal == null;
                each.ends = each.draining && each.taken;
                int lease = each.taken ? message.number(Tlv.LEASE) : host.settings.leaseMillis();
                each.dueNanos = host.nowNanos + Math.max(1, lease) * LocalHost.MILLI / RENEWALS;
            }
        }
    }

    /** Takes the answer to a question. */
    private void resolved(ControlMessage message) {
        PendingResolution question = questions.remove(message.receiverFlow());
        if (question != null) {
            question.listener.accept(message);
        }
    }

    /** Sends what is due; returns the nanoseconds until something is. */
    long tick() {
        if (dueNanos - host.nowNanos <= 0) {
            if (tries > 0) {
                nextWay();
            }
            if (joined && tries > LOST_TRIES) {
                // The router does not answer: it may have forgotten this host, or be another one at the same address.
                joined = false;
            }
            Association with = agreed();
            if (leaves) {
                sendLeave();
            } else if (with == null || !with.isBy(host.share) || !joined && tries > 1) {
                greet();
                again();
            } else {
                join();
            }
        }
        long rest = Math.max(0, dueNanos - host.nowNanos);
        if (joined && !leaves) {
            for (Offered each : offers) {
                if (each.dueNanos - host.nowNanos <= 0) {
                    register(each);
                }
                rest = Math.min(rest, Math.max(0, each.dueNanos - host.nowNanos));
            }
        }
        return questions.isEmpty() ? rest : Math.min(rest, askAgain());
    }

    private long askAgain() {
        long rest = Long.MAX_VALUE;
        for (Map.Entry<Long, PendingResolution> each : List.copyOf(questions.entrySet())) {
            PendingResolution question = each.getValue();
            if (question.dueNanos - host.nowNanos <= 0 && question.tries == LocalHost.TRIES_MAX) {
                questions.remove(each.getKey());
                question.listener.accept(null);
                continue;
            }
            if (question.dueNanos == 0 || question.dueNanos - host.nowNanos <= 0) {
                ask(each.getKey(), question);
            }
            rest = Math.min(rest, Math.max(0, question.dueNanos - host.nowNanos));
        }
        return rest;
    }

    private void ask(long number, PendingResolution question) {
        Association with = association();
        if (with != null) {
            ControlWriter writer = host.control.begin(MessageType.RESOLVE, 0, 0, number, 0, with);
            question.query.excluded().forEach(each -> writer.guid(Tlv.EXCLUDE, each));
            if (question.query.protocolAndPort().length > 0) {
                writer.bytes(Tlv.PORT, question.query.protocolAndPort());
            }
            if (question.query.host() != null) {
                writer.guid(Tlv.OBJECT, question.query.host());
            }
            if (!question.query.name().isEmpty()) {
                writer.bytes(Tlv.NAME, question.query.name().getBytes(StandardCharsets.US_ASCII));
            }
            send(with, question.tries > 0);
        }
        question.dueNanos = host.nowNanos + (LocalHost.RETRANSMIT_NANOS << question.tries);
        question.tries++;
    }
}
