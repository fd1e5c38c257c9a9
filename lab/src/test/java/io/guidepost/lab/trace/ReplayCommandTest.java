package io.guidepost.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.AddressText;
import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.names.Guid;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces replayed against a whole server, by the command and by its parts. */
class ReplayCommandTest {
    @TempDir
    private Path folder;

    private static String gnrs(RunningServer server) {
        return AddressText.of(server.address());
    }

    @Test
    void aReplayIsSummedUpAndCanBeVerified() throws Exception {
        Path trace = folder.resolve("trace");
        Path ledger = folder.resolve("ledger");
        assertThat(CommandRun.of("replay", "--generate", "300,1000", "--output", trace.toString()).code()).isZero();
        assertThat(Files.readAllLines(trace)).hasSize(1300);
        try (RunningServer server = RunningServer.start(folder)) {
            CommandRun replayed = CommandRun.of("replay", trace.toString(), "--acked", ledger.toString(), "-S", gnrs(server));
            assertThat(replayed.code()).as(replayed.err()).isZero();
            assertThat(replayed.out()).contains("requests", "p99.9").containsPattern("1300 .* 300 +1000 +0 +0 +0 +0");
            assertThat(Files.readAllLines(ledger)).hasSize(300);
            assertThat(CommandRun.of("replay", "--verify", ledger.toString(), "-S", gnrs(server)).out())
                    .contains("300 have all of them, 0 do not");
            assertThat(CommandRun.of("rm", "17", "-S", gnrs(server)).code()).isZero();
            CommandRun missing = CommandRun.of("replay", "--verify", ledger.toString(), "-S", gnrs(server));
            assertThat(missing.code()).isEqualTo(ExitCode.FAILED);
            assertThat(missing.out()).contains("299 have all of them, 1 do not", "missing: 3137");
            assertThat(CommandRun.of("replay", "--generate", "10,10", "--json", "-S", gnrs(server)).out())
                    .contains("\"writes\": 10", "\"microsP999\"");
        }
    }

    @Test
    void aFaultyTraceIsToldByItsLine() throws Exception {
        Path trace = Files.writeString(folder.resolve("trace"), "1 I 1 10.0.0.1:1,0,0\n2 X 1\n");
        try (RunningServer server = RunningServer.start(folder)) {
            CommandRun refused = CommandRun.of("replay", trace.toString(), "-S", gnrs(server));
            assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains(trace + ":2: ");
        }
    }

    @Test
    void aReplayOfNothingIsRefused() {
        CommandRun ran = CommandRun.of("replay");
        assertThat(ran.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ran.err()).startsWith("guidepost: ").doesNotContain("\tat ");
        assertThat(CommandRun.of("replay", "--help").out()).contains("Example:  guidepost replay");
    }

    @Test
    void aTraceIsReplayedInOrderAndCounted() throws Exception {
        StringBuilder text = new StringBuilder();
        TraceGenerator.write(3, 500, 2_000, TraceGenerator.Popularity.MANDELBROT_ZIPF, text);
        // Each look-up right behind the write that it depends on, and names that nobody bound.
        for (int i = 0; i < 500; i++) {
            text.append(i).append(" U n").append(i).append(' ').append(i).append(",1,1\n");
            text.append(i).append(" Q n").append(i).append('\n');
            text.append(i).append(" Q none").append(i).append('\n');
        }
        Path file = Files.writeString(folder.resolve("t"), text);
        TraceReplay replay = new TraceReplay();
        int[] seen = {0};
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = GnrsClient.open(server.address(), new GnrsClientSettings(500, 8, 64));
                GnrsTrace trace = GnrsTrace.open(file)) {
            replay.run(trace, client, answer -> seen[0]++);
            assertThat(trace.fraction()).isEqualTo(1.0);
        }
        assertThat(replay.counts()).isEqualTo(new TraceReplay.Counts(1_000, 2_500, 500, 0, 0, 0));
        assertThat(replay.counts().total()).isEqualTo(4_000);
        assertThat(seen[0]).isEqualTo(4_000);
    }

    @Test
    void aBadLineEndsAReplay() throws Exception {
        Path file = Files.writeString(folder.resolve("t"), "1 Q a\n2 Q b\nnonsense\n");
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = GnrsClient.open(server.address());
                GnrsTrace trace = GnrsTrace.open(file)) {
            assertThatThrownBy(() -> new TraceReplay().run(trace, client, answer -> {}))
                    .isInstanceOf(FaultyFile.class)
                    .hasMessage(file + ":3: 'nonsense' is not a whole number from 0");
            // What was given up is forgotten: the client can be used again.
            assertThat(client.lookup(Guid.ofAscii("somewhere")).bindings()).isEmpty();
        }
    }
}
