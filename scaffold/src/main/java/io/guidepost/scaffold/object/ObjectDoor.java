package io.guidepost.scaffold.object;

import io.guidepost.base.Addresses;
import io.guidepost.base.Counters;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The door of an object router: hosts greet it and join, instances are registered, and the first packet of each flow goes on to
 * the instance that it gets. Belongs to one worker.
 *
 * <p>A host is answered that has shown its key, see {@link Greeter}. What is to survive a restart is acknowledged when it is on the
 * disk. A response to a SYN does not come from here: the instance's host answers the client.
 */
public final class ObjectDoor implements Door {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MILLIS_PER_SECOND = 1_000;

    private final ObjectRouter router;
    private final Runnable wake;
    private final Counters<ObjectCount> counts = new Counters<>(ObjectCount.class);
    private final Counters<ControlFault> faults = new Counters<>(ControlFault.class);
    private final Greeter greeter;
    private final Seal seal = new Seal();
    private final InstanceChoice choice;
    private final ControlMessage message = new ControlMessage();
    private final ControlMessage relayed = new ControlMessage();
    private final ControlWriter writer = new ControlWriter();
    private final Queue<PendingReply> completed = new ConcurrentLinkedQueue<>();
    private int writesUnderWay;
    private long nowMillis;
    private long nowNanos;

    /**
     * An acknowledgement of a join or a registration: sent at once, or when what it acknowledges is on the disk. The committer completes
     * it; else it belongs to the door.
     */
    private final class PendingReply implements RecordStore.Completion {
        final Exchange asker = new Exchange();
        final Association to;
        final long flow = message.senderFlow();
        final int epoch = message.epoch();
        final int leaseMillis;
        final @Nullable Guid object;
        final @Nullable Guid instance;

        /** What the door does when the disk has written, or failed to. */
        Consumer<Boolean> then = _ -> {};

        private boolean failed;

        /** Takes what the answer to a message needs; {@code object} and {@code instance} are null for a join. */
        PendingReply(Exchange exchange, Association to, int leaseMillis, @Nullable Guid object, @Nullable Guid instance) {
            asker.addressesOf(exchange);
            this.to = to;
            this.leaseMillis = leaseMillis;
            this.object = object;
            this.instance = instance;
        }

        @Override
        public void complete(RecordStore.Outcome outcome, long version) {
            failed = outcome == RecordStore.Outcome.FAILED;
            completed.add(this);
        }

        @Override
        public Runnable afterwards() {
            return wake;
        }

        /** Takes note of what the disk has done; returns why it did not, or null. */
        @Nullable
        ObjectCount finish() {
            then.accept(!failed);
            return failed ? ObjectCount.RESPONSES_NOT_STORED : null;
        }
    }

    /**
     * Creates the door of a worker.
     *
     * @param secret of the cookies; all doors of a server have the same
     * @param wake has the worker begin a burst, in which {@link #next} finds what the disk has written; any thread runs it
     */
    public ObjectDoor(ObjectRouter router, Distance distance, byte[] secret, Runnable wake) {
        this.router = router;
        this.wake = wake;
        this.greeter = new Greeter(router, secret, counts);
        this.choice = new InstanceChoice(distance);
        router.notices.wakes(wake);
    }

    /** Returns what it counted; any thread may read it. */
    public Counters<ObjectCount> counts() {
        return counts;
    }

    /** Returns the faults of malformed messages; any thread may read them. */
    public Counters<ControlFault> faults() {
        return faults;
    }

    @Override
    public void begin(long now) {
        nowMillis = now;
        nowNanos = router.nowNanos();
        greeter.begin(nowNanos);
    }

    @Override
    public boolean next(Exchange exchange) {
        PendingReply reply = completed.poll();
        if (reply == null) {
            return notice(exchange);
        }
        writesUnderWay--;
        exchange.addressesOf(reply.asker);
        acknowledge(exchange, reply, reply.finish());
        return true;
    }

    /** Tells a client's host that an instance is gone which it was given; false if nothing waits. */
    private boolean notice(Exchange exchange) {
        for (ClientNotices.Notice next = router.notices.poll(); next != null; next = router.notices.poll()) {
            JoinedHost client = router.host(next.client());
            Association to = client == null ? null : client.association();
            if (client != null && to != null && client.isHere(nowNanos)) {
                begin(exchange, MessageType.NOTICE, to, 0, 0)
                        .guid(Tlv.OBJECT, next.object())
                        .guid(Tlv.INSTANCE, next.instance())
                        .reason(next.reason());
                direct(exchange, client);
                exchange.local(0, 0, exchange.localPort());
                respond(exchange, to, ObjectCount.NOTICES_SENT);
                return true;
            }
        }
        return false;
    }

    @Override
    public void end() {}

    @Override
    public void take(Exchange exchange) {
        counts.add(ObjectCount.BYTES_RECEIVED, exchange.requestLength());
        if (exchange.roomLength() < ScaffoldLimits.CONTROL_BYTES_MAX) {
            drop(ObjectCount.REQUESTS_OTHER, ObjectCount.DROPS_NO_ROOM);
            return;
        }
        ControlFault fault = message.parse(exchange.request(), exchange.requestOffset(), exchange.requestLength());
        if (fault != ControlFault.NONE) {
            faults.count(fault);
            drop(ObjectCount.REQUESTS_OTHER, ObjectCount.DROPS_MALFORMED);
            return;
        }
        ObjectCount request = request(message.type());
        if (request == ObjectCount.REQUESTS_OTHER) {
            drop(request, ObjectCount.DROPS_TYPE);
            return;
        }
        counts.count(request);
        if (request == ObjectCount.REQUESTS_HELLO) {
            greeter.hello(exchange, message);
        } else {
            takeSealed(exchange);
        }
    }

    private void drop(ObjectCount request, ObjectCount drop) {
        counts.count(request);
        counts.count(drop);
    }

    private static ObjectCount request(MessageType type) {
        return switch (type) {
            case HELLO -> ObjectCount.REQUESTS_HELLO;
            case JOIN, LEAVE -> ObjectCount.REQUESTS_JOIN;
            case REGISTER, UNREGISTER -> ObjectCount.REQUESTS_REGISTER;
            case RESOLVE -> ObjectCount.REQUESTS_RESOLVE;
            case SYN -> ObjectCount.REQUESTS_SYN;
            case RSYN -> ObjectCount.REQUESTS_RSYN;
            case RELAY -> ObjectCount.REQUESTS_RELAY;
            default -> ObjectCount.REQUESTS_OTHER;
        };
    }

    private void takeSealed(Exchange exchange) {
        JoinedHost sender = router.host(message.guid(Tlv.HOST));
        if (sender == null || !sender.hasAgreed()) {
            greeter.retry(exchange, message, 0);
            return;
        }
        Association sealed = sender.check(seal, message);
        if (sealed == null) {
            counts.count(ObjectCount.DROPS_SEAL);
            return;
        }
        boolean allowed = router.settings().allowed().contains(sender.guid, exchange.peerHigh(), exchange.peerLow());
        switch (message.type()) {
            case JOIN -> join(exchange, sender, sealed, allowed);
            case LEAVE -> leave(exchange, sender, sealed);
            case REGISTER -> register(exchange, sender, sealed);
            case UNREGISTER -> unregister(exchange, sender, sealed);
            case RESOLVE -> resolve(exchange, sealed, allowed);
            case RELAY -> relay(exchange, allowed);
            default -> connect(exchange, sealed, allowed);
        }
    }

    /** Begins an answer to the message, with the GUID of this host. */
    private ControlWriter begin(Exchange exchange, MessageType type, Association to) {
        return begin(exchange, type, to, message.senderFlow(), message.epoch());
    }

    private ControlWriter begin(Exchange exchange, MessageType type, Association to, long flow, int epoch) {
        return writer.begin(exchange.room(), exchange.roomOffset(), type, 0, flow, 0, epoch, to.nextSequence())
                .guid(Tlv.HOST, router.guid());
    }

    private void respond(Exchange exchange, Association to, ObjectCount count) {
        int length = seal.put(to, exchange.room(), exchange.roomOffset(), writer.end());
        exchange.respond(length);
        counts.count(count);
        counts.add(ObjectCount.BYTES_SENT, length);
    }

    /** Answers a join or a registration; without a refusal, if it is done. */
    private void acknowledge(Exchange exchange, PendingReply reply, @Nullable ObjectCount refusal) {
        begin(exchange, reply.object == null ? MessageType.JOIN_ACK : MessageType.REGISTER_ACK, reply.to, reply.flow, reply.epoch);
        Guid object = reply.object;
        Guid instance = reply.instance;
        if (object == null || instance == null) {
            writer.locator(Tlv.OBSERVED, observed(exchange));
        } else {
            writer.guid(Tlv.OBJECT, object).guid(Tlv.INSTANCE, instance);
        }
        refuse(refusal);
        writer.number(Tlv.LEASE, refusal == null ? reply.leaseMillis : 0);
        respond(exchange, reply.to, refusal == null ? ObjectCount.RESPONSES_DONE : refusal);
    }

    private void refuse(@Nullable ObjectCount refusal) {
        Reason reason = refusal == null ? null : refusal.reason();
        if (reason != null) {
            writer.reason(reason);
        }
    }

    /** Has the store write what is answered when it has that; a refusal is answered at once. */
    private void write(Exchange exchange, PendingReply reply, Supplier<@Nullable ObjectCount> write) {
        ObjectCount refusal = writesUnderWay >= ObjectSettings.WRITES_MAX ? ObjectCount.RESPONSES_WRITES_MAX : write.get();
        if (refusal == null) {
            writesUnderWay++;
        } else {
            acknowledge(exchange, reply, refusal);
        }
    }

    private void join(Exchange exchange, JoinedHost sender, Association sealed, boolean allowed) {
        int lease = lease();
        boolean taken = allowed && sender.join(place(exchange), nowNanos + lease * NANOS_PER_MILLI);
        PendingReply reply = new PendingReply(exchange, sealed, lease, null, null);
        if (!taken) {
            acknowledge(exchange, reply, allowed ? ObjectCount.RESPONSES_OLD_EPOCH : ObjectCount.RESPONSES_NOT_ALLOWED);
        } else if (sender.isStored()) {
            acknowledge(exchange, reply, null);
        } else {
            List<HostLocator> locators = sender.place().locators();
            reply.then = written -> {
                if (written) {
                    sender.stored(locators);
                }
            };
            write(exchange, reply, () -> router.store(sender, locators, reply));
        }
    }

    private JoinedHost.Place place(Exchange exchange) {
        HostLocator observed = observed(exchange);
        List<HostLocator> locators = new ArrayList<>();
        for (int i = 0; i < message.count(Tlv.LOCATOR); i++) {
            locators.add(message.locator(i));
        }
        // The place where the message came from leads: it is known to work, and what else a host behind NAT gives is good inside alone.
        locators.remove(observed);
        locators.addFirst(observed);
        return new JoinedHost.Place(message.epoch(), locators);
    }

    static HostLocator observed(Exchange exchange) {
        return new HostLocator(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
    }

    private int lease() {
        int asked = message.number(Tlv.LEASE);
        int most = router.settings().leaseMillisMax();
        return asked < 1 || asked > most ? most : asked;
    }

    private void leave(Exchange exchange, JoinedHost sender, Association sealed) {
        sender.leave(nowNanos);
        acknowledge(exchange, new PendingReply(exchange, sealed, 0, null, null), null);
    }

    private void register(Exchange exchange, JoinedHost sender, Association sealed) {
        Guid object = message.guid(Tlv.OBJECT);
        Guid instance = message.guid(Tlv.INSTANCE);
        int lease = lease();
        PendingReply reply = new PendingReply(exchange, sealed, lease, object, instance);
        ServedObject served = router.object(object);
        Instance there = served == null ? null : served.find(instance);
        InstanceOffer offer = offer(object, sender.guid, served);
        Delegation delegation = sender.isHere(nowNanos) ? delegation(object, sender.guid, there) : null;
        if (delegation == null || !instance.equals(delegation.instance(offer.protocol(), offer.port()))) {
            acknowledge(exchange, reply, ObjectCount.RESPONSES_NOT_ALLOWED);
        } else if (there != null && there.isStored() && there.host == sender && there.offer.equals(offer)) {
            renew(there, delegation, lease);
            acknowledge(exchange, reply, null);
        } else {
            Instance fresh = new Instance(instance, offer, sender, delegation, nowNanos);
            renew(fresh, delegation, lease);
            reply.then = written -> {
                if (written) {
                    fresh.stored();
                } else {
                    router.drop(fresh);
                }
            };
            write(exchange, reply, () -> router.register(fresh, reply));
        }
    }

    private void renew(Instance instance, Delegation delegation, int lease) {
        boolean drains = (message.flags() & ControlMessage.FLAG_DRAIN) != 0;
        if (drains) {
            router.notices.tell(instance, Reason.DRAINED);
        }
        instance.renew(delegation, nowNanos + lease * NANOS_PER_MILLI, drains);
    }

    /** Returns what is offered; without a name it is that of the object. */
    private InstanceOffer offer(Guid object, Guid host, @Nullable ServedObject served) {
        int service = message.number(Tlv.SERVICE);
        return new InstanceOffer(
                object,
                host,
                service >>> 24,
                Math.max(1, service >>> 8 & 0xffff),
                InstanceChoice.protocol(message),
                InstanceChoice.port(message),
                message.flags() & ~ControlMessage.FLAG_DRAIN,
                message.has(Tlv.NAME) ? text(Tlv.NAME) : served == null ? "" : served.name());
    }

    /** Returns the delegation if it is right, else null; a signature that the instance has shown before is not checked again. */
    private @Nullable Delegation delegation(Guid object, Guid host, @Nullable Instance there) {
        Delegation shown = Delegation.shown(message.bytes(Tlv.DELEGATION), object, host, nowMillis / MILLIS_PER_SECOND);
        boolean known = there != null && shown != null && shown.equals(there.delegation());
        return known || shown != null && shown.isSigned() ? shown : null;
    }

    private String text(Tlv tlv) {
        return new String(message.bytes(tlv), StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    }

    private void unregister(Exchange exchange, JoinedHost sender, Association sealed) {
        Guid object = message.guid(Tlv.OBJECT);
        Guid instance = message.guid(Tlv.INSTANCE);
        PendingReply reply = new PendingReply(exchange, sealed, 0, object, instance);
        ServedObject served = router.object(object);
        Instance there = served == null ? null : served.find(instance);
        if (there == null || there.host != sender) {
            acknowledge(exchange, reply, null);
        } else {
            write(exchange, reply, () -> router.unregister(there, reply));
        }
    }

    private void resolve(Exchange exchange, Association sealed, boolean allowed) {
        Guid object = message.has(Tlv.OBJECT) ? message.guid(Tlv.OBJECT) : message.has(Tlv.NAME) ? router.named(text(Tlv.NAME)) : null;
        ServedObject served = object == null ? null : router.object(object);
        Instance chosen = served == null || !allowed ? null : choose(exchange, served, false);
        JoinedHost host = chosen != null ? chosen.host : object == null || served != null ? null : router.host(object);
        begin(exchange, MessageType.RESOLVED, sealed);
        if (object != null) {
            writer.guid(Tlv.OBJECT, object);
        }
        if (chosen != null) {
            writer.guid(Tlv.INSTANCE, chosen.guid);
        }
        if (!allowed || host == null || !host.isHere(nowNanos)) {
            refuse(exchange, sealed, allowed, served);
            return;
        }
        List<HostLocator> locators = host.place().locators();
        for (int i = 0; i < locators.size() && i < ScaffoldLimits.LOCATORS_MAX; i++) {
            writer.locator(Tlv.LOCATOR, locators.get(i));
        }
        respond(exchange, sealed, ObjectCount.RESPONSES_DONE);
    }

    /** Ends an answer that has no instance in it. */
    private void refuse(Exchange exchange, Association sealed, boolean allowed, @Nullable ServedObject served) {
        ObjectCount why = !allowed
                ? ObjectCount.RESPONSES_NOT_ALLOWED
                : served == null ? ObjectCount.RESPONSES_NO_OBJECT : ObjectCount.RESPONSES_NO_INSTANCE;
        refuse(why);
        respond(exchange, sealed, why);
    }

    private @Nullable Instance choose(Exchange exchange, ServedObject served, boolean sealed) {
        return choice.choose(served, message, exchange.peerHigh(), exchange.peerLow(), sealed, nowNanos);
    }

    private void connect(Exchange exchange, Association sealed, boolean allowed) {
        Guid object = message.guid(Tlv.OBJECT);
        ServedObject served = router.object(object);
        if (served != null && allowed && message.type() == MessageType.RSYN) {
            report(served);
        }
        Instance chosen = served == null || !allowed ? null : choose(exchange, served, true);
        Association next = chosen == null ? null : chosen.host.association();
        if (chosen == null || next == null) {
            begin(exchange, MessageType.RESET, sealed).guid(Tlv.OBJECT, object);
            refuse(exchange, sealed, allowed, served);
            return;
        }
        chosen.flows.incrementAndGet();
        chosen.given(message.guid(Tlv.HOST));
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
                .guid(Tlv.VIA, router.guid())
                .copy(Tlv.OBJECT, message)
                .guid(Tlv.INSTANCE, chosen.guid)
                .copy(Tlv.LOCATOR, message)
                .locator(Tlv.OBSERVED, observed(exchange))
                .copy(Tlv.HOST_KEY, message)
                .copy(Tlv.KEY_SHARE, message)
                .copy(Tlv.PORT, message)
                .copy(Tlv.CONTINUATION, message)
                .copy(Tlv.PACKET, message);
        direct(exchange, chosen.host);
        respond(exchange, next, ObjectCount.RESPONSES_FORWARDED);
    }

    /** Has the answer go to another host than the one that has asked. */
    private static void direct(Exchange exchange, JoinedHost host) {
        HostLocator to = host.place().locators().getFirst();
        if (Addresses.isIpv4(to.high(), to.low()) != Addresses.isIpv4(exchange.peerHigh(), exchange.peerLow())) {
            // The client's address family is not the host's: no packet leaves there from the address that the client has asked.
            exchange.local(0, 0, exchange.localPort());
        }
        exchange.peer(to.high(), to.low(), to.port());
    }

    /** Sends an answer to a request for a flow on, as it is, to the host that has asked: it is shorter than what it came in. */
    private void relay(Exchange exchange, boolean allowed) {
        JoinedHost receiver = router.host(message.guid(Tlv.RECEIVER));
        int length = message.length(Tlv.MESSAGE);
        ControlFault fault = relayed.parse(message.segment(), message.place(Tlv.MESSAGE), length);
        if (!allowed || receiver == null || !receiver.isHere(nowNanos) || fault != ControlFault.NONE || !isAnswer(relayed.type())) {
            counts.count(ObjectCount.DROPS_RELAY);
            return;
        }
        MemorySegment.copy(message.segment(), message.place(Tlv.MESSAGE), exchange.room(), exchange.roomOffset(), length);
        direct(exchange, receiver);
        exchange.respond(length);
        counts.count(ObjectCount.RESPONSES_RELAYED);
        counts.add(ObjectCount.BYTES_SENT, length);
    }

    private static boolean isAnswer(MessageType type) {
        return type == MessageType.SYNACK || type == MessageType.RSYNACK || type == MessageType.FAIL;
    }
}
