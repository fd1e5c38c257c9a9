package io.guidepost.server.console;

import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events for the console: one look a second for all viewers, of which each is sent the columns that changed. A new
 * viewer is told the last five minutes first, as far as somebody looked all the while. Without a viewer nothing is looked at.
 */
public final class ConsoleFeed implements AutoCloseable {
    /** Viewers at a time: an operator's tabs, and those of colleagues. */
    public static final int VIEWERS_MAX = 16;

    private static final Logger LOG = System.getLogger(ConsoleFeed.class.getName());
    private static final int KEPT = 300;

    /** Looks after the last viewer: one that loads its page again is told what it was told before. */
    private static final int UNSEEN_MAX = 10;

    private static final long TURN_MILLIS = 1000;

    /** Between two glances at whether something began or ended that viewers should not wait a turn for. */
    private static final long GLANCE_MILLIS = 250;

    /**
     * What changed in a second.
     *
     * @param columns by number
     * @param event as it is sent
     */
    @SuppressWarnings("ArrayRecordComponent") // Made once, sent as it is.
    private record Delta(int[] columns, double[] values, byte[] event) {}

    private final Supplier<String> metrics;
    private final Supplier<String> facts;
    private final Supplier<String> signs;
    private final SampleColumns samples = new SampleColumns();
    private final Deque<Delta> kept = new ArrayDeque<>();
    private double[] base = {};
    private double[] last = {};
    private int namesTold;
    private String factsTold = "";
    private String signsSeen = "";
    private long first;
    private int viewers;
    private long refused;
    private int unseen;
    private boolean begun;
    private boolean closed;
    private @Nullable Thread thread;

    /**
     * Makes it.
     *
     * @param metrics a scrape
     * @param facts JSON in one line of what is no number: health, the other servers
     * @param signs what has viewers told at once when it changes; cheap
     */
    public ConsoleFeed(Supplier<String> metrics, Supplier<String> facts, Supplier<String> signs) {
        this.metrics = metrics;
        this.facts = facts;
        this.signs = signs;
    }

    /** The page of the events. */
    public HttpResponse page() {
        synchronized (this) {
            if (viewers >= VIEWERS_MAX || closed) {
                refused++;
                return AdminPort.error(503, "the console has " + VIEWERS_MAX + " viewers, which is the bound").with("Retry-After", "10");
            }
        }
        return new HttpResponse(200, List.of(Map.entry("Content-Type", "text/event-stream")), new HttpResponse.Stream(this::view));
    }

    /** Writes what it counted. */
    public synchronized void write(Exposition out) {
        out.gauge("guidepost_console_viewers", "Browsers that are told once a second.").sample(viewers);
        out.counter("guidepost_console_refused_viewers", "Browsers that were not, as there are too many.").sample(refused);
    }

    private void view(OutputStream out) throws IOException {
        try {
            long next;
            byte[] start;
            synchronized (this) {
                viewers++;
                run();
                while (!begun && !closed) {
                    wait();
                }
                next = first;
                start = start();
            }
            out.write(start);
            while (true) {
                List<byte[]> events = after(next);
                if (events.isEmpty()) {
                    return;
                }
                next += events.size();
                for (byte[] each : events) {
                    out.write(each);
                }
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                viewers--;
            }
        }
    }

    /** Waits for events from a number on; those that are no longer kept are passed over. Empty at the end. */
    private synchronized List<byte[]> after(long next) throws InterruptedException {
        while (!closed && first + kept.size() <= next) {
            wait();
        }
        return closed ? List.of() : kept.stream().skip(Math.max(0, next - first)).map(Delta::event).toList();
    }

    private void run() {
        unseen = 0;
        if (thread == null && !closed) {
            thread = Thread.ofPlatform().daemon().name("guidepost-console").start(this::turns);
        }
    }

    private void turns() {
        long due = System.nanoTime();
        while (look()) {
            due = rest(Math.max(due + TURN_MILLIS * 1_000_000, System.nanoTime()));
        }
    }

    /** Waits for a time, less long where a sign changes; returns the time that it waited for. */
    private long rest(long due) {
        long left;
        while ((left = (due - System.nanoTime()) / 1_000_000) > 0) {
            synchronized (this) {
                try {
                    wait(Math.min(left, GLANCE_MILLIS));
                } catch (InterruptedException e) {
                    closed = true;
                }
                if (closed) {
                    return due;
                }
            }
            if (!signs.get().equals(signsSeen)) {
                return System.nanoTime();
            }
        }
        return due;
    }

    /** Looks once; returns whether to look again. */
    private boolean look() {
        String scrape;
        String told;
        try {
            signsSeen = signs.get();
            scrape = metrics.get();
            told = facts.get();
        } catch (RuntimeException e) {
            LOG.log(Logger.Level.WARNING, "the console could not look: {0}", e.toString());
            return !ended();
        }
        synchronized (this) {
            take(samples.read(scrape), told);
            notifyAll();
        }
        return !ended();
    }

    /** Whether it is closed, or not looked at any more. */
    private synchronized boolean ended() {
        unseen = viewers > 0 ? 0 : unseen + 1;
        if (closed || unseen > UNSEEN_MAX) {
            thread = null;
            begun = false;
            first += kept.size();
            kept.clear();
            return true;
        }
        return false;
    }

    private void take(double[] now, String told) {
        if (!begun) {
            base = now;
            begun = true;
            namesTold = now.length;
            factsTold = told;
        } else {
            int[] columns = new int[now.length];
            int changed = 0;
            for (int i = 0; i < now.length; i++) {
                if (i >= last.length || Double.compare(last[i], now[i]) != 0) {
                    columns[changed++] = i;
                }
            }
            keep(Arrays.copyOf(columns, changed), now, told);
        }
        last = now;
    }

    private void keep(int[] columns, double[] now, String told) {
        List<Object> pairs = new ArrayList<>(2 * columns.length);
        double[] values = new double[columns.length];
        for (int i = 0; i < columns.length; i++) {
            values[i] = now[columns[i]];
            pairs.add(columns[i]);
            pairs.add(number(values[i]));
        }
        StringBuilder event = new StringBuilder("data: {\"at\":").append(System.currentTimeMillis());
        if (namesTold < now.length) {
            event.append(",\"names\":").append(line(samples.names().subList(namesTold, now.length)));
        }
        if (!factsTold.equals(told)) {
            event.append(",\"facts\":").append(told);
        }
        event.append(",\"changes\":").append(line(pairs)).append("}\n\n");
        kept.addLast(new Delta(columns, values, event.toString().getBytes(StandardCharsets.UTF_8)));
        namesTold = now.length;
        factsTold = told;
        if (kept.size() > KEPT) {
            forget(kept.removeFirst());
        }
    }

    /** Makes a frame part of what a new viewer is told first. */
    private void forget(Delta frame) {
        first++;
        for (int i = 0; i < frame.columns.length; i++) {
            if (frame.columns[i] >= base.length) {
                base = Arrays.copyOf(base, frame.columns[i] + 1);
            }
            base[frame.columns[i]] = frame.values[i];
        }
    }

    /** All names and the facts as they are now, the values as they were before the first frame. */
    private byte[] start() {
        List<Object> values = new ArrayList<>(base.length);
        for (double each : base) {
            values.add(number(each));
        }
        return ("event: start\ndata: {\"at\":" + System.currentTimeMillis() + ",\"back\":" + kept.size() + ",\"names\":"
                        + line(samples.names()) + ",\"values\":" + line(values) + ",\"facts\":" + factsTold + "}\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Object number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Object) (long) value : Double.isFinite(value) ? value : 0;
    }

    private static String line(List<?> list) {
        return JsonWriter.line(list).strip();
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
