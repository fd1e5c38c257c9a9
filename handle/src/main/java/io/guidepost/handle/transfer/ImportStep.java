package io.guidepost.handle.transfer;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import java.nio.file.Path;
import java.util.List;

/** A step of an import. */
public sealed interface ImportStep {
    /** A step that changes one record. */
    sealed interface OfRecord extends ImportStep permits Put, Create, Delete, Add, Remove, Modify {
        /** Returns the handle of the record. */
        Handle handle();
    }

    /** Writes a record unchanged, times included: what dumps and tables hold. */
    record Put(HandleRecord record) implements OfRecord {
        @Override
        public Handle handle() {
            return record.handle();
        }
    }

    /** Creates a record, which must not exist. */
    record Create(HandleRecord record) implements OfRecord {
        @Override
        public Handle handle() {
            return record.handle();
        }
    }

    /** Deletes a record. */
    record Delete(Handle handle) implements OfRecord {}

    /** Adds values with new indexes. */
    record Add(Handle handle, List<HandleValue> values) implements OfRecord {
        /** Copies the list. */
        public Add {
            values = List.copyOf(values);
        }
    }

    /** Removes the values with these indexes. */
    record Remove(Handle handle, List<Integer> indexes) implements OfRecord {
        /** Copies the list. */
        public Remove {
            indexes = List.copyOf(indexes);
        }
    }

    /** Replaces the values with the same indexes. */
    record Modify(Handle handle, List<HandleValue> values) implements OfRecord {
        /** Copies the list. */
        public Modify {
            values = List.copyOf(values);
        }
    }

    /** Makes the server responsible for a prefix, {@code 0.NA/10.5}. */
    record Home(Handle prefixHandle) implements ImportStep {}

    /** Ends the responsibility for a prefix. */
    record Unhome(Handle prefixHandle) implements ImportStep {}

    /** Runs the following steps as the holder of a secret key. */
    record BySecret(ValueReference who, String secret) implements ImportStep {
        /** Returns the identity, but no secret. */
        @Override
        public String toString() {
            return "BySecret[" + who + "]";
        }
    }

    /**
     * Runs the following steps as the holder of a private key.
     *
     * @param file with the key
     * @param passphrase of the file; empty if it is not encrypted
     */
    record ByKey(ValueReference who, Path file, String passphrase) implements ImportStep {
        /** Returns identity and file, but no passphrase. */
        @Override
        public String toString() {
            return "ByKey[" + who + ", " + file + "]";
        }
    }

    /** Runs the following steps in a session, or without one. */
    record Session(boolean used, boolean encrypted) implements ImportStep {}
}
