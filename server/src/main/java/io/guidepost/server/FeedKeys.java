package io.guidepost.server;

import io.guidepost.server.feed.FeedSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of {@link Keys} about routers that tell of prefixes while the server runs; see docs/proximity-feeds.md. */
public final class FeedKeys {
    static final List<Key<?>> ROWS = new ArrayList<>();

    public static final Key<String> BGP_LISTEN = fixed("proximity.bgp-listen",
            Kind.text("address:port or [address]:port; empty = nowhere"), "",
            "Where routers connect to and tell their routes over BGP. The port is 179 where routers cannot be told another.");
    public static final Key<List<String>> BGP_PEERS = fixed("proximity.bgp-peers",
            Kind.list(Kind.text("a peer"), "texts such as \"10.0.0.1 as=65001 router=10.1.0.1\""),
            List.of(),
            "Who tells routes over BGP: address, and as=, router= (or next-hop), nic=, connect=PORT where we connect to it.");
    public static final Key<String> BGP_IDENTIFIER = fixed("proximity.bgp-identifier",
            Kind.text("an IPv4 address; empty = that of proximity.bgp-listen"), "",
            "Identifier of this server in BGP. Its AS is proximity.own-as, or 64512 where there is none.");
    public static final Key<Long> BGP_HOLD = fixed("proximity.bgp-hold-seconds",
            Kind.whole(3, 65_535), (long) FeedSettings.HOLD_SECONDS,
            "After how much silence a session of BGP is over, if the peer does not want it sooner.");
    public static final Key<String> BMP_LISTEN = fixed("proximity.bmp-listen",
            Kind.text("address:port or [address]:port; empty = nowhere"), "",
            "Where routers connect to and tell what their peers told them, over BMP.");
    public static final Key<List<String>> BMP_ROUTERS = fixed("proximity.bmp-routers",
            Kind.list(Kind.text("a router"), "texts such as \"edge1=10.1.0.1\" or \"192.0.2.1=10.1.0.1\""),
            List.of(),
            "Which router of the topology one over BMP is, by address or name; empty = anybody, each the router of its address.");
    public static final Key<List<Path>> MRT_FILES = fixed("proximity.mrt-files",
            Kind.list(Kind.path(), "files, plain or gzipped, separated by commas where it is a text"),
            List.of(),
            "Tables and messages that collectors wrote (MRT), read at the start in this order.");
    public static final Key<List<String>> MRT_PEERS = fixed("proximity.mrt-peers",
            Kind.list(Kind.text("a peer"), "texts such as \"192.0.2.1=10.1.0.1\" or \"AS65001=10.1.0.1\""),
            List.of(),
            "Which router a peer of such a file is, by address or AS; others are left out. Empty = all, each the router of its "
                    + "address.");
    public static final Key<Long> GRACE = fixed("proximity.feed-grace-seconds",
            Kind.whole(0, 86_400), FeedSettings.GRACE.toSeconds(),
            "How long routes of a router are kept after its session was lost; 0 = they go at once.");

    private FeedKeys() {}

    private static <T> Key<T> fixed(String name, Kind<T> kind, T standard, String sentence) {
        Key<T> key = new Key<>(name, kind, standard, false, sentence);
        ROWS.add(key);
        return key;
    }
}
