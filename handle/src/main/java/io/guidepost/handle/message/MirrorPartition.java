package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
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

    /**
     * Returns this partition, if it is one of a site's.
     *
     * @throws IllegalArgumentException if no site has such a server
     */
    public MirrorPartition checked() {
        if (servers < 1 || servers > HandleLimits.SERVERS_MAX || server < 0 || server >= servers) {
            throw new IllegalArgumentException("a site has 1 to " + HandleLimits.SERVERS_MAX
                    + " servers, counted from 0, and so no server " + server + " of " + servers);
        }
        return this;
    }

    /** Returns whether it contains all handles. */
    public boolean isWhole() {
        return servers == 1;
    }

    /** Returns whether it contains a handle; for a {@link #checked} one. */
    public boolean contains(Handle handle) {
        return isWhole() || hash.serverOf(handle, servers) == server;
    }
}
