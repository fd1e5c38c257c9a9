package io.guidepost.scaffold.object;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives GNRS records from those of an object router, so that GNRS clients find hosts and objects, and cannot change them: the
 * GUID of an object leads to its instances, that of an instance to its host, and that of a host to its places. A move of a host
 * thus changes one of them. A GUID that a GNRS client has bound is left unchanged.
 */
public final class ObjectDerivation implements RecordStore.Derivation {
    /** How long caches may keep what they were told: hosts move. */
    private static final long TTL_MILLIS = 1_000;

    private final LongAdder foreign = new LongAdder();

    /** Returns how often a record could not be derived, as a GNRS client had bound the GUID. */
    public long foreign() {
        return foreign.sum();
    }

    @Override
    public void derive(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
        if (InstanceRecords.is(InstanceRecords.HOST, key)) {
            List<Binding> places = InstanceRecords.locatorsOf(after).stream()
                    .map(each -> binding(Locator.of(each.toSocketAddress())))
                    .distinct()
                    .toList();
            also.accept(keyOf(InstanceRecords.guid(key)), derived(_ -> places));
        } else if (InstanceRecords.is(InstanceRecords.INSTANCE, key)) {
            Guid instance = InstanceRecords.guid(key);
            boolean there = after != null;
            InstanceOffer offer = InstanceRecords.instanceOf(there ? after : before);
            if (offer != null) {
                also.accept(keyOf(instance), derived(_ -> there ? List.of(binding(Locator.of(offer.host()))) : List.of()));
                also.accept(keyOf(offer.object()), derived(others -> changed(others, instance, there)));
            }
        }
    }

    private static Binding binding(Locator locator) {
        return new Binding(locator, TTL_MILLIS, 0);
    }

    private static byte[] keyOf(Guid guid) {
        return Name.of(guid).key();
    }

    /** Returns the instances of an object with one of them behind the others, or without it. */
    private static List<Binding> changed(List<Binding> there, Guid instance, boolean with) {
        Binding binding = binding(Locator.of(instance));
        if (with && there.contains(binding)) {
            return there;
        }
        Stream<Binding> others = there.stream().filter(each -> !each.locator().equals(binding.locator()));
        return (with ? Stream.concat(others, Stream.of(binding)) : others).toList();
    }

    private RecordStore.Replace derived(UnaryOperator<List<Binding>> next) {
        return (key, current, version, _) -> {
            if (current != null && (current[1] & RecordImage.DERIVED) == 0) {
                foreign.increment();
                return RecordStore.Change.KEEP;
            }
            List<Binding> before = bindings(current);
            List<Binding> after = next.apply(before);
            if (after.equals(before)) {
                return RecordStore.Change.KEEP;
            }
            return after.isEmpty() ? RecordStore.Change.DELETE : RecordImage.writeDerived(key, version, after);
        };
    }

    private static List<Binding> bindings(byte @Nullable [] image) {
        try {
            return image == null ? List.of() : RecordImage.read(image).bindings();
        } catch (Malformed e) {
            throw new IllegalStateException("the record of an object is damaged: " + e.getMessage(), e);
        }
    }
}
