package io.guidepost.server.feed;

import io.guidepost.server.config.AddressParsing;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.Key;
import io.guidepost.server.config.TopologyKeys;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads which routers tell of prefixes. */
public final class FeedConfiguration {
    private static final int IPV4_BYTES = 4;
    private static final String FREE_PORT = ":0";

    private FeedConfiguration() {}

    public static FeedSettings settings(Configuration configuration) throws ConfigurationException {
        return new FeedSettings(
                listen(configuration, TopologyKeys.BGP_LISTEN),
                configuration.get(TopologyKeys.BGP_AS),
                identifier(configuration),
                holdSeconds(configuration),
                read(configuration, TopologyKeys.BGP_PEERS, each -> each.stream().map(BgpPeer::parse).toList()),
                listen(configuration, TopologyKeys.BMP_LISTEN),
                read(configuration, TopologyKeys.BMP_ROUTERS, RouterDirectory::parse),
                configuration.get(TopologyKeys.MRT_FILES),
                read(configuration, TopologyKeys.MRT_PEERS, RouterDirectory::parse),
                Duration.ofSeconds(configuration.get(TopologyKeys.FEED_GRACE)));
    }

    private static <T> T read(Configuration configuration, Key<List<String>> key, Function<List<String>, T> reading)
            throws ConfigurationException {
        try {
            return reading.apply(configuration.get(key));
        } catch (IllegalArgumentException e) {
            throw AddressParsing.fault(configuration, key, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<InetSocketAddress> listen(Configuration configuration, Key<String> key)
            throws ConfigurationException {
        String text = configuration.get(key);
        if (text.endsWith(FREE_PORT)) {
            String host = text.substring(0, text.length() - FREE_PORT.length()).replaceAll("[\\[\\]]", "");
            return Optional.of(new InetSocketAddress(AddressParsing.address(configuration, key, host), 0));
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(AddressParsing.withPort(configuration, key, text));
    }

    private static int identifier(Configuration configuration) throws ConfigurationException {
        byte[] bytes = AddressParsing.address(
                        configuration, TopologyKeys.BGP_IDENTIFIER, configuration.get(TopologyKeys.BGP_IDENTIFIER))
                .getAddress();
        int identifier = bytes.length == IPV4_BYTES ? ByteBuffer.wrap(bytes).getInt() : 0;
        if (identifier == 0) {
            throw AddressParsing.fault(configuration, TopologyKeys.BGP_IDENTIFIER, "is an address of IPv4 other than 0.0.0.0");
        }
        return identifier;
    }

    private static int holdSeconds(Configuration configuration) throws ConfigurationException {
        int seconds = configuration.get(TopologyKeys.BGP_HOLD).intValue();
        if (seconds == 1 || seconds == 2) {
            throw AddressParsing.fault(configuration, TopologyKeys.BGP_HOLD, "is 0, or 3 and more, not " + seconds);
        }
        return seconds;
    }
}
