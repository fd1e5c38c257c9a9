package io.guidepost.server.feed;

import io.guidepost.proximity.ranking.LiveNetwork;
import java.io.IOException;

/** Feeds without a server around them. */
final class RunningFeeds {
    private RunningFeeds() {}

    static FeedService open(FeedSettings settings, LiveNetwork live) throws IOException {
        FeedService feeds = new FeedService(settings, live);
        try {
            feeds.bind();
            return feeds;
        } catch (IOException e) {
            feeds.close();
            throw e;
        }
    }
}
