package io.guidepost.handle.client;

import com.sun.net.httpserver.HttpServer;
import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.MessageFraming;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.message.MessageReassembly;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.operation.AccessControl;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.RecordTemplates;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.operation.TestHandleSettings;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.service.HandleProtocolServer;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.ReplicationSource;
import io.guidepost.handle.service.RequestListener;
import io.guidepost.handle.service.ResponseSink;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A server of handles on the loopback interface, by plain sockets: prefix 1234, administrator 300 (key) and 301 (the
 * secret "secret") of 1234/ADMIN.
 */
public final class LoopbackHost implements AutoCloseable {
    public static final Handle ADMIN = Handle.of("1234/ADMIN");
    public static final ValueReference BY_KEY = new ValueReference(ADMIN, 300);
    public static final ValueReference BY_SECRET = new ValueReference(ADMIN, 301);

    private final RecordStore store;
    private final HandleRecords records;
    private final KeyPair admin = keys();
    private final KeyPair keys = keys();
    private final DatagramSocket udp = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final ServerSocket tcp = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HandleProtocolServer service;
    private final SiteRecord site;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicReference<ResolveRequest> asked = new AtomicReference<>();
    private final AtomicInteger lostDatagrams = new AtomicInteger();
    private final boolean keepsConnections;

    /** Returns the last request for values that came; null if none has. */
    ResolveRequest asked() {
        return asked.get();
    }

    private LoopbackHost(boolean keepsConnections, RemoteResolver remote) throws Exception {
        this.keepsConnections = keepsConnections;
        store = EmbeddedStore.open(StoreOptions.inMemory());
        records = new HandleRecords(store, false);
        HomedPrefixes homes = new HomedPrefixes(store);
        homes.home(Handle.of("0.NA/1234"));
        site = site(udp.getLocalPort(), tcp.getLocalPort(), http.getAddress().getPort());
        HandleSettings settings =
                TestHandleSettings.of(site, 1, keys).withServerAdmins(List.of(BY_KEY, BY_SECRET)).withServerAdminFullAccess(true)
                        .settings();
        AccessControl rights = new AccessControl(settings, records, remote);
        Authenticator identities = new Authenticator(settings, records, remote);
        LocalResolver resolver =
                new LocalResolver(settings, records, homes, rights, remote, RecordTemplates.NONE, InstantSource.system());
        service = new HandleProtocolServer(
                settings,
                (question, caller) -> {
                    asked.set(question);
                    return resolver.resolve(question, caller);
                },
                new Administration(settings, records, homes, rights, new SecureRandom()),
                rights,
                identities,
                ReplicationSource.NONE,
                RequestListener.NONE,
                new CpuQuota(InstantSource.system(), 1000),
                InstantSource.system(),
                new SecureRandom());
        put(new HandleRecord(ADMIN, List.of(
                HandleValue.of(100, "HS_ADMIN", new AdminRecord(AdminRight.ALL, BY_KEY).write()),
                HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(admin.getPublic()).write()),
                new HandleValue(
                        301,
                        "HS_SECKEY",
                        "secret".getBytes(StandardCharsets.UTF_8),
                        Permissions.SECRET,
                        Ttl.usual(),
                        0,
                        List.of()))));
        run(this::serveUdp);
        run(this::serveTcp);
        http.createContext("/", exchange -> {
            byte[] request = exchange.getRequestBody().readAllBytes();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            service.answer(call(request, HandleRequest.Transport.HTTP), (message, _) -> all.writeBytes(message));
            exchange.getResponseHeaders().set("Content-Type", "application/x-hdl-message");
            exchange.sendResponseHeaders(200, all.size());
            exchange.getResponseBody().write(all.toByteArray());
            exchange.close();
        });
        http.setExecutor(threads);
        http.start();
    }

    /** One that answers one request a connection, as existing servers do. */
    public static LoopbackHost customary() throws Exception {
        return new LoopbackHost(false, RemoteResolver.NONE);
    }

    /** One that keeps connections where that is asked for. */
    public static LoopbackHost keeping() throws Exception {
        return new LoopbackHost(true, RemoteResolver.NONE);
    }

    private static KeyPair keys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private SiteRecord site(int udpPort, int tcpPort, int httpPort) {
        SiteServer server = new SiteServer(
                1,
                SiteServer.address(InetAddress.getLoopbackAddress()),
                PublicKeyRecord.of(keys.getPublic()).write(),
                List.of(
                        new SiteInterface(true, true, SiteInterface.Transport.UDP, udpPort),
                        new SiteInterface(true, true, SiteInterface.Transport.TCP, tcpPort),
                        new SiteInterface(true, true, SiteInterface.Transport.HTTP, httpPort)));
        return new SiteRecord(2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of(server));
    }

    public SiteRecord site() {
        return site;
    }

    /** The site with one of its interfaces alone. */
    public SiteRecord site(SiteInterface.Transport only) {
        SiteServer server = site.servers().getFirst();
        return withServer(new SiteServer(
                server.id(),
                server.address(),
                server.publicKey(),
                server.interfaces().stream().filter(each -> each.transport() == only).toList()));
    }

    /** The site with another key in its description. */
    public SiteRecord siteWithWrongKey() throws Exception {
        SiteServer server = site.servers().getFirst();
        return withServer(new SiteServer(
                server.id(),
                server.address(),
                PublicKeyRecord.of(keys().getPublic()).write(),
                server.interfaces()));
    }

    private SiteRecord withServer(SiteServer server) {
        return new SiteRecord(2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of(server));
    }

    public int port(SiteInterface.Transport transport) {
        return site.servers().getFirst().interfaces().stream()
                .filter(each -> each.transport() == transport)
                .findFirst()
                .orElseThrow()
                .port();
    }

    public ClientIdentity byKey() {
        return new ClientIdentity.KeyHolder(BY_KEY, admin.getPrivate());
    }

    public KeyPair adminKeys() {
        return admin;
    }

    public static ClientIdentity bySecret() {
        return new ClientIdentity.SecretHolder(BY_SECRET, "secret".getBytes(StandardCharsets.UTF_8));
    }

    public HandleRecords records() {
        return records;
    }

    public void put(HandleRecord record) throws IOException {
        records.change(record.handle(), (_, _) -> new RecordEdit.Next.Written(record, false));
    }

    /** TCP connections that were made. */
    public int connections() {
        return connections.get();
    }

    /** Loses the next datagrams. */
    public void lose(int datagrams) {
        lostDatagrams.set(datagrams);
    }

    private static HandleRequest call(byte[] request, HandleRequest.Transport transport) {
        return new HandleRequest(request, transport, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), true);
    }

    private @Nullable Void serveUdp() throws IOException {
        MessageReassembly reassembly = new MessageReassembly(new Counters<>(MessagePacketCount.class));
        while (true) {
            DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
            udp.receive(packet);
            if (lostDatagrams.getAndUpdate(each -> Math.max(0, each - 1)) > 0) {
                continue;
            }
            Optional<byte[]> request = reassembly.take(
                    0, 0, packet.getPort(), MemorySegment.ofArray(packet.getData()), 0, packet.getLength(), 0);
            request.ifPresent(whole -> run(() -> {
                service.answer(call(whole, HandleRequest.Transport.UDP), (message, _) -> {
                    // The last first: packets need not come in order.
                    for (byte[] each : MessageFragmenter.of(message).reversed()) {
                        udp.send(new DatagramPacket(each, each.length, packet.getSocketAddress()));
                    }
                });
                return null;
            }));
        }
    }

    private @Nullable Void serveTcp() throws IOException {
        while (true) {
            Socket socket = tcp.accept();
            connections.incrementAndGet();
            run(() -> {
                try (socket) {
                    serve(socket);
                }
                return null;
            });
        }
    }

    private void serve(Socket socket) throws IOException {
        boolean kept = true;
        while (kept) {
            Optional<byte[]> request = MessageFraming.read(socket.getInputStream());
            if (request.isEmpty()) {
                return;
            }
            List<byte[]> answers = new ArrayList<>();
            ResponseSink replies = (message, _) -> answers.add(message);
            service.answer(call(request.get(), HandleRequest.Transport.TCP), replies);
            for (byte[] each : answers) {
                socket.getOutputStream().write(each);
            }
            kept = keepsConnections && asksToKeep(request.get());
        }
    }

    private static boolean asksToKeep(byte[] request) {
        try {
            return HandleMessage.read(request).header().has(OpFlag.KPAL);
        } catch (Malformed e) {
            // Encrypted: nobody else can ask.
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        udp.close();
        tcp.close();
        http.stop(0);
        store.close();
    }

    /** Runs a part of the host; what it ends with when the host closes is of no interest. */
    private void run(Callable<?> part) {
        threads.execute(new FutureTask<>(part));
    }
}
