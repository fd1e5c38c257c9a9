package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of one connection, segment by segment. */
class TcpTrackingTest {
    private static final boolean OUTWARD = false;
    private static final boolean INWARD = true;
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 16;
    private static final int MAPPING = 3;

    private final TcpTracking tracking = new TcpTracking(4);
    private final MemorySegment segment = Arena.ofAuto().allocate(64);
    private int state = TcpTracking.OPENING;

    private int sends(boolean inward, int flags, int sequence, int acknowledged) {
        return sends(inward, flags, sequence, acknowledged, 20, 0);
    }

    private int sends(boolean inward, int flags, int sequence, int acknowledged, int header, int data) {
        long at = segment.address();
        Memory.put32(at + 4, sequence);
        Memory.put32(at + 8, acknowledged);
        Memory.put16(at + 12, header << 10 | flags);
        state = tracking.after(MAPPING, state, at, header + data, inward);
        return state;
    }

    private void connects() {
        assertThat(sends(OUTWARD, SYN, 100, 0)).isEqualTo(TcpTracking.OPENING);
        assertThat(sends(INWARD, SYN | ACK, 500, 101)).isEqualTo(TcpTracking.ESTABLISHED);
        assertThat(sends(OUTWARD, ACK, 101, 501)).isEqualTo(TcpTracking.ESTABLISHED);
        assertThat(sends(INWARD, ACK, 501, 101)).isEqualTo(TcpTracking.ESTABLISHED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {OUTWARD, INWARD})
    void eachSideClosesAndThenBothHave(boolean first) {
        connects();
        int one = first ? 501 : 101;
        int other = first ? 101 : 501;
        int closed = first ? TcpTracking.FIN_INWARD : TcpTracking.FIN_OUTWARD;
        assertThat(sends(first, FIN | ACK, one, other)).isEqualTo(closed);
        assertThat(sends(first, FIN | ACK, one, other)).isEqualTo(closed);
        assertThat(sends(!first, FIN | ACK, other, one + 1)).isEqualTo(TcpTracking.CLOSING);
    }

    @ParameterizedTest
    @ValueSource(booleans = {OUTWARD, INWARD})
    void aFinTakesANumber(boolean side) {
        connects();
        int open = sends(side, FIN | ACK, side ? 501 : 101, side ? 101 : 501);
        assertThat(sends(side, RST, side ? 503 : 103, 0)).isEqualTo(open);
        assertThat(sends(side, RST, side ? 502 : 102, 0)).isEqualTo(TcpTracking.CLOSING);
    }

    @Test
    void optionsAreNoData() {
        connects();
        sends(INWARD, ACK, 501, 101, 32, 10);
        assertThat(sends(INWARD, RST, 512, 0)).isEqualTo(TcpTracking.ESTABLISHED);
        assertThat(sends(INWARD, RST, 511, 0)).isEqualTo(TcpTracking.CLOSING);
    }

    /** What a former connection left would make the reset of the next one a guess. */
    @ParameterizedTest
    @ValueSource(booleans = {OUTWARD, INWARD})
    void nothingIsKnownOfAFormerConnection(boolean resets) {
        connects();
        tracking.begin(MAPPING);
        state = TcpTracking.OPENING;
        sends(!resets, ACK, 90_000, 7);
        assertThat(sends(resets, RST, 12_345, 0)).isEqualTo(TcpTracking.CLOSING);
    }

    @Test
    void nothingIsKnownOfAConnectionThatItsHostOpensAgain() {
        connects();
        sends(INWARD, RST, 501, 0);
        sends(OUTWARD, SYN, 90_000, 0);
        sends(OUTWARD, ACK, 90_001, 7);
        assertThat(sends(INWARD, RST, 12_345, 0)).isEqualTo(TcpTracking.CLOSING);
    }

    @Test
    void whatIsNotMarkedAsAcknowledgedIsNot() {
        sends(OUTWARD, SYN, 100, 777);
        assertThat(sends(INWARD, SYN, 500, 0)).as("both open").isEqualTo(TcpTracking.ESTABLISHED);
        assertThat(sends(INWARD, RST, 5000, 0)).isEqualTo(TcpTracking.CLOSING);
    }

    @Test
    void aSegmentWithoutAcknowledgementForgetsNone() {
        connects();
        sends(OUTWARD, 0, 101, 0);
        assertThat(sends(INWARD, RST, 300, 0)).as("long acknowledged").isEqualTo(TcpTracking.ESTABLISHED);
    }

    @ParameterizedTest
    @CsvSource({"0, 2, 0", "0, 18, 0", "1, 2, 1", "1, 18, 1", "2, 2, 2", "3, 2, 3", "4, 2, 0", "4, 18, 4"})
    void onlyAHostWhoseConnectionIsOverOpensAnother(int before, int flags, int after) {
        state = before;
        assertThat(sends(OUTWARD, flags, 100, 7)).isEqualTo(after);
    }

    @Test
    void anAnswerToWhatWasNotAskedOpensNothing() {
        sends(OUTWARD, SYN, 100, 0);
        assertThat(sends(INWARD, SYN | ACK, 500, 100)).isEqualTo(TcpTracking.OPENING);
        assertThat(sends(INWARD, SYN | ACK, 500, 101)).isEqualTo(TcpTracking.ESTABLISHED);
    }

    @Test
    void anAnswerToWhatWasNotSeenOpens() {
        assertThat(sends(INWARD, SYN | ACK, 500, 100)).isEqualTo(TcpTracking.ESTABLISHED);
    }
}
