package io.guidepost.server.handle;

import io.guidepost.handle.service.Replies;
import java.io.IOException;

/** Replies that keep the first message of their answer in mind, for those who count and log. */
abstract class Collecting implements Replies {
    private byte[] first = new byte[0];

    @Override
    public final void message(byte[] message, boolean last) throws IOException {
        if (first.length == 0) {
            first = message;
        }
        send(message, last);
    }

    abstract void send(byte[] message, boolean last) throws IOException;

    /** Answers what nobody answered. */
    final void failed(byte[] message) {
        if (first.length == 0) {
            try {
                message(message, true);
            } catch (IOException e) {
                // Whoever asked is gone, which is counted where it was seen.
            }
        }
    }

    /** The first message; empty if there was none. */
    final byte[] first() {
        return first;
    }
}
