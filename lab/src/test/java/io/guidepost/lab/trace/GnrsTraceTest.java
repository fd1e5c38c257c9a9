package io.guidepost.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.proximity.AsNotation;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces in the formats that are in use, and invented ones. */
class GnrsTraceTest {
    /** A file of the real data; the test that asks is skipped where there is none. */
    private static Path file(String name) {
        Path given = Path.of(Objects.requireNonNullElse(System.getenv("TEST_DATA"), "../../shared/data"));
        Path file = given.resolve(name);
        assumeTrue(Files.isReadable(file), () -> "needs " + file + ": set TEST_DATA to the folder that has it");
        return file;
    }

    private static List<TraceEvent> read(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (GnrsTrace trace = GnrsTrace.of(LineReader.of("t", new ByteArrayInputStream(bytes)))) {
            return read(trace);
        }
    }

    private static List<TraceEvent> read(GnrsTrace trace) throws Exception {
        List<TraceEvent> events = new ArrayList<>();
        Optional<TraceEvent> next = trace.next();
        while (next.isPresent()) {
            events.add(next.get());
            next = trace.next();
        }
        return events;
    }

    private static Binding binding(String place, long ttlMillis) throws Exception {
        return new Binding(Locator.parse(place), ttlMillis, 0);
    }

    @Test
    void tracesOfTheTraceClient() throws Exception {
        Guid word = Guid.ofAscii("abc");
        assertThat(read("# trace\n1 I abc 10.1.2.3:4444,30000,1,258,60000,2 # two\n\n2 U abc 10.9.8.7,0,1\n3 Q abc\n"))
                .containsExactly(
                        new TraceEvent(
                                2,
                                1,
                                GnrsRequest.insert(
                                        word,
                                        List.of(binding("10.1.2.3:4444", 30_000), binding("0.0.1.2:5001", 60_000)))),
                        new TraceEvent(4, 2, GnrsRequest.update(word, List.of(binding("10.9.8.7:5001", 0)))),
                        new TraceEvent(5, 3, GnrsRequest.lookup(word, true)));
    }

    @Test
    void requestLists() throws Exception {
        Locator net = new Locator(2, "NA1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII));
        Locator local = TraceLocators.network("NA3:258");
        assertThat(local.data()).endsWith(0, 0, 1, 2);
        String list =
                """
                1\tINSERT\t1\tNA1
                7\tU\tff\tNA1,NA3:258,10.0.0.1
                8\tLOOKUP\t1\tNA1\t2a\tNA1,NA2
                9\tL\t1\tNA1\t3\tN
                """;
        assertThat(read(list))
                .containsExactly(
                        new TraceEvent(1, 1, GnrsRequest.insert(new Guid(0, 0, 1), List.of(Binding.of(net)))),
                        new TraceEvent(
                                2,
                                7,
                                GnrsRequest.update(
                                        new Guid(0, 0, 255),
                                        List.of(Binding.of(net), Binding.of(local), binding("10.0.0.1:5001", 0)))),
                        new TraceEvent(3, 8, GnrsRequest.lookup(new Guid(0, 0, 42), true)),
                        new TraceEvent(4, 9, GnrsRequest.lookup(new Guid(0, 0, 3), true)));
    }

    @Test
    void eventLists() throws Exception {
        assertThat(read("5\tI\t1\t4766\tN\tN\n20005\tU\t691\t3549\tN\tN\n38237\tQ\t308\t9070\t582\t1470432\n"))
                .containsExactly(
                        new TraceEvent(
                                1, 5, GnrsRequest.insert(Guid.ofAscii("1"), List.of(binding("0.0.18.158:5001", 0)))),
                        new TraceEvent(
                                2,
                                20005,
                                GnrsRequest.update(Guid.ofAscii("691"), List.of(binding("0.0.13.221:5001", 0)))),
                        new TraceEvent(3, 38237, GnrsRequest.lookup(Guid.ofAscii("582"), true)));
    }

    @Test
    void everyBadLineIsTold(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("t"),
                """
                1 I a 1,2,3
                x I a 1,2,3
                2 Z a
                3
                4 Q
                5 I a
                6 I a 1,2
                7 I a host.example,1,1
                8 I a 1:70000,1,1
                9 I a 4294967296,1,1
                10 I a 1,-2,3
                11 Q é
                12 Q a
                """);
        FaultyFile fault = catchThrowableOfType(FaultyFile.class, () -> GnrsTrace.count(file));
        assertThat(fault.faults())
                .containsExactly(
                        file + ":2: 'x' is not a whole number from 0",
                        file + ":3: 'Z' is not a kind of event: write I or INSERT, U or UPDATE, Q, L or LOOKUP",
                        file + ":4: column 2 is missing: write I or INSERT, U or UPDATE, Q, L or LOOKUP",
                        file + ":5: column 3 is missing: write a GUID",
                        file + ":6: column 4 is missing: write places as place,ttl,weight",
                        file + ":7: '1,2' is not place,ttl,weight, again for each place",
                        file + ":8: 'host.example' is not a numeric IPv4 or IPv6 address",
                        file + ":9: '70000' is not a port from 0 to 65535",
                        file + ":10: '4294967296' is not a number from 0 to 4294967295",
                        file + ":11: '-2' is not a whole number from 0",
                        file + ":12: 'é' is not a GUID: write printable ASCII characters");
        FaultyFile first = catchThrowableOfType(FaultyFile.class, () -> {
            try (GnrsTrace trace = GnrsTrace.open(file)) {
                read(trace);
            }
        });
        assertThat(first).hasMessage(file + ":2: 'x' is not a whole number from 0");
    }

    @ParameterizedTest
    @EnumSource(TraceGenerator.Popularity.class)
    void inventedTracesAreReadBack(TraceGenerator.Popularity popularity, @TempDir Path folder) throws Exception {
        StringBuilder text = new StringBuilder();
        TraceGenerator.write(1, 1_000, 5_000, popularity, text);
        StringBuilder same = new StringBuilder();
        TraceGenerator.write(1, 1_000, 5_000, popularity, same);
        assertThat(text).hasToString(same.toString());
        Path file = Files.writeString(folder.resolve("t"), text);
        assertThat(GnrsTrace.count(file)).isEqualTo(new GnrsTrace.Counts(1_000, 0, 5_000));
        Set<Guid> inserted = new HashSet<>();
        for (TraceEvent event : read(text.toString())) {
            assertThat(event.number()).isEqualTo(event.line());
            if (event.request().kind() == GnrsRequest.Kind.INSERT) {
                assertThat(inserted.add(event.request().guid())).isTrue();
            } else {
                assertThat(inserted).contains(event.request().guid());
            }
        }
    }

    @Test
    void realTracesAreReadWhole() throws Exception {
        assertThat(GnrsTrace.count(file("trace-10k-inserts-50k-lookups.txt.gz")))
                .isEqualTo(new GnrsTrace.Counts(10_000, 0, 50_000));
        assertThat(GnrsTrace.count(file("trace-1k-inserts-1k-lookups.txt")))
                .isEqualTo(new GnrsTrace.Counts(1_002, 1_002, 988));
        assertThat(GnrsTrace.count(file("trace-sample.txt"))).isEqualTo(new GnrsTrace.Counts(3, 2, 5));
    }

    /** Lines with a few characters changed are read or refused by name of file and line, and nothing else happens. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void spoiltLinesAreReadOrRefused(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> lines = List.of(
                "1 I abc 10.1.2.3:4444,30000,1,258,60000,2",
                "7\tU\tff\tNA1,NA3:258,10.0.0.1",
                "8\tLOOKUP\t1\tNA1\t2a\tNA1,NA2",
                "38237\tQ\t308\t9070\t582\t1470432",
                "3 I x [2001:db8::1]:5001,1,1",
                "10.1.0.0/16 65001",
                "2001:db8::/32 1.5",
                "65001 10.1.2.3 5001");
        String spoilers = "0123456789abcxyzIUQL,:./[]%-\t #é\0";
        int refused = 0;
        for (int i = 0; i < 1_500; i++) {
            StringBuilder line = new StringBuilder(lines.get(random.nextInt(lines.size())));
            for (int change = random.nextInt(4); change > 0; change--) {
                int at = random.nextInt(line.length());
                char spoiler = spoilers.charAt(random.nextInt(spoilers.length()));
                line.replace(at, at + random.nextInt(2), String.valueOf(spoiler));
            }
            refused += refuses(line.toString()) ? 1 : 0;
        }
        assertThat(refused).isBetween(1, 1_499);
    }

    private static boolean refuses(String line) throws Exception {
        try {
            read(line);
            return false;
        } catch (FaultyFile e) {
            assertThat(e).hasMessageStartingWith("t:1: ");
        }
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            AsBindings.read(LineReader.of("t", new ByteArrayInputStream(bytes)), AsNotation.JAVA);
            return false;
        } catch (FaultyFile e) {
            assertThat(e).hasMessageStartingWith("t:1: ");
        }
        return true;
    }
}
