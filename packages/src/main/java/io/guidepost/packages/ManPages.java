package io.guidepost.packages;

import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.Key;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Manual pages out of the commands' own help and the table of keys (man(7)). */
final class ManPages {
    private final String version;
    private final String date;

    ManPages(String version, String date) {
        this.version = version;
        this.date = date;
    }

    /** Returns the pages of all commands and of the configuration, by file. */
    Map<String, String> all(CommandTree whole) {
        Map<String, String> pages = new TreeMap<>();
        for (CommandTree each : whole.all()) {
            pages.put(page(each) + ".1", command(each, whole));
        }
        pages.put("guidepost.toml.5", keys());
        return pages;
    }

    private static String page(CommandTree command) {
        return ("guidepost " + command.words()).strip().replace(' ', '-');
    }

    private String title(String page, int section) {
        return ".TH \"" + page.toUpperCase(Locale.ROOT) + "\" \"" + section + "\" \"" + date + "\" \"Guidepost " + version
                + "\" \"Guidepost\"\n";
    }

    private String command(CommandTree command, CommandTree whole) {
        CommandSpec spec = command.spec();
        StringBuilder out = new StringBuilder(title(page(command), 1));
        out.append(".SH NAME\n").append(escaped(page(command))).append(" \\- ").append(escaped(command.about())).append('\n');
        String synopsis = new Help(spec, Help.defaultColorScheme(Ansi.OFF)).synopsis(0).strip().replaceAll("\\s+", " ");
        out.append(".SH SYNOPSIS\n").append(line(synopsis));
        out.append(".SH DESCRIPTION\n").append(line(CommandTree.text(spec.usageMessage().description())));
        if (!spec.positionalParameters().isEmpty() || !command.options().isEmpty()) {
            out.append(".SH OPTIONS\n");
            spec.positionalParameters().stream().filter(each -> !each.hidden()).forEach(each -> row(out, each.paramLabel(), text(each)));
            command.options().forEach(each -> row(out, names(each), text(each)));
        }
        if (!command.below().isEmpty()) {
            out.append(".SH COMMANDS\n");
            command.below().forEach(each -> row(out, each.name(), CommandTree.text(each.spec().usageMessage().description())));
        }
        String[] footer = spec.usageMessage().footer();
        if (footer.length > 0) {
            out.append(".SH EXAMPLES\n.nf\n");
            for (String each : footer) {
                out.append(line(Ansi.OFF.string(each.replace("%n", ""))));
            }
            out.append(".fi\n");
        }
        String others = command.words().isEmpty()
                ? command.below().stream().map(each -> ".BR " + page(each) + " (1),\n").collect(Collectors.joining())
                : ".BR " + page(whole) + " (1),\n";
        return out.append(".SH SEE ALSO\n").append(others).append(".BR guidepost.toml (5)\n").toString();
    }

    private static String names(OptionSpec option) {
        return String.join(", ", option.names()) + (option.arity().max() > 0 ? " " + option.paramLabel() : "");
    }

    private static String text(ArgSpec argument) {
        return CommandTree.text(argument.description()).replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValueString()));
    }

    private String keys() {
        StringBuilder out = new StringBuilder(title("guidepost.toml", 5));
        out.append(".SH NAME\nguidepost.toml \\- configuration of a Guidepost server\n.SH DESCRIPTION\n");
        out.append(line("TOML: a table for each section, such as [gnrs], and in it the keys. Every key may be left out. "
                + "guidepost config checks a file; guidepost reload, or SIGHUP, has a server read it again. "
                + "Keys without the word live need a restart."));
        String section = "";
        for (Key<?> each : ConfigurationKeys.ALL) {
            if (!each.section().equals(section)) {
                section = each.section();
                out.append(".SH ").append(section.toUpperCase(Locale.ROOT)).append('\n');
            }
            row(out, each.name() + " = " + each.kind().print(each.standard()), each.sentence() + (each.live() ? " (live)" : ""));
        }
        return out.append(".SH SEE ALSO\n.BR guidepost-config (1),\n.BR guidepost-serve (1)\n").toString();
    }

    private static void row(StringBuilder out, String term, String text) {
        out.append(".TP\n.B ").append(escaped(term)).append('\n').append(line(text));
    }

    /** A line that is no request of troff, whatever it begins with. */
    private static String line(String text) {
        return (text.startsWith(".") || text.startsWith("'") ? "\\&" : "") + escaped(text) + "\n";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }
}
