package io.guidepost.lab.prove;

import io.guidepost.proximity.PrefixTableGenerator;
import io.guidepost.proximity.Prefixes;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes invented prefix tables and AS bindings of the size of the Internet's, for an operator who has no real ones. */
final class SampleTables {
    private SampleTables() {}

    static void writePrefixes(Path file, long seed) throws IOException {
        Prefixes prefixes =
                PrefixTableGenerator.generate(seed, PrefixTableGenerator.PREFIXES, PrefixTableGenerator.ASES);
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            out.write("# Invented: " + prefixes.size() + " prefixes, seed " + seed + "\n");
            for (int i = 0; i < prefixes.ipv4Size(); i++) {
                int base = prefixes.ipv4Base(i);
                out.write((base >>> 24) + "." + (base >>> 16 & 255) + "." + (base >>> 8 & 255) + "." + (base & 255)
                        + "/" + prefixes.ipv4Length(i) + " " + Integer.toUnsignedString(prefixes.ipv4Value(i)) + "\n");
            }
        }
    }

    /** Binds every AS to one server. */
    static void writeBindings(Path file, String host, int port) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            for (int as = 1; as <= PrefixTableGenerator.ASES; as++) {
                out.write(as + " " + host + " " + port + "\n");
            }
        }
    }
}
