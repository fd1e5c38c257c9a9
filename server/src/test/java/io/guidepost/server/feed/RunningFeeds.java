package io.guidepost.server.feed;

import io.guidepost.proximity.ranking.LiveNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Feeds without a server around them. */
final class RunningFeeds {
    private RunningFeeds() {}

    static FeedSettings bgp(InetSocketAddress listen, long as, Duration grace, BgpPeer peer, InetSocketAddress... rpkiCaches) {
        return new FeedSettings(
                Optional.of(listen), as, 0x0a000001, List.of(peer), Optional.empty(), List.of(), List.of(rpkiCaches),
                RouterDirectory.AUTOMATIC, grace);
    }

    static FeedSettings bmp(InetSocketAddress listen, Duration grace, RouterDirectory routers) {
        return new FeedSettings(
                Optional.empty(), FeedSettings.AS, 1, List.of(), Optional.of(listen), List.of(), List.of(), routers, grace);
    }

    static FeedSettings mrt(Path file, RouterDirectory peers) {
        return new FeedSettings(
                Optional.empty(), FeedSettings.AS, 1, List.of(), Optional.empty(), List.of(file), List.of(), peers, FeedSettings.GRACE);
    }

    static FeedService open(FeedSettings settings, LiveNetwork live) throws IOException {
        FeedService feeds = new FeedService(settings, live);
        try {
            feeds.takeAlone();
            return feeds;
        } catch (IOException e) {
            feeds.close();
            throw e;
        }
    }
}
