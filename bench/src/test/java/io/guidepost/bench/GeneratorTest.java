package io.guidepost.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.gnrs.Message;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import io.guidepost.packet.Burst;
import io.guidepost.packet.MemoryNetwork;
import io.guidepost.packet.Port;
import io.guidepost.packet.UdpSettings;
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
class GeneratorTest {
    private static final long MILLI = 1_000_000;
    private static final long TURN_NANOS = 10_000;
    private static final int RECORDS = 100;

    private final MemoryNetwork network =
            new MemoryNetwork(MemoryNetwork.Weather.FAIR, new SplittableRandom(20261120));
    private final Map<Guid, Integer> records = new HashMap<>();
    private final List<Message> asked = new ArrayList<>();
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

    private Generator generator(Load load) {
        return new Generator(List.of(client), server.localAddress(), load, this::tick, () -> 0);
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
            Message question = read(bytes);
            asked.add(question);
            for (int copy = 0; copy < copies && answers.test(asked.size()); copy++) {
                int length = answer(question).write(out.segment(), out.room());
                out.append(length, in, i);
                server.tx(0).send(out);
            }
        }
    }

    private static Message read(byte[] bytes) {
        try {
            return Message.read(bytes);
        } catch (Malformed e) {
            throw new AssertionError("the generator sent what is no message", e);
        }
    }

    private Message answer(Message question) {
        return switch (question) {
            case Message.Lookup lookup -> new Message.LookupResponse(
                    lookup.id(), Message.noOrigin(), Message.Code.SUCCESS, places(lookup.guid()), List.of());
            case Message.Update update -> new Message.UpdateResponse(
                    update.id(), Message.noOrigin(), Message.Code.SUCCESS, List.of());
            default -> new Message.InsertResponse(
                    question.id(), Message.noOrigin(), Message.Code.SUCCESS, List.of());
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
        Tally tally = generator(Load.closed(Keys.uniform(RECORDS, 1), 32)).run(MILLI, 100 * MILLI);
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
        Load load = Load.closed(Keys.uniform(RECORDS, 1), 32).withTimeoutNanos(MILLI);
        Tally tally = generator(load).run(0, 200 * MILLI);
        assertThat(tally.lost()).isCloseTo(tally.sent() / 10, within(2L));
        assertThat(tally.answered() + tally.lost()).isEqualTo(tally.sent());
        assertThat(tally.latency().getTotalCount()).isEqualTo(tally.answered());
    }

    @Test
    void repeatedAndLateAnswersAreStrayAndNotCountedTwice() {
        copies = 2;
        Tally tally = generator(Load.closed(Keys.uniform(RECORDS, 1), 8)).run(0, 10 * MILLI);
        assertThat(tally.answered()).isEqualTo(tally.sent());
        assertThat(tally.stray()).isGreaterThan(0).isLessThanOrEqualTo(tally.answered() + 8);

        copies = 1;
        stalledUntilNanos = nowNanos + 20 * MILLI;
        Load impatient = Load.closed(Keys.uniform(RECORDS, 1), 8).withTimeoutNanos(MILLI);
        Tally late = generator(impatient).run(0, 30 * MILLI);
        assertThat(late.lost()).isGreaterThan(0);
        assertThat(late.stray()).isGreaterThanOrEqualTo(late.lost());
        assertThat(late.answered() + late.lost()).isEqualTo(late.sent());
    }

    @Test
    void anOpenLoopSendsAtItsRate() {
        Tally tally = generator(Load.open(Keys.uniform(RECORDS, 1), 20_000)).run(10 * MILLI, 500 * MILLI);
        assertThat(tally.sent()).isBetween(9_990L, 10_010L);
        assertThat(tally.lost()).isZero();
        assertThat(tally.latencyMicrosMax()).isLessThan(100);
    }

    @Test
    void aStallIsChargedToEveryRequestThatItDelayed() {
        Generator generator = generator(Load.open(Keys.uniform(RECORDS, 1), 20_000));
        stalledUntilNanos = nowNanos + 100 * MILLI;
        Tally tally = generator.run(0, 200 * MILLI);
        assertThat(tally.lost()).isZero();
        assertThat(tally.latencyMicrosMax()).isBetween(99_000.0, 101_000.0);
        // Half of the requests were meant to leave during the stall, and waited half of it in the mean.
        assertThat(tally.latencyMicros(75)).isBetween(45_000.0, 55_000.0);
    }

    @Test
    void wrongPlacesAndMissingNamesAreTold() {
        addressOffset = 1;
        Tally wrong = generator(Load.closed(Keys.uniform(RECORDS, 1), 8)).run(0, 10 * MILLI);
        assertThat(wrong.wrong()).isEqualTo(wrong.answered()).isPositive();

        List<Integer> unanswered = new ArrayList<>();
        Generator unbound = generator(Load.closed(Keys.sequential(RECORDS, 50), 8));
        unbound.onUnanswered(unanswered::add);
        Tally missing = unbound.runCount(50);
        assertThat(missing.missing()).isEqualTo(50);
        assertThat(unanswered).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void aCountedRunNamesWhatWasNotAcknowledged() {
        answers = number -> number % 7 != 0;
        Keys keys = Keys.sequential(0, RECORDS);
        Load load = Load.closed(keys, 16).withChanges(keys, Load.WHOLE, 0).withTimeoutNanos(MILLI);
        List<Integer> unanswered = new ArrayList<>();
        Generator loader = generator(load);
        loader.onUnanswered(unanswered::add);
        Tally tally = loader.runCount(RECORDS);
        assertThat(tally.sent()).isEqualTo(RECORDS);
        assertThat(tally.answered()).isEqualTo(RECORDS - 14);
        assertThat(unanswered).hasSize(14).doesNotHaveDuplicates();
        assertThat(asked).hasOnlyElementsOfType(Message.Insert.class).hasSize(RECORDS);
    }

    @Test
    void aMixHasItsShares() {
        Load load = Load.closed(Keys.uniform(RECORDS, 1), 64).withChanges(Keys.uniform(RECORDS, 2), 100, 200);
        generator(load).runCount(20_000);
        assertThat(asked.stream().filter(Message.Insert.class::isInstance).count()).isBetween(1800L, 2200L);
        assertThat(asked.stream().filter(Message.Update.class::isInstance).count()).isBetween(3700L, 4300L);
    }

    @Test
    void trainsLeaveWholeUntilTheLast() {
        Load load = Load.closed(Keys.uniform(RECORDS, 1), 256).withTrains(64);
        Tally tally = generator(load).runCount(1000);
        assertThat(tally.answered()).isEqualTo(1000);
    }
}
