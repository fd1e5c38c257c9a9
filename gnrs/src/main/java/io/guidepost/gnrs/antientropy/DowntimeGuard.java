package io.guidepost.gnrs.antientropy;

import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;

/**
 * Detects a downtime longer than the tombstone lifetime. It writes a heartbeat mark once a minute, and compares it with
 * the clock at the start. The mark is a record of the store under a name of its own.
 */
final class DowntimeGuard {
    private static final Logger LOG = System.getLogger(DowntimeGuard.class.getName());

    /** The mark's name; as long as a GUID, because some stores know no others. */
    private static final byte[] NAME = "guidepost/last-alive".getBytes(StandardCharsets.US_ASCII);

    private final RecordStore store;
    private final byte[] key = new byte[1 + NAME.length];

    DowntimeGuard(RecordStore store) {
        this.store = store;
        key[0] = Name.Namespace.HANDLE.code();
        System.arraycopy(NAME, 0, key, 1, NAME.length);
    }

    /** Returns whether the last mark is older than the tombstone lifetime, and tells the log. */
    static boolean isLong(long aliveMillis, long tombstoneMillis, long nowMillis) {
        if (nowMillis - aliveMillis <= tombstoneMillis) {
            return false;
        }
        LOG.log(
                Logger.Level.WARNING,
                "this server was down for {0} hours; tombstones live for {1}: bindings from before"
                        + " that its peers do not have count as deleted",
                (nowMillis - aliveMillis) / 3_600_000,
                tombstoneMillis / 3_600_000);
        return true;
    }

    /** Returns the time of the last mark, in milliseconds since 1970; empty if this store has not served yet. */
    OptionalLong lastMark() {
        try {
            return store.get(Name.ofKey(key)).stream()
                    .flatMap(each -> each.values().stream())
                    .mapToLong(Value::timestampMillis)
                    .max();
        } catch (IOException | io.guidepost.base.Malformed e) {
            LOG.log(Logger.Level.WARNING, "the heartbeat mark of this server cannot be read: {0}", e.getMessage());
            return OptionalLong.empty();
        }
    }

    void mark(long nowMillis) {
        Value value = new Value(1, "LAST_ALIVE", new byte[0], 0, 0, 0, nowMillis, List.of());
        boolean taken = store.submit(
                key,
                (same, current, version, now) -> RecordImage.write(new Record(name(same), version, List.of(), List.of(value))),
                (outcome, version) -> {});
        if (!taken) {
            LOG.log(Logger.Level.DEBUG, "the store is busy; the heartbeat mark is written later");
        }
    }

    private static Name name(byte[] key) {
        try {
            return Name.ofKey(key);
        } catch (io.guidepost.base.Malformed e) {
            throw new AssertionError("a name of this class is a name", e);
        }
    }
}
