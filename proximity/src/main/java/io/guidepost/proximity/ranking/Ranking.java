package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.place.PlaceTable;
import io.guidepost.proximity.place.PlaceTableEdit;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/**
 * An immutable snapshot of a {@link OperatorNetwork} that ranks addresses by distance; any thread may use it without a lock.
 *
 * <p>Addresses belong to <i>places</i>: all prefixes with equal attachments, as far as the ranking function
 * distinguishes them, are one place. Places are numbered from 1; 0 is unknown. For a source router each place has a
 * <i>rank</i>, dense from 0, nearest first; equally near places have equal ranks. So ranking an address is one longest
 * match and one array load.
 */
public final class Ranking {
    /** Place of an address that no prefix matches. */
    public static final int NOWHERE = 0;

    /** Source of a client whose router is unknown. */
    public static final int NO_SOURCE = -1;

    /** Rank of an unknown or unreachable place: after all others. */
    public static final char UNRANKED = 0xffff;

    /** The snapshot of an empty network. */
    public static final Ranking EMPTY = of(new OperatorNetwork(), RankingFunction.STANDARD, 0);

    private final PlaceTable table;
    private final RankRows rows;
    private final PlaceNumbers numbering;
    private final long changes;
    private final long version;

    private Ranking(PlaceTable table, RankRows rows, PlaceNumbers numbering, long changes, long version) {
        this.table = table;
        this.rows = rows;
        this.numbering = numbering;
        this.changes = changes;
        this.version = version;
    }

    /**
     * Builds a snapshot. To be called on the thread that changes the network.
     *
     * @param version one more than the last one's
     */
    public static Ranking of(OperatorNetwork network, RankingFunction function, long version) {
        return whole(network, function, version).make();
    }

    private static Draft whole(OperatorNetwork network, RankingFunction function, long version) {
        PlaceNumbers places = new PlaceNumbers(function);
        PlaceTableEdit edit = PlaceTable.EMPTY.edit();
        IdentityHashMap<List<PrefixAttachment>, Integer> known = new IdentityHashMap<>();
        network.forEachUnordered((prefix, hangs) -> edit.put(
                prefix, known.computeIfAbsent(hangs, places::prefix), PlaceNumbers.asNumber(hangs)));
        Topology topology = network.topology();
        loopBacks(edit, places, topology);
        places.started();
        PlaceNumbers.View view = places.view();
        long changes = network.changes();
        return () -> new Ranking(
                edit.build(), RankRows.of(new RoutingGraph(topology), function, view), places, changes, version);
    }

    /** A copy of the changed parts of a network, from which a snapshot is built while the network changes on. */
    interface Draft {
        /** Builds the snapshot. To be called once. */
        Ranking make();
    }

    /**
     * Builds the next snapshot, in time proportional to the changes: valid pages, paths and ranks are shared. Only for
     * the newest snapshot, on the thread that changes the network.
     *
     * @param network may be another one than that of this snapshot; then everything is rebuilt
     */
    public Ranking next(OperatorNetwork network, RankingFunction function) {
        return draft(network, function).make();
    }

    /**
     * Returns the first and short part of {@link #next}, after which the network may change; {@link Draft#make} does
     * the work.
     */
    Draft draft(OperatorNetwork network, RankingFunction function) {
        PlaceTableEdit edit = table.edit();
        boolean remembered = numbering.fits(function)
                && numbering.size() <= numbering.roomy()
                && network.forEachChanged(changes, prefix -> change(edit, prefix, network.attachments(prefix)));
        if (!remembered) {
            return whole(network, function, version + 1);
        }
        Topology topology = network.topology();
        if (!topology.equals(topology())) {
            loopBacks(edit, numbering, topology);
        }
        PlaceNumbers.View view = numbering.view();
        long upTo = network.changes();
        return () -> new Ranking(edit.build(), rows.next(topology, function, view), numbering, upTo, version + 1);
    }

    /**
     * Returns an equal snapshot in the form that is fastest to read and most expensive to build, for a time without
     * changes.
     */
    public Ranking settled() {
        PlaceTable settled = table.settled();
        return settled == table ? this : new Ranking(settled, rows, numbering, changes, version);
    }

    private void change(PlaceTableEdit edit, Prefix prefix, List<PrefixAttachment> hangs) {
        if (hangs.isEmpty()) {
            edit.remove(prefix);
        } else {
            edit.put(prefix, numbering.prefix(hangs), PlaceNumbers.asNumber(hangs));
        }
    }

    private static void loopBacks(PlaceTableEdit edit, PlaceNumbers places, Topology topology) {
        List<Address> ids = List.copyOf(topology.routers().keySet());
        edit.loopBacks(ids, ids.stream().mapToInt(places::loopBack).toArray());
    }

    /** Returns the version, from 1; 0 is {@link #EMPTY}. */
    public long version() {
        return version;
    }

    /** Returns the routers. */
    public Topology topology() {
        return rows.graph.topology;
    }

    /**
     * Returns the largest place number. Some places may be obsolete: numbers are stable over snapshots, so ranks may
     * have gaps.
     */
    public int places() {
        return rows.places.size();
    }

    /** Returns the place of an IPv4 address. Allocates nothing. */
    public int placeIpv4(int address) {
        return table.findIpv4(address);
    }

    /** Returns the place of an address, IPv4 in its mapped form. Allocates nothing. */
    public int place(long high, long low) {
        return table.find(high, low);
    }

    /**
     * Returns the router by which traffic from a place enters the network: its index, from 0 in the order of ids, or
     * {@link #NO_SOURCE}. Of several exits the one with the smallest AS distance, then the lowest id; only enabled
     * routers count.
     */
    public int source(int place) {
        return rows.source(place);
    }

    /**
     * Returns the rank of each place for a source router; index 0 is unknown and {@link #UNRANKED}. Read-only. The
     * first call for a router computes it, later ones allocate nothing.
     */
    public char[] ranks(int source) {
        return rows.ranks(source);
    }

    /** Returns the cost of a place from a router by the ranking function; NaN if it is unreachable. */
    public double cost(int source, int place) {
        return rows.cost(source, place);
    }

    /** Returns the metrics of the path; empty if there is none. Of several exits, by the nearest one inside. */
    public Optional<PathMetrics> metrics(int source, int place) {
        return rows.metrics(source, place);
    }

    /** Returns the ids of the routers on the path, with the source and the exit; empty if there is none. */
    public List<Address> path(int source, int place) {
        return rows.path(source, place);
    }

    /**
     * Returns the attachments of a place: internal ones if there are any, else the nearest one at each exit. Cards are
     * 0, and so are AS numbers if the ranking function does not use them.
     */
    public List<PrefixAttachment> attachments(int place) {
        return place == NOWHERE ? List.of() : rows.places.place(place).attachments();
    }

    /** Returns the id of a router by its index. */
    public Address router(int source) {
        return rows.graph.ids[source];
    }

    /**
     * Passes each prefix and its place to a consumer, in the order of bases, IPv4 first, enclosing prefixes before
     * those inside them.
     */
    public void forEachPrefix(ObjIntConsumer<Prefix> told) {
        table.forEach(told);
    }

    /** Returns the longest matching prefix of an address, for explanations. Allocates. */
    public Optional<Prefix> longest(long high, long low) {
        return table.longest(high, low);
    }

    /** Returns the AS number of an address by its longest match; 0 if it is internal or unknown. */
    public long asNumber(long high, long low) {
        return table.asNumber(high, low);
    }

    /** Returns the number of prefixes. */
    public int prefixes() {
        return table.size();
    }

    /** Returns the number of evicted ranks, since ranks were last built anew. */
    public long ranksDropped() {
        return rows.ranksDropped();
    }

    /** Returns the bytes that lookups touch. */
    public long bytes() {
        return table.bytes();
    }
}
