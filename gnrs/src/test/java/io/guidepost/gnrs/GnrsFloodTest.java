package io.guidepost.gnrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsDoorStand.Answer;
import io.guidepost.gnrs.GnrsDoorStand.Peer;
import io.guidepost.gnrs.GnrsDoorStand.Sent;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A door whose worker is flooded: what it owes to those who do not flood it. */
class GnrsFloodTest {
    private static final int BURST = 64;
    private static final int ROUNDS = 4000;
    private static final Peer HONEST = Peer.of("192.0.2.1", 4000);
    private static final Peer FLOODER = Peer.of("198.51.100.1", 4001);

    private final GnrsDoorStand stand = new GnrsDoorStand();
    private int id;

    private Sent lookup(Peer from) {
        GnrsMessage lookup = new GnrsMessage.Lookup(++id, GnrsMessage.noOrigin(), Guid.ofAscii("n" + id % 1000), List.of());
        return new Sent(from, lookup.write());
    }

    private List<Sent> flood(int questions) {
        List<Sent> burst = new ArrayList<>();
        for (int i = 0; i < questions; i++) {
            burst.add(lookup(FLOODER));
        }
        return burst;
    }

    private static int to(Peer peer, List<Answer> answers) {
        return (int) answers.stream().filter(each -> each.to().equals(peer)).count();
    }

    /** Of each full burst one question is honest: it is answered in its turn, with but a few of the flood. */
    @Test
    void anHonestQuestionIsAnsweredInItsTurn() {
        int honest = 0;
        int flooder = 0;
        for (int turn = 0; turn < ROUNDS; turn++) {
            List<Sent> burst = flood(BURST - 1);
            burst.add(turn % BURST, lookup(HONEST));
            List<Answer> answers = stand.turn(burst, BURST);
            assertThat(to(HONEST, answers)).isLessThanOrEqualTo(1);
            if (turn >= ROUNDS / 2) {
                honest += to(HONEST, answers);
                flooder += to(FLOODER, answers);
            }
        }
        assertThat(honest).isEqualTo(ROUNDS / 2);
        assertThat(flooder)
                .as("the first of each turn go at once")
                .isLessThanOrEqualTo((FairTurns.WAITED_A_TURN + FairTurns.LONG_TURN) * ROUNDS / 2);
        assertThat(stand.count(GnrsCount.DROPPED_QUOTA_SOURCE)).isPositive();
        assertThat(stand.count(GnrsCount.WAITED)).isPositive();
        assertThat(stand.count(GnrsCount.LOOKUPS)).isLessThan((long) ROUNDS * BURST);
    }

    /** When bursts are short again, all that waits is answered, and the worker does not sleep before. */
    @Test
    void whatWaitedIsAnsweredWhenThereIsTime() {
        int answered = 0;
        int asked = 0;
        for (int turn = 0; turn < 500; turn++) {
            List<Sent> burst = flood(BURST - 1);
            burst.add(lookup(HONEST));
            asked += burst.size();
            answered += stand.turn(burst, BURST).size();
        }
        assertThat(stand.door.restNanos()).isZero();
        for (int turn = 0; turn < 100; turn++) {
            answered += stand.turn(List.of(), BURST).size();
        }
        assertThat(stand.door.restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(answered).isEqualTo(asked - (int) stand.count(GnrsCount.DROPPED_QUOTA_SOURCE));
    }

    /** A client alone, though it keeps the worker full, loses nothing and waits for nothing. */
    @Test
    void aClientAloneMayHaveItAll() {
        for (int turn = 0; turn < ROUNDS; turn++) {
            assertThat(stand.turn(flood(BURST), BURST)).hasSize(BURST);
        }
        assertThat(stand.count(GnrsCount.WAITED)).isZero();
    }
}
