package io.guidepost.server.feed;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.TopologyKeys;
import java.time.Duration;

/** Reads which routers tell of prefixes. */
public final class FeedConfiguration {
    private FeedConfiguration() {}

    /** Returns what a configuration says of them. */
    public static FeedSettings settings(Configuration configuration) {
        return new FeedSettings(
                configuration.get(TopologyKeys.BGP_LISTEN),
                configuration.get(TopologyKeys.BGP_AS),
                configuration.get(TopologyKeys.BGP_IDENTIFIER),
                configuration.get(TopologyKeys.BGP_HOLD).intValue(),
                configuration.get(TopologyKeys.BGP_PEERS),
                configuration.get(TopologyKeys.BMP_LISTEN),
                configuration.get(TopologyKeys.BMP_ROUTERS),
                configuration.get(TopologyKeys.MRT_FILES),
                configuration.get(TopologyKeys.MRT_PEERS),
                Duration.ofSeconds(configuration.get(TopologyKeys.FEED_GRACE)));
    }
}
