package io.guidepost.scaffold.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/** Carries the bytes of a local TCP connection on a stream, and back. An error of one is an error of the other. */
final class StreamPump {
    private final Socket local;
    private final ProgramStream channel;

    StreamPump(Socket local, ProgramStream channel) {
        this.local = local;
        this.channel = channel;
    }

    /** Carries both directions to their ends. */
    void run() throws IOException {
        Thread back = Thread.ofVirtual().name("guidepost-stream-back").start(this::back);
        try {
            InputStream in = local.getInputStream();
            byte[] bytes = new byte[StreamLimits.DATA_BYTES_MAX];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                channel.write(ByteBuffer.wrap(bytes, 0, count));
            }
            channel.shutdownOutput();
        } catch (IOException e) {
            channel.reset();
        }
        try {
            back.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            channel.reset();
        }
    }

    private void back() {
        try {
            OutputStream out = local.getOutputStream();
            ByteBuffer bytes = ByteBuffer.allocate(StreamLimits.DATA_BYTES_MAX);
            while (channel.read(bytes.clear()) >= 0) {
                out.write(bytes.array(), 0, bytes.position());
            }
            local.shutdownOutput();
        } catch (IOException e) {
            channel.reset();
            reset();
        }
    }

    /** The program sees a reset, as it would of a connection whose other end is gone. */
    private void reset() {
        try (local) {
            local.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed.
        }
    }
}
