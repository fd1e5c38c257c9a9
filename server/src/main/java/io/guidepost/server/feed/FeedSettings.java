package io.guidepost.server.feed;

import io.guidepost.proximity.bgp.BgpSessionSettings;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.TopologyKeys;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Which routers tell of prefixes, and how.
 *
 * @param bgpListen where routers connect to for BGP; empty = nowhere
 * @param as our AS number towards them
 * @param identifier our identifier of BGP, an IPv4 address
 * @param bgpPeers who may connect, or is connected to
 * @param bmpListen where routers connect to for BMP; empty = nowhere
 * @param mrtFiles read at the start, in this order
 * @param rpkiCaches which say what origins are right, over RTR
 * @param routers which router a router of BMP or a peer of a dump is, by address, name or AS
 * @param grace how long routes of a session that was lost are kept
 */
public record FeedSettings(
        Optional<InetSocketAddress> bgpListen,
        long as,
        int identifier,
        List<BgpPeer> bgpPeers,
        Optional<InetSocketAddress> bmpListen,
        List<Path> mrtFiles,
        List<InetSocketAddress> rpkiCaches,
        RouterDirectory routers,
        Duration grace) {
    /** The hold time that is proposed: what most routers do. One that wants less says so, and that holds. */
    static final int HOLD_SECONDS = 90;

    /** Our default AS number: a private one (RFC 6996). */
    public static final long AS = 64_512;

    /** How long routes of a lost session are kept by default: what most routers need to start again. */
    public static final Duration GRACE = Duration.ofMinutes(2);

    private static final int IPV4_BYTES = 4;

    /** Checks the numbers of BGP, and copies the lists. */
    public FeedSettings {
        new BgpSessionSettings(as, identifier, HOLD_SECONDS, 0);
        bgpPeers = List.copyOf(bgpPeers);
        mrtFiles = List.copyOf(mrtFiles);
        rpkiCaches = List.copyOf(rpkiCaches);
    }

    /** Returns what a configuration says of them. */
    public static FeedSettings of(Configuration configuration) {
        Optional<InetSocketAddress> bgpListen = configuration.get(TopologyKeys.BGP_LISTEN);
        return new FeedSettings(
                bgpListen,
                configuration.get(TopologyKeys.BGP_AS),
                identifier(bgpListen),
                configuration.get(TopologyKeys.BGP_PEERS),
                configuration.get(TopologyKeys.BMP_LISTEN),
                configuration.get(TopologyKeys.MRT_FILES),
                configuration.get(TopologyKeys.RPKI_CACHES),
                configuration.get(TopologyKeys.FEED_ROUTERS),
                Duration.ofSeconds(configuration.get(TopologyKeys.FEED_GRACE)));
    }

    /** Returns our identifier of BGP: the address of IPv4 that routers connect to, or else 0.0.0.1. */
    private static int identifier(Optional<InetSocketAddress> listen) {
        byte[] bytes = listen.map(each -> each.getAddress().getAddress()).orElse(new byte[0]);
        int identifier = bytes.length == IPV4_BYTES ? ByteBuffer.wrap(bytes).getInt() : 0;
        return identifier != 0 ? identifier : 1;
    }

    /** Whether there is any feed. */
    public boolean isAny() {
        return bgpListen.isPresent() || bmpListen.isPresent() || !mrtFiles.isEmpty() || !rpkiCaches.isEmpty()
                || bgpPeers.stream().anyMatch(each -> each.connectPort() > 0);
    }
}
