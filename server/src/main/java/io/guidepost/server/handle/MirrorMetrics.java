package io.guidepost.server.handle;

import io.guidepost.handle.replication.MirrorStatus;
import io.guidepost.server.metrics.Exposition;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Writes how the mirrors of this server are doing, by the address of their source; of none, no samples. */
record MirrorMetrics(Exposition out, HandleMirrors mirrors) {
    private static final double MILLI = 1e-3;

    public static void write(Exposition out, HandleMirrors mirrors) {
        MirrorMetrics metrics = new MirrorMetrics(out, mirrors);
        out.gauge("guidepost_handle_mirror_dumping", "Whether all handles of a source are being fetched, 0 or 1; by source.");
        metrics.whole(status -> status.dumping() ? 1 : 0);
        out.gauge("guidepost_handle_mirror_position", "Number of the source's last change that is here.");
        metrics.whole(status -> status.position().transactionId());
        out.gauge(
                "guidepost_handle_mirror_asked_seconds",
                "When the source last sent all it had, in seconds since 1970; 0 = never. The time since then is the lag.");
        metrics.seconds(status -> status.askedMillis() * MILLI);
        out.gauge("guidepost_handle_mirror_failures", "Questions in a row that the source did not answer.");
        metrics.whole(MirrorStatus::failures);
        out.counter("guidepost_handle_mirror_changes", "Changes of the source that were applied.");
        metrics.whole(MirrorStatus::transactions);
        out.counter("guidepost_handle_mirror_records", "Records that came when all were fetched.");
        metrics.whole(MirrorStatus::records);
        out.counter("guidepost_handle_mirror_dumps", "How often all were fetched, or the rest of all.");
        metrics.whole(MirrorStatus::dumps);
        out.counter("guidepost_handle_mirror_refused", "Records that do not fit the store, and were left out.");
        metrics.whole(MirrorStatus::refused);
    }

    private void whole(ToLongFunction<MirrorStatus> number) {
        mirrors.visit((source, status) -> out.sample(number.applyAsLong(status), "source", source));
    }

    private void seconds(ToDoubleFunction<MirrorStatus> number) {
        mirrors.visit((source, status) -> out.sample(number.applyAsDouble(status), "source", source));
    }
}
