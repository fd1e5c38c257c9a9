package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsAnswer;
import io.guidepost.gnrs.GnrsClient;
import io.guidepost.gnrs.GnrsRequest;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 14, with a small file system in memory: needs root, to mount it. */
class DiskFullTest {
    private static final int DISK_MIB = 48;
    private static final int LEFT_MIB = 2;
    private static final int BATCH = 500;
    private static final int BATCHES_MAX = 400;

    @TempDir
    private Path folder;

    private Path disk;

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        boolean mounted;
        try {
            mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MIB + "m", "tmpfs", disk.toString());
        } catch (IOException e) {
            mounted = false;
        }
        Assumptions.assumeTrue(mounted, "needs root, to mount a small file system in memory");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static List<Binding> place(int number) throws Exception {
        return List.of(Binding.of(Locator.parse("10.0." + (number >> 8 & 255) + "." + (number & 255) + ":7000")));
    }

    private static void fill(Path file, Path disk) throws IOException {
        byte[] mebibyte = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (Files.getFileStore(disk).getUsableSpace() > (LEFT_MIB + 1) << 20) {
                out.write(mebibyte);
            }
        }
    }

    @Test
    void writesAreRefusedAndCountedReadsGoOnAndSpaceHeals() throws Exception {
        try (RunningServer server = RunningServer.start(disk);
                GnrsClient client = server.client()) {
            client.insert(Guid.ofAscii("before"), place(1));
            Path ballast = disk.resolve("ballast");
            fill(ballast, disk);

            Set<Guid> acknowledged = new HashSet<>();
            List<Guid> refused = new ArrayList<>();
            for (int i = 0; i < BATCHES_MAX && refused.isEmpty(); i++) {
                List<GnrsRequest> requests = new ArrayList<>();
                for (int n = 0; n < BATCH; n++) {
                    requests.add(GnrsRequest.insert(Guid.ofAscii("name" + (i * BATCH + n)), place(n)));
                }
                client.batch(requests.iterator(), answer -> {
                    if (answer.outcome() == GnrsAnswer.Outcome.SUCCESS) {
                        acknowledged.add(answer.request().guid());
                    } else {
                        refused.add(answer.request().guid());
                    }
                });
            }
            assertThat(refused).as("the disk became full").isNotEmpty();
            assertThat(server.metric("guidepost_store_writable")).isZero();
            assertThat(server.metric("guidepost_store_writes_failed_total")).isPositive();
            assertThat(server.server().store().status().trouble()).isNotEmpty();
            assertThat(client.lookup(Guid.ofAscii("before")).bindings()).isEqualTo(place(1));

            Files.delete(ballast);
            assertThat(RunningServer.eventually(() -> server.server().store().status().writable())).isTrue();
            client.insert(Guid.ofAscii("after"), place(2));
            assertThat(client.lookup(Guid.ofAscii("after")).bindings()).isEqualTo(place(2));
            List<Guid> lost = new ArrayList<>();
            client.batch(
                    acknowledged.stream().map(each -> GnrsRequest.lookup(each, false)).iterator(),
                    answer -> {
                        if (answer.bindings().isEmpty()) {
                            lost.add(answer.request().guid());
                        }
                    });
            assertThat(lost).as("acknowledged, and not there").isEmpty();
        }
    }
}
