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
import io.guidepost.server.http.HttpServerSettings;
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

    /** How paths inside the network are found. */
    public enum Paths {
        /** As the files say, else along explicit routes if they have any, else by weights. */
        AUTO,
        /** Along the routers' routes. */
        EXPLICIT,
        /** By the smallest sum of weights. */
        IMPLICIT
    }

    public static final Key<List<Path>> PROXIMITY_FILES = reloaded("proximity.files",
            PathKinds.files(),
            List.of(),
            "Topology and prefixes, put together in this order; what each file is, is seen from what is in it. See docs/proximity.md.");
    public static final Key<Paths> PROXIMITY_PATHS = reloaded("proximity.paths",
            ValueKind.choice(Paths.class), Paths.AUTO,
            "How paths inside the network are found: as the files say, along explicit routes, or by the sum of weights.");
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
    public static final Key<Path> PROXIMITY_DUMPS = fixed("proximity.dump-folder",
            PathKinds.madeFolder(), Path.of("guidepost-topology"),
            "Folder below which the console's dump writes.");

    public static final Key<Optional<InetSocketAddress>> BGP_LISTEN = fixed("proximity.bgp-listen",
            AddressKinds.listenWithPort().orNone("none"), "",
            "Where routers connect to that tell of prefixes over BGP.");
    public static final Key<Long> BGP_AS = fixed("proximity.bgp-as",
            ValueKind.whole(1, 0xffffffffL), FeedSettings.AS,
            "Our AS number towards them.");
    public static final Key<Integer> BGP_IDENTIFIER = fixed("proximity.bgp-identifier",
            AddressKinds.identifier(), "0.0.0.1",
            "Our identifier of BGP, which no router of theirs may have too.");
    public static final Key<Long> BGP_HOLD = fixed("proximity.bgp-hold-seconds",
            ValueKind.whole(0, 65_535).as(TopologyKeys::holdSeconds), (long) FeedSettings.HOLD_SECONDS,
            "After how much silence a session is over, in seconds, if the router wants no less; 0 = never.");
    public static final Key<List<BgpPeer>> BGP_PEERS = fixed("proximity.bgp-peers",
            ValueKind.list(ValueKind.text("a router").as(BgpPeer::parse), "texts such as \"192.0.2.1 as=64500 router=10.1.0.1\""),
            List.of(),
            "Routers that may tell over BGP, and at which router of the topology their routes leave; see docs/proximity-feeds.md.");
    public static final Key<Optional<InetSocketAddress>> BMP_LISTEN = fixed("proximity.bmp-listen",
            AddressKinds.listenWithPort().orNone("none"), "",
            "Where routers connect to that tell of prefixes over BMP.");
    public static final Key<RouterDirectory> BMP_ROUTERS = fixed("proximity.bmp-routers",
            ValueKind.list(ValueKind.text("a router"), "texts such as \"edge1=10.1.0.1\"").as(RouterDirectory::parse),
            List.of(),
            "Which router of the topology each of them is, by the address it connects from or the name it tells; empty = by address.");
    public static final Key<List<Path>> MRT_FILES = fixed("proximity.mrt-files",
            PathKinds.files(),
            List.of(),
            "Dumps of routing tables (MRT, may be packed with gzip or bzip2), read after the start in this order.");
    public static final Key<RouterDirectory> MRT_PEERS = fixed("proximity.mrt-peers",
            ValueKind.list(ValueKind.text("a peer"), "texts such as \"AS64500=10.1.0.1\"").as(RouterDirectory::parse),
            List.of(),
            "Which router of the topology the routes of a dump's peer leave at, by its address or AS; empty = by address.");
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
    public static final Key<Path> ALTO_TLS_CERTIFICATE = fixed("alto.tls-certificate",
            PathKinds.file(), Path.of(""),
            "Certificates for TLS, the server's first: PEM, or PKCS #12 (*.p12, *.pfx); without it a self-signed one is made.");
    public static final Key<Path> ALTO_TLS_KEY = fixed("alto.tls-key",
            PathKinds.file(), Path.of(""),
            "Private key of that certificate in PEM, PKCS #8; none if the certificate is in PKCS #12.");
    public static final Key<Path> ALTO_TLS_PASSWORD_FILE = fixed("alto.tls-password-file",
            PathKinds.file(), Path.of(""),
            "File whose first line is the password of that key, or of the PKCS #12; without it they have none.");
    public static final Key<List<Path>> ALTO_MAP_FILES = reloaded("alto.map-files",
            PathKinds.filesAndFolders("files or folders of JSON, separated by commas where it is a text"),
            List.of(),
            "Maps, costs and properties as ALTO writes them. Where there are any they are told, and nothing of the topology.");
    public static final Key<String> ALTO_MAP_ID = fixed("alto.map-id",
            ValueKind.text("1 to 64 letters, digits and - : @ _ .", "[A-Za-z0-9:@_.-]{1,64}"), TopologyMapBuilder.MAP,
            "Id of the network map that is made of the topology.");
    public static final Key<List<String>> ALTO_METRICS = fixed("alto.metrics",
            ValueKind.list(ValueKind.text(METRICS, METRICS.replace(", ", "|")), METRICS),
            List.of(TopologyMapBuilder.ROUTING_COST),
            "What is told of ways through the topology; the raw metrics stay hidden unless they are named here.");
    public static final Key<Map<String, CostCalendar>> ALTO_CALENDARS = fixed("alto.calendars",
            ValueKind.list(ValueKind.text("a calendar"), "texts such as \"routingcost 3600 1 1.5 2\"").as(TopologyKeys::calendars),
            List.of(),
            "How costs change over a cycle: a metric, the seconds of an interval, and what costs are multiplied by in each.");
    public static final Key<Map<Address, String>> ALTO_PID_NAMES = fixed("alto.pid-names",
            ValueKind.list(ValueKind.text("a name"), "texts such as \"10.1.0.1=berlin\"").as(PidNames::given),
            List.of(),
            "What routers are called in the names of PIDs; what has no name here is called by a hash with a key.");
    public static final Key<Boolean> ALTO_TELLS_ROUTERS = fixed("alto.tells-routers",
            ValueKind.flag(), false,
            "Whether the names of PIDs have the addresses of routers that have no name, and path vectors have them.");
    public static final Key<Boolean> ALTO_TELLS_PATHS = fixed("alto.tells-paths",
            ValueKind.flag(), false,
            "Whether path vectors are told: which elements ways share, and how wide they are.");
    public static final Key<Boolean> ALTO_TELLS_AS_NUMBERS = fixed("alto.tells-as-numbers",
            ValueKind.flag(), false,
            "Whether the AS of an address is told as a property.");
    public static final Key<List<Prefix>> ALTO_ALLOW = fixed("alto.allow",
            AddressKinds.prefixes(),
            List.of("0.0.0.0/0", "::/0"),
            "Who may ask; all others get 403.");
    public static final Key<List<AltoView>> ALTO_VIEWS = fixed("alto.views",
            ValueKind.list(
                    ValueKind.text("a view").as(AltoView::parse),
                    "texts such as \"10.0.0.0/8 resource=net* metric=routingcost pid=in-*\""),
            List.of(),
            "What clients of some prefixes are told; the first that fits counts, and who fits none is told all. See docs/alto.md.");
    public static final Key<List<Prefix>> ALTO_TRUSTED_PROXIES = fixed("alto.trusted-proxies",
            AddressKinds.prefixes(),
            List.of(),
            "Proxies of HTTP whose X-Forwarded-For is believed.");
    public static final Key<Long> ALTO_LOOPS = fixed("alto.loops",
            ValueKind.whole(0, 256), 0L,
            "Threads that read and write connections; 0 = half of the processors, at least one.");
    public static final Key<Long> ALTO_CONNECTIONS_MAX = fixed("alto.connections-max",
            ValueKind.whole(1, 1_000_000), (long) HttpServerSettings.STANDARD.connectionsMax(),
            "Connections at a time; further ones are closed at once.");
    public static final Key<Long> ALTO_IN_FLIGHT_MAX = fixed("alto.in-flight-max",
            ValueKind.whole(1, 65_536), (long) HttpServerSettings.STANDARD.inFlightMax(),
            "Requests that are worked on at a time; further ones are told 503.");
    public static final Key<Long> ALTO_LASTING_MAX = fixed("alto.lasting-max",
            ValueKind.whole(0, 65_536), (long) HttpServerSettings.STANDARD.lastingMax(),
            "Update streams and requests that wait for the next version, at a time; further ones are told 503.");

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

    private static Long holdSeconds(Long seconds) throws Malformed {
        if (seconds == 1 || seconds == 2) {
            throw new Malformed("it is 0, or 3 and more, not " + seconds, 0);
        }
        return seconds;
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
