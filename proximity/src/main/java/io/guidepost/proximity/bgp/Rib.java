package io.guidepost.proximity.bgp;

import io.guidepost.base.Prefix;
import io.guidepost.proximity.policy.ImportPolicy;
import io.guidepost.proximity.policy.ImportRefusal;
import io.guidepost.proximity.policy.PrefixList;
import io.guidepost.proximity.rpki.OriginValidity;
import io.guidepost.proximity.rpki.VrpTable;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The routes of all peers of all feeds (RIB), and their effect on the network. Thread-safe.
 *
 * <p>A prefix is attached once per exit, whichever peers announced it there: by the path of the smallest distance, then
 * the lowest origin, so that the order of announcements does not matter. A path of distance 0 is a network of the
 * operator's own. Routes that the {@link ImportPolicy} of their peer refuses, or whose origin is invalid by the RPKI (RFC 6811),
 * stay in the table (Adj-RIB-In), without effect: another policy, other VRPs, or other networks of the operator's own, may let
 * them in. Each announced prefix is marked as touched;
 * {@link #drainInto} applies the touched prefixes to a network, many at once.
 */
public final class Rib {
    /** A prefix whose path by an exit may have changed. */
    private record Touched(Prefix prefix, int exit) {}

    private static final Logger LOG = System.getLogger(Rib.class.getName());
    private static final int GENERATIONS = 256;

    private final AdjRibTable table = new AdjRibTable();
    private final List<RibPeer> peers = new ArrayList<>();
    private final Map<String, RibPeer> byName = new HashMap<>();
    private final List<RouteExit> exits = new ArrayList<>();
    private final Map<RouteExit, Integer> exitIndex = new HashMap<>();
    private final List<RouteExit> fixed = new ArrayList<>();
    private List<Touched> touched = new ArrayList<>();
    private PrefixList own = PrefixList.NONE;
    private Map<Prefix, List<PrefixAttachment>> inside = Map.of();
    private VrpTable vrps = VrpTable.EMPTY;
    private volatile int touchedCount;
    private volatile long refused;

    /**
     * Returns the peer of a name, the same each time.
     *
     * @param rule determines the exits of its routes; that of the first call counts
     * @return empty if there are too many peers
     */
    public synchronized Optional<RibPeer> peer(String name, RouteExitRule rule) {
        RibPeer known = byName.get(name);
        if (known == null && peers.size() < BgpLimits.PEERS_MAX) {
            known = new RibPeer(this, peers.size(), name, rule);
            peers.add(known);
            byName.put(name, known);
            if (rule instanceof RouteExitRule.Fixed at && !fixed.contains(at.exit())) {
                fixed.add(at.exit());
            }
        }
        return Optional.ofNullable(known);
    }

    /** Returns the number of routes of all peers. */
    public synchronized int routes() {
        return table.size();
    }

    /** Returns the bytes of the routes. */
    public synchronized long bytes() {
        return table.bytes();
    }

    /** Returns the number of refused routes: too many routes, paths of one prefix, or exits. */
    public long refused() {
        return refused;
    }

    /** Returns the number of changes that wait for {@link #drainInto}. */
    public int touched() {
        return touchedCount;
    }

    /** Returns whether enough changes wait that a feed should drain them before it adds more. */
    public boolean isFull() {
        return touchedCount >= BgpLimits.TOUCHED_MAX;
    }

    /** Waits until a change waits, or the time has passed; returns whether one does. */
    public synchronized boolean awaitTouched(long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; touched.isEmpty() && left > 0; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return !touched.isEmpty();
    }

    /** Applies all touched prefixes to a network. */
    public synchronized void drainInto(OperatorNetwork network) {
        exitsInto(network);
        touched.forEach(each -> apply(each.prefix, each.exit, network));
        touched = new ArrayList<>();
        touchedCount = 0;
    }

    /** Adds all routes to a new network that replaces the last one. What is attached inside it is the operator's own. */
    public synchronized void fill(OperatorNetwork network) {
        Map<Prefix, List<PrefixAttachment>> found = new HashMap<>();
        network.forEachUnordered((prefix, attachments) -> {
            List<PrefixAttachment> internal =
                    attachments.stream().filter(PrefixAttachment::internal).toList();
            if (!internal.isEmpty()) {
                found.put(prefix, internal);
            }
        });
        inside = found;
        own = PrefixList.within(found.keySet());
        exitsInto(network);
        for (int slot = 0; slot < table.slots(); slot++) {
            if (!table.isFree(slot)) {
                apply(table.prefix(slot), table.exit(slot), network);
            }
        }
        touched = new ArrayList<>();
        touchedCount = 0;
    }

    /** Removes the routes of ended sessions whose grace period is over. */
    public synchronized void expire(long nowNanos) {
        for (RibPeer each : peers) {
            if (each.staleExpected && nowNanos - each.staleUntilNanos >= 0) {
                sweep(each, null);
                each.staleExpected = false;
            }
        }
    }

    private void exitsInto(OperatorNetwork network) {
        for (RouteExit each : fixed) {
            Topology topology = network.topology();
            if (topology.router(each.router()).isEmpty()) {
                network.topology(
                        topology.with(new TopologyRouter(each.router(), true, each.nic() + 1, List.of(), List.of())));
            }
        }
    }

    private void apply(Prefix prefix, int exit, OperatorNetwork network) {
        int best = -1;
        for (int slot = table.start(prefix); !table.isFree(slot); slot = table.next(slot)) {
            if (table.exit(slot) == exit && table.isOf(slot, prefix) && (best < 0 || isBetter(slot, best))
                    && refusal(peers.get(table.peer(slot)), prefix, validated(slot), table.distance(slot)) == null) {
                best = slot;
            }
        }
        RouteExit at = exits.get(exit);
        if (best < 0) {
            if (!inside.getOrDefault(prefix, List.of()).contains(PrefixAttachment.internal(at.router(), at.nic()))) {
                network.remove(prefix, at.router(), at.nic());
            }
            return;
        }
        PrefixAttachment attachment = table.distance(best) == 0
                ? PrefixAttachment.internal(at.router(), at.nic())
                : PrefixAttachment.external(at.router(), at.nic(), table.origin(best), table.distance(best));
        if (!network.attachments(prefix).contains(attachment)) {
            network.add(prefix, attachment);
        }
    }

    private @Nullable ImportRefusal refusal(RibPeer peer, Prefix prefix, long origin, int distance) {
        ImportRefusal refusal = peer.policy.refusal(prefix, distance > 0, own);
        return refusal == null && isInvalid(vrps, prefix, origin, distance) ? ImportRefusal.RPKI_INVALID : refusal;
    }

    /** Returns the origin that is validated; 0 = there is none. */
    private long validated(int slot) {
        return table.aggregated(slot) ? 0 : table.origin(slot);
    }

    /** Routes of the operator's own AS are not validated: their path names no origin. */
    private static boolean isInvalid(VrpTable by, Prefix prefix, long origin, int distance) {
        return distance > 0 && by.validate(prefix, origin) == OriginValidity.INVALID;
    }

    /** Sets what the RPKI says of origins; routes that become valid or invalid by it are marked as touched. */
    public synchronized void vrps(VrpTable next) {
        for (int slot = 0; slot < table.slots(); slot++) {
            if (!table.isFree(slot)) {
                Prefix prefix = table.prefix(slot);
                boolean invalid = isInvalid(next, prefix, validated(slot), table.distance(slot));
                if (invalid != isInvalid(vrps, prefix, validated(slot), table.distance(slot))) {
                    touch(prefix, table.exit(slot));
                    if (invalid) {
                        peers.get(table.peer(slot)).refusals.count(ImportRefusal.RPKI_INVALID);
                    }
                }
            }
        }
        vrps = next;
    }

    private boolean isBetter(int slot, int than) {
        int order = Integer.compare(table.distance(slot), table.distance(than));
        return order != 0 ? order < 0 : table.origin(slot) < table.origin(than);
    }

    synchronized void announced(RibPeer peer, Prefix prefix, int pathId, BgpRoute route) {
        ImportRefusal refusal = refusal(peer, prefix, route.aggregated() ? 0 : route.origin(), route.distance());
        if (refusal != null) {
            peer.refusals.count(refusal);
        }
        int exit = exit(peer.rule, route);
        int ways = 0;
        for (int slot = table.start(prefix); !table.isFree(slot); slot = table.next(slot)) {
            if (table.peer(slot) == peer.index && table.isOf(slot, prefix)) {
                if (table.pathId(slot) == pathId) {
                    again(peer, slot, prefix, route, exit);
                    return;
                }
                ways++;
            }
        }
        if (isFull(peer)) {
            peer.exceeded = true;
            peer.refusals.count(ImportRefusal.PREFIXES_MAX);
            return;
        }
        if (exit < 0 || ways >= BgpLimits.PATHS_MAX || table.size() >= BgpLimits.ROUTES_MAX) {
            refuse();
            return;
        }
        table.add(prefix, peer.index, pathId, peer.generation, route, exit);
        peer.routes[AddressFamily.of(prefix).index()]++;
        touch(prefix, exit);
    }

    /** Returns whether a peer has as many routes as it may; warns before. */
    private static boolean isFull(RibPeer peer) {
        int max = peer.policy.prefixesMax();
        if (max == 0) {
            return false;
        }
        int have = peer.routes[0] + peer.routes[1];
        if (have >= peer.policy.warningAt() && !peer.warned) {
            peer.warned = true;
            LOG.log(Logger.Level.WARNING, peer.name + " has announced " + have + " prefixes, and may announce " + max);
        }
        return have >= max;
    }

    synchronized boolean hasExceeded(RibPeer peer) {
        return peer.exceeded;
    }

    synchronized void policy(RibPeer peer, ImportPolicy next) {
        peer.policy = next;
        for (int slot = 0; slot < table.slots(); slot++) {
            if (!table.isFree(slot) && table.peer(slot) == peer.index) {
                touch(table.prefix(slot), table.exit(slot));
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Added to under the lock only.
    private void refuse() {
        refused++;
    }

    private void again(RibPeer peer, int slot, Prefix prefix, BgpRoute route, int exit) {
        if (exit < 0) {
            forget(peer, slot, prefix);
            refuse();
            return;
        }
        table.generation(slot, peer.generation);
        int before = table.exit(slot);
        if (before == exit && table.origin(slot) == route.origin() && table.distance(slot) == route.distance()
                && table.aggregated(slot) == route.aggregated()) {
            return;
        }
        table.value(slot, route, exit);
        touch(prefix, before);
        if (exit != before) {
            touch(prefix, exit);
        }
    }

    private int exit(RouteExitRule rule, BgpRoute route) {
        RouteExit exit = switch (rule) {
            case RouteExitRule.Fixed at -> at.exit();
            case RouteExitRule.NextHop by -> new RouteExit(route.nextHop(), by.nic());
        };
        Integer known = exitIndex.get(exit);
        if (known != null) {
            return known;
        }
        if (exits.size() >= BgpLimits.EXITS_MAX) {
            return -1;
        }
        exits.add(exit);
        exitIndex.put(exit, exits.size() - 1);
        return exits.size() - 1;
    }

    synchronized void withdrawn(RibPeer peer, Prefix prefix, int pathId) {
        for (int slot = table.start(prefix); !table.isFree(slot); slot = table.next(slot)) {
            if (table.peer(slot) == peer.index && table.pathId(slot) == pathId && table.isOf(slot, prefix)) {
                forget(peer, slot, prefix);
                return;
            }
        }
    }

    private void forget(RibPeer peer, int slot, Prefix prefix) {
        touch(prefix, table.exit(slot));
        peer.routes[AddressFamily.of(prefix).index()]--;
        table.remove(slot);
    }

    private void touch(Prefix prefix, int exit) {
        if (touched.isEmpty()) {
            notifyAll();
        }
        touched.add(new Touched(prefix, exit));
        touchedCount = touched.size();
    }

    synchronized void endOfRib(RibPeer peer, AddressFamily family) {
        peer.whole.add(family);
        sweep(peer, family);
    }

    synchronized void established(RibPeer peer) {
        peer.generation = (peer.generation + 1) % GENERATIONS;
        peer.up = true;
        peer.whole.clear();
    }

    synchronized void lost(RibPeer peer, long nowNanos, long graceNanos) {
        peer.up = false;
        // The next session is asked before it is established.
        peer.warned = false;
        peer.exceeded = false;
        peer.whole.clear();
        if (graceNanos <= 0) {
            peer.staleExpected = false;
            sweep(peer, null);
        } else if (!peer.staleExpected) {
            // A flapping session does not prolong it.
            peer.staleExpected = true;
            peer.staleUntilNanos = nowNanos + Math.min(graceNanos, TimeUnit.DAYS.toNanos(1));
        }
    }

    /** Removes routes of ended sessions; of one family, or of both. */
    private void sweep(RibPeer peer, @Nullable AddressFamily family) {
        int kept = peer.up ? peer.generation : -1;
        boolean any = family == null ? peer.routes[0] + peer.routes[1] > 0 : peer.routes[family.index()] > 0;
        if (!any) {
            return;
        }
        table.removeIf(slot -> {
            if (table.peer(slot) != peer.index || table.generation(slot) == kept
                    || family != null && table.isIpv4(slot) != (family == AddressFamily.IPV4)) {
                return false;
            }
            touch(table.prefix(slot), table.exit(slot));
            peer.routes[table.isIpv4(slot) ? 0 : 1]--;
            return true;
        });
    }

    synchronized int routes(RibPeer peer, AddressFamily family) {
        return peer.routes[family.index()];
    }

    synchronized boolean isWhole(RibPeer peer, AddressFamily family) {
        return peer.whole.contains(family);
    }
}
