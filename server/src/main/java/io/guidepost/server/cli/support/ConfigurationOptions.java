package io.guidepost.server.cli.support;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a configuration. */
public final class ConfigurationOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration; guidepost.toml in this folder if it is there.")
    private @Nullable Path file;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "Sets one key, such as gnrs.port=5001; may be repeated. See guidepost config.")
    private List<String> sets = new ArrayList<>();

    private final Map<String, String> environment;

    /** Reads the environment of this process. */
    public ConfigurationOptions() {
        this(System.getenv());
    }

    /** Reads another environment. */
    public ConfigurationOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Reads it, with further settings that the options may override. */
    public Configuration load(List<String> before) throws ConfigurationException {
        List<String> all = new ArrayList<>(before);
        all.addAll(sets);
        return Configuration.load(file, environment, all);
    }

    public Configuration load() throws ConfigurationException {
        return load(List.of());
    }
}
