package io.guidepost.alto.property;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Properties of addresses and PIDs, apart from the PID of an address. Immutable.
 *
 * @param ofAddresses by the name of the property, such as {@code priv:ietf-type}
 * @param ofPids by the id of the network map, the name of the property, and the PID
 */
public record EntityProperties(
        SortedMap<String, OfAddresses> ofAddresses, SortedMap<String, SortedMap<String, Map<String, String>>> ofPids) {
    /** No properties. */
    public static final EntityProperties NONE = new EntityProperties(new TreeMap<>(), new TreeMap<>());

    /** Copies the maps. */
    public EntityProperties {
        ofAddresses = Collections.unmodifiableSortedMap(new TreeMap<>(ofAddresses));
        ofPids = Collections.unmodifiableSortedMap(new TreeMap<>(ofPids));
    }

    /**
     * One property of addresses: the value of a block holds for all addresses in it, unless a longer block overrides
     * it.
     */
    public interface OfAddresses {
        /** Returns the value of an address. */
        Optional<String> of(Address address);

        /** Returns the value of a block: its own, or that of a block around it. */
        Optional<String> of(Prefix block);

        /** Passes the blocks that have values of their own to a consumer; none, if they are too many to list. */
        void forEach(BiConsumer<Prefix, String> told);
    }
}
