package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.store.StoreStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Virtual handles that describe the server's state: {@code 0.SITE/status} and {@code 0.SITE/DB_STATUS}. Thread-safe.
 */
final class StatusHandles {
    static final Handle SERVER = Handle.of("0.SITE/status");
    static final Handle STORE = Handle.of("0.SITE/DB_STATUS");

    private final Instant started;
    private final InstantSource clock;
    private final Supplier<StoreStatus> store;
    private final HomedPrefixes homes;

    StatusHandles(HandleRecords records, HomedPrefixes homes, InstantSource clock) {
        this.started = clock.instant();
        this.clock = clock;
        this.store = records.store()::status;
        this.homes = homes;
    }

    /** Returns the current record of one of these; empty for other handles. */
    Optional<HandleRecord> record(Handle handle) {
        boolean isServer = handle.equalsFolded(SERVER);
        if (!isServer && !handle.equalsFolded(STORE)) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        if (isServer) {
            return Optional.of(new HandleRecord(
                    SERVER,
                    List.of(
                            value(1, "STARTED", started.toString(), now),
                            value(2, "TIME", now.toString(), now),
                            value(3, "PREFIXES", Integer.toString(homes.all().size()), now))));
        }
        StoreStatus is = store.get();
        return Optional.of(new HandleRecord(
                STORE,
                List.of(
                        value(1, "RECORDS", Long.toString(is.records()), now),
                        value(2, "TROUBLE", is.trouble(), now))));
    }

    /** Returns a value for administrators, which caches must not keep. */
    private static HandleValue value(int index, String type, String text, Instant now) {
        return new HandleValue(
                index,
                type,
                text.getBytes(StandardCharsets.UTF_8),
                Permissions.SECRET,
                new Ttl.Relative(0),
                now.getEpochSecond(),
                List.of());
    }
}
