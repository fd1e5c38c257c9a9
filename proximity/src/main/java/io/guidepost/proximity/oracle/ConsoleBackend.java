package io.guidepost.proximity.oracle;

import io.guidepost.base.FaultyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What the console needs of the server around the network. Called on the thread of the command. */
public interface ConsoleBackend {
    /** What can be reloaded. */
    enum Part {
        /** The prefixes; routers and links stay. */
        NETWORKS,
        /** Routers and links; prefixes stay. */
        ROUTERS,
        /** Everything. */
        ALL
    }

    /**
     * Reads the files again.
     *
     * @return a summary for people; may be empty
     * @throws FaultyFile if they are refused; then all stays as it was
     * @throws IOException if they cannot be read, or there are none
     */
    String reload(Part part) throws IOException, FaultyFile;

    /** Returns the settings besides the network. */
    OracleSettings settings();

    /**
     * Returns the folder of a named dump; the server may restrict it to a folder of its own.
     *
     * @throws IOException if the name is outside of it; the message names it
     */
    Path dumpFolder(String name) throws IOException;

    /** Returns the workers, one line each. */
    List<String> threads();

    /**
     * Makes each worker wait before each answer; 0 turns it off.
     *
     * @throws IOException if the workers cannot
     */
    void threadDelay(int millis) throws IOException;

    /** Returns further lines of statistics. */
    List<String> statistics();
}
