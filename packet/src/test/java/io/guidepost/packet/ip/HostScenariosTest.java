package io.guidepost.packet.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Drop;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays {@code host.scn}: frames made by another program from the RFCs, to and from a host at 10.0.0.2/24 and
 * 2001:db8::2/64. {@code send} and {@code expect} are frames in hexadecimal digits, {@code tell} a datagram that the host
 * sends by itself, {@code count} and {@code drop} what was counted. No frame may come that is not expected.
 */
class HostScenariosTest {
    @TestFactory
    Stream<DynamicTest> scenarios() throws IOException {
        try (InputStream resource = HostScenariosTest.class.getResourceAsStream("host.scn")) {
            assertThat(resource).isNotNull();
            String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(text.split("(?m)^scenario ")).filter(each -> !each.isBlank()).map(each -> {
                List<String> lines = each.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
                return DynamicTest.dynamicTest(lines.getFirst(), () -> play(lines.subList(1, lines.size())));
            });
        }
    }

    private static void play(List<String> lines) {
        try (HostStand stand = HostStand.answering()) {
            List<String> come = new ArrayList<>();
            for (String line : lines) {
                String[] words = line.split(" ", 3);
                switch (words[0]) {
                    case "send" -> {
                        stand.send(HexFormat.of().parseHex(words[1]));
                        note(come, stand.turn());
                    }
                    case "tell" -> {
                        stand.tell(HostStand.address(words[1]), words[2]);
                        note(come, stand.received());
                    }
                    case "expect" -> {
                        assertThat(come).as(line).isNotEmpty();
                        assertThat(come.removeFirst()).isEqualTo(words[1]);
                    }
                    case "count" -> assertThat(stand.host.deviceCounters())
                            .containsEntry(words[1], Long.valueOf(words[2]));
                    case "drop" -> assertThat(stand.host.rx(0).statistics().drops(drop(words[1])))
                            .as(line)
                            .isEqualTo(Long.parseLong(words[2]));
                    default -> throw new AssertionError("a scenario has no step \"" + line + '"');
                }
            }
            assertThat(come).as("frames that were not expected").isEmpty();
        }
    }

    private static Drop drop(String name) {
        return Drop.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static void note(List<String> come, List<byte[]> frames) {
        frames.forEach(each -> come.add(HexFormat.of().formatHex(each)));
    }
}
