package io.guidepost.server.config;

import java.util.List;

/** Says everything that is wrong with a configuration: one line for each fault, with place and remedy. */
public final class ConfigurationException extends Exception {
    private final List<String> faults;

    /** Joins the faults, which are whole lines. */
    public ConfigurationException(List<String> faults) {
        super(String.join("\n", faults), null, false, false);
        this.faults = List.copyOf(faults);
    }

    /** One fault. */
    public ConfigurationException(String fault) {
        this(List.of(fault));
    }

    /** The faults, one line each. */
    public List<String> faults() {
        return faults;
    }
}
