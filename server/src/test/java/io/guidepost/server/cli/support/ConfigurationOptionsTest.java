package io.guidepost.server.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command line that is read without picocli means what picocli makes of it. */
class ConfigurationOptionsTest {
    @Command
    private static final class Holder {
        @Mixin
        private final ConfigurationOptions options = new ConfigurationOptions();
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--set gnrs.port=5001",
                "-s gnrs.port=5001 -c FILE",
                "--config FILE --set gnrs.port=5001 -s gnrs.port=5002 --set store.durability=os",
                "--set gnrs.listen=[\"127.0.0.1\",\"::1\"] --config FILE"
            })
    void meansWhatPicocliMakesOfIt(String line) throws Exception {
        Path file = Files.writeString(folder.resolve("a.toml"), "gnrs.port = 6000\nstore.durability = \"fsync\"\n");
        String[] arguments = line.isEmpty() ? new String[0] : line.replace("FILE", file.toString()).split(" ");
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(arguments);

        Configuration plain = ConfigurationOptions.plain(arguments, 0).orElseThrow().load();

        assertThat(values(plain)).isEqualTo(values(holder.options.load()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--demo", "--set", "--set a=b --config", "--config a --config b", "--config=a", "--port xdp:eth0", "--set -c",
                "@arguments --set a=b", "--set @a", "--help", "--set a=b --take-over", "a b"
            })
    void leavesTheRestToPicocli(String line) {
        assertThat(ConfigurationOptions.plain(line.split(" "), 0)).isEmpty();
    }

    @Test
    void passesOverTheCommand() throws ConfigurationException {
        Optional<ConfigurationOptions> read = ConfigurationOptions.plain(new String[] {"serve", "--set", "gnrs.port=5001"}, 1);

        assertThat(read.orElseThrow().load().get(ConfigurationKeys.GNRS_PORT)).isEqualTo(5001);
    }

    private static List<Object> values(Configuration configuration) {
        return ConfigurationKeys.ALL.stream().<Object>map(configuration::get).toList();
    }
}
