package io.guidepost.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.client.NameChange;
import io.guidepost.client.NamePlace;
import io.guidepost.client.NameRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A watch that leaves a change out, or goes back, is found out. */
class WatchCheckTest {
    private static final String NAME = "name";

    private final BrokenPromises broken = new BrokenPromises();
    private final WriteLedger ledger = new WriteLedger(List.of(NAME), true, broken);
    private final List<NameChange> changes = new ArrayList<>();
    private final WatchCheck check = new WatchCheck(ledger, broken);

    @BeforeEach
    void write() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20; i++) {
            WriteLedger.Write write = ledger.write(random).orElseThrow();
            ledger.acknowledged(write);
            changes.add(write.after().isEmpty()
                    ? new NameChange(NameChange.Kind.DELETE, NAME, Optional.empty())
                    : new NameChange(
                            NameChange.Kind.PUT, NAME, Optional.of(new NameRecord(NAME, "", "", List.of(NamePlace.of(write.after()))))));
        }
        assertThat(changes).extracting(NameChange::kind).contains(NameChange.Kind.DELETE);
    }

    private void take(int from, int to) {
        changes.subList(from, to).forEach(check::take);
    }

    private static NameChange of(NameChange.Kind kind) {
        return new NameChange(kind, "", Optional.empty());
    }

    @Test
    void eachChangeInOrderIsRightAlsoTwice() {
        take(0, 10);
        check.take(changes.get(9));
        assertThat(check.behind()).containsExactly(NAME);
        take(10, 20);
        assertThat(check.behind()).isEmpty();
        assertThat(broken.all()).isEmpty();
    }

    @Test
    void aChangeThatIsLeftOutIsFound() {
        take(0, 5);
        take(6, 20);
        assertThat(broken.all()).containsOnlyKeys(WatchCheck.ORDER);
    }

    @Test
    void aSnapshotMayLeaveChangesOutAndNoMore() {
        take(0, 5);
        check.take(of(NameChange.Kind.RESET));
        check.take(changes.get(14));
        check.take(of(NameChange.Kind.READY));
        take(15, 18);
        assertThat(broken.all()).isEmpty();
        check.take(changes.get(19));
        assertThat(broken.all()).containsOnlyKeys(WatchCheck.ORDER);
    }

    /** The name had no places at first, was written, and has none again: the snapshot has the last of these. */
    @Test
    void whatComesFirstMayBeALaterStateThatIsAlike() {
        int deleted = IntStream.range(0, 19)
                .filter(each -> changes.get(each).kind() == NameChange.Kind.DELETE)
                .findFirst()
                .orElseThrow();
        assertThat(deleted).isPositive();
        check.take(of(NameChange.Kind.RESET));
        check.take(of(NameChange.Kind.READY));
        take(deleted, 20);
        assertThat(broken.all()).isEmpty();
        assertThat(check.behind()).isEmpty();
    }

    /** It is not in the snapshot, and has been written meanwhile. */
    @Test
    void aNameThatHasNoPlacesAnyMoreIsNotWaitedFor() {
        check.take(of(NameChange.Kind.READY));
        assertThat(check.behind()).containsExactly(NAME);
        SplittableRandom random = new SplittableRandom(7);
        while (!ledger.isAbsent(NAME)) {
            ledger.acknowledged(ledger.write(random).orElseThrow());
        }
        assertThat(check.behind()).isEmpty();
        assertThat(broken.all()).isEmpty();
    }

    @Test
    void aWatchThatGoesBackIsFound() {
        take(0, 20);
        check.take(changes.stream().filter(each -> each.kind() == NameChange.Kind.PUT).findFirst().orElseThrow());
        assertThat(broken.all()).containsOnlyKeys(WatchCheck.ORDER);
    }
}
