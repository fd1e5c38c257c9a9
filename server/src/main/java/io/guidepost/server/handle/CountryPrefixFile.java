package io.guidepost.server.handle;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.handle.location.Geolocation;
import io.guidepost.handle.location.PrefixGeolocation;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.io.IOException;
import java.nio.file.Path;

/** A file of countries: lines {@code prefix country}, a country as two letters, {@code #} begins a comment. */
final class CountryPrefixFile {
    private static final String FORM = "write prefix and country, such as 192.0.2.0/24 NL";

    private CountryPrefixFile() {}

    /**
     * Where addresses are, by a file.
     *
     * @throws FaultyFile with each bad line as file:line
     * @throws IOException if the file cannot be read
     */
    static Geolocation read(Path file) throws IOException, FaultyFile {
        Prefixes.Builder countries = Prefixes.builder();
        try (LineReader lines = LineReader.open(file)) {
            while (lines.nextLine()) {
                line(lines, countries);
            }
            lines.check();
        }
        return new PrefixGeolocation(PrefixTable.of(countries.build()));
    }

    private static void line(LineReader lines, Prefixes.Builder countries) {
        try {
            Prefix prefix = Prefix.parse(lines.field());
            if (lines.nextField()) {
                countries.add(prefix, PrefixGeolocation.code(lines.field()));
            } else {
                lines.fault("no country after the prefix: " + FORM);
            }
        } catch (Malformed | IllegalArgumentException e) {
            lines.fault(e.getMessage() + ": " + FORM);
        }
    }
}
