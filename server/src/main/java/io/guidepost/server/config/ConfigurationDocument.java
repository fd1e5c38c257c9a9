package io.guidepost.server.config;

import io.guidepost.server.BuildInfo;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the table of keys for people and scripts: as a TOML file, as JSON, as a page of the documentation. */
public final class ConfigurationDocument {
    private static final int COLUMNS = 110;

    /** Up to a stop that is not within quotes. */
    private static final Pattern FEW_WORDS = Pattern.compile("(?:\"[^\"]*\"|[.;:](?! |$)|[^\".;:])+");

    /** What an operator sets first. */
    private static final Set<Key<?>> FIRST = Set.of(
            ConfigurationKeys.GNRS_ENABLED,
            ConfigurationKeys.GNRS_LISTEN,
            ConfigurationKeys.GNRS_WRITERS,
            ConfigurationKeys.GNRS_PORT,
            ConfigurationKeys.GNRS_ADVERTISE,
            ConfigurationKeys.PACKET_PORTS,
            ConfigurationKeys.PLACEMENT_PREFIXES,
            ConfigurationKeys.PLACEMENT_BINDINGS,
            ConfigurationKeys.SITES_KEY_FILE,
            ConfigurationKeys.STORE_FOLDER,
            ConfigurationKeys.STORE_DURABILITY,
            ConfigurationKeys.HANDLE_ENABLED,
            ConfigurationKeys.HANDLE_FOLDER,
            ConfigurationKeys.HTTP_TLS_CERTIFICATE,
            ConfigurationKeys.HTTP_TLS_KEY,
            TopologyKeys.PROXIMITY_FILES,
            TopologyKeys.ALTO_ENABLED,
            NamesKeys.NAMES_ENABLED,
            ConfigurationKeys.PROXIDOR_ENABLED,
            ConfigurationKeys.ADMIN_ADDRESS,
            ConfigurationKeys.ADMIN_PORT,
            ConfigurationKeys.ADMIN_TOKEN,
            ConfigurationKeys.LOG_LEVEL);

    private ConfigurationDocument() {}

    /** Returns a file that can be read back: what an operator sets first, and whatever is set, with a few words each. */
    public static String shortToml(Configuration configuration) {
        StringBuilder text = new StringBuilder("# Guidepost " + BuildInfo.VERSION + ". A key that is left out has the value shown;"
                + " guidepost config --all shows all " + ConfigurationKeys.ALL.size() + ".\n");
        sections(
                ConfigurationKeys.ALL.stream().filter(each -> FIRST.contains(each) || isSet(configuration, each)).toList(),
                text,
                key -> text.append(line(configuration, key)).append("  # ").append(fewWords(key)));
        return text.toString();
    }

    /** Returns a file that can be read back: every key with its sentence; keys at their default are commented out. */
    public static String toml(Configuration configuration) {
        StringBuilder text = new StringBuilder("# Guidepost " + BuildInfo.VERSION + ". A key that is left out has the value shown.\n");
        sections(ConfigurationKeys.ALL, text, key -> {
            wrap(text.append('\n'), key.sentence() + " " + allowed(key));
            text.append(line(configuration, key)).append(isSet(configuration, key) ? "  # " + configuration.origin(key) : "");
        });
        return text.toString();
    }

    private static void sections(List<Key<?>> keys, StringBuilder text, Consumer<Key<?>> writer) {
        String section = "";
        for (Key<?> key : keys) {
            if (!key.section().equals(section)) {
                section = key.section();
                text.append("\n[").append(section).append("]\n");
            }
            writer.accept(key);
            text.append('\n');
        }
    }

    private static boolean isSet(Configuration configuration, Key<?> key) {
        return !configuration.origin(key).equals(Configuration.DEFAULT);
    }

    private static String line(Configuration configuration, Key<?> key) {
        return (isSet(configuration, key) ? "" : "#") + key.leaf() + " = " + configuration.print(key);
    }

    /** The sentence up to its first stop. */
    private static String fewWords(Key<?> key) {
        Matcher words = FEW_WORDS.matcher(key.sentence());
        return words.lookingAt() ? words.group() : key.sentence();
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

                This page is written by `./guidepost config --markdown` from the table of keys in `ConfigurationKeys.java`.

                A server starts without any configuration. To change something, write a file `guidepost.toml` in the
                folder that the server is started from, or name one with `--config`; `./guidepost config` checks it,
                and prints one to begin with: what an operator sets first; with `--all` every key. Every key can also be
                set by an environment variable or by `--set key=value`, as TOML writes the value (`--set
                gnrs.listen='["127.0.0.1"]'`) or plainly (`--set gnrs.listen=127.0.0.1`); what comes later in this order
                wins: default, file, environment, `--set`. Paths in the file are relative to the file. An unknown key or
                variable, a value that the key does not take, keys that contradict each other, and a fault in a file
                that is named, are errors that name file, line and key: `config` refuses whatever `serve` would refuse,
                except ports that others have. A key of an earlier version is refused with its name of today.

                *Live* keys follow a `./guidepost reload`, for connections from then on. The others need a restart: sockets,
                threads and device ports are taken at the start (`workers`, `udp`, `server`, `packet`, `listen`, `port`,
                `enabled`), and the memory of the store is divided then. What other servers know this one by stays the same
                while it runs (`advertise`, `sites`, the description of the Handle site with what `handle.permit` and
                `handle.read-only` say there, and the sites that it resolves and mirrors from), and so do folders and logs
                that it writes. Sessions with routers are kept up (`proximity.bgp`, `proximity.bmp`). The library that writes
                the log reads `log.level` once.
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
