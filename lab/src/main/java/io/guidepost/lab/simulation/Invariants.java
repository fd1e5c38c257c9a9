package io.guidepost.lab.simulation;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of a deployment, checked against the responses that clients got.
 *
 * <p>The order of two writes is certain if one ended before the other began, and
 *
 * <ul>
 *   <li>both were acknowledged under the same tables and no disk was lost: their quorums have a server in common, which
 *       refuses an older stamp than it knows; or
 *   <li>no clock was further off than the time between them: this orders failed and unanswered writes, too.
 * </ul>
 *
 * <p>Writes at a single server are ordered by their arrival.
 *
 * <p>When all faults have ended and some time has passed, for each name
 *
 * <ul>
 *   <li>all servers that keep it hold the same, and no other server holds it;
 *   <li>a binding is there if a write of it was acknowledged, and every other write that could remove it came certainly
 *       before;
 *   <li>a binding is not there if a write that removed it was acknowledged, and every write of it came certainly before;
 *       or if it has expired; or if no request for it ever arrived at a server;
 *   <li>every server that is asked answers with exactly that.
 * </ul>
 *
 * <p>No false negatives, as long as tables do not change and no disk is lost: for an insert-only name, once an INSERT is
 * acknowledged and the negative-cache TTL has passed, a look-up never returns empty. Exception: a look-up that joins a
 * fetch which its server began before that gets the result of that fetch.
 */
final class Invariants {
    /** The time after which no server works any more on a request that arrived before. */
    private static final long WORK_NANOS_MAX = 30_000 * EventScheduler.NANOS_PER_MILLI;

    /** The time after which a write that a server took is on its disk, or never will be. */
    private static final long DISK_NANOS_MAX = 10_000 * EventScheduler.NANOS_PER_MILLI;

    /** The time after which a write has reached all servers and all caches, if nothing is lost. */
    private static final long INVALIDATED_MILLIS = 2_000;

    private static final long TOMBSTONE_MILLIS = 1L << 40;

    private final Cluster cluster;
    private final RequestHistory history;
    private final SimulationScenario scenario;
    private int required;
    private int forbidden;

    Invariants(Cluster cluster) {
        this.cluster = cluster;
        this.history = cluster.history();
        this.scenario = cluster.scenario();
    }

    /** Returns the number of bindings that had to be there. */
    int required() {
        return required;
    }

    /** Returns the number of bindings that must not be there. */
    int forbidden() {
        return forbidden;
    }

    /** Returns whether one write is certainly older than another for every server that receives both. */
    private boolean before(ClientAttempt older, ClientAttempt newer) {
        if (older == newer) {
            return false;
        }
        if (cluster.size() == 1) {
            // There is but one order, that of arrival; and one server alone takes a duplicated datagram for two.
            return Math.max(older.arrivedNanos, older.endNanos) + DISK_NANOS_MAX < newer.startNanos;
        }
        boolean met = older.acknowledged()
                && newer.acknowledged()
                && !older.repeated
                && older.endNanos < newer.startNanos
                && older.calm()
                && newer.calm()
                && older.epochStart == newer.epochStart
                && !cluster.trouble().disksLost();
        if (met) {
            return true;
        }
        if (scenario.clocksLie()) {
            return false;
        }
        // A server that failed a request may process it again when the network duplicates it.
        boolean answered = !older.repeated
                && (older.acknowledged()
                        || older.outcome == ClientAttempt.Outcome.FAILED && older.arrivedNanos < older.endNanos);
        long last = answered ? older.endNanos : Math.max(older.startNanos, older.arrivedNanos) + WORK_NANOS_MAX;
        return last + (2 * scenario.skewMillisMax() + 1) * EventScheduler.NANOS_PER_MILLI < newer.startNanos;
    }

    private List<ClientAttempt> writes(Guid guid) {
        return history.of(guid).stream()
                .filter(each -> each.write() && each.life >= 0)
                .toList();
    }

    private static boolean takesAway(ClientAttempt write, int place) {
        return write.kind == GnrsRequest.Kind.UPDATE && !write.places.contains(place);
    }

    private boolean mustBeThere(int place, List<ClientAttempt> writes) {
        return cluster.workload().endMillis(place) == 0 && added(place, writes, writes);
    }

    /** Returns whether one of some writes bound a place, and every one of all that could remove it came before. */
    private boolean added(int place, List<ClientAttempt> some, List<ClientAttempt> all) {
        return some.stream()
                .filter(each -> each.acknowledged() && each.places.contains(place))
                .anyMatch(write -> all.stream()
                        .filter(each -> takesAway(each, place))
                        .allMatch(each -> before(each, write)));
    }

    /** Returns whether one of some writes removed a place, and every one of all that bound it came before. */
    private boolean removed(int place, List<ClientAttempt> some, List<ClientAttempt> all) {
        return some.stream()
                .filter(each -> each.acknowledged() && takesAway(each, place))
                .anyMatch(removal -> all.stream()
                        .filter(each -> each.places.contains(place))
                        .allMatch(each -> before(each, removal)));
    }

    private boolean mustNotBeThere(int place, List<ClientAttempt> writes) {
        long endMillis = cluster.workload().endMillis(place);
        return endMillis != 0 && endMillis < cluster.wallMillis() || removed(place, writes, writes);
    }

    /** Returns the violation in the final state of one name; null if there is none. */
    @Nullable String wrong(Guid guid) {
        List<ClientAttempt> writes = writes(guid);
        for (int place : all(writes)) {
            required += mustBeThere(place, writes) ? 1 : 0;
            forbidden += mustNotBeThere(place, writes) ? 1 : 0;
        }
        return wrong(guid, writes);
    }

    private static Set<Integer> all(List<ClientAttempt> writes) {
        Set<Integer> all = new TreeSet<>();
        writes.forEach(each -> all.addAll(each.places));
        return all;
    }

    private @Nullable String wrong(Guid guid, List<ClientAttempt> writes) {
        String unlike = unsettled(guid);
        return unlike != null ? unlike : wrong(writes, places(image(guid, cluster.placed(guid).getFirst())));
    }

    /** Returns the violation in the union of all disks for one name; null if there is none. */
    @Nullable String lost(Guid guid) {
        byte[] all = null;
        for (int server = 0; server < cluster.size(); server++) {
            byte[] one = image(guid, server);
            if (one != null) {
                byte[] merged = RecordMerge.merge(all, one, 0, cluster.wallMillis(), TOMBSTONE_MILLIS);
                all = merged.length == 0 ? all : merged;
            }
        }
        String wrong = wrong(writes(guid), places(all));
        return wrong == null ? null : "in the union of all replicas, " + wrong;
    }

    private @Nullable String wrong(List<ClientAttempt> writes, Set<Integer> there) {
        Set<Integer> all = all(writes);
        for (int place : there) {
            if (!all.contains(place)) {
                return "place " + place + " is bound, but no request for that ever arrived at a server";
            }
        }
        for (int place : all) {
            boolean must = mustBeThere(place, writes);
            boolean mustNot = mustNotBeThere(place, writes);
            if (must && !there.contains(place)) {
                return "place " + place + " was acknowledged and no write removed it, but it is missing; bound: " + there;
            }
            if (mustNot && there.contains(place)) {
                return "place " + place + " was deleted or has expired, but it is present; bound: " + there;
            }
        }
        return null;
    }

    /**
     * Returns what keeps the replicas of a name from being as they must be after a while; null if nothing does. Where they are
     * not compared, a write that failed may be at some of them for good; what was acknowledged is at all.
     */
    @Nullable String unsettled(Guid guid) {
        if (scenario.profile() != SimulationProfile.HANDOFF) {
            return unlike(guid);
        }
        for (int server : cluster.placed(guid)) {
            String wrong = wrong(writes(guid), places(image(guid, server)));
            if (wrong != null) {
                return "at server " + server + ", " + wrong;
            }
        }
        return null;
    }

    /** Returns how the replicas of a name differ, or that one is misplaced; null if neither. */
    private @Nullable String unlike(Guid guid) {
        List<Integer> placed = cluster.placed(guid);
        String first = form(guid, placed.getFirst());
        for (int server : placed) {
            String form = form(guid, server);
            if (!form.equals(first)) {
                return "replicas differ: server " + placed.getFirst() + " holds " + first + "; server " + server
                        + " holds " + form;
            }
        }
        for (int server = 0; server < cluster.size(); server++) {
            if (!placed.contains(server) && image(guid, server) != null) {
                return "server " + server + " still holds a replica, which belongs at servers " + placed
                        + "; it reports " + cluster.server(server).said();
            }
        }
        return null;
    }

    private byte @Nullable [] image(Guid guid, int server) {
        return cluster.server(server).store().image(Name.of(guid).key());
    }

    /** Returns a server's form of a name as text: bindings that have not expired, with their stamps. */
    private String form(Guid guid, int server) {
        byte[] image = image(guid, server);
        if (image == null) {
            return "nothing";
        }
        MemorySegment in = MemorySegment.ofArray(image);
        Set<String> bindings = new TreeSet<>();
        List<Binding> all = read(image).bindings();
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).expired(cluster.wallMillis())) {
                bindings.add("%d@%x".formatted(SimulatedClient.number(all.get(i).locator()), RecordImage.stamp(in, 0, i)));
            }
        }
        long cleared = RecordImage.cleared(in, 0);
        return bindings.isEmpty() && cleared == 0 ? "nothing" : bindings + " cleared@%x".formatted(cleared);
    }

    private Set<Integer> places(byte @Nullable [] image) {
        Set<Integer> places = new TreeSet<>();
        if (image != null) {
            read(image).bindings().stream()
                    .filter(each -> !each.expired(cluster.wallMillis()))
                    .forEach(each -> places.add(SimulatedClient.number(each.locator())));
        }
        return places;
    }

    private static Record read(byte[] image) {
        try {
            return RecordImage.read(image);
        } catch (Malformed e) {
            throw new Violation("a disk holds an invalid image", e);
        }
    }

    /** Returns whether a name has bindings. */
    boolean bound(Guid guid) {
        return !places(image(guid, cluster.placed(guid).getFirst())).isEmpty();
    }

    /** Returns the violation in a final answer; null if there is none. */
    @Nullable String wrongAnswer(ClientAttempt lookup) {
        if (!lookup.acknowledged()) {
            return "server " + lookup.server + " does not find it though all faults have ended: " + lookup.outcome;
        }
        if (scenario.profile() == SimulationProfile.HANDOFF) {
            return wrong(writes(lookup.guid), lookup.found);
        }
        Set<Integer> there = places(image(lookup.guid, cluster.placed(lookup.guid).getFirst()));
        Set<Integer> found = new TreeSet<>(lookup.found);
        // A binding that expired while the answer was in flight may be in it or not.
        long began = cluster.wallMillis() - (lookup.endNanos - lookup.startNanos) / EventScheduler.NANOS_PER_MILLI;
        found.removeIf(place -> cluster.workload().endMillis(place) >= began);
        there.removeIf(place -> cluster.workload().endMillis(place) >= began);
        return found.equals(there) ? null : "server " + lookup.server + " answers " + found + ", but bound is " + there;
    }

    /** Returns whether a look-up may have joined a fetch that its server began before a time and had not completed. */
    private boolean joins(ClientAttempt lookup, long nanos) {
        return history.of(lookup.guid).stream()
                .anyMatch(each -> !each.write()
                        && each != lookup
                        && each.server == lookup.server
                        && each.startNanos <= nanos
                        && each.endNanos >= lookup.startNanos);
    }

    /** Returns the violation in an answer to a look-up during the faults; null if there is none. */
    @Nullable String wrongly(ClientAttempt lookup) {
        if (!lookup.acknowledged() || !lookup.found.isEmpty() || !cluster.workload().insertOnly(lookup.guid)
                || cluster.epoch() != 0 || cluster.trouble().disksLost()) {
            return null;
        }
        // In calm runs a write invalidates what is cached: no message is lost.
        long rememberedMillis = scenario.profile() == SimulationProfile.CALM
                ? INVALIDATED_MILLIS
                : scenario.settings().negativeTtlMillis();
        long remembered = rememberedMillis * EventScheduler.NANOS_PER_MILLI;
        for (ClientAttempt each : history.of(lookup.guid)) {
            boolean lasting = each.places.stream().anyMatch(place -> cluster.workload().endMillis(place) == 0);
            boolean before = each.endNanos + remembered < lookup.startNanos;
            if (each.write() && each.acknowledged() && lasting && before && !joins(lookup, each.endNanos + remembered)) {
                return "server " + lookup.server + " answered that there are no bindings, though " + each.places
                        + " was acknowledged before";
            }
        }
        return null;
    }

    /**
     * Returns how old an answer may be. Servers that think a restarted one down still spare it a write, and give it the hint
     * when it has answered a ping.
     */
    private long staleMillisMax() {
        return scenario.faults().isEmpty()
                ? INVALIDATED_MILLIS
                : INVALIDATED_MILLIS + scenario.settings().pingMillis() + 3L * scenario.settings().timeoutMillis();
    }

    /** Returns the violation in an answer that is older than nothing but a restart explains; null if there is none. */
    @Nullable String stale(ClientAttempt lookup) {
        if (!scenario.profile().fresh() || !lookup.acknowledged()) {
            return null;
        }
        List<ClientAttempt> writes = writes(lookup.guid).stream()
                .filter(each -> each.startNanos < lookup.endNanos)
                .toList();
        long since = lookup.startNanos - staleMillisMax() * EventScheduler.NANOS_PER_MILLI;
        if (joins(lookup, since)) {
            return null;
        }
        List<ClientAttempt> settled = writes.stream().filter(each -> each.endNanos < since).toList();
        for (int place : all(settled)) {
            boolean there = lookup.found.contains(place);
            if (cluster.workload().endMillis(place) == 0 && !there && added(place, settled, writes)) {
                return "server " + lookup.server + " answered " + lookup.found + " without place " + place + ", bound long before";
            }
            if (there && removed(place, settled, writes)) {
                return "server " + lookup.server + " answered " + lookup.found + " with place " + place + ", removed long before";
            }
        }
        return null;
    }
}
