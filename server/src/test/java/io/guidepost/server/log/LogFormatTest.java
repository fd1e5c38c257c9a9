package io.guidepost.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.BuiltServer;
import io.guidepost.server.RunningServer;
import io.guidepost.server.config.Configuration;
import io.guidepost.web.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tinylog.Level;
import org.tinylog.core.LogEntry;
import org.tinylog.runtime.PreciseTimestamp;

class LogFormatTest {
    @TempDir
    private Path folder;

    private static String written(boolean json, boolean journal, Level level, String message, @Nullable Throwable exception) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new StructuredLogWriter(json, journal, new PrintStream(out, true, StandardCharsets.UTF_8)).write(new LogEntry(
                new PreciseTimestamp(), Thread.currentThread(), Map.of(), "io.guidepost.Some", "method", "Some.java", 1, "", level, message,
                exception));
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"error, error", "warning, warn", "info, info", "debug, debug"})
    void theLogSaysAsMuchAsItsKeyAllows(String key, String ofTheLog) throws Exception {
        assertThat(LogSettings.level(Configuration.load(null, Map.of(), List.of("log.level=" + key)))).isEqualTo(ofTheLog);
    }

    @ParameterizedTest
    @CsvSource({"ERROR, 3", "WARN, 4", "INFO, 6", "DEBUG, 7", "TRACE, 7"})
    void theJournalLearnsThePriority(Level level, int priority) {
        assertThat(written(false, true, level, "it is so", null)).isEqualTo("<" + priority + ">Some: it is so\n");
    }

    @Test
    void everyLineOfAnExceptionHasThePriority() {
        IOException failure = new IOException("disk", new IllegalStateException("full"));
        assertThat(written(false, true, Level.ERROR, "no write", failure).lines())
                .allMatch(each -> each.startsWith("<3>"))
                .contains("<3>Some: no write: java.io.IOException: disk", "<3>caused by java.lang.IllegalStateException: full");
    }

    @Test
    void anEntryIsOneObjectInOneLine() throws Exception {
        String line = written(true, false, Level.WARN, "two\nlines and \"quotes\"", new IOException("disk"));
        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        Map<String, Object> entry = JsonValue.read(line.getBytes(StandardCharsets.UTF_8)).whole().object();
        assertThat(entry)
                .containsEntry("level", "warn")
                .containsEntry("class", "io.guidepost.Some")
                .containsEntry("message", "two\nlines and \"quotes\"")
                .containsEntry("thread", Thread.currentThread().getName());
        assertThat(Instant.parse(String.valueOf(entry.get("time")))).isAfter(Instant.EPOCH);
        assertThat(entry.get("exception")).asString().startsWith("java.io.IOException: disk\n    at io.guidepost.server.log.");
        assertThat(written(true, true, Level.INFO, "both", null)).startsWith("<6>{\"time\":");
    }

    @Test
    void theJournalIsKnownByDeviceAndInode() throws Exception {
        Path file = Files.createFile(folder.resolve("stream"));
        Map<String, Object> at = Files.readAttributes(file, "unix:dev,ino");
        String stream = at.get("dev") + ":" + at.get("ino");
        assertThat(LogSettings.isJournal(Map.of("JOURNAL_STREAM", stream), file)).isTrue();
        assertThat(LogSettings.isJournal(Map.of("JOURNAL_STREAM", "1:1"), file)).as("standard error was sent elsewhere").isFalse();
        assertThat(LogSettings.isJournal(Map.of(), file)).isFalse();
        assertThat(LogSettings.isJournal(Map.of("JOURNAL_STREAM", stream), folder.resolve("none"))).isFalse();
    }

    private List<String> logOfAServer(String setting) throws Exception {
        Path log = folder.resolve("log");
        Path out = folder.resolve("out");
        Process server = new ProcessBuilder(BuiltServer.command(List.of(
                        "serve", "--set", setting, "--set", "store.folder=" + folder.resolve("store"), "--set", "gnrs.port=0",
                        "--set", "admin.port=0")))
                .directory(folder.toFile())
                .redirectError(log.toFile())
                .redirectOutput(out.toFile())
                .start();
        try {
            RunningServer.eventually(() -> text(out).contains("records in ") || !server.isAlive());
            server.destroy();
            assertThat(server.waitFor()).isZero();
            return text(log).lines().toList();
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void aServerWritesObjects() throws Exception {
        List<String> lines = logOfAServer("log.format=json");
        assertThat(lines).hasSizeGreaterThan(1);
        for (String each : lines) {
            assertThat(JsonValue.read(each.getBytes(StandardCharsets.UTF_8)).whole().object()).containsKeys("time", "level", "message");
        }
    }

    @Test
    void aServerSaysAsMuchAsItsKeyAllows() throws Exception {
        assertThat(logOfAServer("log.level=info")).anyMatch(each -> each.contains(" answers gnrs at "));
        assertThat(logOfAServer("log.level=warning")).isEmpty();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
