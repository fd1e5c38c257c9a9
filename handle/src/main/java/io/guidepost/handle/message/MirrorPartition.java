package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.SiteRecord;

/**
 * The partition of handles that a mirror asks for: those that the hash of its own site assigns to one of its servers.
 *
 * @param hash the part of a handle that is hashed
 * @param servers number of servers of the site
 * @param server number of this one, from 0
 */
public record MirrorPartition(SiteRecord.Hash hash, int servers, int server) implements WireRecord {
    static MirrorPartition readPrefix(WireReader in) throws Malformed {
        int at = in.position();
        return new MirrorPartition(SiteRecord.Hash.ofCode(in.u8(), at), in.u32(), in.u32());
    }

    @Override
    public void write(WireWriter out) {
        out.u8(hash.code()).u32(servers).u32(server);
    }
}
