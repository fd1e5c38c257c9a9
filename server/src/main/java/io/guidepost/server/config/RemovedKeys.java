package io.guidepost.server.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The keys of earlier versions: what each is called today, or why there is none. A configuration that has one is refused. */
final class RemovedKeys {
    private static final String IN_PORT = "packet.ports, behind the name of the port, such as \"xdp:eth0,";
    private static final String EAL = "packet.eal";

    /** By old name the key of today, with what is to be said of it. */
    private static final Map<String, String> RENAMED = new HashMap<>();

    static {
        renamed("workers.count", "gnrs.workers", "handle.loops", "alto.loops");
        renamed("workers.cpus", "gnrs.cpus");
        renamed("workers.real-time", "gnrs.real-time");
        renamed("workers.busy-poll-micros", "gnrs.spin-micros");
        renamed("workers.coalesce-micros", "gnrs.nap-micros");
        renamed("server.back-end", "gnrs.back-end", "server.transport");
        renamed("udp.segmentation-offload", "gnrs.gro");
        renamed("udp.admission", "gnrs.aside", "proxidor.fair");
        renamed("proximity.order", "gnrs.order", "handle.order");
        renamed(IN_PORT + "queues=2\"", "packet.queues");
        renamed(IN_PORT + "burst=32\"", "packet.burst");
        renamed(IN_PORT + "frames=8192\"", "packet.frames");
        renamed(IN_PORT + "frame-bytes=4096\"", "packet.frame-bytes");
        renamed(EAL + " = [\"channels=4\"]", "packet.memory-channels");
        renamed(EAL + " = [\"memory=256\"]", "packet.memory-mib");
        renamed(EAL + " = [\"program=NAME\"]", "packet.program-name");
        renamed(EAL + " = [\"block=0000:00:03.0\"]", "packet.block-list");
        renamed(EAL + " = [\"allow=0000:00:05.0\"]", "packet.allow-list");
        renamed("sites.cache-ttl-millis; 0 turns the cache off", "sites.cache-bytes-max");
        renamed("sites.cache-ttl-millis", "sites.negative-ttl-millis");
        renamed("sites.timeout-millis; servers are pinged once in a timeout", "sites.ping-millis");
        renamed(
                "store.memory, which all parts of the store share",
                "store.index-bytes-max",
                "store.block-cache-bytes",
                "store.memtable-bytes");
        renamed("http.tls-certificate", "handle.tls-certificate", "alto.tls-certificate");
        renamed("http.tls-key", "handle.tls-key", "alto.tls-key");
        renamed("http.tls-password-file", "handle.tls-password-file", "alto.tls-password-file");
        renamed(
                "handle.permit",
                "handle.client-certificates",
                "handle.server-admin-full-access",
                "handle.prefix-admins",
                "handle.listing",
                "handle.recursion",
                "handle.weak-cryptography",
                "handle.udp-changes");
        renamed("http.connections-max", "handle.connections-max", "alto.connections-max");
        renamed("http.requests-max", "handle.in-flight-max", "alto.in-flight-max", "alto.lasting-max");
        renamed("http.idle-millis", "handle.idle-millis");
        renamed(
                "http.idle-millis; half a request has less the more connections there are",
                "http.request-millis",
                "handle.part-millis");
        renamed("http.idle-millis; it is six times that", "handle.receiver-millis");
        renamed("http.trusted-proxies", "handle.trusted-proxies", "alto.trusted-proxies");
        renamed("admin.port; -1 turns it off", "admin.enabled");
        renamed("proximity.routers", "proximity.bmp-routers", "proximity.mrt-peers");
        renamed("alto.tells", "alto.tells-routers", "alto.tells-paths", "alto.tells-as-numbers");
    }

    /** By old name the reason why there is no such key. */
    private static final Map<String, String> GONE = Map.ofEntries(
            Map.entry("gnrs.writes-in-flight-max", "4096 writes of a worker are more than a disk has under way"),
            Map.entry("gnrs.lookups-deferred-max", "256 look-ups of a worker are more than a disk has under way"),
            Map.entry("proxidor.sockets", "networks that flood have sockets of their own, see udp.admission"),
            Map.entry("packet.flush-micros", "responses leave in every turn"),
            Map.entry("packet.idle-sleep-micros", "an idle port is polled every millisecond, for 2 % of a processor"),
            Map.entry("placement.rehash", "an address is hashed ten times at most, as in the paper on DMap"),
            Map.entry("sites.attempts-max", "a server is asked twice, then the next one"),
            Map.entry("sites.race", "a hedged request costs one request more in twenty"),
            Map.entry("sites.relays-max", "4096 requests of a worker may wait for other servers"),
            Map.entry("sites.local-replica", "a write through a server always enters its cache"),
            Map.entry("sites.stamp-ahead-millis", "clocks of servers may differ by a day"),
            Map.entry("sites.hint-bytes-max", "64 MiB of hints; anti-entropy brings the rest"),
            Map.entry("store.queue-max", "65,536 writes may wait for the disk"),
            Map.entry("store.group-max", "4096 writes share a sync at most: more gain nothing"),
            Map.entry("store.gather-micros", "a group of writes waits for others for a millisecond at most"),
            Map.entry("store.log-bytes-kept", "the change feed has the last 64 MiB of the log"),
            Map.entry("handle.description", "edit siteinfo.json in handle.folder"),
            Map.entry("handle.challenge-millis", "a client signs a challenge within a minute"),
            Map.entry("handle.session-millis", "a session lasts a day at most"),
            Map.entry("handle.transactions-max", "mirrors are told of the last ten million changes"),
            Map.entry("handle.transaction-days", "mirrors are told of the changes of a year"),
            Map.entry("handle.udp-calls-max", "1024 messages of a worker may wait for the disk"),
            Map.entry("handle.udp-big-answer-bytes-per-second", "4 MiB in a second for a network are too little for a reflection attack"),
            Map.entry("handle.body-bytes-max", "a request has 4 MiB at most"),
            Map.entry("proximity.paths", "the files of the topology say how paths are found"),
            Map.entry("proximity.bgp-identifier", "it is the address of IPv4 in proximity.bgp-listen, or else 0.0.0.1"),
            Map.entry("proximity.bgp-hold-seconds", "90 seconds are proposed; what the router wants holds if it is less"),
            Map.entry("alto.map-id", "the map of the topology is called net"));

    private RemovedKeys() {}

    private static void renamed(String today, String... old) {
        for (String each : old) {
            RENAMED.put(each, today);
        }
    }

    static List<String> names() {
        return Stream.concat(RENAMED.keySet().stream(), GONE.keySet().stream()).toList();
    }

    /** Returns what to do instead of setting a key of an earlier version; empty if there never was one of that name. */
    static Optional<String> remedy(String name) {
        return Optional.ofNullable(RENAMED.get(name))
                .map(today -> "it is now " + today)
                .or(() -> Optional.ofNullable(GONE.get(name)).map(reason -> "leave it out: " + reason));
    }

    static Optional<String> remedyOfVariable(String variable) {
        return names().stream()
                .filter(each -> Key.variable(each).equals(variable))
                .findFirst()
                .flatMap(RemovedKeys::remedy);
    }
}
