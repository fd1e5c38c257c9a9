package io.guidepost.gnrs.placement;

import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The addresses that a GUID hashes to, computed on demand. Belongs to one thread; allocates nothing
 * once it is made.
 *
 * <pre>
 * D(0)   = as many zero bytes as the digest has
 * D(i)   = digest of (GUID, D(i-1)), i = 1, 2, ...
 * slice k of D(1), D(2), ... one after the other: bytes 6k to 6k+5
 * address of replica k   = its first four bytes, big-endian (the other two stood for a port)
 * an address hashed again = the first four bytes of the digest of its four bytes, big-endian
 * </pre>
 *
 * The slices are those of the Java server of 2014; it never hashes an address again, so how that is done is ours.
 */
final class GuidHashes {
    private static final int SLICE_BYTES = 6;
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN).withInvokeExactBehavior();

    private final MessageDigest digest;
    private final int digestBytes;
    private final byte[] guid = new byte[Guid.BYTES];

    /** D(0) and then as many digests as the replicas need. */
    private final byte[] chain;

    /** Bytes of the chain that belong to this GUID. */
    private int computed;

    private final byte[] again;

    GuidHashes(PlacementHash hash, int replicas) {
        digest = hash.digest();
        digestBytes = hash.bytes();
        chain = new byte[digestBytes * (1 + Math.ceilDiv(SLICE_BYTES * replicas, digestBytes))];
        again = new byte[digestBytes];
    }

    void start(MemorySegment segment, long offset) {
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, guid, 0, Guid.BYTES);
        computed = digestBytes;
    }

    /** Returns the address of a replica, from 0. */
    int address(int replica) {
        int at = digestBytes + SLICE_BYTES * replica;
        compute(at + Integer.BYTES);
        return (int) INT.get(chain, at);
    }

    private void compute(int bytes) {
        while (computed < bytes) {
            digest.update(guid);
            digest.update(chain, computed - digestBytes, digestBytes);
            digestInto(chain, computed);
            computed += digestBytes;
        }
    }

    /** Returns the address for one that lies in a hole: the address hashed again. */
    int again(int address) {
        INT.set(again, 0, address);
        digest.update(again, 0, Integer.BYTES);
        digestInto(again, 0);
        return (int) INT.get(again, 0);
    }

    private void digestInto(byte[] bytes, int offset) {
        try {
            digest.digest(bytes, offset, digestBytes);
        } catch (DigestException e) {
            throw new AssertionError("there is room for a digest", e);
        }
    }

    /** Returns the bytes of a replica's slice in a new array, for vectors. */
    byte[] slice(int replica) {
        int at = digestBytes + SLICE_BYTES * replica;
        compute(at + SLICE_BYTES);
        return Arrays.copyOfRange(chain, at, at + SLICE_BYTES);
    }
}
