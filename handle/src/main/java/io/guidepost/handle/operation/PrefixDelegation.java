package io.guidepost.handle.operation;

import io.guidepost.handle.Handle;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Says who holds the handles of derived prefixes, where the record of a prefix that they are derived from says so: at the
 * nearest one that is here, by HS_NA_DELEGATE, HS_SITE.PREFIX or HS_SERV.PREFIX. Those values go to whoever asks, under
 * their own types and no handle, as existing servers send them; the client's library knows which to follow.
 */
final class PrefixDelegation {
    private static final List<ValueType> LEADING =
            List.of(ValueType.HS_NA_DELEGATE, ValueType.HS_SITE_PREFIX, ValueType.HS_SERV_PREFIX);

    private final HandleRecords records;

    PrefixDelegation(HandleRecords records) {
        this.records = records;
    }

    /**
     * Where to ask.
     *
     * @param handle one that describes a prefix, and has no record here
     * @return empty if no record here says that
     */
    Optional<HandleResult> of(Handle handle) throws IOException {
        for (Optional<Handle> above = handle.parentPrefixHandle();
                above.isPresent();
                above = above.get().parentPrefixHandle()) {
            Optional<HandleRecord> record = records.find(above.get());
            if (record.isPresent()) {
                return referral(record.get());
            }
        }
        return Optional.empty();
    }

    private static Optional<HandleResult> referral(HandleRecord record) {
        List<HandleValue> values = record.values().stream()
                .filter(each -> LEADING.stream().anyMatch(each::is)
                        && each.permissions().publicRead())
                .toList();
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(new HandleResult(ResponseCode.PREFIX_REFERRAL, Handle.NONE, values, "", false));
    }
}
