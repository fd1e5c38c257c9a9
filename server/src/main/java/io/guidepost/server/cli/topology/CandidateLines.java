package io.guidepost.server.cli.topology;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.proximity.Findings;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads candidates from text: addresses and prefixes with white space between them; what follows a {@code #} is no part. */
final class CandidateLines {
    private CandidateLines() {}

    /**
     * Reads all of it.
     *
     * @param name of the file, for its faults
     * @throws FaultyFile with all words that are no candidates
     */
    static List<Candidate> read(BufferedReader in, String name) throws IOException, FaultyFile {
        List<Candidate> candidates = new ArrayList<>();
        Findings findings = new Findings();
        int number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            int comment = line.indexOf('#');
            for (String word : (comment < 0 ? line : line.substring(0, comment)).strip().split("\\s+", -1)) {
                try {
                    if (!word.isEmpty()) {
                        candidates.add(Candidate.parse(word));
                    }
                } catch (Malformed e) {
                    findings.fault(name, number, e.reason());
                }
            }
        }
        findings.check();
        return candidates;
    }
}
