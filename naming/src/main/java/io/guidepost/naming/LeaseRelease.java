package io.guidepost.naming;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.NamedValues;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The change that removes the places of a lease from a record.
 *
 * @param lease the lease that has ended
 */
record LeaseRelease(String lease) implements RecordStore.Replace {
    @Override
    public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        if (current == null) {
            return KEEP;
        }
        try {
            Record record = RecordImage.read(current);
            Map<Locator, PlaceAttributes> attributes = NamedValues.attributes(record.values());
            List<Binding> left = record.bindings().stream()
                    .filter(each -> !attributes.getOrDefault(each.locator(), PlaceAttributes.NONE).lease().equals(lease))
                    .toList();
            return left.size() == record.bindings().size()
                    ? KEEP
                    : NameWrite.image(key, current, version, nowMillis, left, record.values());
        } catch (Malformed e) {
            throw new IllegalStateException("a stored record is damaged: " + e.getMessage(), e);
        }
    }
}
