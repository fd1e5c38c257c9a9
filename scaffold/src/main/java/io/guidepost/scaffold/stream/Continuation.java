package io.guidepost.scaffold.stream;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream stands, for another instance of its object: the client carries it, and can neither read nor change it, as it has
 * not the key that the instances share. An older one than the client's last is possible: it brings back no more than that client's
 * own past.
 *
 * <pre>
 *   0          12                                               end - 16
 *  | nonce 12 | AES-GCM of: taken 8 | sent 8 | the program's state | tag 16
 * </pre>
 *
 * <p>Object and client are authenticated with it.
 *
 * @param taken bytes of the client that the program has taken
 * @param sent bytes that it has sent by then
 * @param state what the program keeps for itself
 */
record Continuation(long taken, long sent, byte[] state) {
    static final int KEY_BYTES = 32;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    static final int BYTES_LEAST = NONCE_BYTES + 2 * Long.BYTES + TAG_BYTES;
    static final int STATE_BYTES_MAX = ScaffoldLimits.CONTINUATION_BYTES_MAX - BYTES_LEAST;

    byte[] seal(byte[] key, Guid object, Guid client, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] open = ByteBuffer.allocate(2 * Long.BYTES + state.length).putLong(taken).putLong(sent).put(state).array();
        try {
            byte[] hidden = cipher(Cipher.ENCRYPT_MODE, key, nonce, object, client).doFinal(open);
            return ByteBuffer.allocate(NONCE_BYTES + hidden.length).put(nonce).put(hidden).array();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has AES-GCM", e);
        }
    }

    /** Opens one; null if it was not sealed with this key for this client of this object. */
    static @Nullable Continuation open(byte[] sealed, byte[] key, Guid object, Guid client) {
        if (sealed.length < BYTES_LEAST) {
            return null;
        }
        try {
            byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
            ByteBuffer open = ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, key, nonce, object, client)
                    .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES));
            long taken = open.getLong();
            long sent = open.getLong();
            byte[] state = new byte[open.remaining()];
            open.get(state);
            return new Continuation(taken, sent, state);
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, Guid object, Guid client) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG_BYTES, nonce, 0, NONCE_BYTES));
        cipher.updateAAD(object.toBytes());
        cipher.updateAAD(client.toBytes());
        return cipher;
    }
}
