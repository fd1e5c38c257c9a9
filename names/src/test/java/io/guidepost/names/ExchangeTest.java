package io.guidepost.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ExchangeTest {
    @Test
    void anAnswerBelongsToItsQuestionAlone() {
        Exchange exchange = new Exchange();
        MemorySegment memory = MemorySegment.ofArray(new byte[16]);
        exchange.room(memory, 8, 8);
        exchange.request(memory, 0, 4, 1000);
        exchange.peer(Addresses.IPV4_HIGH, Addresses.ipv4Low(0xff000001), 4001);
        exchange.respond(7);
        assertThat(exchange.responseLength()).isEqualTo(7);
        exchange.request(memory, 4, 4, 1001);
        assertThat(exchange.responseLength()).isZero();
        assertThat(exchange.nowMillis()).isEqualTo(1001);
    }

    @Test
    void ipv4AddressesAreMapped() {
        long low = Addresses.ipv4Low(0xff000001);
        assertThat(low).isEqualTo(0x0000_ffff_ff00_0001L);
        assertThat(Addresses.isIpv4(Addresses.IPV4_HIGH, low)).isTrue();
        assertThat(Addresses.isIpv4(0, 1)).as("::1").isFalse();
        assertThat(Addresses.isIpv4(1, low)).isFalse();
    }
}
