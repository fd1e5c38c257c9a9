package io.guidepost.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.memory.MemoryNetwork;
import io.guidepost.packet.udp.UdpSettings;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The generator against a server in the same thread, on a network and a clock of the test's own. */
class GnrsLoadGeneratorTest {
    private static final long MILLI = 1_000_000;
    private static final long TURN_NANOS = 10_000;
    private static final int RECORDS = 100;

    private final MemoryNetwork network =
            new MemoryNetwork(MemoryNetwork.Impairment.NONE, new SplittableRandom(20261120));
    private final Map<Guid, Integer> records = new HashMap<>();
    private final List<GnrsMessage> asked = new ArrayList<>();
    private Port server;
    private Port client;
    private Burst in;
    private Burst out;
    private long nowNanos = 1_000_000_000L;
    private long stalledUntilNanos;
    private Predicate<Integer> answers = number -> true;
    private int copies = 1;
    private int addressOffset;

    @BeforeEach
    void open() throws IOException {
        server = network.open(settings(5001));
        client = network.open(settings(4001));
        in = server.rx(0).burst();
        out = server.tx(0).burst();
        for (int i = 0; i < RECORDS; i++) {
            records.put(SyntheticRecords.guid(i), i);
        }
    }

    private static UdpSettings settings(int port) {
        return UdpSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private GnrsLoadGenerator generator(LoadProfile load) {
        return new GnrsLoadGenerator(List.of(client), server.localAddress(), load, this::tick, () -> 0);
    }

    /** The clock: while it moves, the server works. */
    private long tick() {
        nowNanos += TURN_NANOS;
        if (nowNanos >= stalledUntilNanos) {
            serve();
        }
        return nowNanos;
    }

    private void serve() {
        int count = server.rx(0).receive(in);
        for (int i = 0; i < count; i++) {
            byte[] bytes = in.segment().asSlice(in.offset(i), in.length(i)).toArray(ValueLayout.JAVA_BYTE);
            GnrsMessage question = read(bytes);
            asked.add(question);
            for (int copy = 0; copy < copies && answers.test(asked.size()); copy++) {
                int length = answer(question).write(out.segment(), out.room());
                out.append(length, in, i);
                server.tx(0).send(out);
            }
        }
    }

    private static GnrsMessage read(byte[] bytes) {
        try {
            return GnrsMessage.read(bytes);
        } catch (Malformed e) {
            throw new AssertionError("the generator sent what is no message", e);
        }
    }

    private GnrsMessage answer(GnrsMessage question) {
        return switch (question) {
            case GnrsMessage.Lookup lookup -> new GnrsMessage.LookupResponse(
                    lookup.id(), GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, places(lookup.guid()), List.of());
            case GnrsMessage.Update update -> new GnrsMessage.UpdateResponse(
                    update.id(), GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of());
            default -> new GnrsMessage.InsertResponse(
                    question.id(), GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of());
        };
    }

    private List<Locator> places(Guid guid) {
        Integer record = records.get(guid);
        if (record == null) {
            return List.of();
        }
        int address = SyntheticRecords.address(record) + addressOffset;
        byte[] data = {(byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address, 15, -96};
        return List.of(new Locator(Locator.Type.IPV4_UDP.code(), data));
    }

    @Test
    void aClosedLoopKeepsItsWindowFullAndLosesNothing() {
        LoadResult tally = generator(LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), 32)).run(MILLI, 100 * MILLI);
        assertThat(tally.sent()).isGreaterThan(1000);
        assertThat(tally.answered()).isEqualTo(tally.sent());
        assertThat(tally.lost()).isZero();
        assertThat(tally.stray()).isZero();
        assertThat(tally.clean()).isTrue();
        assertThat(tally.latency().getTotalCount()).isEqualTo(tally.answered());
    }

    @Test
    void requestsWithoutAnswerAreLostAfterTheirTimeOut() {
        answers = number -> number % 10 != 0;
        LoadProfile load = LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), 32).withTimeoutNanos(MILLI);
        LoadResult tally = generator(load).run(0, 200 * MILLI);
        assertThat(tally.lost()).isCloseTo(tally.sent() / 10, within(2L));
        assertThat(tally.answered() + tally.lost()).isEqualTo(tally.sent());
        assertThat(tally.latency().getTotalCount()).isEqualTo(tally.answered());
    }

    @Test
    void repeatedAndLateAnswersAreStrayAndNotCountedTwice() {
        copies = 2;
        LoadResult tally = generator(LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), 8)).run(0, 10 * MILLI);
        assertThat(tally.answered()).isEqualTo(tally.sent());
        assertThat(tally.stray()).isGreaterThan(0).isLessThanOrEqualTo(tally.answered() + 8);

        copies = 1;
        stalledUntilNanos = nowNanos + 20 * MILLI;
        LoadProfile impatient = LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), 8).withTimeoutNanos(MILLI);
        LoadResult late = generator(impatient).run(0, 30 * MILLI);
        assertThat(late.lost()).isGreaterThan(0);
        assertThat(late.stray()).isGreaterThanOrEqualTo(late.lost());
        assertThat(late.answered() + late.lost()).isEqualTo(late.sent());
    }

    @Test
    void anOpenLoopSendsAtItsRate() {
        LoadResult tally = generator(LoadProfile.open(KeyDistribution.uniform(RECORDS, 1), 20_000)).run(10 * MILLI, 500 * MILLI);
        assertThat(tally.sent()).isBetween(9_990L, 10_010L);
        assertThat(tally.lost()).isZero();
        assertThat(tally.latencyMicrosMax()).isLessThan(100);
    }

    @Test
    void aStallIsChargedToEveryRequestThatItDelayed() {
        GnrsLoadGenerator generator = generator(LoadProfile.open(KeyDistribution.uniform(RECORDS, 1), 20_000));
        stalledUntilNanos = nowNanos + 100 * MILLI;
        LoadResult tally = generator.run(0, 200 * MILLI);
        assertThat(tally.lost()).isZero();
        assertThat(tally.latencyMicrosMax()).isBetween(99_000.0, 101_000.0);
        // Half of the requests were meant to leave during the stall, and waited half of it in the mean.
        assertThat(tally.latencyMicros(75)).isBetween(45_000.0, 55_000.0);
    }

    @Test
    void wrongPlacesAndMissingNamesAreTold() {
        addressOffset = 1;
        LoadResult wrong = generator(LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), 8)).run(0, 10 * MILLI);
        assertThat(wrong.wrong()).isEqualTo(wrong.answered()).isPositive();

        List<Integer> unanswered = new ArrayList<>();
        GnrsLoadGenerator unbound = generator(LoadProfile.closed(KeyDistribution.sequential(RECORDS, 50), 8));
        unbound.onUnanswered(unanswered::add);
        LoadResult missing = unbound.runCount(50);
        assertThat(missing.missing()).isEqualTo(50);
        assertThat(unanswered).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void aCountedRunNamesWhatWasNotAcknowledged() {
        answers = number -> number % 7 != 0;
        KeyDistribution keys = KeyDistribution.sequential(0, RECORDS);
        LoadProfile load = LoadProfile.closed(keys, 16).withChanges(keys, LoadProfile.WHOLE, 0).withTimeoutNanos(MILLI);
        List<Integer> unanswered = new ArrayList<>();
        GnrsLoadGenerator loader = generator(load);
        loader.onUnanswered(unanswered::add);
        LoadResult tally = loader.runCount(RECORDS);
        assertThat(tally.sent()).isEqualTo(RECORDS);
        assertThat(tally.answered()).isEqualTo(RECORDS - 14);
        assertThat(unanswered).hasSize(14).doesNotHaveDuplicates();
        assertThat(asked).hasOnlyElementsOfType(GnrsMessage.Insert.class).hasSize(RECORDS);
    }

    @Test
    void aMixHasItsShares() {
        LoadProfile load = LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), 64)
                .withChanges(KeyDistribution.uniform(RECORDS, 2), 100, 200);
        generator(load).runCount(20_000);
        assertThat(asked.stream().filter(GnrsMessage.Insert.class::isInstance).count()).isBetween(1800L, 2200L);
        assertThat(asked.stream().filter(GnrsMessage.Update.class::isInstance).count()).isBetween(3700L, 4300L);
    }

    @Test
    void trainsLeaveWholeUntilTheLast() {
        LoadProfile load = LoadProfile.closed(KeyDistribution.uniform(RECORDS, 1), 256).withTrains(64);
        LoadResult tally = generator(load).runCount(1000);
        assertThat(tally.answered()).isEqualTo(1000);
    }
}
