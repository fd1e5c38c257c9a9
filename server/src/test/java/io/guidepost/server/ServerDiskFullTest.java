package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.store.StoreLockedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 14, with a small file system in memory: needs root, to mount it. */
class ServerDiskFullTest {
    private static final int DISK_MIB = 48;
    private static final int LEFT_MIB = 2;
    private static final int BATCH = 500;
    private static final int BATCHES_MAX = 400;

    @TempDir
    private Path folder;

    private static List<Binding> place(int number) throws Exception {
        return List.of(Binding.of(Locator.parse("10.0." + (number >> 8 & 255) + "." + (number & 255) + ":7000")));
    }

    @Test
    void writesAreRefusedAndCountedReadsGoOnAndSpaceHeals() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder, DISK_MIB);
                RunningServer server = RunningServer.start(disk.folder());
                GnrsClient client = server.client()) {
            client.insert(Guid.ofAscii("before"), place(1));
            disk.fill(LEFT_MIB);

            Set<Guid> acknowledged = new HashSet<>();
            List<Guid> refused = new ArrayList<>();
            for (int i = 0; i < BATCHES_MAX && refused.isEmpty(); i++) {
                List<GnrsRequest> requests = new ArrayList<>();
                for (int n = 0; n < BATCH; n++) {
                    requests.add(GnrsRequest.insert(Guid.ofAscii("name" + (i * BATCH + n)), place(n)));
                }
                client.batch(requests.iterator(), answer -> {
                    if (answer.outcome() == GnrsResponse.Outcome.SUCCESS) {
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

            disk.makeRoom();
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

    @Test
    void aRestartOnAFullDiskServesLookups() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder, DISK_MIB)) {
            try (RunningServer server = RunningServer.start(disk.folder());
                    GnrsClient client = server.client()) {
                client.insert(Guid.ofAscii("before"), place(1));
            }
            disk.fill();
            try (RunningServer server = RunningServer.start(disk.folder());
                    GnrsClient client = server.client()) {
                assertThat(client.lookup(Guid.ofAscii("before")).bindings()).isEqualTo(place(1));
                assertThat(server.metric("guidepost_store_writable")).isZero();
                assertThat(server.server().store().status().trouble()).contains("No space left");
                assertThatThrownBy(() -> client.insert(Guid.ofAscii("while"), place(2))).hasMessageContaining("its disk is full");
                assertThatThrownBy(() -> RunningServer.start(disk.folder())).isInstanceOf(StoreLockedException.class);

                disk.makeRoom();
                assertThat(RunningServer.eventually(() -> server.server().store().status().writable())).isTrue();
                client.insert(Guid.ofAscii("after"), place(3));
                assertThat(client.lookup(Guid.ofAscii("after")).bindings()).isEqualTo(place(3));
                assertThat(client.lookup(Guid.ofAscii("before")).bindings()).isEqualTo(place(1));
            }
        }
    }
}
