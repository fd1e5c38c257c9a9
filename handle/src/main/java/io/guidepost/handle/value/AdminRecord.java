package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;

/**
 * Data of HS_ADMIN: an administrator and its rights (RFC 3651 section 3.2.1).
 *
 * <pre>
 *  offset size
 *     0     2  rights, see AdminRight
 *     2   4+n  handle
 *   6+n     4  index
 *  10+n     2  zeros of old writers; accepted, never written
 * </pre>
 *
 * @param rights the bits of the rights, 0 to 65535; those that are no {@link AdminRight} are kept
 * @param who the value that holds the key, or the group
 */
public record AdminRecord(int rights, ValueReference who) implements WireRecord {
    private static final int OLD_TAIL_BYTES = 2;

    /** Refuses rights that 16 bits do not hold. */
    public AdminRecord {
        if (rights >>> 16 != 0) {
            throw new IllegalArgumentException("rights have 16 bits, " + rights + " has more");
        }
    }

    /** Reads the data of a value. */
    public static AdminRecord read(byte[] data) throws Malformed {
        WireReader in = new WireReader(data);
        AdminRecord record = new AdminRecord(in.u16(), ValueReference.readPrefix(in));
        if (in.remaining() == OLD_TAIL_BYTES) {
            int at = in.position();
            if (in.u16() != 0) {
                throw new Malformed("two bytes behind an administrator are zero or absent", at);
            }
        }
        in.end();
        return record;
    }

    @Override
    public void write(WireWriter out) {
        out.u16(rights);
        who.write(out);
    }
}
