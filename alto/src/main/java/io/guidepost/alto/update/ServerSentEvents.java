package io.guidepost.alto.update;

import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Writes server-sent events (RFC 8895 section 5): {@code event:} with the media type and the substream, and
 * {@code data:} before each line.
 */
final class ServerSentEvents {
    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream out;

    ServerSentEvents(OutputStream out) {
        this.out = out;
    }

    /** Sends an update of a substream. */
    void update(ResourceUpdate update, String substream) throws IOException {
        event(update.mediaType() + ',' + substream, update.body());
    }

    /** Sends the URI of the control service. */
    void controlledAt(String uri) throws IOException {
        control(JsonWriter.object("control-uri", uri));
    }

    void started(List<String> substreams) throws IOException {
        control(JsonWriter.object("started", substreams));
    }

    void stopped(List<String> substreams, String why) throws IOException {
        control(JsonWriter.object("stopped", substreams, "description", why));
    }

    private void control(Map<String, Object> members) throws IOException {
        event(AltoMediaType.UPDATE_STREAM_CONTROL, JsonWriter.bytes(members));
    }

    /** Sends a comment to keep the connection open. */
    void silence() throws IOException {
        out.write(COMMENT);
        out.flush();
    }

    void flush() throws IOException {
        out.flush();
    }

    private void event(String name, byte[] data) throws IOException {
        out.write(("event: " + name + '\n').getBytes(StandardCharsets.US_ASCII));
        int from = 0;
        for (int at = 0; at < data.length; at++) {
            if (data[at] == '\n' || data[at] == '\r') {
                line(data, from, at);
                at += data[at] == '\r' && at + 1 < data.length && data[at + 1] == '\n' ? 1 : 0;
                from = at + 1;
            }
        }
        line(data, from, data.length);
        out.write('\n');
    }

    private void line(byte[] data, int from, int to) throws IOException {
        out.write(DATA);
        out.write(data, from, to - from);
        out.write('\n');
    }
}
