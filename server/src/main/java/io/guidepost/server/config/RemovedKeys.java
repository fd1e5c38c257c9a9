package io.guidepost.server.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The keys of earlier versions: what each is called today, or why there is none. A configuration that has one is refused. */
final class RemovedKeys {
    private static final String PERMIT = "handle.permit";
    private static final String TELLS = "alto.tells";
    private static final String IN_PORT = "packet.ports, behind the name of the port, such as \"xdp:eth0,";
    private static final String EAL = "packet.eal";
    private static final String MEMORY = "store.memory, which all parts of the store share";
    private static final String LINKED = "http.idle-millis; it is six times that";

    /** By old name the key of today, with what is to be said of it. */
    private static final Map<String, String> RENAMED = Map.ofEntries(
            Map.entry("gnrs.workers", "workers.count"),
            Map.entry("gnrs.cpus", "workers.cpus"),
            Map.entry("gnrs.real-time", "workers.real-time"),
            Map.entry("gnrs.spin-micros", "workers.busy-poll-micros"),
            Map.entry("gnrs.nap-micros", "workers.coalesce-micros"),
            Map.entry("gnrs.back-end", "server.back-end"),
            Map.entry("gnrs.gro", "udp.segmentation-offload"),
            Map.entry("gnrs.aside", "udp.admission"),
            Map.entry("gnrs.order", "proximity.order"),
            Map.entry("proxidor.fair", "udp.admission"),
            Map.entry("server.transport", "server.back-end"),
            Map.entry("packet.queues", IN_PORT + "queues=2\""),
            Map.entry("packet.burst", IN_PORT + "burst=32\""),
            Map.entry("packet.frames", IN_PORT + "frames=8192\""),
            Map.entry("packet.frame-bytes", IN_PORT + "frame-bytes=4096\""),
            Map.entry("packet.memory-channels", EAL + " = [\"channels=4\"]"),
            Map.entry("packet.memory-mib", EAL + " = [\"memory=256\"]"),
            Map.entry("packet.program-name", EAL + " = [\"program=NAME\"]"),
            Map.entry("packet.block-list", EAL + " = [\"block=0000:00:03.0\"]"),
            Map.entry("packet.allow-list", EAL + " = [\"allow=0000:00:05.0\"]"),
            Map.entry("sites.cache-bytes-max", "sites.cache-ttl-millis; 0 turns the cache off"),
            Map.entry("sites.negative-ttl-millis", "sites.cache-ttl-millis"),
            Map.entry("sites.ping-millis", "sites.timeout-millis; a silent server is probed every two timeouts"),
            Map.entry("store.index-bytes-max", MEMORY),
            Map.entry("store.block-cache-bytes", MEMORY),
            Map.entry("store.memtable-bytes", MEMORY),
            Map.entry("handle.tls-certificate", "http.tls-certificate"),
            Map.entry("handle.tls-key", "http.tls-key"),
            Map.entry("handle.tls-password-file", "http.tls-password-file"),
            Map.entry("handle.client-certificates", PERMIT),
            Map.entry("handle.server-admin-full-access", PERMIT),
            Map.entry("handle.prefix-admins", PERMIT),
            Map.entry("handle.listing", PERMIT),
            Map.entry("handle.recursion", PERMIT),
            Map.entry("handle.weak-cryptography", PERMIT),
            Map.entry("handle.udp-changes", PERMIT),
            Map.entry("handle.loops", "workers.count"),
            Map.entry("handle.connections-max", "http.connections-max"),
            Map.entry("handle.in-flight-max", "http.requests-max"),
            Map.entry("handle.idle-millis", "http.idle-millis"),
            Map.entry("handle.part-millis", "http.request-millis"),
            Map.entry("handle.receiver-millis", LINKED),
            Map.entry("handle.trusted-proxies", "http.trusted-proxies"),
            Map.entry("handle.order", "proximity.order"),
            Map.entry("admin.enabled", "admin.port; -1 turns it off"),
            Map.entry("proximity.bmp-routers", "proximity.routers"),
            Map.entry("proximity.mrt-peers", "proximity.routers"),
            Map.entry("alto.tls-certificate", "http.tls-certificate"),
            Map.entry("alto.tls-key", "http.tls-key"),
            Map.entry("alto.tls-password-file", "http.tls-password-file"),
            Map.entry("alto.tells-routers", TELLS),
            Map.entry("alto.tells-paths", TELLS),
            Map.entry("alto.tells-as-numbers", TELLS),
            Map.entry("alto.trusted-proxies", "http.trusted-proxies"),
            Map.entry("alto.loops", "workers.count"),
            Map.entry("alto.connections-max", "http.connections-max"),
            Map.entry("alto.in-flight-max", "http.requests-max"),
            Map.entry("alto.lasting-max", "http.requests-max"));

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
