package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.SiteRecord;

/**
 * For which handles a mirror asks: for those that the hash of its own site gives to one of its servers.
 *
 * @param hash which part of a handle it is taken of
 * @param servers how many servers the site has
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
