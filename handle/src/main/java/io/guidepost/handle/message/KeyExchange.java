package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.ValueReference;

/** The key agreement of a session (RFC 3652 section 3.6.1), and the client's part in it. */
public sealed interface KeyExchange extends WireRecord {
    /**
     * The server generates the key and encrypts it with the client's RSA key.
     *
     * @param publicKey record of the client's key; treated as immutable
     */
    record ClientKey(byte[] publicKey) implements KeyExchange {
        static final int MODE = 1;

        @Override
        public void write(WireWriter out) {
            out.bytes(publicKey);
        }
    }

    /** The client will generate the key and encrypt it with the server's RSA key, see {@link MessageBody.Key}. */
    record ServerKey() implements KeyExchange {
        static final int MODE = 2;

        @Override
        public void write(WireWriter out) {}
    }

    /**
     * The server generates the key and encrypts it with an RSA key from a handle's record.
     *
     * @param key reference to it
     */
    record ReferredKey(ValueReference key) implements KeyExchange {
        static final int MODE = 3;

        @Override
        public void write(WireWriter out) {
            key.write(out);
        }
    }

    /**
     * Ephemeral Diffie-Hellman: both parties contribute.
     *
     * @param publicKey record of the client's part and the group; treated as immutable
     */
    record DiffieHellman(byte[] publicKey) implements KeyExchange {
        static final int MODE = 4;

        @Override
        public void write(WireWriter out) {
            out.bytes(publicKey);
        }
    }

    /** Returns its number on the wire. */
    default int mode() {
        return switch (this) {
            case ClientKey _ -> ClientKey.MODE;
            case ServerKey _ -> ServerKey.MODE;
            case ReferredKey _ -> ReferredKey.MODE;
            case DiffieHellman _ -> DiffieHellman.MODE;
        };
    }

    /** Reads the client's part of an exchange of a mode, which was read at an offset. */
    static KeyExchange readPrefix(int mode, int at, WireReader in) throws Malformed {
        return switch (mode) {
            case ClientKey.MODE -> new ClientKey(in.bytes(HandleLimits.KEY_RECORD_BYTES_MAX));
            case ServerKey.MODE -> new ServerKey();
            case ReferredKey.MODE -> new ReferredKey(ValueReference.readPrefix(in));
            case DiffieHellman.MODE -> new DiffieHellman(in.bytes(HandleLimits.KEY_RECORD_BYTES_MAX));
            default -> throw new Malformed("the mode of a key exchange is 1 to 4, not " + mode, at);
        };
    }
}
