package io.guidepost.store;

import io.guidepost.names.Binding;
import io.guidepost.names.Malformed;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Takes out of one record what has ended, and the record itself if nothing is left of it. */
final class Expire implements RecordStore.Change, RecordStore.Completion {
    private final LongAdder expired;
    private int ended;

    /**
     * Makes the change for one record.
     *
     * @param expired counts what was removed for good
     */
    Expire(LongAdder expired) {
        this.expired = expired;
    }

    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        if (current == null) {
            return KEEP;
        }
        Record record;
        try {
            record = Image.read(current);
        } catch (Malformed e) {
            throw new IllegalStateException("an image in the index is damaged: " + e.getMessage(), e);
        }
        Record left = left(record, nowMillis);
        ended = record.bindings().size() - left.bindings().size() + record.values().size() - left.values().size();
        if (ended == 0) {
            return KEEP;
        }
        return left.isEmpty() ? DELETE : Image.write(key, version, left.bindings(), left.values());
    }

    /** What is left of a record at a time. */
    static Record left(Record record, long nowMillis) {
        List<Binding> bindings =
                record.bindings().stream().filter(each -> !each.expired(nowMillis)).toList();
        List<Value> values = record.values().stream()
                .filter(each -> each.expiryMillis() == 0 || each.expiryMillis() > nowMillis)
                .toList();
        return new Record(record.name(), record.version(), bindings, values);
    }

    @Override
    public void complete(RecordStore.Outcome outcome, long version) {
        if (outcome == RecordStore.Outcome.DONE) {
            expired.add(ended);
        }
    }
}
