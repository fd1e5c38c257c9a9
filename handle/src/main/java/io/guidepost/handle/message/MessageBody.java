package io.guidepost.handle.message;

import io.guidepost.handle.Handle;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.util.Arrays;
import java.util.List;

/**
 * What a message is about (RFC 3652 section 3), one record for each layout. Texts and bytes stand behind a 32-bit length,
 * lists behind a 32-bit count. What follows a body that is complete is ignored: newer versions may say more, and all
 * existing clients put two zero bytes behind a session setup.
 *
 * <pre>
 *  Empty            -
 *  Named            handle
 *  Resolve          handle, list of indexes, list of types (text)
 *  Values           handle, list of values, see HandleValue
 *  Indexes          handle, list of indexes
 *  Handles          list of handles
 *  Site             site record, see SiteRecord; no length
 *  Answer           kind of key (text), handle, index, bytes
 *  Verify           handle, index, nonce, digest of the request (no algorithm), answer
 *  Verified         1 byte: 1 right, 0 wrong
 *  Setup            mode 16, timeout 32 (s), handle, index; modes 1, 4: key record; mode 3: handle, index; 2 zero bytes
 *  SetupReply       mode 16, bytes; 2 zero bytes
 *  Key              bytes
 *  Transactions     position; what is received for 8, number of servers 32, number of this one 32
 *                   position: transaction 64, date 64; from 2.9 on a byte 0 before it, or a byte 1 and text
 *  Dump             what is received for 8, number of servers 32, number of this one 32; if it goes on: handle, type 32
 *  Following        kind of the positions in the stream that follows, 8: 0 number and time
 *  Text             text
 *  Challenge        nonce
 *  OldChallenge     nonce, MD5 of the request: 2.0 only
 *  Referral         handle, then nothing or a list of values
 * </pre>
 */
public sealed interface MessageBody extends WireRecord {
    /** Nothing. */
    record Empty() implements MessageBody {
        @Override
        public void write(WireWriter out) {}
    }

    /** A handle alone: what is to be deleted, listed, homed; what was made. */
    record Named(Handle handle) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.handle(handle);
        }
    }

    /**
     * Which values of a handle are wanted; all if there are neither indexes nor types.
     *
     * @param handle whose
     * @param indexes those of these numbers
     * @param types and those of these types, see {@link io.guidepost.handle.value.ValueType#matches}
     */
    record Resolve(Handle handle, List<Integer> indexes, List<String> types) implements MessageBody {
        /** Copies the lists. */
        public Resolve {
            indexes = List.copyOf(indexes);
            types = List.copyOf(types);
        }

        @Override
        public void write(WireWriter out) {
            out.handle(handle).integers(indexes).list(types, (each, to) -> to.text(each));
        }
    }

    /** A handle and values of it: found, to be created, added or changed. */
    record Values(Handle handle, List<HandleValue> values) implements MessageBody {
        /** Copies the list. */
        public Values {
            values = List.copyOf(values);
        }

        @Override
        public void write(WireWriter out) {
            out.handle(handle).list(values, HandleValue::write);
        }
    }

    /** A handle and the numbers of values to be removed. */
    record Indexes(Handle handle, List<Integer> indexes) implements MessageBody {
        /** Copies the list. */
        public Indexes {
            indexes = List.copyOf(indexes);
        }

        @Override
        public void write(WireWriter out) {
            out.handle(handle).integers(indexes);
        }
    }

    /** Handles, one part of a list of them. */
    record Handles(List<Handle> handles) implements MessageBody {
        /** Copies the list. */
        public Handles {
            handles = List.copyOf(handles);
        }

        @Override
        public void write(WireWriter out) {
            out.list(handles, (each, to) -> to.handle(each));
        }
    }

    /** The site of the server. */
    record Site(SiteRecord site) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            site.write(out);
        }
    }

    /**
     * Who somebody is, and the proof.
     *
     * @param keyType type of the value that holds the key: HS_PUBKEY or HS_SECKEY
     * @param who the value that holds the key
     * @param answer the proof, see package authentication; treated as immutable
     */
    record Answer(String keyType, ValueReference who, byte[] answer) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.text(keyType);
            who.write(out);
            out.bytes(answer);
        }

        @Override
        public boolean equals(Object other) {
            return same(this, other);
        }

        @Override
        public int hashCode() {
            return who.hashCode();
        }
    }

    /**
     * A proof that another server received, and what it is of.
     *
     * @param key the value that holds the secret key
     * @param nonce of the challenge; treated as immutable
     * @param digest of the request; treated as immutable
     * @param answer the proof; treated as immutable
     */
    record Verify(ValueReference key, byte[] nonce, byte[] digest, byte[] answer) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            key.write(out);
            out.bytes(nonce).bytes(digest).bytes(answer);
        }

        @Override
        public boolean equals(Object other) {
            return same(this, other);
        }

        @Override
        public int hashCode() {
            return key.hashCode();
        }
    }

    /** Whether a proof is right. */
    record Verified(boolean right) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.u8(right ? 1 : 0);
        }
    }

    /**
     * Begins a session.
     *
     * @param exchange how its key is agreed on
     * @param timeoutSeconds how long it is to live; 32 bits
     * @param who the client says they are; {@link ValueReference#ANONYMOUS} for nobody
     */
    record Setup(KeyExchange exchange, int timeoutSeconds, ValueReference who) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.u16(exchange.mode()).u32(timeoutSeconds);
            who.write(out);
            exchange.write(out);
            out.u16(0);
        }
    }

    /**
     * The server's part in the exchange of a key.
     *
     * @param mode that of the setup, 0 to 65535
     * @param data its part, whose layout is the mode's; treated as immutable
     */
    record SetupReply(int mode, byte[] data) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.u16(mode).bytes(data).u16(0);
        }

        @Override
        public boolean equals(Object other) {
            return same(this, other);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(data);
        }
    }

    /** The session's key, encrypted with the server's; treated as immutable. */
    record Key(byte[] encrypted) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.bytes(encrypted);
        }

        @Override
        public boolean equals(Object other) {
            return same(this, other);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(encrypted);
        }
    }

    /**
     * A mirror asks for what changed.
     *
     * @param position up to where it knows
     * @param receiver for which handles it asks
     */
    record Transactions(ReplicationPosition position, MirrorPartition receiver) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            position.write(out);
            receiver.write(out);
        }
    }

    /**
     * A mirror asks for everything.
     *
     * @param receiver for which handles it asks
     * @param from where to go on, handle and kind of record; empty = from the start, else one
     */
    record Dump(MirrorPartition receiver, List<ValueReference> from) implements MessageBody {
        /** Copies the list, and refuses a second start. */
        public Dump {
            from = List.copyOf(from);
            if (from.size() > 1) {
                throw new IllegalArgumentException("a dump starts at one place, not at " + from.size());
            }
        }

        @Override
        public void write(WireWriter out) {
            receiver.write(out);
            from.forEach(each -> each.write(out));
        }
    }

    /** Transactions follow the message, with positions of a kind. */
    record Following(int kind) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.u8(kind);
        }
    }

    /** What went wrong, for people. */
    record Text(String text) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.text(text);
        }
    }

    /** Asks who somebody is: bytes that were never used before; treated as immutable. */
    record Challenge(byte[] nonce) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.bytes(nonce);
        }

        @Override
        public boolean equals(Object other) {
            return same(this, other);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(nonce);
        }
    }

    /** The same in 2.0, with the digest of the request behind it; both treated as immutable. */
    record OldChallenge(byte[] nonce, byte[] digest) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.bytes(nonce).bytes(digest);
        }

        @Override
        public boolean equals(Object other) {
            return same(this, other);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(nonce);
        }
    }

    /**
     * Who is to be asked instead.
     *
     * @param handle the record that says it; none if the values do
     * @param values the sites, if they are said
     */
    record Referral(Handle handle, List<HandleValue> values) implements MessageBody {
        /** Copies the list. */
        public Referral {
            values = List.copyOf(values);
        }

        @Override
        public void write(WireWriter out) {
            out.handle(handle);
            if (!values.isEmpty()) {
                out.list(values, HandleValue::write);
            }
        }
    }

    private static boolean same(MessageBody body, Object other) {
        return body.getClass().isInstance(other) && Arrays.equals(body.write(), ((MessageBody) other).write());
    }
}
