package io.guidepost.bench.process;

import java.util.List;

/** Further options of every JVM that this process starts, until they are closed and the former ones are back. */
public final class JvmOptions implements AutoCloseable {
    /** Set by the tests of the build, too. */
    private static final String PROPERTY = "guidepost.bench.options";

    private final String before = text();

    private JvmOptions(String options) {
        System.setProperty(PROPERTY, options);
    }

    /** Leaves them as they are. */
    public static JvmOptions asTheyAre() {
        return new JvmOptions(text());
    }

    /** Turns the second compiler off. */
    public static JvmOptions firstCompiler() {
        return with("-XX:TieredStopAtLevel=1");
    }

    /** Adds some. */
    public static JvmOptions with(String more) {
        return new JvmOptions((text() + " " + more).strip());
    }

    /** Returns the options, one word each. */
    public static List<String> words() {
        return text().isEmpty() ? List.of() : List.of(text().split(" "));
    }

    private static String text() {
        return System.getProperty(PROPERTY, "");
    }

    @Override
    public void close() {
        System.setProperty(PROPERTY, before);
    }
}
