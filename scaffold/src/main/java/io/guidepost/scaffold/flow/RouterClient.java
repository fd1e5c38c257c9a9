package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A host that has no gateway: it joins object routers, offers instances, and asks for those of others; no flow goes through it. As
 * a {@link FlowMachine} it has no clock, no sockets and no threads, and belongs to one thread.
 */
public final class RouterClient {
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

    /** Takes what a router answers. */
    @FunctionalInterface
    public interface ResolutionListener {
        /** Called once, on the client's thread; null if no router has answered in time. */
        void resolved(@Nullable Resolution answer);
    }

    private static final int NO_KERNEL_NETWORK = 0x6440_0000;
    private static final int NO_KERNEL_BITS = 24;

    private final LocalHost host;
    private final Routers routers;
    private final ControlMessage message = new ControlMessage();

    /**
     * Creates a host that knows no router and offers nothing.
     *
     * @param own its key for good
     * @param shares makes keys of the hour
     * @param leaseMillis for how long a join and a registration are asked to hold
     */
    public RouterClient(HostKey own, Supplier<HostKey> shares, int leaseMillis, LongSupplier random, GatewayOutput output) {
        GatewaySettings settings = new GatewaySettings(NO_KERNEL_NETWORK, NO_KERNEL_BITS, 1, leaseMillis, 0);
        this.host = new LocalHost(settings, own, shares, random, output, (_, _, _) -> true, FlowMemory.none());
        this.routers = new Routers(host);
    }

    /** Tells the time, before anything else. */
    public void clock(long nowNanos, long nowMillis) {
        host.clock(nowNanos, nowMillis);
    }

    /** Adds an object router to join, one of three at most. */
    public void router(HostLocator at) {
        routers.add(at);
    }

    /** Adds a place where this host is. */
    public void way(HostLocator own) {
        host.ways.add(new OwnWay(own, true, false));
    }

    /** Takes a datagram; what is not of an object router is dropped. */
    public void fromNetwork(HostLocator from, long datagram, int length) {
        if (length == 0
                || !ControlMessage.isControl(Memory.ALL, datagram)
                || message.parse(Memory.ALL, datagram, length) != ControlFault.NONE) {
            host.counts.count(FlowCount.DROPS_MALFORMED);
        } else if (!routers.take(message, from)) {
            host.counts.count(FlowCount.DROPS_NOT_ALLOWED);
        }
    }

    /** Offers an instance from now on. */
    public void register(LocalService service) {
        routers.register(service);
    }

    /** Has an instance get no more flows, and be forgotten when its lease is over. */
    public void drain(LocalService service) {
        routers.drain(service);
    }

    /** Returns whether an object router has taken an instance. */
    public boolean isRegistered(LocalService service) {
        return routers.isRegistered(service);
    }

    /** Returns why object routers do not take an instance; empty if all do, or have not answered. */
    public String refusal(LocalService service) {
        return routers.refusal(service);
    }

    /**
     * Asks for an instance of an object.
     *
     * @param name the object's, below the zone, in lower case
     * @param port that of the instance; one at another port is taken if none is at it
     * @param excluded instances that it must not be
     */
    public void resolve(String name, int protocol, int port, List<Guid> excluded, ResolutionListener listener) {
        byte[] wanted = LocalService.protocolAndPort(protocol, port);
        routers.resolve(
                new RouterSession.ObjectQuery(name, excluded, wanted),
                answer -> listener.resolved(answer == null ? null : resolution(answer)));
    }

    private static Resolution resolution(ControlMessage answer) {
        List<HostLocator> locators = new ArrayList<>();
        for (int i = 0; i < answer.count(Tlv.LOCATOR); i++) {
            locators.add(answer.locator(i));
        }
        boolean refused = answer.has(Tlv.REASON);
        return new Resolution(
                answer.guidOrNull(Tlv.OBJECT),
                refused ? null : answer.guidOrNull(Tlv.INSTANCE),
                List.copyOf(locators),
                refused ? answer.reason() : null);
    }

    /** Sends what is due; returns the nanoseconds until something is. */
    public long tick() {
        return routers.tick();
    }
}
