package io.guidepost.lab.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The transcripts of a page: indented lines, in which a command stands behind a dollar sign, and what it printed below it.
 *
 * @param steps commands in the order of the page
 */
record Transcript(List<Transcript.Step> steps) {
    /**
     * A command and what it printed.
     *
     * @param command without the dollar sign; a line that ends with a backslash goes on in the next
     * @param output without the indentation, ending with a line feed if there is any
     * @param from offset of the output in the page
     * @param to where the output ends
     */
    record Step(String command, String output, int from, int to) {}

    private static final Pattern STEP =
            Pattern.compile("(?m)^ {4}\\$ ((?:.*\\\\\n)*.+)\n((?:(?! {4}\\$ ) {4}.*\n|\n(?= {4}(?!\\$ )))*)");

    static Transcript of(String page) {
        List<Step> steps = new ArrayList<>();
        for (MatchResult each : STEP.matcher(page).results().toList()) {
            steps.add(new Step(
                    each.group(1).replaceAll("\\\\\n *", ""), each.group(2).replaceAll("(?m)^ {4}", ""), each.start(2), each.end(2)));
        }
        return new Transcript(steps);
    }

    /** The page with other outputs, one for each step. */
    String with(String page, List<String> outputs) {
        StringBuilder next = new StringBuilder();
        int at = 0;
        for (int i = 0; i < steps.size(); i++) {
            next.append(page, at, steps.get(i).from());
            next.append(outputs.get(i).replaceAll("(?m)^(?=.)", "    "));
            at = steps.get(i).to();
        }
        return next.append(page.substring(at)).toString();
    }

    /** What must be equal in two runs: without times, folders, the numbers that a run of prove draws, and the width of columns. */
    static String masked(String output) {
        return output.replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "TIME")
                .replaceAll("/tmp/guidepost-demo\\w+|/\\S+/guidepost-demo\\w+", "FOLDER")
                .replaceAll("(?m)^(start .*) \\d+ ms$", "$1 MS")
                .replaceAll("(?m)^(kill -9, restart +)\\d+ +\\d+( +\\d+) +\\d+ ms$", "$1 N N$2 MS")
                .replaceAll("(?m)^((?:lookup|insert) +\\d+)( +\\d+)+$", "$1 TIMES")
                .replaceAll("\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT", "TIME")
                .replaceAll("\"version\":\"\\d+\"", "\"version\":VERSION")
                .replaceAll("(?m) +", " ")
                .strip();
    }
}
