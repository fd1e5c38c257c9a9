package io.guidepost.proximity.bgp;

import static io.guidepost.proximity.bgp.BgpTestMessages.attribute;
import static io.guidepost.proximity.bgp.BgpTestMessages.attributes;
import static io.guidepost.proximity.bgp.BgpTestMessages.body;
import static io.guidepost.proximity.bgp.BgpTestMessages.hex;
import static io.guidepost.proximity.bgp.BgpTestMessages.join;
import static io.guidepost.proximity.bgp.BgpTestMessages.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What UPDATE messages say, byte by byte, and what becomes of those with faults (RFC 4271, 4760, 6793, 7606, 7911). */
class BgpUpdateReaderTest {
    private static final BgpUpdateReader.Options WIDE = new BgpUpdateReader.Options(true, false, false, false);
    private static final BgpUpdateReader.Options NARROW = new BgpUpdateReader.Options(false, false, false, false);
    private static final BgpUpdateReader.Options EXTERNAL = new BgpUpdateReader.Options(true, false, false, true);
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] TEN = hex("08 0a");

    private final RecordingRouteSink heard = new RecordingRouteSink();

    private BgpUpdateReader.Outcome read(BgpUpdateReader.Options options, byte[] body) throws BgpProtocolException {
        return new BgpUpdateReader(options, heard).read(body, 0, body.length);
    }

    private BgpNotification refused(byte[] body) {
        BgpProtocolException fault = catchThrowableOfType(BgpProtocolException.class, () -> read(WIDE, body));
        assertThat(heard.lines).isEmpty();
        return fault.notification();
    }

    @Test
    void readsAMessageWithAllThreeParts() throws Exception {
        // Withdraws 10.1.0.0/16; announces 192.0.2.0/25 and 0.0.0.0/0 by AS 65536, 65537 from 192.0.2.1.
        byte[] message = hex("0003 100a01"
                + "0018 40 01 01 00  40 02 0a 02 02 00010000 00010001  40 03 04 c0000201"
                + "19 c0000200  00");
        assertThat(read(WIDE, message)).isEqualTo(BgpUpdateReader.Outcome.TAKEN);
        assertThat(heard.lines)
                .containsExactly("-10.1.0.0/16", "+192.0.2.0/25 65537 2 192.0.2.1", "+0.0.0.0/0 65537 2 192.0.2.1");
    }

    @Test
    void readsIpv6AndItsEnd() throws Exception {
        byte[] announced = hex("0000 003a"
                + "40 01 01 00  40 02 06 02 01 0000fde9"
                + "80 0e 2a 0002 01 20 20010db8000000000000000000000001 fe800000000000000000000000000001 00 20 20010db8");
        assertThat(read(WIDE, announced)).isEqualTo(BgpUpdateReader.Outcome.TAKEN);
        read(WIDE, hex("0000 000b 90 0f 0007 0002 01 18 20010d"));
        read(WIDE, hex("0000 0006 80 0f 03 0002 01"));
        read(WIDE, hex("0000 0000"));
        assertThat(heard.lines)
                .containsExactly("+2001:db8::/32 65001 1 2001:db8::1", "-2001:d00::/24",
                        "end IPV6", "end IPV4");
    }

    @Test
    void readsSeveralWaysToOnePrefix() throws Exception {
        BgpUpdateReader.Options paths = new BgpUpdateReader.Options(true, true, false, false);
        read(paths, body(hex("00000007 08 0a"), attributes(1, 2), hex("00000001 08 0b 00000002 08 0b")));
        assertThat(heard.lines)
                .containsExactly("-10.0.0.0/8#7", "+11.0.0.0/8#1 2 2 10.0.0.1", "+11.0.0.0/8#2 2 2 10.0.0.1");
    }

    /** Sequences count, sets count one, confederations nothing; the origin is the last before a set of several. */
    @ParameterizedTest
    @CsvSource({
        "'', 0, 0, false",
        "0203 0001 0002 0003, 3, 3, false",
        "0203 0001 0003 0003, 3, 3, false",
        "0202 0001 0002 0102 0004 0005, 2, 3, true",
        "0202 0001 0002 0101 0004, 4, 3, true",
        "0102 0004 0005, 0, 1, true",
        "0302 fde8 fde9 0201 0007, 7, 1, false",
        "0302 fde8 fde9, 0, 0, false",
        "0402 fde8 fde9 0202 0007 0008, 8, 2, false",
        "0201 0001 0201 0002, 2, 2, false",
        "0102 0004 0005 0201 0007, 7, 2, false",
    })
    void knowsOriginAndDistance(String segments, long origin, int distance, boolean aggregated) throws Exception {
        byte[] bytes = hex(segments);
        assertThat(AsPath.read(new BgpCursor(bytes, 0, bytes.length), 2, 0, 0)).isEqualTo(new AsPath(origin, distance, aggregated, 0));
    }

    @Test
    void takesLongNumbersFromBesideAPathOfShortOnes() throws Exception {
        byte[] start = join(attribute(0x40, 1, hex("00")), attribute(0x40, 2, path(2, 100, 23456, 23456)),
                attribute(0x40, 3, hex("0a000001")));
        byte[] wide = attribute(0xc0, 17, path(4, 70000, 70001));
        byte[] tooLong = attribute(0xc0, 17, path(4, 1, 2, 3, 70001));
        byte[] aggregators = join(attribute(0xc0, 7, hex("0007 0a000001")), attribute(0xc0, 18, hex("00011170 0a000001")));
        read(NARROW, body(NOTHING, join(start, wide), TEN));
        read(NARROW, body(NOTHING, join(start, tooLong), TEN));
        read(NARROW, body(NOTHING, join(start, wide, aggregators), TEN));
        assertThat(heard.lines)
                .containsExactly("+10.0.0.0/8 70001 3 10.0.0.1", "+10.0.0.0/8 23456 3 10.0.0.1",
                        "+10.0.0.0/8 23456 3 10.0.0.1");
    }

    @Test
    void aPathThatHasBeenHereBeforeIsNotTaken() throws Exception {
        BgpUpdateReader.Options never = new BgpUpdateReader.Options(true, false, false, true, 0, 65_000, 0);
        BgpUpdateReader.Options once = new BgpUpdateReader.Options(true, false, false, true, 0, 65_000, 1);
        byte[] loop = body(NOTHING, BgpTestMessages.attributes(65_001, 65_000, 65_002), TEN);
        byte[] twice = body(NOTHING, BgpTestMessages.attributes(65_001, 65_000, 65_000), TEN);
        assertThat(read(never, loop)).isEqualTo(BgpUpdateReader.Outcome.LOOPED);
        assertThat(read(once, loop)).isEqualTo(BgpUpdateReader.Outcome.TAKEN);
        assertThat(read(once, twice)).isEqualTo(BgpUpdateReader.Outcome.LOOPED);
        assertThat(read(never, body(NOTHING, BgpTestMessages.attributes(65_001, 65_002), TEN))).isEqualTo(BgpUpdateReader.Outcome.TAKEN);
        assertThat(heard.lines).containsExactly(
                "-10.0.0.0/8", "+10.0.0.0/8 65002 3 10.0.0.1", "-10.0.0.0/8", "+10.0.0.0/8 65002 2 10.0.0.1");
    }

    /** The own number is beside a path of short ones. */
    @Test
    void aLongNumberOfOursIsSeenBesideAPathOfShortOnes() throws Exception {
        BgpUpdateReader.Options options = new BgpUpdateReader.Options(false, false, false, true, 0, 70_000, 0);
        byte[] attributes = join(attribute(0x40, 1, hex("00")), attribute(0x40, 2, path(2, 100, 23456, 23456)),
                attribute(0x40, 3, hex("0a000001")), attribute(0xc0, 17, path(4, 70_000, 70_001)));
        assertThat(read(options, body(NOTHING, attributes, TEN))).isEqualTo(BgpUpdateReader.Outcome.LOOPED);
    }

    /** Faults in attributes make of an announcement a withdrawal. */
    @ParameterizedTest
    @CsvSource({
        "ORIGIN of two bytes, 40010200 00 4002060201000000074003040a000001",
        "ORIGIN of a value not known, 40010103 4002060201000000074003040a000001",
        "ORIGIN as an optional one, c0010100 4002060201000000074003040a000001",
        "no ORIGIN, 4002060201000000074003040a000001",
        "no AS_PATH, 400101004003040a000001",
        "no NEXT_HOP, 40010100400206020100000007",
        "a segment of no type, 40010100 4002060701000000074003040a000001",
        "a segment without numbers, 40010100 40020202004003040a000001",
        "a segment cut short, 40010100 4002060202000000074003040a000001",
        "AS 0, 40010100 4002060201000000004003040a000001",
        "NEXT_HOP of three bytes, 40010100 4002060201000000074003030a0000",
        "communities of five bytes, 40010100 4002060201000000074003040a000001 c008050102030405",
        "MED of three bytes, 40010100 4002060201000000074003040a000001 800403000000",
        "an attribute longer than all, 40010100 4002060201000000074003040a000001 c008ff01",
    })
    void takesAsWithdrawal(String what, String attributes) throws Exception {
        assertThat(read(WIDE, body(NOTHING, hex(attributes), TEN)))
                .as(what)
                .isEqualTo(BgpUpdateReader.Outcome.TREATED_AS_WITHDRAWAL);
        assertThat(heard.lines).as(what).containsExactly("-10.0.0.0/8");
    }

    @ParameterizedTest
    @CsvSource({
        "AGGREGATOR of five bytes, c0 07 05 0102030405",
        "ATOMIC_AGGREGATE with a byte, 40 06 01 00",
        "a second ORIGIN, 40 01 01 01",
    })
    void discardsAnAttribute(String what, String attribute) throws Exception {
        byte[] all = join(attributes(7), hex(attribute));
        assertThat(read(WIDE, body(NOTHING, all, TEN))).as(what).isEqualTo(BgpUpdateReader.Outcome.ATTRIBUTE_DISCARDED);
        assertThat(heard.lines).as(what).containsExactly("+10.0.0.0/8 7 1 10.0.0.1");
    }

    @Test
    void anExternalPeerMayNotTellWhatOnlyOurOwnMay() throws Exception {
        assertThat(read(EXTERNAL, body(NOTHING, join(attributes(7), attribute(0x40, 5, hex("01"))), TEN)))
                .isEqualTo(BgpUpdateReader.Outcome.ATTRIBUTE_DISCARDED);
        assertThat(read(EXTERNAL, body(NOTHING, attributes(), TEN)))
                .isEqualTo(BgpUpdateReader.Outcome.TREATED_AS_WITHDRAWAL);
        assertThat(heard.lines).containsExactly("+10.0.0.0/8 7 1 10.0.0.1", "-10.0.0.0/8");
    }

    /** Where it is not plain which prefixes a message is about, nothing of it is told, and the session ends. */
    @ParameterizedTest
    @CsvSource({
        "withdrawn longer than all, 1, 00ff 0000",
        "attributes longer than all, 1, 0000 00ff",
        "no length of the attributes, 1, 0000",
        "a prefix of 33 bits, 10, 0000 0000 210a00000100",
        "a prefix cut short, 10, 0000 0000 180a00",
        "a withdrawn prefix of 33 bits, 10, 0006 210a00000100 0000",
        "an IPv6 prefix of 129 bits, 10, '0000 0007 80 0f 04 0002 01 81'",
        "MP_REACH_NLRI cut short, 9, '0000 0006 80 0e 03 0002 01'",
        "MP_UNREACH_NLRI twice, 1, '0000 000c 80 0f 03 0002 01 80 0f 03 0002 01'",
        "an unknown attribute that everybody must know, 2, '0000 0003 40 63 00'",
    })
    void endsTheSession(String what, int subcode, String message) {
        BgpNotification told = refused(hex(message));
        assertThat(told.code()).as(what).isEqualTo(BgpNotification.UPDATE);
        assertThat(told.subcode()).as(what).isEqualTo(subcode);
    }

    @Test
    void otherFamiliesAndMappedAddressesAreLeftOut() throws Exception {
        read(WIDE, hex("0000 000a 80 0f 07 0001 02 18 0a0000"));
        read(WIDE, body(NOTHING, attribute(0x80, 15, hex("000201 78 00000000000000000000ffff0a0000")), NOTHING));
        assertThat(heard.lines).isEmpty();
    }
}
