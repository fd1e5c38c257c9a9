package io.guidepost.server.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A host that speaks to an object router over a socket of the kernel, one request at a time. For one thread. */
final class ScaffoldClient implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte TCP = 6;
    private static final int WAIT_MILLIS_MAX = 20_000;
    private static final int LEASE_MILLIS = 20_000;

    final HostKey key;
    final ControlMessage answer = new ControlMessage();

    private final HostKey share = HostKey.generate(RANDOM);
    private final Seal seal = new Seal();
    private final ControlWriter writer = new ControlWriter();
    private final byte[] request = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
    private final DatagramSocket socket;
    private final Association router;

    ScaffoldClient(InetSocketAddress server, HostKey key) throws IOException, Malformed {
        this.key = key;
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(WAIT_MILLIS_MAX);
        socket.connect(server);
        send(hello(share, key, null, 7));
        assertThat(answer.type()).isEqualTo(MessageType.RETRY);
        send(hello(share, key, answer.bytes(Tlv.COOKIE), 8));
        assertThat(answer.type()).isEqualTo(MessageType.HELLO_ACK);
        router = Association.agree(key, share, answer.bytes(Tlv.HOST_KEY), answer.bytes(Tlv.KEY_SHARE));
        assertThat(seal.check(router, answer)).isTrue();
    }

    /** One that has joined. */
    static ScaffoldClient joined(InetSocketAddress server, HostKey key) throws IOException, Malformed {
        ScaffoldClient client = new ScaffoldClient(server, key);
        client.join();
        assertThat(client.answer.type()).isEqualTo(MessageType.JOIN_ACK);
        assertThat(client.answer.has(Tlv.REASON)).isFalse();
        return client;
    }

    static HostKey newKey() {
        return HostKey.generate(RANDOM);
    }

    static ObjectKey newObject() {
        return ObjectKey.generate(RANDOM);
    }

    /** A greeting of a stranger, with a number in it that the answer repeats. */
    static byte[] hello(HostKey share, HostKey key, byte @Nullable [] cookie, long flow) {
        byte[] bytes = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        ControlWriter out = new ControlWriter()
                .begin(MemorySegment.ofArray(bytes), 0, MessageType.HELLO, 0, 0, flow, 0, 0)
                .bytes(Tlv.HOST_KEY, key.open())
                .bytes(Tlv.KEY_SHARE, share.open())
                .longNumber(Tlv.NONCE, flow);
        if (cookie != null) {
            out.bytes(Tlv.COOKIE, cookie);
        }
        return Arrays.copyOf(bytes, out.padTo(ScaffoldLimits.HELLO_BYTES).end());
    }

    private void send(byte[] bytes) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length));
        byte[] room = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        DatagramPacket came = new DatagramPacket(room, room.length);
        socket.receive(came);
        assertThat(answer.parse(MemorySegment.ofArray(room), 0, came.getLength())).isEqualTo(ControlFault.NONE);
    }

    private ControlWriter begin(MessageType type) {
        return writer.begin(MemorySegment.ofArray(request), 0, type, 0, 0, 0, 0, router.nextSequence()).guid(Tlv.HOST, key.guid());
    }

    private void ask() throws IOException {
        send(Arrays.copyOf(request, seal.put(router, MemorySegment.ofArray(request), 0, writer.end())));
        assertThat(seal.check(router, answer)).as("the router's seal").isTrue();
    }

    /** Says where it is. */
    HostLocator here() {
        return HostLocator.of((InetSocketAddress) socket.getLocalSocketAddress());
    }

    void join() throws IOException {
        begin(MessageType.JOIN).locator(Tlv.LOCATOR, here()).number(Tlv.LEASE, LEASE_MILLIS);
        ask();
    }

    Guid instance(ObjectKey object, int port) {
        return object.delegate(key.guid(), 0).instance(TCP, port);
    }

    void register(ObjectKey object, int port, String name) throws IOException {
        long expiry = System.currentTimeMillis() / 1_000 + 100;
        begin(MessageType.REGISTER)
                .guid(Tlv.OBJECT, object.guid())
                .guid(Tlv.INSTANCE, instance(object, port))
                .bytes(Tlv.DELEGATION, object.delegate(key.guid(), expiry).bytes())
                .number(Tlv.LEASE, LEASE_MILLIS)
                .number(Tlv.SERVICE, 1 << 8)
                .bytes(Tlv.PORT, new byte[] {TCP, (byte) (port >>> 8), (byte) port});
        if (!name.isEmpty()) {
            writer.bytes(Tlv.NAME, name.getBytes(StandardCharsets.US_ASCII));
        }
        ask();
        assertThat(answer.type()).isEqualTo(MessageType.REGISTER_ACK);
    }

    void resolve(String name) throws IOException {
        begin(MessageType.RESOLVE).bytes(Tlv.NAME, name.getBytes(StandardCharsets.US_ASCII));
        ask();
        assertThat(answer.type()).isEqualTo(MessageType.RESOLVED);
    }

    void resolve(Guid object) throws IOException {
        begin(MessageType.RESOLVE).guid(Tlv.OBJECT, object);
        ask();
        assertThat(answer.type()).isEqualTo(MessageType.RESOLVED);
    }

    /** Has a request fail that another thread waits with; any thread. */
    void abort() {
        socket.close();
    }

    @Override
    public void close() {
        socket.close();
    }
}
