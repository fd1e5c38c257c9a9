package io.guidepost.lab.simulation;

import static io.guidepost.lab.simulation.SimulatedAddresses.CATCH_UP_PORT;
import static io.guidepost.lab.simulation.SimulatedAddresses.GNRS_PORT;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.names.Guid;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Deployments that are wrong on purpose: which promise each breaks, in which profile, and what notices it. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas cannot be annotated; these have no state.
enum Sabotages {
    /** A write is acknowledged when one server has it. */
    QUORUM_OF_ONE(SimulationProfile.MIXED, Sabotages.LOST_OR_BACK, defects -> settings(defects, "quorum", ReplicationSettings.Quorum.ONE)),

    /** A server takes a write for done though it knows a newer one. */
    NO_FENCE(
            SimulationProfile.MIXED,
            Sabotages.LOST_OR_BACK,
            defects -> rewritten(defects, PeerWire.MERGE, PeerWire.HEADER_BYTES + 1, each -> 0)),

    /** A server that may have missed writes while it was down answers out of what it had. */
    CATCHING_UP_IGNORED(SimulationProfile.RESTART, "long before", defects -> {
        rewritten(
                defects,
                PeerWire.FETCH | PeerWire.RESPONSE_BIT,
                PeerWire.HEADER_BYTES + 1,
                each -> each & ~PeerWire.CATCHING_UP);
        defects.gateway = real -> gateway(real, "ownMayLag", arguments -> false);
    }),

    /** A server whose disk refused a write confirms it. */
    REFUSALS_CONFIRMED(
            SimulationProfile.MIXED,
            Sabotages.LOST_OR_BACK,
            defects -> rewritten(
                    defects, PeerWire.MERGE | PeerWire.RESPONSE_BIT, PeerWire.HEADER_BYTES + 1, each -> PeerWire.DONE)),

    /** A datagram that arrives twice writes twice. */
    DUPLICATES_WRITTEN(
            SimulationProfile.MIXED,
            "but it is present",
            defects -> defects.bounds = right -> bounds(right, "repeatsMax", 1)),

    /** Hints are never replayed. */
    HINTS_LOST(
            SimulationProfile.HANDOFF,
            "at server [0-9]+, place",
            defects -> lost(defects, each -> each.fromPort() == CATCH_UP_PORT && type(each) == PeerWire.MERGE)),

    /** Look-ups repair nothing. */
    READ_REPAIR_OFF(
            SimulationProfile.REPAIR,
            "replicas differ",
            defects -> lost(
                    defects,
                    each -> each.fromPort() == GNRS_PORT
                            && type(each) == PeerWire.MERGE
                            && each.bytes()[PeerWire.HEADER_BYTES + 1] == 0)),

    /** Replicas are not compared. */
    ANTI_ENTROPY_OFF(
            SimulationProfile.MIXED, "replicas differ", defects -> lost(defects, each -> type(each) == PeerWire.DIGESTS)),

    /** Records that tables place elsewhere are kept. */
    REBALANCING_OFF(
            SimulationProfile.MIXED,
            "still holds a replica",
            defects -> defects.distortion = (current, next) -> next == null ? current : next),

    /** A change does not invalidate the caches of other servers. */
    FORGET_IGNORED(SimulationProfile.CALM, Sabotages.STALE, defects -> lost(defects, each -> type(each) == PeerWire.FORGET)),

    /** A server's cache keeps what a change has made invalid. */
    CACHE_NOT_INVALIDATED(SimulationProfile.CALM, Sabotages.STALE, defects -> defects.gateway = Sabotages::staleCache),

    /** Nothing is cached. */
    CACHE_OFF(SimulationProfile.CALM, "for what they had cached", defects -> settings(defects, "cacheBytesMax", 0)),

    /** Look-ups are not relayed. */
    LOOKUPS_NOT_RELAYED(
            SimulationProfile.MIXED,
            "does not find it though all faults have ended",
            defects -> defects.gateway = real -> gateway(real, "fetch", fetched(PeerGateway.Fetch.FAILED))),

    /** A look-up believes that there is nothing before any server has said so. */
    LOOKUPS_UNPROVEN(
            SimulationProfile.MIXED,
            "answered that there are no bindings",
            defects -> defects.gateway = real -> gateway(real, "fetch", fetched(PeerGateway.Fetch.EMPTY))),

    /** Servers answer for each other. */
    ANSWERS_OF_OTHERS(
            SimulationProfile.MIXED,
            "came from another server than it asked",
            defects -> defects.tampering = each -> each.toHost() < SimulatedNetwork.CLIENTS_FROM
                    ? each
                    : new SimulatedNetwork.Datagram(
                            each.fromHost() ^ 1, each.fromPort(), each.toHost(), each.toPort(), each.bytes(), 0)),

    /** Requests are retransmitted without need. */
    RETRANSMITTED(SimulationProfile.MIXED, "requests for each request of a client", defects -> {
        settings(defects, "timeoutMillis", 5);
        settings(defects, "attemptsMax", 8);
    }),

    /** Bindings do not expire. */
    EXPIRY_IGNORED(
            SimulationProfile.MIXED,
            "was deleted or has expired, but it is present",
            defects -> defects.distortion = (current, next) -> next == null ? null : lasting(next)),

    /** Whatever a server ever heard of is there, as the prototype did it. */
    UNITED(SimulationProfile.MIXED, "but it is present", defects -> defects.distortion = Sabotages::union),

    /** Disks lose what they confirmed. */
    DISKS_FORGET(SimulationProfile.MIXED, "but it is missing|replicas differ", defects -> {
        SplittableRandom random = new SplittableRandom(1);
        defects.distortion = (current, next) -> random.nextInt(3) == 0 ? current : next;
    }),

    /** Servers keep no tombstones. */
    NO_TOMBSTONES(
            SimulationProfile.MIXED,
            "but it is present|replicas differ",
            defects -> defects.distortion = (current, next) ->
                    next == null || RecordImage.bindings(MemorySegment.ofArray(next), 0) > 0 ? next : null),

    /** A server throws. */
    EXCEPTIONS(SimulationProfile.MIXED, "(?s)an exception came out of a server.*on purpose", defects -> {
        SplittableRandom random = new SplittableRandom(1);
        defects.distortion = (current, next) -> {
            if (random.nextInt(50) == 0) {
                throw new IllegalStateException("on purpose");
            }
            return next;
        };
    }),

    /** More requests wait than may. */
    WAITING_UNBOUNDED(
            SimulationProfile.TIGHT,
            "lets [0-9]+ requests of clients wait|exceeds a bound of its memory: [0-9]+ (REQUESTS|WRITES),",
            defects -> settings(defects, "relaysMax", 1000)),
    CACHE_UNBOUNDED(SimulationProfile.TIGHT, bound("CACHE_BYTES"), defects -> settings(defects, "cacheBytesMax", 1 << 20)),
    HINTS_UNBOUNDED(SimulationProfile.TIGHT, bound("HINT_BYTES"), defects -> settings(defects, "hintBytesMax", 1L << 20)),
    QUEUE_UNBOUNDED(SimulationProfile.TIGHT, bound("WRITES_OF_A_NAME"), unbounded("waitingPerNameMax")),
    DUPLICATE_REQUESTS_UNBOUNDED(SimulationProfile.TIGHT, bound("DUPLICATE_REQUESTS"), unbounded("repeatsMax")),
    CACHED_NAMES_UNBOUNDED(SimulationProfile.TIGHT, bound("CACHED_NAMES"), unbounded("cachedNamesMax")),
    CACHING_PEERS_UNBOUNDED(SimulationProfile.TIGHT, bound("CACHING_PEERS"), unbounded("cachingPeersMax")),
    FORGETS_UNBOUNDED(SimulationProfile.TIGHT, bound("FORGETS"), unbounded("forgetsMax")),
    MAILBOX_UNBOUNDED(SimulationProfile.TIGHT, bound("MAILBOX"), unbounded("mailboxMax")),
    MERGES_UNBOUNDED(
            SimulationProfile.TIGHT,
            bound("MERGES"),
            defects -> defects.door = right -> changed(right, "writesInFlightMax", 4096));

    private static final String LOST_OR_BACK = "but it is missing|but it is present";
    private static final String STALE = "but bound is|long before";

    /** What it is run in. */
    final ClusterOptions options;

    /** What its breach says. */
    final Predicate<String> caught;

    final Cluster.Sabotage sabotage;

    Sabotages(SimulationProfile profile, String caughtBy, Cluster.Sabotage sabotage) {
        this.options = ClusterOptions.of(profile);
        this.caught = java.util.regex.Pattern.compile(caughtBy).asPredicate();
        this.sabotage = sabotage;
    }

    /** Returns whether the invariant that it breaks notices it under a seed. */
    boolean caught(long seed) {
        return Cluster.run(seed, options, sabotage).breaches().stream().anyMatch(caught);
    }

    private static String bound(String name) {
        return "exceeds a bound of its memory: [0-9]+ " + name + ",";
    }

    private static Cluster.Sabotage unbounded(String name) {
        return defects -> defects.bounds = right -> bounds(right, name, 1 << 16);
    }

    private static PeerBounds bounds(PeerBounds right, String name, Object value) {
        return changed(right, name, value);
    }

    private static void settings(InjectedDefects defects, String name, Object value) {
        UnaryOperator<ReplicationSettings> before = defects.settings;
        defects.settings = right -> changed(before.apply(right), name, value);
    }

    /** Returns a record with another value of one component. */
    @SuppressWarnings("unchecked")
    private static <R extends java.lang.Record> R changed(R before, String name, Object value) {
        RecordComponent[] components = before.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        try {
            for (int i = 0; i < values.length; i++) {
                values[i] = components[i].getName().equals(name) ? value : components[i].getAccessor().invoke(before);
            }
            Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return (R) before.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static int type(SimulatedNetwork.Datagram datagram) {
        return datagram.toHost() >= SimulatedNetwork.CLIENTS_FROM || datagram.bytes().length < PeerWire.HEADER_BYTES
                ? -1
                : datagram.bytes()[PeerWire.TYPE] & 0xff;
    }

    private static void lost(InjectedDefects defects, Predicate<SimulatedNetwork.Datagram> which) {
        defects.tampering = each -> which.test(each) ? null : each;
    }

    /** Rewrites a byte of all messages of a type; they carry no seal then. */
    private static void rewritten(InjectedDefects defects, int type, int at, java.util.function.IntUnaryOperator to) {
        settings(defects, "key", new byte[0]);
        defects.tampering = each -> {
            if (type(each) != type) {
                return each;
            }
            byte[] bytes = each.bytes().clone();
            bytes[at] = (byte) to.applyAsInt(bytes[at]);
            return new SimulatedNetwork.Datagram(
                    each.fromHost(), each.fromPort(), each.toHost(), each.toPort(), bytes, each.copy());
        };
    }

    /** Does one method of a gateway in place of the real one. */
    @FunctionalInterface
    private interface Instead {
        @Nullable Object of(@Nullable Object[] arguments);
    }

    private static PeerGateway gateway(PeerGateway real, String name, Instead instead) {
        return (PeerGateway) Proxy.newProxyInstance(
                PeerGateway.class.getClassLoader(), new Class<?>[] {PeerGateway.class}, (self, method, arguments) -> {
                    if (method.getName().equals(name)) {
                        return instead.of(arguments);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Instead fetched(PeerGateway.Fetch outcome) {
        return arguments -> {
            ((PeerGateway.Fetched) arguments[arguments.length - 1]).fetched(outcome, null);
            return true;
        };
    }

    private static PeerGateway staleCache(PeerGateway real) {
        Map<Guid, MemorySegment> kept = new HashMap<>();
        return gateway(real, "remembered", arguments -> {
            MemorySegment segment = (MemorySegment) arguments[0];
            long at = (long) arguments[1];
            MemorySegment fresh = real.remembered(segment, at);
            Guid guid = Guid.read(segment, at);
            if (fresh != null) {
                kept.putIfAbsent(guid, fresh);
            }
            return kept.get(guid);
        });
    }

    private static byte[] lasting(byte[] image) {
        byte[] written = image.clone();
        MemorySegment in = MemorySegment.ofArray(written);
        for (int i = 0; i < RecordImage.bindings(in, 0); i++) {
            in.set(PeerWire.LONG, RecordImage.expiries(in, 0) + 8L * i, 0);
        }
        return written;
    }

    private static byte @Nullable [] union(byte @Nullable [] current, byte @Nullable [] next) {
        if (current == null || next == null) {
            return next;
        }
        try {
            Record before = RecordImage.read(current);
            MemorySegment made = MemorySegment.ofArray(next);
            byte[] all = RecordImage.write(before.name().key(), 0, before.bindings(), List.<io.guidepost.names.Value>of());
            byte[] change = RecordMerge.change(all, RecordImage.newest(made, 0), false);
            byte[] united = RecordMerge.merge(next, change, RecordImage.version(made, 0), 0, 1L << 40);
            return united.length == 0 ? next : united;
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }
}
