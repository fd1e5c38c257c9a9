package io.guidepost.bench.alto;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the place lookup of an address by longest match in a full table of the Internet; the addresses are hosts of
 * random prefixes.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls the method marked as setup before any other.
public class PlaceTableBenchmark {
    /** Lookups come in lists; this many are one operation of JMH. */
    private static final int BATCH = 1 << 10;

    /** Prefixes of the table. */
    @Param("1062046")
    public int records;

    private int[] hosts;
    private long[] high;
    private long[] low;
    private Ranking ranking;
    private Ranking changed;
    private PrefixTable trie;
    private int next;

    /** Loads the table. */
    @Setup
    public void load() throws IOException, Malformed {
        RankingTables tables = RankingTables.of(216, records);
        int count = RankingTables.hostCount(records);
        hosts = tables.hosts(count);
        high = new long[count];
        low = new long[count];
        List<Address> ipv6 = tables.ipv6Hosts(count);
        for (int i = 0; i < count; i++) {
            high[i] = ipv6.get(i).high();
            low[i] = ipv6.get(i).low();
        }
        ranking = Ranking.of(tables.network(), RankingFunction.STANDARD, 1).settled();
        Prefixes.Builder builder = Prefixes.builder();
        ranking.forEachPrefix(builder::add);
        trie = PrefixTable.of(builder.build());
        PrefixAttachment elsewhere = ranking.attachments(1).getFirst();
        for (Prefix each : tables.ipv4().subList(0, Math.min(100, tables.ipv4().size()))) {
            tables.network().add(each, elsewhere);
        }
        changed = ranking.next(tables.network(), RankingFunction.STANDARD);
    }

    private int nextBatch() {
        next = next + BATCH & hosts.length - 1;
        return next;
    }

    /** Looks up IPv4 in the table of 32 MiB. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int ipv4() {
        return sum(ranking);
    }

    /** Looks up IPv4 just after 100 prefixes changed. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int ipv4AfterChanges() {
        return sum(changed);
    }

    private int sum(Ranking snapshot) {
        int sum = 0;
        int from = nextBatch();
        for (int i = from; i < from + BATCH; i++) {
            sum += snapshot.placeIpv4(hosts[i]);
        }
        return sum;
    }

    /** Looks up IPv4 in a poptrie. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int ipv4Poptrie() {
        int sum = 0;
        int from = nextBatch();
        for (int i = from; i < from + BATCH; i++) {
            sum += trie.findIpv4(hosts[i]);
        }
        return sum;
    }

    /** Looks up IPv6. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int ipv6() {
        int sum = 0;
        int from = nextBatch();
        for (int i = from; i < from + BATCH; i++) {
            sum += ranking.place(high[i], low[i]);
        }
        return sum;
    }
}
