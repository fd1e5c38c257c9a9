package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;

/**
 * A credential: authenticates a message and its sender (RFC 3652 section 2.2.4).
 *
 * <pre>
 *  offset size
 *     0     4  n, length of the rest; 0, or the message ends here: no credential
 *     4     1  version, 0
 *     5     1  0
 *     6     2  options, 0
 *     8   4+n  handle of the signer; empty
 *     .     4  number of the message in its session, 0 outside of one
 *     .   4+n  type: HS_SIGNED, HS_MAC; HS_DSAPUBKEY from old writers
 *     .     4  length of the next two
 *     .   4+n  name of the digest; up to 2.5 one byte that is its number
 *     .   4+n  signature or MAC
 * </pre>
 *
 * @param signer who signed; {@link Handle#NONE} for the peer
 * @param counter number of the message in its session, 32 bits
 * @param type the kind of proof
 * @param digest name of the digest, as in {@code SHA-256} or {@code HMAC-SHA256}
 * @param signature the proof; treated as immutable
 */
public record MessageCredential(Handle signer, int counter, String type, String digest, byte[] signature)
        implements WireRecord {
    /** The type of a signature with a private key. */
    public static final String SIGNED = "HS_SIGNED";

    /** The type of a signature in messages of old clients. */
    public static final String OLD_SIGNED = "HS_DSAPUBKEY";

    /** The type of a MAC with the key of a session. */
    public static final String MAC = "HS_MAC";

    /** Bytes of the longest name of a digest or type. */
    private static final int NAME_BYTES_MAX = 256;

    private static final int SIGNATURE_BYTES_MAX = HandleLimits.KEY_RECORD_BYTES_MAX;

    /** Reads one with the length in front of it, completely. */
    static MessageCredential read(WireReader in) throws Malformed {
        int at = in.position();
        if (in.u8() != 0) {
            throw new Malformed("the version of a credential is 0", at);
        }
        in.u8();
        in.u16();
        Handle signer = in.handle();
        int counter = in.u32();
        String type = in.text(NAME_BYTES_MAX);
        WireReader section = in.part();
        in.end();
        MessageCredential credential = new MessageCredential(
                signer, counter, type, section.text(NAME_BYTES_MAX), section.bytes(SIGNATURE_BYTES_MAX));
        section.end();
        return credential;
    }

    /** Writes it without the length in front of it. */
    @Override
    public void write(WireWriter out) {
        out.u8(0).u8(0).u16(0).handle(signer).u32(counter).text(type);
        out.part(section -> section.text(digest).bytes(signature));
    }
}
