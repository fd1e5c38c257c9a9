package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Checkpoints of imports, in the store next to the imported records: one small record for each source, under the door's
 * own keys of kind {@code i}, followed by the first 16 bytes of SHA-256 of the source's identity.
 */
final class ImportCheckpoints {
    private static final byte KIND = 'i';
    private static final int DIGEST_BYTES = 16;

    private final RecordStore store;

    ImportCheckpoints(RecordStore store) {
        this.store = store;
    }

    /** Returns the position of a source's checkpoint; 0 if there is none. */
    long get(String identity) throws IOException {
        Optional<Record> note = store.get(name(identity));
        if (note.isEmpty() || note.get().values().isEmpty()) {
            return 0;
        }
        byte[] bytes = note.get().values().getFirst().data();
        return bytes.length == Long.BYTES ? ByteBuffer.wrap(bytes).getLong() : 0;
    }

    void put(String identity, long count) throws IOException {
        Name name = name(identity);
        long version = store.get(name).map(Record::version).orElse(Record.ABSENT);
        Value value = Value.ofForm(ByteBuffer.allocate(Long.BYTES).putLong(count).array());
        if (store.put(new Record(name, Record.ABSENT, List.of(), List.of(value)), version).isEmpty()) {
            throw new IOException("two imports of the same source run at a time");
        }
    }

    void remove(String identity) throws IOException {
        store.delete(name(identity));
    }

    private static Name name(String identity) {
        try {
            byte[] digest = Sha256.of(identity.getBytes(StandardCharsets.UTF_8));
            byte[] key = new byte[2 + DIGEST_BYTES];
            key[0] = Name.Namespace.HANDLE_STATE.code();
            key[1] = KIND;
            System.arraycopy(digest, 0, key, 2, DIGEST_BYTES);
            return Name.ofKey(key);
        } catch (Malformed e) {
            throw new AssertionError("a digest is no name", e);
        }
    }
}
