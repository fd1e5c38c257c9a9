package io.guidepost.lab.simulation;

import io.guidepost.base.Prefix;
import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.PlacementHash;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.proximity.Prefixes;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The tables of a simulated deployment: half of the address space announced in blocks of one size, an AS for each
 * server, and some ASes that have left.
 */
final class SimulatedTables {
    private static final int BLOCK_BITS = 10;

    /** The first AS number of servers: the AS of a server is 65000 plus its number. */
    private static final long AS_BASE = 65_000;

    private final int servers;
    private final int replicas;
    private final Prefixes prefixes;
    private final boolean[] left;
    private final List<Placement> all = new ArrayList<>();
    private Placement placement;

    SimulatedTables(SplittableRandom random, int servers, int replicas) {
        this.servers = servers;
        this.replicas = replicas;
        this.left = new boolean[servers];
        Prefixes.Builder builder = Prefixes.builder();
        for (int block = 0; block < 1 << BLOCK_BITS; block++) {
            if (block < servers || random.nextBoolean()) {
                // The first blocks give every AS an announcement.
                int as = block < servers ? block : random.nextInt(servers);
                builder.add(Prefix.ofIpv4(Integer.reverse(block), BLOCK_BITS), AS_BASE + as);
            }
        }
        prefixes = builder.build();
        placement = make();
        all.add(placement);
    }

    private Placement make() {
        if (servers == 1) {
            return Placement.everything();
        }
        Map<Long, InetSocketAddress> bindings = new HashMap<>();
        for (int server = 0; server < servers; server++) {
            if (!left[server]) {
                bindings.put(AS_BASE + server, SimulatedAddresses.server(server));
            }
        }
        PlacementSettings settings = new PlacementSettings(
                PlacementSettings.Mode.DMAP, PlacementHash.SHA_1, replicas, PlacementSettings.HASHES_MAX, Set.of());
        return Placement.of(prefixes, AsBindings.of(bindings), settings);
    }

    /** Toggles ASes: those that are present leave, those that have left return. */
    void change(List<Integer> those) {
        those.forEach(server -> left[server] ^= true);
        if (IntStream.range(0, servers).allMatch(server -> left[server])) {
            left[0] = false;
        }
        placement = make();
        all.add(placement);
    }

    /** Returns all placements so far. */
    List<Placement> all() {
        return all;
    }

    /** Returns whether the AS of a server has left. */
    boolean left(int server) {
        return left[server];
    }

    /** Returns the placement of the current tables, with no server as its own. */
    Placement placement() {
        return placement;
    }

    /** Returns the same as a server has it. */
    Placement of(int server) {
        return placement.at(Set.of(SimulatedAddresses.server(server)));
    }
}
