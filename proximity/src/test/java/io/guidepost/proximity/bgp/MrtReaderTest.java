package io.guidepost.proximity.bgp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.OperatorNetwork;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as collectors write them. */
class MrtReaderTest {
    private static final MrtPeer FOUR = new MrtPeer(Address.ofIpv4(0x0a000001), 65_001, 7);
    private static final MrtPeer SIX = new MrtPeer(new Address(0x20010db800000000L, 2), 4_200_000_000L, 8);
    private static final MrtPeer FOUR_REPLAYED = new MrtPeer(FOUR.address(), FOUR.as(), 0);

    private final Rib rib = new Rib();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final MrtWriter writer = new MrtWriter(file);

    private Optional<RibPeer> peer(MrtPeer peer) {
        return rib.peer("mrt " + peer.address(), new RouteExitRule.Fixed(new RouteExit(peer.address(), 0)));
    }

    MrtSummary read(byte[] bytes) throws Exception {
        return MrtReader.read(new ByteArrayInputStream(bytes), this::peer, offset -> {});
    }

    private String network() {
        OperatorNetwork network = new OperatorNetwork();
        rib.fill(network);
        StringBuilder text = new StringBuilder();
        network.forEach((prefix, all) -> all.forEach(each -> text.append(prefix).append(' ').append(each.router()).append(' ')
                .append(each.asNumber()).append(' ').append(each.asDistance()).append('\n')));
        return text.toString();
    }

    byte[] sample() throws Exception {
        writer.index(List.of(FOUR, SIX));
        writer.table(Prefix.parse("10.0.0.0/8"), false,
                List.of(new MrtWriter.Way(0, 0, 65_001, 7), new MrtWriter.Way(1, 0, 4_200_000_000L)));
        writer.table(Prefix.parse("11.0.0.0/8"), true, List.of(new MrtWriter.Way(0, 1, 65_001, 9, 9)));
        writer.table(Prefix.parse("2001:db8::/32"), false, List.of(new MrtWriter.Way(1, 0, 4_200_000_000L, 5)));
        writer.record(13, 3, new byte[] {1});
        writer.record(99, 3, new byte[] {1});
        return file.toByteArray();
    }

    @Test
    void readsATable() throws Exception {
        MrtSummary summary = read(sample());
        assertThat(summary).isEqualTo(new MrtSummary(6, 4, 0, 2, 0, ""));
        assertThat(network()).isEqualTo("""
                10.0.0.0/8 10.0.0.1 7 2
                10.0.0.0/8 2001:db8::2 4200000000 1
                11.0.0.0/8 10.0.0.1 9 3
                2001:db8::/32 2001:db8::2 5 2
                """);
    }

    @Test
    void readsGzip() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(sample());
        }
        assertThat(read(packed.toByteArray()).routes()).isEqualTo(4);
    }

    private static byte[] bzip2(byte[] plain, int from, int to) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (BZip2CompressorOutputStream out = new BZip2CompressorOutputStream(packed)) {
            out.write(plain, from, to - from);
        }
        return packed.toByteArray();
    }

    @Test
    void readsBzip2AlsoWhereItIsSeveralStreams() throws Exception {
        byte[] plain = sample();
        assertThat(read(bzip2(plain, 0, plain.length)).routes()).isEqualTo(4);
        byte[] two = BgpTestMessages.join(bzip2(plain, 0, 30), bzip2(plain, 30, plain.length));
        assertThat(read(two).routes()).isEqualTo(4);
        assertThat(network()).contains("11.0.0.0/8 10.0.0.1 9 3");
    }

    @Test
    void saysThatBzip2IsDamagedOrCutOff() throws Exception {
        byte[] plain = sample();
        byte[] packed = bzip2(plain, 0, plain.length);
        assertThatThrownBy(() -> read(Arrays.copyOf(packed, packed.length / 2)))
                .isInstanceOf(ZipException.class)
                .hasMessageContaining("cut off");
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 2_000; i++) {
            byte[] spoilt = packed.clone();
            spoilt[4 + random.nextInt(spoilt.length - 4)] ^= (byte) (1 << random.nextInt(8));
            try {
                read(spoilt);
            } catch (IOException | Malformed e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
    }

    @Test
    void readsATableOfTheFirstKind() throws Exception {
        byte[] attributes = BgpTestMessages.hex("40010100 4002060202fde90007 4003040a000001".replace(" ", ""));
        byte[] four = BgpTestMessages.join(
                BgpTestMessages.hex("0000 0001 0a010203 10 01 00000000 0a000001 fde9 0014"), attributes);
        writer.record(12, 1, four);
        byte[] six = BgpTestMessages.join(
                BgpTestMessages.hex("0000 0002 20010db8000000000000000000000000 20 01 00000000"
                        + "20010db8000000000000000000000002 fde9 002a"),
                BgpTestMessages.hex("40010100 4002060202fde90007"),
                BgpTestMessages.hex("800e 1a 0002 01 10 20010db8000000000000000000000001 00 20 20010db8"));
        writer.record(12, 2, six);
        four[8] = 33;
        writer.record(12, 1, four);
        writer.record(12, 3, four);
        MrtSummary summary = read(file.toByteArray());
        assertThat(network()).as(summary.firstFault()).isEqualTo("""
                10.1.0.0/16 10.0.0.1 7 2
                2001:db8::/32 2001:db8::2 7 2
                """);
        assertThat(summary.routes()).isEqualTo(2);
        assertThat(summary.otherRecords()).isEqualTo(1);
        assertThat(summary.badRecords()).isEqualTo(1);
        assertThat(summary.firstFault()).contains("33 bits");
    }

    @Test
    void replaysMessagesInOrder() throws Exception {
        Prefix ten = Prefix.parse("10.0.0.0/8");
        Prefix eleven = Prefix.parse("11.0.0.0/8");
        writer.replayed(4, FOUR_REPLAYED, BgpTestMessages.message(2, BgpTestMessages.announce(List.of(ten, eleven), 65_001, 7)));
        writer.replayed(4, FOUR_REPLAYED, BgpTestMessages.message(2, BgpTestMessages.withdraw(List.of(ten))));
        writer.replayed(4, FOUR_REPLAYED, BgpTestMessages.message(4, new byte[0]));
        writer.replayed(4, SIX, BgpTestMessages.message(2, BgpTestMessages.announce(List.of(ten), 4_200_000_000L)));
        writer.replayed(7, SIX, new byte[4]);
        MrtSummary summary = read(file.toByteArray());
        assertThat(summary).isEqualTo(new MrtSummary(5, 0, 3, 1, 0, ""));
        assertThat(network()).isEqualTo("10.0.0.0/8 2001:db8::2 4200000000 1\n11.0.0.0/8 10.0.0.1 7 2\n");
        file.reset();
        writer.replayed(5, FOUR_REPLAYED, BgpTestMessages.hex("0006 0001"));
        read(file.toByteArray());
        assertThat(network()).isEqualTo("10.0.0.0/8 2001:db8::2 4200000000 1\n");
    }

    @Test
    void saysWhereAFileIsBad() throws Exception {
        byte[] good = sample();
        assertThatThrownBy(() -> read(Arrays.copyOf(good, good.length - 1)))
                .hasMessageContaining("ends within a record")
                .hasMessageContaining("offset " + (good.length - 13));
        assertThatThrownBy(() -> read("192.0.2.0/24 65001\n192.0.3.0/24 65001\n".getBytes(
                        java.nio.charset.StandardCharsets.US_ASCII)))
                .hasMessageContaining("no file of MRT");
        file.reset();
        writer.table(Prefix.parse("10.0.0.0/8"), false, List.of(new MrtWriter.Way(9, 0, 1)));
        assertThat(read(file.toByteArray()).firstFault()).contains("byte 0").contains("peer 9");
    }

    @Test
    void noFileBreaksIt() throws Exception {
        fuzz(3, 20_000);
    }

    @Test
    @Tag("long")
    void noFileOfManyBreaksIt() throws Exception {
        fuzz(4, 1_000_000);
    }

    private void fuzz(long seed, int rounds) throws Exception {
        writer.replayed(4, FOUR_REPLAYED,
                BgpTestMessages.message(2, BgpTestMessages.announce(List.of(Prefix.parse("10.0.0.0/8")), 65_001, 7)));
        byte[] good = sample();
        SplittableRandom random = new SplittableRandom(seed);
        int whole = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] bad = good.clone();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                whole += read(bad).records() == 7 ? 1 : 0;
            } catch (Malformed e) {
                assertThat(e.reason()).isNotEmpty();
            }
        }
        assertThat(whole).isPositive().isLessThan(rounds);
    }

    /** Says how long a million prefixes of two peers take. */
    @Test
    @Tag("long")
    void readsAMillionPrefixesInSeconds(@TempDir Path folder) throws Exception {
        Path dump = folder.resolve("rib.mrt.gz");
        SplittableRandom random = new SplittableRandom(1);
        try (OutputStream out = new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(dump)))) {
            MrtWriter big = new MrtWriter(out);
            big.index(List.of(FOUR, SIX));
            for (int i = 0; i < 1_000_000; i++) {
                Prefix prefix = i % 7 == 0
                        ? new Prefix(0x2001L << 48 | (long) i << 16, 0, 48)
                        : Prefix.ofIpv4((1 << 24) + (i << 8), 24);
                big.table(prefix, false, List.of(
                        new MrtWriter.Way(0, 0, 65_001, random.nextInt(1, 70_000), random.nextInt(1, 70_000)),
                        new MrtWriter.Way(1, 0, 4_200_000_000L, random.nextInt(1, 70_000))));
            }
        }
        for (int round = 0; round < 3; round++) {
            Rib into = new Rib();
            long begun = System.nanoTime();
            MrtSummary summary;
            try (InputStream in = new BufferedInputStream(Files.newInputStream(dump))) {
                summary = MrtReader.read(
                        in,
                        peer -> into.peer("mrt " + peer.address(), new RouteExitRule.Fixed(new RouteExit(peer.address(), 0))),
                        offset -> {});
            }
            long read = System.nanoTime();
            OperatorNetwork network = new OperatorNetwork();
            into.fill(network);
            System.out.printf("%d routes read in %d ms, put into a network of %d prefixes in %d ms; %d MiB of routes%n",
                    summary.routes(), (read - begun) / 1_000_000, network.prefixes(), (System.nanoTime() - read) / 1_000_000,
                    into.bytes() >> 20);
            assertThat(network.prefixes()).isEqualTo(1_000_000);
        }
    }
}
