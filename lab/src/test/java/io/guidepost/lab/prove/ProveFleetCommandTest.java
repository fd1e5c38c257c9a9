package io.guidepost.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.server.cli.CommandRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
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

    private static ProveFleetReport report(long writes, Map<AcknowledgedWrites.Verdict, Long> names, Map<String, Long> handles) {
        return new ProveFleetReport(
                List.of("front-end-1"),
                List.of(new ProveFleetCommand.Event("healed", "node-1", 1, 2, 345)),
                List.of(new ProveFleetCommand.Found(names, handles)),
                new AtomicLongArray(new long[] {writes}),
                new AtomicLongArray(1),
                List.of(),
                Map.of("1234/1", told(List.of(1), List.of())));
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
    void whatMakesNoSenseIsRefused() {
        assertThat(CommandRun.of("prove", "--fleet", "2").err()).contains("--fleet is 2, --front-ends 2; they must be 3 to 5, and 1 to 8");
        assertThat(CommandRun.of("prove", "--fleet", "3", "--pauses", "-1").err()).contains("--pauses -1; they must be 0 to 1000");
    }
}
