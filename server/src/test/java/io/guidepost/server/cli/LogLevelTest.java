package io.guidepost.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.config.Configuration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogLevelTest {
    @ParameterizedTest
    @CsvSource({"error, error", "warning, warn", "info, info", "debug, debug"})
    void theLogSaysAsMuchAsItsKeyAllows(String key, String ofTheLog) throws Exception {
        assertThat(ServeCommand.logLevel(Configuration.load(null, Map.of(), List.of("log.level=" + key)))).isEqualTo(ofTheLog);
    }
}
