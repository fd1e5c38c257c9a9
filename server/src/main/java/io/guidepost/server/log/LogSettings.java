package io.guidepost.server.log;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Puts in force what a configuration says of the log; the library that writes it reads this once, when the first logger is made. */
public final class LogSettings {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private LogSettings() {}

    /** Does so for this process. */
    public static void apply(Configuration configuration) {
        System.setProperty("tinylog.level", level(configuration));
        boolean json = configuration.get(ConfigurationKeys.LOG_FORMAT) == ConfigurationKeys.LogFormat.JSON;
        boolean journal = isJournal(System.getenv(), STANDARD_ERROR);
        if (json || journal) {
            System.setProperty("tinylog.writer", StructuredLogWriter.class.getName());
            System.setProperty("tinylog.writer.json", Boolean.toString(json));
            System.setProperty("tinylog.writer.journal", Boolean.toString(journal));
        }
    }

    /** Returns the level as the library names it. */
    static String level(Configuration configuration) {
        return switch (configuration.get(ConfigurationKeys.LOG_LEVEL)) {
            case ERROR -> "error";
            case WARNING -> "warn";
            case INFO -> "info";
            case DEBUG -> "debug";
        };
    }

    /** Returns whether a file is what the journal reads, whose device and inode systemd tells in {@code JOURNAL_STREAM}. */
    static boolean isJournal(Map<String, String> environment, Path file) {
        String stream = environment.get("JOURNAL_STREAM");
        if (stream == null) {
            return false;
        }
        try {
            Map<String, Object> attributes = Files.readAttributes(file, "unix:dev,ino");
            return stream.equals(attributes.get("dev") + ":" + attributes.get("ino"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
