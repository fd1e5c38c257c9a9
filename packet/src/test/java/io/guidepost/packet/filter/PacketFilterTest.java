package io.guidepost.packet.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.FrameMaker;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.pcap.CaptureReader;
import io.guidepost.packet.pcap.CaptureWriter;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacketFilterTest {
    private static final String UDP = "020000000001 020000000002 8100 0064 0800"
            + "4500001c 00004000 40110000 0a000001 0a000002 1389 0035 0008 0000";
    private static final String TCP6 = "020000000003 020000000002 86dd 60000000 0014 0640"
            + "20010db8000000000000000000000001 20010db8000100000000000000000002"
            + "c000 0050 00000001 00000000 50020000 00000000";
    private static final String ARP = "ffffffffffff 020000000002 0806 0001 0800 06 04 0001"
            + "020000000002 0a000001 000000000000 0a000009";

    @TempDir
    Path folder;

    private static boolean matches(String filter, String hex) throws FilterException {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(bytes.length).address();
            Memory.copy(bytes, 0, at, bytes.length);
            HeaderParser headers = new HeaderParser();
            headers.read(at, bytes.length);
            return PacketFilter.parse(filter).matches(headers);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        // filter; the UDP packet in VLAN 100, the TCP packet over IPv6, the ARP request
        "''; yes yes yes",
        "host 10.0.0.1; yes no yes",
        "10.0.0.2; yes no no",
        "src 10.0.0.2; no no no",
        "dst host 10.0.0.9; no no yes",
        "src and dst net 10.0.0.0/24; yes no yes",
        "src or dst host 10.0.0.2; yes no no",
        "ip host 10.0.0.1; yes no no",
        "arp host 10.0.0.1; no no yes",
        "net 10; yes no yes",
        "net 10.0.0.2/31; yes no no",
        "net 10.0.0.0 mask 255.255.255.0; yes no yes",
        "net 2001:db8::/32; no yes no",
        "src net 2001:db8:1::/48; no no no",
        "dst net 2001:db8:1::/48; no yes no",
        "host 2001:db8::1; no yes no",
        "net 0.0.0.0/0; yes no yes",
        "net ::/0; yes yes yes",
        "port 53; yes no no",
        "src port 53; no no no",
        "port 5000 or 53; yes no no",
        "port (80 or 53); yes yes no",
        "tcp dst port 80; no yes no",
        "udp port 80; no no no",
        "portrange 50-80; yes yes no",
        "tcp portrange 81-90; no no no",
        "ip; yes no no",
        "ip6; no yes no",
        "arp; no no yes",
        "tcp; no yes no",
        "udp; yes no no",
        "icmp or icmp6; no no no",
        "proto 17; yes no no",
        "ip6 proto \\tcp; no yes no",
        "ip proto tcp; no no no",
        "ether proto 0x0806; no no yes",
        "ether host 02:00:00:00:00:02; yes yes yes",
        "ether dst 02-00-00-00-00-03; no yes no",
        "broadcast; no no yes",
        "multicast; no no yes",
        "vlan; yes no no",
        "vlan 100; yes no no",
        "vlan 101; no no no",
        "less 46; yes no yes",
        "greater 47; no yes no",
        "not udp; no yes yes",
        "! (udp || arp); no yes no",
        "not udp and not arp; no yes no",
        // From the left: (udp or tcp) and arp.
        "udp or tcp and arp; no no no",
        "udp or (tcp and arp); yes no no",
        "host 10.0.0.1 and udp port 53; yes no no",
        "not host 10.0.0.7 and 10.0.0.2; yes no no"
    })
    void eachAgainstThreePackets(String filter, String verdicts) throws FilterException {
        String[] each = verdicts.split(" ", -1);
        assertThat(matches(filter, UDP)).as("UDP").isEqualTo(each[0].equals("yes"));
        assertThat(matches(filter, TCP6)).as("TCP").isEqualTo(each[1].equals("yes"));
        assertThat(matches(filter, ARP)).as("ARP").isEqualTo(each[2].equals("yes"));
    }

    @Test
    void theOuterTagCountsToo() throws FilterException {
        String twice = UDP.replace("8100 0064", "88a8 0007 8100 0064");
        assertThat(matches("vlan 7", twice)).isTrue();
        assertThat(matches("vlan 100 and udp port 53", twice)).isTrue();
        assertThat(matches("vlan 8", twice)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', value = {
        "prot 17@ 1@ \"prot\" is no word of filters; there are host, net, port, portrange, proto, src, dst, ether, ip, ip6,"
                + " arp, tcp, udp, icmp, icmp6, vlan, less, greater, broadcast, multicast, not, and, or",
        "host@ 5@ a value must follow host",
        "host and tcp@ 6@ a value must follow host, not \"and\"",
        "udp and@ 8@ an address, a port or another condition must follow",
        "tcp port http@ 10@ \"http\" is no port; write 0 to 65535",
        "port 70000@ 6@ \"70000\" is no port; write 0 to 65535",
        "portrange 9-5@ 11@ \"9-5\" is no range of ports; write one like 5000-5009",
        "host example.org@ 6@ \"example.org\" is no address; write one like 10.0.0.1 or 2001:db8::1, host names are not resolved",
        "host 10.0.0.256@ 6@ \"10.0.0.256\" is no address; write one like 10.0.0.1 or 2001:db8::1, host names are not resolved",
        "net 10.0.0.1/8@ 5@ \"10.0.0.1/8\" has bits behind its prefix of 8; write 10.0.0.0/8",
        "net 10.0.0.0/33@ 5@ \"10.0.0.0/33\" has a prefix of \"33\" bits; it must be 0 to 32",
        "net 10.0.0.0 mask 255.0.255.0@ 19@ \"255.0.255.0\" is no mask; write one like 255.255.0.0",
        "(tcp or udp@ 12@ the ) of the ( in column 1 is missing",
        "(tcp udp)@ 6@ \"udp\" stands where and, or, or the ) of the ( in column 1 must be",
        "tcp udp@ 5@ \"udp\" is more than there should be; write and, or, or nothing",
        "tcp host 10.0.0.1@ 10@ \"10.0.0.1\" cannot follow tcp host; write tcp and host",
        "arp port 5@ 10@ \"5\" cannot follow arp port; write arp and port",
        "ether port 5@ 12@ \"5\" cannot be: ether has host and proto, not port",
        "ether host 1:2@ 12@ \"1:2\" is no Ethernet address; write one like 02:00:00:00:00:01",
        "vlan 5000@ 6@ \"5000\" is no VLAN; write 0 to 4095",
        "less than@ 6@ \"than\" is no number of bytes; write 0 to 65535",
        "proto foo@ 7@ \"foo\" is no protocol; write 0 to 255, or icmp, igmp, tcp, udp, gre, esp, ah, icmp6, sctp"
    })
    void whatIsWrongIsSaidWithItsColumn(String filter, int column, String rest) {
        assertThatThrownBy(() -> PacketFilter.parse(filter))
                .isInstanceOfSatisfying(FilterException.class, wrong -> assertThat(wrong.column()).isEqualTo(column))
                .hasMessage("filter, column " + column + ": " + rest);
    }

    @Test
    void wordsWithoutSenseAreRefusedAndNothingElseHappens() {
        String[] words = ("host net port portrange proto src dst ether ip ip6 arp tcp udp icmp icmp6 vlan less greater broadcast"
                + " multicast not and or and or ( ) ! && || & | 10.0.0.1 10.0.0.0/8 10 2001:db8::1 ::/0 02:00:00:00:00:01 53 1-9"
                + " 0x0800 - / : . mask \\tcp 99999999999 fe80::1%eth0 1.2.3.4.5 ::/129 ä").split(" ", -1);
        SplittableRandom random = new SplittableRandom(3);
        int understood = 0;
        for (int i = 0; i < 40_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(8); k >= 0; k--) {
                text.append(words[random.nextInt(words.length)]).append(random.nextInt(8) == 0 ? "" : " ");
            }
            try {
                matches(text.toString(), UDP);
                understood++;
            } catch (FilterException e) {
                assertThat(e.column()).isBetween(1, text.length() + 1);
            } catch (RuntimeException e) {
                throw new AssertionError(text.toString(), e);
            }
        }
        assertThat(understood).isGreaterThan(200);
    }

    @Test
    void aFilterWithoutEndIsRefused() {
        assertThatThrownBy(() -> PacketFilter.parse("not ".repeat(100_000) + "tcp"))
                .isInstanceOf(FilterException.class)
                .hasMessageContaining("more than 1000 words");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "host 10.0.1.3", "src 10.0.1.3", "dst net 10.0.2.0/24", "net 10.0.0.0/8", "net 2001:db8:0:2::/64", "src or dst 10.0.3.1",
        "src and dst net 10.0.1.0/24", "port 40003", "src port 40003", "tcp port 41000", "udp dst portrange 41000-41003",
        "tcp", "udp", "icmp", "icmp6", "arp", "ip", "ip6", "ip proto 253", "ip6 proto 17", "proto 6", "less 100", "greater 400",
        "not tcp and not udp", "tcp or udp and port 40001", "port 40001 or 40002 or 40003", "ether src 02:00:00:00:00:03",
        "broadcast", "arp host 10.0.1.1", "ip host 10.0.1.1 and not (tcp port 40001 or udp)", "host 2001:db8::1"
    })
    void tcpdumpFindsTheSame(String text) throws Exception {
        Path tcpdump = Path.of("/usr/bin/tcpdump");
        assumeTrue(Files.isExecutable(tcpdump), "there is no tcpdump (apt-get install tcpdump)");
        Path in = folder.resolve("in.pcap");
        Path out = folder.resolve("out.pcap");
        PacketFilter filter = PacketFilter.parse(text);
        FrameMaker maker = new FrameMaker(11);
        HeaderParser headers = new HeaderParser();
        long at = Arena.global().allocate(2_048).address();
        int found = 0;
        try (CaptureWriter writer = CaptureWriter.create(in, "test", "")) {
            for (int i = 0; i < 3_000; i++) {
                byte[] frame = maker.make();
                Memory.copy(frame, 0, at, frame.length);
                headers.read(at, frame.length);
                // What tcpdump sees only when it is told to: tags, and what is behind extension headers.
                if (headers.vlan() < 0 && !(headers.isIpv6() && headers.transportOffset() != 54)) {
                    writer.write(at, frame.length, i);
                    found += filter.matches(headers) ? 1 : 0;
                }
            }
        }
        Process process = new ProcessBuilder(
                        tcpdump.toString(), "-Z", "root", "-n", "-r", in.toString(), "-w", out.toString(), text)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        CaptureReader reader = CaptureReader.open(out);
        int theirs = 0;
        while (reader.next()) {
            theirs++;
        }
        assertThat(found).isEqualTo(theirs).isPositive();
    }
}
