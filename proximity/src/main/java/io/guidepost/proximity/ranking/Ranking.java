package io.guidepost.proximity.ranking;

import io.guidepost.proximity.Address;
import io.guidepost.proximity.Prefix;
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
    public static final Ranking EMPTY = new Ranking(Topology.EMPTY, 0);

    private final Topology topology;
    private final long version;

    private Ranking(Topology topology, long version) {
        this.topology = topology;
        this.version = version;
    }

    /**
     * Freezes a network.
     *
     * @param version one more than the last one's
     */
    public static Ranking of(Network network, RankingFunction function, long version) {
        return new Ranking(network.topology(), version);
    }

    /** Numbers snapshots from 1; 0 is {@link #EMPTY}. */
    public long version() {
        return version;
    }

    /** The routers. */
    public Topology topology() {
        return topology;
    }

    /** Places, without nowhere: they are numbered from 1 to this. */
    public int places() {
        return 0;
    }

    /** The place of an IPv4 address. Allocates nothing. */
    public int placeIpv4(int address) {
        return NOWHERE;
    }

    /** The place of an address, IPv4 in its mapped form. Allocates nothing. */
    public int place(long high, long low) {
        return NOWHERE;
    }

    /**
     * Where what comes from a place gets into the network: the number of a router, from 0 in the order of ids, or
     * {@link #NO_SOURCE}. Of several exits the one with the smallest AS distance, then the lowest id.
     */
    public int source(int place) {
        return NO_SOURCE;
    }

    /**
     * The rank of each place for somebody at a router; index 0 is nowhere and {@link #UNRANKED}. To be read only. The first
     * call for a router works it out, the next ones allocate nothing.
     */
    public char[] ranks(int source) {
        return new char[] {UNRANKED};
    }

    /** How far a place is from a router by the ranking function; not a number if it is not to be reached. */
    public double cost(int source, int place) {
        return Double.NaN;
    }

    /** What the ranking function was given; empty if there is no way. Of several exits, by the nearest one inside. */
    public Optional<Metrics> metrics(int source, int place) {
        return Optional.empty();
    }

    /** The routers passed on the way, by their ids, the first and the exit included; empty if there is no way. */
    public List<Address> path(int source, int place) {
        return List.of();
    }

    /** How a place hangs on the network; AS numbers are 0 if the ranking function does not use them. */
    public List<Attachment> attachments(int place) {
        return List.of();
    }

    /** The id of a router by its number. */
    public Address router(int source) {
        return List.copyOf(topology.routers().keySet()).get(source);
    }

    /** Tells each prefix and its place, in the order of bases, IPv4 first, shorter ones before those inside them. */
    public void forEachPrefix(ObjIntConsumer<Prefix> told) {}

    /** The longest prefix that holds an address, for explanations. Allocates. */
    public Optional<Prefix> longest(long high, long low) {
        return Optional.empty();
    }

    /** The number of the AS that an address belongs to, by its longest prefix; 0 if it is internal or not known. */
    public long asNumber(long high, long low) {
        return 0;
    }

    /** How many prefixes there are. */
    public int prefixes() {
        return 0;
    }

    /** Bytes of what look-ups touch. */
    public long bytes() {
        return 0;
    }
}
