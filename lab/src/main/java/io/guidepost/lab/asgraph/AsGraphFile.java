package io.guidepost.lab.asgraph;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.proximity.AsNotation;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads graphs of autonomous systems: {@code AS AS latency} on each line, the latency in microseconds, {@code #} before
 * comments. Further columns are ignored, gzip is recognised. A file with a fault is refused whole.
 */
public final class AsGraphFile {
    /** A minute: more is a mistake in units. */
    private static final double MICROS_MAX = 60e6;

    private AsGraphFile() {}

    /**
     * Reads a file and returns its largest connected component.
     *
     * @throws FaultyFile with each bad line as file:line
     * @throws IOException if the file cannot be read
     */
    public static AsGraph read(Path file) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.open(file)) {
            return read(lines);
        }
    }

    static AsGraph read(LineReader lines) throws IOException, FaultyFile {
        AsGraph.Builder graph = AsGraph.builder();
        while (lines.nextLine()) {
            readLine(lines, graph);
        }
        if (graph.size() == 0) {
            lines.fault("the graph has no link: write AS AS latency, such as 65001 65002 8500");
        }
        lines.check();
        return graph.build();
    }

    private static void readLine(LineReader lines, AsGraph.Builder graph) {
        long one = as(lines);
        if (one < 0) {
            return;
        }
        if (!lines.nextField()) {
            lines.fault("no second AS: write AS AS latency, such as 65001 65002 8500");
            return;
        }
        long other = as(lines);
        if (other < 0) {
            return;
        }
        if (other == one) {
            lines.fault("AS " + one + " is linked to itself");
            return;
        }
        if (!lines.nextField()) {
            lines.fault("no latency after the ASes: write it in microseconds, such as 65001 65002 8500");
            return;
        }
        int micros = micros(lines.field());
        if (micros < 1) {
            lines.fault("'" + lines.field() + "' is not a latency: write microseconds, from 1 to 60000000");
            return;
        }
        graph.link(one, other, micros);
    }

    private static long as(LineReader lines) {
        long as = AsNotation.PLAIN.parse(lines.bytes(), lines.from(), lines.to());
        if (as < 0) {
            lines.fault("'" + lines.field() + "' is not the number of an AS: write " + AsNotation.PLAIN.expected());
        }
        return as;
    }

    /**
     * Returns whole microseconds of a decimal number, or 0 if it is none in the range; large ones are written as
     * 2.5e+06.
     */
    private static int micros(String text) {
        try {
            double micros = Double.parseDouble(text);
            return micros >= 1 && micros <= MICROS_MAX ? (int) Math.round(micros) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
