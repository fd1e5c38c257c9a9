package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
    private final List<String> lines = new ArrayList<>();
    private long nanos;

    private final RateLimitedLog log = new RateLimitedLog(
            new System.Logger() {
                @Override
                public String getName() {
                    return "test";
                }

                @Override
                public boolean isLoggable(Level level) {
                    return true;
                }

                @Override
                public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
                    lines.add(text);
                }

                @Override
                public void log(Level level, ResourceBundle bundle, String format, Object... words) {
                    lines.add(format);
                }
            },
            () -> nanos);

    @Test
    void aFloodIsSomeLinesAndACount() {
        for (int i = 0; i < 1000; i++) {
            log.error("request failed", null);
        }
        assertThat(lines).hasSize(10).containsOnly("request failed");
        nanos += 20_000_000_000L;
        log.error("request failed", null);
        log.error("request failed", new IllegalStateException());
        log.error("request failed", null);
        assertThat(lines.subList(10, lines.size()))
                .containsExactly("request failed (990 such lines before it were left out)", "request failed");
    }
}
