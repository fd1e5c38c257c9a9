package io.guidepost.handle.record;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The homed prefixes: those that this server is responsible for. Each is a small record under
 * {@link Name.Namespace#HANDLE_STATE}, and all are in memory. Thread-safe; reading takes no lock.
 */
public final class HomedPrefixes {
    /** What is said while they could not be read. */
    public static final String UNREAD = "the prefixes of this server could not be read yet";

    private static final byte KIND = 'h';

    private static final NavigableSet<String> NONE_READ = Collections.unmodifiableNavigableSet(new TreeSet<>());

    private final RecordStore store;
    private volatile NavigableSet<String> prefixes;

    /**
     * Reads them from a store.
     *
     * @throws IOException if the disk cannot be read
     */
    public HomedPrefixes(RecordStore store) throws IOException {
        this(store, read(store));
    }

    private HomedPrefixes(RecordStore store, NavigableSet<String> prefixes) {
        this.store = store;
        this.prefixes = prefixes;
    }

    /** Creates them over a store that may not answer yet: none until {@link #reread} has read them. */
    public static HomedPrefixes unread(RecordStore store) {
        return new HomedPrefixes(store, NONE_READ);
    }

    /** Returns whether they have been read: if not, each prefix may be homed here. */
    @SuppressWarnings("ReferenceEquality") // A set that was read is another object.
    public boolean isRead() {
        return prefixes != NONE_READ;
    }

    /**
     * Reads them again: other servers of a cluster may have changed them.
     *
     * @throws IOException if the cluster does not answer
     */
    public synchronized void reread() throws IOException {
        prefixes = read(store);
    }

    private static NavigableSet<String> read(RecordStore store) throws IOException {
        NavigableSet<String> read = new TreeSet<>();
        store.scan(new byte[] {Name.Namespace.HANDLE_STATE.code(), KIND}, null, record -> {
            byte[] key = record.name().key();
            read.add(new String(key, 2, key.length - 2, StandardCharsets.UTF_8));
            return true;
        });
        return Collections.unmodifiableNavigableSet(read);
    }

    /** Returns all of them, folded, in order: {@code 0.NA/10.5}. Immutable. */
    public NavigableSet<String> all() {
        return prefixes;
    }

    /** Returns whether this server is responsible for a handle: the prefix handle of its prefix is homed here. */
    public boolean has(Handle handle) {
        return prefixes.contains(new String(handle.prefixHandle().bytes(), StandardCharsets.UTF_8));
    }

    /**
     * Homes a prefix, and returns when that is durable.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     * @return false if it was homed already
     */
    public synchronized boolean home(Handle prefixHandle) throws IOException {
        String folded = folded(prefixHandle);
        if (prefixes.contains(folded)) {
            return false;
        }
        Value mark = Value.ofForm(new byte[0]);
        store.put(new Record(name(folded), Record.ABSENT, List.of(), List.of(mark)), Record.ABSENT);
        NavigableSet<String> more = new TreeSet<>(prefixes);
        more.add(folded);
        prefixes = Collections.unmodifiableNavigableSet(more);
        return true;
    }

    /**
     * Ends the responsibility for a prefix, and returns when that is durable. Its records stay.
     *
     * @return false if it was not homed
     */
    public synchronized boolean unhome(Handle prefixHandle) throws IOException {
        String folded = folded(prefixHandle);
        if (!prefixes.contains(folded)) {
            return false;
        }
        store.delete(name(folded));
        NavigableSet<String> fewer = new TreeSet<>(prefixes);
        fewer.remove(folded);
        prefixes = Collections.unmodifiableNavigableSet(fewer);
        return true;
    }

    private static String folded(Handle prefixHandle) {
        return new String(prefixHandle.folded(), StandardCharsets.UTF_8);
    }

    private static Name name(String folded) {
        byte[] text = folded.getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[2 + text.length];
        key[0] = Name.Namespace.HANDLE_STATE.code();
        key[1] = KIND;
        System.arraycopy(text, 0, key, 2, text.length);
        try {
            return Name.ofKey(key);
        } catch (Malformed e) {
            throw new IllegalArgumentException(folded + " is too long for a prefix", e);
        }
    }
}
