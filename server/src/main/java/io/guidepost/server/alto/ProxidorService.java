package io.guidepost.server.alto;

import io.guidepost.alto.proxidor.ProxidorCount;
import io.guidepost.alto.proxidor.ProxidorDoor;
import io.guidepost.alto.proxidor.ProxidorFault;
import io.guidepost.alto.proxidor.ProxidorSettings;
import io.guidepost.packet.admission.Admission;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.UdpQueue;
import io.guidepost.server.service.UdpService;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The Proxidor service. Each worker has as many sockets of each address as are wished, and a door at each: the kernel spreads
 * clients over the sockets, and a flood fills one.
 */
public final class ProxidorService implements Service {
    public static final String NAME = "proxidor";

    private record Row(String worker, ProxidorDoor door) {}

    private final ProxidorSettings settings;
    private final Supplier<Ranking> rankings;
    private final UdpService udp;
    private final List<Row> rows = new CopyOnWriteArrayList<>();

    /**
     * Makes it.
     *
     * @param rankings gives the snapshot in force; asked by all workers
     */
    public ProxidorService(Configuration configuration, Supplier<Ranking> rankings) {
        this.settings = settings(configuration);
        this.rankings = rankings;
        this.udp = new UdpService(
                NAME,
                "Proxidor over UDP: which address is nearest",
                configuration.get(ConfigurationKeys.PROXIDOR_LISTEN),
                configuration.get(ConfigurationKeys.PROXIDOR_PORT).intValue(),
                configuration.get(ConfigurationKeys.PROXIDOR_SOCKETS).intValue(),
                configuration.get(ConfigurationKeys.PROXIDOR_FAIR) ? Admission.MAX_MIN : Admission.NONE,
                this::door);
    }

    static ProxidorSettings settings(Configuration configuration) {
        return new ProxidorSettings(
                configuration.get(ConfigurationKeys.PROXIDOR_TTL_SECONDS).intValue(),
                configuration.get(ConfigurationKeys.PROXIDOR_UNKNOWN) == ConfigurationKeys.Unknown.LAST,
                configuration.get(ConfigurationKeys.PROXIDOR_TRUSTED));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<UdpService> udp() {
        return List.of(udp);
    }

    private ProxidorDoor door(UdpQueue queue) {
        ProxidorDoor door = new ProxidorDoor(settings, rankings);
        rows.add(new Row(Integer.toString(queue.worker()), door));
        return door;
    }

    @Override
    public void write(Exposition out) {
        List<String> names = rows.stream().map(Row::worker).distinct().toList();
        out.counter("guidepost_proxidor_events", "What the Proxidor door counted; docs/metrics.md explains each event.");
        for (String worker : names) {
            for (ProxidorCount name : ProxidorCount.values()) {
                long sum = of(worker).stream().mapToLong(door -> door.counts().get(name)).sum();
                out.sample(sum, "worker", worker, "event", Exposition.name(name));
            }
        }
        out.counter("guidepost_proxidor_malformed", "Proxidor questions that could not be answered, by their first fault.");
        for (String worker : names) {
            for (ProxidorFault fault : ProxidorFault.values()) {
                long sum = of(worker).stream().mapToLong(door -> door.faults().get(fault)).sum();
                if (fault != ProxidorFault.OK) {
                    out.sample(sum, "worker", worker, "reason", Exposition.name(fault));
                }
            }
        }
    }

    private List<ProxidorDoor> of(String worker) {
        return rows.stream().filter(each -> each.worker.equals(worker)).map(Row::door).toList();
    }
}
