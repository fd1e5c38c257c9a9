package io.guidepost.server.cli.boxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.guidepost.middlebox.nat.NatProtocol;
import io.guidepost.middlebox.nat.NatSettings;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The options of {@code nat} as settings of a translator. */
class NatCommandTest {
    private static NatSettings settings(String... options) {
        Stream<String> always = Stream.of("packet:in", "packet:out", "--inside", "10.0.0.1/8", "--address", "192.0.2.2/24");
        return CommandLine.populateCommand(new NatCommand(), Stream.concat(always, Arrays.stream(options)).toArray(String[]::new))
                .settings();
    }

    @Test
    void whatKeepsAPortForEachInsideAddressAndPortIsAChoice() {
        assertThat(settings().endpointIndependent()).isEqualTo(NatSettings.ENDPOINT_INDEPENDENT);
        assertThat(settings("--endpoint-independent", "none").endpointIndependent()).isEmpty();
        assertThat(settings("--endpoint-independent", "icmp,tcp").endpointIndependent())
                .isEqualTo(Set.of(NatProtocol.TCP, NatProtocol.ICMP));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("--endpoint-independent", "udp,sctp"))
                .withMessage("--endpoint-independent is \"udp,sctp\"; it must be none, or a list of tcp, udp and icmp such as udp,icmp");
    }

    @Test
    void filteringByAddressAndABoundForEachHostAreTheDefault() {
        assertThat(settings().filterByAddress()).isTrue();
        assertThat(settings("--filter", "none").filterByAddress()).isFalse();
        assertThat(settings().hostMappingsMax()).isEqualTo(4096);
        assertThat(settings("--host-mappings", "7").hostMappingsMax()).isEqualTo(7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("--filter", "port"))
                .withMessage("--filter is \"port\"; it must be address or none");
    }
}
