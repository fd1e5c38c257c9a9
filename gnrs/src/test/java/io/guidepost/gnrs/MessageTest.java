package io.guidepost.gnrs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.guidepost.gnrs.Message.Code;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
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

class MessageTest {
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
    private static Map<String, Message> meanings() {
        List<Locator> two = List.of(PLACE, Locator.of(LINK));
        Option ttls = Option.ttls(30_000, 60_000);
        Option expiries = Option.expiries(1_767_225_600_000L, 1_798_761_600_000L);
        Option yes = Option.recursion(true);
        return Map.ofEntries(
                Map.entry("V1", new Message.Lookup(1, CLIENT, G, List.of())),
                Map.entry("V2", new Message.Lookup(0xdeadbeef, CLIENT, G, List.of(yes))),
                Map.entry("V3", new Message.Insert(3, CLIENT, G, List.of(PLACE), List.of())),
                Map.entry("V4", new Message.Insert(4, CLIENT, G, two, List.of(ttls, expiries, yes))),
                Map.entry("V5", new Message.InsertResponse(4, SERVER, Code.SUCCESS, List.of())),
                Map.entry("V6", new Message.InsertResponse(5, SERVER, Code.FAILED, List.of())),
                Map.entry("V7", new Message.LookupResponse(6, SERVER, Code.SUCCESS, List.of(), List.of())),
                Map.entry("V8", new Message.LookupResponse(7, SERVER, Code.SUCCESS, two, List.of(ttls, expiries))),
                Map.entry("V9", new Message.LookupResponse(8, SERVER, Code.FAILED, List.of(), List.of())),
                Map.entry("V10", new Message.Lookup(9, CLIENT, G, List.of(Option.recursion(false)))),
                Map.entry("V11", new Message.Insert(10, CLIENT, G, List.of(), List.of(yes))),
                Map.entry(
                        "R1",
                        new Message.LookupResponse(
                                0xdeadbeef,
                                SERVER,
                                Code.SUCCESS,
                                two,
                                List.of(Option.ttls(0, 0), Option.expiries(0, 0)))),
                Map.entry(
                        "R2",
                        new Message.LookupResponse(
                                0xdeadbeef,
                                SERVER,
                                Code.SUCCESS,
                                List.of(),
                                List.of(Option.ttls(), Option.expiries()))),
                Map.entry(
                        "R3",
                        new Message.Insert(0xf9372ac0, SERVER, G, List.of(PLACE), List.of(Option.ttls(30_000)))),
                Map.entry(
                        "R4",
                        new Message.Lookup(
                                0xf9372ac4,
                                SERVER,
                                guid("0000000100000001000000010000000100000001"),
                                List.of())),
                Map.entry(
                        "R5",
                        new Message.LookupResponse(
                                5,
                                SERVER,
                                Code.SUCCESS,
                                List.of(place("10.0.0.5", 5005), place("10.0.0.2", 5002)),
                                List.of())),
                Map.entry(
                        "M1",
                        new Message.Update(
                                1,
                                place("127.0.0.1", 3010),
                                guid("00000000000000000000000000000000fb920300"),
                                List.of(Locator.of(guid("000000000000000000000000000000000000004d"))),
                                List.of(yes))));
    }

    @Test
    void everyVectorIsReadAndWritten() throws Malformed {
        Map<String, Message> meanings = meanings();
        assertThat(meanings.keySet()).isEqualTo(Vectors.all().keySet());
        for (Map.Entry<String, String> vector : Vectors.all().entrySet()) {
            Message meaning = requireNonNull(meanings.get(vector.getKey()));
            assertThat(Message.read(Vectors.bytes(vector.getValue())))
                    .as(vector.getKey())
                    .isEqualTo(meaning);
            assertThat(HexFormat.of().formatHex(meaning.write()))
                    .as(vector.getKey())
                    .isEqualTo(vector.getValue());
        }
    }

    @Test
    void timesAndTheRecursionFlagAreRead() throws Malformed {
        Message.Insert insert = (Message.Insert) Message.read(Vectors.bytes(Vectors.V4));
        assertThat(insert.recursive()).isTrue();
        assertThat(insert.bindings())
                .containsExactly(
                        new Binding(PLACE, 30_000, 1_767_225_600_000L),
                        new Binding(Locator.of(LINK), 60_000, 1_798_761_600_000L));
        assertThat(((Message.Request) Message.read(Vectors.bytes(Vectors.V10))).recursive())
                .isFalse();
    }

    @Test
    void severalMessagesAreReadOneAfterTheOther() throws Malformed {
        byte[] both = Vectors.bytes(Vectors.V2 + Vectors.V3);
        MemorySegment segment = MemorySegment.ofArray(both);
        Message first = Message.readPrefix(segment, 0, both.length);
        assertThat(first).isEqualTo(meanings().get("V2"));
        assertThat(Message.readPrefix(segment, 46, both.length - 46)).isEqualTo(meanings().get("V3"));
        assertThatExceptionOfType(Malformed.class)
                .isThrownBy(() -> Message.read(both))
                .withMessageContaining("offset 46");
    }

    /** Each row spoils a vector at an offset; the fault is named with its place. */
    @ParameterizedTest
    @CsvSource({
        "V1, 0, 01, VERSION, 0",
        "V1, 1, 03, TYPE, 1",
        "V1, 1, ff, TYPE, 1",
        "V1, 2, 000f, LENGTH_SHORT, 2",
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
        "V4, 80, 82, OPTIONS_TRAILING, 98",
    })
    void eachFaultIsNamedWithItsPlace(String vector, int offset, String patch, Reason reason, int fault) {
        byte[] bytes = Vectors.bytes(requireNonNull(Vectors.all().get(vector)));
        byte[] patched = HexFormat.of().parseHex(patch);
        System.arraycopy(patched, 0, bytes, offset, patched.length);
        MessageFlyweight in = new MessageFlyweight();
        assertThat(in.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(reason);
        assertThat(in.fault()).isEqualTo(fault);
        assertThatExceptionOfType(Malformed.class)
                .isThrownBy(() -> Message.read(bytes))
                .withMessage(reason.text() + " (at offset " + fault + ")");
    }

    @Test
    void everyCutOfEveryVectorIsRefused() {
        for (String hex : Vectors.all().values()) {
            byte[] whole = Vectors.bytes(hex);
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatExceptionOfType(Malformed.class).isThrownBy(() -> Message.read(cut));
            }
        }
    }

    @Test
    void whatOldServersTakeIsTaken() throws Malformed {
        byte[] zeroPayloadOffset = Vectors.bytes(Vectors.V1);
        zeroPayloadOffset[11] = 0;
        assertThat(Message.read(zeroPayloadOffset)).isEqualTo(meanings().get("V1"));

        byte[] notMarkedLast = Vectors.bytes(Vectors.V2);
        notMarkedLast[42] = 0;
        assertThat(Message.read(notMarkedLast)).isEqualTo(meanings().get("V2"));

        Message shortPlace =
                new Message.Insert(1, CLIENT, G, List.of(new Locator(0, new byte[] {1, 2, 3})), List.of());
        assertThat(Message.read(shortPlace.write())).isEqualTo(shortPlace);

        Message unknownOption =
                new Message.Lookup(1, CLIENT, G, List.of(new Option(0x33, new byte[] {7}), Option.recursion(true)));
        assertThat(Message.read(unknownOption.write())).isEqualTo(unknownOption);

        byte[] otherCode = Vectors.bytes(Vectors.V5);
        otherCode[23] = 9;
        assertThat(((Message.Response) Message.read(otherCode)).code()).isEqualTo(Code.FAILED);
    }

    @Test
    void ourOwnOptionsAndAddressesAreReadAndWritten() throws Malformed {
        List<Option> options = new ArrayList<>(Option.padding(300));
        options.add(Option.accept(9000));
        options.add(Option.recursion(true));
        Message.Lookup lookup = new Message.Lookup(5, Message.noOrigin(), G, options);
        byte[] bytes = lookup.write();
        assertThat(bytes.length).isGreaterThanOrEqualTo(36 + 300);
        assertThat(Message.read(bytes)).isEqualTo(lookup);
        MessageFlyweight in = new MessageFlyweight();
        assertThat(in.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isEqualTo(Reason.OK);
        assertThat(in.accepts()).isTrue();
        assertThat(in.acceptBytes()).isEqualTo(9000);
        assertThat(in.recursive()).isTrue();

        Message.LookupResponse response = new Message.LookupResponse(
                6,
                place("2001:db8::1", 5001),
                Code.SUCCESS,
                List.of(place("2001:db8::2", 80), Locator.of(URI.create("https://example.org/x"))),
                List.of(Option.partial(70_000)));
        assertThat(Message.read(response.write())).isEqualTo(response);
        assertThat(response.total()).hasValue(70_000);
    }

    @Test
    void whatCannotBeWrittenIsRefusedWhereItIsMade() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Message.Insert(1, CLIENT, G, List.of(PLACE), List.of(Option.ttls(1, 2))));
        assertThatIllegalArgumentException().isThrownBy(() -> new Option(128, new byte[0]));
        List<Binding> many = Collections.nCopies(32, new Binding(PLACE, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> Message.Insert.of(1, CLIENT, G, many));
    }

    /** Random messages are the same after writing and reading; the flyweight and the objects never disagree. */
    @Test
    void randomMessagesSurviveWritingAndReading() throws Malformed {
        long seed = 20_261_120;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            Message message = RandomMessages.any(random);
            byte[] bytes = message.write();
            assertThat(Message.read(bytes)).as("seed %d, message %d", seed, i).isEqualTo(message);
        }
    }
}
