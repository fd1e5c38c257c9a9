package io.guidepost.handle.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Existing servers of another make on the other side: ours mirrors one, and one mirrors ours, while either is killed.
 * See docs/handle-mirror.md. The build copies its jars to a folder.
 */
class ReferenceServerTest {
    private static final Path JARS = Path.of("target", "genuine-server").toAbsolutePath();
    private static final String MIRRORING =
            """
            "do_replication" = "yes"
            "replication_interval" = "500"
            "replication_authentication" = "privatekey:300:1234/MIRROR"
            """;

    @TempDir
    Path folder;

    private static Path adminKeys = Path.of("");
    private static TestReplicationKeys admin;
    private static Path peerKeys = Path.of("");
    private static Path ourKeys = Path.of("");

    /** Once for all tests: each key takes a second. */
    @BeforeAll
    static void makeKeys(@TempDir Path keys) throws IOException {
        adminKeys = Files.createDirectory(keys.resolve("admin"));
        admin = TestReplicationKeys.in(adminKeys);
        peerKeys = Files.createDirectory(keys.resolve("peer-keys"));
        ourKeys = Files.createDirectory(keys.resolve("our-keys"));
        // Before a process does it at the same time.
        TestReplicationKeys.in(ourKeys);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private TestReplicationClient client(int port) {
        return new TestReplicationClient(port, TestReplicationNode.ADMIN, admin.pair());
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long until = System.nanoTime() + 120_000_000_000L;
        while (!condition.call()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("waited two minutes for: " + what);
            }
            LockSupport.parkNanos(100_000_000);
        }
    }

    /** What an existing server is loaded with: administrators and records, as its tool reads them. */
    private Path load(int records) throws IOException {
        StringBuilder json = new StringBuilder("{\"homedPrefixes\":[\"0.NA/1234\"],\"handleRecords\":{");
        String all = Base64.getEncoder().encodeToString(new AdminRecord(AdminRight.ALL, TestReplicationNode.ADMIN).write());
        String key = Base64.getEncoder()
                .encodeToString(PublicKeyRecord.of(admin.pair().getPublic()).write());
        for (String each : List.of("0.NA/1234", "1234/ADMIN", "1234/MIRROR")) {
            json.append("\"%s\":{\"handle\":\"%s\",\"values\":[%s,%s]},".formatted(
                    each, each, value(100, "HS_ADMIN", "base64", all), value(300, "HS_PUBKEY", "base64", key)));
        }
        for (int i = 0; i < records; i++) {
            json.append("%s\"1234/RECORD-%d\":{\"handle\":\"1234/RECORD-%d\",\"values\":[%s]}".formatted(
                    i == 0 ? "" : ",", i, i, value(1, "URL", "string", "http://example/" + i)));
        }
        return Files.writeString(folder.resolve("load.json"), json.append("}}"));
    }

    private static String value(int index, String type, String format, String data) {
        return ("{\"index\":%d,\"type\":\"%s\",\"data\":{\"format\":\"%s\",\"value\":\"%s\"},"
                        + "\"ttl\":86400,\"timestamp\":\"2026-01-01T00:00:00Z\"}")
                .formatted(index, type, format, data);
    }

    /** Changes of every kind, told apart by a name. */
    private static void change(TestReplicationClient at, String name) throws Exception {
        Handle kept = Handle.of("1234/kept-" + name);
        Handle gone = Handle.of("1234/gone-" + name);
        HandleValue admin = HandleValue.of(100, "HS_ADMIN", new AdminRecord(AdminRight.ALL, TestReplicationNode.ADMIN).write());
        at.perform(HandleOperation.CREATE, new MessageBody.Values(kept, List.of(HandleValue.of(1, "URL", "http://a/"), admin)));
        at.perform(HandleOperation.ADD_VALUES, new MessageBody.Values(kept, List.of(HandleValue.of(2, "DESC", name))));
        at.perform(HandleOperation.ADD_VALUES, new MessageBody.Values(kept, List.of(HandleValue.of(3, "EMAIL", "a@example"))));
        at.perform(HandleOperation.MODIFY_VALUES, new MessageBody.Values(kept, List.of(HandleValue.of(1, "URL", "http://b/"))));
        at.perform(HandleOperation.REMOVE_VALUES, new MessageBody.Indexes(kept, List.of(2)));
        at.perform(HandleOperation.CREATE, new MessageBody.Values(gone, List.of(HandleValue.of(1, "URL", "http://a/"), admin)));
        at.perform(HandleOperation.DELETE, new MessageBody.Named(gone));
        at.perform(HandleOperation.HOME_PREFIX, new MessageBody.Named(Handle.of("0.NA/" + name)));
        at.perform(HandleOperation.HOME_PREFIX, new MessageBody.Named(Handle.of("0.NA/GONE-" + name)));
        at.perform(HandleOperation.UNHOME_PREFIX, new MessageBody.Named(Handle.of("0.NA/GONE-" + name)));
        at.perform(
                HandleOperation.CREATE,
                new MessageBody.Values(Handle.of("1234/last-" + name), List.of(HandleValue.of(1, "URL", name), admin)));
    }

    private static void assertSame(TestReplicationClient source, TestReplicationClient copy, int sizeMin) throws Exception {
        assertThat(copy.contents("1234")).isEqualTo(source.contents("1234")).hasSizeGreaterThan(sizeMin);
        assertThat(copy.homes()).containsAll(source.homes());
    }

    @Test
    void oursMirrorsAPeer() throws Exception {
        oursMirrorsAPeer(1000);
    }

    @Test
    void aPeerMirrorsOurs() throws Exception {
        aPeerMirrorsOurs(1000);
    }

    @Test
    void aPeerTakesOurDump() throws Exception {
        aPeerTakesOurDump(1000);
    }

    @Test
    @Tag("long")
    void oursMirrorsAPeerWithManyRecords() throws Exception {
        oursMirrorsAPeer(10_000);
    }

    @Test
    @Tag("long")
    void aPeerMirrorsOursWithManyRecords() throws Exception {
        aPeerMirrorsOurs(10_000);
    }

    @Test
    @Tag("long")
    void aPeerTakesOurLargeDump() throws Exception {
        aPeerTakesOurDump(10_000);
    }

    private void oursMirrorsAPeer(int records) throws Exception {
        int port = freePort();
        int ourPort = freePort();
        try (ReferenceServer peer = new ReferenceServer(JARS, folder.resolve("peer"), port, peerKeys, true, "")) {
            peer.tool(
                    "net.handle.apps.tools.LoadHandlesIntoStorageFromJson",
                    "-f", load(records).toString(), "-h", peer.folder.toString());
            peer.start();
            TestReplicationClient source = client(port);
            await("the peer", () -> source.has("1234/RECORD-1") && source.trusts());
            try (TestReplicationProcess mirror = TestReplicationProcess.mirror(
                    folder.resolve("ours"), ourPort, ourKeys, adminKeys, port, peer.folder.resolve("pubkey.bin"))) {
                TestReplicationClient copy = client(ourPort);
                await("the middle of the dump", () -> copy.has("1234/RECORD-" + records * 4 / 10));
                mirror.kill();
                change(source, "A1");
                mirror.startAgain();
                await("the end of the dump", () -> copy.has("1234/last-A1"));
                assertSame(source, copy, records);
                change(source, "A2");
                peer.kill();
                peer.start();
                await("the peer again", () -> source.has("1234/RECORD-1"));
                change(source, "A3");
                await("what came after", () -> copy.has("1234/last-A3"));
                assertSame(source, copy, records);
                mirror.kill();
                change(source, "A4");
                mirror.startAgain();
                await("what came meanwhile", () -> copy.has("1234/last-A4"));
                assertSame(source, copy, records);
            }
        }
    }

    private void aPeerMirrorsOurs(int records) throws Exception {
        int port = freePort();
        int ourPort = freePort();
        try (TestReplicationProcess ours =
                        TestReplicationProcess.source(folder.resolve("ours"), ourPort, ourKeys, adminKeys, records);
                ReferenceServer peer = new ReferenceServer(JARS, folder.resolve("peer"), port, peerKeys, false, MIRRORING)
                        .following(ReferenceServer.site(TestReplicationKeys.in(ourKeys), ourPort, true), admin)) {
            TestReplicationClient source = client(ourPort);
            TestReplicationClient copy = client(port);
            await("our source", () -> source.has("1234/RECORD-" + (records - 1)));
            peer.start();
            await("the middle of the records", () -> copy.has("1234/RECORD-" + records / 10));
            ours.kill();
            ours.startAgain();
            await("our source again", () -> source.has("1234/RECORD-1"));
            change(source, "A1");
            await("the rest of the records", () -> copy.has("1234/last-A1"));
            assertSame(source, copy, records);
            peer.kill();
            change(source, "A2");
            peer.start();
            await("what came meanwhile", () -> copy.has("1234/last-A2"));
            assertSame(source, copy, records);
            ours.kill();
            ours.startAgain();
            await("our source once more", () -> source.has("1234/RECORD-1"));
            change(source, "A3");
            await("what came after", () -> copy.has("1234/last-A3"));
            assertSame(source, copy, records);
        }
    }

    private void aPeerTakesOurDump(int records) throws Exception {
        int port = freePort();
        int ourPort = freePort();
        try (TestReplicationProcess ours =
                        TestReplicationProcess.source(folder.resolve("ours"), ourPort, ourKeys, adminKeys, records);
                ReferenceServer peer = new ReferenceServer(JARS, folder.resolve("peer"), port, peerKeys, false, MIRRORING)
                        .following(ReferenceServer.site(TestReplicationKeys.in(ourKeys), ourPort, true), admin)) {
            TestReplicationClient source = client(ourPort);
            TestReplicationClient copy = client(port);
            await("our source", () -> source.has("1234/RECORD-" + (records - 1)));
            peer.tool("net.handle.server.replication.DumpHandles", peer.folder.toString());
            peer.start();
            await("the peer", () -> copy.has("1234/RECORD-1") && copy.trusts());
            assertSame(source, copy, records);
            ours.kill();
            ours.startAgain();
            await("our source again", () -> source.has("1234/RECORD-1"));
            change(source, "A1");
            await("what came after the dump", () -> copy.has("1234/last-A1"));
            assertSame(source, copy, records);
        }
    }
}
