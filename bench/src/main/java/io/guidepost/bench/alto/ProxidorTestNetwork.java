package io.guidepost.bench.alto;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TestNetworks;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * A test network in which loopback is the source network of the thesis, 130.149.221.0/24. The server gets it as the
 * Oracle's own files, the C program as a table.
 */
public final class ProxidorTestNetwork {
    private static final int SMALL = 10;
    private static final int BLOCK = 256;
    private static final int NETWORKS = 1 << 24;
    private static final int BLOCK_MARK = 0x8000;
    private static final int IPV4_BITS_OF_24 = 96 + 24;
    private static final Prefix ASKING = Prefix.ofIpv4(130 << 24 | 149 << 16 | 221 << 8, 24);
    private static final Prefix LOOPBACK = Prefix.ofIpv4(127 << 24, 8);

    private final OperatorNetwork network;
    private final Ranking ranking;
    private final char[] ranks;

    private ProxidorTestNetwork(OperatorNetwork network) {
        this.network = network;
        PrefixAttachment asking = network.attachments(ASKING).getFirst();
        network.add(LOOPBACK, asking);
        ranking = Ranking.of(network, RankingFunction.STANDARD, 1);
        ranks = ranking.ranks(ranking.source(ranking.placeIpv4((int) ASKING.low())));
    }

    /** Returns the network of 10 routers, that of 216, or another size. */
    public static ProxidorTestNetwork of(int routers) {
        return new ProxidorTestNetwork(routers == SMALL ? TestNetworks.small() : TestNetworks.ofRouters(routers));
    }

    /** Returns the rank of an address for a client at loopback. */
    char rank(int ipv4) {
        return ranks[ranking.placeIpv4(ipv4)];
    }

    /** Writes the Oracle's configuration files into a new folder; returns the main one. */
    public Path writeFiles(Path folder) {
        try {
            List<String> unsaid = OracleDump.write(network, OracleSettings.DEFAULTS, folder);
            if (!unsaid.isEmpty()) {
                throw new BenchFailure("the test network cannot be written: " + unsaid.getFirst());
            }
            return folder.resolve(OracleDump.MAIN_FILE);
        } catch (IOException e) {
            throw new BenchFailure("cannot write the test network: " + e.getMessage(), e);
        }
    }

    /** Writes the table that {@code proxidor_responder.c} reads. */
    Path writeTable(Path file) {
        BitSet split = new BitSet(NETWORKS);
        ranking.forEachPrefix((prefix, _) -> {
            if (prefix.isIpv4() && prefix.length() > IPV4_BITS_OF_24) {
                split.set((int) prefix.low() >>> 8);
            }
        });
        int places = ranking.places() + 1;
        int blocks = split.cardinality();
        if (places > BLOCK_MARK || blocks >= BLOCK_MARK) {
            throw new BenchFailure("the table in C has no room for " + places + " places and " + blocks + " blocks");
        }
        ByteBuffer bytes = ByteBuffer.allocate(2 * Integer.BYTES + 2 * (NETWORKS + BLOCK * blocks + 2 * places))
                .order(ByteOrder.nativeOrder());
        bytes.putInt(blocks).putInt(places);
        int block = 0;
        for (int net = 0; net < NETWORKS; net++) {
            bytes.putChar((char) (split.get(net) ? BLOCK_MARK | block++ : ranking.placeIpv4(net << 8)));
        }
        for (int net = split.nextSetBit(0); net >= 0; net = split.nextSetBit(net + 1)) {
            for (int host = 0; host < BLOCK; host++) {
                bytes.putChar((char) ranking.placeIpv4(net << 8 | host));
            }
        }
        int asking = ranking.source(ranking.place(Addresses.IPV4_HIGH, ASKING.low()));
        for (int place = 0; place < places; place++) {
            bytes.putChar(ranks[place]);
        }
        for (int place = 0; place < places; place++) {
            bytes.putChar((char) (ranking.source(place) == asking ? 1 : 0));
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(bytes.array());
        } catch (IOException e) {
            throw new BenchFailure("cannot write " + file + ": " + e.getMessage(), e);
        }
        return file;
    }

    /** Formats an address. */
    static String text(int ipv4) {
        return Address.ofIpv4(ipv4).toString();
    }
}
