package io.guidepost.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * One key of the configuration: a row of the table that {@link ConfigurationKeys} holds.
 *
 * @param name section and key, such as {@code gnrs.port}
 * @param kind its type
 * @param standard its raw value where no source sets another
 * @param live whether a reload changes it while the server runs; the others need a restart
 * @param sentence what it is for
 */
public record Key<T>(String name, ValueKind<T> kind, Object standard, boolean live, String sentence) {
    /** Checks the standard value; constants of enums and paths may stand for their texts. */
    public Key {
        standard = raw(standard);
        kind.of(standard);
    }

    private static Object raw(Object standard) {
        // No switch over types: the JVM makes the code of one anew at each start.
        if (standard instanceof Enum<?> constant) {
            return ValueKind.dashed(constant);
        }
        if (standard instanceof List<?> list) {
            return list.stream().map(Key::raw).toList();
        }
        return standard instanceof Path ? standard.toString() : standard;
    }

    /** The section in the file. */
    public String section() {
        return name.substring(0, name.indexOf('.'));
    }

    /** The key within its section. */
    public String leaf() {
        return name.substring(name.indexOf('.') + 1);
    }

    /** The environment variable that sets it. */
    public String variable() {
        return variable(name);
    }

    /** Returns the environment variable of any name of a key. */
    static String variable(String name) {
        return "GUIDEPOST_" + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** Returns the standard value, as TOML writes it. */
    public String printStandard() {
        return kind.print(standard);
    }
}
