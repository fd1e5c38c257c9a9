package io.guidepost.gnrs.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.PrefixTableGenerator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bindings as operators write them, and what they are told when a line is bad. */
class AsBindingsTest {
    private static AsBindings read(String text, AsNotation notation) throws IOException, FaultyFile {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return AsBindings.read(LineReader.of("b", new ByteArrayInputStream(bytes)), notation);
    }

    @Test
    void laterLinesWinAndBothFamiliesAreRead() throws Exception {
        AsBindings bindings = read(
                "# bindings\n1 10.0.0.1 5001\n2\t::1\t65535 # more\n\n1 10.0.0.2 5002 and more\n1.0 10.0.0.3 1",
                AsNotation.PLAIN);
        assertThat(bindings.size()).isEqualTo(3);
        assertThat(bindings.server(1)).contains(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.2"), 5002));
        assertThat(bindings.server(2)).contains(new InetSocketAddress(InetAddress.ofLiteral("::1"), 65535));
        assertThat(bindings.server(65536)).contains(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.3"), 1));
        assertThat(bindings.server(3)).isEmpty();
    }

    @Test
    void compatibleBindingsAreInJavasNotation() throws Exception {
        assertThat(read("010 10.0.0.1 1\n", AsNotation.JAVA).server(8)).isPresent();
    }

    @Test
    void tellsEveryBadLine() {
        FaultyFile fault = catchThrowableOfType(
                FaultyFile.class,
                () -> read(
                        "x 1.2.3.4 1\n1\n1 host.example 1\n1 1.2.3.4\n1 1.2.3.4 0\n1 1.2.3.4 http\n",
                        AsNotation.PLAIN));
        assertThat(fault.faults())
                .containsExactly(
                        "b:1: 'x' is not the number of an AS: write a number from 0 to 4294967295, or two halves such"
                                + " as 1.0",
                        "b:2: no address after the AS: write AS address port, such as 65001 10.1.2.3 5001",
                        "b:3: 'host.example' is not a numeric IPv4 or IPv6 address; host names are not looked up, as"
                                + " servers could then differ in where they place a GUID",
                        "b:4: no port after the address: write AS address port, such as 65001 10.1.2.3 5001",
                        "b:5: '0' is not a port from 1 to 65535",
                        "b:6: 'http' is not a port from 1 to 65535");
    }

    @Test
    void spreadBindingsAreWrittenAndReadAgain() throws Exception {
        PrefixTable table = PrefixTable.of(PrefixTableGenerator.generate(1, 3_000, 50));
        List<InetSocketAddress> servers = List.of(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5001),
                new InetSocketAddress(InetAddress.ofLiteral("::1"), 5002));
        AsBindings bindings = AsBindings.spread(table, servers);
        StringBuilder text = new StringBuilder();
        bindings.write(text);
        AsBindings again = read(text.toString(), AsNotation.PLAIN);
        assertThat(again.size()).isEqualTo(table.classes());
        for (int i = 1; i <= table.classes(); i++) {
            assertThat(again.server(table.value(i))).contains(servers.get(i % 2));
            assertThat(bindings.server(table.value(i))).isEqualTo(again.server(table.value(i)));
        }
    }
}
