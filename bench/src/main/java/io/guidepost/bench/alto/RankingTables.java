package io.guidepost.bench.alto;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.PrefixTableGenerator;
import io.guidepost.proximity.Prefixes;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TestNetworks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A network for rankings: routers of {@link TestNetworks}, and behind their exits the prefixes of a full table of the
 * Internet, the real one if it is available, otherwise a generated one. Exits and AS distances are drawn from a seed.
 *
 * @param network the network
 * @param ipv4 the IPv4 prefixes
 * @param ipv6 the IPv6 prefixes; always the same few without a real table
 */
record RankingTables(OperatorNetwork network, List<Prefix> ipv4, List<Prefix> ipv6) {
    private static final String REAL = "prefixes-1062k.txt.gz";

    /** Percentages of prefixes known at one exit and at two; the others are known at all three. */
    private static final int ONE_EXIT = 60;

    private static final int TWO_EXITS = 85;

    /** More than a list of the longest shape, or a batch of lookups. */
    private static final int HOSTS_LEAST = 1 << 12;

    /** Of fewer prefixes than this, no table of the whole Internet is made. */
    private static final int SMALL = 10_000;

    private static @Nullable List<Prefix> whole;

    /**
     * Creates a network.
     *
     * @param routers 10, or an argument of {@link TestNetworks#ofRouters}
     * @param prefixes most prefixes of the table
     */
    static RankingTables of(int routers, int prefixes) throws IOException, Malformed {
        OperatorNetwork network = routers == 10 ? TestNetworks.small() : TestNetworks.ofRouters(routers);
        List<PrefixAttachment> exits = new ArrayList<>();
        network.forEach((prefix, hangs) -> hangs.stream()
                .filter(each -> exits.size() < 3
                        && !each.internal()
                        && exits.stream().noneMatch(other -> other.router().equals(each.router())))
                .forEach(exits::add));
        List<Prefix> ipv4 = new ArrayList<>();
        List<Prefix> ipv6 = new ArrayList<>();
        List<Prefix> all = new ArrayList<>(prefixes < SMALL ? invented(4 * prefixes) : table());
        SplittableRandom random = new SplittableRandom(1);
        for (int i = all.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            Prefix moved = all.get(i);
            all.set(i, all.get(other));
            all.set(other, moved);
        }
        for (Prefix each : all.subList(0, Math.min(prefixes, all.size()))) {
            (each.isIpv4() ? ipv4 : ipv6).add(each);
            int first = random.nextInt(3);
            int share = random.nextInt(100);
            int known = share < ONE_EXIT ? 1 : share < TWO_EXITS ? 2 : 3;
            long asNumber = 1L + random.nextInt(70_000);
            for (int i = 0; i < known; i++) {
                PrefixAttachment exit = exits.get((first + i) % 3);
                network.add(each, PrefixAttachment.external(exit.router(), exit.nic(), asNumber, 1 + random.nextInt(6)));
            }
        }
        return new RankingTables(network, ipv4, ipv6);
    }

    /** Returns how many hosts are looked up: as many as there are prefixes, a power of two. */
    static int hostCount(int prefixes) {
        return Math.max(HOSTS_LEAST, Integer.highestOneBit(prefixes));
    }

    /** Returns the whole table, which is read or invented once in a process. */
    private static synchronized List<Prefix> table() throws IOException, Malformed {
        List<Prefix> all = whole;
        if (all == null) {
            all = List.copyOf(readOrInvent());
            whole = all;
        }
        return all;
    }

    private static List<Prefix> readOrInvent() throws IOException, Malformed {
        Path real = Path.of(System.getenv().getOrDefault("TEST_DATA", "../shared/data"), REAL);
        if (Files.isReadable(real)) {
            List<Prefix> all = new ArrayList<>();
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(real)), StandardCharsets.US_ASCII))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    all.add(Prefix.parse(line.strip()));
                }
            }
            return all;
        }
        return invented(PrefixTableGenerator.PREFIXES);
    }

    private static List<Prefix> invented(int prefixes) {
        List<Prefix> all = new ArrayList<>();
        Prefixes invented = PrefixTableGenerator.generate(1, prefixes, PrefixTableGenerator.ASES);
        for (int i = 0; i < invented.ipv4Size(); i++) {
            all.add(Prefix.ofIpv4(invented.ipv4Base(i), invented.ipv4Length(i)));
            if (i % 6 == 0) {
                all.add(new Prefix(0x2001000000000000L | (long) i << 24, 0, 32 + i % 17));
            }
        }
        return all;
    }

    /** Returns IPv4 addresses of hosts in random prefixes. */
    int[] hosts(int count) {
        SplittableRandom random = new SplittableRandom(2);
        int[] hosts = new int[count];
        for (int i = 0; i < count; i++) {
            Prefix prefix = ipv4.get(random.nextInt(ipv4.size()));
            int bits = 128 - prefix.length();
            hosts[i] = (int) prefix.low() | (int) (random.nextLong() & (1L << bits) - 1);
        }
        return hosts;
    }

    /** Returns IPv6 addresses of hosts. */
    List<Address> ipv6Hosts(int count) {
        SplittableRandom random = new SplittableRandom(3);
        List<Address> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Prefix prefix = ipv6.get(random.nextInt(ipv6.size()));
            int length = prefix.length();
            long high = length < 64 ? random.nextLong() >>> length : 0;
            long low = length <= 64 ? random.nextLong() : length == 128 ? 0 : random.nextLong() >>> (length - 64);
            hosts.add(new Address(prefix.high() | high, prefix.low() | low));
        }
        return hosts;
    }
}
