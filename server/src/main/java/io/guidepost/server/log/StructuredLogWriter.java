package io.guidepost.server.log;

import io.guidepost.web.JsonWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tinylog.Level;
import org.tinylog.core.LogEntry;
import org.tinylog.core.LogEntryValue;
import org.tinylog.writers.Writer;

/**
 * Writes the log to standard error for programs: one object of JSON in each line, or text whose every line begins with its
 * priority, as the journal of systemd reads it (sd-daemon(3)), which notes the time itself; or both. Thread-safe.
 */
public final class StructuredLogWriter implements Writer {
    /** More tell nothing new; two exceptions may each be the other's cause. */
    private static final int CAUSES_MAX = 8;

    private final boolean json;
    private final boolean journal;
    private final PrintStream out;

    /** Makes a writer of the properties {@code json} and {@code journal}; the library calls this. */
    public StructuredLogWriter(Map<String, String> properties) {
        this(Boolean.parseBoolean(properties.get("json")), Boolean.parseBoolean(properties.get("journal")), System.err);
    }

    StructuredLogWriter(boolean json, boolean journal, PrintStream out) {
        this.json = json;
        this.journal = journal;
        this.out = out;
    }

    @Override
    public Collection<LogEntryValue> getRequiredLogEntryValues() {
        return EnumSet.of(
                LogEntryValue.DATE, LogEntryValue.LEVEL, LogEntryValue.CLASS, LogEntryValue.THREAD, LogEntryValue.MESSAGE,
                LogEntryValue.EXCEPTION);
    }

    @Override
    public void write(LogEntry entry) {
        String text = json ? object(entry) : simpleName(entry.getClassName()) + ": " + message(entry);
        String prefix = journal ? "<" + priority(entry.getLevel()) + ">" : "";
        StringBuilder lines = new StringBuilder();
        text.lines().forEach(each -> lines.append(prefix).append(each).append('\n'));
        // One call, so that entries of several threads do not mix.
        out.print(lines);
        out.flush();
    }

    private static String object(LogEntry entry) {
        byte[] bytes = JsonWriter.bytes(out -> {
            out.writeStartObject();
            out.writeStringProperty("time", entry.getTimestamp().toInstant().toString());
            out.writeStringProperty("level", entry.getLevel().toString().toLowerCase(Locale.ROOT));
            out.writeStringProperty("class", entry.getClassName());
            out.writeStringProperty("thread", entry.getThread().getName());
            out.writeStringProperty("message", String.valueOf(entry.getMessage()));
            if (entry.getException() != null) {
                out.writeStringProperty("exception", trace(entry.getException()));
            }
            out.writeEndObject();
        });
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String message(LogEntry entry) {
        String message = entry.getMessage() == null ? "" : entry.getMessage();
        return entry.getException() == null ? message : message + ": " + trace(entry.getException());
    }

    /** An exception and its causes with where each was thrown. */
    private static String trace(Throwable exception) {
        StringBuilder trace = new StringBuilder(exception.toString());
        Throwable told = exception;
        for (int i = 0; i < CAUSES_MAX && told != null; i++) {
            trace.append(i == 0 ? "" : "\ncaused by " + told);
            for (StackTraceElement each : told.getStackTrace()) {
                trace.append("\n    at ").append(each);
            }
            told = told.getCause();
        }
        return trace.toString();
    }

    private static String simpleName(@Nullable String className) {
        return className == null ? "" : className.substring(className.lastIndexOf('.') + 1);
    }

    /** The priorities of syslog(3). */
    private static int priority(Level level) {
        return switch (level) {
            case ERROR -> 3;
            case WARN -> 4;
            case INFO -> 6;
            default -> 7;
        };
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
