package io.guidepost.server.cli;

import java.util.Map;

/** Adds commands to {@code guidepost}; a module that is not shipped provides them by {@link java.util.ServiceLoader}. */
public interface CommandProvider {
    /** Returns the classes of commands, annotated for picocli, by the name that calls them. */
    Map<String, Class<?>> commands();
}
