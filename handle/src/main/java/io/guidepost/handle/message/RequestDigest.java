package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.util.Arrays;

/**
 * A digest over header and body of the request, in front of the response's body: it binds the response to the request.
 *
 * <pre>
 *  +0  1  algorithm, see DigestAlgorithm
 *  +1  n  the digest; no length
 * </pre>
 *
 * @param algorithm determines the length
 * @param digest its bytes; treated as immutable
 */
public record RequestDigest(DigestAlgorithm algorithm, byte[] digest) implements WireRecord {
    /** Refuses a digest of another length. */
    public RequestDigest {
        if (digest.length != algorithm.bytes()) {
            throw new IllegalArgumentException(
                    algorithm + " gives " + algorithm.bytes() + " bytes, not " + digest.length);
        }
    }

    /**
     * Returns the digest of a request.
     *
     * @param request the message's bytes, envelope included, decrypted, and known to be well-formed
     */
    public static RequestDigest of(DigestAlgorithm algorithm, byte[] request) {
        return new RequestDigest(
                algorithm,
                algorithm.start().digest(Arrays.copyOfRange(request, HandleWire.ENVELOPE_BYTES, HandleWire.bodyEnd(request))));
    }

    static RequestDigest readPrefix(WireReader in) throws Malformed {
        DigestAlgorithm algorithm = DigestAlgorithm.ofCode(in.u8(), in.position() - 1);
        return new RequestDigest(algorithm, in.raw(algorithm.bytes()));
    }

    @Override
    public void write(WireWriter out) {
        out.u8(algorithm.code()).raw(digest);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestDigest that
                && algorithm == that.algorithm
                && Arrays.equals(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }
}
