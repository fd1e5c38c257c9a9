package io.guidepost.proximity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.Prefix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables as operators write them, and what they are told when a line is bad. */
class PrefixTableFileTest {
    private static Prefixes read(String text, AsNotation notation) throws IOException, FaultyFile {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return PrefixTableFile.read(LineReader.of("t", new ByteArrayInputStream(bytes)), notation);
    }

    @Test
    void readsCommentsBlanksExtraColumnsAndBothFamilies() throws Exception {
        PrefixTable table = PrefixTable.of(read(
                "# a table\n\n10.1.2.3/16\t65001 # ours\r\n  10.0.0.0/8   65002 more columns\n"
                        + "2001:db8::/32 1.5\n1.2.3.4/32 0",
                AsNotation.PLAIN));
        assertThat(table.size()).isEqualTo(4);
        assertThat(table.entry(0)).isEqualTo(new PrefixTable.Entry(Prefix.parse("1.2.3.4/32"), 0));
        assertThat(table.entry(1)).isEqualTo(new PrefixTable.Entry(Prefix.parse("10.0.0.0/8"), 65002));
        assertThat(table.entry(2)).isEqualTo(new PrefixTable.Entry(Prefix.parse("10.1.0.0/16"), 65001));
        assertThat(table.entry(3)).isEqualTo(new PrefixTable.Entry(Prefix.parse("2001:db8::/32"), 65541));
    }

    @Test
    void readsGzip(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write("10.0.0.0/8 7\n".getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("t.gz"), compressed.toByteArray());
        assertThat(PrefixTableFile.read(file, AsNotation.PLAIN).size()).isEqualTo(1);
    }

    @Test
    void tellsEveryBadLine() {
        FaultyFile fault = catchThrowableOfType(
                FaultyFile.class,
                () -> read(
                        """
                        10.0.0.0/8 1
                        10.0.0/8 1
                        10.0.0.0 1
                        10.0.0.0/33 1
                        10.0.0.0/8
                        10.0.0.0/8 -1
                        256.0.0.0/8 1
                        2001:db8::/129 1
                        2001:zz::/32 1
                        10.0.0.0.0/8 1
                        10.0.0.0/ 1
                        10.0.0.0/8 4294967296
                        host.example/8 1
                        10.0.0.0/8 70000.1
                        """,
                        AsNotation.PLAIN));
        assertThat(fault.faults())
                .containsExactly(
                        "t:2: '10.0.0' is not an address: write address/length such as 10.1.0.0/16 or 2001:db8::/32",
                        "t:3: '10.0.0.0' has no /length: write address/length such as 10.1.0.0/16 or 2001:db8::/32",
                        "t:4: '33' is not a prefix length from 0 to 32",
                        "t:5: no AS number after the prefix: write it there, such as 10.1.0.0/16 65001",
                        "t:6: '-1' is not the number of an AS: write a number from 0 to 4294967295, or two halves such"
                                + " as 1.0",
                        "t:7: '256.0.0.0' is not an address: write address/length such as 10.1.0.0/16 or 2001:db8::/32",
                        "t:8: '129' is not a prefix length from 0 to 128",
                        "t:9: '2001:zz::' is not an address: write address/length such as 10.1.0.0/16 or 2001:db8::/32",
                        "t:10: '10.0.0.0.0' is not an address: write address/length such as 10.1.0.0/16 or"
                                + " 2001:db8::/32",
                        "t:11: '' is not a prefix length from 0 to 32",
                        "t:12: '4294967296' is not the number of an AS: write a number from 0 to 4294967295, or two"
                                + " halves such as 1.0",
                        "t:13: 'host.example' is not an address: write address/length such as 10.1.0.0/16 or"
                                + " 2001:db8::/32",
                        "t:14: '70000.1' is not the number of an AS: write a number from 0 to 4294967295, or two halves"
                                + " such as 1.0");
    }

    @Test
    void tellsTheFirstTwentyAndCountsTheRest() {
        FaultyFile fault =
                catchThrowableOfType(FaultyFile.class, () -> read("nonsense\n".repeat(1_000), AsNotation.PLAIN));
        assertThat(fault.faults()).hasSize(20);
        assertThat(fault.total()).isEqualTo(1_000);
        assertThat(fault).hasMessageEndingWith("\nand 980 more");
    }

    @Test
    void aFileThatIsNotThereIsAnOrdinaryError(@TempDir Path folder) {
        assertThatThrownBy(() -> PrefixTableFile.read(folder.resolve("none"), AsNotation.PLAIN))
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource({"010,8,10", "0x1F,31,-1", "0XfF,255,-1", "0,0,0", "08,-1,8", "0x,-1,-1", "1.1,-1,65537", "12,12,12",
            "4294967295,4294967295,4294967295", "4294967296,-1,-1", ".1,-1,-1", "+1,-1,-1"})
    void numbersOfAsesHaveTwoNotations(String text, long java, long plain) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(AsNotation.JAVA.parse(bytes, 0, bytes.length)).isEqualTo(java);
        assertThat(AsNotation.PLAIN.parse(bytes, 0, bytes.length)).isEqualTo(plain);
    }

    @Test
    void theRealTableOf306388PrefixesIsReadWhole() throws Exception {
        Path file = PrefixTestData.file("prefixes-306k.ipv4.gz");
        PrefixTable table = PrefixTable.of(PrefixTableFile.read(file, AsNotation.PLAIN));
        assertThat(table.size()).isEqualTo(306_388);
        assertThat(table.ipv4Share()).isBetween(0.503, 0.504);
        assertThat(table.trieBytes()).isLessThan(6_000_000);
    }

    @Test
    void aRealTableOfBothFamiliesMatchesItsOwnPrefixes() throws Exception {
        Path file = PrefixTestData.file("prefix-as-634k.txt.gz");
        PrefixTable table = PrefixTable.of(PrefixTableFile.read(file, AsNotation.PLAIN));
        assertThat(table.ipv4Size()).isEqualTo(606_138);
        assertThat(table.size() - table.ipv4Size()).isEqualTo(27_693);
        for (int i = 0; i < table.size(); i++) {
            Prefix prefix = table.entry(i).prefix();
            boolean halved = i + 1 < table.size()
                    && table.entry(i + 1).prefix().high() == prefix.high()
                    && table.entry(i + 1).prefix().low() == prefix.low();
            // The base of a prefix belongs to it, unless a longer one starts there too.
            if (!halved) {
                assertThat(table.value(table.find(prefix.high(), prefix.low())))
                        .isEqualTo(table.entry(i).value());
            }
        }
    }

    /** Writes a table in the form of a file, sorted by base. */
    static String text(PrefixTable table) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < table.size(); i++) {
            PrefixTable.Entry entry = table.entry(i);
            text.append(entry.prefix()).append(' ').append(entry.value()).append('\n');
        }
        return text.toString();
    }

    @Test
    void whatIsWrittenIsReadAgain() throws Exception {
        PrefixTable table = PrefixTable.of(
                read("10.0.0.0/8 7\n2001:db8::/32 4294967295\n10.1.0.0/16 1.0\n", AsNotation.PLAIN));
        PrefixTable again = PrefixTable.of(read(text(table), AsNotation.PLAIN));
        assertThat(again.size()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(again.entry(i)).isEqualTo(table.entry(i));
        }
    }

    /** Lines with a few characters changed are read or refused by name of file and line, and nothing else happens. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void spoiltLinesAreReadOrRefused(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> lines = List.of("10.1.0.0/16 65001 more", "2001:db8::ffff/32\t1.5", "::ffff:1.2.3.4/128 0x1f");
        String spoilers = "0123456789abcdefx:./%-\t #é\0";
        int refused = 0;
        for (int i = 0; i < 1_500; i++) {
            StringBuilder line = new StringBuilder(lines.get(random.nextInt(lines.size())));
            for (int change = random.nextInt(4); change > 0; change--) {
                int at = random.nextInt(line.length());
                char spoiler = spoilers.charAt(random.nextInt(spoilers.length()));
                line.replace(at, at + random.nextInt(2), String.valueOf(spoiler));
            }
            try {
                Prefixes prefixes = read(line.toString(), AsNotation.JAVA);
                assertThat(prefixes.size()).isBetween(0, 1);
            } catch (FaultyFile e) {
                assertThat(e).hasMessageStartingWith("t:1: ");
                refused++;
            }
        }
        assertThat(refused).isBetween(1, 1_499);
    }
}
