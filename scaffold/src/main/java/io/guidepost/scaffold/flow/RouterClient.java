package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The object routers of a host, up to three: each knows its instances, and the first that has answered is asked. A host without a
 * gateway has this alone: it joins, offers instances, and asks for those of others; no flow goes through it. As a {@link FlowMachine} it
 * has no clock, no sockets and no threads, and belongs to one thread.
 */
public final class RouterClient {
    static final int ROUTERS_MAX = 3;

    private static final int NO_KERNEL_NETWORK = 0x6440_0000;
    private static final int NO_KERNEL_BITS = 24;

    private final LocalHost host;
    private final List<RouterSession> sessions = new ArrayList<>();
    private final ControlMessage message = new ControlMessage();

    /**
     * The instance that a flow to an object would get.
     *
     * @param object null if no object has the name
     * @param instance null if the object has none that can be had
     * @param locators where the instance's host is
     * @param reason why there is no instance; null if there is one
     */
    public record Resolution(
            @Nullable Guid object, @Nullable Guid instance, List<HostLocator> locators, @Nullable Reason reason) {}

    /**
     * What object routers say of an instance that is offered.
     *
     * @param taken whether one has taken it
     * @param refusal why they do not take it; empty if all do, or have not answered
     */
    public record Registration(boolean taken, String refusal) {
        /** Returns whether no router has answered yet. */
        public boolean isOpen() {
            return !taken && refusal.isEmpty();
        }
    }

    RouterClient(LocalHost host) {
        this.host = host;
    }

    /**
     * Creates a host that knows no router and offers nothing.
     *
     * @param own its key for good
     * @param shares makes keys of the hour
     * @param leaseMillis for how long a join and a registration are asked to hold
     */
    public RouterClient(HostKey own, Supplier<HostKey> shares, int leaseMillis, LongSupplier random, GatewayOutput output) {
        this(new LocalHost(
                new GatewaySettings(NO_KERNEL_NETWORK, NO_KERNEL_BITS, 1, leaseMillis, 0), own, shares, random, output, FlowMemory.none()));
    }

    /** Tells the time, before anything else. */
    public void clock(long nowNanos, long nowMillis) {
        host.clock(nowNanos, nowMillis);
    }

    /** Adds an object router to join, one of three at most. */
    public void router(HostLocator at) {
        if (sessions.size() == ROUTERS_MAX) {
            throw new IllegalArgumentException("a gateway has at most " + ROUTERS_MAX + " object routers");
        }
        sessions.add(new RouterSession(host, at));
    }

    /** Adds a place where this host is. */
    public void way(HostLocator own) {
        host.ways.add(new OwnWay(own, true, false));
    }

    List<RouterSession> all() {
        return sessions;
    }

    /** Returns the session with the router that a message is sealed by, or comes from; null if it is none. */
    @Nullable
    RouterSession find(Guid guid) {
        for (RouterSession each : sessions) {
            if (each.isOf(guid)) {
                return each;
            }
        }
        return null;
    }

    /** Returns the session with the router at a place; null if there is none. */
    @Nullable
    RouterSession at(HostLocator from) {
        for (RouterSession each : sessions) {
            if (each.at().equals(from)) {
                return each;
            }
        }
        return null;
    }

    /** Takes a datagram; what is not of an object router is dropped. */
    public void fromNetwork(HostLocator from, long datagram, int length) {
        if (length == 0
                || !ControlMessage.isControl(Memory.ALL, datagram)
                || message.parse(Memory.ALL, datagram, length) != ControlFault.NONE) {
            host.counts.count(FlowCount.DROPS_MALFORMED);
        } else if (!take(message, from)) {
            host.counts.count(FlowCount.DROPS_NOT_ALLOWED);
        }
    }

    /** Takes a message that only object routers send to a host, if its seal is right; false if it is another message. */
    boolean take(ControlMessage sent, HostLocator from) {
        RouterSession session;
        switch (sent.type()) {
            case RETRY, HELLO_ACK -> session = at(from);
            case JOIN_ACK, REGISTER_ACK, RESOLVED -> {
                session = find(sent.guid(Tlv.HOST));
                session = session != null && session.check(sent) ? session : null;
            }
            default -> {
                return false;
            }
        }
        if (session == null) {
            host.counts.count(FlowCount.DROPS_SEAL);
        } else {
            session.take(sent);
        }
        return true;
    }

    /** Offers an instance from now on. */
    public void register(LocalService service) {
        sessions.forEach(each -> each.register(service));
    }

    /** Has an instance get no more flows, and be forgotten soon. */
    public void drain(LocalService service) {
        sessions.forEach(each -> each.drain(service));
    }

    /**
     * Tells the routers that this host leaves, and all its instances with it: they need not wait for the end of a lease.
     *
     * @return whether all know, or do not answer; called again until then
     */
    public boolean leave() {
        boolean done = true;
        for (RouterSession each : sessions) {
            done &= each.leave();
        }
        return done;
    }

    /** Returns what routers say of an instance. */
    public Registration registration(LocalService service) {
        boolean taken = false;
        String refusal = "";
        for (RouterSession each : sessions) {
            RouterSession.Offered there = each.find(service);
            taken |= there != null && there.taken;
            refusal = there == null || there.refusal == null || !refusal.isEmpty() ? refusal : there.refusal.text();
        }
        return new Registration(taken, refusal);
    }

    /** Returns how many know this host. */
    int joined() {
        return (int) sessions.stream().filter(each -> each.association() != null).count();
    }

    private @Nullable RouterSession first() {
        for (RouterSession each : sessions) {
            if (each.association() != null) {
                return each;
            }
        }
        return null;
    }

    /** Returns what was agreed with the router that is asked; null if none has answered. */
    @Nullable
    Association association() {
        RouterSession session = first();
        return session == null ? null : session.association();
    }

    /** Sends the message that was begun, see {@link RouterSession#send}. */
    void send(Association with, boolean again) {
        RouterSession session = find(with.peer());
        if (session != null) {
            session.send(with, again);
        }
    }

    /** Has no router be asked by a way on which a peer is silent. */
    void leave(int way) {
        sessions.forEach(each -> each.leave(way));
    }

    /** Asks for an object, when a router has answered; the listener is called once, with null if none answers in time. */
    void resolve(RouterSession.ObjectQuery query, Consumer<@Nullable ControlMessage> listener) {
        RouterSession session = first();
        if (session == null && !sessions.isEmpty()) {
            session = sessions.getFirst();
        }
        if (session == null) {
            listener.accept(null);
        } else {
            session.resolve(query, listener);
        }
    }

    /**
     * Asks for an instance of an object.
     *
     * @param name the object's, below the zone, in lower case
     * @param port that of the instance; one at another port is taken if none is at it
     * @param excluded instances that it must not be
     * @param listener called once, on the client's thread; with null if no router has answered in time
     */
    public void resolve(String name, int protocol, int port, List<Guid> excluded, Consumer<@Nullable Resolution> listener) {
        byte[] wanted = LocalService.protocolAndPort(protocol, port);
        resolve(
                new RouterSession.ObjectQuery(name, null, excluded, wanted),
                answer -> listener.accept(answer == null ? null : resolution(answer)));
    }

    /** Asks where a host is; the listener is called once, with no place if no router knows it. */
    void find(Guid sought, Consumer<List<HostLocator>> listener) {
        resolve(
                new RouterSession.ObjectQuery("", sought, List.of(), new byte[0]),
                answer -> listener.accept(answer == null ? List.of() : locators(answer)));
    }

    private static List<HostLocator> locators(ControlMessage answer) {
        List<HostLocator> locators = new ArrayList<>();
        for (int i = 0; i < answer.count(Tlv.LOCATOR); i++) {
            locators.add(answer.locator(i));
        }
        return List.copyOf(locators);
    }

    private static Resolution resolution(ControlMessage answer) {
        boolean refused = answer.has(Tlv.REASON);
        return new Resolution(
                answer.guidOrNull(Tlv.OBJECT),
                refused ? null : answer.guidOrNull(Tlv.INSTANCE),
                locators(answer),
                refused ? answer.reason() : null);
    }

    /** Sends what is due; returns the nanoseconds until something is. */
    public long tick() {
        long rest = Long.MAX_VALUE;
        for (RouterSession each : sessions) {
            rest = Math.min(rest, each.tick());
        }
        return rest;
    }
}
