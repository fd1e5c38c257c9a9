package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.io.IOException;

/**
 * A change at a server.
 *
 * <pre>
 *  offset size
 *     0     8  number
 *     8   4+n  handle
 *     .     1  action: 1 create, 2 delete, 3 update, 4 home, 5 unhome
 *     .     8  date, milliseconds since 1970
 * </pre>
 *
 * @param id its number at its server; numbers grow, with gaps
 * @param handle that was changed; a prefix handle for {@link Action#HOME} and {@link Action#UNHOME}
 * @param action the kind of change
 * @param dateMillis its time, milliseconds since 1970 by the clock of the server that made it first
 */
record Transaction(long id, Handle handle, Action action, long dateMillis) implements WireRecord {
    /** Kinds of changes, in the order of the numbers on the wire, from 1. */
    public enum Action {
        /** The handle was created. */
        CREATE,
        /** The handle was deleted. */
        DELETE,
        /** Its values changed. */
        UPDATE,
        /** The server became responsible for a prefix. */
        HOME,
        /** The server ended its responsibility for a prefix. */
        UNHOME;

        /** Returns its number on the wire. */
        @SuppressWarnings("EnumOrdinal") // The order of the constants is the order of their numbers.
        public int code() {
            return ordinal() + 1;
        }

        /** Returns whether the values of the handle follow in a stream. */
        public boolean hasValues() {
            return this == CREATE || this == UPDATE;
        }

        /** Returns whether it changes a prefix and not a record. */
        public boolean isOfPrefix() {
            return this == HOME || this == UNHOME;
        }

        static Action ofCode(int code, long at) throws Malformed {
            if (code < 1 || code > values().length) {
                throw new Malformed("the action of a transaction is 1 to " + values().length + ", not " + code, at);
            }
            return values()[code - 1];
        }
    }

    /** Reads one from a stream, and leaves the bytes after it. */
    static Transaction readPrefix(ReplicationStreamReader in) throws IOException, Malformed {
        long id = in.u64();
        Handle handle = in.handle();
        long at = in.position();
        return new Transaction(id, handle, Action.ofCode(in.u8(), at), in.u64());
    }

    @Override
    public void write(WireWriter out) {
        out.u64(id).handle(handle).u8(action.code()).u64(dateMillis);
    }
}
