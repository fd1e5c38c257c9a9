package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.segment.FlowTuple;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The IPv4 addresses that stand for objects and hosts in this host's own programs; those of IPv6 have them inside. An address
 * follows from the GUID's hash, the next free one if it is taken, so that a gateway that starts again mostly gives the same; those in
 * its memory stay. None is given to another while the gateway runs. Not thread-safe.
 */
final class AddressAliases {
    /** Addresses that are kept: what is beyond gets none. */
    static final int ALIASES_MAX = 1 << 20;

    /** The first addresses of the network are the host's own. */
    private static final int RESERVED = 256;

    private final int network;
    private final int space;
    private final Map<Guid, Integer> byGuid = new HashMap<>();
    private final Map<Integer, Guid> byAddress = new HashMap<>();

    /** Objects that have an address because their name was asked for. */
    private final Set<Guid> objects = new HashSet<>();

    private final FlowMemory.Rows kept;

    AddressAliases(GatewaySettings settings, FlowMemory.Rows kept) {
        this.kept = kept;
        network = settings.network();
        space = (1 << 32 - settings.prefixBits()) - RESERVED - 1;
        kept.forEach(row -> add((int) (Memory.slot(row) >>> 1), Guid.read(Memory.ALL, row + Long.BYTES), (Memory.slot(row) & 1) != 0));
    }

    /** Returns the address of an object or a host; 0 if there are too many. */
    int of(Guid guid, boolean object) {
        Integer there = byGuid.get(guid);
        if (there != null) {
            return there;
        }
        if (byGuid.size() >= Math.min(ALIASES_MAX, space / 2)) {
            return 0;
        }
        int at = Integer.remainderUnsigned(guid.low() ^ (int) guid.high(), space);
        while (byAddress.containsKey(network + RESERVED + at)) {
            at = (at + 1) % space;
        }
        int address = network + RESERVED + at;
        add(address, guid, object);
        long row = kept.take();
        if (row != 0) {
            guid.write(Memory.ALL, row + Long.BYTES);
            Memory.slot(row, Integer.toUnsignedLong(address) << 1 | (object ? 1 : 0));
        }
        return address;
    }

    private void add(int address, Guid guid, boolean object) {
        byGuid.put(guid, address);
        byAddress.put(address, guid);
        if (object) {
            objects.add(guid);
        }
    }

    boolean isObject(Guid guid) {
        return objects.contains(guid);
    }

    /** Returns the object or host of the address that a packet is sent to; null if it was given to none. */
    @Nullable
    Guid find(FlowTuple sent) {
        boolean ours = sent.isIpv4() || sent.peerHigh() == GatewaySettings.IPV6_HIGH && sent.peerLow() >>> Integer.SIZE == 0;
        return ours ? byAddress.get((int) sent.peerLow()) : null;
    }
}
