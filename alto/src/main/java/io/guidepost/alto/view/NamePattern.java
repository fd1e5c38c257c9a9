package io.guidepost.alto.view;

import java.util.List;

/**
 * A name pattern: listed names, and prefixes before a star.
 *
 * @param listed names and prefixes; none at all match every name
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
