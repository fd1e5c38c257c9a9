package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.WritesRefusedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that is full: a tmpfs of 24 MiB, for which the test must run as root. */
final class StoreDiskFullTest {
    private static final Logger LOG = Logger.getLogger("io.guidepost.store");

    private static final int DELETED = 1000;

    @TempDir
    Path folder;

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    void writesAreRefusedAndGoOnWhenThereIsRoomAgain() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        boolean mounted;
        try {
            mounted = run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", mount.toString());
        } catch (IOException e) {
            mounted = false;
        }
        assumeTrue(mounted, "mounting a tmpfs needs root");
        Level before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
        try {
            fillAndFree(mount);
        } finally {
            LOG.setLevel(before);
            assertThat(run("umount", mount.toString())).isTrue();
        }
    }

    private static void fillAndFree(Path mount) throws IOException {
        Path ballast = mount.resolve("ballast");
        Files.write(ballast, new byte[6 << 20]);
        StoreOptions options = StoreOptions.in(mount.resolve("store"))
                .withMemtableBytes(512 << 10)
                .withIndexBytesMax(64 << 20)
                .withWalBytesKept(0);
        LongAdder answered = new LongAdder();
        LongAdder failed = new LongAdder();
        int[] acknowledged = new int[1_000_000];
        int sent = 0;
        try (EmbeddedStore store = EmbeddedStore.open(options)) {
            while (failed.sum() == 0) {
                assertThat(sent).as("the disk must fill").isLessThan(acknowledged.length);
                int number = sent;
                if (store.submit(TestImages.key(number), TestImages.write(number), (outcome, version) -> {
                    acknowledged[number] = outcome == RecordStore.Outcome.DONE ? 1 : 2;
                    answered.increment();
                    if (outcome == RecordStore.Outcome.FAILED) {
                        failed.increment();
                    }
                })) {
                    sent++;
                } else {
                    LockSupport.parkNanos(100_000);
                }
            }
            int all = sent;
            Await.until("each write has its answer", () -> answered.sum() == all);
            assertThat(store.status().writesFailed()).isEqualTo(failed.sum());
            assertThat(store.status().trouble()).contains("kept for changes that do not grow");
            checkReads(store, acknowledged, sent);

            // What frees room is taken all the same.
            int deleted = deleteSome(store, acknowledged, sent);
            assertThat(deleted).isEqualTo(DELETED);
            checkReads(store, acknowledged, sent);

            // Another program takes what was kept.
            Path other = mount.resolve("other");
            fill(other);
            while (deleted > 0 && failed.sum() > 0) {
                deleted = deleteSome(store, acknowledged, sent);
            }
            assertThat(store.status().writable()).isFalse();
            // A refusal that RocksDB could clear by itself, as a compaction freed room, is well too.
            checkReads(store, acknowledged, sent);
            Files.delete(ballast);
            Files.delete(other);
            Await.until("writable again", () -> store.status().writable());
            Await.until("a write is taken", () -> {
                try {
                    return store.put(
                                    new io.guidepost.names.Record(
                                            TestImages.name(-7),
                                            0,
                                            java.util.List.of(io.guidepost.names.Binding.of(TestImages.place(77))),
                                            java.util.List.of()),
                                    0)
                            .isPresent();
                } catch (IOException e) {
                    return false;
                }
            });
            checkReads(store, acknowledged, sent);
        }
        try (EmbeddedStore store = EmbeddedStore.open(options)) {
            checkReads(store, acknowledged, sent);
            assertThat(TestImages.content(store.get(TestImages.name(-7)).orElseThrow())).isEqualTo(77);
        }
    }

    /** Deletes records until one is refused; returns how many were. */
    private static int deleteSome(EmbeddedStore store, int[] acknowledged, int sent) throws IOException {
        int done = 0;
        for (int i = 0; i < sent && done < DELETED; i++) {
            if (acknowledged[i] == 1) {
                try {
                    assertThat(store.delete(TestImages.name(i))).isTrue();
                    acknowledged[i] = 2;
                    done++;
                } catch (WritesRefusedException e) {
                    return done;
                }
            }
        }
        return done;
    }

    /** Writes a file until the disk has no room left. */
    private static void fill(Path file) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static void checkReads(EmbeddedStore store, int[] acknowledged, int sent) throws IOException {
        for (int i = 0; i < sent; i++) {
            boolean there = store.get(TestImages.name(i)).isPresent();
            assertThat(there).as("record %d", i).isEqualTo(acknowledged[i] == 1);
        }
    }
}
