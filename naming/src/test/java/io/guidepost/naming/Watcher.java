package io.guidepost.naming;

import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One that reads a stream of events, as fast as it is let. */
final class Watcher implements AutoCloseable {
    /** An event: its id, empty if it has none, its type and its data. */
    record Event(String id, String type, String data) {}

    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(Integer.MAX_VALUE / 2);
    private final StringBuilder unread = new StringBuilder();
    private final Thread thread;

    Watcher(HttpResponse.Writing writing) {
        thread = Thread.ofVirtual().start(() -> {
            try {
                writing.write(new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        write(new byte[] {(byte) one}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        take(new String(bytes, from, length, StandardCharsets.UTF_8));
                    }
                });
            } catch (IOException e) {
                events.add(new Event("", "closed", String.valueOf(e.getMessage())));
            }
        });
    }

    private void take(String text) throws IOException {
        try {
            room.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("closed", e);
        }
        unread.append(text);
        for (int end = unread.indexOf("\n\n"); end >= 0; end = unread.indexOf("\n\n")) {
            parse(unread.substring(0, end));
            unread.delete(0, end + 2);
        }
    }

    private void parse(String lines) {
        String id = "";
        String type = "";
        String data = "";
        for (String each : lines.split("\n", -1)) {
            if (each.startsWith("id: ")) {
                id = each.substring(4);
            } else if (each.startsWith("event: ")) {
                type = each.substring(7);
            } else if (each.startsWith("data: ")) {
                data = each.substring(6);
            }
        }
        if (!type.isEmpty()) {
            events.add(new Event(id, type, data));
        }
    }

    /** Stops to read; what is written then waits. */
    void stall() {
        room.drainPermits();
    }

    void go() {
        room.release(Integer.MAX_VALUE / 2);
    }

    Event next() throws InterruptedException {
        Event event = events.poll(60, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event came");
        }
        return event;
    }

    /** Reads up to an event of a type, and returns all with it. */
    List<Event> upTo(String type) throws InterruptedException {
        List<Event> all = new ArrayList<>();
        while (all.isEmpty() || !all.getLast().type().equals(type)) {
            all.add(next());
        }
        return all;
    }

    @Override
    public void close() {
        thread.interrupt();
        go();
    }
}
