package io.guidepost.lab.dmap;

import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.PlacementHash;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.lab.asgraph.AsGraph;
import io.guidepost.names.Guid;
import io.guidepost.proximity.Prefixes;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Placement of GUIDs when every AS of a graph has a server of its own. The placement is that of the server, called as
 * the door calls it. Not thread-safe.
 */
final class DeployedPlacement {
    /** The address of node n is 10.0.0.0 + n: any distinct addresses would do. */
    private static final int FIRST_ADDRESS = 10 << 24;

    private static final int NODES_MAX = 1 << 24;
    private static final int PORT = 5001;

    private final Placement placement;
    private final Placer placer;
    private final InetSocketAddress[] found;

    private DeployedPlacement(Placement placement, int replicas) {
        this.placement = placement;
        this.placer = placement.placer();
        this.found = new InetSocketAddress[replicas];
    }

    /**
     * Binds every AS of a graph to a server.
     *
     * @throws IllegalArgumentException if no prefix belongs to an AS of the graph
     */
    static AsBindings bindings(AsGraph graph) {
        if (graph.size() > NODES_MAX) {
            throw new IllegalArgumentException("at most " + NODES_MAX + " ASes, not " + graph.size());
        }
        Map<Long, InetSocketAddress> servers = new HashMap<>();
        for (int node = 0; node < graph.size(); node++) {
            servers.put(graph.as(node), new InetSocketAddress(address(node), PORT));
        }
        return AsBindings.of(servers);
    }

    private static InetAddress address(int node) {
        try {
            return InetAddress.getByAddress(
                    ByteBuffer.allocate(Integer.BYTES).putInt(FIRST_ADDRESS + node).array());
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    /** Creates a placement by a table, with DMap's own settings but for the number of replicas. */
    static DeployedPlacement of(Prefixes prefixes, AsBindings bindings, int replicas) {
        PlacementSettings settings = new PlacementSettings(
                PlacementSettings.Mode.DMAP,
                PlacementHash.SHA_1,
                replicas,
                PlacementSettings.HASHES_MAX,
                Set.of());
        return new DeployedPlacement(Placement.of(prefixes, bindings, settings), replicas);
    }

    Placement placement() {
        return placement;
    }

    /** Finds the nodes of the different servers of a GUID, in the order of the hashes, and returns their number. */
    int nodes(Guid guid, MemorySegment scratch, int[] nodes, int from) {
        guid.write(scratch, 0);
        int count = placer.servers(scratch, 0, found);
        for (int i = 0; i < count; i++) {
            nodes[from + i] = node(found[i]);
        }
        return count;
    }

    static int node(InetSocketAddress server) {
        byte[] bytes = ((Inet4Address) server.getAddress()).getAddress();
        return ByteBuffer.wrap(bytes).getInt() - FIRST_ADDRESS;
    }
}
