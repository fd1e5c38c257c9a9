package io.guidepost.handle.message;

import io.guidepost.handle.Handle;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.util.List;

/**
 * The body of a message (RFC 3652 section 3), one record for each layout. Texts and bytes stand behind a 32-bit length,
 * lists behind a 32-bit count. Bytes after a complete body are ignored: newer versions may add fields, and all existing
 * clients append two zero bytes to a session setup.
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
 *  Transactions     position; partition: hash 8, number of servers 32, number of this one 32
 *                   position: transaction 64, date 64; from 2.9 on a byte 0 before it, or a byte 1 and text
 *  Dump             partition: hash 8, number of servers 32, number of this one 32; to resume: handle, type 32
 *  Following        kind of the positions in the following stream, 8: 0 number and time
 *  Text             text
 *  Challenge        nonce
 *  OldChallenge     nonce, MD5 of the request: 2.0 only
 *  Referral         handle, then nothing or a list of values
 * </pre>
 */
@SuppressWarnings("ArrayRecordComponent") // Bodies are written and read, never compared.
public sealed interface MessageBody extends WireRecord {
    /** Nothing. */
    record Empty() implements MessageBody {
        @Override
        public void write(WireWriter out) {}
    }

    /** A handle alone: to delete, list or home; or the handle that was created. */
    record Named(Handle handle) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.handle(handle);
        }
    }

    /**
     * The values of a handle that the client wants; all if there are neither indexes nor types.
     *
     * @param handle to resolve
     * @param indexes of the values
     * @param types of the values, see {@link io.guidepost.handle.value.ValueType#matches}
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

    /** A handle and values of it: found, or to be created, added or changed. */
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

    /** A handle and the indexes of values to remove. */
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

    /** One part of a list of handles. */
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
     * The response to a challenge: an identity and the proof.
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
    }

    /**
     * A proof that another server received and asks this one to verify.
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
    }

    /** The result of verifying a proof. */
    record Verified(boolean right) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.u8(right ? 1 : 0);
        }
    }

    /**
     * Begins a session.
     *
     * @param exchange how the parties agree on its key
     * @param timeoutSeconds lifetime that the client asks for; 32 bits
     * @param who the identity that the client claims; {@link ValueReference#ANONYMOUS} if none
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
     * The server's part of a key exchange.
     *
     * @param mode that of the setup, 0 to 65535
     * @param data its part, whose layout is the mode's; treated as immutable
     */
    record SetupReply(int mode, byte[] data) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.u16(mode).bytes(data).u16(0);
        }
    }

    /** The session's key, encrypted with the server's; treated as immutable. */
    record Key(byte[] encrypted) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.bytes(encrypted);
        }
    }

    /**
     * A mirror's request for changes.
     *
     * @param position up to which it has the changes
     * @param receiver the handles that it asks for
     */
    record Transactions(ReplicationPosition position, MirrorPartition receiver) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            position.write(out);
            receiver.write(out);
        }
    }

    /**
     * A mirror's request for all records.
     *
     * @param receiver the handles that it asks for
     * @param from where to resume, handle and kind of record; empty = from the start, else one
     */
    record Dump(MirrorPartition receiver, List<ValueReference> from) implements MessageBody {
        /** Copies the list, and refuses a second position. */
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

    /** Announces that transactions follow the message, with positions of a kind. */
    record Following(int kind) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.u8(kind);
        }
    }

    /** An error text, for people. */
    record Text(String text) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.text(text);
        }
    }

    /** A challenge: a fresh nonce; treated as immutable. */
    record Challenge(byte[] nonce) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.bytes(nonce);
        }
    }

    /** The same in 2.0, with the digest of the request behind it; both treated as immutable. */
    record OldChallenge(byte[] nonce, byte[] digest) implements MessageBody {
        @Override
        public void write(WireWriter out) {
            out.bytes(nonce).bytes(digest);
        }
    }

    /**
     * A referral to other servers.
     *
     * @param handle the record with the sites; none if the values hold them
     * @param values the sites, if the message holds them
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
}
