package io.guidepost.server.config;

import io.guidepost.base.AddressText;
import io.guidepost.server.http.tls.Pkcs12File;
import io.guidepost.server.service.WorkerOptions;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks what several keys say together; a key alone is checked by its {@link ValueKind}. Every configuration that is read goes
 * through here, so that {@code config}, a start and a reload refuse the same.
 */
final class ConfigurationCheck {
    private final Configuration configuration;
    private final List<String> faults = new ArrayList<>();
    private final boolean gnrs;
    private final boolean handles;
    private final boolean ranks;
    private final boolean alto;

    private ConfigurationCheck(Configuration configuration) {
        this.configuration = configuration;
        this.gnrs = configuration.get(ConfigurationKeys.GNRS_ENABLED);
        this.handles = configuration.get(ConfigurationKeys.HANDLE_ENABLED);
        this.ranks = configuration.get(ConfigurationKeys.PROXIDOR_ENABLED);
        this.alto = configuration.get(TopologyKeys.ALTO_ENABLED);
    }

    static List<String> faults(Configuration configuration) {
        ConfigurationCheck check = new ConfigurationCheck(configuration);
        check.workers();
        check.listen();
        check.ports();
        check.placement();
        check.peers();
        check.quotas();
        check.fleet();
        check.zone();
        check.certificate();
        check.admin();
        if (check.handles) {
            check.mirrors();
        }
        if (check.alto) {
            check.calendars();
        }
        return check.faults;
    }

    private void fault(Key<?> key, String what) {
        faults.addAll(configuration.fault(key, what).faults());
    }

    private boolean isNone(Key<Path> key) {
        return configuration.get(key).toString().isEmpty();
    }

    private void workers() {
        int workers = WorkerOptions.number(configuration);
        int cpus = configuration.get(ConfigurationKeys.WORKERS_CPUS).size();
        if (cpus != 0 && cpus != workers) {
            fault(ConfigurationKeys.WORKERS_CPUS,
                    "names " + cpus + " processors for " + workers + " workers: name one for each, or leave it empty");
        }
    }

    /** Services over datagrams need no address where there are ports of frames. */
    private void listen() {
        boolean frames = !configuration.get(ConfigurationKeys.PACKET_PORTS).isEmpty();
        if (gnrs) {
            udpListen(frames, ConfigurationKeys.GNRS_LISTEN, ConfigurationKeys.GNRS_PORT);
        }
        if (ranks) {
            udpListen(frames, ConfigurationKeys.PROXIDOR_LISTEN, ConfigurationKeys.PROXIDOR_PORT);
        }
        if (configuration.get(ConfigurationKeys.SCAFFOLD_ENABLED)) {
            udpListen(frames, ConfigurationKeys.SCAFFOLD_LISTEN, ConfigurationKeys.SCAFFOLD_PORT);
        }
        if (configuration.get(ConfigurationKeys.DNS_ENABLED)) {
            udpListen(frames, ConfigurationKeys.DNS_LISTEN, ConfigurationKeys.DNS_PORT);
        }
        if (handles && configuration.get(ConfigurationKeys.HANDLE_LISTEN).isEmpty()) {
            fault(ConfigurationKeys.HANDLE_LISTEN, "is empty: name at least one address, such as \"::\"");
        }
        if (alto && configuration.get(TopologyKeys.ALTO_LISTEN).isEmpty()) {
            fault(TopologyKeys.ALTO_LISTEN, "is empty: name at least one address, such as \"::\"");
        }
    }

    private void udpListen(boolean frames, Key<List<InetAddress>> listen, Key<Long> number) {
        if (!configuration.get(listen).isEmpty()) {
            return;
        }
        if (!frames) {
            fault(listen, "is empty: name at least one address, such as \"::\", or packet.ports");
        } else if (configuration.get(number) == 0) {
            fault(number, "is 0, and there is no socket whose number could be taken: name the number for packet.ports");
        }
    }

    /** The kernel would let sockets of one user share a port, and give each of two protocols a part of what is for both. */
    private void ports() {
        boolean frames = !configuration.get(ConfigurationKeys.PACKET_PORTS).isEmpty();
        List<ListeningPort> all = ListeningPort.of(configuration);
        for (int i = 0; i < all.size(); i++) {
            ListeningPort second = all.get(i);
            for (ListeningPort first : all.subList(0, i)) {
                if (first.clashes(second, frames && first.udp())) {
                    fault(second.key(), second.protocol() + " port " + second.number() + " is that of " + first.key().name()
                            + " too, at the same address: give them different ones");
                }
            }
        }
    }

    private void zone() {
        if (configuration.get(ConfigurationKeys.DNS_ENABLED) && configuration.get(ConfigurationKeys.DNS_ZONE).isEmpty()) {
            fault(ConfigurationKeys.DNS_ZONE, "is empty: name the zone that is answered, such as names.example");
        }
    }

    private void placement() {
        if (isNone(ConfigurationKeys.PLACEMENT_PREFIXES) != isNone(ConfigurationKeys.PLACEMENT_BINDINGS)) {
            fault(
                    isNone(ConfigurationKeys.PLACEMENT_PREFIXES)
                            ? ConfigurationKeys.PLACEMENT_BINDINGS
                            : ConfigurationKeys.PLACEMENT_PREFIXES,
                    "placement.prefix-file and placement.binding-file belong together: give both or none");
        }
    }

    /** What other servers of GNRS are is of no use to one that is none. */
    private void peers() {
        for (Key<Path> each : List.of(
                ConfigurationKeys.PLACEMENT_PREFIXES, ConfigurationKeys.SITES_FILE, ConfigurationKeys.SITES_KEY_FILE)) {
            if (!gnrs && !isNone(each)) {
                fault(each, "needs gnrs.enabled, which is false: set that, or leave this out");
            }
        }
    }

    /** Replicas do not learn for which network another server took a write: quotas would count a part. */
    private void quotas() {
        boolean alone = isNone(ConfigurationKeys.SITES_FILE) && isNone(ConfigurationKeys.PLACEMENT_BINDINGS);
        for (Key<Long> each : List.of(ConfigurationKeys.GNRS_WRITER_NAMES_MAX, ConfigurationKeys.GNRS_WRITER_BYTES_MAX)) {
            if (!alone && configuration.get(each) > 0) {
                fault(each, "a server among others holds no quotas: set it to 0, or leave out sites.file and placement.binding-file");
            }
        }
    }

    /** What needs a store of this server alone, or one that sees each change. */
    private void fleet() {
        if (!StoreConfiguration.isShared(configuration)) {
            return;
        }
        if (configuration.get(FleetKeys.CONTACT_POINTS).isEmpty()) {
            fault(FleetKeys.CONTACT_POINTS, "is empty: name nodes of the cluster, such as \"192.0.2.1:9042\"");
        }
        if (!configuration.get(FleetKeys.FRONT_ENDS).isEmpty() && isNone(ConfigurationKeys.SITES_KEY_FILE)) {
            fault(FleetKeys.FRONT_ENDS, "needs sites.key-file: front ends take each other's messages by that key alone");
        }
        for (Key<Path> each : List.of(ConfigurationKeys.PLACEMENT_BINDINGS, ConfigurationKeys.SITES_FILE)) {
            if (!isNone(each)) {
                fault(each, "names other servers, with which records of a cluster are not compared yet: leave it out, or set store.engine"
                        + " = \"rocksdb\"");
            }
        }
        if (configuration.get(ConfigurationKeys.SCAFFOLD_ENABLED)) {
            fault(ConfigurationKeys.SCAFFOLD_ENABLED, "needs a store that tells each change to this server, which a cluster does not:"
                    + " set it to false, or store.engine = \"rocksdb\"");
        }
        for (Key<Long> each : List.of(ConfigurationKeys.GNRS_WRITER_NAMES_MAX, ConfigurationKeys.GNRS_WRITER_BYTES_MAX)) {
            if (configuration.get(each) > 0) {
                fault(each, "records of a cluster are not counted for their writers: set it to 0");
            }
        }
        if (handles && (!isNone(ConfigurationKeys.HANDLE_MIRROR_SITE)
                || !configuration.get(ConfigurationKeys.HANDLE_PRIMARIES).isEmpty()
                || !configuration.get(ConfigurationKeys.HANDLE_REPLICATION_ADMINS).isEmpty())) {
            fault(ConfigurationKeys.STORE_ENGINE, "servers of a cluster keep no log of transactions for mirrors: leave out"
                    + " handle.mirror-site, handle.replication-primaries and handle.replication-admins, or set it to \"rocksdb\"");
        }
    }

    private void certificate() {
        Key<Path> chain = ConfigurationKeys.HTTP_TLS_CERTIFICATE;
        Key<Path> key = ConfigurationKeys.HTTP_TLS_KEY;
        Path file = configuration.get(chain);
        if (isNone(chain)) {
            for (Key<Path> each : List.of(key, ConfigurationKeys.HTTP_TLS_PASSWORD_FILE)) {
                if (!isNone(each)) {
                    fault(each, "needs " + chain.name() + ": name the certificate there, or leave this out");
                }
            }
        } else if (Pkcs12File.isNamedSo(file) && !isNone(key)) {
            fault(key, file + " has its private key inside: leave this out");
        } else if (!Pkcs12File.isNamedSo(file) && isNone(key)) {
            fault(chain, file + " is PEM, as it is not named .p12 or .pfx: name the file of its private key in " + key.name());
        }
    }

    /** What may change the server from afar proves that it may, and is not overheard. */
    private void admin() {
        InetAddress address = configuration.get(ConfigurationKeys.ADMIN_ADDRESS);
        if (configuration.get(ConfigurationKeys.ADMIN_PORT) < 0 || address.isLoopbackAddress()) {
            return;
        }
        for (Key<Path> each : List.of(ConfigurationKeys.ADMIN_TOKEN, ConfigurationKeys.HTTP_TLS_CERTIFICATE)) {
            if (isNone(each)) {
                fault(ConfigurationKeys.ADMIN_ADDRESS, AddressText.of(address) + " is reached from other machines, which needs "
                        + each.name() + ": set it, or take 127.0.0.1");
            }
        }
    }

    private void mirrors() {
        boolean mirrors = !isNone(ConfigurationKeys.HANDLE_MIRROR_SITE);
        boolean primaries = !configuration.get(ConfigurationKeys.HANDLE_PRIMARIES).isEmpty();
        if (mirrors && primaries) {
            fault(ConfigurationKeys.HANDLE_PRIMARIES, "a mirror takes no changes: set this or handle.mirror-site, not both");
        }
        if ((mirrors || primaries) && configuration.get(ConfigurationKeys.HANDLE_MIRROR_IDENTITY).isEmpty()) {
            fault(ConfigurationKeys.HANDLE_MIRROR_IDENTITY, "is needed with "
                    + (mirrors ? ConfigurationKeys.HANDLE_MIRROR_SITE : ConfigurationKeys.HANDLE_PRIMARIES).name()
                    + ": write an index and a handle, such as \"300:0.NA/1234\"");
        }
    }

    private void calendars() {
        List<String> metrics = configuration.get(TopologyKeys.ALTO_METRICS);
        for (String each : configuration.get(TopologyKeys.ALTO_CALENDARS).keySet()) {
            if (!metrics.contains(each)) {
                fault(TopologyKeys.ALTO_CALENDARS, "'" + each + "' is not told: name it in " + TopologyKeys.ALTO_METRICS.name());
            }
        }
    }
}
