package io.guidepost.proximity.oracle;

import io.guidepost.base.FaultyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What the console asks of the house around the network. Called on the thread of whoever gave the command. */
public interface ConsoleBackend {
    /** What can be read again. */
    enum Part {
        /** The prefixes; routers and links stay as they are. */
        NETWORKS,
        /** Routers and links; prefixes stay as they are. */
        ROUTERS,
        /** Everything. */
        ALL
    }

    /**
     * Reads files again.
     *
     * @return what was read, for people; may be empty
     * @throws FaultyFile if they are refused; then all stays as it was
     * @throws IOException if they cannot be read, or there are none
     */
    String reload(Part part) throws IOException, FaultyFile;

    /** What holds besides the network. */
    OracleSettings settings();

    /**
     * Where a dump goes that was asked for by name; the house may keep it inside a folder of its own.
     *
     * @throws IOException if it may not go there, saying where it may
     */
    Path dumpFolder(String name) throws IOException;

    /** The workers, a line for each. */
    List<String> threads();

    /**
     * Has each worker wait before each answer; 0 is not at all.
     *
     * @throws IOException if they cannot
     */
    void threadDelay(int millis) throws IOException;

    /** Further lines of statistics. */
    List<String> statistics();
}
