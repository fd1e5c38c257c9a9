package io.guidepost.server.fleet;

import io.guidepost.base.SharedCounters;
import io.guidepost.fleet.CacheInvalidations;
import io.guidepost.fleet.FleetStore;
import io.guidepost.fleet.StatementCount;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.FleetKeys;
import io.guidepost.server.gnrs.PeerConfiguration;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.Service;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this front end tells the others of its fleet, and hears of them. */
public final class FleetService implements Service {
    private static final CounterFamilies<FrontEndCount> COUNTERS = new CounterFamilies<>(FrontEndCount.class, "guidepost_fleet_")
            .family("invalidations", "Datagrams between front ends, each of a record that one of them wrote, by direction.", "direction")
            .family("drops", "Datagrams between front ends that were dropped, by reason.", "reason");

    private static final CounterFamilies<StatementCount> STATEMENTS = new CounterFamilies<>(StatementCount.class, "guidepost_fleet_")
            .family("statements", "Statements that this front end made at its cluster, by table.", "table")
            .family("failures", "Statements that the cluster refused or did not answer, by table.", "table");

    private final @Nullable FrontEndInvalidations others;
    private volatile SharedCounters<StatementCount> statements = new SharedCounters<>(StatementCount.class);

    private FleetService(@Nullable FrontEndInvalidations others) {
        this.others = others;
    }

    /**
     * Takes the address of this front end, if others are named.
     *
     * @throws IOException in one line, if it cannot be had
     */
    public static FleetService of(Configuration configuration) throws ConfigurationException, IOException {
        List<InetSocketAddress> all = configuration.get(FleetKeys.FRONT_ENDS);
        return new FleetService(
                all.isEmpty() ? null : FrontEndInvalidations.listening(all, PeerConfiguration.key(configuration)));
    }

    /**
     * Returns what tells the front ends of a fleet of what a command writes.
     *
     * @throws IOException in one line, if it has no socket
     */
    public static FleetService ofCommand(Configuration configuration) throws ConfigurationException, IOException {
        List<InetSocketAddress> all = configuration.get(FleetKeys.FRONT_ENDS);
        return new FleetService(all.isEmpty() ? null : FrontEndInvalidations.sending(all, PeerConfiguration.key(configuration)));
    }

    /** Returns what the store tells of its writes. */
    public CacheInvalidations invalidations() {
        return others == null ? CacheInvalidations.NONE : others;
    }

    @Override
    public void prepare(RecordStore records) {
        if (records instanceof FleetStore store) {
            statements = store.statements();
        }
    }

    @Override
    public List<Endpoint> endpoints() {
        return others == null
                ? List.of()
                : others.own().stream()
                        .map(each -> Endpoint.of("fleet", Endpoint.Transport.UDP, each, "what other front ends write"))
                        .toList();
    }

    @Override
    public void write(Exposition metrics) {
        STATEMENTS.write(metrics, statements::get);
        COUNTERS.write(metrics, CounterFamilies.sum(others == null ? List.of() : others.counts()));
    }

    @Override
    public void close() {
        if (others != null) {
            others.close();
        }
    }
}
