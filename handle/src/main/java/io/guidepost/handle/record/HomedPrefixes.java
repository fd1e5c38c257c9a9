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
 * The prefixes that this server is responsible for: kept in the store, one small record each under
 * {@link Name.Namespace#HANDLE_STATE}, and all in memory for those who ask. Thread-safe; looking takes no lock.
 */
public final class HomedPrefixes {
    private static final byte KIND = 'h';

    private final RecordStore store;
    private volatile NavigableSet<String> prefixes;

    /**
     * Reads them from a store.
     *
     * @throws IOException if it cannot be read
     */
    public HomedPrefixes(RecordStore store) throws IOException {
        this.store = store;
        NavigableSet<String> read = new TreeSet<>();
        store.scan(new byte[] {Name.Namespace.HANDLE_STATE.code(), KIND}, null, record -> {
            byte[] key = record.name().key();
            read.add(new String(key, 2, key.length - 2, StandardCharsets.UTF_8));
            return true;
        });
        this.prefixes = Collections.unmodifiableNavigableSet(read);
    }

    /** All of them, folded, in order: {@code 0.NA/10.5}. Immutable. */
    public NavigableSet<String> all() {
        return prefixes;
    }

    /** Whether this server is responsible for a handle: the prefix handle of its prefix is at home here. */
    public boolean has(Handle handle) {
        return prefixes.contains(new String(handle.prefixHandle().bytes(), StandardCharsets.UTF_8));
    }

    /**
     * Takes a prefix as its own, and returns when that is durable.
     *
     * @param prefixHandle such as {@code 0.NA/10.5}
     * @return false if it was already
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
     * Gives a prefix up, and returns when that is durable. Its records stay.
     *
     * @return false if it was not its own
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
