package io.guidepost.handle.transfer;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import java.nio.file.Path;
import java.util.List;

/** One thing that a file or a table says is to be done. */
public sealed interface ImportStep {
    /** A step that changes one record. */
    sealed interface OfRecord extends ImportStep permits Put, Create, Delete, Add, Remove, Modify {
        /** Whose record. */
        Handle handle();
    }

    /** A record is to be there just so, with its times: what dumps and tables hold. */
    record Put(HandleRecord record) implements OfRecord {
        @Override
        public Handle handle() {
            return record.handle();
        }
    }

    /** A record is to be created; there must be none. */
    record Create(HandleRecord record) implements OfRecord {
        @Override
        public Handle handle() {
            return record.handle();
        }
    }

    /** A record is to be deleted. */
    record Delete(Handle handle) implements OfRecord {}

    /** Values are to be added whose indexes are new. */
    record Add(Handle handle, List<HandleValue> values) implements OfRecord {
        /** Copies the list. */
        public Add {
            values = List.copyOf(values);
        }
    }

    /** Values of these indexes are to be removed. */
    record Remove(Handle handle, List<Integer> indexes) implements OfRecord {
        /** Copies the list. */
        public Remove {
            indexes = List.copyOf(indexes);
        }
    }

    /** Values are to take the place of those with the same indexes. */
    record Modify(Handle handle, List<HandleValue> values) implements OfRecord {
        /** Copies the list. */
        public Modify {
            values = List.copyOf(values);
        }
    }

    /** The server is to be responsible for a prefix, {@code 0.NA/10.5}. */
    record Home(Handle prefixHandle) implements ImportStep {}

    /** The server is to be that no more. */
    record Unhome(Handle prefixHandle) implements ImportStep {}

    /** What follows is done by somebody with a secret key. */
    record BySecret(ValueReference who, String secret) implements ImportStep {
        /** Says nothing of the secret. */
        @Override
        public String toString() {
            return "BySecret[" + who + "]";
        }
    }

    /**
     * What follows is done by somebody with a private key.
     *
     * @param file that holds it
     * @param passphrase of the file; empty if it is not encrypted
     */
    record ByKey(ValueReference who, Path file, String passphrase) implements ImportStep {
        /** Says nothing of the passphrase. */
        @Override
        public String toString() {
            return "ByKey[" + who + ", " + file + "]";
        }
    }

    /** What follows goes in a session, or not. */
    record Session(boolean used, boolean encrypted) implements ImportStep {}
}
