package io.guidepost.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutstandingRequestsTest {
    @Test
    void anIdIsAwaitedOnceAndNoLonger() {
        OutstandingRequests outstanding = new OutstandingRequests(4, 0x1234);
        int id = outstanding.open(42, 10, 20);
        int slot = outstanding.slot(id);
        assertThat(outstanding.what(slot)).isEqualTo(42);
        assertThat(outstanding.intendedNanos(slot)).isEqualTo(10);
        assertThat(outstanding.sentNanos(slot)).isEqualTo(20);
        outstanding.close(slot);
        assertThat(outstanding.slot(id)).as("a repeated answer").isEqualTo(OutstandingRequests.NONE);
        assertThat(outstanding.slot(outstanding.open(43, 0, 0))).isEqualTo(slot);
        assertThat(outstanding.slot(id)).as("an answer to the slot's last tenant").isEqualTo(OutstandingRequests.NONE);
    }

    /** Of a protocol whose ids have 16 bits, the others are not known. */
    @Test
    void anIdIsRecognisedByTheBitsThatAreKnown() {
        OutstandingRequests outstanding = new OutstandingRequests(4, 0x12345);
        int id = outstanding.open(42, 10, 20);
        int slot = outstanding.slot(id & 0xffff, 0xffff);
        assertThat(outstanding.what(slot)).isEqualTo(42);
        assertThat(outstanding.slot((id & 0xffff) ^ 0x8000, 0xffff)).isEqualTo(OutstandingRequests.NONE);
        outstanding.close(slot);
        assertThat(outstanding.slot(id & 0xffff, 0xffff)).as("a repeated answer").isEqualTo(OutstandingRequests.NONE);
    }

    @Test
    void idsThatWereNeverGivenAreNotAwaited() {
        OutstandingRequests outstanding = new OutstandingRequests(3, 7);
        assertThat(outstanding.slot(0)).isEqualTo(OutstandingRequests.NONE);
        assertThat(outstanding.slot(7 << 2)).as("a free slot").isEqualTo(OutstandingRequests.NONE);
        assertThat(outstanding.slot(-1)).as("beyond the slots").isEqualTo(OutstandingRequests.NONE);
    }

    @Test
    void overdueRequestsAreLostOnceAndOthersAreNot() {
        OutstandingRequests outstanding = new OutstandingRequests(8, 0);
        int old = outstanding.open(1, 0, 100);
        int young = outstanding.open(2, 0, 200);
        List<Long> lost = new ArrayList<>();
        outstanding.expire(200, 8, slot -> lost.add(outstanding.what((int) slot)));
        outstanding.expire(200, 8, slot -> lost.add(outstanding.what((int) slot)));
        assertThat(lost).containsExactly(1L);
        assertThat(outstanding.slot(old)).isEqualTo(OutstandingRequests.NONE);
        assertThat(outstanding.slot(young)).isNotEqualTo(OutstandingRequests.NONE);
        assertThat(outstanding.count()).isEqualTo(1);
    }

    @Test
    void aBoundedSweepGetsRound() {
        OutstandingRequests outstanding = new OutstandingRequests(100, 0);
        for (int i = 0; i < 100; i++) {
            outstanding.open(i, 0, 0);
        }
        List<Long> lost = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            outstanding.expire(1, 10, slot -> lost.add(outstanding.what((int) slot)));
        }
        assertThat(lost).hasSize(100).doesNotHaveDuplicates();
        assertThat(outstanding.room()).isEqualTo(100);
    }

    @Test
    void agreesWithAMap() {
        long seed = 20261120;
        SplittableRandom random = new SplittableRandom(seed);
        OutstandingRequests outstanding = new OutstandingRequests(37, random.nextInt());
        Map<Integer, Long> model = new HashMap<>();
        List<Integer> past = new ArrayList<>();
        for (int step = 0; step < 100_000; step++) {
            if (random.nextBoolean() && outstanding.room() > 0) {
                long what = random.nextLong();
                assertThat(model.put(outstanding.open(what, 0, step), what)).as("seed %d", seed).isNull();
            } else if (!model.isEmpty()) {
                int id = model.keySet().stream().skip(random.nextInt(model.size())).findFirst().orElseThrow();
                int slot = outstanding.slot(id);
                assertThat(outstanding.what(slot)).as("seed %d", seed).isEqualTo(model.remove(id));
                outstanding.close(slot);
                past.add(id);
            }
            assertThat(outstanding.count()).as("seed %d", seed).isEqualTo(model.size());
        }
        assertThat(past).as("seed %d", seed).allMatch(id -> model.containsKey(id) == (outstanding.slot(id) >= 0));
    }
}
