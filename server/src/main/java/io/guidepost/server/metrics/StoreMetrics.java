package io.guidepost.server.metrics;

import io.guidepost.store.StoreStatus;
import io.guidepost.web.JsonWriter;
import java.util.Map;

/** What the store says of itself, as metrics and as JSON. */
public final class StoreMetrics {
    private StoreMetrics() {}

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
