package io.guidepost.server.handle;

import java.io.IOException;
import java.io.Writer;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code access.log}: the answering thread puts lines into a bounded queue, and a thread of the log writes them;
 * what finds the queue full is counted, and lost. With a new month, week or day, and when it is long, the old file gets the
 * date of its first day as an ending. Thread-safe.
 */
public final class AccessLog implements AutoCloseable {
    private static final Logger LOG = System.getLogger(AccessLog.class.getName());
    private static final long FLUSH_MILLIS = 200;
    private static final int BATCH = 512;
    /** Lines that wait for the disk: a burst of a tenth of a second at full speed. */
    private static final int LINES_MAX = 16_384;
    private static final long CLOSE_MILLIS_MAX = 2000;

    /** What a line is. */
    public enum Form {
        /** There is no log. */
        OFF,
        /** The customary line of existing servers. */
        TEXT,
        /** An object of JSON. */
        JSON
    }

    /** When a new file is begun. */
    public enum Rotation {
        /** With each day. */
        DAILY,
        /** With each Monday. */
        WEEKLY,
        /** With each month. */
        MONTHLY,
        /** One file for ever. */
        NEVER;

        /** The first day of what a day is in. */
        LocalDate begin(LocalDate day) {
            return switch (this) {
                case DAILY -> day;
                case WEEKLY -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                case MONTHLY -> day.withDayOfMonth(1);
                case NEVER -> LocalDate.EPOCH;
            };
        }
    }

    private final Path file;
    private final Form form;
    private final Rotation rotation;
    private final long bytesMax;
    private final BlockingQueue<AccessLogEntry> lines = new ArrayBlockingQueue<>(LINES_MAX);
    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean reopening;
    private @Nullable Writer out;
    private LocalDate begun = LocalDate.EPOCH;

    /**
     * Opens the log.
     *
     * @param folder that it is in; made if it is not there
     * @param bytesMax length from which on another file is begun, looked at with each batch of lines; 0 = any
     * @throws IOException if it cannot be written
     */
    public AccessLog(Path folder, Form form, Rotation rotation, long bytesMax) throws IOException {
        this.file = folder.resolve("access.log");
        this.form = form;
        this.rotation = rotation;
        this.bytesMax = bytesMax;
        Files.createDirectories(folder);
        if (Files.exists(file)) {
            begun = rotation.begin(LocalDate.ofInstant(
                    Files.getLastModifiedTime(file).toInstant(), ZoneId.systemDefault()));
        }
        rotate(LocalDate.now(ZoneId.systemDefault()));
        this.thread = Thread.ofPlatform().daemon(true).name("guidepost-access-log").start(this::run);
    }

    void add(AccessLogEntry line) {
        if (!lines.offer(line)) {
            dropped.increment();
        }
    }

    /** Has the next line begin the file anew, if somebody else has moved it away. */
    public void reopen() {
        reopening = true;
    }

    /** Lines that were written. */
    public long written() {
        return written.sum();
    }

    /** Lines that were lost, as the disk was too slow or refused. */
    public long dropped() {
        return dropped.sum();
    }

    private void rotate(LocalDate today) throws IOException {
        LocalDate now = rotation.begin(today);
        if (reopening) {
            reopening = false;
            drop();
        }
        boolean isLong = bytesMax > 0 && Files.exists(file) && Files.size(file) >= bytesMax;
        if (out == null || isLong || !now.equals(begun)) {
            if (out != null) {
                out.close();
                out = null;
            }
            if (isLong || Files.exists(file) && !now.equals(begun)) {
                Files.move(file, ending());
            }
            begun = now;
            out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /** Where the old file goes; what is there already is not written over. */
    private Path ending() {
        Path free = file.resolveSibling("access.log." + begun);
        for (int i = 2; Files.exists(free); i++) {
            free = file.resolveSibling("access.log." + begun + "." + i);
        }
        return free;
    }

    /** Closes the file, whatever becomes of what is not in it yet. */
    private void drop() {
        Writer old = out;
        out = null;
        if (old != null) {
            try {
                old.close();
            } catch (IOException e) {
                LOG.log(Logger.Level.DEBUG, "the end of the access log is lost", e);
            }
        }
    }

    private void run() {
        List<AccessLogEntry> batch = new ArrayList<>(BATCH);
        boolean told = false;
        while (!closing || !lines.isEmpty()) {
            batch.clear();
            try {
                AccessLogEntry first = lines.poll(FLUSH_MILLIS, TimeUnit.MILLISECONDS);
                if (first == null) {
                    continue;
                }
                batch.add(first);
                lines.drainTo(batch, BATCH - 1);
                write(batch);
                told = false;
            } catch (IOException e) {
                dropped.add(batch.size());
                drop();
                if (!told) {
                    LOG.log(Logger.Level.WARNING, "{0} cannot be written: {1}", file, e.getMessage());
                    told = true;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void write(List<AccessLogEntry> batch) throws IOException {
        rotate(LocalDate.now(ZoneId.systemDefault()));
        Writer to = out;
        if (to == null) {
            throw new IOException("there is no file");
        }
        for (AccessLogEntry each : batch) {
            to.write(form == Form.JSON ? each.json() : each.text());
            to.write('\n');
        }
        to.flush();
        written.add(batch.size());
    }

    /** Writes what waits, for some time, and closes the file. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join(CLOSE_MILLIS_MAX);
            Writer last = out;
            if (last != null && !thread.isAlive()) {
                last.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "{0} cannot be closed: {1}", file, e.getMessage());
        }
    }
}
