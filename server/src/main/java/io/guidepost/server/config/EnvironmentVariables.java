package io.guidepost.server.config;

import io.guidepost.base.SpellingSuggestion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds misspelt variables of the environment: a setting that is overlooked is as bad there as in a file. */
final class EnvironmentVariables {
    private static final String PREFIX = "GUIDEPOST_";

    /** Those of the launcher, and the one with the passphrase of the Handle door. */
    private static final Set<String> OTHERS = Set.of("GUIDEPOST_JAVA_OPTIONS", "GUIDEPOST_PASSPHRASE");

    /** Kubernetes and Docker make such variables of a service's name, if that begins with "guidepost". */
    private static final Pattern OF_ORCHESTRATORS = Pattern.compile(".*_SERVICE_(HOST|PORT(_.*)?)|.*_PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?");

    private static final Pattern LINK = Pattern.compile("(tcp|udp|sctp)://.*");

    private EnvironmentVariables() {}

    /** Returns a line for each variable that is meant for this program, and that it does not know. */
    static List<String> faults(Map<String, String> environment) {
        Set<String> known = Stream.concat(OTHERS.stream(), ConfigurationKeys.ALL.stream().map(Key::variable))
                .collect(Collectors.toSet());
        return environment.keySet().stream()
                .filter(each -> each.startsWith(PREFIX) && !known.contains(each))
                .filter(each -> !OF_ORCHESTRATORS.matcher(each).matches() && !LINK.matcher(environment.get(each)).matches())
                .sorted()
                .map(each -> "environment " + each + ": there is no such variable" + RemovedKeys.remedyOfVariable(each)
                        .map(remedy -> ": " + remedy)
                        .orElseGet(() -> "; did you mean " + SpellingSuggestion.nearest(each, known.stream().sorted()) + "?"))
                .toList();
    }
}
