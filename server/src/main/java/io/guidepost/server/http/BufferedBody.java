package io.guidepost.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds back what is written until it exceeds a number of bytes; then all of it, and what follows, goes on. */
final class BufferedBody extends OutputStream {
    /** Opens what the bytes go on to. */
    @FunctionalInterface
    interface Destination {
        OutputStream open() throws IOException;
    }

    private final int heldMax;
    private final Destination destination;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private @Nullable OutputStream on;

    BufferedBody(int heldMax, Destination destination) {
        this.heldMax = heldMax;
        this.destination = destination;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (on == null && held.size() + length > heldMax) {
            on = destination.open();
            held.writeTo(on);
            held.reset();
        }
        (on == null ? held : on).write(bytes, offset, length);
    }

    /** All that was written, if none of it went on. */
    Optional<byte[]> held() {
        return on == null ? Optional.of(held.toByteArray()) : Optional.empty();
    }

    @Override
    public void flush() throws IOException {
        if (on != null) {
            on.flush();
        }
    }

    @Override
    public void close() throws IOException {
        if (on != null) {
            on.close();
        }
    }
}
