package io.guidepost.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.dns.wire.DnsFault;
import io.guidepost.dns.wire.DnsQueryFlyweight;
import io.guidepost.dns.wire.DnsWire;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Messages byte by byte: what the codec reads, and what it writes. */
class DnsVectorsTest {
    private static final HexFormat HEX = HexFormat.of();

    /** id 1234, RD; PrinTer.names.example. A IN; OPT 4096, DO, NSID, subnet 10.1.0.0/16, cookie. */
    private static final String QUESTION = "1234 0100 0001 0000 0000 0001"
            + " 07 5072696e546572 05 6e616d6573 07 6578616d706c65 00 0001 0001"
            + " 00 0029 1000 00 00 8000 001a"
            + " 0003 0000"
            + " 0008 0006 0001 10 00 0a01"
            + " 000a 0008 0102030405060708";

    private static byte[] bytes(String hex) {
        return HEX.parseHex(hex.replace(" ", ""));
    }

    private static DnsQueryFlyweight read(String hex, DnsFault fault) {
        byte[] bytes = bytes(hex);
        DnsQueryFlyweight query = new DnsQueryFlyweight();
        assertThat(query.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(fault);
        return query;
    }

    @Test
    void aQuestionIsRead() {
        DnsQueryFlyweight query = read(QUESTION, DnsFault.OK);
        assertThat(query.flags()).isEqualTo(DnsWire.RD);
        assertThat(query.type()).isEqualTo(DnsWire.A);
        assertThat(query.queryClass()).isEqualTo(DnsWire.IN);
        assertThat(query.labels()).isEqualTo(3);
        assertThat(HEX.formatHex(query.name().asSlice(0, query.nameBytes()).toArray(DnsWire.BYTE)))
                .as("in lower case")
                .isEqualTo("077072696e746572056e616d6573076578616d706c6500");
        assertThat(query.udpBytes()).isEqualTo(4096);
        assertThat(query.dnssecOk()).isTrue();
        assertThat(query.wantsNsid()).isTrue();
        assertThat(query.subnetFamily()).isEqualTo(1);
        assertThat(query.subnetBits()).isEqualTo(16);
        assertThat(query.cookieBytes()).isEqualTo(8);
        assertThat(query.segment().get(DnsWire.LONG, query.cookie())).isEqualTo(0x0102030405060708L);
    }

    @Test
    void anIncrementalTransferIsRead() {
        DnsQueryFlyweight query = read("0001 0000 0001 0000 0001 0000 05 6e616d6573 07 6578616d706c65 00 00fb 0001"
                + " c00c 0006 0001 00000000 0016 00 00 0000002a 00000001 00000002 00000003 00000004", DnsFault.OK);
        assertThat(query.serial()).isEqualTo(42);
    }

    @Test
    void faultsAreNamed() {
        String header = "0001 0000 0001 0000 0000 0000";
        String name = " 01 61 00 0001 0001";
        read("0001 0000 0001 0000 0000", DnsFault.SHORT_HEADER);
        read("0001 8000 0001 0000 0000 0000" + name, DnsFault.RESPONSE);
        read("0001 2800 0001 0000 0000 0000" + name, DnsFault.OPCODE);
        read("0001 0000 0000 0000 0000 0000", DnsFault.QUESTION_COUNT);
        read("0001 0000 0002 0000 0000 0000" + name + name, DnsFault.QUESTION_COUNT);
        read("0001 0000 0001 0001 0000 0000" + name, DnsFault.RECORD_COUNT);
        read("0001 0000 0001 0000 0001 0000" + name, DnsFault.RECORD_COUNT);
        read(header + " 01 61 00 0001 00", DnsFault.QUESTION_CUT);
        read(header + " 3f 61", DnsFault.QUESTION_CUT);
        read(header + " c00c 0001 0001", DnsFault.QUESTION_POINTER);
        read(header + " 40 61 00 0001 0001", DnsFault.QUESTION_POINTER);
        read(header + " 3f" + "61".repeat(63) + " 3f" + "61".repeat(63) + " 3f" + "61".repeat(63) + " 3f" + "61".repeat(63)
                + " 00 0001 0001", DnsFault.NAME_LONG);
        read(header + name + " 00", DnsFault.TRAILING);
        String opt = header.substring(0, header.length() - 4) + "0001" + name;
        read(opt + " 00 0029 1000 00000000 00", DnsFault.RECORD_CUT);
        read(opt + " 00 0029 1000 00000000 0001", DnsFault.RECORD_CUT);
        read(opt + " c0 0c 0029 1000 00000000 0000", DnsFault.OPT_NAME);
        read(opt + " 00 0029 1000 00000000 0003 000300", DnsFault.OPTION_CUT);
        read(opt + " 00 0029 1000 00000000 0005 0003 0002 00", DnsFault.OPTION_CUT);
        read(opt + " 00 0029 1000 00000000 000b 000a 0007 01020304050607", DnsFault.COOKIE_LENGTH);
        read(opt + " 00 0029 1000 00000000 0009 0008 0005 0001 18 00 0a", DnsFault.CLIENT_SUBNET);
        read(opt + " 00 0029 1000 00000000 0009 0008 0005 0001 07 00 01", DnsFault.CLIENT_SUBNET);
        read(opt + " 00 0029 1000 00000000 0009 0008 0005 0001 08 01 0a", DnsFault.CLIENT_SUBNET);
        read(opt + " 00 0029 1000 00000000 0008 0008 0004 d000 00 00", DnsFault.CLIENT_SUBNET);
        read(opt + " 00 0029 1000 00000000 0008 0008 0004 0000 00 00", DnsFault.OK);
        read(opt + " 00 0029 1000 00000000 0009 0008 0005 0003 08 00 0a", DnsFault.CLIENT_SUBNET);
        read(header.substring(0, header.length() - 4) + "0002" + name + " 00 0029 1000 00000000 0000 00 0029 1000 00000000 0000",
                DnsFault.OPT_TWICE);
        read("0001 0000 0001 0000 0001 0000 01 61 00 00fb 0001 c00c 0001 0001 00000000 0004 0a000001", DnsFault.IXFR_SOA);
    }

    @Test
    void anAnswerIsWritten() throws Exception {
        try (DnsDoorFixture stand = new DnsDoorFixture(true)) {
            stand.put("printer", "20.0.0.1:4444", "30.0.0.1:4445");
            byte[] answer = stand.ask(DnsDoorFixture.CLIENT, bytes("1234 0100 0001 0000 0000 0001"
                    + " 07 5072696e546572 05 6e616d6573 07 6578616d706c65 00 0001 0001"
                    + " 00 0029 1000 00 00 8000 000a 0008 0006 0001 10 00 0a01"));
            assertThat(HEX.formatHex(answer)).isEqualTo(("1234 8500 0001 0002 0000 0001"
                    + " 07 5072696e546572 05 6e616d6573 07 6578616d706c65 00 0001 0001"
                    + " c00c 0001 0001 0000003c 0004 1e000001"
                    + " c00c 0001 0001 0000003c 0004 14000001"
                    + " 00 0029 04d0 00 00 8000 000a 0008 0006 0001 10 10 0a01").replace(" ", ""));
            byte[] none = stand.ask(DnsDoorFixture.CLIENT, bytes("1234 0000 0001 0000 0000 0000"
                    + " 07 6e6f7468696e67 05 6e616d6573 07 6578616d706c65 00 0001 0001"));
            assertThat(HEX.formatHex(none)).isEqualTo(("1234 8403 0001 0000 0001 0000"
                    + " 07 6e6f7468696e67 05 6e616d6573 07 6578616d706c65 00 0001 0001"
                    + " c014 0006 0001 0000000a 0027 03 6e7331 c014 0a 686f73746d6173746572 c014"
                    + " 0000004d 0000012c 0000003c 00127500 0000000a").replace(" ", ""));
        }
    }
}
