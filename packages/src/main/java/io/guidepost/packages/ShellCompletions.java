package io.guidepost.packages;

import io.guidepost.server.cli.Main;
import java.util.List;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine.Model.OptionSpec;

/** What shells complete of the command: its commands and options with what they are for. */
final class ShellCompletions {
    private ShellCompletions() {}

    static String bash() {
        return AutoComplete.bash("guidepost", Main.commandLine());
    }

    /** For zsh: the words so far choose a command, whose commands and options are described. */
    static String zsh(CommandTree whole) {
        StringBuilder out = new StringBuilder("""
                #compdef guidepost
                # Completes the words of guidepost; made from the command itself.
                local -a below options
                local at='' word
                for word in ${words[2,CURRENT-1]}; do
                    case " $at $word " in
                """);
        for (CommandTree each : whole.all()) {
            if (!each.words().isEmpty()) {
                String above = each.words().substring(0, each.words().length() - each.name().length()).strip();
                out.append("        '").append(above.isEmpty() ? "  " : " " + above + " ").append(each.name()).append(" ') at='")
                        .append(each.words()).append("' ;;\n");
            }
        }
        out.append("    esac\ndone\ncase $at in\n");
        for (CommandTree each : whole.all()) {
            out.append("    '").append(each.words()).append("')\n        below=(");
            each.below().forEach(child -> out.append("\n            ").append(quoted(child.name() + ":" + child.about())));
            out.append(")\n        options=(");
            for (OptionSpec option : each.options()) {
                for (String name : option.names()) {
                    out.append("\n            ").append(quoted(name + ":" + CommandTree.about(option)));
                }
            }
            out.append(") ;;\n");
        }
        return out.append("""
                esac
                if [[ ${words[CURRENT]} == -* ]]; then
                    _describe -o option options
                elif (( $#below )); then
                    _describe command below
                else
                    _files
                fi
                """).toString();
    }

    /** For fish, whose conditions look at the words so far. */
    static String fish(CommandTree whole) {
        StringBuilder out = new StringBuilder("# Completes the words of guidepost; made from the command itself.\n");
        for (CommandTree each : whole.all()) {
            String condition = condition(each);
            String files = each.below().isEmpty() ? "" : " -f";
            for (CommandTree child : each.below()) {
                out.append("complete -c guidepost").append(files).append(" -n ").append(quoted(condition)).append(" -a ")
                        .append(child.name()).append(" -d ").append(quoted(child.about())).append('\n');
            }
            for (OptionSpec option : each.options()) {
                String names = List.of(option.names()).stream()
                        .map(name -> (name.startsWith("--") ? " -l " : " -s ") + name.replaceFirst("^-+", ""))
                        .collect(Collectors.joining());
                out.append("complete -c guidepost -n ").append(quoted(condition)).append(names)
                        .append(option.arity().max() > 0 ? " -r" : "")
                        .append(" -d ").append(quoted(CommandTree.about(option))).append('\n');
            }
        }
        return out.toString();
    }

    /** Words of the commands above have been seen, and none of those below. */
    private static String condition(CommandTree tree) {
        StringBuilder condition = new StringBuilder();
        for (String word : tree.words().isEmpty() ? new String[0] : tree.words().split(" ", -1)) {
            condition.append(condition.isEmpty() ? "" : "; and ").append("__fish_seen_subcommand_from ").append(word);
        }
        if (tree.below().isEmpty()) {
            return condition.toString();
        }
        return condition.append(condition.isEmpty() ? "" : "; and ").append("not __fish_seen_subcommand_from ")
                .append(tree.below().stream().map(CommandTree::name).collect(Collectors.joining(" ")))
                .toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "’") + "'";
    }
}
