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
 * Referrals for derived prefixes: the nearest ancestor's record that is here names the responsible servers in
 * HS_NA_DELEGATE, HS_SITE.PREFIX or HS_SERV.PREFIX. The client gets those values unchanged and without a handle, as
 * from existing servers; its library selects those to follow.
 */
final class PrefixDelegation {
    private static final List<ValueType> LEADING =
            List.of(ValueType.HS_NA_DELEGATE, ValueType.HS_SITE_PREFIX, ValueType.HS_SERV_PREFIX);

    private final HandleRecords records;

    PrefixDelegation(HandleRecords records) {
        this.records = records;
    }

    /**
     * Returns the referral for a prefix.
     *
     * @param handle a prefix handle without a record here
     * @return empty if no record here has a referral
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
