package io.guidepost.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpositionTest {
    @Test
    void writesFamiliesAsOpenMetricsAsks() {
        Exposition out = new Exposition();
        out.counter("guidepost_answers", "Answers, \"all\".")
                .sample(17, "worker", "0", "port", "a\"b\\c")
                .sample(1.5);
        out.gauge("guidepost_index_bytes", "Memory.").sample(1e15);
        out.info("guidepost_build", "What.").sample(1, "version", "1");
        out.histogram("guidepost_turn_seconds", "Turns.")
                .doubling(new long[] {1, 0, 2}, 0.5, "worker", "0")
                .doubling(new long[] {1, 2}, 0.5, 1.75, "worker", "1");
        assertThat(out.finish()).isEqualTo("""
                # TYPE guidepost_answers counter
                # HELP guidepost_answers Answers, \\"all\\".
                guidepost_answers_total{worker="0",port="a\\"b\\\\c"} 17
                guidepost_answers_total 1.5
                # TYPE guidepost_index_bytes gauge
                # UNIT guidepost_index_bytes bytes
                # HELP guidepost_index_bytes Memory.
                guidepost_index_bytes 1.0E15
                # TYPE guidepost_build info
                # HELP guidepost_build What.
                guidepost_build_info{version="1"} 1
                # TYPE guidepost_turn_seconds histogram
                # UNIT guidepost_turn_seconds seconds
                # HELP guidepost_turn_seconds Turns.
                guidepost_turn_seconds_bucket{worker="0",le="0.5"} 1
                guidepost_turn_seconds_bucket{worker="0",le="1.0"} 1
                guidepost_turn_seconds_bucket{worker="0",le="+Inf"} 3
                guidepost_turn_seconds_bucket{worker="1",le="0.5"} 1
                guidepost_turn_seconds_bucket{worker="1",le="+Inf"} 3
                guidepost_turn_seconds_sum{worker="1"} 1.75
                guidepost_turn_seconds_count{worker="1"} 3
                # EOF
                """);
    }
}
