package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BurstTest {
    private record Row(int length, long high, long low, int port, long localHigh, long localLow) {}

    @Test
    void itIsAListThatIsFilledBehindAndEmptiedInFront() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Burst burst = new Burst(Arena.ofAuto().allocate(16 * 100 + 300), 16, 300);
        List<Row> model = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(10) == 0) {
                int number = random.nextInt(model.size() + 1);
                burst.removeFirst(number);
                model.subList(0, number).clear();
            } else if (burst.hasRoom()) {
                Row row = new Row(
                        random.nextInt(301),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextInt(65_536),
                        random.nextLong(),
                        random.nextLong());
                long room = burst.room();
                assertThat(room).as("seed %d", seed).isBetween(0L, burst.segment().byteSize() - 300);
                burst.append(row.length, row.high, row.low, row.port, row.localHigh, row.localLow);
                assertThat(burst.offset(burst.count() - 1)).isEqualTo(room);
                model.add(row);
            }
            assertThat(rows(burst)).as("seed %d", seed).isEqualTo(model);
        }
    }

    private static List<Row> rows(Burst burst) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < burst.count(); i++) {
            rows.add(new Row(
                    burst.length(i),
                    burst.peerHigh(i),
                    burst.peerLow(i),
                    burst.peerPort(i),
                    burst.localHigh(i),
                    burst.localLow(i)));
        }
        return rows;
    }

    @Test
    void itsRoomsComeBackWhenItIsEmpty() {
        Burst burst = new Burst(Arena.ofAuto().allocate(400), 4, 200);
        burst.append(200, 0, 0, 1);
        burst.append(200, 0, 0, 1);
        assertThat(burst.hasRoom()).isFalse();
        burst.removeFirst(1);
        assertThat(burst.hasRoom()).isFalse();
        burst.removeFirst(1);
        assertThat(burst.room()).isZero();
    }

    @Test
    void whatNobodyReadsAnyMoreIsTheRoomOfTheNext() {
        FramePool pool = new FramePool(256, 2048, 256);
        Burst questions = Burst.ofFrames(pool.view("questions"), 4, 0);
        PacketMemory view = pool.view("answers");
        Burst answers = Burst.ofFrames(view, 4, 66);
        questions.append(60);
        questions.append(60);
        long first = questions.handle(0);

        answers.reuse(questions, 0);
        assertThat(questions.isTaken(0)).isTrue();
        assertThat(answers.room()).isEqualTo(view.address(first) + 66);
        answers.reuse(questions, 1);
        assertThat(questions.isTaken(1)).as("it has a room already").isFalse();
        answers.append(100);
        assertThat(answers.handle(0)).isEqualTo(first);

        Burst elsewhere = Burst.ofFrames(new FramePool(64, 2048, 256).view("elsewhere"), 4, 0);
        elsewhere.reuse(questions, 1);
        assertThat(questions.isTaken(1)).as("the memory is another").isFalse();

        questions.release();
        answers.release();
        view.release();
        questions.memory().release();
        assertThat(pool.free()).isEqualTo(256);
    }

    @Test
    void whatItHadComesBackToThePool() {
        FramePool pool = new FramePool(256, 2048, 256);
        PacketMemory view = pool.view("test");
        Burst burst = Burst.ofFrames(view, 4, 0);
        burst.append(60);
        burst.append(60);
        assertThat(burst.hasRoom()).isTrue();
        burst.release();
        view.release();
        assertThat(pool.free()).isEqualTo(256);
        assertThat(burst.count()).isZero();
        burst.append(60);
        assertThat(pool.free()).isLessThan(256);
    }
}
