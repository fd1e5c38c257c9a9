package io.guidepost.proximity;

import io.guidepost.base.FaultyFile;
import java.util.ArrayList;
import java.util.List;

/**
 * What is found wrong while the files of an operator are read: faults, for which they are refused together, and warnings,
 * for which they are not. Both are told as {@code file:line: what is wrong and what would be right}, up to a bound; the
 * rest is counted. Not thread-safe.
 */
public final class Findings {
    private final List<String> faults = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private long faultsTotal;
    private long warningsTotal;

    /** Notes what is wrong in a line, counted from 1; 0 means the file as a whole. */
    public void fault(String file, long line, String reason) {
        faultsTotal++;
        if (faults.size() < io.guidepost.base.CommonLimits.FILE_FAULTS_MAX) {
            faults.add(at(file, line, reason));
        }
    }

    /** Notes the faults of a file that was refused by itself. */
    public void take(FaultyFile refused) {
        for (String each : refused.faults()) {
            if (faults.size() < io.guidepost.base.CommonLimits.FILE_FAULTS_MAX) {
                faults.add(each);
            }
        }
        faultsTotal += refused.total();
    }

    /** Notes what is odd in a line, and what was made of it; line 0 means the file as a whole. */
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
     * Refuses the files if faults were noted.
     *
     * @throws FaultyFile with all of them, up to the bound
     */
    public void check() throws FaultyFile {
        if (faultsTotal > 0) {
            throw new FaultyFile(faults, faultsTotal);
        }
    }

    /** The warnings; if there were more than the bound, a last line says how many. */
    public List<String> warnings() {
        List<String> told = new ArrayList<>(warnings);
        if (warningsTotal > warnings.size()) {
            told.add("and " + (warningsTotal - warnings.size()) + " more warnings");
        }
        return List.copyOf(told);
    }
}
