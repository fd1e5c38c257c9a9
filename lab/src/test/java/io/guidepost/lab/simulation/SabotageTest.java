package io.guidepost.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A simulation that cannot fail shows nothing: worlds that are wrong on purpose, and it must be noticed. */
class SabotageTest {
    private static final int SEEDS = 20;

    private static List<String> breaches(Cluster.Sabotage sabotage) {
        ClusterOptions options = new ClusterOptions(20, 300, EnumSet.allOf(FaultKind.class), false, false);
        List<String> breaches = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            breaches.addAll(Cluster.run(seed, options, sabotage).breaches());
        }
        return breaches;
    }

    private static Cluster.Sabotage disks(SimulatedStore.Distortion distortion) {
        return cluster -> {
            for (int i = 0; i < cluster.size(); i++) {
                cluster.server(i).store().distort(distortion);
            }
        };
    }

    @Test
    void records_that_are_united_instead_of_merged_bring_back_what_was_deleted() {
        assertThat(breaches(disks(SabotageTest::union))).anyMatch(each -> each.contains("but it is present"));
    }

    /** As the prototype did it: whatever anyone ever heard of is there. */
    private static byte @Nullable [] union(byte @Nullable [] current, byte @Nullable [] next) {
        if (current == null || next == null) {
            return next;
        }
        try {
            Record before = RecordImage.read(current);
            MemorySegment made = MemorySegment.ofArray(next);
            byte[] all = RecordImage.write(before.name().key(), 0, before.bindings(), List.of());
            byte[] change = RecordMerge.change(all, RecordImage.newest(made, 0), false);
            byte[] united = RecordMerge.merge(next, change, RecordImage.version(made, 0), 0, 1L << 40);
            return united.length == 0 ? next : united;
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void disks_that_lose_what_they_acknowledged_are_noticed() {
        SplittableRandom random = new SplittableRandom(1);
        assertThat(breaches(disks((current, next) -> random.nextInt(3) == 0 ? current : next)))
                .anyMatch(each -> each.contains("but it is missing") || each.contains("replicas differ"));
    }

    @Test
    void servers_that_do_not_keep_in_mind_what_was_deleted_bring_it_back() {
        assertThat(breaches(disks((current, next) ->
                        next == null || RecordImage.bindings(MemorySegment.ofArray(next), 0) > 0 ? next : null)))
                .anyMatch(each -> each.contains("but it is present") || each.contains("replicas differ"));
    }

    @Test
    void exceptions_out_of_a_server_are_noticed() {
        SplittableRandom random = new SplittableRandom(1);
        assertThat(breaches(disks((current, next) -> {
                    if (random.nextInt(50) == 0) {
                        throw new IllegalStateException("on purpose");
                    }
                    return next;
                })))
                .anyMatch(each -> each.contains("an exception came out of a server") && each.contains("on purpose"));
    }
}
