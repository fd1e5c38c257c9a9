package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import io.guidepost.store.StoreStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The handles that no store holds and that tell how the server does: {@code 0.SITE/status} and
 * {@code 0.SITE/DB_STATUS}. Thread-safe.
 */
final class Status {
    static final Handle SERVER = Handle.of("0.SITE/status");
    static final Handle STORE = Handle.of("0.SITE/DB_STATUS");

    private final Instant started;
    private final InstantSource clock;
    private final Supplier<StoreStatus> store;
    private final Homes homes;

    Status(Records records, Homes homes, InstantSource clock) {
        this.started = clock.instant();
        this.clock = clock;
        this.store = records.store()::status;
        this.homes = homes;
    }

    /** Whether a handle is one of these, whoever asks. */
    static boolean isOne(Handle handle) {
        return handle.equalsFolded(SERVER) || handle.equalsFolded(STORE);
    }

    /** The record of one of these as it is now; empty for other handles. */
    Optional<HandleRecord> record(Handle handle) {
        Instant now = clock.instant();
        StoreStatus at = store.get();
        if (handle.equalsFolded(SERVER)) {
            return Optional.of(record(
                    SERVER,
                    now,
                    HandleValue.of(1, "STARTED", started.toString()),
                    HandleValue.of(2, "TIME", now.toString()),
                    HandleValue.of(3, "PREFIXES", Integer.toString(homes.all().size()))));
        }
        return handle.equalsFolded(STORE)
                ? Optional.of(record(
                        STORE,
                        now,
                        HandleValue.of(1, "RECORDS", Long.toString(at.records())),
                        HandleValue.of(2, "TROUBLE", at.trouble())))
                : Optional.empty();
    }

    private static HandleRecord record(Handle handle, Instant now, HandleValue... values) {
        return new HandleRecord(
                handle,
                List.of(values).stream()
                        .map(each -> each.changedAt(now.getEpochSecond()))
                        .toList());
    }
}
