package io.guidepost.server.gnrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.peer.PeerDescriptor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipFileTest {
    @TempDir
    private Path folder;

    @Test
    void namesAddressesAndKindsAreRead() throws Exception {
        Path file = Files.writeString(folder.resolve("members"), """
                # our sites
                paris 192.0.2.1:5001
                tokyo [2001:db8::1]:5002 guidepost   # the new one

                old-lab 198.51.100.7:5001 v1
                """);
        assertThat(MembershipFile.read(file))
                .containsExactly(
                        new PeerDescriptor("paris", at("192.0.2.1", 5001), PeerDescriptor.Kind.GUIDEPOST),
                        new PeerDescriptor("tokyo", at("2001:db8::1", 5002), PeerDescriptor.Kind.GUIDEPOST),
                        new PeerDescriptor("old-lab", at("198.51.100.7", 5001), PeerDescriptor.Kind.V1));
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    @Test
    void everyFaultIsToldWithItsLineAndWhatWouldBeRight() throws Exception {
        Path file = Files.writeString(folder.resolve("members"), """
                paris
                tokyo example.org:5001
                rome 192.0.2.1
                oslo 192.0.2.1:70000
                lima 192.0.2.1:5001 guide
                cairo 192.0.2.1:5001 v1 v1
                quito 2001:db8::1:5001
                delhi 192.0.2.1:5001
                delhi 192.0.2.2:5001
                seoul 192.0.2.1:5001
                """);
        FaultyFile faulty = catchThrowableOfType(FaultyFile.class, () -> MembershipFile.read(file));
        assertThat(faulty.total()).isEqualTo(9);
        assertThat(faulty.faults().get(0)).isEqualTo(
                file + ":1: no address after the name: write name address:port, such as paris 192.0.2.1:5001");
        assertThat(faulty.faults().get(1)).startsWith(file + ":2: 'example.org:5001' is not a numeric address");
        assertThat(faulty.faults().get(2)).startsWith(file + ":3: '192.0.2.1' is not a numeric address with a port");
        assertThat(faulty.faults().get(3)).startsWith(file + ":4: '192.0.2.1:70000'");
        assertThat(faulty.faults().get(4)).startsWith(file + ":5: 'guide' is not a kind of server: write guidepost");
        assertThat(faulty.faults().get(5)).startsWith(file + ":6: 'v1' is more than name, address and kind");
        assertThat(faulty.faults().get(6)).startsWith(file + ":7: ").endsWith(
                "write IPv6 as [2001:db8::1]:5001; host names are not looked up");
        assertThat(faulty.faults().get(7)).startsWith(file + ":9: the name 'delhi' is taken by line 8");
        assertThat(faulty.faults().get(8)).startsWith(file + ":10: the address 192.0.2.1:5001 is that of line 8");
    }
}
