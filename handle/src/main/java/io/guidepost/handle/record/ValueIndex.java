package io.guidepost.handle.record;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueType;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index: from public values of some types to the handles that have them. In the store with the records, and
 * durable with them.
 *
 * <pre>
 *  key of an entry                                        key of the mark
 *   0  1  namespace HANDLE_STATE                            0  1  namespace HANDLE_STATE
 *   1  1  kind, 'v'                                         1  1  kind, 'v'
 *   2 16  first bytes of SHA-256 of type, 0, value          2  1  0
 *  18  .  the handle, folded, as in its own key
 * </pre>
 *
 * The type is in upper case. A search checks each entry against the record, so that hash collisions and stale entries
 * give no wrong results. The mark holds the types that were indexed at the last full scan. Handles too long for a key
 * of this kind, by 17 bytes, are not indexed. Thread-safe.
 */
public final class ValueIndex implements RecordStore.Derivation {
    private static final byte KIND = 'v';
    private static final int HASH_BYTES = 16;
    private static final int HEAD_BYTES = 2 + HASH_BYTES;
    private static final byte[] NO_KEY = {Name.Namespace.HANDLE.code()};
    private static final byte[] MARK = {Name.Namespace.HANDLE_STATE.code(), KIND, 0};

    /** Writes in flight of a rebuild: few enough to leave room in the store's queue. */
    private static final int UNDER_WAY_MAX = 1024;

    private static final byte[] NOTHING = {};

    private final Set<String> types;

    /** Creates an index of the values of types, ignoring case; usually URL and EMAIL. */
    public ValueIndex(Set<String> types) {
        this.types = types.stream()
                .map(each -> each.toUpperCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the types that are indexed, in upper case, in order. */
    public Set<String> types() {
        return Set.copyOf(types);
    }

    /** Returns whether values of a type are indexed. */
    public boolean has(String type) {
        return types.contains(type.toUpperCase(Locale.ROOT));
    }

    @Override
    public void derive(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
        if (types.isEmpty() || key[0] != Name.Namespace.HANDLE.code()) {
            return;
        }
        List<byte[]> old = before == null ? List.of() : entries(key, before);
        List<byte[]> now = after == null ? List.of() : entries(key, after);
        old.stream()
                .filter(each -> !contains(now, each))
                .forEach(each -> also.accept(each, RecordStore.KnownReplace.removing(each, NOTHING)));
        now.stream()
                .filter(each -> !contains(old, each))
                .forEach(each -> also.accept(each, RecordStore.KnownReplace.adding(each, NOTHING)));
    }

    private static boolean contains(List<byte[]> entries, byte[] wanted) {
        return entries.stream().anyMatch(each -> Arrays.equals(each, wanted));
    }

    private static byte[] add(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
        return current == null ? RecordImage.writeForm(key, version, NOTHING) : RecordStore.Change.KEEP;
    }

    /** Returns the keys of the entries of a record. */
    private List<byte[]> entries(byte[] key, byte[] image) {
        if (HEAD_BYTES + key.length - 1 > 1 + CommonLimits.NAME_BYTES_MAX
                || (RecordImage.flags(MemorySegment.ofArray(image), 0) & RecordImage.FORM) == 0) {
            return List.of();
        }
        List<byte[]> entries = new ArrayList<>();
        try {
            for (HandleValue each : StoredHandleRecord.read(image).values()) {
                if (each.permissions().publicRead() && has(each.type())) {
                    byte[] entry = entry(head(each.type(), each.data()), key);
                    if (!contains(entries, entry)) {
                        entries.add(entry);
                    }
                }
            }
        } catch (Malformed e) {
            // A damaged record has no index entries; reading it gives the error.
            return List.of();
        }
        return entries;
    }

    private static byte[] head(String type, byte[] value) {
        MessageDigest digest = Sha256.begin();
        digest.update(type.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        byte[] head = new byte[HEAD_BYTES];
        head[0] = Name.Namespace.HANDLE_STATE.code();
        head[1] = KIND;
        System.arraycopy(digest.digest(value), 0, head, 2, HASH_BYTES);
        return head;
    }

    /**
     * Visits the handles that have a value, in the order of their folded names, in their creators' spelling.
     *
     * @param records the records to check
     * @param value its text; compared byte for byte
     * @param after the handle to resume after, or null to begin at the first
     * @param visitor false ends the visit
     * @throws IOException if the disk cannot be read
     */
    public void find(HandleRecords records, String type, String value, @Nullable Handle after, Predicate<Handle> visitor)
            throws IOException {
        byte[] data = value.getBytes(StandardCharsets.UTF_8);
        byte[] head = head(type, data);
        byte[] behind = after == null ? head : entry(head, records.key(after).map(Name::key).orElse(NO_KEY));
        ImageScan.visit(records.store(), behind, head, (key, _) -> {
            Handle handle = Handle.of(new String(key, HEAD_BYTES, key.length - HEAD_BYTES, StandardCharsets.UTF_8));
            Optional<HandleRecord> record = records.find(handle);
            return record.isEmpty() || !holds(record.get(), type, data) || visitor.test(record.get().handle());
        });
    }

    private static byte[] entry(byte[] head, byte[] key) {
        byte[] entry = Arrays.copyOf(head, HEAD_BYTES + key.length - 1);
        System.arraycopy(key, 1, entry, HEAD_BYTES, key.length - 1);
        return entry;
    }

    private static boolean holds(HandleRecord record, String type, byte[] data) {
        return record.values().stream()
                .anyMatch(each -> each.permissions().publicRead()
                        && ValueType.same(type, each.type())
                        && Arrays.equals(data, each.data()));
    }

    /**
     * Scans the whole store, unless that was done for the same types, so that records older than the index are found.
     * The store must already derive with this index. Takes about a second for a hundred thousand records, with changes
     * and searches going on.
     *
     * @return number of records scanned, 0 if there was no need
     * @throws IOException if the store refuses; the next call tries again
     */
    public long complete(RecordStore store) throws IOException {
        byte[] wanted = String.join("\n", types).getBytes(StandardCharsets.UTF_8);
        Name mark = name(MARK);
        Optional<Record> found = store.get(mark);
        if (found.isPresent() && Arrays.equals(found.get().values().getFirst().data(), wanted)) {
            return 0;
        }
        long records = indexAll(store);
        store.put(
                new Record(mark, Record.ABSENT, List.of(), List.of(Value.ofForm(wanted))),
                found.map(Record::version).orElse(Record.ABSENT));
        return records;
    }

    private static Name name(byte[] key) {
        try {
            return Name.ofKey(key);
        } catch (Malformed e) {
            throw new AssertionError("a mark is a key", e);
        }
    }

    private long indexAll(RecordStore store) throws IOException {
        byte[] all = {Name.Namespace.HANDLE.code()};
        PipelinedWrites writes = new PipelinedWrites(store, UNDER_WAY_MAX);
        long[] records = new long[1];
        ImageScan.visit(store, all, all, (key, image) -> {
            records[0]++;
            for (byte[] each : entries(key, image)) {
                writes.submit(each, ValueIndex::add);
            }
            return true;
        });
        writes.settle();
        return records[0];
    }
}
