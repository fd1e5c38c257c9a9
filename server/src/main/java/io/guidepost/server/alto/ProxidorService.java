package io.guidepost.server.alto;

import io.guidepost.alto.proxidor.ProxidorCount;
import io.guidepost.alto.proxidor.ProxidorDoor;
import io.guidepost.alto.proxidor.ProxidorFault;
import io.guidepost.alto.proxidor.ProxidorSettings;
import io.guidepost.packet.admission.Admission;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.WorkerDoors;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.server.service.UdpQueue;
import io.guidepost.server.service.UdpService;
import java.util.List;
import java.util.function.Supplier;

/** The Proxidor service: a door at each queue. */
public final class ProxidorService implements Service {
    public static final String NAME = "proxidor";

    private static final CounterFamilies<ProxidorCount> COUNTERS = new CounterFamilies<>(ProxidorCount.class, "guidepost_proxidor_")
            .family("requests", "Datagrams received. Each ends as a response or a drop.")
            .family("responses", "Responses, by code.", "code")
            .family("drops", "Datagrams dropped without a response, by reason.", "reason")
            .family("bytes", "Bytes of datagrams, by direction.", "direction")
            .family("candidates", "Candidates of lists that were ranked, known or not.", "place")
            .family("proxied_requests", "Requests of trusted proxies on behalf of a source.")
            .family("ignored_sources", "Requests ranked for the sender's address, as it may not name another source.");

    private final Supplier<Ranking> rankings;
    private final UdpService udp;
    private final WorkerDoors<ProxidorDoor> doors = new WorkerDoors<>();
    private volatile ProxidorSettings settings;

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
                Admission.MAX_MIN,
                this::door);
    }

    static ProxidorSettings settings(Configuration configuration) {
        return new ProxidorSettings(
                configuration.get(ConfigurationKeys.PROXIDOR_TTL_SECONDS).intValue(),
                configuration.get(ConfigurationKeys.PROXIDOR_UNKNOWN) == ConfigurationKeys.Unknown.LAST,
                configuration.get(ConfigurationKeys.PROXIDOR_TRUSTED));
    }

    @Override
    public List<UdpService> udp() {
        return List.of(udp);
    }

    @Override
    public Staged stage(Configuration next) {
        ProxidorSettings staged = settings(next);
        return () -> settings = staged;
    }

    private ProxidorDoor door(UdpQueue queue) {
        ProxidorDoor door = new ProxidorDoor(() -> settings, rankings);
        doors.add(queue.worker(), door);
        return door;
    }

    @Override
    public void write(Exposition out) {
        doors.write(out, COUNTERS, ProxidorDoor::counts);
        out.counter("guidepost_proxidor_malformed", "Requests that are malformed or not supported, by their first fault.");
        doors.writeFaults(out, ProxidorFault.OK, ProxidorDoor::faults);
    }
}
