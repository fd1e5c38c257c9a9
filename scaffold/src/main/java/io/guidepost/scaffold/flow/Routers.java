package io.guidepost.scaffold.flow;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The object routers of a host, up to three: each knows its instances, and the first that has answered is asked. */
final class Routers {
    static final int ROUTERS_MAX = 3;

    private final LocalHost host;
    private final List<RouterSession> sessions = new ArrayList<>();

    Routers(LocalHost host) {
        this.host = host;
    }

    void add(HostLocator at) {
        if (sessions.size() == ROUTERS_MAX) {
            throw new IllegalArgumentException("a gateway has at most " + ROUTERS_MAX + " object routers");
        }
        sessions.add(new RouterSession(host, at));
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

    /** Takes a message that only object routers send to a host, if its seal is right; false if it is another message. */
    boolean take(ControlMessage message, HostLocator from) {
        RouterSession session;
        switch (message.type()) {
            case RETRY, HELLO_ACK -> session = at(from);
            case JOIN_ACK, REGISTER_ACK, RESOLVED -> {
                session = find(message.guid(Tlv.HOST));
                session = session != null && session.check(message) ? session : null;
            }
            default -> {
                return false;
            }
        }
        if (session == null) {
            host.counts.count(FlowCount.DROPS_SEAL);
        } else {
            session.take(message);
        }
        return true;
    }

    /** Offers an instance from now on. */
    void register(LocalService service) {
        sessions.forEach(each -> each.register(service));
    }

    /** Has an instance get no more flows. */
    void drain(LocalService service) {
        sessions.forEach(each -> each.drain(service));
    }

    /** Returns whether a router has taken an instance. */
    boolean isRegistered(LocalService service) {
        return sessions.stream().anyMatch(each -> each.hasTaken(service));
    }

    /** Returns why routers do not take an instance; empty if all do, or have not answered. */
    String refusal(LocalService service) {
        for (RouterSession each : sessions) {
            Reason reason = each.refusal(service);
            if (reason != null) {
                return reason.text();
            }
        }
        return "";
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

    ControlWriter begin(MessageType type, int flags, long flow, int epoch, Association with) {
        return host.control.begin(type, flags, 0, flow, epoch, with);
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

    /** Asks for an object, when a router has answered. */
    void resolve(RouterSession.ObjectQuery query, RouterSession.ResolutionListener listener) {
        RouterSession session = first();
        if (session == null && !sessions.isEmpty()) {
            session = sessions.getFirst();
        }
        if (session == null) {
            listener.resolved(null);
        } else {
            session.resolve(query, listener);
        }
    }

    long tick() {
        long rest = Long.MAX_VALUE;
        for (RouterSession each : sessions) {
            rest = Math.min(rest, each.tick());
        }
        return rest;
    }
}
