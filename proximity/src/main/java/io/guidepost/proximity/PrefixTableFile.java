package io.guidepost.proximity;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.PrefixParser;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads the prefix tables of GNRS: {@code 10.1.0.0/16 65001} on each line, {@code #} before comments, further columns
 * ignored, IPv6 prefixes allowed, plain or gzip. A file with a fault is refused as a whole, so the table in use stays.
 */
public final class PrefixTableFile {
    private PrefixTableFile() {}

    /**
     * Reads a file.
     *
     * @param notation of the AS numbers in the second column
     * @throws FaultyFile with each bad line as file:line
     * @throws IOException if the file cannot be read
     */
    public static Prefixes read(Path file, AsNotation notation) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.open(file)) {
            return read(lines, notation);
        }
    }

    static Prefixes read(LineReader lines, AsNotation notation) throws IOException, FaultyFile {
        Prefixes.Builder prefixes = Prefixes.builder();
        PrefixParser prefix = new PrefixParser();
        while (lines.nextLine()) {
            String fault = readLine(lines, notation, prefix, prefixes);
            if (!fault.isEmpty()) {
                lines.fault(fault);
            }
            if (prefixes.full()) {
                lines.fault("the table has more than " + ProximityLimits.PREFIXES_MAX + " prefixes");
                break;
            }
        }
        lines.check();
        return prefixes.build();
    }

    /** Reads one line; returns its fault, or an empty text. */
    private static String readLine(
            LineReader lines, AsNotation notation, PrefixParser prefix, Prefixes.Builder prefixes) {
        String fault = prefix.read(lines.bytes(), lines.from(), lines.to());
        if (!fault.isEmpty()) {
            return fault;
        }
        if (!lines.nextField()) {
            return "no AS number after the prefix: write it there, such as 10.1.0.0/16 65001";
        }
        long as = notation.parse(lines.bytes(), lines.from(), lines.to());
        if (as < 0) {
            return "'" + lines.field() + "' is not the number of an AS: write " + notation.expected();
        }
        prefixes.addLeftAligned(prefix.ipv6, prefix.high, prefix.low, prefix.length, (int) as);
        return "";
    }
}
