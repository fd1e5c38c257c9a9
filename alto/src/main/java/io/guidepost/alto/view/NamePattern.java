package io.guidepost.alto.view;

import java.util.List;

/**
 * Which names are meant: those that are listed, and those that begin with what stands in front of a star.
 *
 * @param listed names and beginnings; none at all mean every name
 */
record NamePattern(List<String> listed) {
    NamePattern {
        listed = List.copyOf(listed);
    }

    boolean areAll() {
        return listed.isEmpty();
    }

    boolean have(String name) {
        return areAll() || listed.stream().anyMatch(each -> each.endsWith("*")
                ? name.startsWith(each.substring(0, each.length() - 1))
                : name.equals(each));
    }
}
