package io.guidepost.bench.alto;

import io.guidepost.base.Malformed;
import io.guidepost.proximity.ranking.CountingSort;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures ranking of a list of addresses: longest match of each, and counting sort. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls the method marked as setup before any other.
public class RankingBenchmark {
    /** Routers of the network, and addresses in a list. */
    @Param({"10x100", "5000x100", "216x2", "216x10", "216x50", "216x100", "216x200", "216x300", "216x363"})
    public String shape;

    /** Prefixes of the table. */
    @Param("1062046")
    public int records;

    private int[] hosts;
    private int[] sources;
    private CountingSort order;
    private Ranking ranking;
    private int size;
    private int next;

    /** Loads the network. */
    @Setup
    public void load() throws IOException, Malformed {
        int cross = shape.indexOf('x');
        size = Integer.parseInt(shape.substring(cross + 1));
        RankingTables tables = RankingTables.of(Integer.parseInt(shape.substring(0, cross)), records);
        hosts = tables.hosts(RankingTables.hostCount(records));
        ranking = Ranking.of(tables.network(), RankingFunction.STANDARD, 1).settled();
        order = new CountingSort(size);
        sources = new int[64];
        for (int i = 0; i < sources.length; i++) {
            // Networks of clients: 130.149.1.0 and following.
            sources[i] = 130 << 24 | 149 << 16 | 1 + i << 8 | 1;
        }
    }

    /** Ranks one list. */
    @Benchmark
    public int list() {
        next = next + size < hosts.length - size ? next + size : 0;
        char[] ranks = ranking.ranks(ranking.source(ranking.placeIpv4(sources[next & sources.length - 1])));
        char[] own = order.ranks();
        for (int i = 0; i < size; i++) {
            own[i] = ranks[ranking.placeIpv4(hosts[next + i])];
        }
        return order.sort(size, false) + order.positions()[0];
    }
}
