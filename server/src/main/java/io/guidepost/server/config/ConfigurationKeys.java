package io.guidepost.server.config;

import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.alto.proxidor.ProxidorSettings;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.base.SpellingSuggestion;
import io.guidepost.dns.wire.DnsName;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.PlacementHash;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.handle.Handle;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.worker.RealTimePolicy;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.server.handle.AccessLog;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.store.RecordStore.Durability;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every key of the configuration, one row each: the only place that describes it. Parsing, checking, the
 * {@code config} command, the environment variables and {@code docs/configuration.md} follow from these rows.
 */
public final class ConfigurationKeys {
    private static final List<Key<?>> ROWS = new ArrayList<>();

    /** A header field of HTTP: a token, a colon, visible characters and blanks (RFC 9110). */
    private static final String HEADER = "[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t -~]*";

    /** How much the log says. */
    public enum Level {
        ERROR,
        WARNING,
        INFO,
        DEBUG
    }

    /** How a line of the log looks. */
    public enum LogFormat {
        TEXT,
        JSON
    }

    /** What becomes of unknown addresses in a ranked list. */
    public enum Unknown {
        DROP,
        LAST
    }

    public static final Key<Long> WORKERS_COUNT = fixed("workers.count",
            ValueKind.whole(0, 256), 0L,
            "Threads that answer datagrams, and as many for the connections of each HTTP service; 0 = half of the processors.");
    public static final Key<List<Long>> WORKERS_CPUS = fixed("workers.cpus",
            ValueKind.list(ValueKind.whole(-1, 1023), "processor numbers, one for each worker; -1 = not pinned; empty = chosen"),
            List.of(),
            "Processors that the workers are pinned to. Empty pins them when there are at least two to a worker.");
    public static final Key<RealTimePolicy> WORKERS_REAL_TIME = fixed("workers.real-time",
            ValueKind.choice(RealTimePolicy.class), RealTimePolicy.AUTO,
            "Runs workers under SCHED_FIFO while they sleep a quarter of the time, so that other programs do not delay them. Needs"
                    + " CAP_SYS_NICE or an rtprio limit of 2: without, true warns. auto leaves it out, too, where there are more workers"
                    + " than processors.");
    public static final Key<Long> WORKERS_BUSY_POLL_MICROS = fixed("workers.busy-poll-micros",
            ValueKind.whole(0, 1_000_000), 0L,
            "Busy polling: how long a worker looks for more datagrams before it sleeps, in microseconds. "
                    + "50, with workers.coalesce-micros at 0, answers soonest, at the price of a processor for each worker.");
    public static final Key<Long> WORKERS_COALESCE_MICROS = fixed("workers.coalesce-micros",
            ValueKind.whole(0, 1000), 40L,
            "Interrupt coalescing: the longest sleep in which a worker lets dense datagrams gather, in microseconds: fewer wake-ups,"
                    + " later answers. It wakes earlier if two are likely to have come.");

    public static final Key<UdpBackEnd> SERVER_BACK_END = fixed("server.back-end",
            ValueKind.choice(UdpBackEnd.class), UdpBackEnd.BEST,
            "How sockets are used: by system calls of Linux (recvmmsg, epoll), by the channels of the JDK, or the best that works.");
    public static final Key<SegmentationOffload> UDP_OFFLOAD = fixed("udp.segmentation-offload",
            ValueKind.choice(SegmentationOffload.class), SegmentationOffload.AUTO,
            "GRO and GSO: lets the kernel join datagrams of one sender on receipt, and answers to one client when they are sent.");
    public static final Key<AdmissionControl> UDP_ADMISSION = fixed("udp.admission",
            ValueKind.choice(AdmissionControl.class), AdmissionControl.FLOOD_SOCKETS,
            "Under overload: fair makes heavy hitters give way; flood-sockets also receives their networks by sockets of their own"
                    + " (Linux).");

    public static final Key<Long> HTTP_CONNECTIONS_MAX = reloaded("http.connections-max",
            ValueKind.whole(1, 1_000_000), (long) HttpServerSettings.STANDARD.connectionsMax(),
            "Connections of each HTTP service at a time, those of Handle over TCP among them; further ones are closed at once.");
    public static final Key<Long> HTTP_REQUESTS_MAX = reloaded("http.requests-max",
            ValueKind.whole(1, 65_536), (long) HttpServerSettings.STANDARD.inFlightMax(),
            "Requests of each HTTP service that may be worked on at a time, and as many update streams; further ones get 503.");
    public static final Key<Long> HTTP_IDLE_MILLIS = reloaded("http.idle-millis",
            ValueKind.whole(100, 3_600_000), HttpServerSettings.STANDARD.idleMillis(),
            "Idle timeout of a connection in milliseconds, of its TLS handshake, and of the rest of a request or message: that has less"
                    + " the more connections there are, down to 500 ms. A client may take nothing of its answer for six times as"
                    + " long.");
    public static final Key<List<Prefix>> HTTP_TRUSTED_PROXIES = reloaded("http.trusted-proxies",
            AddressKinds.prefixes(),
            List.of(),
            "Reverse proxies whose X-Forwarded-For is believed.");
    public static final Key<Path> HTTP_TLS_CERTIFICATE = reloaded("http.tls-certificate",
            PathKinds.file(), Path.of(""),
            "Certificates for TLS, the server's first: PEM, or PKCS #12 (*.p12, *.pfx). Without it Handle has one that is signed with"
                    + " the server's key, and ALTO makes one.");
    public static final Key<Path> HTTP_TLS_KEY = reloaded("http.tls-key",
            PathKinds.file(), Path.of(""),
            "Private key of that certificate in PEM, PKCS #8; none if the certificate is in PKCS #12.");
    public static final Key<Path> HTTP_TLS_PASSWORD_FILE = reloaded("http.tls-password-file",
            PathKinds.file(), Path.of(""),
            "File whose first line is the password of that key, or of the PKCS #12; without it they have none.");

    public static final Key<Boolean> GNRS_ENABLED = fixed("gnrs.enabled",
            ValueKind.flag(), true,
            "Whether names are answered over GNRS; a server of handles alone has no use for it.");
    public static final Key<List<InetAddress>> GNRS_LISTEN = fixed("gnrs.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which GNRS is answered.");
    public static final Key<Long> GNRS_PORT = fixed("gnrs.port",
            ValueKind.whole(0, 65535), 5001L,
            "UDP port of GNRS; 0 takes a free one and says which.");
    public static final Key<Long> GNRS_BINDINGS_MAX = reloaded("gnrs.bindings-max",
            ValueKind.whole(1, io.guidepost.base.CommonLimits.LOCATORS_MAX), 100L,
            "Places that one GUID may be bound to; an INSERT of more is answered FAILED.");
    public static final Key<Long> GNRS_ANSWER_BYTES_MAX = reloaded("gnrs.answer-bytes-max",
            ValueKind.bytes(64, 65507), 16384L,
            "Longest answer in bytes; what does not fit is left out, and the answer says so. "
                    + "Askers that do not say how much they take get 2048 at most, the buffers of old clients.");
    public static final Key<Long> GNRS_AMPLIFICATION = reloaded("gnrs.amplification",
            ValueKind.whole(1, 100), 3L,
            "Bytes answered for each byte asked, at most, so that the server is of no use for reflection attacks.");
    public static final Key<List<Prefix>> GNRS_TRUSTED = reloaded("gnrs.trusted",
            AddressKinds.prefixes(),
            List.of("127.0.0.0/8", "::1/128"),
            "Senders whose addresses cannot be forged here: the bound of gnrs.amplification is not applied to them.");
    public static final Key<List<Prefix>> GNRS_WRITERS = reloaded("gnrs.writers",
            AddressKinds.prefixes(),
            List.of("127.0.0.0/8", "::1/128"),
            "Senders that may write; the writes of others are answered FAILED, but for what other servers of the deployment relay.");
    public static final Key<Boolean> GNRS_READ_ONLY = reloaded("gnrs.read-only",
            ValueKind.flag(), false,
            "No client may write, whatever gnrs.writers says.");
    public static final Key<Long> GNRS_WRITER_NAMES_MAX = reloaded("gnrs.writer-names-max",
            ValueKind.whole(0, Long.MAX_VALUE), 0L,
            "Names that the senders of one network (/24 of IPv4, /48 of IPv6) may hold; 0 = no bound.");
    public static final Key<Long> GNRS_WRITER_BYTES_MAX = reloaded("gnrs.writer-bytes-max",
            ValueKind.whole(0, Long.MAX_VALUE), 0L,
            "Bytes of records that the senders of one network may hold; 0 = no bound.");
    public static final Key<Long> GNRS_TTL_MILLIS = reloaded("gnrs.default-ttl-millis",
            ValueKind.whole(0, 1L << 50), 0L,
            "Cache lifetime of bindings that come without one, in milliseconds; 0 = none is said.");
    public static final Key<Long> GNRS_EXPIRY_MILLIS = reloaded("gnrs.default-expiry-millis",
            ValueKind.whole(0, 1L << 50), 0L,
            "After how long bindings that come without an expiration end, in milliseconds; 0 = never.");
    public static final Key<Optional<InetSocketAddress>> GNRS_ADVERTISE = fixed("gnrs.advertise",
            AddressKinds.addressWithPort().orNone("the address asked"), "",
            "Address of this server as other servers and clients know it: in answers, and in the AS bindings.");
    public static final Key<String> GNRS_KERNEL_CACHE = fixed("gnrs.kernel-cache",
            ValueKind.text("an interface such as \"eth0\", or DEVICE[,KEY=VALUE]...; empty = none").as(ConfigurationKeys::kernelCache), "",
            "Network interface on which a program in the kernel (XDP) answers look-ups of names that are often asked for, see"
                    + " docs/gnrs.md.");

    public static final Key<List<String>> PACKET_PORTS = fixed("packet.ports",
            ValueKind.list(
                    ValueKind.text("a port").as(ConfigurationKeys::framePort),
                    "ports such as \"xdp:eth0\", separated by semicolons where it is a text", ";"),
            List.of(),
            "Network devices on which all services over UDP answer too: KIND:DEVICE[,KEY=VALUE]..., see docs/packet.md.");
    public static final Key<List<String>> PACKET_EAL = fixed("packet.eal",
            ValueKind.list(
                    ValueKind.text("KEY=VALUE, such as memory=256", "[a-z-]+=.+"),
                    "words such as \"memory=256\" or \"allow=0000:00:05.0\", see docs/packet.md"),
            List.of(),
            "How DPDK's environment abstraction layer starts, for all ports of DPDK whose names say nothing else.");

    public static final Key<Path> PLACEMENT_PREFIXES = reloaded("placement.prefix-file",
            PathKinds.file(), Path.of(""),
            "Prefix table: lines \"a.b.c.d/len AS\", may be gzipped. Without it every GUID is placed here.");
    public static final Key<Path> PLACEMENT_BINDINGS = reloaded("placement.binding-file",
            PathKinds.file(), Path.of(""),
            "Servers of the ASes: lines \"AS host port\", may be gzipped. Needed where a prefix table is given.");
    public static final Key<PlacementSettings.Mode> PLACEMENT_MODE = reloaded("placement.mode",
            ValueKind.choice(PlacementSettings.Mode.class), PlacementSettings.Mode.DMAP,
            "Placement by longest prefix as DMap describes, or exactly as the Java server of 2014 placed.");
    public static final Key<PlacementHash> PLACEMENT_HASH = reloaded("placement.hash",
            ValueKind.choice(PlacementHash.class), PlacementHash.SHA_1,
            "Hash function of placement; the same at every server.");
    public static final Key<Long> PLACEMENT_REPLICAS = reloaded("placement.replicas",
            ValueKind.whole(1, 32), 5L,
            "Copies of each GUID (K); the same at every server.");

    public static final Key<Path> SITES_FILE = reloaded("sites.file",
            PathKinds.file(), Path.of(""),
            "Membership: lines \"name address:port kind\", kind guidepost or v1. Without it the AS bindings name the servers.");
    public static final Key<Path> SITES_KEY_FILE = fixed("sites.key-file",
            PathKinds.file(), Path.of(""),
            "Secret that all servers of the deployment share and seal their messages with; empty = none are sealed.");
    public static final Key<Long> SITES_PORT = fixed("sites.port",
            ValueKind.whole(0, 65535), 0L,
            "UDP port from which copies are brought into line with other servers; 0 takes a free one.");
    public static final Key<Long> SITES_TIMEOUT_MILLIS = fixed("sites.timeout-millis",
            ValueKind.whole(5, 60_000), 500L,
            "Timeout of one request to another server in milliseconds. Servers are pinged as often; a silent one is down after three.");
    public static final Key<ReplicationSettings.Choice> SITES_CHOICE = fixed("sites.choice",
            ValueKind.choice(ReplicationSettings.Choice.class), ReplicationSettings.Choice.NEAREST,
            "Which replica a lookup asks first: the one whose answers came soonest so far, any, or all at once.");
    public static final Key<Long> SITES_ANSWERS = fixed("sites.answers",
            ValueKind.whole(1, 32), 1L,
            "Replicas whose answers are merged for one lookup.");
    public static final Key<ReplicationSettings.Quorum> SITES_QUORUM = fixed("sites.quorum",
            ValueKind.choice(ReplicationSettings.Quorum.class), ReplicationSettings.Quorum.MAJORITY,
            "How many of the servers that keep a GUID must hold a write durably before it is acknowledged.");
    public static final Key<Long> SITES_CACHE_TTL_MILLIS = fixed("sites.cache-ttl-millis",
            ValueKind.whole(0, 1L << 50), 1000L,
            "Cache TTL of other servers' bindings that come without one, in milliseconds, and of negative answers, a second at most;"
                    + " 0 = nothing is cached.");
    public static final Key<Long> SITES_TOMBSTONE_MILLIS = fixed("sites.tombstone-millis",
            ValueKind.whole(1000, 1L << 50), 864_000_000L,
            "How long deletions are kept in mind, in milliseconds. A server away for longer comes back without what only it has.");
    public static final Key<Long> SITES_CATCH_UP_BYTES = fixed("sites.catch-up-bytes-per-second",
            ValueKind.bytes(1024, Integer.MAX_VALUE), 16L << 20,
            "Bytes sent in a second to bring copies into line, to all servers together.");
    public static final Key<Long> SITES_COMPARE_MILLIS = fixed("sites.compare-millis",
            ValueKind.whole(10, Integer.MAX_VALUE), 60_000L,
            "How often copies are compared with another server's, in milliseconds.");

    public static final Key<StoreEngine> STORE_ENGINE = fixed("store.engine",
            ValueKind.choice(StoreEngine.class), StoreEngine.ROCKSDB,
            "Where the records are: in files of this server, or in a cluster of Apache Cassandra that several servers share, see"
                    + " docs/fleets.md.");
    public static final Key<Path> STORE_FOLDER = fixed("store.folder",
            PathKinds.madeFolder(), Path.of("guidepost-store"),
            "Folder of the records; made if it is not there.");
    public static final Key<Durability> STORE_DURABILITY = fixed("store.durability",
            ValueKind.choice(Durability.class), Durability.FSYNC,
            "When a write is acknowledged: when the disk has it, when the operating system has it, or at once.");
    public static final Key<Long> STORE_MEMORY = fixed("store.memory",
            ValueKind.bytes(32 << 20, 1L << 40), 4L << 30,
            "Memory of the store outside of the Java heap, taken as needed: a 128th each, 1 to 32 MiB, for the block cache and for"
                    + " each of three memtables of RocksDB, and the rest for the read index. Records beyond it are read from the disk.");

    public static final Key<Boolean> HANDLE_ENABLED = fixed("handle.enabled",
            ValueKind.flag(), false,
            "Whether handles are answered: over UDP, TCP and HTTP.");
    public static final Key<Path> HANDLE_FOLDER = fixed("handle.folder",
            PathKinds.madeFolder(), Path.of("guidepost-handle"),
            "Folder of the server's keys, its site, its certificate and its access log; what is missing there is made.");
    public static final Key<List<InetAddress>> HANDLE_LISTEN = fixed("handle.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which handles are answered.");
    public static final Key<Long> HANDLE_UDP_PORT = fixed("handle.udp-port",
            ValueKind.whole(-1, 65535), 2641L,
            "UDP port of the native protocol; 0 takes a free one, -1 none.");
    public static final Key<Long> HANDLE_TCP_PORT = fixed("handle.tcp-port",
            ValueKind.whole(-1, 65535), 2641L,
            "TCP port of the native protocol; 0 takes a free one, -1 none.");
    public static final Key<Long> HANDLE_HTTP_PORT = fixed("handle.http-port",
            ValueKind.whole(-1, 65535), 8000L,
            "TCP port of HTTP and HTTPS, which share it; 0 takes a free one, -1 none.");
    public static final Key<Optional<InetAddress>> HANDLE_ADVERTISE = fixed("handle.advertise",
            AddressKinds.address().orNone("the first that is listened at, or loopback"), "",
            "Address of this server in the description of its site, when that is made at the first start.");
    public static final Key<Long> HANDLE_SERVER_ID = fixed("handle.server-id",
            ValueKind.whole(1, Integer.MAX_VALUE), 1L,
            "Number of this server in its site.");
    public static final Key<Path> HANDLE_PASSPHRASE_FILE = fixed("handle.passphrase-file",
            PathKinds.file(), Path.of(""),
            "File whose first line is the passphrase of privkey.bin; without it the variable GUIDEPOST_PASSPHRASE is read.");
    public static final Key<List<ValueReference>> HANDLE_SERVER_ADMINS = reloaded("handle.server-admins",
            ValueKind.list(ValueKind.text("an identity").as(ValueReference::parse), "identities such as \"300:0.NA/1234\""),
            List.of(),
            "Who may home prefixes here, and take them away.");
    public static final Key<List<Handle>> HANDLE_AUTO_HOMED = fixed("handle.auto-homed",
            ValueKind.list(
                    ValueKind.text("a prefix", "[^\\s/]+|0\\.NA/[^\\s/]+").as(ConfigurationKeys::prefixHandle),
                    "prefixes such as \"1234\" or \"0.NA/1234\""),
            List.of(),
            "Prefixes that are homed at the start if they are not yet.");
    public static final Key<Boolean> HANDLE_CASE_SENSITIVE = fixed("handle.case-sensitive",
            ValueKind.flag(), false,
            "Whether handles that differ by the case of ASCII letters in their suffixes differ; never change it later.");
    public static final Key<List<HandlePermit>> HANDLE_PERMIT = fixed("handle.permit",
            ValueKind.choices(HandlePermit.class),
            List.of(HandlePermit.PREFIX_ADMINS, HandlePermit.LISTING, HandlePermit.CLIENT_CERTIFICATES),
            "What the server permits besides resolution and administration by those whom a handle names; see docs/handle.md.");
    public static final Key<List<ValueReference>> HANDLE_STATUS_ADMINS = reloaded("handle.status-admins",
            ValueKind.list(ValueKind.text("an identity").as(ValueReference::parse), "identities such as \"300:0.NA/1234\""),
            List.of(),
            "Who may read the handles 0.SITE/status and 0.SITE/DB_STATUS.");
    public static final Key<List<ValueReference>> HANDLE_REPLICATION_ADMINS = reloaded("handle.replication-admins",
            ValueKind.list(ValueKind.text("an identity").as(ValueReference::parse), "identities such as \"300:0.NA/1234\""),
            List.of(),
            "Which mirrors may follow this server.");
    public static final Key<Boolean> HANDLE_READ_ONLY = fixed("handle.read-only",
            ValueKind.flag(), false,
            "Whether no changes are taken, as by a mirror.");
    public static final Key<Path> HANDLE_MIRROR_SITE = fixed("handle.mirror-site",
            PathKinds.file(), Path.of(""),
            "Site to mirror, as siteinfo.json or siteinfo.bin says it; then this server has its records, and takes no changes.");
    public static final Key<List<Path>> HANDLE_PRIMARIES = fixed("handle.replication-primaries",
            PathKinds.files(),
            List.of(),
            "Sites that take changes of the same handles besides this one: each follows the others, and the newest change wins.");
    public static final Key<Optional<ValueReference>> HANDLE_MIRROR_IDENTITY = fixed("handle.mirror-identity",
            ValueKind.text("an identity").as(ValueReference::parse)
                    .orNone("none; needed with handle.mirror-site and handle.replication-primaries"), "",
            "As whom it is mirrored, such as \"300:0.NA/1234\": one of its replication administrators.");
    public static final Key<Path> HANDLE_MIRROR_KEY = fixed("handle.mirror-key",
            PathKinds.file(), Path.of(""),
            "Private key of that identity; without it that of this server. Its passphrase is looked for in the same place.");
    public static final Key<Long> HANDLE_MIRROR_SECONDS = fixed("handle.mirror-seconds",
            ValueKind.whole(1, 86_400), 60L,
            "How often it is asked what changed, in seconds.");
    public static final Key<Path> HANDLE_OTHER_SITES = fixed("handle.other-sites",
            PathKinds.file(), Path.of(""),
            "Sites of other prefixes, as in local_info.json: asked for keys and groups there, and for who wants recursion.");
    public static final Key<Path> HANDLE_ROOT_SITE = fixed("handle.root-site",
            PathKinds.file(), Path.of(""),
            "Site that knows all other prefixes, as siteinfo.json or siteinfo.bin says it; without it only those are asked.");
    public static final Key<Path> HANDLE_PAGES = reloaded("handle.pages",
            PathKinds.folder(), Path.of(""),
            "Folder of pages for browsers: query.html, response.html, error.html, robots.txt, favicon.ico, hosts/NAME/error.html.");
    public static final Key<List<String>> HANDLE_PAGE_HEADERS = reloaded("handle.page-headers",
            ValueKind.list(ValueKind.text("a header such as X-Robots-Tag: noindex", HEADER), "headers such as \"X-Robots-Tag: noindex\""),
            List.of(),
            "Headers added to all pages for browsers.");
    public static final Key<String> HANDLE_TEMPLATE_DELIMITER = reloaded("handle.template-delimiter",
            ValueKind.text("some characters"), "",
            "What parts base and extension of handles made by templates, where HS_NAMESPACE of the prefix does not say.");
    public static final Key<Path> HANDLE_NAMESPACE_FILE = reloaded("handle.namespace-file",
            PathKinds.file(), Path.of(""),
            "XML as in HS_NAMESPACE, for prefixes that have none of their own.");
    public static final Key<Boolean> HANDLE_NAMESPACE_OVERRIDE = reloaded("handle.namespace-override",
            ValueKind.flag(), false,
            "Whether these two count for prefixes too that have HS_NAMESPACE.");
    public static final Key<List<String>> HANDLE_SEARCH_TYPES = fixed("handle.search-types",
            ValueKind.list(ValueKind.text("a type such as URL", "[!-~]+"), "types of values"),
            List.of("URL", "EMAIL"),
            "Types whose public values handles can be searched by; each costs an entry for each value.");
    public static final Key<AccessLog.Form> HANDLE_ACCESS_LOG = fixed("handle.access-log",
            ValueKind.choice(AccessLog.Form.class), AccessLog.Form.OFF,
            "Whether each access is written to logs/access.log: as the customary line, or as JSON. It costs speed over UDP.");
    public static final Key<AccessLog.Rotation> HANDLE_ACCESS_LOG_ROTATION = fixed("handle.access-log-rotation",
            ValueKind.choice(AccessLog.Rotation.class), AccessLog.Rotation.MONTHLY,
            "When a new access log is begun; old ones are kept.");
    public static final Key<Long> HANDLE_ACCESS_LOG_BYTES = fixed("handle.access-log-bytes-max",
            ValueKind.bytes(0, 1L << 40), 0L,
            "Bytes from which on a new access log is begun too; 0 = however long it is.");
    public static final Key<Path> HANDLE_COUNTRIES = reloaded("handle.countries-file",
            PathKinds.file(), Path.of(""),
            "Where 10320/loc knows the country of a browser from: lines \"prefix country\", may be gzipped.");

    static {
        ROWS.addAll(TopologyKeys.ROWS);
        ROWS.addAll(NamesKeys.ROWS);
        ROWS.addAll(FleetKeys.ROWS);
    }

    public static final Key<Boolean> PROXIDOR_ENABLED = fixed("proxidor.enabled",
            ValueKind.flag(), false,
            "Whether lists of addresses are ranked over UDP (Proxidor).");
    public static final Key<List<InetAddress>> PROXIDOR_LISTEN = fixed("proxidor.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which Proxidor is answered.");
    public static final Key<Long> PROXIDOR_PORT = fixed("proxidor.port",
            ValueKind.whole(0, 65535), (long) ProxidorClient.PORT,
            "UDP port of Proxidor; 0 takes a free one.");
    public static final Key<Long> PROXIDOR_TTL_SECONDS = reloaded("proxidor.ttl-seconds",
            ValueKind.whole(0, 65535), (long) ProxidorSettings.TTL_SECONDS,
            "How long a ranked list may be used, in seconds.");
    public static final Key<Unknown> PROXIDOR_UNKNOWN = reloaded("proxidor.unknown",
            ValueKind.choice(Unknown.class), Unknown.DROP,
            "What becomes of unknown addresses: left out of the answer, or last.");
    public static final Key<List<Prefix>> PROXIDOR_TRUSTED = reloaded("proxidor.trusted",
            AddressKinds.prefixes(),
            List.of("127.0.0.0/8", "::1/128"),
            "Proxies that may ask for somebody else; the source that others name is not looked at.");

    public static final Key<Boolean> SCAFFOLD_ENABLED = fixed("scaffold.enabled",
            ValueKind.flag(), false,
            "Whether this is an object router of SCAFFOLD.");
    public static final Key<List<InetAddress>> SCAFFOLD_LISTEN = fixed("scaffold.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which hosts reach the object router.");
    public static final Key<Long> SCAFFOLD_PORT = fixed("scaffold.port",
            ValueKind.whole(0, 65535), 5500L,
            "UDP port of the object router; 0 takes a free one.");
    public static final Key<AllowedHosts> SCAFFOLD_HOSTS = reloaded("scaffold.hosts",
            ValueKind.list(ValueKind.text("a host"), "GUIDs of hosts, addresses, or prefixes such as \"10.0.0.0/8\"")
                    .as(AllowedHosts::parse),
            List.of("127.0.0.0/8", "::1/128"),
            "Hosts that may join, offer objects and connect to them: by the GUID of their key, or by the network that they send from.");
    public static final Key<Path> SCAFFOLD_FOLDER = fixed("scaffold.folder",
            PathKinds.madeFolder(), Path.of("guidepost-scaffold"),
            "Folder of the object router's key, which is made at the first start.");

    public static final Key<Boolean> DNS_ENABLED = fixed("dns.enabled",
            ValueKind.flag(), false,
            "Whether names are answered over DNS, as those of a zone.");
    public static final Key<List<InetAddress>> DNS_LISTEN = fixed("dns.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which DNS is answered, over UDP and TCP.");
    public static final Key<Long> DNS_PORT = fixed("dns.port",
            ValueKind.whole(0, 65535), 53L,
            "Port of DNS, of UDP and TCP; 0 takes free ones.");
    public static final Key<Optional<DnsName>> DNS_ZONE = fixed("dns.zone",
            domain().orNone("none; needed with dns.enabled"), "",
            "The zone whose names are answered, such as names.example.");
    public static final Key<List<DnsName>> DNS_NAME_SERVERS = reloaded("dns.name-servers",
            ValueKind.list(domain(), "domain names such as \"ns1.example.net\""),
            List.of(),
            "Names of the zone's servers, the primary first; empty = ns and the zone, an ordinary name that is to be bound.");
    public static final Key<Long> DNS_TTL_SECONDS = reloaded("dns.ttl-seconds",
            ValueKind.whole(0, Integer.MAX_VALUE), 60L,
            "TTL of records of places that come without one, in seconds.");
    public static final Key<List<Prefix>> DNS_TRANSFER = reloaded("dns.transfer",
            AddressKinds.prefixes(),
            List.of(),
            "Secondaries that may transfer the zone (AXFR, IXFR), with all names in it.");
    public static final Key<List<InetSocketAddress>> DNS_NOTIFY = reloaded("dns.notify",
            ValueKind.list(AddressKinds.addressWithPort(), "addresses with ports such as \"192.0.2.7:53\""),
            List.of(),
            "Secondaries that are told when the zone has changed (NOTIFY).");

    public static final Key<InetAddress> ADMIN_ADDRESS = fixed("admin.address",
            AddressKinds.address(), "127.0.0.1",
            "Address of the admin port. One that is not loopback needs admin.token-file and http.tls-certificate.");
    public static final Key<Long> ADMIN_PORT = fixed("admin.port",
            ValueKind.whole(-1, 65535), 5080L,
            "TCP port of metrics, health, reload and backup over HTTP; 0 takes a free one and says which, -1 none.");

    public static final Key<Path> ADMIN_TOKEN = reloaded("admin.token-file",
            PathKinds.file(), Path.of(""),
            "File whose first line a client must send as \"Authorization: Bearer\" to change anything; empty = no token.");

    public static final Key<Path> ADMIN_SOCKET = fixed("admin.socket",
            PathKinds.madeFile(), Path.of(""),
            "Unix socket on which the admin port answers its own user without a token (mode 600); empty = none.");
    public static final Key<Path> ADMIN_BACKUP_FOLDER = fixed("admin.backup-folder",
            PathKinds.madeFolder(), Path.of("guidepost-backups"),
            "Folder in which backups are made, each in a folder of its name; made if it is not there.");

    public static final Key<Level> LOG_LEVEL = fixed("log.level",
            ValueKind.choice(Level.class), Level.INFO,
            "How much the log says.");
    public static final Key<LogFormat> LOG_FORMAT = fixed("log.format",
            ValueKind.choice(LogFormat.class), LogFormat.TEXT,
            "How a line of the log looks: text for people, or an object of JSON for programs that collect logs.");

    /** The rows, in the order of the documentation. */
    public static final List<Key<?>> ALL = List.copyOf(ROWS);

    private ConfigurationKeys() {}

    private static ValueKind<DnsName> domain() {
        return ValueKind.text("a domain name").as(DnsName::parse);
    }

    private static String kernelCache(String text) throws Malformed {
        if (!text.isEmpty()) {
            KernelCacheOptions.of(text);
        }
        return text;
    }

    private static String framePort(String text) throws Malformed {
        try {
            Hosts.check(text);
            return text;
        } catch (IOException e) {
            throw new Malformed(String.valueOf(e.getMessage()), 0);
        }
    }

    private static Handle prefixHandle(String text) throws Malformed {
        return text.indexOf('/') < 0 ? Handle.ofPrefix(text) : Handle.parse(text);
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

    /** The key of a name, or null. */
    public static @Nullable Key<?> find(String name) {
        return ALL.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }

    /** The name of the key whose spelling is nearest to a text. */
    static String nearest(String name) {
        return ALL.stream()
                .map(Key::name)
                .min(Comparator.comparingInt(each -> Math.min(SpellingSuggestion.changes(name, each), 1 + leafDistance(name, each))))
                .orElseThrow();
    }

    private static int leafDistance(String name, String key) {
        return SpellingSuggestion.changes(name.substring(name.lastIndexOf('.') + 1), key.substring(key.indexOf('.') + 1));
    }
}
