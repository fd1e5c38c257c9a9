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
 * How near everything is, frozen: made from a {@link OperatorNetwork} at one moment, immutable, asked by any thread without a lock.
 *
 * <p>Addresses fall into <i>places</i>: all prefixes that hang on the network alike, as far as the ranking function can
 * tell, are one place. Places are numbered from 1; 0 is where nobody knows. For somebody at a router each place has a
 * <i>rank</i>, dense from 0, nearest first; places that are equally near have the same. So an address is ranked by one
 * longest match and one look into an array.
 */
public final class Ranking {
    /** Place of an address that no prefix holds. */
    public static final int NOWHERE = 0;

    /** Source of somebody whose router is not known. */
    public static final int NO_SOURCE = -1;

    /** Rank of a place that is not known or not to be reached: behind all others. */
    public static final char UNRANKED = 0xffff;

    /** An empty network's. */
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
     * Freezes a network. To be called where the network is changed.
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
                edit.build(), RankRows.of(RoutingGraph.of(topology), function, view), places, changes, version);
    }

    /** What was taken down of a network, to be made a snapshot of while the network goes on changing. */
    interface Draft {
        /** The snapshot. To be called once. */
        Ranking make();
    }

    /**
     * Freezes a network again, in time that goes by what changed: pages, paths and ranks that are still right are shared.
     * Only for the newest snapshot of a line, and where the network is changed.
     *
     * @param network may be another one than that of this snapshot; then all is made anew
     */
    public Ranking next(OperatorNetwork network, RankingFunction function) {
        return draft(network, function).make();
    }

    /** The first and short part of {@link #next}, after which the network may change; the work comes with {@link Draft#make}. */
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

    /** The same snapshot in the form that is fastest to read and dearest to make, for when no change is in sight. */
    public Ranking settled() {
        PlaceTable settled = table.settled();
        return settled == table ? this : new Ranking(settled, rows, numbering, changes, version);
    }

    /**
     * What is wrong with the explicit routes: each way that ends before its destination, or never does. A short work for small
     * networks, minutes for thousands of routers: not for the packet path.
     *
     * @param max so many are told at most
     * @return nothing if routing is implicit
     */
    public List<RouteFault> routeFaults(int max) {
        return RouteFault.of(rows.graph, max);
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

    /** Numbers snapshots from 1; 0 is {@link #EMPTY}. */
    public long version() {
        return version;
    }

    /** The routers. */
    public Topology topology() {
        return rows.graph.topology;
    }

    /**
     * Places, without nowhere: they are numbered from 1 to this. Some may be of prefixes that are gone: numbers are kept while
     * snapshots follow each other, so ranks may have gaps where those would be.
     */
    public int places() {
        return rows.places.size();
    }

    /** The place of an IPv4 address. Allocates nothing. */
    public int placeIpv4(int address) {
        return table.findIpv4(address);
    }

    /** The place of an address, IPv4 in its mapped form. Allocates nothing. */
    public int place(long high, long low) {
        return table.find(high, low);
    }

    /**
     * Where what comes from a place gets into the network: the number of a router, from 0 in the order of ids, or
     * {@link #NO_SOURCE}. Of several exits the one with the smallest AS distance, then the lowest id; only routers that
     * are enabled count.
     */
    public int source(int place) {
        return rows.source(place);
    }

    /**
     * The rank of each place for somebody at a router; index 0 is nowhere and {@link #UNRANKED}. To be read only. The first
     * call for a router works it out, the next ones allocate nothing.
     */
    public char[] ranks(int source) {
        return rows.ranks(source);
    }

    /** How far a place is from a router by the ranking function; not a number if it is not to be reached. */
    public double cost(int source, int place) {
        return rows.cost(source, place);
    }

    /** What the ranking function was given; empty if there is no way. Of several exits, by the nearest one inside. */
    public Optional<PathMetrics> metrics(int source, int place) {
        return rows.metrics(source, place);
    }

    /** The routers passed on the way, by their ids, the first and the exit included; empty if there is no way. */
    public List<Address> path(int source, int place) {
        return rows.path(source, place);
    }

    /**
     * How a place hangs on the network: networks inside if there are any, else at each exit the nearest one behind it. Cards
     * are 0, and so are AS numbers if the ranking function does not use them.
     */
    public List<PrefixAttachment> attachments(int place) {
        return place == NOWHERE ? List.of() : rows.places.place(place).attachments();
    }

    /** The id of a router by its number. */
    public Address router(int source) {
        return rows.graph.ids[source];
    }

    /** Tells each prefix and its place, in the order of bases, IPv4 first, shorter ones before those inside them. */
    public void forEachPrefix(ObjIntConsumer<Prefix> told) {
        table.forEach(told);
    }

    /** The longest prefix that holds an address, for explanations. Allocates. */
    public Optional<Prefix> longest(long high, long low) {
        return table.longest(high, low);
    }

    /** The number of the AS that an address belongs to, by its longest prefix; 0 if it is internal or not known. */
    public long asNumber(long high, long low) {
        return table.asNumber(high, low);
    }

    /** How many prefixes there are. */
    public int prefixes() {
        return table.size();
    }

    /** How often ranks of a router had to be forgotten for want of room, since the ranks of another snapshot were made last. */
    public long ranksDropped() {
        return rows.ranksDropped();
    }

    /** Bytes of what look-ups touch. */
    public long bytes() {
        return table.bytes();
    }
}
