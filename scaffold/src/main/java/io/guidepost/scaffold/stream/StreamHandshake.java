package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first frames of a connection: the server's host shows its keys, the client's host says which stream it wants, sealed, and the
 * server's host answers, sealed. The address of the client needs no cookie, as TCP has shown it. Belongs to one thread.
 *
 * <pre>
 *  server   HELLO (HOST_KEY, KEY_SHARE, NONCE)
 *  client   SYN or RSYN (HOST, OBJECT, INSTANCE, LOCATOR, HOST_KEY, KEY_SHARE, PORT; CONTINUATION at another instance)
 *  server   SYNACK or RSYNACK (HOST, OBJECT, INSTANCE, LOCATOR, HOST_KEY, KEY_SHARE, DELEGATION, SERVICE), or FAIL (HOST, REASON)
 *  both     NEXT, and all else
 * </pre>
 */
final class StreamHandshake {
    /** What a client asks for. */
    record Request(MessageType type, long receiverFlow, long senderFlow, int epoch, Guid object, Guid instance, byte[] continuation) {}

    /** The other host has said no, with its seal. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        private final Reason reason;

        Refused(Reason reason) {
            super(reason.text());
            this.reason = reason;
        }

        Reason reason() {
            return reason;
        }
    }

    private final RouterLink link;
    private final StreamConnection connection;
    private final byte[] bytes = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
    private final MemorySegment room = MemorySegment.ofArray(bytes);
    private final ControlWriter writer = new ControlWriter();
    private final ControlMessage message = new ControlMessage();
    private final Seal seal = new Seal();

    StreamHandshake(RouterLink link, StreamConnection connection) {
        this.link = link;
        this.connection = connection;
        connection.within(StreamLimits.HANDSHAKE_MILLIS_MAX);
    }

    private void read() throws IOException, Malformed {
        StreamFrame frame = connection.read();
        if (frame.kind() != StreamFrame.Kind.CONTROL) {
            throw new Malformed("the first frame is a control message", 0);
        }
        byte[] copy = Arrays.copyOf(connection.body(), frame.length());
        ControlFault fault = message.parse(MemorySegment.ofArray(copy), 0, copy.length);
        if (fault != ControlFault.NONE) {
            throw new Malformed("the control message is faulty: " + fault, message.faultOffset());
        }
    }

    private void write(int length) throws IOException {
        connection.write(new StreamFrame(StreamFrame.Kind.CONTROL, 0, length), bytes);
    }

    private ControlWriter begin(MessageType type, long receiverFlow, long senderFlow, int epoch, Association to) {
        return writer.begin(room, 0, type, 0, receiverFlow, senderFlow, epoch, to.nextSequence())
                .guid(Tlv.HOST, link.host());
    }

    private void send(Association to) throws IOException {
        write(seal.put(to, room, 0, writer.end()));
    }

    private void putKeys(Association with) {
        link.locators().forEach(each -> writer.locator(Tlv.LOCATOR, each));
        writer.bytes(Tlv.HOST_KEY, link.own().open()).bytes(Tlv.KEY_SHARE, with.ownShare());
    }

    /** Client: asks for a stream; returns what was agreed with the host that answers. */
    Association ask(Request request) throws IOException, Malformed {
        read();
        if (message.type() != MessageType.HELLO) {
            throw new Malformed("the server's host does not show its keys", 0);
        }
        byte[] share = message.bytes(Tlv.KEY_SHARE);
        Association agreed = link.keep(link.agree(message.bytes(Tlv.HOST_KEY), share), share);
        begin(request.type(), request.receiverFlow(), request.senderFlow(), request.epoch(), agreed)
                .guid(Tlv.OBJECT, request.object())
                .guid(Tlv.INSTANCE, request.instance());
        putKeys(agreed);
        writer.bytes(Tlv.PORT, new byte[] {(byte) ServiceChannel.PROTOCOL, 0, 0});
        if (request.continuation().length > 0) {
            writer.bytes(Tlv.CONTINUATION, request.continuation());
        }
        send(agreed);
        return agreed;
    }

    /** Client: reads the answer. */
    ControlMessage answered(Request request, Association agreed) throws IOException, Malformed {
        read();
        if (!message.type().sealed()
                || !message.guid(Tlv.HOST).equals(agreed.peer())
                || !seal.check(agreed, message)
                || message.receiverFlow() != request.senderFlow()
                || message.epoch() != request.epoch()) {
            link.counted(StreamCount.DROPS_SEAL);
            throw new Malformed("the answer is not sealed by the host that was asked", 0);
        }
        if (message.type() == MessageType.FAIL) {
            throw new Refused(message.reason());
        }
        boolean first = request.type() == MessageType.SYN;
        if (message.type() != (first ? MessageType.SYNACK : MessageType.RSYNACK)
                || !message.guid(Tlv.OBJECT).equals(request.object())
                || link.delegations().check(
                                message.bytes(Tlv.DELEGATION), request.object(), agreed.peer(), System.currentTimeMillis() / 1_000)
                        == null) {
            link.counted(StreamCount.DROPS_SEAL);
            throw new Malformed("the host does not show that it may serve the object", 0);
        }
        connection.settled();
        return message;
    }

    /** Server: shows its keys, and reads what the client wants; {@link #agreed} has what was agreed then. */
    ControlMessage asked() throws IOException, Malformed {
        int length = writer.begin(room, 0, MessageType.HELLO, 0, 0, 0, 0, 0)
                .bytes(Tlv.HOST_KEY, link.own().open())
                .bytes(Tlv.KEY_SHARE, link.share().open())
                .longNumber(Tlv.NONCE, 0)
                .end();
        write(length);
        read();
        if (message.type() != MessageType.SYN && message.type() != MessageType.RSYN) {
            throw new Malformed("the client asks for nothing", 0);
        }
        return message;
    }

    /** Server: returns what is agreed with the client; null if its seal is wrong. */
    @Nullable
    Association agreed() throws IOException, Malformed {
        byte[] key = message.bytes(Tlv.HOST_KEY);
        byte[] share = message.bytes(Tlv.KEY_SHARE);
        if (!HostKey.guid(key).equals(message.guid(Tlv.HOST))) {
            return null;
        }
        Association candidate = link.agree(key, share);
        if (!seal.check(candidate, message)) {
            return null;
        }
        Association kept = link.keep(candidate, share);
        return kept == candidate || seal.check(kept, message) ? kept : null;
    }

    /** Server: takes the stream. */
    void take(long senderFlow, LocalService service, Association to) throws IOException {
        MessageType type = message.type() == MessageType.SYN ? MessageType.SYNACK : MessageType.RSYNACK;
        begin(type, message.senderFlow(), senderFlow, message.epoch(), to)
                .guid(Tlv.OBJECT, service.object())
                .guid(Tlv.INSTANCE, service.instance());
        putKeys(to);
        writer.bytes(Tlv.DELEGATION, service.delegation().bytes()).number(Tlv.SERVICE, 0);
        send(to);
        connection.settled();
    }

    /** Server: does not take it. */
    void refuse(Reason reason, Association to) throws IOException {
        begin(MessageType.FAIL, message.senderFlow(), 0, message.epoch(), to).reason(reason);
        send(to);
    }
}
