package io.guidepost.server.config;

import io.guidepost.server.BuildInfo;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/** Writes the table of keys for people and scripts: as a TOML file, as JSON, as a page of the documentation. */
public final class ConfigurationDocument {
    private static final int COLUMNS = 110;

    private ConfigurationDocument() {}

    /** A file that can be read back: every key with its sentence; keys at their default are commented out. */
    public static String toml(Configuration configuration) {
        StringBuilder text = new StringBuilder("# Guidepost " + BuildInfo.VERSION + ". A key that is left out has the value shown.\n");
        String section = "";
        for (Key<?> key : ConfigurationKeys.ALL) {
            if (!key.section().equals(section)) {
                section = key.section();
                text.append("\n[").append(section).append("]\n");
            }
            wrap(text.append('\n'), key.sentence() + " " + allowed(key));
            boolean standard = configuration.origin(key).equals(Configuration.DEFAULT);
            text.append(standard ? "#" : "").append(key.leaf()).append(" = ").append(configuration.print(key));
            text.append(standard ? "" : "  # " + configuration.origin(key)).append('\n');
        }
        return text.toString();
    }

    private static void wrap(StringBuilder text, String sentence) {
        StringBuilder line = new StringBuilder("#");
        for (String word : sentence.split(" ", -1)) {
            if (line.length() + 1 + word.length() > COLUMNS) {
                text.append(line).append('\n');
                line = new StringBuilder("#");
            }
            line.append(' ').append(word);
        }
        text.append(line).append('\n');
    }

    private static String allowed(Key<?> key) {
        String range = key.kind().range();
        return "(" + key.kind().type() + (range.isEmpty() ? "" : ": " + range) + ")";
    }

    /** Every key with value, origin, default, type, range and sentence. */
    public static String json(Configuration configuration) {
        List<Object> rows = new ArrayList<>();
        for (Key<?> key : ConfigurationKeys.ALL) {
            rows.add(JsonWriter.object(
                    "key", key.name(),
                    "value", configuration.raw(key),
                    "origin", configuration.origin(key),
                    "default", key.standard(),
                    "type", key.kind().type(),
                    "range", key.kind().range(),
                    "live", key.live(),
                    "environment", key.variable(),
                    "sentence", key.sentence()));
        }
        return JsonWriter.text(rows);
    }

    /** The page {@code docs/configuration.md}. */
    public static String markdown() {
        StringBuilder text = new StringBuilder("""
                # Configuration

                This page is written by `./guidepost config --markdown` from the table of keys in `Keys.java`.

                A server starts without any configuration. To change something, write a file `guidepost.toml` in the
                folder that the server is started from, or name one with `--config`; `./guidepost config` prints one to
                begin with, and checks it. Every key can also be set by an environment variable or by
                `--set key=value`; what comes later in this order wins: default, file, environment, `--set`. Paths in
                the file are relative to the file. An unknown key or a value out of range is an error that names file,
                line and column. *Live* keys follow a `./guidepost reload`; the others need a restart.
                """);
        String section = "";
        for (Key<?> key : ConfigurationKeys.ALL) {
            if (!key.section().equals(section)) {
                section = key.section();
                text.append("\n## ").append(section).append("\n\n");
                text.append("| key | default | allowed | live | what it is for | environment |\n");
                text.append("|---|---|---|---|---|---|\n");
            }
            text.append("| `").append(key.name()).append("` | `").append(key.printStandard()).append("` | ")
                    .append(allowed(key), 1, allowed(key).length() - 1).append(" | ")
                    .append(key.live() ? "yes" : "").append(" | ").append(key.sentence()).append(" | `")
                    .append(key.variable()).append("` |\n");
        }
        return text.toString();
    }
}
