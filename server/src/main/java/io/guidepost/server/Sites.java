package io.guidepost.server;

import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.LivePlacement;
import io.guidepost.gnrs.Relays;
import io.guidepost.gnrs.site.Deployment;
import io.guidepost.gnrs.site.Peer;
import io.guidepost.gnrs.site.Peers;
import io.guidepost.gnrs.site.Relay;
import io.guidepost.names.Guid;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;

/**
 * This server among the others of its deployment: who they are, and the relays by which its workers ask them. A server
 * that is alone has all of this too, idle, until a reload names others.
 *
 * <p>Other servers know this one by one address, and take questions from there alone. So each worker has one relay,
 * whose datagrams leave by the port of that address ({@link #home}); doors at other ports share it.
 */
final class Sites implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Sites.class.getName());

    private final Peers peers;
    private final LivePlacement placement;
    private final Deployment deployment;
    private final InetSocketAddress home;
    private final Shares shares = new Shares();
    private final Map<Integer, Relay> relays = new ConcurrentSkipListMap<>();

    /**
     * Prepares what the first tables need; nothing is asked of anyone yet.
     *
     * @param door what the operator said of the door
     * @param placement the placement of {@code first}, in force
     */
    Sites(
            Configuration configuration,
            GnrsSettings door,
            RecordStore store,
            LivePlacement placement,
            Placements.Read first,
            Workers workers)
            throws ConfigurationException {
        this.placement = placement;
        peers = new Peers(first.own(), first.kind());
        home = home(door, first, workers);
        HybridClock clock = new HybridClock();
        clock.seen(HybridClock.of(System.currentTimeMillis()));
        deployment = new Deployment(
                SiteOptions.of(configuration),
                door,
                peers,
                placement,
                store,
                clock,
                workers.number(),
                System::nanoTime,
                SecureNumbers::new);
        know(first);
    }

    /** The address that other servers know: the advertised one, or what the bindings name, or the first. */
    private static InetSocketAddress home(GnrsSettings door, Placements.Read first, Workers workers) {
        Collection<InetSocketAddress> ports = workers.addresses();
        Set<InetSocketAddress> bound = first.bound();
        return ports.stream()
                .filter(each -> door.advertised().filter(each::equals).isPresent())
                .findFirst()
                .or(() -> ports.stream().filter(bound::contains).findFirst())
                .or(() -> ports.stream().filter(each -> each.getAddress().isAnyLocalAddress()).findFirst())
                .orElse(workers.addresses().getFirst());
    }

    /** The relays of a worker's door at a port. */
    Relays relays(int worker, InetSocketAddress port, Runnable wake, Executor engine) {
        Relay relay = relays.computeIfAbsent(worker, each -> deployment.relay(wake, engine));
        return port.equals(home) ? relay : new SharedRelays(relay);
    }

    /** Puts tables in force. */
    synchronized void load(Placements.Read read) throws IOException {
        know(read);
        placement.publish(read.placement());
        if (!read.others()) {
            placement.settle(read.placement());
        }
    }

    private void know(Placements.Read read) {
        Set<InetSocketAddress> servers = read.placement().servers();
        peers.know(read.sites(), servers, read.kind());
        Set<InetSocketAddress> bound = read.bound();
        if (!servers.isEmpty() && bound.isEmpty()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "the AS bindings name {0} servers, and none of them is this one ({1}): it keeps no records and only"
                            + " asks the others. If it should keep some, set gnrs.advertise to the address that the"
                            + " bindings have for it",
                    servers.size(),
                    Server.text(home));
        } else if (read.others() && !bound.contains(home) && !home.getAddress().isAnyLocalAddress()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "the AS bindings know this server as {0}, but what it asks others leaves from {1}, where they will"
                            + " not take it from: name the first in gnrs.listen or gnrs.advertise",
                    Server.text(bound.iterator().next()),
                    Server.text(home));
        }
    }

    /** The servers of the deployment, this one among them. */
    Peers peers() {
        return peers;
    }

    /** Where a GUID is placed, and why. */
    Map<String, Object> where(Guid guid) {
        return Whereabouts.json(
                placement.get(), guid, each -> peers.of(each).site().name());
    }

    /** What is known of every server. */
    Map<String, Object> json() {
        List<Object> rows = new ArrayList<>();
        Map<InetSocketAddress, Double> kept = shares.of(placement.get());
        for (Peer each : sorted()) {
            rows.add(Json.object(
                    "name", each.site().name(),
                    "address", Server.text(each.site().address()),
                    "kind", Kind.dashed(each.site().kind()),
                    "own", each.own(),
                    "sharePercent", 100 * kept.getOrDefault(each.site().address(), 0.0),
                    "health", each.own() ? "here" : Kind.dashed(each.health()),
                    "roundTripMicros", each.rttNanos() / 1000,
                    "slowMicros", each.slowNanos() / 1000));
        }
        return Json.object("servers", rows);
    }

    void write(Exposition out) {
        SiteMetrics.write(out, relays, sorted().stream().filter(each -> !each.own()).toList());
    }

    /** This server first, then by name. */
    private List<Peer> sorted() {
        return peers.all().stream()
                .sorted(Comparator.comparing((Peer each) -> !each.own()).thenComparing(each -> each.site().name()))
                .toList();
    }

    @Override
    public void close() {}
}
