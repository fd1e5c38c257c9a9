package io.guidepost.server.cli.admin;

import io.guidepost.server.Server;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationDocument;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost config}: the configuration in force, checked and explained. */
@Command(
        name = "config",
        description = {
            "Checks the configuration and all files that it names, as serve would, and prints it:",
            "what an operator sets first, and whatever is set."
        },
        footer = {
            "Example:  guidepost config --config my.toml",
            "          guidepost config > guidepost.toml     (a file to begin with)"
        })
public final class ConfigCommand extends ConsoleCommand {
    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(names = "--all", description = "Every key, with what it is for and what is allowed.")
    private boolean all;

    @Option(names = "--json", description = "As JSON, with type, range and origin of each key.")
    private boolean json;

    @Option(names = "--markdown", description = "The reference of all keys, as in docs/configuration.md.")
    private boolean markdown;

    @Override
    public Integer call() throws Exception {
        Configuration configuration = options.load();
        Server.check(configuration);
        String text = markdown
                ? ConfigurationDocument.markdown()
                : json
                        ? ConfigurationDocument.json(configuration)
                        : all ? ConfigurationDocument.toml(configuration) : ConfigurationDocument.shortToml(configuration);
        print(text);
        return ExitCode.DONE;
    }
}
