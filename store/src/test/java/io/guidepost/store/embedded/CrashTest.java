package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.names.Record;
import io.guidepost.store.TestImages;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a writing process with SIGKILL at random moments, its start included, and looks whether each key holds what was
 * acknowledged last, or something that was tried after that; and nothing else.
 */
final class CrashTest {
    @TempDir
    Path folder;

    /** What is known of one key: what must be there, or may be instead. */
    private static final class Ledger {
        long acknowledged = -1;
        long version;
        final ArrayDeque<Long> tried = new ArrayDeque<>();
    }

    private final Map<Long, Ledger> ledgers = new HashMap<>();
    private long acknowledgements;
    private int earlyKills;

    @Test
    void nothingAcknowledgedIsLostByTenKills() throws Exception {
        kill("FSYNC", 6, 400);
        kill("OS", 4, 400);
    }

    @Test
    @Tag("long")
    void nothingAcknowledgedIsLostByTwoHundredAndTwentyKills() throws Exception {
        kill("FSYNC", 120, 1500);
        kill("OS", 100, 1500);
    }

    private void kill(String durability, int kills, int millisMax) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Path store = folder.resolve(durability);
        ledgers.clear();
        acknowledgements = 0;
        earlyKills = 0;
        int answered = 0;
        for (int round = 0; round < kills; round++) {
            String where = durability + ", seed " + seed + ", kill " + round;
            // One kill in four, but not the first, may come while the store opens; the others wait for the first answer.
            boolean early = round > 0 && random.nextInt(4) == 0;
            round(store, durability, random, millisMax, early);
            answered += early ? 0 : 1;
            check(store, durability, where);
        }
        System.out.printf(
                "%s: %d kills, %d of them before the first answer, %,d acknowledged writes, none lost%n",
                durability, kills, earlyKills, acknowledgements);
        assertThat(acknowledgements).as("%s, acknowledged writes", durability).isGreaterThanOrEqualTo(answered);
    }

    private void round(Path store, String durability, SplittableRandom random, int millisMax, boolean early) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashChild.class.getName(),
                        store.toString(),
                        durability,
                        Long.toString(random.nextLong()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream out = child.getInputStream()) {
            long delay = random.nextLong(1, millisMax * 1_000_000L);
            List<byte[]> first = new ArrayList<>();
            // Writes that it tries are told before the first that it has acknowledged.
            while (!early && (first.isEmpty() || isAttempt(first.getLast()))) {
                first.add(out.readNBytes(CrashChild.MESSAGE_BYTES));
            }
            Thread killer = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(delay);
                // Not Process.destroyForcibly, which closes the pipe with what was still said in it.
                child.toHandle().destroyForcibly();
            });
            long before = acknowledgements;
            first.forEach(this::hear);
            hearAll(out);
            killer.join();
            earlyKills += acknowledgements == before ? 1 : 0;
        } finally {
            child.destroyForcibly();
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void hearAll(InputStream out) throws IOException {
        DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(out, 1 << 16));
        byte[] message = new byte[CrashChild.MESSAGE_BYTES];
        try {
            while (true) {
                in.readFully(message);
                hear(message);
            }
        } catch (EOFException e) {
            // The child is gone; a message of which only a part came says nothing.
        }
    }

    private static boolean isAttempt(byte[] message) {
        return message[0] == 'T';
    }

    private void hear(byte[] message) {
        Ledger ledger = ledgers.computeIfAbsent(Memory.longAt(message, 1), number -> new Ledger());
        long content = Memory.longAt(message, 9);
        if (isAttempt(message)) {
            ledger.tried.add(content);
            return;
        }
        acknowledgements++;
        ledger.acknowledged = content;
        ledger.version = Math.max(ledger.version, Memory.longAt(message, 17));
        // Writes of a key are applied in the order in which they were tried, by one thread.
        while (!ledger.tried.isEmpty() && ledger.tried.removeFirst() != content) {
            throw new AssertionError("an acknowledgement out of order");
        }
    }

    private void check(Path folder, String durability, String where) throws IOException {
        try (EmbeddedStore store = EmbeddedStore.open(CrashChild.options(folder, durability))) {
            Map<Long, Long> found = new HashMap<>();
            for (long number = 0; number < CrashChild.KEYS; number++) {
                Record record = store.get(TestImages.name(number)).orElse(null);
                long content = record == null ? -1 : TestImages.content(record);
                found.put(number, content);
                Ledger ledger = ledgers.get(number);
                if (ledger == null) {
                    assertThat(content).as("%s, key %d was never written", where, number).isEqualTo(-1);
                    continue;
                }
                boolean acknowledged = content == ledger.acknowledged;
                assertThat(acknowledged || ledger.tried.contains(content))
                        .as(
                                "%s, key %d: acknowledged %d, found %d, tried %s",
                                where, number, ledger.acknowledged, content, ledger.tried)
                        .isTrue();
                if (acknowledged && record != null && ledger.tried.isEmpty()) {
                    assertThat(record.version()).as(where).isGreaterThanOrEqualTo(ledger.version);
                }
                ledger.acknowledged = content;
                ledger.tried.clear();
            }
            Await.until("warm", () -> !store.status().warming());
            assertThat(store.status().trouble()).as(where).isEmpty();
            // The scan, which asks the engine, and the warm index agree.
            Set<Long> contents = new HashSet<>(found.values());
            store.scan(new byte[] {1}, null, record -> {
                long content = TestImages.content(record);
                assertThat(contents.contains(content)).as(where).isTrue();
                return true;
            });
            for (Map.Entry<Long, Long> each : found.entrySet()) {
                long now = store.get(TestImages.name(each.getKey())).map(TestImages::content).orElse(-1L);
                assertThat(now).as(where).isEqualTo(each.getValue());
            }
        }
    }
}
