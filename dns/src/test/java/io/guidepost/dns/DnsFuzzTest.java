package io.guidepost.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.names.Guid;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSIDOption;
import org.xbill.DNS.Type;

/** Whatever comes, the door answers what another library can read, and at most three times as much as came. */
class DnsFuzzTest {
    private static final String[] NAMES = {
        "printer", "web", "alias", "group", "_sip._udp.printer", "_udp.printer", "ip4-14000001.printer", "none", "10.1000/x.hdl", "hdl",
        "ip6-20010db8003000000000000000000007.printer", Guid.ofAscii("printer").toString()
    };
    private static final int[] TYPES = {
        Type.A, Type.AAAA, Type.SRV, Type.TXT, Type.URI, Type.HTTPS, Type.ANY, Type.CNAME, Type.SOA, Type.NS, Type.IXFR, Type.AXFR
    };

    static void fill(DnsDoorFixture stand) throws IOException {
        stand.put("printer", "20.0.0.1:4444", "30.0.0.1:4445", "[2001:db8:30::7]:80");
        stand.put("web", "https://20.0.0.9:8443/a", "https://www.example.net/", "http://[2001:db8::1]/x");
        stand.put("alias", "guid:printer");
        stand.put("group", "guid:printer", "guid:web", "30.0.0.7:1");
    }

    static List<byte[]> seeds(DnsDoorFixture stand) {
        List<byte[]> seeds = new ArrayList<>();
        EDNSOption subnet = new ClientSubnetOption(8, InetAddress.ofLiteral("10.0.0.0"));
        for (String name : NAMES) {
            for (int type : TYPES) {
                seeds.add(DnsQuestions.plain(name, type));
                seeds.add(DnsQuestions.extended(name, type, new CookieOption(new byte[8]), subnet, new NSIDOption(new byte[0])));
            }
        }
        for (int type : TYPES) {
            seeds.add(DnsQuestions.about("names.example.", type, DClass.IN));
        }
        try {
            byte[] first = stand.ask(DnsDoorFixture.CLIENT, DnsQuestions.extended("group", Type.TXT, new CookieOption(new byte[8])));
            EDNSOption cookie = new Message(first).getOPT().getOptions(EDNSOption.Code.COOKIE).getFirst();
            for (int type : TYPES) {
                seeds.add(DnsQuestions.extended("group", type, cookie));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return seeds;
    }

    private static byte[] mutated(byte[] seed, SplittableRandom random) {
        byte[] bytes = Arrays.copyOf(seed, random.nextInt(4) == 0 ? random.nextInt(seed.length + 8) : seed.length);
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 24) : bytes.length);
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1 << random.nextInt(8));
        }
        return bytes;
    }

    /** Returns what is wrong with an answer; empty if nothing is. */
    static String wrong(byte[] question, byte[] answer) {
        if (answer.length == 0) {
            return "";
        }
        if (answer[0] != question[0] || answer[1] != question[1] || answer[2] >= 0) {
            return "a header that cannot be";
        }
        boolean proven = new String(question, java.nio.charset.StandardCharsets.ISO_8859_1).contains("\1\0\0\0");
        if (answer.length > 3 * question.length && !proven || answer.length > DnsLimits.UDP_BYTES_MAX) {
            return "of " + answer.length + " bytes for " + question.length;
        }
        try {
            Message message = new Message(answer);
            return message.numBytes() == answer.length ? "" : "of " + answer.length + " bytes with " + message.numBytes();
        } catch (IOException | RuntimeException e) {
            return e.toString();
        }
    }

    private void run(int datagrams, long seed) throws IOException {
        try (DnsDoorFixture stand = new DnsDoorFixture(true)) {
            fill(stand);
            SplittableRandom random = new SplittableRandom(seed);
            List<byte[]> seeds = seeds(stand);
            long before = stand.count(DnsCount.REQUESTS_UDP);
            for (int i = 0; i < datagrams; i++) {
                byte[] question = mutated(seeds.get(random.nextInt(seeds.size())), random);
                Address peer = random.nextInt(4) == 0 ? DnsDoorFixture.FAR_CLIENT : DnsDoorFixture.CLIENT;
                byte[] answer = stand.ask(peer, question);
                // The library is slower than the door: it judges a part.
                String what = i % 8 == 0 || datagrams < 100_000 ? wrong(question, answer) : "";
                assertThat(what).as("seed %d: %s", seed, HexFormat.of().formatHex(question)).isEmpty();
            }
            assertThat(stand.count(DnsCount.REQUESTS_UDP)).isEqualTo(before + datagrams);
            assertThat(Arrays.stream(DnsCount.values())
                            .filter(each -> each.name().startsWith("RESPONSES_") || each.name().startsWith("DROPS_"))
                            .mapToLong(stand::count)
                            .sum())
                    .isEqualTo(before + datagrams);
            assertThat(stand.count(DnsCount.RESPONSES_NO_ERROR)).isGreaterThan(datagrams / 100);
            assertThat(stand.count(DnsCount.PROVEN_REQUESTS)).isPositive();
            for (DnsFault each : DnsFault.values()) {
                boolean rare = each == DnsFault.OK || each == DnsFault.NAME_LONG || each == DnsFault.IXFR_SOA || each == DnsFault.OPT_TWICE
                        || each == DnsFault.OPT_NAME;
                assertThat(stand.door.faults().get(each) > 0 || rare).as("%s was met", each).isTrue();
            }
        }
    }

    @Test
    void theDoorStandsWhateverComes() throws Exception {
        run(20_000, 1);
    }

    @Test
    @Tag("long")
    void theDoorStandsWhateverComesForLong() throws Exception {
        for (long seed = 2; seed < 12; seed++) {
            run(1_000_000, seed);
        }
    }
}
