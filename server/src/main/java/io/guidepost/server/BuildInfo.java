package io.guidepost.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What was built: written by the build into {@code build.properties}. */
public final class BuildInfo {
    /** The version of the product. */
    public static final String VERSION = read();

    private BuildInfo() {}

    private static String read() {
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "of a source tree");
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties of the jar cannot be read", e);
        }
    }
}
