package io.guidepost.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Drop;
import org.junit.jupiter.api.Test;

/** The example of the documentation does what it says. */
class ExampleFirewallTest {
    @Test
    void allPassesButOnePort() {
        try (BoxWire left = new BoxWire("left");
                BoxWire right = new BoxWire("right")) {
            ExampleFirewall firewall = new ExampleFirewall(left.port().rx(0), right.port().tx(0), 23);
            byte[] web = Packet.tcp("10.0.0.1", 4000, "10.0.0.2", 80, 2);
            byte[] arp = Packet.arp(1, 1, "10.0.0.1", 0, "10.0.0.2");
            left.send(web, Packet.tcp("10.0.0.1", 4000, "10.0.0.2", 23, 2), arp);
            assertThat(firewall.work(0)).isEqualTo(5);
            assertThat(right.received()).containsExactly(web, arp);
            assertThat(left.port().rx(0).statistics().drops(Drop.DENIED)).isEqualTo(1);
        }
    }
}
