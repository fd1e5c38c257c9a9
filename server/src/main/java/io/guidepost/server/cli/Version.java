package io.guidepost.server.cli;

import io.guidepost.server.Build;
import picocli.CommandLine.IVersionProvider;

/** Says which version this is. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "Guidepost " + Build.VERSION,
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.version")
                    + " " + System.getProperty("os.arch")
        };
    }
}
