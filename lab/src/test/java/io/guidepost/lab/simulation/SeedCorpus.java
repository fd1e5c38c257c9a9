package io.guidepost.lab.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The seeds that ever failed, {@code src/test/resources/simulation-seeds.txt}: those that broke a promise of the product once,
 * and for each sabotage the first that notices it.
 */
final class SeedCorpus {
    private static final Path FILE = Path.of("src/test/resources/simulation-seeds.txt");

    /**
     * One line.
     *
     * @param sabotage what failed it; empty if the product did
     * @param why what failed
     */
    record Entry(long seed, ClusterOptions options, Optional<Sabotages> sabotage, String why) {
        @Override
        public String toString() {
            return "seed " + seed + " " + sabotage.map(Enum::name).orElse(why);
        }
    }

    private SeedCorpus() {}

    static List<Entry> all() {
        try {
            return Files.readAllLines(FILE).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(SeedCorpus::entry)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Entry entry(String line) {
        String[] words = line.strip().split(" +", 7);
        ClusterOptions options = new ClusterOptions(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                EnumSet.allOf(FaultKind.class),
                words[4].equals("everywhere"),
                SimulationProfile.valueOf(words[3].toUpperCase(Locale.ROOT)),
                false);
        Optional<Sabotages> sabotage = words[5].equals("-")
                ? Optional.empty()
                : Optional.of(Sabotages.valueOf(words[5].toUpperCase(Locale.ROOT)));
        return new Entry(Long.parseLong(words[0]), options, sabotage, words[6]);
    }
}
