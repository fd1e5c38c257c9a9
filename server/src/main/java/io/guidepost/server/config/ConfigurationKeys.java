package io.guidepost.server.config;

import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.alto.proxidor.ProxidorSettings;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.base.SpellingSuggestion;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.PlacementHash;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.handle.Handle;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.server.handle.AccessLog;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.epoll.ConnectionTransport;
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

    /** A device on the PCI bus as DPDK names it: its domain may be left out, and arguments of its driver may follow. */
    private static final String PCI = "([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7](,\\S*)?";

    /** A header field of HTTP: a token, a colon, visible characters and blanks (RFC 9110). */
    private static final String HEADER = "[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t -~]*";

    /** How much the log says. */
    public enum Level {
        ERROR,
        WARNING,
        INFO,
        DEBUG
    }

    /** What becomes of unknown addresses in a ranked list. */
    public enum Unknown {
        DROP,
        LAST
    }

    public static final Key<List<InetAddress>> GNRS_LISTEN = fixed("gnrs.listen",
            AddressKinds.listen(),
            List.of("::"),
            "Addresses on which GNRS is answered.");
    public static final Key<Long> GNRS_PORT = fixed("gnrs.port",
            ValueKind.whole(0, 65535), 5001L,
            "UDP port of GNRS; 0 takes a free one and says which.");
    public static final Key<Long> GNRS_WORKERS = fixed("gnrs.workers",
            ValueKind.whole(0, 256), 0L,
            "Threads that answer, each with sockets of its own; 0 = half of the processors, at least one.");
    public static final Key<List<Long>> GNRS_CPUS = fixed("gnrs.cpus",
            ValueKind.list(ValueKind.whole(-1, 1023), "processor numbers, one for each worker; -1 = not pinned; empty = chosen"),
            List.of(),
            "Processors that the workers are pinned to. Empty pins them when there are at least two to a worker.");
    public static final Key<UdpBackEnd> GNRS_BACK_END = fixed("gnrs.back-end",
            ValueKind.choice(UdpBackEnd.class), UdpBackEnd.BEST,
            "Sockets used: batched calls of the Linux kernel, the channels of the JDK, or the best that works here.");
    public static final Key<SegmentationOffload> GNRS_GRO = fixed("gnrs.gro",
            ValueKind.choice(SegmentationOffload.class), SegmentationOffload.AUTO,
            "Whether the kernel may hand over trains of datagrams of one sender as one, and take answers likewise.");
    public static final Key<Long> GNRS_SPIN_MICROS = fixed("gnrs.spin-micros",
            ValueKind.whole(0, 1_000_000), 0L,
            "How long a worker looks for more datagrams before it sleeps, in microseconds. "
                    + "50, with gnrs.nap-micros at 0, answers soonest, at the price of a processor for each worker.");
    public static final Key<Long> GNRS_NAP_MICROS = fixed("gnrs.nap-micros",
            ValueKind.whole(0, 1000), 40L,
            "How long a worker lets datagrams gather at most when they come densely, in microseconds: fewer wake-ups, later answers."
                    + " It wakes before that if two are likely to have come.");
    public static final Key<Boolean> GNRS_REAL_TIME = fixed("gnrs.real-time",
            ValueKind.flag(), false,
            "Whether workers go before all other threads of their processor (SCHED_FIFO) as long as they sleep a quarter of the"
                    + " time: for machines on which other programs run too. Needs CAP_SYS_NICE or an rtprio limit of 2.");
    public static final Key<Boolean> GNRS_ASIDE = fixed("gnrs.aside",
            ValueKind.flag(), true,
            "Whether networks that ask too much are received apart for as long as they do, by sockets of their own (Linux)."
                    + " Others then are answered as if there were no flood.");
    public static final Key<Long> GNRS_BINDINGS_MAX = fixed("gnrs.bindings-max",
            ValueKind.whole(1, io.guidepost.base.CommonLimits.LOCATORS_MAX), 100L,
            "Places that one GUID may be bound to; an INSERT of more is answered FAILED.");
    public static final Key<Long> GNRS_ANSWER_BYTES_MAX = fixed("gnrs.answer-bytes-max",
            ValueKind.bytes(64, 65507), 16384L,
            "Longest answer in bytes; what does not fit is left out, and the answer says so. "
                    + "Askers that do not say how much they take get 2048 at most, the buffers of old clients.");
    public static final Key<Long> GNRS_AMPLIFICATION = fixed("gnrs.amplification",
            ValueKind.whole(1, 100), 3L,
            "Bytes answered for each byte asked, at most, so that the server is of no use for reflection attacks.");
    public static final Key<List<Prefix>> GNRS_TRUSTED = fixed("gnrs.trusted",
            AddressKinds.prefixes(),
            List.of("127.0.0.0/8", "::1/128"),
            "Senders whose addresses cannot be forged here: the bound of gnrs.amplification is not applied to them.");
    public static final Key<Long> GNRS_TTL_MILLIS = fixed("gnrs.default-ttl-millis",
            ValueKind.whole(0, 1L << 50), 0L,
            "Cache lifetime of bindings that come without one, in milliseconds; 0 = none is said.");
    public static final Key<Long> GNRS_EXPIRY_MILLIS = fixed("gnrs.default-expiry-millis",
            ValueKind.whole(0, 1L << 50), 0L,
            "After how long bindings that come without an expiration end, in milliseconds; 0 = never.");
    public static final Key<Optional<InetSocketAddress>> GNRS_ADVERTISE = fixed("gnrs.advertise",
            AddressKinds.addressWithPort().orNone("the address asked"), "",
            "Address of this server as other servers and clients know it: in answers, and in the AS bindings.");
    public static final Key<Long> GNRS_WRITES_MAX = fixed("gnrs.writes-in-flight-max",
            ValueKind.whole(1, 1 << 16), 4096L,
            "Writes of one worker that may wait for the disk at a time; further ones are answered FAILED.");
    public static final Key<Long> GNRS_LOOKUPS_MAX = fixed("gnrs.lookups-deferred-max",
            ValueKind.whole(0, 1 << 12), 256L,
            "Lookups of one worker that may wait for the disk at a time; further ones are answered FAILED.");

    public static final Key<LocatorOrder> GNRS_ORDER = fixed("gnrs.order",
            ValueKind.choice(LocatorOrder.class), LocatorOrder.NEAREST,
            "Whether places arrive nearest to the asker first, where a topology is loaded.");

    public static final Key<List<String>> PACKET_PORTS = fixed("packet.ports",
            ValueKind.list(
                    ValueKind.text("a port").as(ConfigurationKeys::framePort),
                    "ports such as \"xdp:eth0\", separated by semicolons where it is a text", ";"),
            List.of(),
            "Network devices on which GNRS is answered beside the kernel's sockets: KIND:DEVICE[,KEY=VALUE]..., see docs/packet.md.");
    public static final Key<Long> PACKET_QUEUES = fixed("packet.queues",
            ValueKind.whole(0, 256), 1L,
            "Queues of each of these ports, one for a worker; 0 = as many as there are workers.");
    public static final Key<Long> PACKET_BURST = fixed("packet.burst",
            ValueKind.whole(1, 1024), 64L,
            "Frames that are received, sent and given back at once, at most.");
    public static final Key<Long> PACKET_FLUSH = fixed("packet.flush-micros",
            ValueKind.whole(0, 10_000), 0L,
            "How long answers may wait for others on these ports, so that fuller bursts leave, in microseconds; "
                    + "0 = they leave in every turn.");
    public static final Key<Long> PACKET_IDLE_SLEEP = fixed("packet.idle-sleep-micros",
            ValueKind.whole(50, 1_000_000), 1000L,
            "How long a worker sleeps at most between two looks at a port of DPDK, once nothing has come for 10 ms; "
                    + "50 = it always looks 20,000 times in a second.");
    public static final Key<Long> PACKET_FRAMES = fixed("packet.frames",
            ValueKind.whole(0, 1 << 22), 0L,
            "Frames of packet memory of each port; 0 = as its kind has it.");
    public static final Key<Long> PACKET_FRAME_BYTES = fixed("packet.frame-bytes",
            ValueKind.bytes(2048, 65536).as(ConfigurationKeys::powerOfTwo), 2048L,
            "Bytes of each, a power of two; more than 2 KiB for frames longer than 1,518 bytes.");
    public static final Key<Long> PACKET_CHANNELS = fixed("packet.memory-channels",
            ValueKind.whole(0, 64), 0L,
            "DPDK: memory channels of this machine; 0 = not known.");
    public static final Key<Long> PACKET_MEMORY = fixed("packet.memory-mib",
            ValueKind.whole(0, 1 << 20), 0L,
            "DPDK: memory for rings, devices and frames in MiB; 0 = as much as is needed.");
    public static final Key<String> PACKET_PROGRAM = fixed("packet.program-name",
            ValueKind.text("letters, digits and - _ .", "[A-Za-z0-9._-]+"), "guidepost",
            "DPDK: what it calls this process in its log.");
    public static final Key<List<String>> PACKET_BLOCK = fixed("packet.block-list",
            ValueKind.list(ValueKind.text("a place such as 0000:00:03.0", PCI), "places on the PCI bus such as \"0000:00:03.0\""),
            List.of(),
            "DPDK: devices that it must leave alone.");
    public static final Key<List<String>> PACKET_ALLOW = fixed("packet.allow-list",
            ValueKind.list(ValueKind.text("a place such as 0000:00:03.0", PCI), "places on the PCI bus such as \"0000:00:05.0\""),
            List.of(),
            "DPDK: devices that it alone may use; not together with packet.block-list.");

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
    public static final Key<Long> PLACEMENT_REHASH = reloaded("placement.rehash",
            ValueKind.whole(1, 32), 10L,
            "Hashes tried in all until an address is announced (M), before the nearest block is taken.");

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
            ValueKind.whole(1, 60_000), 500L,
            "How long one question to another server waits for its answer at most, in milliseconds.");
    public static final Key<Long> SITES_ATTEMPTS_MAX = fixed("sites.attempts-max",
            ValueKind.whole(1, 8), 2L,
            "How often one server is asked for one request at most.");
    public static final Key<ReplicationSettings.Choice> SITES_CHOICE = fixed("sites.choice",
            ValueKind.choice(ReplicationSettings.Choice.class), ReplicationSettings.Choice.NEAREST,
            "Which replica a lookup asks first: the one whose answers came soonest so far, any, or all at once.");
    public static final Key<Boolean> SITES_RACE = fixed("sites.race",
            ValueKind.flag(), true,
            "Whether a second replica is asked when the first takes longer than 95 of 100 of its answers do.");
    public static final Key<Long> SITES_ANSWERS = fixed("sites.answers",
            ValueKind.whole(1, 32), 1L,
            "Replicas whose answers are merged for one lookup.");
    public static final Key<ReplicationSettings.Quorum> SITES_QUORUM = fixed("sites.quorum",
            ValueKind.choice(ReplicationSettings.Quorum.class), ReplicationSettings.Quorum.MAJORITY,
            "How many of the servers that keep a GUID must hold a write durably before it is acknowledged.");
    public static final Key<Long> SITES_RELAYS_MAX = fixed("sites.relays-max",
            ValueKind.whole(1, 1 << 16), 4096L,
            "Requests of clients that one worker may have waiting for other servers; further ones are answered FAILED.");
    public static final Key<Long> SITES_CACHE_BYTES_MAX = fixed("sites.cache-bytes-max",
            ValueKind.bytes(0, 1L << 30), 16L << 20,
            "Memory of one worker for records of other servers; 0 = nothing is remembered.");
    public static final Key<Boolean> SITES_LOCAL_REPLICA = fixed("sites.local-replica",
            ValueKind.flag(), true,
            "Whether what clients write through this server but other servers keep is remembered here at once.");
    public static final Key<Long> SITES_CACHE_TTL_MILLIS = fixed("sites.cache-ttl-millis",
            ValueKind.whole(0, 1L << 50), 1000L,
            "How long bindings without a cache lifetime are remembered, in milliseconds; 0 = not at all.");
    public static final Key<Long> SITES_NEGATIVE_TTL_MILLIS = fixed("sites.negative-ttl-millis",
            ValueKind.whole(0, 1L << 50), 1000L,
            "How long it is remembered that a GUID is bound to nothing, in milliseconds; 0 = not at all.");
    public static final Key<Long> SITES_TOMBSTONE_MILLIS = fixed("sites.tombstone-millis",
            ValueKind.whole(1000, 1L << 50), 864_000_000L,
            "How long deletions are kept in mind, in milliseconds. A server away for longer comes back without what only it has.");
    public static final Key<Long> SITES_STAMP_AHEAD_MILLIS = fixed("sites.stamp-ahead-millis",
            ValueKind.whole(0, 1L << 50), 86_400_000L,
            "How far another server's clock may be ahead of this one's, in milliseconds; writes from later are refused.");
    public static final Key<Long> SITES_HINT_BYTES_MAX = fixed("sites.hint-bytes-max",
            ValueKind.bytes(0, 1L << 40), 64L << 20,
            "Memory for writes that wait for servers that do not answer, of all of them together.");
    public static final Key<Long> SITES_CATCH_UP_BYTES = fixed("sites.catch-up-bytes-per-second",
            ValueKind.bytes(1024, Integer.MAX_VALUE), 16L << 20,
            "Bytes sent in a second to bring copies into line, to all servers together.");
    public static final Key<Long> SITES_PING_MILLIS = fixed("sites.ping-millis",
            ValueKind.whole(10, 3_600_000), 1000L,
            "How often another server is asked whether it is there, when nothing else was heard of it, in milliseconds.");
    public static final Key<Long> SITES_COMPARE_MILLIS = fixed("sites.compare-millis",
            ValueKind.whole(10, Integer.MAX_VALUE), 60_000L,
            "How often copies are compared with another server's, in milliseconds.");

    public static final Key<Path> STORE_FOLDER = fixed("store.folder",
            PathKinds.madeFolder(), Path.of("guidepost-store"),
            "Folder of the records; made if it is not there.");
    public static final Key<Durability> STORE_DURABILITY = fixed("store.durability",
            ValueKind.choice(Durability.class), Durability.FSYNC,
            "When a write is acknowledged: when the disk has it, when the operating system has it, or at once.");
    public static final Key<Long> STORE_INDEX_BYTES_MAX = fixed("store.index-bytes-max",
            ValueKind.bytes(16 << 20, 1L << 40), 4L << 30,
            "Memory of the read index outside of the Java heap, taken as needed; records beyond it are read from the disk.");
    public static final Key<Long> STORE_QUEUE_MAX = fixed("store.queue-max",
            ValueKind.whole(64, 1 << 20), 65536L,
            "Writes that may wait for the disk at a time, rounded up to a power of two; further ones are refused.");
    public static final Key<Long> STORE_GROUP_MAX = fixed("store.group-max",
            ValueKind.whole(1, 65536), 4096L,
            "Writes made durable with one sync, at most.");
    public static final Key<Long> STORE_GATHER_MICROS = fixed("store.gather-micros",
            ValueKind.whole(0, 10_000), 1000L,
            "How long a group of writes waits for as many to come as there were before, in microseconds at most; 0 = never.");
    public static final Key<Long> STORE_BLOCK_CACHE_BYTES = fixed("store.block-cache-bytes",
            ValueKind.bytes(1 << 20, 64L << 30), 32L << 20,
            "Memory of the engine's cache of its files; used where the index does not hold all.");
    public static final Key<Long> STORE_MEMTABLE_BYTES = fixed("store.memtable-bytes",
            ValueKind.bytes(512 << 10, 1 << 30), 32L << 20,
            "Memory of the engine for writes that the next sorted file will hold; up to three times as much can exist at once.");
    public static final Key<Long> STORE_LOG_BYTES_KEPT = fixed("store.log-bytes-kept",
            ValueKind.bytes(0, 1L << 40), 64L << 20,
            "Log kept for the change feed beyond what the engine itself needs.");

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
    public static final Key<String> HANDLE_DESCRIPTION = fixed("handle.description",
            ValueKind.text("a few words"), "Guidepost",
            "What the description of the site says of it, when that is made at the first start.");
    public static final Key<Long> HANDLE_SERVER_ID = fixed("handle.server-id",
            ValueKind.whole(1, Integer.MAX_VALUE), 1L,
            "Number of this server in its site.");
    public static final Key<Path> HANDLE_PASSPHRASE_FILE = fixed("handle.passphrase-file",
            PathKinds.file(), Path.of(""),
            "File whose first line is the passphrase of privkey.bin; without it the variable GUIDEPOST_PASSPHRASE is read.");
    public static final Key<Path> HANDLE_TLS_CERTIFICATE = reloaded("handle.tls-certificate",
            PathKinds.file(), Path.of(""),
            "Certificates for TLS, the server's first: PEM, or PKCS #12 (*.p12, *.pfx); without it one is signed with the server's key.");
    public static final Key<Path> HANDLE_TLS_KEY = reloaded("handle.tls-key",
            PathKinds.file(), Path.of(""),
            "Private key of that certificate in PEM, PKCS #8; none if the certificate is in PKCS #12.");
    public static final Key<Path> HANDLE_TLS_PASSWORD_FILE = reloaded("handle.tls-password-file",
            PathKinds.file(), Path.of(""),
            "File whose first line is the password of that key, or of the PKCS #12; without it they have none.");
    public static final Key<Boolean> HANDLE_CLIENT_CERTIFICATES = fixed("handle.client-certificates",
            ValueKind.flag(), true,
            "Whether clients over TLS are asked for a certificate; they need not have one.");
    public static final Key<List<ValueReference>> HANDLE_SERVER_ADMINS = fixed("handle.server-admins",
            ValueKind.list(ValueKind.text("an identity").as(ValueReference::parse), "identities such as \"300:0.NA/1234\""),
            List.of(),
            "Who may home prefixes here, and take them away.");
    public static final Key<Boolean> HANDLE_FULL_ACCESS = fixed("handle.server-admin-full-access",
            ValueKind.flag(), false,
            "Whether these have every right over every handle.");
    public static final Key<List<Handle>> HANDLE_AUTO_HOMED = fixed("handle.auto-homed",
            ValueKind.list(
                    ValueKind.text("a prefix", "[^\\s/]+|0\\.NA/[^\\s/]+").as(ConfigurationKeys::prefixHandle),
                    "prefixes such as \"1234\" or \"0.NA/1234\""),
            List.of(),
            "Prefixes that are homed at the start if they are not yet.");
    public static final Key<Boolean> HANDLE_CASE_SENSITIVE = fixed("handle.case-sensitive",
            ValueKind.flag(), false,
            "Whether handles that differ by the case of ASCII letters in their suffixes differ; never change it later.");
    public static final Key<Boolean> HANDLE_PREFIX_ADMINS = fixed("handle.prefix-admins",
            ValueKind.flag(), true,
            "Whether administrators of a prefix have rights over its handles too.");
    public static final Key<Boolean> HANDLE_LISTING = fixed("handle.listing",
            ValueKind.flag(), true,
            "Whether the handles of a prefix are listed to those who may see them.");
    public static final Key<Boolean> HANDLE_RECURSION = fixed("handle.recursion",
            ValueKind.flag(), false,
            "Whether other servers are asked for clients that want that.");
    public static final Key<Boolean> HANDLE_WEAK = fixed("handle.weak-cryptography",
            ValueKind.flag(), false,
            "Whether MD5, DES and short groups are taken from old clients.");
    public static final Key<Long> HANDLE_CHALLENGE_MILLIS = fixed("handle.challenge-millis",
            ValueKind.whole(1000, 3_600_000), 60_000L,
            "How long a challenge may be answered, in milliseconds.");
    public static final Key<Long> HANDLE_SESSION_MILLIS = fixed("handle.session-millis",
            ValueKind.whole(1000, 30L * 86_400_000), 86_400_000L,
            "How long a session lasts at most, in milliseconds.");
    public static final Key<List<ValueReference>> HANDLE_STATUS_ADMINS = fixed("handle.status-admins",
            ValueKind.list(ValueKind.text("an identity").as(ValueReference::parse), "identities such as \"300:0.NA/1234\""),
            List.of(),
            "Who may read the handles 0.SITE/status and 0.SITE/DB_STATUS.");
    public static final Key<List<ValueReference>> HANDLE_REPLICATION_ADMINS = fixed("handle.replication-admins",
            ValueKind.list(ValueKind.text("an identity").as(ValueReference::parse), "identities such as \"300:0.NA/1234\""),
            List.of(),
            "Which mirrors may follow this server.");
    public static final Key<Long> HANDLE_TRANSACTIONS_MAX = fixed("handle.transactions-max",
            ValueKind.whole(1000, 1L << 40), 10_000_000L,
            "Changes that are kept in mind for mirrors; one that is further behind needs everything anew.");
    public static final Key<Long> HANDLE_TRANSACTION_DAYS = fixed("handle.transaction-days",
            ValueKind.whole(1, 36_500), 365L,
            "How long changes are kept in mind for mirrors, in days.");
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
    public static final Key<Boolean> HANDLE_UDP_CHANGES = fixed("handle.udp-changes",
            ValueKind.flag(), false,
            "Whether changes are taken over UDP too; clients make them over TCP and HTTP.");
    public static final Key<Long> HANDLE_UDP_CALLS_MAX = fixed("handle.udp-calls-max",
            ValueKind.whole(1, 65_536), 1024L,
            "Messages of one worker over UDP that may wait for the disk at a time; further ones are dropped.");
    public static final Key<Long> HANDLE_UDP_BIG_BYTES = fixed("handle.udp-big-answer-bytes-per-second",
            ValueKind.bytes(0, 1L << 40), 4L << 20,
            "Bytes of answers of several packets to one network of clients in a second, against reflection; 0 = any number.");
    public static final Key<Long> HANDLE_LOOPS = fixed("handle.loops",
            ValueKind.whole(0, 256), 0L,
            "Threads that read and write connections; 0 = half of the processors, at least one.");
    public static final Key<Long> HANDLE_CONNECTIONS_MAX = fixed("handle.connections-max",
            ValueKind.whole(1, 1_000_000), 20_000L,
            "Connections at a time; further ones are closed at once.");
    public static final Key<Long> HANDLE_IN_FLIGHT_MAX = fixed("handle.in-flight-max",
            ValueKind.whole(1, 65_536), 1024L,
            "Requests over connections that may wait for the disk at a time; further ones are told that the server is busy.");
    public static final Key<Long> HANDLE_IDLE_MILLIS = fixed("handle.idle-millis",
            ValueKind.whole(100, 3_600_000), HttpServerSettings.STANDARD.idleMillis(),
            "How long a connection may be silent, and how long TLS may take to begin, in milliseconds.");
    public static final Key<Long> HANDLE_PART_MILLIS = fixed("handle.part-millis",
            ValueKind.whole(100, 60_000), HttpServerSettings.STANDARD.partMillis(),
            "How long the rest of a message or request may be out, in milliseconds from its first byte on; long ones may take"
                    + " a millisecond more for each 16 bytes that came.");
    public static final Key<Long> HANDLE_RECEIVER_MILLIS = fixed("handle.receiver-millis",
            ValueKind.whole(100, 3_600_000), HttpServerSettings.STANDARD.receiverMillis(),
            "How long a receiver may take nothing of its answer, in milliseconds.");
    public static final Key<Long> HANDLE_BODY_BYTES_MAX = fixed("handle.body-bytes-max",
            ValueKind.bytes(1 << 10, 1 << 30), 4L << 20,
            "Longest body of a request over HTTP.");
    public static final Key<List<Prefix>> HANDLE_TRUSTED_PROXIES = fixed("handle.trusted-proxies",
            AddressKinds.prefixes(),
            List.of(),
            "Proxies of HTTP whose X-Forwarded-For is believed.");
    public static final Key<Path> HANDLE_PAGES = fixed("handle.pages",
            PathKinds.folder(), Path.of(""),
            "Folder of pages for browsers: query.html, response.html, error.html, robots.txt, favicon.ico, hosts/NAME/error.html.");
    public static final Key<List<String>> HANDLE_PAGE_HEADERS = fixed("handle.page-headers",
            ValueKind.list(ValueKind.text("a header such as X-Robots-Tag: noindex", HEADER), "headers such as \"X-Robots-Tag: noindex\""),
            List.of(),
            "Headers added to all pages for browsers.");
    public static final Key<String> HANDLE_TEMPLATE_DELIMITER = fixed("handle.template-delimiter",
            ValueKind.text("some characters"), "",
            "What parts base and extension of handles made by templates, where HS_NAMESPACE of the prefix does not say.");
    public static final Key<Path> HANDLE_NAMESPACE_FILE = fixed("handle.namespace-file",
            PathKinds.file(), Path.of(""),
            "XML as in HS_NAMESPACE, for prefixes that have none of their own.");
    public static final Key<Boolean> HANDLE_NAMESPACE_OVERRIDE = fixed("handle.namespace-override",
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
    public static final Key<LocatorOrder> HANDLE_ORDER = fixed("handle.order",
            ValueKind.choice(LocatorOrder.class), LocatorOrder.NEAREST,
            "Whether 10320/loc may choose the location nearest to the browser, where a topology is loaded.");
    public static final Key<Path> HANDLE_COUNTRIES = fixed("handle.countries-file",
            PathKinds.file(), Path.of(""),
            "Where 10320/loc knows the country of a browser from: lines \"prefix country\", may be gzipped.");

    static {
        ROWS.addAll(TopologyKeys.ROWS);
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
    public static final Key<Long> PROXIDOR_TTL_SECONDS = fixed("proxidor.ttl-seconds",
            ValueKind.whole(0, 65535), (long) ProxidorSettings.TTL_SECONDS,
            "How long a ranked list may be used, in seconds.");
    public static final Key<Unknown> PROXIDOR_UNKNOWN = fixed("proxidor.unknown",
            ValueKind.choice(Unknown.class), Unknown.DROP,
            "What becomes of unknown addresses: left out of the answer, or last.");
    public static final Key<List<Prefix>> PROXIDOR_TRUSTED = fixed("proxidor.trusted",
            AddressKinds.prefixes(),
            List.of("127.0.0.0/8", "::1/128"),
            "Proxies that may ask for somebody else; the source that others name is not looked at.");
    public static final Key<Long> PROXIDOR_SOCKETS = fixed("proxidor.sockets",
            ValueKind.whole(1, 16), 1L,
            "Sockets of each worker, over which the kernel spreads those who ask: a flood from one port fills one.");
    public static final Key<Boolean> PROXIDOR_FAIR = fixed("proxidor.fair",
            ValueKind.flag(), true,
            "Whether those who ask more than their share give way while questions are lost for want of time.");

    public static final Key<ConnectionTransport> SERVER_TRANSPORT = fixed("server.transport",
            ValueKind.choice(ConnectionTransport.class), ConnectionTransport.EPOLL,
            "How connections of Handle and ALTO are read and written: by calls of the Linux kernel (elsewhere as nio), or by "
                    + "the channels of the JDK.");

    public static final Key<Boolean> ADMIN_ENABLED = fixed("admin.enabled",
            ValueKind.flag(), true,
            "Whether metrics, health, reload and backup are served over HTTP.");
    public static final Key<InetAddress> ADMIN_ADDRESS = fixed("admin.address",
            AddressKinds.address(), "127.0.0.1",
            "Address of the admin port. Without admin.token-file it asks for nothing: keep it on loopback then.");
    public static final Key<Long> ADMIN_PORT = fixed("admin.port",
            ValueKind.whole(0, 65535), 5080L,
            "TCP port of the admin port; 0 takes a free one and says which.");

    public static final Key<Path> ADMIN_TOKEN = fixed("admin.token-file",
            PathKinds.file(), Path.of(""),
            "File whose first line a client must send as \"Authorization: Bearer\" to change anything; empty = no token.");

    public static final Key<Level> LOG_LEVEL = fixed("log.level",
            ValueKind.choice(Level.class), Level.INFO,
            "How much the log says.");

    /** The rows, in the order of the documentation. */
    public static final List<Key<?>> ALL = List.copyOf(ROWS);

    private ConfigurationKeys() {}

    private static String framePort(String text) throws Malformed {
        try {
            Hosts.check(text);
            return text;
        } catch (IOException e) {
            throw new Malformed(String.valueOf(e.getMessage()), 0);
        }
    }

    private static Long powerOfTwo(Long number) throws Malformed {
        if (Long.bitCount(number) != 1) {
            throw new Malformed(number + " is not a power of two: write " + Long.highestOneBit(number), 0);
        }
        return number;
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
