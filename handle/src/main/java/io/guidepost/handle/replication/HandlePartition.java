package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import java.util.Collections;
import java.util.List;

/** A partition: the handles that the hash of a site assigns to one of its servers. Immutable. */
final class HandlePartition {
    private final int server;
    private final SiteRecord site;

    /**
     * Creates the partition that a mirror asked for.
     *
     * @throws IllegalArgumentException if no site has such a server
     */
    HandlePartition(MirrorPartition receiver) {
        int servers = receiver.servers();
        if (servers < 1 || servers > HandleLimits.SERVERS_MAX || receiver.server() < 0 || receiver.server() >= servers) {
            throw new IllegalArgumentException("a site has 1 to " + HandleLimits.SERVERS_MAX
                    + " servers, counted from 0, and so no server " + receiver.server() + " of " + servers);
        }
        server = receiver.server();
        // The assignment depends on the number of servers alone.
        SiteServer any = new SiteServer(1, new byte[SiteServer.ADDRESS_BYTES], new byte[0], List.of());
        site = new SiteRecord(
                2, 11, 1, true, false, receiver.hash(), new byte[0], List.of(), Collections.nCopies(servers, any));
    }

    /** Returns whether it contains all handles. */
    boolean isWhole() {
        return site.servers().size() == 1;
    }

    /** Returns whether it contains a handle. */
    boolean has(Handle handle) {
        return isWhole() || site.serverOf(handle) == server;
    }
}
