package io.guidepost.server.service;

import io.guidepost.server.metrics.Exposition;
import java.lang.System.Logger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Looks at the conditions of all services, now and then and whenever they are wanted, and logs one WARNING when a condition begins
 * and one INFO when it ends. Thread-safe.
 */
public final class ConditionMonitor implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ConditionMonitor.class.getName());

    /** Between two looks: soon enough for people, and seldom enough to cost nothing. */
    private static final int LOOK_SECONDS = 5;

    private final Supplier<List<HealthCondition>> source;
    private final BiConsumer<Logger.Level, String> log;
    private final CountDownLatch closing = new CountDownLatch(1);
    private Map<String, HealthCondition> standing = Map.of();

    /** Creates a monitor that does not look by itself yet. */
    public ConditionMonitor(Supplier<List<HealthCondition>> source) {
        this(source, LOG::log);
    }

    ConditionMonitor(Supplier<List<HealthCondition>> source, BiConsumer<Logger.Level, String> log) {
        this.source = source;
        this.log = log;
    }

    /** Begins to look by itself. */
    public void start() {
        Thread.ofVirtual().name("guidepost-conditions").start(() -> {
            try {
                while (!closing.await(LOOK_SECONDS, TimeUnit.SECONDS)) {
                    look();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Looks, and returns the conditions that stand; several of one kind are one. */
    public synchronized List<HealthCondition> look() {
        Map<String, HealthCondition> now = new LinkedHashMap<>();
        source.get().forEach(each -> now.merge(each.name(), each, ConditionMonitor::both));
        now.values().stream()
                .filter(each -> !standing.containsKey(each.name()))
                .forEach(each -> log.accept(Logger.Level.WARNING, "degraded: " + each.name() + ": " + each.detail()));
        standing.values().stream()
                .filter(each -> !now.containsKey(each.name()))
                .forEach(each -> log.accept(Logger.Level.INFO, "no longer degraded: " + each.name()));
        standing = now;
        return List.copyOf(now.values());
    }

    private static HealthCondition both(HealthCondition one, HealthCondition other) {
        return new HealthCondition(one.name(), one.detail() + "; " + other.detail(), one.ready() && other.ready());
    }

    /** Writes a sample for each condition that stands. */
    public void write(Exposition out) {
        out.gauge("guidepost_condition", "1 for each condition that degrades the server, see docs/operating.md; no sample = none.");
        look().forEach(each -> out.sample(1, "condition", each.name()));
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
