package io.guidepost.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.ProjectSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A key stays only with a test that shows its effect, and an old name is refused with what to write instead. */
class KeysHaveTestsTest {
    /**
     * 115, those that say who may do what, log.format (a program that collects logs cannot take text apart), the eight of DNS,
     * the eight of names over HTTP, the nine of stores in a cluster, and gnrs.kernel-cache, which puts a program into the kernel.
     */
    private static final int KEYS_MAX = 153;

    private static final Pattern SET = Pattern.compile("([\\w.-]+)[=\"]");

    /** Words before a value in the sources of all tests but those that only parse: keys that they set are among them. */
    private static Set<String> set() throws IOException {
        Set<String> all = new HashSet<>();
        for (Path each : ProjectSources.of("test")) {
            if (!each.getFileName().toString().startsWith("Configuration")) {
                SET.matcher(Files.readString(each)).results().forEach(found -> all.add(found.group(1)));
            }
        }
        return all;
    }

    @Test
    void everyKeyIsSetByATest() throws Exception {
        Set<String> set = set();
        assertThat(ConfigurationKeys.ALL)
                .filteredOn(key -> !set.contains(key.name()))
                .extracting(Key::name)
                .as("keys that no test sets: write one that shows what the key does, or make it a constant")
                .isEmpty();
        assertThat(ConfigurationKeys.ALL).hasSizeLessThanOrEqualTo(KEYS_MAX);
    }

    @Test
    void namesOfEarlierVersionsAreRefusedWithWhatToDo() {
        assertThat(fault(Map.of(), "gnrs.workers=2")).isEqualTo("--set: there is no key 'gnrs.workers': it is now workers.count");
        assertThat(fault(Map.of(), "store.group-max=2"))
                .isEqualTo("--set: there is no key 'store.group-max': leave it out: 4096 writes share a sync at most: more gain nothing");
        assertThat(fault(Map.of("GUIDEPOST_HANDLE_TLS_KEY", "x")))
                .contains("GUIDEPOST_HANDLE_TLS_KEY")
                .contains("it is now http.tls-key");
    }

    /** A remedy begins with a key of today, so that what it tells can be written. */
    @Test
    void remediesNameKeysOfToday() {
        for (String old : RemovedKeys.names()) {
            assertThat(ConfigurationKeys.find(old)).as(old).isNull();
            String remedy = RemovedKeys.remedy(old).orElseThrow();
            if (remedy.startsWith("it is now ")) {
                String today = remedy.substring("it is now ".length()).split("[,; ]", 2)[0];
                assertThat(ConfigurationKeys.find(today)).as(remedy).isNotNull();
            }
        }
    }

    private static String fault(Map<String, String> environment, String... sets) {
        try {
            Configuration.load(null, environment, List.of(sets));
            throw new AssertionError("was taken");
        } catch (ConfigurationException e) {
            return e.faults().getFirst();
        }
    }
}
