package io.guidepost.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.metrics.Exposition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is logged of conditions, and when. */
class ConditionMonitorTest {
    private final List<HealthCondition> now = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final ConditionMonitor monitor = new ConditionMonitor(() -> now, (level, line) -> log.add(level + " " + line));

    @Test
    void oneLineWhenAConditionBeginsAndOneWhenItEnds() {
        assertThat(monitor.look()).isEmpty();
        now.add(new HealthCondition("peer-down", "a does not answer", true));
        now.add(new HealthCondition("mirror-failing", "b fails", false));
        monitor.look();
        now.add(new HealthCondition("peer-down", "c does not answer", true));
        assertThat(monitor.look())
                .containsExactly(
                        new HealthCondition("peer-down", "a does not answer; c does not answer", true),
                        new HealthCondition("mirror-failing", "b fails", false));
        now.removeLast();
        now.removeLast();
        monitor.look();
        now.clear();
        monitor.look();
        monitor.look();
        assertThat(log)
                .containsExactly(
                        "WARNING degraded: peer-down: a does not answer",
                        "WARNING degraded: mirror-failing: b fails",
                        "INFO no longer degraded: mirror-failing",
                        "INFO no longer degraded: peer-down");
    }

    @Test
    void eachIsASample() {
        now.add(new HealthCondition("peer-down", "a does not answer", true));
        Exposition out = new Exposition();
        monitor.write(out);
        assertThat(out.finish()).contains("guidepost_condition{condition=\"peer-down\"} 1");
    }
}
