package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.util.List;

/**
 * Data of HS_VLIST: a group of identities, which may be groups themselves. A 32-bit count and that number of
 * references.
 *
 * @param members the identities in it, in order
 */
public record IdentityList(List<ValueReference> members) implements WireRecord {
    /** Copies the list. */
    public IdentityList {
        members = List.copyOf(members);
    }

    /** Reads the data of a value. */
    public static IdentityList read(byte[] data) throws Malformed {
        return new IdentityList(WireReader.whole(data, ValueReference::readList));
    }

    @Override
    public void write(WireWriter out) {
        out.list(members, ValueReference::write);
    }
}
