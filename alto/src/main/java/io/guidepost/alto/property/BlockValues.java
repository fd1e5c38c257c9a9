package io.guidepost.alto.property;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** A property of addresses, loaded block by block. */
public final class BlockValues implements EntityProperties.OfAddresses {
    private final Map<Prefix, String> values;

    /** Copies the values. */
    public BlockValues(Map<Prefix, String> values) {
        this.values = new LinkedHashMap<>(values);
    }

    @Override
    public Optional<String> of(Address address) {
        return of(address.prefix());
    }

    @Override
    public Optional<String> of(Prefix block) {
        // No IPv6 block contains an IPv4 block, though the mapped numbers would say so.
        int shortest = block.isIpv4() ? Prefix.ofIpv4(0, 0).length() : 0;
        for (int length = block.length(); length >= shortest; length--) {
            String value = values.get(new Prefix(block.high(), block.low(), length));
            if (value != null) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    @Override
    public void forEach(BiConsumer<Prefix, String> told) {
        values.forEach(told);
    }
}
