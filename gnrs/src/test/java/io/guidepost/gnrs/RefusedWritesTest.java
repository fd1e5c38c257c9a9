package io.guidepost.gnrs;

import static io.guidepost.gnrs.GnrsDoorStand.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsDoorStand.Answer;
import io.guidepost.gnrs.GnrsDoorStand.Peer;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsMessage.Code;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client with more writes under way than its network may have waits for its refusals; others, and the committer, do not. */
class RefusedWritesTest {
    private static final int PACE = GnrsLimits.REFUSALS_PER_MILLI_MAX;
    private static final Peer OTHER = Peer.of("198.51.100.7", 4001);

    private final GnrsDoorStand stand = new GnrsDoorStand();
    private final int share = GnrsDoorStand.open().writesInFlightMax() * 3 / 4;
    private int sent;

    @BeforeEach
    void theNetworkHasAllThatItMay() {
        assertThat(stand.burst(CLIENT, inserts(share))).isEmpty();
        assertThat(stand.burst(CLIENT, inserts(PACE))).hasSize(PACE).allMatch(each -> code(each) == Code.FAILED);
    }

    private List<byte[]> inserts(int count) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(insert());
        }
        return all;
    }

    private byte[] insert() {
        int id = sent++;
        return GnrsMessage.Insert.of(id, GnrsDoorTest.ANY, Guid.ofAscii("name" + id), List.of(Binding.of(GnrsDoorTest.A)))
                .write();
    }

    private static Code code(Answer answer) {
        return ((GnrsMessage.Response) answer.message()).code();
    }

    @Test
    void soManyRefusalsLeaveInAMillisecondAndTheOthersInTheNextInOrder() {
        assertThat(stand.door.restNanos()).isEqualTo(Long.MAX_VALUE);
        int first = sent;
        assertThat(stand.burst(CLIENT, inserts(2 * PACE))).isEmpty();
        assertThat(stand.burst(CLIENT, List.of())).as("the same millisecond").isEmpty();
        assertThat(stand.door.restNanos()).isEqualTo(RefusalPacer.PAUSE_NANOS);
        for (int expected = first; expected < sent; expected += PACE) {
            stand.now++;
            List<Answer> answers = stand.burst(CLIENT, List.of());
            assertThat(answers).hasSize(PACE).allMatch(each -> each.to().equals(CLIENT) && code(each) == Code.FAILED);
            assertThat(answers.getFirst().message().id()).isEqualTo(expected);
            assertThat(answers.getLast().message().id()).isEqualTo(expected + PACE - 1);
        }
        assertThat(stand.door.restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(stand.count(GnrsCount.WRITES_SOURCE_QUOTA)).isEqualTo(3L * PACE);
        assertThat(stand.count(GnrsCount.RESPONSES_INSERT_FAILED)).isEqualTo(3L * PACE);
    }

    @Test
    void whatWasWrittenIsToldBeforeWhatWasRefused() {
        stand.burst(CLIENT, inserts(PACE));
        stand.now++;
        List<Answer> answers = stand.settle();
        assertThat(answers).hasSize(share + PACE);
        assertThat(answers.subList(0, share)).allMatch(each -> code(each) == Code.SUCCESS);
        assertThat(answers.subList(share, share + PACE)).allMatch(each -> code(each) == Code.FAILED);
    }

    @Test
    void whatFindsNoPlaceToWaitIsDroppedAndCounted() {
        List<byte[]> flood = inserts(GnrsLimits.REFUSALS_WAITING_MAX + 100);
        assertThat(stand.burst(CLIENT, flood)).isEmpty();
        long dropped = stand.count(GnrsCount.DROPS_REFUSALS_MAX);
        // What does not fit before the end of the ring begins at 0 again: a place may be lost there.
        assertThat(dropped).isBetween(100L, 101L);
        long answered = 0;
        for (int milli = 0; milli <= flood.size() / PACE; milli++) {
            stand.now++;
            answered += stand.burst(CLIENT, List.of()).size();
        }
        assertThat(answered).isEqualTo(flood.size() - dropped);
        assertThat(stand.count(GnrsCount.REQUESTS_INSERT)).isEqualTo(sent);
        assertThat(stand.count(GnrsCount.WRITES_SOURCE_QUOTA)).isEqualTo(PACE + answered);
    }

    @Test
    void othersWriteAndReadMeanwhile() {
        stand.burst(CLIENT, inserts(2 * PACE));
        assertThat(stand.take(OTHER, insert())).isEmpty();
        byte[] lookup = GnrsDoorTest.lookup(Guid.ofAscii("name0")).write();
        assertThat(stand.take(OTHER, lookup)).hasSize(1);
        assertThat(stand.settle()).hasSize(share + 1).allMatch(each -> code(each) == Code.SUCCESS);
    }
}
