package io.guidepost.server.cli;

import io.guidepost.server.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** Says which version this is. */
final class VersionCommand implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "Guidepost " + BuildInfo.VERSION,
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.version")
                    + " " + System.getProperty("os.arch")
        };
    }
}
