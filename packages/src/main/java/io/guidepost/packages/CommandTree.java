package io.guidepost.packages;

import io.guidepost.server.cli.Main;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command with those below it, as its help shows them.
 *
 * @param words its name with those of the commands above it, such as {@code handle get}; empty for guidepost itself
 * @param spec what picocli knows of it
 * @param below the commands below it
 */
record CommandTree(String words, CommandSpec spec, List<CommandTree> below) {
    /** Returns the whole command. */
    static CommandTree whole() {
        return of("", Main.commandLine().getCommandSpec());
    }

    private static CommandTree of(String words, CommandSpec spec) {
        List<CommandTree> below = new ArrayList<>();
        for (Map.Entry<String, CommandLine> each : spec.subcommands().entrySet()) {
            CommandSpec child = each.getValue().getCommandSpec();
            if (!child.usageMessage().hidden()) {
                below.add(of((words + " " + each.getKey()).strip(), child));
            }
        }
        return new CommandTree(words, spec, below);
    }

    /** Returns it and all below it. */
    List<CommandTree> all() {
        List<CommandTree> all = new ArrayList<>(List.of(this));
        below.forEach(each -> all.addAll(each.all()));
        return all;
    }

    String name() {
        return words.substring(words.lastIndexOf(' ') + 1);
    }

    /** Returns the options that its help shows. */
    List<OptionSpec> options() {
        return spec.options().stream().filter(each -> !each.hidden()).toList();
    }

    /** Returns the first sentence of its description. */
    String about() {
        return sentence(text(spec.usageMessage().description()));
    }

    static String about(OptionSpec option) {
        return sentence(text(option.description()).replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValueString())));
    }

    /** Returns lines of picocli as one text. */
    static String text(String... lines) {
        return Ansi.OFF.string(String.join(" ", lines)).replace("%n", " ").replaceAll("\\s+", " ").strip();
    }

    private static String sentence(String text) {
        return text.replaceFirst("(?<=[a-z0-9)]{2})[.;:] .*", "").replaceFirst("[.,:]$", "");
    }
}
