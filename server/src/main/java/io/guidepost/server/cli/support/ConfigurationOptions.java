package io.guidepost.server.cli.support;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a configuration. */
public final class ConfigurationOptions {
    private static final List<String> FILE = List.of("-c", "--config");
    private static final List<String> SET = List.of("-s", "--set");

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

    /**
     * Options that were read already.
     *
     * @param file null = guidepost.toml in this folder if it is there
     * @param sets texts {@code KEY=VALUE}
     */
    public ConfigurationOptions(Map<String, String> environment, @Nullable Path file, List<String> sets) {
        this.environment = environment;
        this.file = file;
        this.sets = sets;
    }

    /**
     * Reads a command line of these options alone, without the library of the command line: to look at its annotations is an eighth of a
     * server's start.
     *
     * @param from the first argument that is one of these
     * @return empty where that library must say what the arguments mean, or what is wrong with them
     */
    public static Optional<ConfigurationOptions> plain(String[] arguments, int from) {
        Path file = null;
        List<String> sets = new ArrayList<>();
        for (int i = from; i + 1 < arguments.length; i += 2) {
            String value = arguments[i + 1];
            boolean named = FILE.contains(arguments[i]) && file == null;
            if (value.isEmpty() || value.startsWith("-") || value.startsWith("@") || !named && !SET.contains(arguments[i])) {
                return Optional.empty();
            }
            if (named) {
                file = Path.of(value);
            } else {
                sets.add(value);
            }
        }
        return (arguments.length - from) % 2 == 0
                ? Optional.of(new ConfigurationOptions(System.getenv(), file, sets))
                : Optional.empty();
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
