package io.guidepost.client;

import io.guidepost.client.GuidepostException.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watch: a snapshot of names, {@code READY}, and then each change, at least once and in order for a name. Survives lost
 * connections and servers: it resumes where it was (Last-Event-ID), or tells {@code RESET} and a new snapshot. One thread calls
 * {@link #next}; any closes it.
 */
public final class NameWatcher implements AutoCloseable {
    /** The server tells something every 15 seconds; after three times that it is gone. */
    private static final long SILENCE_SECONDS = 45;

    private static final long RETRY_MILLIS_MIN = 50;
    private static final long RETRY_MILLIS_MAX = 5000;

    private final HttpServers servers;
    private final String target;
    private volatile @Nullable InputStream stream;
    private volatile boolean closed;
    private volatile long heardNanos;
    private @Nullable BufferedReader lines;
    private @Nullable String position;
    private boolean told;
    private boolean ready;
    private long retryMillis = RETRY_MILLIS_MIN;

    NameWatcher(HttpServers servers, String target) {
        this.servers = servers;
        this.target = target;
    }

    /**
     * Waits for the next change, and returns it.
     *
     * @throws GuidepostException if the client may not read, the prefix is none, or the watch is closed
     */
    public NameChange next() {
        while (!closed) {
            if (lines == null && position == null && told) {
                // The snapshot was cut off, or is of another server: what was told of it may be gone.
                told = false;
                ready = false;
                return new NameChange(NameChange.Kind.RESET, "", Optional.empty());
            }
            try {
                Optional<NameChange> change = event(lines == null ? connect() : lines);
                if (change.isPresent()) {
                    return change.get();
                }
            } catch (IOException lost) {
                lost();
            } catch (GuidepostException refused) {
                if (refused.kind() == Kind.OVERLOADED || refused.status() >= 500) {
                    lost();
                } else if (refused.status() == 400 && position != null) {
                    position = null;
                } else {
                    throw refused;
                }
            }
        }
        throw new GuidepostException(Kind.OTHER, "the watch is closed");
    }

    private BufferedReader connect() throws IOException {
        HttpRequest.Builder request = servers.request(servers.first(), target).setHeader("Accept", "text/event-stream");
        if (position != null) {
            request.header("Last-Event-ID", position);
        }
        try {
            heardNanos = System.nanoTime();
            CompletableFuture<HttpResponse<InputStream>> sent = servers.http().sendAsync(request.build(), BodyHandlers.ofInputStream());
            HttpResponse<InputStream> response = sent.orTimeout(SILENCE_SECONDS, TimeUnit.SECONDS).join();
            if (response.statusCode() != 200) {
                throw GuidepostException.of(response.statusCode(), new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
            }
            stream = response.body();
            if (closed) {
                close();
            }
            endIfSilent(response.body());
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
            return lines;
        } catch (CompletionException failed) {
            throw new IOException(failed.getCause());
        }
    }

    private void endIfSilent(InputStream open) {
        CompletableFuture.delayedExecutor(SILENCE_SECONDS / 3, TimeUnit.SECONDS).execute(() -> {
            if (System.nanoTime() - heardNanos > TimeUnit.SECONDS.toNanos(SILENCE_SECONDS)) {
                close(open);
            } else if (open.equals(stream)) {
                endIfSilent(open);
            }
        });
    }

    /** Reads an event; empty if it tells nothing. */
    private Optional<NameChange> event(BufferedReader in) throws IOException {
        String event = "";
        StringBuilder data = new StringBuilder();
        String id = position;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            heardNanos = System.nanoTime();
            String value = line.substring(line.indexOf(':') + 1).stripLeading();
            if (line.startsWith("event:")) {
                event = value;
            } else if (line.startsWith("data:")) {
                data.append(value);
            } else if (line.startsWith("id:")) {
                id = value;
            } else if (line.isEmpty() && !event.isEmpty()) {
                NameChange change = change(event, JsonText.object(JsonText.parse(data.toString())));
                boolean reset = change.kind() == NameChange.Kind.RESET;
                // A server tells READY once more when a watch resumes.
                boolean tells = reset ? told : change.kind() != NameChange.Kind.READY || !ready;
                retryMillis = RETRY_MILLIS_MIN;
                position = reset ? null : id;
                told = !reset;
                ready = told && (ready || change.kind() == NameChange.Kind.READY);
                return tells ? Optional.of(change) : Optional.empty();
            }
        }
        throw new IOException("the server ended the stream");
    }

    private static NameChange change(String event, Map<String, Object> data) {
        NameChange.Kind kind = NameChange.Kind.valueOf(event.toUpperCase(Locale.ROOT));
        Optional<NameRecord> record = kind == NameChange.Kind.PUT ? Optional.of(NameRecord.read(data)) : Optional.empty();
        return new NameChange(kind, (String) data.getOrDefault("name", ""), record);
    }

    /** Goes to the next server, after a while. */
    private void lost() {
        close(stream);
        stream = null;
        lines = null;
        servers.rotate();
        try {
            TimeUnit.MILLISECONDS.sleep(closed ? 0 : ThreadLocalRandom.current().nextLong(retryMillis / 2, retryMillis + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GuidepostException(Kind.OTHER, "interrupted");
        }
        retryMillis = Math.min(2 * retryMillis, RETRY_MILLIS_MAX);
    }

    private static void close(@Nullable InputStream open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException gone) {
            // It is closed all the same.
        }
    }

    /** Ends the watch; a thread that waits in {@link #next} is told. */
    @Override
    public void close() {
        closed = true;
        close(stream);
    }
}
