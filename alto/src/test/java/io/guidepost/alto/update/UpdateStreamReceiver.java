package io.guidepost.alto.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Receives an update stream as a client does, and keeps what it was told. */
final class UpdateStreamReceiver extends OutputStream {
    static final Event END = new Event("the end", "", "");
    private static final int WAIT_SECONDS = 20;

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private final Map<String, JsonValue> held = new HashMap<>();
    private final Thread thread;
    private volatile boolean gone;

    /** An event; the type is empty for a comment. */
    record Event(String type, String substream, String data) {}

    /** Receives an answer on a thread of its own. */
    UpdateStreamReceiver(HttpResponse response) {
        HttpResponse.Writing writing = ((HttpResponse.Stream) response.body()).writing();
        thread = Thread.ofVirtual().start(() -> {
            try {
                writing.write(this);
            } catch (IOException e) {
                // The test has gone away.
            }
            events.add(END);
        });
    }

    @Override
    public void write(int b) throws IOException {
        if (gone) {
            throw new IOException("gone");
        }
        partial.write(b);
    }

    @Override
    public void flush() {
        String text = partial.toString(StandardCharsets.UTF_8);
        int end = text.lastIndexOf("\n\n") + 2;
        if (end < 2) {
            return;
        }
        partial.reset();
        partial.writeBytes(text.substring(end).getBytes(StandardCharsets.UTF_8));
        for (String each : text.substring(0, end - 2).split("\n\n", -1)) {
            events.add(event(each));
        }
    }

    private static Event event(String text) {
        if (text.equals(":")) {
            return new Event("", "", "");
        }
        String[] lines = text.split("\n", -1);
        assertThat(lines[0]).startsWith("event: ");
        String name = lines[0].substring("event: ".length());
        StringBuilder data = new StringBuilder();
        for (int i = 1; i < lines.length; i++) {
            assertThat(lines[i]).startsWith("data: ");
            data.append(i == 1 ? "" : "\n").append(lines[i].substring("data: ".length()));
        }
        int comma = name.lastIndexOf(',');
        return comma < 0
                ? new Event(name, "", data.toString())
                : new Event(name.substring(0, comma), name.substring(comma + 1), data.toString());
    }

    /** The next event; it is applied to what is held. */
    Event next() throws InterruptedException, Malformed {
        @Nullable Event event = events.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(event).as("an event in time").isNotNull();
        if (!event.substream().isEmpty() && !event.type().startsWith("multipart")) {
            JsonValue told = JsonValue.read(event.data().getBytes(StandardCharsets.UTF_8));
            JsonValue last = held.getOrDefault(event.substream(), new JsonValue.Null(0));
            held.put(event.substream(), switch (event.type()) {
                case MergePatch.MEDIA_TYPE -> JsonPatchApplication.merge(last, told);
                case JsonPatch.MEDIA_TYPE -> JsonPatchApplication.apply(last, told);
                default -> told;
            });
        }
        return event;
    }

    /** The document that the client had before. */
    void hold(String substream, String document) throws Malformed {
        held.put(substream, JsonValue.read(document.getBytes(StandardCharsets.UTF_8)));
    }

    /** The document of a substream, as it follows from all events so far. */
    String held(String substream) {
        JsonValue document = held.get(substream);
        return document == null ? "" : new String(JsonTrees.bytes(document), StandardCharsets.UTF_8);
    }

    /** Takes nothing more. */
    void leave() {
        gone = true;
    }

    /** Waits until nobody writes. */
    void ended() throws InterruptedException {
        assertThat(thread.join(java.time.Duration.ofSeconds(WAIT_SECONDS))).isTrue();
    }
}
