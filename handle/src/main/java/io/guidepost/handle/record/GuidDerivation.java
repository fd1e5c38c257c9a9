package io.guidepost.handle.record;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.SharedCounters;
import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.handle.Handle;
import io.guidepost.handle.location.HandleLocation;
import io.guidepost.handle.location.HandleLocations;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueType;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Derives a GNRS record from each handle's record, so that GNRS clients find its locators under the handle's GUID. It
 * becomes durable with the handle's record, and is deleted with it.
 *
 * <p>Locators come from the public values, in the order of their indexes:
 *
 * <pre>
 *  type        locator
 *  URL         the URL
 *  10320/loc   the URL of each of its locations
 *  INET_HOST   address and port; port 0 if there is none; host names have no locator
 *  HS_ALIAS    a link to the GUID of the other handle
 * </pre>
 *
 * The GUID is a hash of the key, see {@link #guid}. A GUID that a GNRS client has bound is left unchanged.
 */
public final class GuidDerivation implements RecordStore.Derivation {
    /** The TTL in GNRS of values without a caching time or with an absolute TTL: 0 means no expiry there. */
    private static final long TTL_SHORTEST_MILLIS = 1000;

    private final boolean caseSensitive;
    private final SharedCounters<GuidDerivationCount> counts = new SharedCounters<>(GuidDerivationCount.class);

    /** Creates it for a store with or without case-sensitive suffixes: {@link HandleRecords#caseSensitive}. */
    public GuidDerivation(boolean caseSensitive) {
        this.caseSensitive = caseSensitive;
    }

    /** Returns the counters. */
    public SharedCounters<GuidDerivationCount> counts() {
        return counts;
    }

    /**
     * Returns the GUID of a handle's key: the first 20 bytes of SHA-256 over it without the namespace. In a store that
     * folds case that is {@link Handle#guid}; in another one, handles that differ by case have different GUIDs.
     */
    public static Guid guid(byte[] key) {
        MessageDigest digest = Sha256.begin();
        digest.update(key, 1, key.length - 1);
        return Guid.of(Arrays.copyOf(digest.digest(), Guid.BYTES));
    }

    @Override
    public void derive(
            byte[] key,
            byte @Nullable [] before,
            byte @Nullable [] after,
            BiConsumer<byte[], RecordStore.Replace> also) {
        if (key[0] != Name.Namespace.HANDLE.code()) {
            return;
        }
        List<Binding> places = after == null ? List.of() : places(after);
        // Why read the old form? A record that never had a locator, as those of administrators, then costs no further
        // work.
        if (places.isEmpty() && (before == null || !mayHavePlaces(before))) {
            return;
        }
        byte[] guidKey = Name.of(guid(key)).key();
        byte[] made = places.isEmpty() ? RecordStore.Change.DELETE : RecordImage.writeDerived(guidKey, Record.ABSENT, places);
        also.accept(guidKey, (_, current, version, _) -> next(current, version, places, made));
    }

    private byte[] next(byte @Nullable [] current, long version, List<Binding> places, byte[] made) {
        if (current != null && (current[1] & RecordImage.DERIVED) == 0) {
            if (!places.isEmpty()) {
                counts.add(GuidDerivationCount.GUID_RECORDS_KEPT_FOREIGN);
            }
            return RecordStore.Change.KEEP;
        }
        if (places.isEmpty()) {
            if (current != null) {
                counts.add(GuidDerivationCount.GUID_RECORDS_REMOVED);
            }
            return RecordStore.Change.DELETE;
        }
        if (current != null && same(current, places)) {
            return RecordStore.Change.KEEP;
        }
        counts.add(GuidDerivationCount.GUID_RECORDS_WRITTEN);
        return RecordImage.withVersion(made, version);
    }

    private static boolean same(byte[] current, List<Binding> places) {
        try {
            return RecordImage.read(current).bindings().equals(places);
        } catch (Malformed e) {
            return false;
        }
    }

    private static boolean mayHavePlaces(byte[] image) {
        try {
            return StoredHandleRecord.read(image).values().stream().anyMatch(GuidDerivation::hasLocations);
        } catch (Malformed e) {
            return true;
        }
    }

    private static boolean hasLocations(HandleValue value) {
        return value.permissions().publicRead()
                && (value.is(ValueType.URL)
                        || value.is(ValueType.LOCATIONS)
                        || value.is(ValueType.INET_HOST)
                        || value.is(ValueType.HS_ALIAS));
    }

    private List<Binding> places(byte[] image) {
        try {
            return places(StoredHandleRecord.read(image));
        } catch (Malformed e) {
            counts.add(GuidDerivationCount.IGNORED_LOCATION_VALUES);
            return List.of();
        }
    }

    /** Returns the bindings of a record: each locator once, as many as fit the record of a GUID. */
    List<Binding> places(HandleRecord record) {
        Map<Locator, Binding> found = new LinkedHashMap<>();
        int room = CommonLimits.SHARED_RECORD_BYTES_MAX - RecordImage.HEADER_BYTES - Guid.BYTES;
        for (HandleValue value : record.values()) {
            if (!hasLocations(value)) {
                continue;
            }
            for (Locator each : locators(record.handle(), value)) {
                // Type and length, and the two times.
                int bytes = 4 + each.data().length + 16;
                if (found.size() == CommonLimits.LOCATORS_MAX || bytes > room) {
                    counts.add(GuidDerivationCount.OMITTED_LOCATORS);
                } else if (found.putIfAbsent(each, new Binding(each, ttlMillis(value.ttl()), 0)) == null) {
                    room -= bytes;
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static long ttlMillis(Ttl ttl) {
        return switch (ttl) {
            case Ttl.Relative(long seconds) -> Math.max(TTL_SHORTEST_MILLIS, 1000 * seconds);
            case Ttl.Until _ -> TTL_SHORTEST_MILLIS;
        };
    }

    private List<Locator> locators(Handle handle, HandleValue value) {
        try {
            if (value.is(ValueType.LOCATIONS)) {
                List<Locator> found = new ArrayList<>();
                for (HandleLocation each : HandleLocations.read(value.data(), handle).locations()) {
                    url(each.href()).ifPresent(found::add);
                }
                return found;
            }
            if (value.is(ValueType.HS_ALIAS)) {
                Handle other = Handle.parse(text(value, ValueType.HS_ALIAS));
                return List.of(Locator.of(guid(other.name(caseSensitive).key())));
            }
            if (value.is(ValueType.INET_HOST)) {
                return List.of(host(text(value, ValueType.INET_HOST).strip()));
            }
            return url(text(value, ValueType.URL)).map(List::of).orElse(List.of());
        } catch (Malformed e) {
            counts.add(GuidDerivationCount.IGNORED_LOCATION_VALUES);
            return List.of();
        }
    }

    private static String text(HandleValue value, ValueType type) throws Malformed {
        type.check(value.data());
        return new String(value.data(), StandardCharsets.UTF_8);
    }

    private Optional<Locator> url(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > CommonLimits.LOCATOR_BYTES_MAX) {
            counts.add(GuidDerivationCount.IGNORED_LOCATION_VALUES);
            return Optional.empty();
        }
        return Optional.of(new Locator(Locator.Type.URL.code(), bytes));
    }

    /**
     * Parses an address with or without a port: {@code 10.1.2.3}, {@code 10.1.2.3:80}, {@code ::1}, {@code [::1]:80}.
     */
    private static Locator host(String text) throws Malformed {
        int colon = text.indexOf(':');
        boolean portless = colon < 0 || text.endsWith("]") || !text.startsWith("[") && text.indexOf(':', colon + 1) > 0;
        String bare = colon < 0 || text.startsWith("[") ? text : "[" + text + "]";
        Locator place = Locator.parse(portless ? bare + ":0" : text);
        if (place.type() != Locator.Type.IPV4_UDP.code() && place.type() != Locator.Type.IPV6_UDP.code()) {
            throw new Malformed("'" + text + "' is not an address", 0);
        }
        return place;
    }
}
