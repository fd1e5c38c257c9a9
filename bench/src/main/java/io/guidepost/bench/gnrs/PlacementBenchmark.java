package io.guidepost.bench.gnrs;

import io.guidepost.base.FaultyFile;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.names.Guid;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.PrefixTableFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the longest match in the prefix table, and whether a name is placed at this server. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls the method marked as setup before any other.
public class PlacementBenchmark {
    private static final int NAMES = 1 << 14;
    private static final int STRIDE = 32;

    private final MemorySegment names = Arena.global().allocate((long) NAMES * STRIDE, 64);
    private PrefixTable table;
    private Placer here;
    private Placer elsewhere;
    private int next;

    /** Reads the real tables if they are available, else generated ones. */
    @Setup
    public void load() throws IOException, FaultyFile {
        Path folder = Files.createTempDirectory("guidepost-micro");
        try {
            PlacementTables files = PlacementTables.of(null, null, false, folder);
            table = PrefixTable.of(PrefixTableFile.read(files.prefixes(), AsNotation.PLAIN));
            here = placer(files, new InetSocketAddress(InetAddress.getLoopbackAddress(), 5001));
            elsewhere = placer(files, new InetSocketAddress(InetAddress.getLoopbackAddress(), 5002));
        } finally {
            Files.deleteIfExists(folder.resolve("prefixes"));
            Files.deleteIfExists(folder.resolve("bindings"));
            Files.delete(folder);
        }
        for (int i = 0; i < NAMES; i++) {
            SyntheticRecords.guid(i).write(names, (long) i * STRIDE);
        }
    }

    private static Placer placer(PlacementTables files, InetSocketAddress own) throws IOException, FaultyFile {
        return Placement.load(files.prefixes(), files.bindings(), PlacementSettings.of(Set.of(own)))
                .placer();
    }

    /** Looks up the longest match of an address. */
    @Benchmark
    public int findPrefix() {
        return table.findIpv4((int) Guid.read(names, nextName()).high());
    }

    /** Tests a name where all ASes are bound to this server. */
    @Benchmark
    public boolean isHereAlways() {
        return here.isHere(names, nextName());
    }

    /** Tests a name where no AS is bound to this server: all replicas are hashed and looked up in vain. */
    @Benchmark
    public boolean isHereNever() {
        return elsewhere.isHere(names, nextName());
    }

    private long nextName() {
        next = next + 1 & NAMES - 1;
        return (long) next * STRIDE;
    }
}
