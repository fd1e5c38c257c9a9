package io.guidepost.base;

import java.util.List;

/**
 * Thrown when a text file is refused. It lists the faults as {@code file:line: what is wrong and what would be right},
 * at most {@link CommonLimits#FILE_FAULTS_MAX}, and their total number. It has no stack trace: it describes the file, not the
 * program.
 */
public final class FaultyFile extends Exception {
    private final List<String> faults;
    private final long total;

    /**
     * Describes the faults of a file.
     *
     * @param faults the first of them, one line each; at least one
     * @param total number of all faults, these included
     */
    public FaultyFile(List<String> faults, long total) {
        super(message(faults, total), null, false, false);
        this.faults = List.copyOf(faults);
        this.total = total;
    }

    private static String message(List<String> faults, long total) {
        String told = String.join("\n", faults);
        return total > faults.size() ? told + "\nand " + (total - faults.size()) + " more" : told;
    }

    /** Returns the first faults, one line each. */
    public List<String> faults() {
        return faults;
    }

    /** Returns the number of all faults. */
    public long total() {
        return total;
    }
}
