package io.guidepost.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.names.Binding;
import io.guidepost.server.cli.CommandRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the proof of a fleet takes for proven; the proof itself needs a cluster, and is a command. */
class ProveFleetCommandTest {
    private static final Handle HANDLE = Handle.of("1234/1");

    private static HandleResult valueOf(int creator) {
        return HandleResult.found(HANDLE, List.of(HandleValue.of(1, "URL", "https://example.org/" + creator)));
    }

    private static HandleResult not(ResponseCode code) {
        return HandleResult.of(code, HANDLE, "");
    }

    private static HandleCreator.Attempts told(List<Integer> winners, List<Integer> doubtful) {
        return new HandleCreator.Attempts(winners, doubtful);
    }

    @Test
    void aHandleHasTheValueOfTheOneClientThatMadeIt() {
        assertThat(HandleCreator.wrong(valueOf(1), told(List.of(1), List.of(2)))).isEmpty();
        assertThat(HandleCreator.wrong(valueOf(2), told(List.of(1), List.of(2)))).isEqualTo("there, and of another client");
        assertThat(HandleCreator.wrong(not(ResponseCode.HANDLE_NOT_FOUND), told(List.of(1), List.of()))).contains("not there");
        assertThat(HandleCreator.wrong(valueOf(1), told(List.of(1, 2), List.of()))).isEqualTo("created 2 times");
        assertThat(HandleCreator.wrong(not(ResponseCode.ERROR), told(List.of(1), List.of()))).startsWith("answered");
        assertThat(HandleCreator.wrong(valueOf(2), told(List.of(), List.of(2)))).as("its outcome was not told").isEmpty();
        assertThat(HandleCreator.wrong(not(ResponseCode.HANDLE_NOT_FOUND), told(List.of(), List.of(2)))).isEmpty();
        assertThat(HandleCreator.wrong(valueOf(3), told(List.of(), List.of(2)))).isEqualTo("there, and of another client");
    }

    private static GnrsResponse found(GnrsRequest of, List<Binding> places) {
        return new GnrsResponse(
                GnrsRequest.lookup(of.guid(), false), GnrsResponse.Outcome.SUCCESS, places, places.size(), 1, 1,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), Optional.empty(), Optional.empty());
    }

    private static GnrsRequest sharedBy(AcknowledgedWrites writer) {
        return Stream.generate(writer::next).filter(each -> writer.shared().contains(each.guid())).findFirst().orElseThrow();
    }

    @Test
    void aSharedNameHasThePlacesOfAllWriters() {
        AtomicInteger newest = new AtomicInteger();
        AcknowledgedWrites one = new AcknowledgedWrites(0, 1, newest);
        AcknowledgedWrites other = new AcknowledgedWrites(1, 1, newest);
        GnrsRequest first = sharedBy(one);
        GnrsRequest second = sharedBy(other);
        assertThat(second.guid()).isEqualTo(first.guid());
        assertThat(second.bindings()).doesNotContainAnyElementsOf(first.bindings());
        one.acknowledged(first, true);
        other.acknowledged(second, false);
        List<Binding> both = Stream.concat(first.bindings().stream(), second.bindings().stream()).toList();
        assertThat(one.judge(found(first, both))).isEqualTo(AcknowledgedWrites.Verdict.RIGHT);
        assertThat(other.judge(found(first, both))).isEqualTo(AcknowledgedWrites.Verdict.RIGHT);
        assertThat(one.judge(found(first, first.bindings()))).isEqualTo(AcknowledgedWrites.Verdict.RIGHT);
        assertThat(other.judge(found(first, first.bindings()))).isEqualTo(AcknowledgedWrites.Verdict.MISSING);
        assertThat(sharedBy(one).guid()).as("each writer writes it once").isNotEqualTo(first.guid());
    }

    private static ProveFleetReport report(
            long writes, Map<AcknowledgedWrites.Verdict, Long> names, Map<String, Long> handles, FreshPlaces fresh) {
        return new ProveFleetReport(
                List.of("front-end-1"),
                List.of(new ProveFleetCommand.Event("healed", "node-1", 1, 2, 345)),
                List.of(new ProveFleetCommand.Found(names, handles)),
                new AtomicLongArray(new long[] {writes}),
                new AtomicLongArray(1),
                List.of(),
                Map.of("1234/1", told(List.of(1), List.of())),
                fresh);
    }

    private static ProveFleetReport report(long writes, Map<AcknowledgedWrites.Verdict, Long> names, Map<String, Long> handles) {
        FreshPlaces fresh = new FreshPlaces(List.of(), FreshPlaces.FLEET_STALE_NANOS);
        fresh.seen(List.of(AcknowledgedWrites.place(1, 1)), 1, 0, 0);
        return report(writes, names, handles, fresh);
    }

    @Test
    void whatIsMissingIsNotProven() {
        ProveFleetReport good = report(1, Map.of(AcknowledgedWrites.Verdict.RIGHT, 1L), Map.of("", 1L));
        assertThat(good.proven()).isTrue();
        assertThat(good.text()).contains("1 handles created, 0 of them twice; writes again at most 345 ms", "Proven:");
        assertThat(good.json()).contains("\"proven\"", "\"answeredMillisMax\"");
        assertThat(report(1, Map.of(AcknowledgedWrites.Verdict.MISSING, 1L), Map.of("", 1L)).text()).contains("NOT proven");
        assertThat(report(1, Map.of(AcknowledgedWrites.Verdict.SILENT, 1L), Map.of("", 1L)).proven()).isFalse();
        assertThat(report(1, Map.of(AcknowledgedWrites.Verdict.RIGHT, 1L), Map.of("created, and not there", 1L)).proven()).isFalse();
        assertThat(report(0, Map.of(), Map.of()).proven()).as("of nothing, nothing is missing").isFalse();
    }

    @Test
    void anAnswerThatIsTooOldIsNotProven() {
        FreshPlaces fresh = new FreshPlaces(List.of(), FreshPlaces.FLEET_STALE_NANOS);
        assertThat(report(1, Map.of(), Map.of("", 1L), fresh).proven()).as("of nothing, nothing is old").isFalse();
        fresh.seen(List.of(AcknowledgedWrites.place(70_000, 1)), 70_000, 0, 0);
        fresh.seen(List.of(AcknowledgedWrites.place(70_001, 1)), 70_000, 0, 0);
        assertThat(report(1, Map.of(), Map.of("", 1L), fresh).proven()).isTrue();
        fresh.doubtful(69_998);
        fresh.seen(List.of(AcknowledgedWrites.place(69_998, 1)), 70_000, 0, 0);
        assertThat(report(1, Map.of(), Map.of("", 1L), fresh).proven()).as("it may have been made late").isTrue();
        fresh.seen(List.of(AcknowledgedWrites.place(69_999, 1)), 70_000, 1_500_000_000, 0);
        assertThat(report(1, Map.of(), Map.of("", 1L), fresh).proven()).isFalse();
        fresh.seen(List.of(), 1, 0, 0);
        assertThat(report(1, Map.of(), Map.of("", 1L), fresh).text())
                .contains("5 look-ups of a place that moves, 2 of them", "after 1.5 s front-end-1 answered place 69,999, and place 70,000");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThat(CommandRun.of("prove", "--fleet", "2").err()).contains("--fleet is 2, --front-ends 2; they must be 3 to 5, and 1 to 8");
        assertThat(CommandRun.of("prove", "--fleet", "3", "--pauses", "-1").err())
                .contains("--pauses -1, --clock-steps 2; they must be 0 to 1000");
    }
}
