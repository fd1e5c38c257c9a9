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
 * What is known of addresses and PIDs, besides which PID an address is in. Immutable.
 *
 * @param ofAddresses by the name of the property, such as {@code priv:ietf-type}
 * @param ofPids by the id of the network map, the name of the property, and the PID
 */
public record EntityProperties(
        SortedMap<String, OfAddresses> ofAddresses, SortedMap<String, SortedMap<String, Map<String, String>>> ofPids) {
    /** Nothing is known. */
    public static final EntityProperties NONE = new EntityProperties(new TreeMap<>(), new TreeMap<>());

    /** Copies the maps. */
    public EntityProperties {
        ofAddresses = Collections.unmodifiableSortedMap(new TreeMap<>(ofAddresses));
        ofPids = Collections.unmodifiableSortedMap(new TreeMap<>(ofPids));
    }

    /** One property of addresses: a block's value is that of all addresses in it that no longer block says more of. */
    public interface OfAddresses {
        /** Its value for an address. */
        Optional<String> of(Address address);

        /** Its value for a block, if the block itself has one, or lies in one that has. */
        Optional<String> of(Prefix block);

        /** Tells the blocks that have values of their own; none, if they are too many to be told. */
        void forEach(BiConsumer<Prefix, String> told);
    }
}
