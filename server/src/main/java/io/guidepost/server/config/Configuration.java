package io.guidepost.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;

/**
 * The values of all {@link ConfigurationKeys}, each with where it came from. Later sources win: the defaults, the file, the
 * environment ({@code GUIDEPOST_GNRS_PORT}), {@code --set gnrs.port=5001}. Immutable.
 */
public final class Configuration {
    /** The file looked for in the working folder when none is named. */
    public static final Path STANDARD_FILE = Path.of("guidepost.toml");

    /** The origin of a standard value. */
    public static final String DEFAULT = "default";

    /**
     * @param raw as the source had it
     * @param value what it means
     */
    private record Setting(Object raw, Object value, String origin) {}

    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private final @Nullable Path file;

    private Configuration(@Nullable Path file) {
        this.file = file;
    }

    /**
     * Reads a configuration.
     *
     * @param file the file, or null to read {@link #STANDARD_FILE} if it is there
     * @param environment the variables of the process
     * @param sets texts {@code key=value}
     * @throws ConfigurationException naming every fault, with file, line and column
     */
    public static Configuration load(@Nullable Path file, Map<String, String> environment, List<String> sets)
            throws ConfigurationException {
        Path chosen = file != null ? file : Files.isRegularFile(STANDARD_FILE) ? STANDARD_FILE : null;
        Configuration configuration = new Configuration(chosen);
        List<String> faults = new ArrayList<>();
        for (Key<?> key : ConfigurationKeys.ALL) {
            configuration.settings.put(key.name(), new Setting(key.standard(), key.kind().of(key.standard()), DEFAULT));
        }
        if (chosen != null) {
            configuration.readFile(chosen, faults);
        }
        faults.addAll(EnvironmentVariables.faults(environment));
        for (Key<?> key : ConfigurationKeys.ALL) {
            String text = environment.get(key.variable());
            if (text != null) {
                configuration.set(key, raw(key, text), "environment " + key.variable(), faults);
            }
        }
        for (String each : sets) {
            configuration.readSet(each, faults);
        }
        if (faults.isEmpty()) {
            faults.addAll(ConfigurationCheck.faults(configuration));
        }
        if (!faults.isEmpty()) {
            throw new ConfigurationException(faults);
        }
        return configuration;
    }

    /**
     * Returns what a text outside of a file says: a value of TOML in quotes or brackets, where one text is a list of it alone; else
     * what the key's kind makes of it.
     */
    private static Object raw(Key<?> key, String text) {
        String stripped = text.strip();
        if (stripped.startsWith("[") || stripped.startsWith("\"") || stripped.startsWith("'")) {
            TomlParseResult toml = Toml.parse("value = " + stripped);
            Object value = toml.get("value");
            if (!toml.hasErrors() && value != null) {
                return value instanceof String && key.kind().raw("") instanceof List ? List.of(value) : plain(value);
            }
        }
        return key.kind().raw(text);
    }

    private void readSet(String text, List<String> faults) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            faults.add("--set " + text + ": write --set key=value, such as --set gnrs.port=5001");
            return;
        }
        String name = text.substring(0, equals).strip();
        Key<?> key = ConfigurationKeys.find(name);
        if (key == null) {
            faults.add("--set: " + unknown(name));
        } else {
            set(key, raw(key, text.substring(equals + 1)), "--set", faults);
        }
    }

    private void readFile(Path path, List<String> faults) {
        TomlParseResult toml;
        try {
            toml = Toml.parse(Files.readString(path, StandardCharsets.UTF_8));
        } catch (IOException e) {
            faults.add(path + ": cannot be read (" + e.getMessage() + "): name an existing file of UTF-8 text");
            return;
        }
        for (TomlParseError each : toml.errors()) {
            faults.add(place(path, each.position()) + ": " + each.getMessage());
        }
        for (List<String> each : toml.keyPathSet()) {
            String name = String.join(".", each);
            String place = place(path, toml.inputPositionOf(each));
            Key<?> key = ConfigurationKeys.find(name);
            Object raw = toml.get(each);
            if (key == null) {
                faults.add(place + ": " + unknown(name));
            } else if (raw != null) {
                set(key, plain(raw), place, faults);
            }
        }
    }

    private static Object plain(Object raw) {
        return raw instanceof TomlArray array ? array.toList() : raw;
    }

    private static String place(Path path, @Nullable TomlPosition position) {
        return position == null ? path.toString() : path + ":" + position.line() + ":" + position.column();
    }

    private static String unknown(String name) {
        return "there is no key '" + name + "'"
                + RemovedKeys.remedy(name).map(each -> ": " + each).orElse("; did you mean '" + ConfigurationKeys.nearest(name) + "'?");
    }

    private void set(Key<?> key, Object raw, String origin, List<String> faults) {
        try {
            Object placed = file != null && origin.startsWith(file + ":") ? key.kind().beside(file, raw) : raw;
            settings.put(key.name(), new Setting(placed, key.kind().of(placed), origin));
        } catch (IllegalArgumentException e) {
            faults.add(origin + ": " + key.name() + ": " + e.getMessage());
        }
    }

    /** The value of a key. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // A setting was made by its key's own kind.
    public <T> T get(Key<T> key) {
        return (T) setting(key).value();
    }

    /** Where the value of a key came from: {@link #DEFAULT}, a file's line, a variable, or {@code --set}. */
    public String origin(Key<?> key) {
        return setting(key).origin();
    }

    /** The value of a key as TOML writes it. */
    public String print(Key<?> key) {
        return key.kind().print(raw(key));
    }

    /** Returns the value of a key as its source had it. */
    Object raw(Key<?> key) {
        return setting(key).raw();
    }

    /** Says what is wrong with the value of a key. */
    public ConfigurationException fault(Key<?> key, String what) {
        return new ConfigurationException(origin(key) + ": " + key.name() + ": " + what);
    }

    /** The keys whose values differ in another configuration. */
    public List<Key<?>> changed(Configuration other) {
        return ConfigurationKeys.ALL.stream().filter(each -> !raw(each).equals(other.raw(each))).toList();
    }

    private Setting setting(Key<?> key) {
        Setting setting = settings.get(key.name());
        if (setting == null) {
            throw new IllegalArgumentException(key.name() + " is not in the table of keys");
        }
        return setting;
    }
}
