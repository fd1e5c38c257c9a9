package io.guidepost.server.service;

import io.guidepost.server.Server;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.Key;
import io.guidepost.server.metrics.Exposition;
import java.io.IOException;
import java.lang.System.Logger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads configuration and files again while the server answers: each service stages what they say, and when all could, all are
 * put in force; if there is a fault in one, none is.
 */
public final class Reloads {
    private static final Logger LOG = System.getLogger(Reloads.class.getName());

    /** A part of a reload by itself. */
    @FunctionalInterface
    public interface Part<T> {
        /** Does it with the configuration as it is now. */
        T of(Configuration next) throws ConfigurationException, IOException;
    }

    private final Server.Source source;
    private final Configuration started;
    private ReloadReport last = new ReloadReport(true, Instant.now(), 0, Map.of(), List.of(), List.of());
    private long done;
    private long failed;
    private boolean lastFailed;

    public Reloads(Configuration started, Server.Source source) {
        this.started = started;
        this.source = source;
    }

    /** Notes what services have in force from the start. */
    public synchronized void started(List<Service> services) {
        last = new ReloadReport(true, Instant.now(), 0, summary(services), List.of(), List.of());
    }

    /** Reloads all of these; one reload at a time. */
    public synchronized ReloadReport run(List<Service> services) {
        long begun = System.nanoTime();
        try {
            Configuration next = source.load();
            List<String> restart = started.changed(next).stream()
                    .filter(each -> !each.live())
                    .map(Key::name)
                    .toList();
            stage(services, next).forEach(Staged::apply);
            last = new ReloadReport(true, Instant.now(), millis(begun), summary(services), List.of(), restart);
            done++;
            lastFailed = false;
            LOG.log(Logger.Level.INFO, "reloaded in {0} ms: {1}", last.millis(), last.placement());
        } catch (ConfigurationException e) {
            refuse(begun, e.faults());
        }
        return last;
    }

    /** Stages all, so that the faults of all are told. */
    private static List<Staged> stage(List<Service> services, Configuration next) throws ConfigurationException {
        List<Staged> staged = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (Service each : services) {
            try {
                staged.add(each.stage(next));
            } catch (ConfigurationException e) {
                faults.addAll(e.faults());
            } catch (IOException e) {
                faults.add(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            staged.forEach(Staged::discard);
            throw new ConfigurationException(faults);
        }
        return staged;
    }

    private static Map<String, Object> summary(List<Service> services) {
        Map<String, Object> all = new LinkedHashMap<>();
        services.forEach(each -> all.putAll(each.summary()));
        return all;
    }

    /** Does a part by itself, while no reload runs. */
    public synchronized <T> T part(Part<T> part) throws ConfigurationException, IOException {
        return part.of(source.load());
    }

    private synchronized void refuse(long begun, List<String> faults) {
        last = new ReloadReport(false, Instant.now(), millis(begun), last.placement(), faults, List.of());
        failed++;
        lastFailed = true;
        LOG.log(Logger.Level.WARNING, "reload refused, the old files stay in force: {0}", faults.getFirst());
    }

    private static long millis(long begun) {
        return (System.nanoTime() - begun) / 1_000_000;
    }

    /** What the last one, or the start, found. */
    public synchronized ReloadReport last() {
        return last;
    }

    public synchronized void write(Exposition out) {
        out.counter("guidepost_reloads", "Reloads by what became of them.")
                .sample(done, "outcome", "done")
                .sample(failed, "outcome", "failed");
        out.gauge("guidepost_reload_failed", "1 if the last reload was refused and older files are in force.")
                .sample(lastFailed ? 1 : 0);
        out.gauge("guidepost_reload_time_seconds", "When the last reload or the start was, seconds since 1970.")
                .sample(last.at().toEpochMilli() / 1e3);
        out.gauge("guidepost_placement_entries", "What the placement in force is made of.");
        last.placement().forEach((name, value) -> {
            if (value instanceof Number number) {
                out.sample(number.doubleValue(), "what", name);
            }
        });
    }
}
