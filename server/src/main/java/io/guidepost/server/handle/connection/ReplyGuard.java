package io.guidepost.server.handle.connection;

import io.guidepost.handle.service.ResponseSink;
import java.io.IOException;

/** Replies that know whether there was one, so that a request is answered whatever happens. */
abstract class ReplyGuard implements ResponseSink {
    private boolean any;

    @Override
    public final void message(byte[] message, boolean last) throws IOException {
        any = true;
        send(message, last);
    }

    abstract void send(byte[] message, boolean last) throws IOException;

    final void failed(byte[] message) {
        if (!any) {
            try {
                message(message, true);
            } catch (IOException e) {
                // The client is gone, which is counted where it was seen.
            }
        }
    }
}
