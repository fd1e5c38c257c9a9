package io.guidepost.proximity;

import io.guidepost.base.FaultyFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects faults, for which files are refused together, and warnings, for which they are not. Both have the form
 * {@code file:line: what is wrong and what would be right}; after a bound they are only counted. Not thread-safe.
 */
public final class Findings {
    private final List<String> faults = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private long faultsTotal;
    private long warningsTotal;

    /** Adds a fault in a line, counted from 1; 0 means the file as a whole. */
    public void fault(String file, long line, String reason) {
        faultsTotal++;
        if (faults.size() < io.guidepost.base.CommonLimits.FILE_FAULTS_MAX) {
            faults.add(at(file, line, reason));
        }
    }

    /** Adds the faults of a file that was refused on its own. */
    public void take(FaultyFile refused) {
        for (String each : refused.faults()) {
            if (faults.size() < io.guidepost.base.CommonLimits.FILE_FAULTS_MAX) {
                faults.add(each);
            }
        }
        faultsTotal += refused.total();
    }

    /** Adds a warning about a line: what is odd, and how it was read; line 0 means the file as a whole. */
    public void warn(String file, long line, String reason) {
        warningsTotal++;
        if (warnings.size() < ProximityLimits.WARNINGS_MAX) {
            warnings.add(at(file, line, reason));
        }
    }

    private static String at(String file, long line, String reason) {
        return file + (line > 0 ? ":" + line : "") + ": " + reason;
    }

    /**
     * Refuses the files if there are faults.
     *
     * @throws FaultyFile with all of them, up to the bound
     */
    public void check() throws FaultyFile {
        if (faultsTotal > 0) {
            throw new FaultyFile(faults, faultsTotal);
        }
    }

    /** Returns the warnings; beyond the bound, a last line has the number of the others. */
    public List<String> warnings() {
        List<String> told = new ArrayList<>(warnings);
        if (warningsTotal > warnings.size()) {
            told.add("and " + (warningsTotal - warnings.size()) + " more warnings");
        }
        return List.copyOf(told);
    }
}
