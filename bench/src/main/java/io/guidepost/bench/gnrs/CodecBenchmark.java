package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.GnrsRequestTemplates;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsParseResult;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures parsing of a request in place. */
@State(Scope.Thread)
public class CodecBenchmark {
    private final MemorySegment lookup = Arena.global().allocate(GnrsRequestTemplates.BYTES_MAX, 8);
    private final MemorySegment insert = Arena.global().allocate(GnrsRequestTemplates.BYTES_MAX, 8);
    private final GnrsMessageFlyweight flyweight = new GnrsMessageFlyweight();
    private final int lookupLength;
    private final int insertLength;

    /** Encodes one request of each kind. */
    public CodecBenchmark() {
        GnrsRequestTemplates questions = new GnrsRequestTemplates(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4001));
        lookupLength = questions.lookup(lookup, 0, 1, 1);
        insertLength = questions.change(GnrsRequestTemplates.Kind.INSERT, insert, 0, 1, 1, 4000);
    }

    /** Parses a LOOKUP without options. */
    @Benchmark
    public GnrsParseResult parseLookup() {
        return flyweight.parse(lookup, 0, lookupLength);
    }

    /** Parses an INSERT of one locator. */
    @Benchmark
    public GnrsParseResult parseInsert() {
        return flyweight.parse(insert, 0, insertLength);
    }
}
