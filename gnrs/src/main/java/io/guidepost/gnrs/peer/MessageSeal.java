package io.guidepost.gnrs.peer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Message authentication between the servers of a deployment: 16 bytes of HMAC-SHA-256 (RFC 2104) behind each message,
 * with the deployment's key. Without a key messages carry none. Belongs to one worker.
 */
public final class MessageSeal {
    private final @Nullable Mac mac;

    /** Creates a seal with a key, or an empty one for none. */
    public MessageSeal(byte[] key) {
        if (key.length == 0) {
            mac = null;
            return;
        }
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has HmacSHA256 and takes any key", e);
        }
    }

    int bytes() {
        return mac == null ? 0 : PeerWire.SEAL_BYTES;
    }

    /**
     * Seals a message of {@code length} bytes with room behind it, sets its length field and returns the new length.
     */
    public int put(MemorySegment segment, long at, int length) {
        int sealed = length + bytes();
        segment.set(PeerWire.SHORT, at + PeerWire.LENGTH, (short) sealed);
        if (mac != null) {
            byte[] seal = of(mac, segment, at, length);
            MemorySegment.copy(seal, 0, segment, PeerWire.BYTE, at + length, PeerWire.SEAL_BYTES);
        }
        return sealed;
    }

    /** Returns the length of a message without its seal; negative if the seal is wrong. */
    public int check(MemorySegment segment, long at, int length) {
        if (mac == null) {
            return length;
        }
        int bare = length - PeerWire.SEAL_BYTES;
        if (bare < PeerWire.HEADER_BYTES) {
            return -1;
        }
        byte[] there = new byte[PeerWire.SEAL_BYTES];
        MemorySegment.copy(segment, PeerWire.BYTE, at + bare, there, 0, PeerWire.SEAL_BYTES);
        return MessageDigest.isEqual(there, of(mac, segment, at, bare)) ? bare : -1;
    }

    private static byte[] of(Mac mac, MemorySegment segment, long at, int length) {
        ByteBuffer message = segment.asSlice(at, length).asByteBuffer();
        mac.update(message);
        return Arrays.copyOf(mac.doFinal(), PeerWire.SEAL_BYTES);
    }
}
