package io.guidepost.client;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Places that go when this process ends: one renewal in the background for all of them. A lease that was lost, as the process was
 * cut off for longer than it lasts, is begun anew with all places. Thread-safe.
 */
public final class NameLease implements AutoCloseable {
    private static final long RETRY_MILLIS_MAX = 1000;

    private final HttpServers servers;
    private final Duration length;
    private final Map<String, Map<String, NamePlace>> held = new LinkedHashMap<>();
    private final Thread renewal = new Thread(this::renewForEver, "guidepost-lease");
    private boolean closed;
    private volatile @Nullable String id;
    private final AtomicInteger renewed = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile @Nullable GuidepostException error;

    NameLease(HttpServers servers, Duration length) {
        this.servers = servers;
        this.length = length;
        renewal.setDaemon(true);
    }

    /** Adds places to a name, for as long as the lease lasts. */
    public synchronized void add(String name, NamePlace... places) {
        if (!put(name, places)) {
            again();
            put(name, places);
        }
        Map<String, NamePlace> ofName = held.computeIfAbsent(name, any -> new LinkedHashMap<>());
        for (NamePlace each : places) {
            ofName.put(each.address(), each);
        }
        if (renewal.getState() == Thread.State.NEW) {
            renewal.start();
        }
    }

    /** Removes the places that this lease added to a name. */
    public synchronized void remove(String name) {
        Map<String, NamePlace> places = held.remove(name);
        if (places != null) {
            Map<String, Object> body = Map.of("remove", List.copyOf(places.keySet()));
            servers.write("PATCH", NameClient.path(name), body, Map.of(), false);
        }
    }

    /** Adds places under the lease, or begins one; returns false if the lease has ended. */
    private boolean put(String name, NamePlace... places) {
        String target = NameClient.path(name) + "?lease=" + (id == null ? length.toMillis() + "ms" : id);
        Map<String, Object> body = Map.of("add", NameClient.write(places));
        HttpResponse<String> answer = servers.write("PATCH", target, body, Map.of(), id != null);
        if (answer.statusCode() == HttpServers.NOT_FOUND) {
            return false;
        }
        id = JsonText.of(String.class, JsonText.object(NameClient.json(answer).get("lease")).get("id"));
        return true;
    }

    /** Begins a new lease with all places: one with a part of them would be renewed as if it were whole. */
    private void again() {
        lost.addAndGet(id == null ? 0 : 1);
        id = null;
        try {
            held.forEach((name, places) -> put(name, places.values().toArray(NamePlace[]::new)));
        } catch (GuidepostException failed) {
            id = null;
            throw failed;
        }
    }

    private synchronized void renewForEver() {
        long waitMillis = length.toMillis() / 3;
        try {
            while (true) {
                long endNanos = System.nanoTime() + 1_000_000 * waitMillis;
                for (long left = waitMillis; left > 0 && !closed; left = (endNanos - System.nanoTime()) / 1_000_000) {
                    wait(left);
                }
                if (closed) {
                    return;
                }
                waitMillis = renew() ? length.toMillis() / 3 : Math.min(RETRY_MILLIS_MAX, length.toMillis() / 10);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean renew() {
        try {
            if (id == null
                    || servers.write("POST", "/v1/leases/" + id + ":renew", null, Map.of(), true).statusCode() == HttpServers.NOT_FOUND) {
                again();
            }
            renewed.incrementAndGet();
            error = null;
            return true;
        } catch (GuidepostException failed) {
            error = failed;
            return false;
        }
    }

    /** Returns the server's name of it; empty before the first place. */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /** Returns how often it was renewed. */
    public int renewed() {
        return renewed.get();
    }

    /** Returns how often it was lost, and its places were put again. */
    public int lost() {
        return lost.get();
    }

    /** Returns why the last renewal failed; empty if it did not. */
    public Optional<GuidepostException> error() {
        return Optional.ofNullable(error);
    }

    /** Ends the lease: its places are removed. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        String ended = id;
        id = null;
        if (ended != null) {
            servers.write("DELETE", "/v1/leases/" + ended, null, Map.of(), true);
        }
    }
}
