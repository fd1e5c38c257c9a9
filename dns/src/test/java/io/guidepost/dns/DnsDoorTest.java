package io.guidepost.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Sha256;
import io.guidepost.dns.wire.DnsCookies;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.NameForm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSIDOption;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** What the door answers, as dnsjava reads it. */
class DnsDoorTest {
    private final DnsDoorFixture stand;

    DnsDoorTest() throws Exception {
        stand = new DnsDoorFixture(true);
        stand.put("printer", "20.0.0.1:4444", "30.0.0.1:4445", "[2001:db8:30::7]:80");
    }

    @AfterEach
    void close() {
        stand.close();
    }

    /** All records of a section, without the owner if that is the name asked for. */
    private static List<String> records(Message message, int section) {
        return message.getSection(section).stream().filter(each -> each.getType() != Type.OPT)
                .map(each -> (each.getName().equals(message.getQuestion().getName()) ? "" : each.getName() + " ")
                        + each.getTTL() + " " + Type.string(each.getType()) + " " + each.rdataToString())
                .toList();
    }

    private List<String> answers(byte[] question) throws Exception {
        Message message = stand.ask(question);
        assertThat(message.getRcode()).as(message.toString()).isEqualTo(Rcode.NOERROR);
        assertThat(message.getHeader().getFlag(Flags.AA)).isTrue();
        assertThat(message.getHeader().getFlag(Flags.TC)).isFalse();
        return records(message, Section.ANSWER);
    }

    private void assertNegative(byte[] question, int rcode) throws Exception {
        Message message = stand.ask(question);
        assertThat(message.getRcode()).as(message.toString()).isEqualTo(rcode);
        assertThat(message.getSection(Section.ANSWER)).isEmpty();
        assertThat(message.getSection(Section.AUTHORITY)).singleElement().isInstanceOfSatisfying(SOARecord.class, soa -> {
            assertThat(soa.getName().toString()).isEqualTo("names.example.");
            assertThat(soa.getHost().toString()).isEqualTo("ns1.names.example.");
            assertThat(soa.getAdmin().toString()).isEqualTo("hostmaster.names.example.");
            assertThat(soa.getSerial()).isEqualTo(DnsDoorFixture.SERIAL);
            assertThat(soa.getMinimum()).isEqualTo(soa.getTTL());
        });
    }

    @Test
    void placesAreAddressesNearestFirst() throws Exception {
        assertThat(answers(DnsQuestions.plain("printer", Type.A))).containsExactly("60 A 30.0.0.1", "60 A 20.0.0.1");
        assertThat(answers(DnsQuestions.plain("printer", Type.AAAA))).containsExactly("60 AAAA 2001:db8:30:0:0:0:0:7");
        Message far = new Message(stand.ask(DnsDoorFixture.FAR_CLIENT, DnsQuestions.plain("printer", Type.A)));
        assertThat(records(far, Section.ANSWER)).containsExactly("60 A 20.0.0.1", "60 A 30.0.0.1");
        assertThat(stand.count(DnsCount.ORDERED_RESPONSES)).isEqualTo(3);
    }

    @Test
    void servicesHaveAPriorityByRankAndTargetsOfTheirOwn() throws Exception {
        stand.put("two", "20.0.0.1:4444", "30.0.0.1:4445");
        for (String name : List.of("two", "_ipp._tcp.two", "_any._udp.two")) {
            Message message = stand.ask(DnsQuestions.extended(name, Type.SRV, new CookieOption(new byte[8])));
            // The first answer has the cookie that proves the address.
            EDNSOption cookie = message.getOPT().getOptions(EDNSOption.Code.COOKIE).getFirst();
            message = stand.ask(DnsQuestions.extended(name, Type.SRV, cookie));
            assertThat(records(message, Section.ANSWER)).containsExactly(
                    "60 SRV 1 1 4445 ip4-1e000001.two.names.example.", "60 SRV 3 1 4444 ip4-14000001.two.names.example.");
            assertThat(records(message, Section.ADDITIONAL)).containsExactly(
                    "ip4-1e000001.two.names.example. 60 A 30.0.0.1", "ip4-14000001.two.names.example. 60 A 20.0.0.1");
        }
        assertThat(answers(DnsQuestions.plain("ip4-14000001.two", Type.A))).containsExactly("60 A 20.0.0.1");
        assertThat(answers(DnsQuestions.plain("ip6-20010db8003000000000000000000007.printer", Type.AAAA)))
                .containsExactly("60 AAAA 2001:db8:30:0:0:0:0:7");
        assertNegative(DnsQuestions.extended("ip4-14000001.two", Type.AAAA), Rcode.NOERROR);
        assertNegative(DnsQuestions.extended("ip4-14000002.two", Type.A), Rcode.NXDOMAIN);
        assertNegative(DnsQuestions.extended("_tcp.two", Type.SRV), Rcode.NOERROR);
        assertNegative(DnsQuestions.extended("_ipp._tcp.two", Type.A), Rcode.NOERROR);
        assertNegative(DnsQuestions.extended("_ipp._tcp.none", Type.SRV), Rcode.NXDOMAIN);
    }

    @Test
    void urlsAreRecordsToo() throws Exception {
        stand.put("web", "https://20.0.0.9:8443/a", "https://www.example.net/", "http://10.9.9.9/x?y#z");
        stand.put("twice", "https://www.example.net/a", "https://WWW.example.net/b");
        assertThat(answers(DnsQuestions.plain("twice", Type.HTTPS))).containsExactly("60 HTTPS 65535 www.example.net.");
        assertThat(answers(DnsQuestions.plain("web", Type.A))).containsExactly("60 A 10.9.9.9", "60 A 20.0.0.9");
        assertThat(answers(DnsQuestions.plain("web", Type.HTTPS))).containsExactlyInAnyOrder(
                "60 HTTPS 4 . port=8443 ipv4hint=20.0.0.9", "60 HTTPS 65535 www.example.net.");
        assertThat(answers(stream("web", Type.URI)))
                .containsExactlyInAnyOrder(
                        "60 URI 3 1 \"https://20.0.0.9:8443/a\"", "60 URI 65535 1 \"https://www.example.net/\"",
                        "60 URI 0 1 \"http://10.9.9.9/x?y#z\"");
        assertThat(answers(stream("web", Type.TXT))).contains("60 TXT \"https://www.example.net/\"");
    }

    /** A question whose cookie proves the client. */
    private byte[] stream(String name, int type) throws Exception {
        Message first = stand.ask(DnsQuestions.extended(name, type, new CookieOption(new byte[8])));
        return DnsQuestions.extended(name, type, first.getOPT().getOptions(EDNSOption.Code.COOKIE).getFirst());
    }

    @Test
    void textsAreWhatTheCommandShows() throws Exception {
        assertThat(answers(stream("printer", Type.TXT))).containsExactly(
                "60 TXT \"30.0.0.1:4445\"", "60 TXT \"[2001:db8:30::7]:80\"", "60 TXT \"20.0.0.1:4444\"");
    }

    @Test
    void theTtlIsThatOfTheRecordAndNoLongerThanItLasts() throws Exception {
        Guid guid = Guid.ofAscii("timed");
        stand.put(guid, List.of(
                new Binding(DnsDoorFixture.locator("20.0.0.1:1"), 90_000, 0),
                new Binding(DnsDoorFixture.locator("30.0.0.1:1"), 7_000, 0),
                new Binding(DnsDoorFixture.locator("[2001:db8:30::1]:1"), 90_000, DnsDoorFixture.NOW + 3_999)));
        assertThat(answers(DnsQuestions.plain("timed", Type.A))).containsExactly("7 A 30.0.0.1", "7 A 20.0.0.1");
        assertThat(answers(DnsQuestions.plain("timed", Type.AAAA))).containsExactly("3 AAAA 2001:db8:30:0:0:0:0:1");
    }

    @Test
    void anotherNameIsACnameAndIsFollowed() throws Exception {
        stand.put("other", "guid:printer");
        stand.put("far", "guid:other");
        assertThat(answers(DnsQuestions.plain("far", Type.AAAA))).containsExactly(
                "60 CNAME other.names.example.",
                "other.names.example. 60 CNAME printer.names.example.",
                "printer.names.example. 60 AAAA 2001:db8:30:0:0:0:0:7");
        assertThat(answers(DnsQuestions.plain("far", Type.CNAME))).containsExactly("60 CNAME other.names.example.");
        stand.put("lost", "guid:nothing");
        Message lost = stand.ask(stream("lost", Type.A));
        assertThat(lost.getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(records(lost, Section.ANSWER)).containsExactly("60 CNAME nothing.names.example.");
        stand.put("round", "guid:round2");
        stand.put("round2", "guid:round");
        assertThat(stand.ask(stream("round", Type.A)).getSection(Section.ANSWER)).isNotEmpty();
        stand.put("group", "guid:printer", "30.0.0.7:1", "guid:group");
        assertThat(answers(stream("group", Type.A))).containsExactly("60 A 30.0.0.7", "60 A 30.0.0.1", "60 A 20.0.0.1");
    }

    @Test
    void namesThatDnsCannotCarryHaveTheirGuid() throws Exception {
        stand.put("Big", "20.0.0.1:1");
        String digits = Guid.ofAscii("Big").toString();
        assertNegative(DnsQuestions.extended("Big", Type.A), Rcode.NXDOMAIN);
        assertThat(answers(DnsQuestions.plain(digits, Type.A))).containsExactly("60 A 20.0.0.1");
        stand.put("toBig", "guid:Big");
        stand.put("to", "guid:Big");
        assertThat(answers(stream("to", Type.CNAME))).containsExactly("60 CNAME " + digits + ".names.example.");
        stand.put("a.b.c", "20.0.0.1:1");
        assertThat(answers(DnsQuestions.plain("a.b.c", Type.A))).containsExactly("60 A 20.0.0.1");
        assertNegative(DnsQuestions.extended("abcdefghijklmnopqrstu", Type.A), Rcode.NXDOMAIN);
        for (String each : List.of(
                "orders.prod.eu-west-1.example", "0f8fad5b-d9cb-469f-a165-70867728950e", "1234/library", "10.1000/182", "0.na/1234",
                "1.2./x", "a1/b", "1234/", "twenty.characters.xy")) {
            stand.put(NameForm.parse(each).guid(), List.of(Binding.of(DnsDoorFixture.locator("20.0.0.2:1"))));
            assertThat(answers(DnsQuestions.plain(each, Type.A))).as(each).containsExactly("60 A 20.0.0.2");
        }
        assertNegative(DnsQuestions.extended("a\\.b", Type.A), Rcode.NXDOMAIN);
    }

    @Test
    void handlesAreUnderASubdomain() throws Exception {
        byte[] hash = Arrays.copyOf(Sha256.of("10.1000/AB".getBytes(StandardCharsets.US_ASCII)), Guid.BYTES);
        stand.put(Guid.of(hash), List.of(Binding.of(DnsDoorFixture.locator("20.0.0.5:1"))));
        String guid = HexFormat.of().formatHex(hash) + ".names.example.";
        for (String each : List.of("10.1000/ab.hdl", "AB.10.1000.hdl", "ab.10.1000.HDL")) {
            assertThat(answers(stream(each, Type.A))).as(each).containsExactly("60 CNAME " + guid, guid + " 60 A 20.0.0.5");
        }
        assertNegative(DnsQuestions.extended("10.1000/none.hdl", Type.A), Rcode.NXDOMAIN);
        assertNegative(DnsQuestions.extended("hdl", Type.A), Rcode.NOERROR);
    }

    @Test
    void theApexHasServersAndSoa() throws Exception {
        Message soa = stand.ask(DnsQuestions.about("NAMES.example.", Type.SOA, DClass.IN));
        assertThat(soa.getSection(Section.ANSWER)).singleElement().isInstanceOf(SOARecord.class);
        assertThat(soa.getQuestion().getName().toString()).as("the case of letters is kept").isEqualTo("NAMES.example.");
        Message servers = stand.ask(DnsQuestions.about("names.example.", Type.NS, DClass.IN));
        assertThat(records(servers, Section.ANSWER)).containsExactly("3600 NS ns1.names.example.", "3600 NS ns.example.net.");
        assertNegative(DnsQuestions.about("names.example.", Type.MX, DClass.IN), Rcode.NOERROR);
        Message any = stand.ask(DnsQuestions.plain("printer", Type.ANY));
        assertThat(records(any, Section.ANSWER)).containsExactly("3600 HINFO \"RFC8482\" \"\"");
    }

    @Test
    void whatIsNotOursIsRefused() throws Exception {
        for (byte[] each : List.of(
                DnsQuestions.about("example.", Type.A, DClass.IN),
                DnsQuestions.about("othernames.example.", Type.A, DClass.IN),
                DnsQuestions.about("x.names.example.net.", Type.A, DClass.IN),
                DnsQuestions.about("printer.names.example.", Type.A, DClass.CHAOS),
                DnsQuestions.about("names.example.", Type.AXFR, DClass.IN))) {
            Message message = stand.ask(each);
            assertThat(message.getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(message.getHeader().getFlag(Flags.AA)).isFalse();
            assertThat(message.getHeader().getFlag(Flags.RA)).isFalse();
        }
    }

    @Test
    void clientSubnetsAreRankedFor() throws Exception {
        for (InetAddress[] each : new InetAddress[][] {
            {InetAddress.ofLiteral("11.0.0.0"), InetAddress.ofLiteral("20.0.0.1")},
            {InetAddress.ofLiteral("10.0.0.0"), InetAddress.ofLiteral("30.0.0.1")},
            {InetAddress.ofLiteral("2001:db8:10::"), InetAddress.ofLiteral("30.0.0.1")}}) {
            int bits = each[0].getAddress().length == 4 ? 8 : 48;
            Message message = new Message(stand.ask(DnsDoorFixture.FAR_CLIENT,
                    DnsQuestions.extended("printer", Type.A, new ClientSubnetOption(bits, each[0]))));
            assertThat(message.getSection(Section.ANSWER).getFirst().rdataToString()).isEqualTo(each[1].getHostAddress());
            ClientSubnetOption subnet = (ClientSubnetOption) message.getOPT().getOptions(EDNSOption.Code.CLIENT_SUBNET).getFirst();
            assertThat(subnet.getScopePrefixLength()).isEqualTo(bits);
            assertThat(subnet.getAddress()).isEqualTo(each[0]);
        }
        Message alone = stand.ask(DnsQuestions.extended("printer", Type.SOA,
                new ClientSubnetOption(8, InetAddress.ofLiteral("99.0.0.0"))));
        ClientSubnetOption subnet = (ClientSubnetOption) alone.getOPT().getOptions(EDNSOption.Code.CLIENT_SUBNET).getFirst();
        assertThat(subnet.getScopePrefixLength()).as("holds for everyone").isZero();
    }

    @Test
    void edns() throws Exception {
        Message message = stand.ask(DnsQuestions.extended("printer", Type.A, new NSIDOption(new byte[0])));
        assertThat(message.getOPT().getPayloadSize()).isEqualTo(DnsLimits.UDP_BYTES_MAX);
        byte[] nsid = message.getOPT().getOptions(EDNSOption.Code.NSID).getFirst().toWire();
        assertThat(new String(nsid, StandardCharsets.US_ASCII)).endsWith("server-7");
        byte[] versioned = DnsQuestions.extended("printer", Type.A);
        versioned[versioned.length - 5] = 1;
        assertThat(stand.ask(versioned).getRcode()).isEqualTo(Rcode.BADVERS);
        assertThat(stand.ask(DnsQuestions.plain("printer", Type.A)).getOPT()).isNull();
    }

    /** The cookies of RFC 9018, appendix A.1. */
    @Test
    void cookiesAreThoseOfTheStandard() {
        HexFormat hex = HexFormat.of();
        DnsCookies cookies = new DnsCookies(
                Long.reverseBytes(0xe5e973e5a6b2a43fL), Long.reverseBytes(0x48e7dc849e37bfcfL));
        var out = java.lang.foreign.MemorySegment.ofArray(new byte[DnsCookies.BYTES]);
        var peer = DnsDoorFixture.address("198.51.100.100");
        long then = 1_559_731_985_000L;
        cookies.write(0x2464c4abcf10c957L, peer.high(), peer.low(), then, out, 0);
        assertThat(hex.formatHex(out.toArray(DnsWire.BYTE))).isEqualTo("2464c4abcf10c957010000005cf79f111f8130c3eee29480");
        assertThat(cookies.isOurs(out, 0, DnsCookies.BYTES, peer.high(), peer.low(), then + 3_600_000)).isTrue();
        assertThat(cookies.isOurs(out, 0, DnsCookies.BYTES, peer.high(), peer.low(), then + 3_601_000)).isFalse();
        assertThat(cookies.isOurs(out, 0, DnsCookies.BYTES, peer.high(), peer.low() + 1, then)).isFalse();
    }

    @Test
    void whatDoesNotFitIsAskedForAgainOverTcp() throws Exception {
        stand.put("many", IntStream.range(0, 40).mapToObj(each -> "20.0.0." + each + ":1").toArray(String[]::new));
        byte[] question = DnsQuestions.extended("many", Type.A);
        byte[] answer = stand.ask(DnsDoorFixture.CLIENT, question);
        assertThat(answer.length).isLessThanOrEqualTo(3 * question.length);
        assertThat(new Message(answer).getHeader().getFlag(Flags.TC)).isTrue();
        assertThat(new Message(answer).getSection(Section.ANSWER)).isEmpty();
        assertThat(stand.count(DnsCount.TRUNCATED_RESPONSES_AMPLIFICATION)).isEqualTo(1);
        assertThat(answers(stream("many", Type.A))).as("the cookie proves the client").hasSize(40);
        stand.put("more", IntStream.range(0, 80).mapToObj(each -> "20.0.0." + each + ":1").toArray(String[]::new));
        assertThat(stand.ask(stream("more", Type.A)).getHeader().getFlag(Flags.TC)).isTrue();
        assertThat(stand.count(DnsCount.TRUNCATED_RESPONSES_SIZE)).isEqualTo(1);
    }

    /** Names of other servers, and links of ours that lead there, are asked for apart; one that is not answered is a failure. */
    @Test
    void whatOtherServersKeepIsAskedFor() throws Exception {
        List<Guid> asked = new ArrayList<>();
        RemoteNames remote = new RemoteNames() {
            @Override
            public boolean isHere(MemorySegment segment, long offset) {
                return false;
            }

            @Override
            public List<Binding> find(Guid guid) throws IOException {
                asked.add(guid);
                if (guid.equals(Guid.ofAscii("lost"))) {
                    throw new IOException("no server answers");
                }
                return guid.equals(Guid.ofAscii("far"))
                        ? List.of(Binding.of(DnsDoorFixture.locator("20.0.0.2:2")), Binding.of(DnsDoorFixture.locator("20.0.0.3:3")))
                        : List.of();
            }
        };
        try (DnsDoorFixture elsewhere = new DnsDoorFixture(false, io.guidepost.store.StoreOptions.inMemory(), remote)) {
            elsewhere.put("mine", "20.0.0.1:1");
            elsewhere.put("mixed", "20.0.0.1:1", "guid:far");
            elsewhere.put("alias", "guid:far");
            assertThat(elsewhere.ask(DnsQuestions.plain("mine", Type.A)).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(asked).isEmpty();
            assertThat(records(later(elsewhere, "far"), Section.ANSWER)).containsExactly("60 A 20.0.0.2", "60 A 20.0.0.3");
            assertThat(records(later(elsewhere, "mixed"), Section.ANSWER))
                    .containsExactly("60 A 20.0.0.1", "60 A 20.0.0.2", "60 A 20.0.0.3");
            assertThat(records(later(elsewhere, "alias"), Section.ANSWER)).contains("far.names.example. 60 A 20.0.0.3");
            assertThat(later(elsewhere, "none").getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(later(elsewhere, "lost").getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(elsewhere.count(DnsCount.LOOKUP_WAITS_SERVERS)).isEqualTo(5);
            Message overTcp = new Message(DnsQuestions.stream(elsewhere.context, DnsQuestions.plain("far", Type.SRV)));
            assertThat(records(overTcp, Section.ANSWER)).hasSize(2);
        }
    }

    /** Returns the answer to a question that is not answered at once. */
    private static Message later(DnsDoorFixture door, String name) throws IOException {
        assertThat(door.ask(DnsDoorFixture.CLIENT, DnsQuestions.extended(name, Type.A))).isEmpty();
        return new Message(door.next());
    }

    /** Addresses that the client asks for next are there already, if they are those of names of the zone. */
    @Test
    void serversAndHostsOfTheZoneComeWithTheirAddresses() throws Exception {
        stand.put("ns1", "20.0.0.7:1", "20.0.0.7:2", "[2001:db8:30::8]:80");
        stand.put("web", "https://printer.names.example/a", "https://printer.names.example:444/", "https://www.example.net/");
        List<String> addresses = List.of("ns1.names.example. 60 A 20.0.0.7", "ns1.names.example. 60 AAAA 2001:db8:30:0:0:0:0:8");
        assertThat(records(overTcp("names.example.", Type.NS), Section.ADDITIONAL)).containsExactlyElementsOf(addresses);
        assertThat(records(overTcp("names.example.", Type.SOA), Section.ADDITIONAL)).containsExactlyElementsOf(addresses);
        Message web = overTcp("web.names.example.", Type.HTTPS);
        assertThat(records(web, Section.ANSWER)).hasSize(3);
        assertThat(records(web, Section.ADDITIONAL)).containsExactlyInAnyOrder(
                "printer.names.example. 60 A 20.0.0.1", "printer.names.example. 60 A 30.0.0.1",
                "printer.names.example. 60 AAAA 2001:db8:30:0:0:0:0:7");
        stand.settings = new DnsSettings(
                stand.settings.zone(), List.of(DnsDoorFixture.name("ns9.names.example")), 60, List.of(), List.of(), "");
        assertThat(records(overTcp("names.example.", Type.NS), Section.ADDITIONAL)).as("not bound").isEmpty();
    }

    private Message overTcp(String name, int type) throws IOException {
        return new Message(DnsQuestions.stream(stand.context, DnsQuestions.about(name, type, DClass.IN)));
    }

    /** The index of a store that has just been opened does not know yet what there is. */
    @Test
    void whatTheIndexDoesNotKnowIsReadFromTheDisk() throws Exception {
        try (DnsDoorFixture cold = new DnsDoorFixture(true)) {
            byte[] question = DnsQuestions.plain("printer", Type.A);
            if (cold.ask(DnsDoorFixture.CLIENT, question).length == 0) {
                assertThat(new Message(cold.next()).getRcode()).isEqualTo(Rcode.NXDOMAIN);
                assertThat(cold.count(DnsCount.LOOKUP_WAITS_ENGINE)).isEqualTo(1);
            }
            assertThat(cold.count(DnsCount.RESPONSES_NX_DOMAIN)).isEqualTo(1);
        }
    }

    @Test
    void aReloadIsFollowed() throws Exception {
        stand.settings = DnsDoorFixture.settings(9);
        assertThat(answers(DnsQuestions.plain("printer", Type.A)).getFirst()).startsWith("9 A");
    }

    @Test
    void everyRequestIsCountedOnce() throws Exception {
        List<byte[]> requests = new ArrayList<>(List.of(
                DnsQuestions.plain("printer", Type.A), DnsQuestions.plain("printer", Type.MX), DnsQuestions.plain("x", Type.A),
                DnsQuestions.about("a.", Type.A, DClass.IN), new byte[5], new byte[12],
                new byte[] {0, 1, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
        requests.forEach(each -> stand.ask(DnsDoorFixture.CLIENT, each));
        stand.ask(DnsDoorFixture.CLIENT, DnsQuestions.plain("printer", Type.A), 20);
        assertThat(stand.count(DnsCount.REQUESTS_UDP)).isEqualTo(requests.size() + 1);
        assertThat(Arrays.stream(DnsCount.values())
                        .filter(each -> each.name().startsWith("RESPONSES_") || each.name().startsWith("DROPS_"))
                        .mapToLong(stand::count)
                        .sum())
                .isEqualTo(requests.size() + 1);
        assertThat(stand.count(DnsCount.DROPS_NO_ROOM)).isEqualTo(1);
        assertThat(stand.count(DnsCount.DROPS_MALFORMED)).isEqualTo(2);
    }
}
