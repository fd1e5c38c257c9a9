package io.guidepost.naming;

import io.guidepost.base.SharedCounters;
import io.guidepost.names.NameForm;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One watcher's stream of server-sent events: a snapshot, unless the watcher has a position that is still kept, and then the
 * changes. A slow receiver blocks its own thread alone; when the changes after its position are no longer kept, it is told to
 * begin again, and gets another snapshot.
 */
final class NameWatch implements HttpResponse.Writing {
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final NameHistory history;
    private final NameRecords records;
    private final SharedCounters<NamingCount> counts;
    private final String prefix;
    private final Optional<Position> since;
    private final long silenceNanos;

    /** Versions that the snapshot had of names which changed while it was read: earlier changes are not told behind it. */
    private final Map<String, Long> ahead = new HashMap<>();

    NameWatch(
            NameHistory history,
            NameRecords records,
            SharedCounters<NamingCount> counts,
            String prefix,
            Optional<Position> since,
            Duration silence) {
        this.history = history;
        this.records = records;
        this.counts = counts;
        this.prefix = prefix;
        this.since = since;
        this.silenceNanos = silence.toNanos();
    }

    @Override
    public void write(OutputStream out) throws IOException {
        counts.add(NamingCount.WATCHES_OPENED);
        try (NameHistory.Cursor cursor = history.open(prefix, since)) {
            begin(cursor, out);
            while (true) {
                follow(cursor, out);
                reset(NamingCount.RESETS_SLOW, "too slow: changes after your position are no longer kept", out);
                snapshot(cursor, out);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the watch has ended");
        } finally {
            counts.add(NamingCount.WATCHES_ENDED);
        }
    }

    private void begin(NameHistory.Cursor cursor, OutputStream out) throws IOException {
        if (since.isEmpty()) {
            snapshot(cursor, out);
        } else if (cursor.isBehind()) {
            reset(NamingCount.RESETS_POSITION, "changes after " + since.get() + " are no longer kept", out);
            snapshot(cursor, out);
        } else {
            counts.add(NamingCount.RESUMED_WATCHES);
            ready(cursor, out);
        }
    }

    /** Tells changes until the watcher is behind. */
    private void follow(NameHistory.Cursor cursor, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            List<NameEvent> events = cursor.next(silenceNanos);
            if (events.isEmpty() && cursor.isBehind()) {
                return;
            }
            if (events.isEmpty()) {
                counts.add(NamingCount.HEARTBEATS_SENT);
                out.write(HEARTBEAT);
            }
            for (NameEvent each : events) {
                if (isNews(each)) {
                    counts.add(NamingCount.EVENTS_SENT);
                    out.write(each.lines(records.nowMillis()));
                }
            }
            out.flush();
        }
    }

    private void snapshot(NameHistory.Cursor cursor, OutputStream out) throws IOException {
        counts.add(NamingCount.SNAPSHOTS_SENT);
        cursor.skip();
        ahead.clear();
        String after = "";
        int unsent = 0;
        for (List<String> page = page(after); !page.isEmpty(); page = page(after)) {
            for (String each : page) {
                Optional<NamedRecord> found = records.get(form(each));
                if (found.isPresent()) {
                    byte[] lines = NameEvent.event(Optional.empty(), "put", found.get());
                    out.write(lines);
                    unsent += lines.length;
                    if (found.get().version() > cursor.version()) {
                        ahead.put(each, found.get().version());
                    }
                }
                if (unsent > NamingLimits.FLUSH_BYTES) {
                    out.flush();
                    unsent = 0;
                }
            }
            after = page.getLast();
        }
        ready(cursor, out);
    }

    private boolean isNews(NameEvent event) {
        Long known = ahead.get(event.text());
        if (known != null && event.isBefore(known)) {
            return false;
        }
        ahead.remove(event.text());
        return true;
    }

    private List<String> page(String after) throws IOException {
        List<String> page = new ArrayList<>();
        NameIndex.texts(records.store(), prefix, after, text -> page.add(text) && page.size() < NamingLimits.SNAPSHOT_PAGE);
        return page;
    }

    private static NameForm form(String text) throws IOException {
        try {
            return NameForm.parse(text);
        } catch (io.guidepost.base.Malformed e) {
            throw new IOException("an entry of the index is no name: " + e.getMessage(), e);
        }
    }

    private void ready(NameHistory.Cursor cursor, OutputStream out) throws IOException {
        out.write(NameEvent.event(Optional.of(cursor.position()), "ready", Map.of()));
        out.flush();
    }

    /** Tells the watcher to forget what it knows; the empty id makes an EventSource forget its position too. */
    private void reset(NamingCount count, String reason, OutputStream out) throws IOException {
        counts.add(count);
        out.write("id\n".getBytes(StandardCharsets.US_ASCII));
        out.write(NameEvent.event(Optional.empty(), "reset", JsonWriter.object("reason", reason)));
        out.flush();
    }
}
