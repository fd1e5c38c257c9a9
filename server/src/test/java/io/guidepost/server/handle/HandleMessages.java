package io.guidepost.server.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.server.handle.connection.EnvelopeFraming;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;

/** Messages as a client makes and reads them, over plain sockets. */
public final class HandleMessages {
    private static final int WAIT_MILLIS_MAX = 20_000;
    private static final long EXPIRY_SECONDS = 0xffff_ffffL;

    private HandleMessages() {}

    /** A question for the values of a handle that everybody may read. */
    public static byte[] resolve(int requestId, String handle, OpFlag... more) {
        MessageHeader plain = MessageHeader.request(HandleOperation.RESOLVE, EXPIRY_SECONDS, more);
        return HandleMessage.of(
                        HandleEnvelope.of(0, requestId),
                        new MessageHeader(plain.opcode(), 0, plain.flags() | OpFlag.PUBL.bit(), 0xffff, 0, EXPIRY_SECONDS),
                        new MessageBody.Resolve(Handle.of(handle), List.of(), List.of()))
                .write();
    }

    /** A question of the longest length that a message may have. */
    public static byte[] longest(int requestId) {
        int around = create(requestId, new byte[0]).length;
        return create(requestId, new byte[HandleEnvelope.BYTES + io.guidepost.handle.HandleLimits.MESSAGE_BYTES_MAX - around]);
    }

    private static byte[] create(int requestId, byte[] data) {
        return HandleMessage.of(
                        HandleEnvelope.of(0, requestId),
                        MessageHeader.request(HandleOperation.CREATE, EXPIRY_SECONDS),
                        new MessageBody.Values(Handle.of("1234/long"), List.of(HandleValue.of(1, "DATA", data))))
                .write();
    }

    /** An answer to a request. */
    public static byte[] answer(byte[] request, boolean more, String text) {
        ByteBuffer asked = ByteBuffer.wrap(request);
        return HandleMessage.of(
                        HandleEnvelope.of(0, asked.getInt(8)),
                        new MessageHeader(
                                EnvelopeFraming.operation(request),
                                ResponseCode.ERROR.number(),
                                more ? OpFlag.CONT.bit() : 0,
                                1,
                                0,
                                EXPIRY_SECONDS),
                        new MessageBody.Text(text))
                .write();
    }

    public static Socket connect(InetSocketAddress to) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(WAIT_MILLIS_MAX);
        socket.setTcpNoDelay(true);
        socket.connect(to, WAIT_MILLIS_MAX);
        return socket;
    }

    /** The next message of a stream. */
    public static byte[] next(InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        byte[] envelope = in.readNBytes(HandleEnvelope.BYTES);
        if (envelope.length < HandleEnvelope.BYTES) {
            throw new EOFException("the connection ended after " + envelope.length + " bytes");
        }
        int length = ByteBuffer.wrap(envelope).getInt(EnvelopeFraming.LENGTH);
        byte[] message = new byte[HandleEnvelope.BYTES + length];
        System.arraycopy(envelope, 0, message, 0, HandleEnvelope.BYTES);
        in.readFully(message, HandleEnvelope.BYTES, length);
        return message;
    }

    public static int requestId(byte[] message) {
        return ByteBuffer.wrap(message).getInt(8);
    }

    /** Asks over a connection of its own, and reads to its end. */
    public static HandleMessage overTcp(InetSocketAddress to, byte[] request) throws Exception {
        try (Socket socket = connect(to)) {
            socket.getOutputStream().write(request);
            HandleMessage message = HandleMessage.read(next(socket.getInputStream()));
            if (socket.getInputStream().read() >= 0) {
                throw new IOException("something follows the answer");
            }
            return message;
        }
    }
}
