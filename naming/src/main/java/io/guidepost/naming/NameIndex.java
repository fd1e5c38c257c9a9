package io.guidepost.naming;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Derives two indexes from the records of GUIDs, which become durable with them:
 *
 * <pre>
 *  key                                               there is an entry while
 *  05, text of a name in UTF-8                       the name has places
 *  06, id of a lease (16), GUID (20)                 the name has a place that the lease holds; value: its duration in ms (8)
 * </pre>
 *
 * A text is that of the record's value, or the word that the GUID is made of. An entry is written when a name gets its first
 * place, and removed with the last: other changes cost nothing. So do those of records whose text is not known. What stands there
 * follows from the record, so that no entry is read before it is written.
 */
public final class NameIndex implements RecordStore.Derivation {
    /** Where a completed index says so. */
    private static final byte[] MARK = {Name.Namespace.LEASE.code(), 'i'};

    /** Where the number stands that this server's leases begin with. */
    private static final byte[] NUMBER = {Name.Namespace.LEASE.code(), 's'};

    /** Bytes of that number. */
    private static final int NUMBER_BYTES = 4;

    private static final int LEASE_KEY_BYTES = 1 + PlaceAttributes.LEASE_BYTES + Guid.BYTES;

    private static final byte[] NOTHING = {};

    @Override
    public void derive(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
        if (key[0] != Name.Namespace.GUID.code() || !isNamed(key, before) && !isNamed(key, after)) {
            return;
        }
        if (isBare(before) && isBare(after) && isBound(before) == isBound(after)) {
            // The text is that of the GUID, if there is one, and listed or not as it was.
            return;
        }
        Optional<String> old = boundText(key, before);
        Optional<String> now = boundText(key, after);
        if (!old.equals(now)) {
            old.map(Name::textKey).ifPresent(each -> also.accept(each, RecordStore.KnownReplace.removing(each, NOTHING)));
            now.map(Name::textKey).ifPresent(each -> also.accept(each, RecordStore.KnownReplace.adding(each, NOTHING)));
        }
        Map<String, Long> heldBefore = leases(before);
        Map<String, Long> held = leases(after);
        without(heldBefore, held).forEach((id, millis) -> {
            byte[] entry = leaseKey(id, key);
            also.accept(entry, RecordStore.KnownReplace.removing(entry, bytes(millis)));
        });
        without(held, heldBefore).forEach((id, millis) -> {
            byte[] entry = leaseKey(id, key);
            also.accept(entry, RecordStore.KnownReplace.adding(entry, bytes(millis)));
        });
    }

    private static Map<String, Long> without(Map<String, Long> leases, Map<String, Long> others) {
        Map<String, Long> left = new TreeMap<>(leases);
        left.keySet().removeAll(others.keySet());
        return left;
    }

    private static byte[] add(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        return current == null ? RecordImage.writeForm(key, version, NOTHING) : RecordStore.Change.KEEP;
    }

    /** Returns whether the text of a record may be known: it has values, or its GUID begins as a word does. */
    static boolean isNamed(byte[] key, byte @Nullable [] image) {
        return image != null && ((image[1] & (RecordImage.VALUES | RecordImage.FORM)) == RecordImage.VALUES || isWord(key));
    }

    /** Returns whether a record has nothing but places: no text, and no leases. */
    private static boolean isBare(byte @Nullable [] image) {
        return image == null || (image[1] & RecordImage.VALUES) == 0;
    }

    private static boolean isBound(byte @Nullable [] image) {
        return image != null && RecordImage.bindings(MemorySegment.ofArray(image), 0) > 0;
    }

    /** Returns whether a GUID is made of a word; three bytes tell nearly all others. */
    private static boolean isWord(byte[] key) {
        return key[1] > ' '
                && (key[2] > ' ' || key[2] == 0)
                && (key[Guid.BYTES] > ' ' || key[Guid.BYTES] == 0)
                && NameForm.isWord(guid(key));
    }

    static Guid guid(byte[] key) {
        return Guid.of(Arrays.copyOfRange(key, 1, 1 + Guid.BYTES));
    }

    /** Returns the text of a record that has places; empty if it has none, or its text is not known. */
    static Optional<String> boundText(byte[] key, byte @Nullable [] image) {
        if (!isBound(image)) {
            return Optional.empty();
        }
        return NamedValues.text(values(image)).or(() -> NameForm.word(guid(key)));
    }

    private static List<Value> values(byte @Nullable [] image) {
        if (image == null || (image[1] & RecordImage.VALUES) == 0) {
            return List.of();
        }
        try {
            return RecordImage.read(image).values();
        } catch (Malformed e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Map<String, Long> leases(byte @Nullable [] image) {
        Map<String, Long> leases = new TreeMap<>();
        try {
            for (PlaceAttributes each : NamedValues.attributes(values(image)).values()) {
                if (!each.lease().isEmpty()) {
                    leases.put(each.lease(), each.leaseMillis());
                }
            }
        } catch (Malformed e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return leases;
    }

    private static byte[] leaseKey(String id, byte[] guidKey) {
        byte[] key = new byte[LEASE_KEY_BYTES];
        key[0] = Name.Namespace.LEASE.code();
        System.arraycopy(HexFormat.of().parseHex(id), 0, key, 1, PlaceAttributes.LEASE_BYTES);
        System.arraycopy(guidKey, 1, key, 1 + PlaceAttributes.LEASE_BYTES, Guid.BYTES);
        return key;
    }

    private static byte[] bytes(long millis) {
        byte[] bytes = new byte[Long.BYTES];
        Memory.longAt(bytes, 0, millis);
        return bytes;
    }

    /** Returns the lease of an entry's key, as 32 digits; empty for another key. */
    static Optional<String> lease(byte[] key) {
        return key[0] == Name.Namespace.LEASE.code() && key.length == LEASE_KEY_BYTES
                ? Optional.of(HexFormat.of().formatHex(key, 1, 1 + PlaceAttributes.LEASE_BYTES))
                : Optional.empty();
    }

    /** Returns the GUID of a lease's entry. */
    static Guid leased(byte[] key) {
        return Guid.of(Arrays.copyOfRange(key, 1 + PlaceAttributes.LEASE_BYTES, key.length));
    }

    /** Takes the places that leases hold. */
    interface LeaseVisitor {
        /** Takes one name of a lease. */
        void name(String lease, long millis, Guid guid);
    }

    /** Visits all that leases hold. */
    static void leases(RecordStore store, LeaseVisitor visitor) throws IOException {
        store.scan(new byte[] {Name.Namespace.LEASE.code()}, null, entry -> {
            byte[] key = entry.name().key();
            lease(key).ifPresent(id -> visitor.name(id, Memory.longAt(entry.values().getFirst().data(), 0), leased(key)));
            return true;
        });
    }

    /**
     * Visits the texts of names that have places, in the order of their bytes.
     *
     * @param prefix what they begin with
     * @param after the text to begin behind; empty for the first
     * @param visitor returns false to stop
     */
    static void texts(RecordStore store, String prefix, String after, Predicate<String> visitor) throws IOException {
        byte[] first = Name.textKey(prefix);
        byte[] behind = after.isEmpty() ? null : Name.textKey(after);
        store.scan(first, behind, entry -> visitor.test(Name.text(entry.name().key())));
    }

    /**
     * Scans all records once, so that names which are older than this index are listed. The store must already derive with it.
     *
     * @return number of names found, 0 if there was no need
     */
    public static long complete(RecordStore store) throws IOException {
        Name mark = name(MARK);
        if (store.get(mark).isPresent()) {
            return 0;
        }
        Semaphore underWay = new Semaphore(NamingLimits.INDEXED_UNDER_WAY_MAX);
        long[] found = new long[1];
        byte[][] last = new byte[1][];
        boolean more = true;
        while (more) {
            int[] seen = new int[1];
            byte[] from = last[0] == null ? new byte[] {Name.Namespace.GUID.code()} : last[0];
            store.images(from, (key, image) -> {
                if (key[0] != Name.Namespace.GUID.code() || seen[0]++ == NamingLimits.PAGE_MAX) {
                    return false;
                }
                last[0] = key;
                boundText(key, image).ifPresent(text -> {
                    found[0]++;
                    underWay.acquireUninterruptibly();
                    if (!store.submit(Name.textKey(text), NameIndex::add, (_, _) -> underWay.release())) {
                        underWay.release();
                        seen[0] = Integer.MIN_VALUE;
                    }
                });
                return seen[0] >= 0;
            });
            if (seen[0] < 0) {
                throw new IOException("the store is too busy: names that are older than the index are listed after the next start");
            }
            more = seen[0] > NamingLimits.PAGE_MAX;
        }
        underWay.acquireUninterruptibly(NamingLimits.INDEXED_UNDER_WAY_MAX);
        store.put(new Record(mark, Record.ABSENT, List.of(), List.of(Value.ofForm(new byte[0]))), Record.ABSENT);
        return found[0];
    }

    /**
     * Returns the 8 hexadecimal digits that this server's leases begin with, chosen at its first start: copies of records bring
     * the leases of other servers, which are not this one's to end.
     */
    static String leaseNumber(RecordStore store, RandomGenerator random) throws IOException {
        Name name = name(NUMBER);
        Optional<Record> found = store.get(name);
        if (found.isPresent()) {
            return HexFormat.of().formatHex(found.get().values().getFirst().data());
        }
        byte[] number = new byte[NUMBER_BYTES];
        random.nextBytes(number);
        store.put(new Record(name, Record.ABSENT, List.of(), List.of(Value.ofForm(number))), Record.ABSENT);
        return HexFormat.of().formatHex(number);
    }

    private static Name name(byte[] key) {
        try {
            return Name.ofKey(key);
        } catch (Malformed e) {
            throw new AssertionError("a mark is a key", e);
        }
    }
}
