package io.guidepost.handle.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.MessageFragmenter;
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
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.service.HandleProtocolServer;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.ReplicationSource;
import io.guidepost.handle.service.RequestListener;
import io.guidepost.handle.service.ResponseSink;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.UnaryOperator;

/** A door with the whole service and a store in memory behind it, on one thread, and a clock that tests move. */
final class HandleDoorStand implements AutoCloseable {
    private static final KeyPair KEYS = keys();
    private static final long CLIENT_HIGH = Addresses.IPV4_HIGH;
    private static final long CLIENT_LOW = Addresses.ipv4Low(0x0a000001);

    /** What waits for a thread of the executor. */
    final Queue<Runnable> tasks = new ArrayDeque<>();

    final InstantSource clock = () -> Instant.ofEpochMilli(nowMillis());
    final EmbeddedStore store;
    final HandleRecords records;
    final HomedPrefixes homes;
    final HandleProtocolServer service;
    final HandleDoor door;
    long now = 1_800_000_000_000L;
    int port = 4000;
    private final Exchange exchange = new Exchange();
    private final MemorySegment question = Arena.ofAuto().allocate(65_536, 8);
    private final MemorySegment room = Arena.ofAuto().allocate(MessageFragmenter.BYTES_MAX, 8);

    HandleDoorStand(SiteRecord site) throws IOException {
        this(site, HandleDoorSettings.usual(), settings -> settings);
    }

    HandleDoorStand(SiteRecord site, HandleDoorSettings doorSettings, UnaryOperator<TestHandleSettings> change) throws IOException {
        this(site, doorSettings, change, own -> own);
    }

    /** The same, where handles are seen through another store over the stand's own. */
    HandleDoorStand(
            SiteRecord site,
            HandleDoorSettings doorSettings,
            UnaryOperator<TestHandleSettings> change,
            UnaryOperator<RecordStore> view) throws IOException {
        HandleSettings settings = change.apply(TestHandleSettings.of(site, 1, KEYS)).settings();
        store = EmbeddedStore.open(StoreOptions.inMemory().withClock(clock));
        records = new HandleRecords(view.apply(store), settings.caseSensitive());
        homes = new HomedPrefixes(store);
        SecureRandom random = new SecureRandom();
        AccessControl rights = new AccessControl(settings, records, RemoteResolver.NONE);
        Authenticator identities = new Authenticator(settings, records, RemoteResolver.NONE);
        service = new HandleProtocolServer(
                settings,
                new LocalResolver(settings, records, homes, rights, RemoteResolver.NONE, RecordTemplates.NONE, clock),
                new Administration(settings, records, homes, rights, random),
                rights,
                identities,
                ReplicationSource.NONE,
                RequestListener.NONE,
                new CpuQuota(clock, 4),
                clock,
                random);
        door = new HandleDoor(
                settings,
                doorSettings,
                records,
                homes,
                RecordTemplates.NONE,
                service,
                tasks::add,
                () -> {},
                42,
                HandleDoorListener.NONE);
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private long nowMillis() {
        return now;
    }

    /** Makes a record, whatever stood there. */
    void put(String handle, HandleValue... values) throws IOException {
        put(Handle.of(handle), List.of(values));
    }

    void put(Handle handle, List<HandleValue> values) throws IOException {
        records.change(handle, (_, _) -> new RecordEdit.Next.Written(new HandleRecord(handle, values), false));
    }

    /** Sends packets and gives all packets that come, what the service says among them. */
    List<byte[]> ask(byte[]... packets) {
        List<byte[]> answers = new ArrayList<>(take(packets));
        while (!tasks.isEmpty()) {
            tasks.remove().run();
            answers.addAll(take());
        }
        return answers;
    }

    /** One burst; what goes to the service stays in {@link #tasks}. */
    List<byte[]> take(byte[]... packets) {
        List<byte[]> answers = new ArrayList<>();
        door.begin(now);
        for (byte[] each : packets) {
            MemorySegment.copy(each, 0, question, ValueLayout.JAVA_BYTE, 0, each.length);
            exchange.request(question, 0, each.length, now);
            exchange.peer(CLIENT_HIGH, CLIENT_LOW, port);
            exchange.room(room, 0, MessageFragmenter.BYTES_MAX);
            door.take(exchange);
            if (exchange.responseLength() > 0) {
                answers.add(answer());
            }
        }
        exchange.room(room, 0, MessageFragmenter.BYTES_MAX);
        while (door.next(exchange)) {
            if (exchange.responseLength() > 0) {
                answers.add(answer());
            }
            exchange.room(room, 0, MessageFragmenter.BYTES_MAX);
        }
        door.end();
        return answers;
    }

    private byte[] answer() {
        assertThat(exchange.peerLow()).isEqualTo(CLIENT_LOW);
        assertThat(exchange.peerPort()).isEqualTo(port);
        assertThat(exchange.responseLength()).isLessThanOrEqualTo(MessageFragmenter.BYTES_MAX);
        return room.asSlice(0, exchange.responseLength()).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Asks the service as over TCP, and gives all that it sends. */
    byte[] askOverTcp(byte[] message) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ResponseSink replies = (bytes, _) -> all.write(bytes);
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        service.answer(new HandleRequest(message, HandleRequest.Transport.TCP, peer, true), replies);
        return all.toByteArray();
    }

    /** Joins the packets of one message. */
    static byte[] joined(List<byte[]> packets) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] each : packets) {
            all.write(each, all.size() == 0 ? 0 : 20, each.length - (all.size() == 0 ? 0 : 20));
        }
        return all.toByteArray();
    }

    long count(HandleCount which) {
        return door.counts().get(which);
    }

    static ValueReference identity(String text) {
        int colon = text.indexOf(':');
        return new ValueReference(
                Handle.of(text.substring(colon + 1)), Integer.parseInt(text.substring(0, colon)));
    }

    @Override
    public void close() {
        store.close();
    }
}
