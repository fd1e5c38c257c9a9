package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.Prefix;
import io.guidepost.base.PrefixParser;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The columns of one line, read in order; a missing or invalid column ends the line with a fault that contains the
 * {@code usage}.
 */
final class OracleStatement {
    private final LineReader lines;
    private final PrefixParser text = new PrefixParser();
    private String usage = "";

    private OracleStatement(LineReader lines) {
        this.lines = lines;
    }

    /** A line is refused, with the reason. */
    static final class Wrong extends Exception {
        Wrong(String reason) {
            super(reason, null, false, false);
        }

        /** Returns what is wrong and what would be right. */
        String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** Takes one statement of a file. */
    interface Taker {
        void take(String word, OracleStatement statement, long line) throws Wrong;
    }

    /** Gives all statements of a file to a reader, and collects their faults. */
    static void readAll(Path file, Findings findings, Taker taker) throws IOException {
        try (LineReader lines = LineReader.open(file)) {
            OracleStatement statement = new OracleStatement(lines);
            while (lines.nextLine()) {
                try {
                    taker.take(lines.field(), statement, lines.line());
                    statement.end();
                } catch (Wrong e) {
                    findings.fault(file.toString(), lines.line(), e.reason());
                }
            }
            lines.check();
        } catch (FaultyFile e) {
            findings.take(e);
        }
    }

    /** Sets the form of the statement whose columns are read next. */
    void expect(String form) {
        usage = form;
    }

    private void next(String column) throws Wrong {
        if (!lines.nextField()) {
            throw new Wrong("the " + column + " is missing: write " + usage);
        }
    }

    /** Checks that the line has no more columns. */
    void end() throws Wrong {
        if (lines.nextField()) {
            throw new Wrong("'" + lines.field() + "' is one column too many: write " + usage);
        }
    }

    String word(String column) throws Wrong {
        next(column);
        return lines.field();
    }

    Address address(String column) throws Wrong {
        next(column);
        return address();
    }

    private Address address() throws Wrong {
        taken(text.readAddress(lines.bytes(), lines.from(), lines.to()));
        return text.address();
    }

    /** Returns whether the next column is the sign for no address. */
    boolean none(String column) throws Wrong {
        next(column);
        return lines.to() - lines.from() == 1 && lines.bytes()[lines.from()] == '-';
    }

    /** Returns the column that {@link #none} tested. */
    Address same() throws Wrong {
        return address();
    }

    Prefix prefix(String column) throws Wrong {
        next(column);
        taken(text.read(lines.bytes(), lines.from(), lines.to()));
        return text.prefix();
    }

    private static void taken(String fault) throws Wrong {
        if (!fault.isEmpty()) {
            throw new Wrong(fault);
        }
    }

    long asNumber(String column) throws Wrong {
        next(column);
        long number = AsNotation.PLAIN.parse(lines.bytes(), lines.from(), lines.to());
        if (number < 0) {
            throw new Wrong("'" + lines.field() + "' is not the number of an AS: write " + AsNotation.PLAIN.expected());
        }
        return number;
    }

    int number(String column, int min, int max) throws Wrong {
        next(column);
        byte[] bytes = lines.bytes();
        long number = lines.to() - lines.from() <= 10 ? 0 : -1;
        for (int i = lines.from(); i < lines.to() && number >= 0; i++) {
            int digit = bytes[i] - '0';
            number = digit < 0 || digit > 9 ? -1 : 10 * number + digit;
        }
        if (number < min || number > max) {
            throw new Wrong(
                    "'" + lines.field() + "' is not a " + column + ": write a number from " + min + " to " + max);
        }
        return (int) number;
    }

    /** Returns a decimal number of 0 or more. */
    double decimal(String column) throws Wrong {
        next(column);
        double number = OracleDecimals.parse(lines.field());
        if (!(number >= 0)) {
            throw new Wrong("'" + lines.field() + "' is not a " + column + ": write a number such as 35 or 0.5");
        }
        return number;
    }

    /** Returns true for UP, false for DOWN. */
    boolean up() throws Wrong {
        next("status");
        String said = lines.field().toUpperCase(Locale.ROOT);
        if (!said.equals("UP") && !said.equals("DOWN")) {
            throw new Wrong("'" + lines.field() + "' is not a status: write UP or DOWN");
        }
        return said.equals("UP");
    }
}
