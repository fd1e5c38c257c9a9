package io.guidepost.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a server with SIGKILL; a watcher that comes again has seen every acknowledged change, in the order of its name. */
final class NameWatchCrashTest {
    @TempDir
    private Path folder;

    private final Map<String, List<Integer>> acknowledged = new HashMap<>();
    private final Map<String, List<Integer>> seen = new HashMap<>();
    private String position = "";
    private int number = 1;

    @Test
    void aWatcherMissesNothingOverKills() throws Exception {
        kill(2);
    }

    @Test
    @Tag("long")
    void aWatcherMissesNothingOverManyKills() throws Exception {
        kill(60);
    }

    private void kill(int kills) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < kills; i++) {
            run(random.nextLong(), random.nextInt(100, 1500));
        }
        try (LocalApi api = new LocalApi(NameWatchCrashChild.options(folder), 1 << 20, WriterTokens.NONE);
                Watcher watcher = api.watch("", "last-event-id", position)) {
            api.call("PUT", "/v1/names/mark", NameWatchCrashChild.body(number));
            while (!seen.containsKey("mark")) {
                take(NameWatchCrashChild.line(watcher.next()));
            }
        }
        assertThat(seen).as("seed %d", seed).doesNotContainKey("reset");
        acknowledged.forEach((name, numbers) -> {
            List<Integer> told = new ArrayList<>(seen.getOrDefault(name, List.of()));
            told.removeIf(each -> each == 0);
            List<Integer> wanted = new ArrayList<>(numbers);
            wanted.removeIf(each -> each == 0);
            assertThat(told).as("seed %d: %s in order", seed, name).isSorted();
            assertThat(told).as("seed %d: all of %s", seed, name).containsAll(wanted);
        });
    }

    private void run(long seed, int lines) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                NameWatchCrashChild.class.getName(),
                folder.toString(),
                Long.toString(seed),
                Integer.toString(number)));
        if (!position.isEmpty()) {
            command.add(position);
        }
        Process child = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < lines; i++) {
                String line = said.readLine();
                assertThat(line).as("what the process says").isNotNull();
                take(line);
            }
            child.toHandle().destroyForcibly();
            // What it said before it was killed counts; half a line does not.
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.matches("W \\S+ [0-9]+|E \\S+ \\S+ [0-9]+") && said.ready()) {
                    take(line);
                }
            }
        } finally {
            child.destroyForcibly();
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        // Numbers of writes that were not acknowledged are not used again.
        number += 100_000;
    }

    private void take(String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("W")) {
            acknowledged.computeIfAbsent(words[1], _ -> new ArrayList<>()).add(Integer.parseInt(words[2]));
        } else {
            if (!words[1].equals("-")) {
                position = words[1];
            }
            seen.computeIfAbsent(words[2], _ -> new ArrayList<>()).add(Integer.parseInt(words[3]));
        }
    }
}
