package io.guidepost.base;

import java.util.List;

/**
 * Says that a text file is refused, and why: its faults as {@code file:line: what is wrong and what would be right}, up
 * to {@link CommonLimits#FILE_FAULTS_MAX} of them, and how many there are in all. It carries no stack trace: it describes the
 * file, not the program.
 */
public final class FaultyFile extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;
    private final long total;

    /**
     * Tells the faults of a file.
     *
     * @param faults the first of them, one line each; at least one
     * @param total how many there are in all, these included
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

    /** The first faults, one line each. */
    public List<String> faults() {
        return faults;
    }

    /** How many faults there are in all. */
    public long total() {
        return total;
    }
}
