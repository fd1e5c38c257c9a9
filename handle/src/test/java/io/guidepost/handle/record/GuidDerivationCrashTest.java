package io.guidepost.handle.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a writing process with SIGKILL: a handle and its GUID are of one time afterwards, whatever the moment was. */
class GuidDerivationCrashTest {
    @TempDir
    Path folder;

    @Test
    void handleAndGuidGoTogether() throws Exception {
        kill(3);
    }

    @Test
    @Tag("long")
    void handleAndGuidGoTogetherOverFiftyKills() throws Exception {
        kill(50);
    }

    private void kill(int kills) throws Exception {
        SplittableRandom random = new SplittableRandom(System.nanoTime());
        for (int round = 0; round < kills; round++) {
            Process child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-Xmx128m",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            GuidDerivationCrashChild.class.getName(),
                            folder.resolve("store").toString(),
                            Long.toString(random.nextLong()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
                int most = random.nextInt(200, 2000);
                for (int i = 0; i < most; i++) {
                    assertThat(said.readLine()).as("what the process says").isNotNull();
                }
                child.toHandle().destroyForcibly();
            } finally {
                child.destroyForcibly();
                assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(checked()).as("GUIDs with places").isPositive();
        }
    }

    private int checked() throws IOException {
        Map<Name, List<Binding>> expected = new HashMap<>();
        Map<Name, List<Binding>> found = new HashMap<>();
        GuidDerivation places = new GuidDerivation(false);
        try (EmbeddedStore store = GuidDerivationCrashChild.open(folder.resolve("store"), places)) {
            new HandleRecords(store, false).scan(new byte[0], null, record -> {
                Handle handle = record.handle();
                if (!places.places(record).isEmpty()) {
                    expected.put(Name.of(handle.guid()), places.places(record));
                }
                return true;
            });
            store.scan(new byte[] {Name.Namespace.GUID.code()}, null, record -> {
                found.put(record.name(), record.bindings());
                return true;
            });
        }
        assertThat(found).isEqualTo(expected);
        return found.size();
    }
}
