package io.guidepost.server.metrics;

import io.guidepost.store.StoreStatus;
import io.guidepost.web.JsonWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/** What the store says of itself, as metrics and as JSON. */
public final class StoreMetrics {
    /** Changed by each backup, in the folder of the store, so that its time outlives the process. */
    private static final String LAST_BACKUP = "last-backup";

    private StoreMetrics() {}

    /** Remembers that a backup is complete. */
    public static void backedUp(Path folder) throws IOException {
        Files.writeString(folder.resolve(LAST_BACKUP), Instant.now() + "\n");
    }

    /** Writes what the store takes on the disk and what is left there, and when it was backed up last. */
    public static void write(Exposition out, Path folder) {
        out.gauge("guidepost_store_disk_bytes", "Bytes of the store's files.").sample(bytes(folder.toFile()));
        out.gauge("guidepost_store_disk_free_bytes", "Bytes left for the server on the file system of the store.")
                .sample(folder.toFile().getUsableSpace());
        out.gauge("guidepost_store_last_backup_timestamp_seconds", "When the last backup was complete, seconds since 1970; 0 = never.")
                .sample(folder.resolve(LAST_BACKUP).toFile().lastModified() / 1000);
    }

    public static void write(Exposition out, StoreStatus status) {
        out.gauge("guidepost_store_records", "Records in the index.").sample(status.records());
        out.gauge("guidepost_store_index_bytes", "Memory of the index.").sample(status.indexBytes());
        out.gauge("guidepost_store_index_max_bytes", "Bound on the memory of the index.")
                .sample(status.indexBytesMax());
        out.gauge("guidepost_store_warming", "1 while the index is filled from the disk.")
                .sample(status.warming() ? 1 : 0);
        out.gauge("guidepost_store_complete", "1 if the index holds every record.").sample(status.complete() ? 1 : 0);
        out.gauge("guidepost_store_writable", "1 if writes are taken, 0 after the disk refused.")
                .sample(status.writable() ? 1 : 0);
        out.counter("guidepost_store_groups", "Groups of writes committed with one sync.").sample(status.groups());
        out.counter("guidepost_store_gather_seconds", "Time that groups waited for more writes to come.")
                .sample(status.gatheredNanos() / 1e9);
        out.counter("guidepost_store_writes", "Writes made durable.").sample(status.writes());
        out.counter("guidepost_store_writes_failed", "Writes refused by disk or engine.")
                .sample(status.writesFailed());
        out.counter("guidepost_store_queue_full", "Writes refused because the queue was full.")
                .sample(status.queueFull());
        out.counter("guidepost_store_expired", "Bindings and records that ended by their time and were removed.")
                .sample(status.expired());
        out.counter("guidepost_store_evicted", "Records pushed out of the index by its bound.")
                .sample(status.evicted());
    }

    /** Returns the bytes of a file or folder; files may come and go meanwhile. */
    private static long bytes(File file) {
        File[] inside = file.listFiles();
        return inside == null ? file.length() : Arrays.stream(inside).mapToLong(StoreMetrics::bytes).sum();
    }

    public static Map<String, Object> json(StoreStatus status) {
        return JsonWriter.object(
                "records", status.records(),
                "indexBytes", status.indexBytes(),
                "indexBytesMax", status.indexBytesMax(),
                "warming", status.warming(),
                "complete", status.complete(),
                "writable", status.writable(),
                "trouble", status.trouble(),
                "groups", status.groups(),
                "gatherSeconds", status.gatheredNanos() / 1e9,
                "writes", status.writes(),
                "writesFailed", status.writesFailed(),
                "queueFull", status.queueFull(),
                "expired", status.expired(),
                "evicted", status.evicted(),
                "sequence", status.sequence());
    }
}
