package io.guidepost.scaffold.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Requests of SOCKS 5 as clients send them (RFC 1928), and what is refused of them. */
class SocksRequestTest {
    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private static SocksRequest request(int command, int kind, String name) {
        return new SocksRequest(command, kind, name, 80);
    }

    @Test
    void requestsReadAsTheyStand() throws Malformed {
        ByteBuffer in = bytes("050100" + "05010003" + "03" + "576542" + "1f90" + "474554");
        assertThat(SocksRequest.readGreeting(in)).isTrue();
        assertThat(SocksRequest.read(in)).isEqualTo(new SocksRequest(1, 3, "web", 8080));
        assertThat(in.remaining()).isEqualTo(3);
        assertThat(SocksRequest.readGreeting(bytes("05020102"))).isFalse();
        assertThat(SocksRequest.read(bytes("05010001" + "7f000001" + "0050"))).isEqualTo(request(1, 1, ""));
        assertThat(SocksRequest.read(bytes("05030004" + "00".repeat(15) + "01" + "0050"))).isEqualTo(request(3, 4, ""));
        assertThatThrownBy(() -> SocksRequest.readGreeting(bytes("0401"))).isInstanceOf(Malformed.class);
        assertThat(HexFormat.of().formatHex(SocksRequest.reply(SocksRequest.HOST_UNREACHABLE))).isEqualTo("05040001000000000000");
    }

    @Test
    void halfARequestIsAskedForOnceMore() throws Malformed {
        byte[] whole = HexFormat.of().parseHex("05010003" + "03" + "776562" + "0050");
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer in = ByteBuffer.wrap(whole, 0, length);
            assertThat(SocksRequest.read(in)).isNull();
            assertThat(in.position()).isZero();
        }
    }

    @Test
    void onlyConnectionsToObjectsAreNotRefused() {
        assertThat(request(1, 3, "web.svc.internal").refusal("svc.internal")).isZero();
        assertThat(request(1, 3, "a.web.svc.internal.").object("svc.internal")).isEqualTo("a.web");
        assertThat(request(1, 3, "web").object("svc.internal")).isEqualTo("web");
        for (String other : new String[] {"example.org", "svc.internal", ".svc.internal", "127.0.0.1", "a b.svc.internal", "", "."}) {
            assertThat(request(1, 3, other).refusal("svc.internal")).as(other).isEqualTo(SocksRequest.NOT_ALLOWED);
        }
        assertThat(request(1, 1, "").refusal("svc.internal")).isEqualTo(SocksRequest.NOT_ALLOWED);
        assertThat(request(1, 4, "").refusal("svc.internal")).isEqualTo(SocksRequest.NOT_ALLOWED);
        assertThat(request(2, 3, "web").refusal("svc.internal")).isEqualTo(SocksRequest.NO_SUCH_COMMAND);
        assertThat(request(1, 9, "").refusal("svc.internal")).isEqualTo(SocksRequest.NO_SUCH_ADDRESS);
    }

    @Test
    void mutatedRequestsAreReadOrRefused() {
        SplittableRandom random = new SplittableRandom(4);
        byte[][] seeds = SocksFuzz.seeds().toArray(byte[][]::new);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = seeds[random.nextInt(seeds.length)].clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            SocksFuzz.fuzz(random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes);
        }
    }
}
