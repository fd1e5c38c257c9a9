package io.guidepost.lab.simulation;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsRequest;
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
 * What a deployment promises, checked against what clients heard.
 *
 * <p>Which of two writes came first is certain if one ended before the other began, and
 *
 * <ul>
 *   <li>both were acknowledged while the same tables were in force and no disk was lost: their quorums have a server in
 *       common, and that one refuses an older stamp than it knows; or
 *   <li>no clock was further off than the time between them: so it is with writes that failed or were not answered, too.
 * </ul>
 *
 * <p>One server alone is simpler: what it takes later is later.
 *
 * <p>When all trouble has ended and some time has passed, for each name
 *
 * <ul>
 *   <li>all servers that keep it hold the same, and no other server holds it;
 *   <li>a binding is there if a write of it was acknowledged, and every other write that could take it away came
 *       certainly before;
 *   <li>a binding is not there if a write that took it away was acknowledged, and every write of it came certainly before;
 *       or if it has ended; or if no request for it ever arrived at a server;
 *   <li>every server that is asked answers with exactly that.
 * </ul>
 *
 * <p>And at any time, as long as tables do not change and no disk is lost: who looks for a name that is only ever
 * inserted to, and an insert of which was acknowledged before, longer ago than servers remember that they found nothing,
 * is not told that nothing is bound to it; unless the server was looking for it already since before, for whom asked first:
 * who asks meanwhile hears the same.
 */
final class Invariants {
    /** After that time no server works any more on a request that arrived before. */
    private static final long WORK_NANOS_MAX = 30_000 * EventScheduler.NANOS_PER_MILLI;

    /** After that time a write that a server took is on its disk, or never will be. */
    private static final long DISK_NANOS_MAX = 10_000 * EventScheduler.NANOS_PER_MILLI;

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

    /** How many bindings had to be there. */
    int required() {
        return required;
    }

    /** How many bindings must not be there. */
    int forbidden() {
        return forbidden;
    }

    /** Whether one write is certainly older than another for every server that hears of both. */
    private boolean before(ClientAttempt older, ClientAttempt newer) {
        if (older == newer) {
            return false;
        }
        if (cluster.size() == 1) {
            // There is but one order, that of arrival; and one server alone takes a datagram that comes twice for two.
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
        // Who failed at a request may try it again when the network brings it a second time.
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
        return cluster.workload().endMillis(place) == 0
                && writes.stream()
                        .filter(each -> each.acknowledged() && each.places.contains(place))
                        .anyMatch(write -> writes.stream()
                                .filter(each -> takesAway(each, place))
                                .allMatch(each -> before(each, write)));
    }

    private boolean mustNotBeThere(int place, List<ClientAttempt> writes) {
        long endMillis = cluster.workload().endMillis(place);
        return endMillis != 0 && endMillis < cluster.wallMillis()
                || writes.stream()
                        .filter(each -> each.acknowledged() && takesAway(each, place))
                        .anyMatch(removal -> writes.stream()
                                .filter(each -> each.places.contains(place))
                                .allMatch(each -> before(each, removal)));
    }

    /** What is not as it must be in the end, of one name; null if all is. */
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
        String unlike = unlike(guid);
        return unlike != null ? unlike : wrong(writes, places(image(guid, cluster.placed(guid).getFirst())));
    }

    /** What is not as it must be if all that all disks have of a name is taken together; null if all is. */
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
        return wrong == null ? null : "taking all copies together, " + wrong;
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
                return "place " + place + " was acknowledged and nothing took it away, but it is gone; bound: " + there;
            }
            if (mustNot && there.contains(place)) {
                return "place " + place + " was deleted or has ended, but it is back; bound: " + there;
            }
        }
        return null;
    }

    /** How the copies of a name differ, or that one is where none belongs; null if all is well. */
    @Nullable String unlike(Guid guid) {
        List<Integer> placed = cluster.placed(guid);
        String first = form(guid, placed.getFirst());
        for (int server : placed) {
            String form = form(guid, server);
            if (!form.equals(first)) {
                return "copies differ: server " + placed.getFirst() + " holds " + first + "; server " + server
                        + " holds " + form;
            }
        }
        for (int server = 0; server < cluster.size(); server++) {
            if (!placed.contains(server) && image(guid, server) != null) {
                return "server " + server + " still holds a copy, which belongs at servers " + placed
                        + "; it says " + cluster.server(server).said();
            }
        }
        return null;
    }

    private byte @Nullable [] image(Guid guid, int server) {
        return cluster.server(server).store().image(Name.of(guid).key());
    }

    /** What a server has of a name, for comparing and for people: bindings that have not ended, with their stamps. */
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
            throw new Violation("a disk holds what is no image", e);
        }
    }

    /** What is wrong with an answer that was given in the end; null if nothing is. */
    @Nullable String wrongAnswer(ClientAttempt lookup) {
        if (!lookup.acknowledged()) {
            return "server " + lookup.server + " does not find it though all trouble is over: " + lookup.outcome;
        }
        Set<Integer> there = places(image(lookup.guid, cluster.placed(lookup.guid).getFirst()));
        Set<Integer> found = new TreeSet<>(lookup.found);
        // What ended while the answer was on its way may be in it or not.
        long began = cluster.wallMillis() - (lookup.endNanos - lookup.startNanos) / EventScheduler.NANOS_PER_MILLI;
        found.removeIf(place -> cluster.workload().endMillis(place) >= began);
        there.removeIf(place -> cluster.workload().endMillis(place) >= began);
        return found.equals(there) ? null : "server " + lookup.server + " answers " + found + ", but bound is " + there;
    }

    /** Whether a look-up may have been answered with what its server was asked for before a time, and had not heard yet. */
    private boolean joins(ClientAttempt lookup, long nanos) {
        return history.of(lookup.guid).stream()
                .anyMatch(each -> !each.write()
                        && each != lookup
                        && each.server == lookup.server
                        && each.startNanos <= nanos
                        && each.endNanos >= lookup.startNanos);
    }

    /** What is wrong with an answer to a look-up that was given while there was trouble; null if nothing is. */
    @Nullable String wrongly(ClientAttempt lookup) {
        if (!lookup.acknowledged() || !lookup.found.isEmpty() || !cluster.workload().insertOnly(lookup.guid)
                || cluster.epoch() != 0 || cluster.trouble().disksLost()) {
            return null;
        }
        long remembered = scenario.settings().negativeTtlMillis() * EventScheduler.NANOS_PER_MILLI;
        for (ClientAttempt each : history.of(lookup.guid)) {
            boolean lasting = each.places.stream().anyMatch(place -> cluster.workload().endMillis(place) == 0);
            boolean before = each.endNanos + remembered < lookup.startNanos;
            if (each.write() && each.acknowledged() && lasting && before && !joins(lookup, each.endNanos + remembered)) {
                return "server " + lookup.server + " answered that nothing is bound, though " + each.places
                        + " was acknowledged before";
            }
        }
        return null;
    }
}
