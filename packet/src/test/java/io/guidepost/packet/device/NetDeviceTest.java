package io.guidepost.packet.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.Machine;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetDeviceTest {
    @BeforeEach
    void linux() {
        Machine.assumeLinux();
    }

    @Test
    void loopbackIsThere() throws IOException {
        NetDevice loopback = NetDevice.named("lo", "test:lo");
        assertThat(loopback.index()).isPositive();
        assertThat(loopback.mac()).isZero();
        assertThat(loopback.mtu()).isGreaterThanOrEqualTo(1_280);
        assertThat(loopback.counters()).containsKeys("rx_bytes", "rx_dropped", "tx_packets", "tx_carrier_errors");
        assertThat(loopback.numaNode()).isEqualTo(-1);
        assertThat(NetDevice.names()).contains("lo");
    }

    @Test
    void whatIsNotThereIsRefusedWithWhatIs() {
        for (String name : new String[] {"nosuch0", "", "a-name-that-is-too-long", "a/b"}) {
            assertThatThrownBy(() -> NetDevice.named(name, "packet:" + name))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("packet:" + name + ": no interface \"" + name + "\"; there are ")
                    .hasMessageContaining("lo");
        }
    }
}
