package io.guidepost.server.handle;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Envelope;
import io.guidepost.handle.message.Header;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.Operation;
import io.guidepost.handle.message.ResponseCode;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;

/** Messages as a client makes and reads them, over plain sockets. */
public final class Ask {
    private static final int WAIT_MILLIS_MAX = 20_000;
    private static final long EXPIRY_SECONDS = 0xffff_ffffL;

    private Ask() {}

    /** A question for the values of a handle that everybody may read. */
    public static byte[] resolve(int requestId, String handle, OpFlag... more) {
        Header plain = Header.request(Operation.RESOLVE, EXPIRY_SECONDS, more);
        return Message.of(
                        Envelope.of(0, requestId),
                        new Header(plain.opcode(), 0, plain.flags() | OpFlag.PUBL.bit(), 0xffff, 0, EXPIRY_SECONDS),
                        new Body.Resolve(Handle.of(handle), List.of(), List.of()))
                .write();
    }

    /** A question of the longest length that a message may have. */
    static byte[] longest(int requestId) {
        int around = create(requestId, new byte[0]).length;
        return create(requestId, new byte[Envelope.BYTES + io.guidepost.handle.Limits.MESSAGE_BYTES_MAX - around]);
    }

    private static byte[] create(int requestId, byte[] data) {
        return Message.of(
                        Envelope.of(0, requestId),
                        Header.request(Operation.CREATE, EXPIRY_SECONDS),
                        new Body.Values(Handle.of("1234/long"), List.of(HandleValue.of(1, "DATA", data))))
                .write();
    }

    /** An answer to a request. */
    static byte[] answer(byte[] request, boolean more, String text) {
        ByteBuffer asked = ByteBuffer.wrap(request);
        return Message.of(
                        Envelope.of(0, asked.getInt(8)),
                        new Header(
                                Frames.operation(request),
                                ResponseCode.ERROR.number(),
                                more ? OpFlag.CONT.bit() : 0,
                                1,
                                0,
                                EXPIRY_SECONDS),
                        new Body.Text(text))
                .write();
    }

    static Socket connect(InetSocketAddress to) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(WAIT_MILLIS_MAX);
        socket.setTcpNoDelay(true);
        socket.connect(to, WAIT_MILLIS_MAX);
        return socket;
    }

    /** The next message of a stream. */
    static byte[] next(InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        byte[] envelope = in.readNBytes(Envelope.BYTES);
        if (envelope.length < Envelope.BYTES) {
            throw new EOFException("the connection ended after " + envelope.length + " bytes");
        }
        int length = ByteBuffer.wrap(envelope).getInt(Frames.LENGTH);
        byte[] message = new byte[Envelope.BYTES + length];
        System.arraycopy(envelope, 0, message, 0, Envelope.BYTES);
        in.readFully(message, Envelope.BYTES, length);
        return message;
    }

    static int requestId(byte[] message) {
        return ByteBuffer.wrap(message).getInt(8);
    }

    /** Asks over a connection of its own, and reads to its end. */
    public static Message overTcp(InetSocketAddress to, byte[] request) throws Exception {
        try (Socket socket = connect(to)) {
            socket.getOutputStream().write(request);
            Message message = Message.read(next(socket.getInputStream()));
            if (socket.getInputStream().read() >= 0) {
                throw new IOException("something follows the answer");
            }
            return message;
        }
    }
}
