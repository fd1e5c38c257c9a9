package io.guidepost.middlebox.firewall;

import io.guidepost.base.FaultyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of a file in order, and the default action.
 *
 * @param rules the first match decides
 * @param otherwise decides without a match
 */
public record RuleSet(List<FirewallRule> rules, RuleAction otherwise) {
    private static final int FAULTS_TOLD_MAX = 20;

    /** Copies the list. */
    public RuleSet {
        rules = List.copyOf(rules);
    }

    /**
     * Parses a file: one rule a line, {@code #} starts a comment.
     *
     * @throws IOException if it cannot be read
     * @throws FaultyFile with all faults, as file:line:column
     */
    public static RuleSet read(Path file, RuleAction otherwise) throws IOException, FaultyFile {
        if (Files.size(file) > FirewallLimits.FILE_BYTES_MAX) {
            throw new IOException(file + " has more than " + FirewallLimits.FILE_BYTES_MAX + " bytes; no rule file is that long");
        }
        return parse(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8), otherwise);
    }

    /**
     * Parses the text of a file.
     *
     * @param name of the file, for faults
     * @throws FaultyFile with all faults, as file:line:column
     */
    public static RuleSet parse(String name, String text, RuleAction otherwise) throws FaultyFile {
        List<FirewallRule> rules = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        long faulty = 0;
        long boxes = 0;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            RuleParser reader = new RuleParser(number, line);
            reader.read().ifPresent(rules::add);
            for (RuleParser.Fault fault : reader.faults()) {
                faulty++;
                if (faults.size() < FAULTS_TOLD_MAX) {
                    faults.add(name + ":" + number + ":" + fault.column() + ": " + fault.text());
                }
            }
        }
        for (FirewallRule each : rules) {
            boxes += each.boxes();
        }
        if (faulty == 0 && (rules.size() > FirewallLimits.RULES_MAX || boxes > FirewallLimits.BOXES_MAX)) {
            faulty++;
            faults.add(name + ":" + number + ":1: " + rules.size() + " rules, " + boxes + " when their lists are written"
                    + " out; at most " + FirewallLimits.RULES_MAX + " and " + FirewallLimits.BOXES_MAX + " are taken");
        }
        if (faulty > 0) {
            throw new FaultyFile(faults, faulty);
        }
        return new RuleSet(rules, otherwise);
    }
}
