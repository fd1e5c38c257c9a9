package io.guidepost.handle.replication;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.handle.Handle;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our source and our mirror, over sockets, with all that may come between. */
class HandleMirrorTest {
    private static final MirrorSettings SETTINGS = new MirrorSettings(
            "source", MirrorSettings.ALL, MirrorSettings.ALL, false, Duration.ofMinutes(1), MirrorSettings.PAUSE_MAX);

    private static MirrorSettings settings(MirrorPartition receiver, boolean severalPrimaries, Duration interval) {
        return new MirrorSettings("source", receiver, MirrorSettings.ALL, severalPrimaries, interval, MirrorSettings.PAUSE_MAX);
    }
    private static final TransactionLog.Retention NEWEST_ALONE =
            new TransactionLog.Retention(1, Duration.ofDays(1));

    @TempDir
    Path folder;

    private TestReplicationKeys keys;

    @BeforeEach
    void makeKeys() throws IOException {
        keys = TestReplicationKeys.shared();
    }

    private TestReplicationNode source() throws IOException {
        return TestReplicationNode.in(folder.resolve("source")).withAdministrators(keys);
    }

    private TestReplicationNode copy() throws IOException {
        return TestReplicationNode.in(folder.resolve("copy"));
    }

    /** An origin whose connection is lost after so many bytes of a stream. */
    private static ReplicationUpstream cutting(ReplicationUpstream origin, long bytes) {
        return (operation, body) -> new FilterInputStream(origin.ask(operation, body)) {
            private long left = bytes;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                if (left <= 0) {
                    throw new IOException("the connection was lost");
                }
                int read = super.read(to, offset, (int) Math.min(left, length));
                left -= read;
                return read;
            }
        };
    }

    @Test
    void whatTheSourceHasAndChangesComesOver() throws Exception {
        try (TestReplicationNode source = source();
                TestReplicationNode copy = copy()) {
            source.fill(0, 100);
            HandleMirror mirror = copy.mirror(SETTINGS, source.origin(keys));
            mirror.pull();
            assertThat(copy.contents()).isEqualTo(source.contents()).hasSize(104);
            assertThat(copy.records.find(Handle.of("1234/RECORD-7")).orElseThrow().handle())
                    .hasToString("1234/Record-7");
            assertThat(mirror.status().dumps()).isOne();

            source.put("1234/new", "http://new/");
            source.put("1234/Record-1", "http://changed/");
            source.delete("1234/Record-2");
            source.put("1234/gone", "http://gone/");
            source.delete("1234/gone");
            source.homes.home(Handle.of("0.NA/5678"));
            mirror.pull();
            assertThat(copy.contents()).isEqualTo(source.contents()).containsKey("home 0.NA/5678");
            source.homes.unhome(Handle.of("0.NA/5678"));
            mirror.pull();
            assertThat(copy.contents()).isEqualTo(source.contents()).doesNotContainKey("home 0.NA/5678");

            MirrorStatus status = mirror.status();
            assertThat(status.dumps()).isOne();
            assertThat(status.transactions()).isEqualTo(6);
            assertThat(status.position()).isEqualTo(new TransactionPosition(
                    source.transactions.settled().transactionId(), status.position().dateMillis()));
            assertThat(status.failures()).isZero();
        }
    }

    /** A name of 2,049 bytes, 2,049 values, a value that is none, and a record of more than a mebibyte. */
    private static Map<String, byte[]> tooMuch() {
        byte[] value = HandleValue.of(1, "URL", new byte[] {'x'}).write();
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("at most 2048 are kept", new WireWriter().bytes(("1234/" + "n".repeat(2044)).getBytes(US_ASCII)).u32(0).toBytes());
        WireWriter many = new WireWriter().handle(Handle.of("1234/many")).u32(2049);
        for (int i = 0; i < 2049; i++) {
            many.bytes(HandleValue.of(i + 1, "URL", new byte[] {'x'}).write());
        }
        all.put("1234/many: it has 2049 values", many.toBytes());
        byte[] cut = Arrays.copyOf(value, value.length - 1);
        all.put("1234/cut: its value 2 is none", new WireWriter().handle(Handle.of("1234/cut")).u32(2).bytes(value).bytes(cut).toBytes());
        WireWriter big = new WireWriter().handle(Handle.of("1234/big")).u32(5);
        for (int i = 0; i < 5; i++) {
            big.bytes(HandleValue.of(i + 1, "URL", new byte[250_000]).write());
        }
        all.put("1234/big: its values have more than 1048576 bytes", big.toBytes());
        return all;
    }

    /** One record beyond our bounds must not stop a mirror: anyone who may create handles at the source can make one. */
    @Test
    void whatDoesNotFitIsSkippedAndSaid() throws Exception {
        byte[] fine = HandleValue.of(1, "URL", new byte[] {'y'}).write();
        for (Map.Entry<String, byte[]> each : tooMuch().entrySet()) {
            WireWriter dump = new WireWriter();
            DumpStream.begin(dump);
            DumpStream.position(new TransactionPosition(1, 1), dump);
            dump.u8(1).raw(each.getValue());
            DumpStream.record(Handle.of("1234/a"), List.of(HandleValue.read(fine)), dump);
            DumpStream.end(dump);
            WireWriter changes = new WireWriter();
            TransactionStream.begin(changes);
            int name = 4 + (each.getValue()[2] << 8 | each.getValue()[3] & 0xff);
            changes.u8(1).u64(2).raw(Arrays.copyOf(each.getValue(), name)).u8(1).u64(5);
            changes.raw(Arrays.copyOfRange(each.getValue(), name, each.getValue().length));
            Transaction next = new Transaction(3, Handle.of("1234/b"), Transaction.Action.CREATE, 5);
            TransactionStream.transaction(next, List.of(HandleValue.read(fine)), changes);
            TransactionStream.end(6, changes);
            ReplicationUpstream origin = (operation, _) -> new ByteArrayInputStream(
                    (operation == HandleOperation.DUMP_HANDLES ? dump : changes).toBytes());
            try (TestReplicationNode copy = TestReplicationNode.in(folder.resolve("copy" + each.getKey().hashCode()))) {
                HandleMirror mirror = copy.mirror(SETTINGS, origin);
                mirror.pull();
                MirrorStatus status = mirror.status();
                assertThat(copy.contents()).containsOnlyKeys("1234/A", "1234/B");
                assertThat(status.position().transactionId()).isEqualTo(3);
                assertThat(status.refused()).isEqualTo(2);
                assertThat(status.lastRefused()).contains(each.getKey());
                assertThat(status.failures()).isZero();
            }
        }
    }

    @Test
    void aDumpThatIsCutOffGoesOnWhereItWas() throws Exception {
        try (TestReplicationNode source = source();
                TestReplicationNode copy = copy()) {
            source.fill(0, 10_000);
            copy.fill(20_000, 20_010);
            for (long bytes : new long[] {10, 3_000, 700_000}) {
                HandleMirror mirror = copy.mirror(SETTINGS, cutting(source.origin(keys), bytes));
                assertThatThrownBy(mirror::pull).isInstanceOf(IOException.class);
                assertThat(mirror.status().failures()).isOne();
                source.put("1234/during-" + bytes, "http://during/");
                source.delete("1234/Record-" + bytes);
            }
            HandleMirror last = copy.mirror(SETTINGS, source.origin(keys));
            last.pull();
            assertThat(copy.contents()).isEqualTo(source.contents());
            assertThat(last.status().records()).isLessThan(6_000);
        }
    }

    @Test
    void aMirrorThatIsStartedAgainGoesOn() throws Exception {
        try (TestReplicationNode source = source()) {
            source.fill(0, 5_000);
            try (TestReplicationNode copy = copy()) {
                copy.mirror(SETTINGS, source.origin(keys)).pull();
            }
            source.fill(5_000, 10_000);
            try (TestReplicationNode copy = copy()) {
                HandleMirror mirror = copy.mirror(SETTINGS, cutting(source.origin(keys), 450_000));
                assertThatThrownBy(mirror::pull).isInstanceOf(IOException.class);
            }
            try (TestReplicationNode copy = copy()) {
                HandleMirror mirror = copy.mirror(SETTINGS, source.origin(keys));
                mirror.pull();
                assertThat(copy.contents()).isEqualTo(source.contents());
                assertThat(mirror.status().dumps()).isZero();
                assertThat(mirror.status().transactions()).isLessThan(2_000);
            }
        }
    }

    @Test
    void aSourceThatIsStartedAgainGoesOnWithItsNumbers() throws Exception {
        try (TestReplicationNode copy = copy()) {
            try (TestReplicationNode source = source()) {
                source.fill(0, 10);
                copy.mirror(SETTINGS, source.origin(keys)).pull();
            }
            try (TestReplicationNode source = TestReplicationNode.in(folder.resolve("source"))) {
                source.put("1234/new", "http://new/");
                HandleMirror mirror = copy.mirror(SETTINGS, source.origin(keys));
                mirror.pull();
                assertThat(copy.contents()).isEqualTo(source.contents());
                assertThat(mirror.status().dumps()).isZero();
                assertThat(mirror.status().transactions()).isOne();
            }
        }
    }

    @Test
    void whoIsBehindTheHistoryGetsADump() throws Exception {
        try (TestReplicationNode source = source();
                TestReplicationNode copy = copy()) {
            source.fill(0, 50);
            HandleMirror mirror = copy.mirror(SETTINGS, source.origin(keys));
            mirror.pull();
            source.delete("1234/Record-3");
            source.homes.home(Handle.of("0.NA/99"));
            source.put("1234/new", "http://new/");
            assertThat(source.transactions.trim(NEWEST_ALONE, source.clock.millis())).isGreaterThan(50);
            copy.homes.home(Handle.of("0.NA/only-here"));
            mirror.pull();
            assertThat(mirror.status().dumps()).isEqualTo(2);
            assertThat(copy.contents()).isEqualTo(source.contents());
            mirror.redump();
            mirror.pull();
            assertThat(mirror.status().dumps()).isEqualTo(3);
            assertThat(copy.contents()).isEqualTo(source.contents());
        }
    }

    @Test
    void recordsOlderThanTheLogComeWithADump() throws Exception {
        try (TestReplicationNode source = source();
                TestReplicationNode copy = copy()) {
            source.fill(0, 5);
            TransactionPosition settled = source.transactions.settled();
            assertThat(source.transactions.reaches(TransactionPosition.NONE, settled, false)).isTrue();
            source.transactions.trim(NEWEST_ALONE, source.clock.millis());
            assertThat(source.transactions.reaches(TransactionPosition.NONE, settled, false)).isFalse();
            assertThat(source.transactions.reaches(new TransactionPosition(1000, 0), settled, false)).isFalse();
            copy.mirror(SETTINGS, source.origin(keys)).pull();
            assertThat(copy.contents()).isEqualTo(source.contents());
        }
    }

    @Test
    void aMirrorOfAMirrorFollows() throws Exception {
        try (TestReplicationNode source = source();
                TestReplicationNode copy = copy().withAdministrators(keys);
                TestReplicationNode second = TestReplicationNode.in(folder.resolve("second"))) {
            HandleMirror first = copy.mirror(SETTINGS, source.origin(keys));
            HandleMirror last = second.mirror(SETTINGS, copy.origin(keys));
            first.pull();
            last.pull();
            source.fill(0, 20);
            source.delete("1234/Record-4");
            first.pull();
            last.pull();
            assertThat(second.contents()).isEqualTo(source.contents());
            long logged = copy.transactions.settled().transactionId();
            first.pull();
            assertThat(copy.transactions.settled().transactionId()).isEqualTo(logged);
        }
    }

    @Test
    void theServersOfASiteHaveEachTheirShare() throws Exception {
        try (TestReplicationNode source = source()) {
            source.fill(0, 300);
            Map<String, List<HandleValue>> all = new HashMap<>();
            List<TestReplicationNode> copies = new ArrayList<>();
            List<HandleMirror> mirrors = new ArrayList<>();
            for (int server = 0; server < 3; server++) {
                TestReplicationNode copy = TestReplicationNode.in(folder.resolve("copy-" + server));
                copies.add(copy);
                MirrorPartition share = new MirrorPartition(SiteRecord.Hash.SUFFIX, 3, server);
                mirrors.add(copy.mirror(settings(share, false, Duration.ofMinutes(1)), source.origin(keys)));
                mirrors.get(server).pull();
            }
            source.fill(250, 350);
            source.delete("1234/Record-2");
            int count = 0;
            for (int server = 0; server < 3; server++) {
                mirrors.get(server).pull();
                Map<String, List<HandleValue>> part = copies.get(server).contents();
                part.keySet().removeIf(each -> each.startsWith("home "));
                assertThat(part.size()).isBetween(60, 200);
                count += part.size();
                all.putAll(part);
            }
            Map<String, List<HandleValue>> whole = source.contents();
            whole.keySet().removeIf(each -> each.startsWith("home "));
            assertThat(all).isEqualTo(whole).hasSize(count);
            for (TestReplicationNode each : copies) {
                each.close();
            }
        }
    }

    @Test
    void whoIsNoMirrorGetsNothing() throws Exception {
        TestReplicationKeys others = TestReplicationKeys.in(java.nio.file.Files.createDirectory(folder.resolve("others")));
        try (TestReplicationNode source = source();
                TestReplicationNode copy = copy()) {
            HandleMirror mirror = copy.mirror(SETTINGS, source.origin(others));
            assertThatThrownBy(mirror::pull).isInstanceOf(IOException.class).hasMessageContaining("refuses");
            assertThat(mirror.status().trouble()).contains("refuses");
            assertThat(copy.contents()).isEmpty();
        }
    }

    @Test
    void aSourceWithAnotherKeyIsNotBelieved() throws Exception {
        TestReplicationKeys others = TestReplicationKeys.in(java.nio.file.Files.createDirectory(folder.resolve("others")));
        try (TestReplicationNode source = TestReplicationNode.in(folder.resolve("source"), others, 0).withAdministrators(keys);
                TestReplicationNode copy = copy()) {
            TlsUpstream real = (TlsUpstream) source.origin(keys);
            ReplicationUpstream deceived = new TlsUpstream(
                    real.source(), keys.pair().getPublic(), real.who(), real.secret(), 10_000, real.clock(),
                    new SplittableRandom());
            assertThatThrownBy(copy.mirror(SETTINGS, deceived)::pull)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another key");
            assertThat(copy.contents()).isEmpty();
        }
    }

    @Test
    void itFollowsUntilItIsClosed() throws Exception {
        try (TestReplicationNode source = source();
                TestReplicationNode copy = copy()) {
            HandleMirror mirror = copy.mirror(settings(MirrorSettings.ALL, false, Duration.ofMillis(1)), source.origin(keys));
            Thread follower = Thread.ofVirtual().start(mirror::follow);
            for (int i = 0; i < 20; i++) {
                source.put("1234/" + i, "http://" + i + "/");
                source.delete("1234/" + (i - 3));
            }
            while (!copy.contents().equals(source.contents())) {
                Thread.onSpinWait();
            }
            mirror.close();
            follower.join();
        }
    }

    @Test
    void ofSeveralPrimariesTheNewestChangeWins() throws Exception {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        try (TestReplicationNode left = TestReplicationNode.ofSeveral(folder.resolve("left"), () -> Instant.ofEpochMilli(now.get()))
                        .withAdministrators(keys);
                TestReplicationNode right = TestReplicationNode.ofSeveral(folder.resolve("right"), () -> Instant.ofEpochMilli(now.get()))
                        .withAdministrators(keys)) {
            MirrorSettings settings = settings(MirrorSettings.ALL, true, Duration.ofMinutes(1));
            HandleMirror toRight = right.mirror(settings, left.origin(keys));
            HandleMirror toLeft = left.mirror(settings, right.origin(keys));
            toRight.pull();
            toLeft.pull();
            SplittableRandom random = new SplittableRandom(11);
            for (int round = 0; round < 30; round++) {
                for (int i = 0; i < 10; i++) {
                    TestReplicationNode where = random.nextBoolean() ? left : right;
                    String handle = "1234/" + random.nextInt(5);
                    now.addAndGet(random.nextInt(2));
                    if (random.nextInt(4) == 0) {
                        where.delete(handle);
                    } else {
                        where.put(handle, "http://" + round + "/" + i);
                    }
                }
                toRight.pull();
                toLeft.pull();
                toRight.pull();
                assertThat(right.contents()).as("round %s", round).isEqualTo(left.contents());
            }
            now.addAndGet(10);
            left.put("1234/x", "http://old/");
            toRight.pull();
            now.addAndGet(10);
            right.delete("1234/x");
            toLeft.pull();
            assertThat(left.records.find(Handle.of("1234/x"))).isEmpty();
            long logged = left.transactions.settled().transactionId();
            toRight.pull();
            toLeft.pull();
            assertThat(left.transactions.settled().transactionId()).isEqualTo(logged);
        }
    }
}
