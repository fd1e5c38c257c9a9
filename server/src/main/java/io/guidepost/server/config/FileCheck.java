package io.guidepost.server.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;

/** Reads the files that a configuration names, as a start would, and gathers what is wrong in any of them. */
public final class FileCheck {
    /** Reads what a key names, and keeps nothing of it. */
    @FunctionalInterface
    public interface Reading {
        void read() throws ConfigurationException, IOException;
    }

    private final Configuration configuration;
    private final List<String> faults = new ArrayList<>();

    /** Nothing is read yet. */
    public FileCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    /** Returns the configuration. */
    public Configuration configuration() {
        return configuration;
    }

    /** Reads what a key names, or notes what is wrong with it. */
    public void read(Key<?> key, Reading reading) {
        try {
            reading.read();
        } catch (ConfigurationException e) {
            faults.addAll(e.faults());
        } catch (AccessDeniedException e) {
            faults.addAll(configuration.fault(key, e.getFile() + " cannot be read: let this user read it").faults());
        } catch (IOException e) {
            faults.addAll(configuration.fault(key, String.valueOf(e.getMessage())).faults());
        }
    }

    /** Refuses the configuration if anything was wrong. */
    public void finish() throws ConfigurationException {
        if (!faults.isEmpty()) {
            throw new ConfigurationException(faults.stream().distinct().toList());
        }
    }
}
