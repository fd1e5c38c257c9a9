package io.guidepost.server;

import io.guidepost.server.feed.BgpPeer;
import io.guidepost.server.feed.FeedSettings;
import io.guidepost.server.feed.RouterNames;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads which routers tell of prefixes. */
final class FeedConfiguration {
    private static final int IPV4_BYTES = 4;
    private static final String FREE_PORT = ":0";

    private FeedConfiguration() {}

    static FeedSettings settings(Configuration configuration) throws ConfigurationException {
        return new FeedSettings(
                listen(configuration, ProximityKeys.BGP_LISTEN),
                configuration.get(ProximityKeys.BGP_AS),
                identifier(configuration),
                holdSeconds(configuration),
                read(configuration, ProximityKeys.BGP_PEERS, each -> each.stream().map(BgpPeer::parse).toList()),
                listen(configuration, ProximityKeys.BMP_LISTEN),
                read(configuration, ProximityKeys.BMP_ROUTERS, RouterNames::parse),
                configuration.get(ProximityKeys.MRT_FILES),
                read(configuration, ProximityKeys.MRT_PEERS, RouterNames::parse),
                Duration.ofSeconds(configuration.get(ProximityKeys.FEED_GRACE)));
    }

    private static <T> T read(Configuration configuration, Key<List<String>> key, Function<List<String>, T> reading)
            throws ConfigurationException {
        try {
            return reading.apply(configuration.get(key));
        } catch (IllegalArgumentException e) {
            throw Addressing.fault(configuration, key, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<InetSocketAddress> listen(Configuration configuration, Key<String> key)
            throws ConfigurationException {
        String text = configuration.get(key);
        if (text.endsWith(FREE_PORT)) {
            String host = text.substring(0, text.length() - FREE_PORT.length()).replaceAll("[\\[\\]]", "");
            return Optional.of(new InetSocketAddress(Addressing.address(configuration, key, host), 0));
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(Addressing.withPort(configuration, key, text));
    }

    private static int identifier(Configuration configuration) throws ConfigurationException {
        byte[] bytes = Addressing.address(
                        configuration, ProximityKeys.BGP_IDENTIFIER, configuration.get(ProximityKeys.BGP_IDENTIFIER))
                .getAddress();
        int identifier = bytes.length == IPV4_BYTES ? ByteBuffer.wrap(bytes).getInt() : 0;
        if (identifier == 0) {
            throw Addressing.fault(configuration, ProximityKeys.BGP_IDENTIFIER, "is an address of IPv4 other than 0.0.0.0");
        }
        return identifier;
    }

    private static int holdSeconds(Configuration configuration) throws ConfigurationException {
        int seconds = configuration.get(ProximityKeys.BGP_HOLD).intValue();
        if (seconds == 1 || seconds == 2) {
            throw Addressing.fault(configuration, ProximityKeys.BGP_HOLD, "is 0, or 3 and more, not " + seconds);
        }
        return seconds;
    }
}
