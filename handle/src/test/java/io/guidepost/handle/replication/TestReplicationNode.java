package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.operation.AccessControl;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.RecordTemplates;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.TestHandleSettings;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.PipelinedWrites;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.service.HandleProtocolServer;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.RequestListener;
import io.guidepost.handle.service.ResponseSink;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A server over TCP, with a store in a folder: the real service behind plain sockets. */
final class TestReplicationNode implements AutoCloseable {
    static final Handle PREFIX = Handle.of("0.NA/1234");
    static final ValueReference ADMIN = new ValueReference(Handle.of("1234/ADMIN"), 300);
    static final ValueReference MIRROR = new ValueReference(Handle.of("1234/MIRROR"), 300);

    final InstantSource clock;
    final TransactionLog transactions;
    final EmbeddedStore store;
    final HandleRecords records;
    final HomedPrefixes homes;
    final ReplicationServer source;
    final TestReplicationKeys keys;
    private final HandleProtocolServer service;
    private final ServerSocket socket;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private TestReplicationNode(Path folder, TestReplicationKeys keys, boolean several, int port, InstantSource clock) throws IOException {
        this.keys = keys;
        this.clock = clock;
        transactions = several ? TransactionLog.ofSeveralPrimaries() : TransactionLog.ofOnePrimary();
        store = EmbeddedStore.open(StoreOptions.in(folder)
                .withDurability(RecordStore.Durability.OS)
                .withIndexBytesMax(64 << 20)
                .withClock(clock)
                .withJournal(transactions));
        transactions.open(store);
        records = new HandleRecords(store, false);
        homes = new HomedPrefixes(store);
        source = new ReplicationServer(records, homes, transactions);
        socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        SiteRecord site = site(keys.pair().getPublic(), socket.getLocalPort());
        HandleSettings settings = TestHandleSettings.of(site, 1, keys.pair())
                .withServerAdmins(List.of(ADMIN))
                .withServerAdminFullAccess(true)
                .withReplicationAdmins(List.of(MIRROR)).settings();
        AccessControl rights = new AccessControl(settings, records, RemoteResolver.NONE);
        Authenticator identities = new Authenticator(settings, records, RemoteResolver.NONE);
        SecureRandom random = new SecureRandom();
        service = new HandleProtocolServer(
                settings,
                new LocalResolver(settings, records, homes, rights, RemoteResolver.NONE, RecordTemplates.NONE, InstantSource.system()),
                new Administration(settings, records, homes, rights, random),
                rights,
                identities,
                source,
                RequestListener.NONE,
                new CpuQuota(clock, 2),
                clock,
                random);
        threads.execute(this::listen);
    }

    static TestReplicationNode in(Path folder) throws IOException {
        return new TestReplicationNode(folder, TestReplicationKeys.shared(), false, 0, InstantSource.system());
    }

    static TestReplicationNode in(Path folder, TestReplicationKeys keys, int port) throws IOException {
        return new TestReplicationNode(folder, keys, false, port, InstantSource.system());
    }

    static TestReplicationNode ofSeveral(Path folder, InstantSource clock) throws IOException {
        return new TestReplicationNode(folder, TestReplicationKeys.shared(), true, 0, clock);
    }

    static SiteRecord site(PublicKey key, int port) {
        SiteServer server = new SiteServer(
                1,
                SiteServer.address(InetAddress.getLoopbackAddress()),
                PublicKeyRecord.of(key).write(),
                List.of(new SiteInterface(true, true, SiteInterface.Transport.TCP, port)));
        return new SiteRecord(
                2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of(server));
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Writes what mirrors, who all have the same key here, are known by. */
    TestReplicationNode withAdministrators(TestReplicationKeys admin) throws IOException {
        homes.home(PREFIX);
        HandleValue all = HandleValue.of(100, "HS_ADMIN", new AdminRecord(AdminRight.ALL, ADMIN).write());
        HandleValue key =
                HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(admin.pair().getPublic()).write());
        put(PREFIX.toString(), all);
        put(ADMIN.handle().toString(), all, key);
        put(MIRROR.handle().toString(), all, key);
        return this;
    }

    void put(String handle, HandleValue... values) throws IOException {
        Handle name = Handle.of(handle);
        records.change(name, (_, _) -> new RecordEdit.Next.Written(new HandleRecord(name, List.of(values)), false));
    }

    void put(String handle, String text) throws IOException {
        put(handle, HandleValue.of(1, "URL", text).changedAt(clock.millis() / 1000));
    }

    void delete(String handle) throws IOException {
        records.change(Handle.of(handle), (_, _) -> new RecordEdit.Next.Deleted());
    }

    /** Many records, without waiting for each. */
    void fill(int from, int to) throws IOException {
        PipelinedWrites applying = new PipelinedWrites(store, PipelinedWrites.USUAL_MAX);
        for (int i = from; i < to; i++) {
            Handle handle = Handle.of("1234/Record-" + i);
            HandleRecord record = new HandleRecord(
                    handle, List.of(HandleValue.of(1, "URL", "http://example/" + i).changedAt(i)));
            applying.submit(
                    records.key(handle).orElseThrow().key(),
                    (key, _, version, _) -> io.guidepost.handle.record.StoredHandleRecord.write(key, version, record));
        }
        applying.settle();
    }

    /** All records and prefixes; handles folded, as some sources do not keep their spelling. */
    Map<String, List<HandleValue>> contents() throws IOException {
        Map<String, List<HandleValue>> contents = new TreeMap<>();
        records.scan(new byte[0], null, each -> {
            contents.put(
                    new String(each.handle().folded(), java.nio.charset.StandardCharsets.UTF_8), each.values());
            return true;
        });
        homes.all().forEach(each -> contents.put("home " + each, List.of()));
        return contents;
    }

    ReplicationUpstream origin(TestReplicationKeys key) {
        return new TlsUpstream(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port()),
                keys.pair().getPublic(),
                MIRROR,
                key.pair().getPrivate(),
                10_000,
                clock,
                new SplittableRandom());
    }

    HandleMirror mirror(MirrorSettings settings, ReplicationUpstream origin) {
        return new HandleMirror(settings, origin, records, homes, transactions, clock);
    }

    private void listen() {
        while (true) {
            try {
                Socket connection = socket.accept();
                threads.execute(() -> serve(connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = connection.getInputStream();
            byte[] envelope = in.readNBytes(HandleEnvelope.BYTES);
            int length = HandleEnvelope.readPrefix(new WireReader(envelope)).length();
            byte[] message = Arrays.copyOf(envelope, HandleEnvelope.BYTES + length);
            System.arraycopy(in.readNBytes(length), 0, message, HandleEnvelope.BYTES, length);
            Sending sending = new Sending(connection);
            service.answer(
                    new HandleRequest(
                            message,
                            HandleRequest.Transport.TCP,
                            (InetSocketAddress) connection.getRemoteSocketAddress(),
                            true),
                    sending);
            sending.end();
        } catch (IOException | Malformed e) {
            // The client is gone, or is none.
        }
    }

    /** The way back, which goes over to TLS where a stream begins. */
    private final class Sending implements ResponseSink {
        private final Socket plain;
        private @Nullable SSLSocket secure;

        Sending(Socket plain) {
            this.plain = plain;
        }

        @Override
        public void message(byte[] message, boolean last) throws IOException {
            plain.getOutputStream().write(message);
        }

        @Override
        public void stream(byte[] bytes, int offset, int length) throws IOException {
            if (secure == null) {
                plain.getOutputStream().write(ReplicationServer.tlsMark());
                secure = (SSLSocket) keys.tls().getSocketFactory().createSocket(plain, "mirror", 0, true);
                secure.setUseClientMode(false);
                secure.startHandshake();
            }
            secure.getOutputStream().write(bytes, offset, length);
        }

        void end() throws IOException {
            if (secure != null) {
                secure.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.close();
        store.close();
    }
}
