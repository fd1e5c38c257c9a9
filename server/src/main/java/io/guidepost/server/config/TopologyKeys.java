package io.guidepost.server.config;

import io.guidepost.alto.cost.CostCalendar;
import io.guidepost.alto.map.PidNames;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.alto.view.AltoView;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.RankingFunctions;
import io.guidepost.server.feed.BgpPeer;
import io.guidepost.server.feed.FeedSettings;
import io.guidepost.server.feed.RouterDirectory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of {@link ConfigurationKeys} about the operator's topology, and about ALTO, which tells of it. */
public final class TopologyKeys {
    static final List<Key<?>> ROWS = new ArrayList<>();

    private static final long AS_MAX = 0xffffffffL;
    private static final String METRICS =
            TopologyMapBuilder.ROUTING_COST + ", " + String.join(", ", TopologyMapBuilder.metrics());

    public static final Key<List<Path>> PROXIMITY_FILES = reloaded("proximity.files",
            PathKinds.files(),
            List.of(),
            "Topology and prefixes, put together in this order; what each file is, is seen from what is in it. See docs/proximity.md.");
    public static final Key<String> PROXIMITY_FUNCTION = reloaded("proximity.function",
            ValueKind.text("a name, or an expression over the seven metrics").as(TopologyKeys::function), "oracle",
            "What is near: a ranking function by its name, or an expression; see docs/proximity.md.");
    public static final Key<List<Map.Entry<Long, Double>>> PROXIMITY_AS_PENALTIES = reloaded("proximity.as-penalties",
            ValueKind.list(ValueKind.text("a penalty").as(TopologyKeys::penalty), "texts such as \"64500=10\""),
            List.of(),
            "What is added to the cost of destinations in an AS.");
    public static final Key<List<String>> PROXIMITY_EXITS = reloaded("proximity.exits",
            ValueKind.list(ValueKind.text("an id or name", "\\S(.*\\S)?"), "ids or names of routers"),
            List.of(),
            "Routers over which prefixes are reached whose files do not say where; empty = the eight with most lines.");
    public static final Key<Long> PROXIMITY_OWN_AS = reloaded("proximity.own-as",
            ValueKind.whole(0, 0xffffffffL), 0L,
            "Number of the own AS: its prefixes are networks of the operator's own; 0 = there is none.");
    public static final Key<LocatorOrder> PROXIMITY_ORDER = fixed("proximity.order",
            ValueKind.choice(LocatorOrder.class), LocatorOrder.NEAREST,
            "Puts the locators of GNRS, and the locations that 10320/loc may choose, nearest to the client first, where a topology"
                    + " is loaded.");
    public static final Key<Path> PROXIMITY_DUMPS = fixed("proximity.dump-folder",
            PathKinds.madeFolder(), Path.of("guidepost-topology"),
            "Folder below which the console's dump writes.");

    public static final Key<Optional<InetSocketAddress>> BGP_LISTEN = fixed("proximity.bgp-listen",
            AddressKinds.listenWithPort().orNone("none"), "",
            "Where routers connect to that tell of prefixes over BGP.");
    public static final Key<Long> BGP_AS = fixed("proximity.bgp-as",
            ValueKind.whole(1, 0xffffffffL), FeedSettings.AS,
            "Our AS number towards them.");
    public static final Key<List<BgpPeer>> BGP_PEERS = fixed("proximity.bgp-peers",
            ValueKind.list(ValueKind.text("a router").as(BgpPeer::parse), "texts such as \"192.0.2.1 as=64500 router=10.1.0.1\""),
            List.of(),
            "Routers that may tell over BGP, and at which router of the topology their routes leave; see docs/proximity-feeds.md.");
    public static final Key<Optional<InetSocketAddress>> BMP_LISTEN = fixed("proximity.bmp-listen",
            AddressKinds.listenWithPort().orNone("none"), "",
            "Where routers connect to that tell of prefixes over BMP.");
    public static final Key<RouterDirectory> FEED_ROUTERS = fixed("proximity.routers",
            ValueKind.list(ValueKind.text("a router"), "texts such as \"edge1=10.1.0.1\" or \"AS64500=10.1.0.1\"")
                    .as(RouterDirectory::parse),
            List.of(),
            "Which router of the topology a router of BMP or a peer in a dump is, by its address, name or AS; empty = by address.");
    public static final Key<List<Path>> MRT_FILES = fixed("proximity.mrt-files",
            PathKinds.files(),
            List.of(),
            "Dumps of routing tables (MRT, may be packed with gzip or bzip2), read after the start in this order.");
    public static final Key<List<InetSocketAddress>> RPKI_CACHES = fixed("proximity.rpki-caches",
            ValueKind.list(AddressKinds.addressWithPort(), "texts such as \"127.0.0.1:3323\""),
            List.of(),
            "Caches of the RPKI, over RTR: routes whose origin it says is wrong are refused; see docs/proximity-feeds.md.");
    public static final Key<Long> FEED_GRACE = fixed("proximity.grace-seconds",
            ValueKind.whole(0, 86_400), FeedSettings.GRACE.toSeconds(),
            "How long prefixes stay that were told in a session that broke, in seconds.");

    public static final Key<Boolean> ALTO_ENABLED = fixed("alto.enabled",
            ValueKind.flag(), false,
            "Whether network maps, costs and the order of endpoints are told over HTTP (ALTO).");
    public static final Key<List<InetAddress>> ALTO_LISTEN = fixed("alto.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which ALTO is answered.");
    public static final Key<Long> ALTO_HTTP_PORT = fixed("alto.http-port",
            ValueKind.whole(0, 65535), 5082L,
            "TCP port of HTTP and HTTPS, which share it; 0 takes a free one and says which.");
    public static final Key<Path> ALTO_FOLDER = fixed("alto.folder",
            PathKinds.madeFolder(), Path.of("guidepost-alto"),
            "Folder of what is made at the first start: the key by which PIDs are named, and a certificate where none is named.");
    public static final Key<List<Path>> ALTO_MAP_FILES = reloaded("alto.map-files",
            PathKinds.filesAndFolders("files or folders of JSON, separated by commas where it is a text"),
            List.of(),
            "Maps, costs and properties as ALTO writes them. Where there are any they are told, and nothing of the topology.");
    public static final Key<List<String>> ALTO_METRICS = reloaded("alto.metrics",
            ValueKind.list(ValueKind.text(METRICS, METRICS.replace(", ", "|")), METRICS),
            List.of(TopologyMapBuilder.ROUTING_COST),
            "What is told of ways through the topology; the raw metrics stay hidden unless they are named here.");
    public static final Key<Map<String, CostCalendar>> ALTO_CALENDARS = reloaded("alto.calendars",
            ValueKind.list(ValueKind.text("a calendar"), "texts such as \"routingcost 3600 1 1.5 2\"").as(TopologyKeys::calendars),
            List.of(),
            "How costs change over a cycle: a metric, the seconds of an interval, and what costs are multiplied by in each.");
    public static final Key<Map<Address, String>> ALTO_PID_NAMES = reloaded("alto.pid-names",
            ValueKind.list(ValueKind.text("a name"), "texts such as \"10.1.0.1=berlin\"").as(PidNames::given),
            List.of(),
            "What routers are called in the names of PIDs; what has no name here is called by a hash with a key.");
    public static final Key<List<AltoDisclosure>> ALTO_TELLS = reloaded("alto.tells",
            ValueKind.choices(AltoDisclosure.class),
            List.of(),
            "What ALTO tells besides maps and costs: addresses of routers without a name, path vectors, the AS of an address.");
    public static final Key<List<Prefix>> ALTO_ALLOW = reloaded("alto.allow",
            AddressKinds.prefixes(),
            List.of("0.0.0.0/0", "::/0"),
            "Who may ask; all others get 403.");
    public static final Key<List<AltoView>> ALTO_VIEWS = reloaded("alto.views",
            ValueKind.list(
                    ValueKind.text("a view").as(AltoView::parse),
                    "texts such as \"10.0.0.0/8 resource=net* metric=routingcost pid=in-*\""),
            List.of(),
            "What clients of some prefixes are told; the first that fits counts, and who fits none is told all. See docs/alto.md.");

    private TopologyKeys() {}

    private static String function(String text) throws Malformed {
        RankingFunctions.of(text);
        return text;
    }

    private static Map.Entry<Long, Double> penalty(String text) throws Malformed {
        int equals = text.indexOf('=');
        try {
            long number = Long.parseLong(text.substring(0, Math.max(0, equals)).strip());
            double cost = Double.parseDouble(text.substring(equals + 1).strip());
            if (number >= 0 && number <= AS_MAX && Double.isFinite(cost)) {
                return Map.entry(number, cost);
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number out of range.
        }
        throw new Malformed("'" + text + "' is no penalty: write number=cost, such as \"64500=10\"", 0);
    }

    private static Map<String, CostCalendar> calendars(List<String> texts) throws Malformed {
        Map<String, CostCalendar> calendars = new HashMap<>();
        for (String each : texts) {
            String metric = each.strip().split("\\s+", 2)[0];
            try {
                if (calendars.put(metric, CostCalendar.parse(each.strip().substring(metric.length()))) != null) {
                    throw new Malformed(metric + " has a second calendar: leave one out", 0);
                }
            } catch (Malformed e) {
                throw new Malformed("'" + each + "': " + e.reason(), 0);
            }
        }
        return Map.copyOf(calendars);
    }

    private static <T> Key<T> fixed(String name, ValueKind<T> kind, Object standard, String sentence) {
        return row(new Key<>(name, kind, standard, false, sentence));
    }

    private static <T> Key<T> reloaded(String name, ValueKind<T> kind, Object standard, String sentence) {
        return row(new Key<>(name, kind, standard, true, sentence));
    }

    private static <T> Key<T> row(Key<T> key) {
        ROWS.add(key);
        return key;
    }
}
