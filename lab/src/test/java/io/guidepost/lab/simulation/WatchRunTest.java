package io.guidepost.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Watchers over kills and hand-over, as in {@code guidepost simulate watch}, which replays what fails here. */
class WatchRunTest {
    private static final int SEEDS = 200;

    private static void play(long seeds) {
        long resets = 0;
        long kills = 0;
        long handovers = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            WatchRun.Outcome outcome = WatchRun.play(seed);
            assertThat(outcome.breaches()).as("guidepost simulate watch --seed %d", seed).isEmpty();
            assertThat(outcome.acknowledged()).isGreaterThan(20);
            assertThat(outcome.seen()).isGreaterThan(20);
            resets += outcome.resets();
            kills += outcome.kills();
            handovers += outcome.handovers();
        }
        assertThat(resets).isPositive();
        assertThat(kills).isGreaterThan(seeds);
        assertThat(handovers).isPositive();
    }

    @Test
    void watchersSeeEveryChangeOverKillsAndHandover() {
        play(SEEDS);
    }

    @Test
    @Tag("long")
    void watchersSeeEveryChangeForTenThousandSeeds() {
        play(10_000);
    }

    @Test
    void theSameSeedPlaysTheSame() {
        assertThat(WatchRun.play(7)).isEqualTo(WatchRun.play(7));
    }

    /** Servers and watchers that are wrong on purpose. */
    enum Sabotaged implements WatchRun.Defects {
        /** The server does not tell one of its changes. */
        CHANGE_NOT_TOLD {
            @Override
            public RecordStore.Observer observer(RecordStore.Observer real) {
                int[] count = {0};
                return (sequence, key, before, after) -> {
                    if (++count[0] != 20) {
                        real.changed(sequence, key, before, after);
                    }
                };
            }
        },

        /** The server tells a change after the next one. */
        CHANGES_TOLD_IN_ANOTHER_ORDER {
            @Override
            public RecordStore.Observer observer(RecordStore.Observer real) {
                List<Runnable> later = new ArrayList<>();
                return (sequence, key, before, after) -> {
                    if (sequence % 5 == 0) {
                        later.add(() -> real.changed(sequence, key, before, after));
                    } else {
                        real.changed(sequence, key, before, after);
                        later.forEach(Runnable::run);
                        later.clear();
                    }
                };
            }
        },

        /** A server that starts does not read the last change of before. */
        LAST_CHANGE_OF_BEFORE_NOT_READ {
            @Override
            public List<RecordStore.ChangeEvent> before(List<RecordStore.ChangeEvent> real) {
                return real.isEmpty() ? real : real.subList(0, real.size() - 1);
            }
        },

        /** What a server reads of before the start has other numbers. */
        CHANGES_OF_BEFORE_NUMBERED_ANEW {
            @Override
            public List<RecordStore.ChangeEvent> before(List<RecordStore.ChangeEvent> real) {
                return real.stream().map(each -> new RecordStore.ChangeEvent(each.sequence() + 1, each.key(), each.image())).toList();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachSabotageIsNoticed(Sabotaged sabotage) {
        assertThat(LongStream.rangeClosed(1, SEEDS).filter(seed -> !WatchRun.play(seed, sabotage).breaches().isEmpty()).findFirst())
                .as("the first of %d seeds that notices %s", SEEDS, sabotage)
                .isPresent();
    }
}
