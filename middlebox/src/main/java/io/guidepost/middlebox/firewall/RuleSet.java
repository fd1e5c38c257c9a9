package io.guidepost.middlebox.firewall;

import io.guidepost.names.FaultyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of a file in their order, and what becomes of packets that none fits.
 *
 * @param rules the first that fits decides
 * @param otherwise decides where none fits
 */
public record RuleSet(List<Rule> rules, Action otherwise) {
    private static final int FAULTS_TOLD_MAX = 20;

    /** Copies the list. */
    public RuleSet {
        rules = List.copyOf(rules);
    }

    /**
     * Reads a file: one rule a line, {@code #} starts a comment.
     *
     * @throws IOException if it cannot be read
     * @throws FaultyFile with all that is wrong, as file:line:column
     */
    public static RuleSet read(Path file, Action otherwise) throws IOException, FaultyFile {
        if (Files.size(file) > Limits.FILE_BYTES_MAX) {
            throw new IOException(file + " has more than " + Limits.FILE_BYTES_MAX + " bytes; no rule file is that long");
        }
        return parse(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8), otherwise);
    }

    /**
     * Reads the text of a file.
     *
     * @param name of the file, for faults
     * @throws FaultyFile with all that is wrong, as file:line:column
     */
    public static RuleSet parse(String name, String text, Action otherwise) throws FaultyFile {
        List<Rule> rules = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        long faulty = 0;
        long boxes = 0;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            RuleLine reader = new RuleLine(number, line);
            reader.read().ifPresent(rules::add);
            for (RuleLine.Fault fault : reader.faults()) {
                faulty++;
                if (faults.size() < FAULTS_TOLD_MAX) {
                    faults.add(name + ":" + number + ":" + fault.column() + ": " + fault.text());
                }
            }
        }
        for (Rule each : rules) {
            boxes += each.boxes();
        }
        if (faulty == 0 && (rules.size() > Limits.RULES_MAX || boxes > Limits.BOXES_MAX)) {
            faulty++;
            faults.add(name + ":" + number + ":1: " + rules.size() + " rules, " + boxes + " when their lists are written"
                    + " out; at most " + Limits.RULES_MAX + " and " + Limits.BOXES_MAX + " are taken");
        }
        if (faulty > 0) {
            throw new FaultyFile(faults, faulty);
        }
        return new RuleSet(rules, otherwise);
    }
}
