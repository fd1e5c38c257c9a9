package io.guidepost.server.feed;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.TopologyKeys;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/** Reads which routers tell of prefixes. */
public final class FeedConfiguration {
    private static final int IPV4_BYTES = 4;

    private FeedConfiguration() {}

    /** Returns what a configuration says of them. */
    public static FeedSettings settings(Configuration configuration) {
        Optional<InetSocketAddress> bgpListen = configuration.get(TopologyKeys.BGP_LISTEN);
        return new FeedSettings(
                bgpListen,
                configuration.get(TopologyKeys.BGP_AS),
                identifier(bgpListen),
                configuration.get(TopologyKeys.BGP_PEERS),
                configuration.get(TopologyKeys.BMP_LISTEN),
                configuration.get(TopologyKeys.MRT_FILES),
                configuration.get(TopologyKeys.FEED_ROUTERS),
                Duration.ofSeconds(configuration.get(TopologyKeys.FEED_GRACE)));
    }

    /** Returns our identifier of BGP: the address of IPv4 that routers connect to, or else 0.0.0.1. */
    private static int identifier(Optional<InetSocketAddress> listen) {
        byte[] bytes = listen.map(each -> each.getAddress().getAddress()).orElse(new byte[0]);
        int identifier = bytes.length == IPV4_BYTES ? ByteBuffer.wrap(bytes).getInt() : 0;
        return identifier != 0 ? identifier : 1;
    }
}
