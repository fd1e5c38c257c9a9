package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.names.Name;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The keys of replication's state in the store, next to the records.
 *
 * <pre>
 *  03 't' id 64           a transaction, in the order of their numbers
 *  03 'r' 'p' name        the checkpoint of a mirror
 *  03 'r' 'd' GUID        the time of a handle's last change, with several primaries
 *  03 'h' handle          a homed prefix, see record.Homes
 * </pre>
 */
final class ReplicationKeys {
    private static final byte SPACE = Name.Namespace.HANDLE_STATE.code();
    private static final byte TRANSACTION = 't';
    private static final byte HOME = 'h';

    /** The first bytes of all transactions' keys. */
    static final byte[] TRANSACTIONS = {SPACE, TRANSACTION};

    private ReplicationKeys() {}

    static byte[] transaction(long id) {
        return ByteBuffer.allocate(10).put(TRANSACTIONS).putLong(id).array();
    }

    static boolean isTransaction(byte[] key) {
        return key.length == 10 && key[0] == SPACE && key[1] == TRANSACTION;
    }

    static long id(byte[] key) {
        return ByteBuffer.wrap(key).getLong(2);
    }

    static boolean isHome(byte[] key) {
        return key[0] == SPACE && key[1] == HOME;
    }

    static byte[] position(String source) {
        byte[] name = source.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(3 + name.length).put(SPACE).put((byte) 'r').put((byte) 'p').put(name).array();
    }

    static byte[] date(Handle handle) {
        byte[] guid = handle.guid().toBytes();
        return ByteBuffer.allocate(3 + guid.length).put(SPACE).put((byte) 'r').put((byte) 'd').put(guid).array();
    }
}
