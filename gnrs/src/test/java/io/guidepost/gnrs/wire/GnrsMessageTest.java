package io.guidepost.gnrs.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsVectors;
import io.guidepost.gnrs.wire.GnrsMessage.Code;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GnrsMessageTest {
    private static final Guid G = guid("000102030405060708090a0b0c0d0e0f10111213");
    private static final Guid LINK = guid("ffeeddccbbaa99887766554433221100aabbccdd");
    private static final Locator CLIENT = place("127.0.0.1", 4001);
    private static final Locator SERVER = place("127.0.0.1", 5001);
    private static final Locator PLACE = place("10.1.2.3", 4444);

    private static Guid guid(String hex) {
        return Guid.of(HexFormat.of().parseHex(hex));
    }

    private static Locator place(String address, int port) {
        return Locator.of(new InetSocketAddress(address, port));
    }

    /** What each vector says, in object form: both directions of the codec are held to it. */
    private static Map<String, GnrsMessage> meanings() {
        List<Locator> two = List.of(PLACE, Locator.of(LINK));
        GnrsOption ttls = GnrsOption.ttls(30_000, 60_000);
        GnrsOption expiries = GnrsOption.expiries(1_767_225_600_000L, 1_798_761_600_000L);
        GnrsOption yes = GnrsOption.recursion(true);
        return Map.ofEntries(
                Map.entry("V1", new GnrsMessage.Lookup(1, CLIENT, G, List.of())),
                Map.entry("V2", new GnrsMessage.Lookup(0xdeadbeef, CLIENT, G, List.of(yes))),
                Map.entry("V3", new GnrsMessage.Insert(3, CLIENT, G, List.of(PLACE), List.of())),
                Map.entry("V4", new GnrsMessage.Insert(4, CLIENT, G, two, List.of(ttls, expiries, yes))),
                Map.entry("V5", new GnrsMessage.InsertResponse(4, SERVER, Code.SUCCESS, List.of())),
                Map.entry("V6", new GnrsMessage.InsertResponse(5, SERVER, Code.FAILED, List.of())),
                Map.entry("V7", new GnrsMessage.LookupResponse(6, SERVER, Code.SUCCESS, List.of(), List.of())),
                Map.entry("V8", new GnrsMessage.LookupResponse(7, SERVER, Code.SUCCESS, two, List.of(ttls, expiries))),
                Map.entry("V9", new GnrsMessage.LookupResponse(8, SERVER, Code.FAILED, List.of(), List.of())),
                Map.entry("V10", new GnrsMessage.Lookup(9, CLIENT, G, List.of(GnrsOption.recursion(false)))),
                Map.entry("V11", new GnrsMessage.Insert(10, CLIENT, G, List.of(), List.of(yes))),
                Map.entry(
                        "R1",
                        new GnrsMessage.LookupResponse(
                                0xdeadbeef,
                                SERVER,
                                Code.SUCCESS,
                                two,
                                List.of(GnrsOption.ttls(0, 0), GnrsOption.expiries(0, 0)))),
                Map.entry(
                        "R2",
                        new GnrsMessage.LookupResponse(
                                0xdeadbeef,
                                SERVER,
                                Code.SUCCESS,
                                List.of(),
                                List.of(GnrsOption.ttls(), GnrsOption.expiries()))),
                Map.entry(
                        "R3",
                        new GnrsMessage.Insert(0xf9372ac0, SERVER, G, List.of(PLACE), List.of(GnrsOption.ttls(30_000)))),
                Map.entry(
                        "R4",
                        new GnrsMessage.Lookup(
                                0xf9372ac4,
                                SERVER,
                                guid("0000000100000001000000010000000100000001"),
                                List.of())),
                Map.entry(
                        "R5",
                        new GnrsMessage.LookupResponse(
                                5,
                                SERVER,
                                Code.SUCCESS,
                                List.of(place("10.0.0.5", 5005), place("10.0.0.2", 5002)),
                                List.of())),
                Map.entry(
                        "M1",
                        new GnrsMessage.Update(
                                1,
                                place("127.0.0.1", 3010),
                                guid("00000000000000000000000000000000fb920300"),
                                List.of(Locator.of(guid("000000000000000000000000000000000000004d"))),
                                List.of(yes))));
    }

    @Test
    void everyVectorIsReadAndWritten() throws Malformed {
        Map<String, GnrsMessage> meanings = meanings();
        assertThat(meanings.keySet()).isEqualTo(GnrsVectors.all().keySet());
        for (Map.Entry<String, String> vector : GnrsVectors.all().entrySet()) {
            GnrsMessage meaning = requireNonNull(meanings.get(vector.getKey()));
            assertThat(GnrsMessage.read(GnrsVectors.bytes(vector.getValue())))
                    .as(vector.getKey())
                    .isEqualTo(meaning);
            assertThat(HexFormat.of().formatHex(meaning.write()))
                    .as(vector.getKey())
                    .isEqualTo(vector.getValue());
        }
    }

    @Test
    void timesAndTheRecursionFlagAreRead() throws Malformed {
        GnrsMessage.Insert insert = (GnrsMessage.Insert) GnrsMessage.read(GnrsVectors.bytes(GnrsVectors.V4));
        assertThat(insert.recursive()).isTrue();
        assertThat(insert.bindings())
                .containsExactly(
                        new Binding(PLACE, 30_000, 1_767_225_600_000L),
                        new Binding(Locator.of(LINK), 60_000, 1_798_761_600_000L));
        assertThat(((GnrsMessage.Request) GnrsMessage.read(GnrsVectors.bytes(GnrsVectors.V10))).recursive())
                .isFalse();
    }

    /** Positions are those in the segment, in which the message begins at 7. */
    @Test
    void theFlyweightSaysWhereThePartsAre() {
        GnrsMessageFlyweight in = new GnrsMessageFlyweight();
        assertThat(parse(in, GnrsVectors.V4)).isEqualTo(GnrsParseResult.OK);
        assertThat(in.offset()).isEqualTo(7);
        assertThat(in.ttls()).isEqualTo(7 + 82);
        assertThat(in.expiries()).isEqualTo(7 + 100);
        assertThat(in.recursive()).isTrue();
        assertThat(in.response()).isFalse();
        assertThat(parse(in, GnrsVectors.V1)).isEqualTo(GnrsParseResult.OK);
        assertThat(in.ttls()).isZero();
        assertThat(in.expiries()).isZero();
        assertThat(in.recursive()).isFalse();
        assertThat(in.accepts()).isFalse();
        assertThat(parse(in, GnrsVectors.V5)).isEqualTo(GnrsParseResult.OK);
        assertThat(in.response()).isTrue();
        byte[] far = new GnrsMessage.Lookup(1, place("2001:db8::1", 5001), G, List.of()).write();
        assertThat(parse(in, HexFormat.of().formatHex(far))).isEqualTo(GnrsParseResult.OK);
        assertThat(in.accepts()).as("its own address is of a new type").isTrue();
    }

    private static GnrsParseResult parse(GnrsMessageFlyweight in, String hex) {
        byte[] bytes = GnrsVectors.bytes("00".repeat(7) + hex);
        return in.parse(MemorySegment.ofArray(bytes), 7, bytes.length - 7);
    }

    @Test
    void severalMessagesAreReadOneAfterTheOther() throws Malformed {
        byte[] both = GnrsVectors.bytes(GnrsVectors.V2 + GnrsVectors.V3);
        MemorySegment segment = MemorySegment.ofArray(both);
        GnrsMessage first = GnrsMessage.readPrefix(segment, 0, both.length);
        assertThat(first).isEqualTo(meanings().get("V2"));
        assertThat(GnrsMessage.readPrefix(segment, 46, both.length - 46)).isEqualTo(meanings().get("V3"));
        assertThatExceptionOfType(Malformed.class)
                .isThrownBy(() -> GnrsMessage.read(both))
                .withMessageContaining("offset 46");
    }

    /** Each row spoils a vector at an offset; the fault is named with its place. */
    @ParameterizedTest
    @CsvSource({
        "V1, 0, 01, VERSION, 0",
        "V1, 1, 03, TYPE, 1",
        "V1, 1, ff, TYPE, 1",
        "V1, 2, 000f, LENGTH_SHORT, 2",
        "V1, 2, 0010, ORIGIN_LENGTH, 14",
        "V1, 2, 0016, PAYLOAD_CUT, 22",
        "V1, 2, 002b, LENGTH_BEYOND, 2",
        "V1, 2, ffff, LENGTH_BEYOND, 2",
        "V1, 8, 0029, OPTIONS_OFFSET, 8",
        "V1, 8, ffff, OPTIONS_OFFSET, 8",
        "V2, 8, 0000, PAYLOAD_TRAILING, 42",
        "V1, 10, 0015, PAYLOAD_OFFSET, 10",
        "V1, 12, 0003, ORIGIN_TYPE, 12",
        "V1, 14, 0007, ORIGIN_LENGTH, 14",
        "V1, 12, 0001ffff, ORIGIN_LENGTH, 14",
        "V1, 2, 0029, PAYLOAD_CUT, 41",
        "V1, 1, 00, PAYLOAD_CUT, 42",
        "V5, 2, 0019, PAYLOAD_CUT, 25",
        "V7, 2, 001d, PAYLOAD_CUT, 29",
        "V3, 42, 00000003, BINDING_COUNT, 42",
        "V3, 42, ffffffff, BINDING_COUNT, 42",
        "V3, 42, 02000000, BINDING_COUNT, 42",
        "V3, 42, 7ffffff0, BINDING_COUNT, 42",
        "V3, 42, 00000002, ADDRESS_CUT, 56",
        "V3, 42, 00000000, PAYLOAD_TRAILING, 46",
        "V3, 46, 0003, ADDRESS_TYPE, 46",
        "V3, 46, f0060006, ADDRESS_LENGTH, 46",
        "V3, 48, 0007, ADDRESS_LENGTH, 46",
        "V3, 46, 00010007, ADDRESS_CUT, 50",
        "V3, 46, f0070800, ADDRESS_CUT, 50",
        "V3, 46, f0070801, ADDRESS_LENGTH, 46",
        "V2, 43, 03, OPTION_CUT, 42",
        "V2, 43, 01, OPTION_LENGTH, 42",
        "V2, 2, 002b, OPTION_CUT, 42",
        "V2, 2, 002d, OPTION_CUT, 42",
        "V4, 81, 08, OPTION_LENGTH, 80",
        "V4, 81, 18, OPTION_LENGTH, 80",
        "V4, 98, 02, OPTION_REPEATED, 98",
        "V2, 42, 3f00bf00, OPTION_REPEATED, 44",
        "V2, 42, 4000c000, OPTION_REPEATED, 44",
        "V2, 42, 6100e100, OPTION_REPEATED, 44",
        "V4, 80, 82, OPTIONS_TRAILING, 98",
    })
    void eachFaultIsNamedWithItsPlace(String vector, int offset, String patch, GnrsParseResult reason, int fault) {
        byte[] bytes = GnrsVectors.bytes(requireNonNull(GnrsVectors.all().get(vector)));
        byte[] patched = HexFormat.of().parseHex(patch);
        System.arraycopy(patched, 0, bytes, offset, patched.length);
        GnrsMessageFlyweight in = new GnrsMessageFlyweight();
        assertThat(in.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(reason);
        assertThat(in.fault()).isEqualTo(fault);
        assertThatExceptionOfType(Malformed.class)
                .isThrownBy(() -> GnrsMessage.read(bytes))
                .withMessage(reason.text() + " (at offset " + fault + ")");
    }

    @Test
    void everyCutOfEveryVectorIsRefused() {
        for (String hex : GnrsVectors.all().values()) {
            byte[] whole = GnrsVectors.bytes(hex);
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatExceptionOfType(Malformed.class).isThrownBy(() -> GnrsMessage.read(cut));
            }
        }
    }

    /** The length field says the same as the bytes that are there, of which each is the last. */
    @Test
    void nothingIsReadBehindTheLengthOfAMessage() {
        for (Map.Entry<String, String> vector : GnrsVectors.all().entrySet()) {
            byte[] whole = GnrsVectors.bytes(vector.getValue());
            for (int length = GnrsWire.HEADER_BYTES; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                cut[GnrsWire.LENGTH] = (byte) (length >> 8);
                cut[GnrsWire.LENGTH + 1] = (byte) length;
                GnrsMessageFlyweight in = new GnrsMessageFlyweight();
                GnrsParseResult result = in.parse(MemorySegment.ofArray(cut), 0, length);
                String what = vector.getKey() + ", " + length + " bytes: " + result;
                assertThat(result)
                        .as(what)
                        .isNotIn(GnrsParseResult.HEADER_CUT, GnrsParseResult.LENGTH_SHORT, GnrsParseResult.LENGTH_BEYOND);
                assertThat(in.fault()).as(what).isBetween(0, length);
            }
        }
    }

    @Test
    void aMessageHasAsManyBytesAsItsLengthMaySay() throws Malformed {
        GnrsMessage longest = new GnrsMessage.Lookup(1, CLIENT, G, GnrsOption.padding(0xffff - 42));
        assertThat(longest.write()).hasSize(0xffff);
        assertThat(GnrsMessage.read(longest.write())).isEqualTo(longest);
        GnrsMessage longer = new GnrsMessage.Lookup(1, CLIENT, G, GnrsOption.padding(0xffff - 41));
        assertThatIllegalArgumentException().isThrownBy(longer::write).withMessageContaining("65536");
    }

    @Test
    void whatOldServersTakeIsTaken() throws Malformed {
        byte[] zeroPayloadOffset = GnrsVectors.bytes(GnrsVectors.V1);
        zeroPayloadOffset[11] = 0;
        assertThat(GnrsMessage.read(zeroPayloadOffset)).isEqualTo(meanings().get("V1"));

        byte[] notMarkedLast = GnrsVectors.bytes(GnrsVectors.V2);
        notMarkedLast[42] = 0;
        assertThat(GnrsMessage.read(notMarkedLast)).isEqualTo(meanings().get("V2"));

        GnrsMessage shortPlace =
                new GnrsMessage.Insert(1, CLIENT, G, List.of(new Locator(0, new byte[] {1, 2, 3})), List.of());
        assertThat(GnrsMessage.read(shortPlace.write())).isEqualTo(shortPlace);

        GnrsMessage unknownOption =
                new GnrsMessage.Lookup(1, CLIENT, G, List.of(new GnrsOption(0x33, new byte[] {7}), GnrsOption.recursion(true)));
        assertThat(GnrsMessage.read(unknownOption.write())).isEqualTo(unknownOption);

        GnrsMessage farUnknownOption = new GnrsMessage.Lookup(
                1, CLIENT, G, List.of(new GnrsOption(0x40, new byte[0]), new GnrsOption(0x7f, new byte[0]), GnrsOption.recursion(true)));
        assertThat(GnrsMessage.read(farUnknownOption.write())).isEqualTo(farUnknownOption);

        byte[] otherCode = GnrsVectors.bytes(GnrsVectors.V5);
        otherCode[23] = 9;
        assertThat(((GnrsMessage.Response) GnrsMessage.read(otherCode)).code()).isEqualTo(Code.FAILED);
    }

    @Test
    void ourOwnOptionsAndAddressesAreReadAndWritten() throws Malformed {
        List<GnrsOption> options = new ArrayList<>(GnrsOption.padding(300));
        options.add(GnrsOption.accept(9000));
        options.add(GnrsOption.recursion(true));
        GnrsMessage.Lookup lookup = new GnrsMessage.Lookup(5, GnrsMessage.noOrigin(), G, options);
        byte[] bytes = lookup.write();
        assertThat(bytes.length).isGreaterThanOrEqualTo(36 + 300);
        assertThat(GnrsMessage.read(bytes)).isEqualTo(lookup);
        GnrsMessageFlyweight in = new GnrsMessageFlyweight();
        assertThat(in.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(GnrsParseResult.OK);
        assertThat(in.accepts()).isTrue();
        assertThat(in.acceptBytes()).isEqualTo(9000);
        assertThat(in.recursive()).isTrue();

        GnrsMessage.LookupResponse response = new GnrsMessage.LookupResponse(
                6,
                place("2001:db8::1", 5001),
                Code.SUCCESS,
                List.of(place("2001:db8::2", 80), Locator.of(URI.create("https://example.org/x"))),
                List.of(GnrsOption.partial(70_000)));
        assertThat(GnrsMessage.read(response.write())).isEqualTo(response);
        assertThat(response.total()).hasValue(70_000);
    }

    @Test
    void whatCannotBeWrittenIsRefusedWhereItIsMade() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GnrsMessage.Insert(1, CLIENT, G, List.of(PLACE), List.of(GnrsOption.ttls(1, 2))));
        assertThatIllegalArgumentException().isThrownBy(() -> new GnrsOption(128, new byte[0]));
        List<Binding> many = Collections.nCopies(32, new Binding(PLACE, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> GnrsMessage.Insert.of(1, CLIENT, G, many));
    }

    /** Random messages are the same after writing and reading; the flyweight and the objects never disagree. */
    @Test
    void randomMessagesSurviveWritingAndReading() throws Malformed {
        long seed = 20_261_120;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            GnrsMessage message = RandomGnrsMessages.any(random);
            byte[] bytes = message.write();
            assertThat(GnrsMessage.read(bytes)).as("seed %d, message %d", seed, i).isEqualTo(message);
        }
    }
}
