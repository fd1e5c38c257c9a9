package io.guidepost.scaffold.object;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Delegation;
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
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/** A host as an object router sees it: what it sends, and what it makes of the answers. */
final class TestHost {
    static final int TCP = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    final HostKey key;
    final HostKey share;
    final HostLocator at;
    final ControlMessage answer = new ControlMessage();

    /** Where the last answer went. */
    HostLocator answered = new HostLocator(0, 0, 1);

    private final TestRouter there;
    private final Seal seal = new Seal();
    private final byte[] request = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
    private final byte[] room = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
    private final ControlWriter writer = new ControlWriter();

    @SuppressWarnings("NullAway.Init") // Agreed on by greet(); before that a host sends nothing but greetings.
    private Association router;

    TestHost(TestRouter there, int address) {
        this(there, address, HostKey.generate(RANDOM));
    }

    TestHost(TestRouter there, int address, HostKey key) {
        this(there, address, key, HostKey.generate(RANDOM));
    }

    TestHost(TestRouter there, int address, HostKey key, HostKey share) {
        this.there = there;
        this.key = key;
        this.share = share;
        this.at = new HostLocator(0, Addresses.ipv4Low(0xc0000200 | address), 5500);
    }

    Guid guid() {
        return key.guid();
    }

    Association router() {
        return router;
    }

    /** Returns what the router keeps of this host. */
    JoinedHost kept() {
        return requireNonNull(there.router.host(guid()), "the router does not know it");
    }

    /** Sends bytes; returns those of the answer, none if there was none. */
    byte[] send(byte[] bytes) {
        Exchange exchange = new Exchange();
        exchange.request(MemorySegment.ofArray(bytes), 0, bytes.length, there.now);
        exchange.peer(at.high(), at.low(), at.port());
        exchange.room(MemorySegment.ofArray(room), 0, room.length);
        there.door.begin(there.now);
        there.door.take(exchange);
        there.door.end();
        there.commit();
        if (exchange.responseLength() == 0) {
            exchange.room(MemorySegment.ofArray(room), 0, room.length);
            there.door.next(exchange);
        }
        answered = new HostLocator(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
        return Arrays.copyOf(room, exchange.responseLength());
    }

    /** Sends bytes and reads the answer, which is sealed by the router. */
    MessageType ask(byte[] bytes) {
        byte[] response = send(bytes);
        assertThat(answer.parse(MemorySegment.ofArray(response), 0, response.length)).isEqualTo(ControlFault.NONE);
        if (answer.type().sealed() && answered.equals(at)) {
            assertThat(seal.check(router, answer)).as("the router's seal").isTrue();
        }
        return answer.type();
    }

    /** Reads the answer that waits at the door. */
    MessageType readNext() {
        Exchange exchange = new Exchange();
        exchange.room(MemorySegment.ofArray(room), 0, room.length);
        there.door.begin(there.now);
        assertThat(there.door.next(exchange)).isTrue();
        assertThat(hears(Arrays.copyOf(room, exchange.responseLength()))).isTrue();
        return answer.type();
    }

    /** Reads a message that came for this host by way of the router. */
    boolean hears(byte[] bytes) {
        return answer.parse(MemorySegment.ofArray(bytes), 0, bytes.length) == ControlFault.NONE && seal.check(router, answer);
    }

    byte[] hello(byte[] cookie) {
        ControlWriter out = writer.begin(MemorySegment.ofArray(request), 0, MessageType.HELLO, 0, 0, 0, 0, 0)
                .bytes(Tlv.HOST_KEY, key.open())
                .bytes(Tlv.KEY_SHARE, share.open())
                .longNumber(Tlv.NONCE, 77);
        if (cookie.length > 0) {
            out.bytes(Tlv.COOKIE, cookie);
        }
        return Arrays.copyOf(request, out.padTo(ScaffoldLimits.HELLO_BYTES).end());
    }

    /** Greets the router, as a host does that has just started. */
    TestHost greet() throws Malformed {
        assertThat(ask(hello(new byte[0]))).isEqualTo(MessageType.RETRY);
        assertThat(answer.longNumber(Tlv.NONCE)).isEqualTo(77);
        byte[] response = send(hello(answer.bytes(Tlv.COOKIE)));
        assertThat(answer.parse(MemorySegment.ofArray(response), 0, response.length)).isEqualTo(ControlFault.NONE);
        assertThat(answer.type()).isEqualTo(MessageType.HELLO_ACK);
        assertThat(HostKey.guid(answer.bytes(Tlv.HOST_KEY))).isEqualTo(answer.guid(Tlv.HOST));
        router = Association.agree(key, share, answer.bytes(Tlv.HOST_KEY), answer.bytes(Tlv.KEY_SHARE));
        assertThat(seal.check(router, answer)).isTrue();
        return this;
    }

    ControlWriter begin(MessageType type, int flags, long flow, int epoch) {
        return writer.begin(MemorySegment.ofArray(request), 0, type, flags, 0, flow, epoch, router.nextSequence())
                .guid(Tlv.HOST, guid());
    }

    byte[] sealed() {
        return Arrays.copyOf(request, seal.put(router, MemorySegment.ofArray(request), 0, writer.end()));
    }

    byte[] join(int epoch, HostLocator... locators) {
        begin(MessageType.JOIN, 0, 0, epoch);
        List.of(locators).forEach(each -> writer.locator(Tlv.LOCATOR, each));
        writer.number(Tlv.LEASE, 10_000);
        return sealed();
    }

    byte[] register(ObjectKey object, int port, int priority, int weight, int flags, String name) {
        return register(object.delegate(guid(), there.now / 1_000 + 10_000), port, priority, weight, flags, name);
    }

    byte[] register(Delegation delegation, int port, int priority, int weight, int flags, String name) {
        begin(MessageType.REGISTER, flags, 0, 0)
                .guid(Tlv.OBJECT, delegation.object())
                .guid(Tlv.INSTANCE, delegation.instance(TCP, port))
                .bytes(Tlv.DELEGATION, delegation.bytes())
                .number(Tlv.LEASE, 10_000)
                .number(Tlv.SERVICE, priority << 24 | weight << 8)
                .bytes(Tlv.PORT, new byte[] {TCP, (byte) (port >>> 8), (byte) port});
        if (!name.isEmpty()) {
            writer.bytes(Tlv.NAME, name.getBytes(StandardCharsets.US_ASCII));
        }
        return sealed();
    }

    byte[] unregister(ObjectKey object, int port) {
        begin(MessageType.UNREGISTER, 0, 0, 0)
                .guid(Tlv.OBJECT, object.guid())
                .guid(Tlv.INSTANCE, object.delegate(guid(), 0).instance(TCP, port));
        return sealed();
    }

    byte[] resolve(Guid object) {
        begin(MessageType.RESOLVE, 0, 0, 0).guid(Tlv.OBJECT, object);
        return sealed();
    }

    byte[] resolve(Guid object, int protocol, int port) {
        begin(MessageType.RESOLVE, 0, 0, 0)
                .guid(Tlv.OBJECT, object)
                .bytes(Tlv.PORT, new byte[] {(byte) protocol, (byte) (port >>> 8), (byte) port});
        return sealed();
    }

    byte[] syn(MessageType type, Guid object, long flow, int epoch, Guid... excluded) {
        begin(type, ControlMessage.FLAG_REPEATABLE, flow, epoch)
                .guid(Tlv.OBJECT, object)
                .locator(Tlv.LOCATOR, at)
                .bytes(Tlv.HOST_KEY, key.open())
                .bytes(Tlv.KEY_SHARE, share.open());
        List.of(excluded).forEach(each -> writer.guid(Tlv.EXCLUDE, each));
        writer.bytes(Tlv.PORT, new byte[] {TCP, 0, 80}).bytes(Tlv.PACKET, new byte[60]);
        return sealed();
    }

    /** A host that has greeted, and joined where it is. */
    static TestHost joined(TestRouter there, int address) throws Malformed {
        TestHost host = new TestHost(there, address).greet();
        assertThat(host.ask(host.join(0, host.at))).isEqualTo(MessageType.JOIN_ACK);
        assertThat(host.answer.number(Tlv.LEASE)).isEqualTo(10_000);
        return host;
    }
}
