package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.ValueType;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Says who holds the handles that are not here, where a record here says so. From the prefix of a handle up to the one
 * that all its prefixes are derived from, the first record with such a value decides:
 *
 * <pre>
 *  record of             value            answer
 *  the handle's prefix   HS_SITE          PREFIX_REFERRAL with the sites
 *                        HS_SERV          SERVICE_REFERRAL to the record that has the sites
 *  one it derives from   HS_NA_DELEGATE   PREFIX_REFERRAL with the sites
 *                        HS_SITE.PREFIX   PREFIX_REFERRAL with the sites
 *                        HS_SERV.PREFIX   SERVICE_REFERRAL to the record that has the sites
 * </pre>
 *
 * A handle that describes a prefix is led by the records that its prefix derives from alone. Sites are given in values of
 * type HS_SITE, as clients look for that.
 */
final class Delegation {
    private static final List<ValueType> OWN = List.of(ValueType.HS_SITE, ValueType.HS_SERV);
    private static final List<ValueType> DERIVED =
            List.of(ValueType.HS_NA_DELEGATE, ValueType.HS_SITE_PREFIX, ValueType.HS_SERV_PREFIX);

    private final Records records;

    Delegation(Records records) {
        this.records = records;
    }

    /** Where to ask for a handle; empty if no record here says that. */
    Optional<Outcome> of(Handle handle) throws IOException {
        Handle about = handle;
        if (!handle.isPrefixHandle()) {
            about = handle.prefixHandle();
            Optional<Outcome> referral = referral(about, OWN);
            if (referral.isPresent()) {
                return referral;
            }
        }
        for (Optional<Handle> above = about.parentPrefixHandle();
                above.isPresent();
                above = above.get().parentPrefixHandle()) {
            Optional<Outcome> referral = referral(above.get(), DERIVED);
            if (referral.isPresent()) {
                return referral;
            }
        }
        return Optional.empty();
    }

    private Optional<Outcome> referral(Handle prefix, List<ValueType> leading) throws IOException {
        Optional<HandleRecord> record = records.find(prefix);
        if (record.isEmpty()) {
            return Optional.empty();
        }
        for (ValueType type : leading) {
            List<HandleValue> values = record.get().values().stream()
                    .filter(each -> each.is(type) && each.permissions().publicRead())
                    .toList();
            if (!values.isEmpty()) {
                return Optional.of(referral(prefix, type, values));
            }
        }
        return Optional.empty();
    }

    private static Outcome referral(Handle prefix, ValueType type, List<HandleValue> values) {
        if (type.form() == ValueType.Form.HANDLE) {
            String service = new String(values.getFirst().data(), StandardCharsets.UTF_8);
            return Outcome.of(ResponseCode.SERVICE_REFERRAL, Handle.of(service), "");
        }
        List<HandleValue> sites = values.stream()
                .map(each -> new HandleValue(
                        each.index(),
                        ValueType.HS_SITE.typeName(),
                        each.data(),
                        each.permissions(),
                        each.ttl(),
                        each.changedSeconds(),
                        each.references()))
                .toList();
        return new Outcome(ResponseCode.PREFIX_REFERRAL, prefix, sites, "", false);
    }
}
