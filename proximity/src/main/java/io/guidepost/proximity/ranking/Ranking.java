package io.guidepost.proximity.ranking;

import io.guidepost.names.Exchange;
import io.guidepost.proximity.Address;
import io.guidepost.proximity.Prefix;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import io.guidepost.proximity.topology.Attachment;
import io.guidepost.proximity.topology.Network;
import io.guidepost.proximity.topology.Topology;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/**
 * How near everything is, frozen: made from a {@link Network} at one moment, immutable, asked by any thread without a lock.
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
    public static final Ranking EMPTY = of(new Network(), RankingFunction.STANDARD, 0);

    private final PrefixTable table;
    private final PrefixTable loopBacks;
    private final Rows rows;
    private final Network network;
    private final long version;

    private Ranking(PrefixTable table, PrefixTable loopBacks, Rows rows, Network network, long version) {
        this.table = table;
        this.loopBacks = loopBacks;
        this.rows = rows;
        this.network = network;
        this.version = version;
    }

    /**
     * Freezes a network.
     *
     * @param version one more than the last one's
     */
    public static Ranking of(Network network, RankingFunction function, long version) {
        Places places = new Places(function.usesAsNumber());
        Prefixes.Builder builder = Prefixes.builder();
        Prefixes.Builder routers = Prefixes.builder();
        Network copy = new Network();
        network.forEach((prefix, attachments) -> {
            builder.add(prefix, places.prefix(attachments));
            attachments.forEach(each -> copy.add(prefix, each));
        });
        for (Address id : network.topology().routers().keySet()) {
            routers.add(id.prefix(), places.loopBack(id));
        }
        Rows rows = Rows.of(Graph.of(network.topology()), function, places.view());
        return new Ranking(PrefixTable.of(builder.build()), PrefixTable.of(routers.build()), rows, copy, version);
    }

    /** Numbers snapshots from 1; 0 is {@link #EMPTY}. */
    public long version() {
        return version;
    }

    /** The routers. */
    public Topology topology() {
        return rows.graph.topology;
    }

    /** Places, without nowhere: they are numbered from 1 to this. */
    public int places() {
        return rows.places.size();
    }

    /** The place of an IPv4 address. Allocates nothing. */
    public int placeIpv4(int address) {
        return place(0, Exchange.ipv4Low(address));
    }

    /** The place of an address, IPv4 in its mapped form. Allocates nothing. */
    public int place(long high, long low) {
        int found = table.find(high, low);
        if (found != PrefixTable.NONE) {
            return (int) table.value(found);
        }
        int own = loopBacks.find(high, low);
        return own == PrefixTable.NONE ? NOWHERE : (int) loopBacks.value(own);
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
    public Optional<Metrics> metrics(int source, int place) {
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
    public List<Attachment> attachments(int place) {
        return place == NOWHERE ? List.of() : rows.places.place(place).attachments();
    }

    /** The id of a router by its number. */
    public Address router(int source) {
        return rows.graph.ids[source];
    }

    /** Tells each prefix and its place, in the order of bases, IPv4 first, shorter ones before those inside them. */
    public void forEachPrefix(ObjIntConsumer<Prefix> told) {
        for (int i = 0; i < table.size(); i++) {
            PrefixTable.Entry entry = table.entry(i);
            told.accept(entry.prefix(), (int) entry.value());
        }
    }

    /** The longest prefix that holds an address, for explanations. Allocates. */
    public Optional<Prefix> longest(long high, long low) {
        return table.longest(high, low);
    }

    /** The number of the AS that an address belongs to, by its longest prefix; 0 if it is internal or not known. */
    public long asNumber(long high, long low) {
        return longest(high, low).map(each -> Places.asNumber(network.attachments(each))).orElse(0L);
    }

    /** How many prefixes there are. */
    public int prefixes() {
        return table.size();
    }

    /** Bytes of what look-ups touch. */
    public long bytes() {
        return table.trieBytes() + loopBacks.trieBytes();
    }
}
