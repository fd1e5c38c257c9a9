package io.guidepost.server;

import io.guidepost.server.feed.BgpPeer;
import io.guidepost.server.feed.FeedSettings;
import io.guidepost.server.feed.RouterNames;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads from a configuration which routers tell of prefixes. */
final class FeedOptions {
    private FeedOptions() {}

    static FeedSettings of(Configuration configuration) throws ConfigurationException {
        Optional<InetSocketAddress> bgp = listen(configuration, FeedKeys.BGP_LISTEN);
        List<BgpPeer> peers = peers(configuration);
        boolean speaks = bgp.isPresent() || !peers.isEmpty();
        long as = configuration.get(ProximityKeys.PROXIMITY_OWN_AS);
        return new FeedSettings(
                bgp,
                as == 0 ? FeedSettings.AS : as,
                speaks ? identifier(configuration, bgp) : FeedSettings.NONE.identifier(),
                configuration.get(FeedKeys.BGP_HOLD).intValue(),
                peers,
                listen(configuration, FeedKeys.BMP_LISTEN),
                names(configuration, FeedKeys.BMP_ROUTERS),
                configuration.get(FeedKeys.MRT_FILES),
                names(configuration, FeedKeys.MRT_PEERS),
                Duration.ofSeconds(configuration.get(FeedKeys.GRACE)));
    }

    private static Optional<InetSocketAddress> listen(Configuration configuration, Key<String> key)
            throws ConfigurationException {
        String text = configuration.get(key);
        return text.isEmpty() ? Optional.empty() : Optional.of(Addressing.withPort(configuration, key, text));
    }

    private static List<BgpPeer> peers(Configuration configuration) throws ConfigurationException {
        List<BgpPeer> peers = new ArrayList<>();
        Set<InetAddress> known = new HashSet<>();
        for (String each : configuration.get(FeedKeys.BGP_PEERS)) {
            try {
                BgpPeer peer = BgpPeer.parse(each);
                if (!known.add(peer.address())) {
                    throw new IllegalArgumentException("'" + each + "' names a peer a second time: one session has one line");
                }
                peers.add(peer);
            } catch (IllegalArgumentException e) {
                throw Addressing.fault(configuration, FeedKeys.BGP_PEERS, String.valueOf(e.getMessage()));
            }
        }
        return peers;
    }

    private static RouterNames names(Configuration configuration, Key<List<String>> key) throws ConfigurationException {
        try {
            return RouterNames.parse(configuration.get(key));
        } catch (IllegalArgumentException e) {
            throw Addressing.fault(configuration, key, String.valueOf(e.getMessage()));
        }
    }

    private static int identifier(Configuration configuration, Optional<InetSocketAddress> bgp)
            throws ConfigurationException {
        String text = configuration.get(FeedKeys.BGP_IDENTIFIER);
        Optional<InetAddress> address = text.isEmpty()
                ? bgp.map(InetSocketAddress::getAddress)
                : Optional.of(Addressing.address(configuration, FeedKeys.BGP_IDENTIFIER, text));
        return address.filter(each -> each instanceof Inet4Address && !each.isAnyLocalAddress())
                .map(each -> ByteBuffer.wrap(each.getAddress()).getInt())
                .orElseThrow(() -> Addressing.fault(configuration, FeedKeys.BGP_IDENTIFIER,
                        "name an IPv4 address of this server, such as 10.0.0.1: proximity.bgp-listen does not say one"));
    }
}
