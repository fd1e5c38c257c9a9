package io.guidepost.server.gnrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.server.gnrs.KernelCacheStand.Ran;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the program in the kernel answers, against the door; each frame is run by the kernel. */
class KernelCacheTest {
    private static final int NAMES = 20_000;
    private static final int QUESTIONS = Integer.getInteger("guidepost.kernel.questions", 100_000);
    private static final Address CLIENT = Address.ofIpv4(192 << 24 | 2 << 8 | 9);
    private static final Address CLIENT_IPV6 = new Address(0xfd01L << 48, 9);
    private static final long NOW_NANOS = TimeUnit.MILLISECONDS.toNanos(KernelCacheStand.NOW);
    private static final long LATER = KernelCacheStand.NOW + 1_000_000;

    /** What the clients send: those of this project, GnrsClient without recursion too, and those of the first version. */
    private static final byte[][] CLIENTS = {
        {0, 2, 0, 1, (byte) 0xe1, 2, (byte) 0xff, (byte) 0xe3},
        {0, 2, 0, 0, (byte) 0xe1, 2, (byte) 0xff, (byte) 0xe3},
        {(byte) 0x80, 2, 0, 1},
        {(byte) 0x80, 2, 0, 0}
    };

    private final SplittableRandom random = new SplittableRandom(11);

    /** A name, and whether each client gets the same answer of at most three places of IPv4. */
    private record Known(Guid guid, int places, boolean alike, long plainUntil) {}

    @ParameterizedTest
    @ValueSource(strings = {"", "203.0.113.9", "2001:db8::9"})
    void answersAreByteForByteTheDoors(String advertised) throws IOException {
        Optional<InetSocketAddress> address =
                advertised.isEmpty() ? Optional.empty() : Optional.of(new InetSocketAddress(InetAddress.ofLiteral(advertised), 5011));
        GnrsSettings settings = settings(address);
        try (KernelCacheStand stand = new KernelCacheStand(settings, address, false)) {
            List<Known> names = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                names.add(known(stand));
                stand.fill(names.getLast().guid);
            }
            long[] times = {KernelCacheStand.NOW, LATER - 1, LATER, LATER + 5000};
            int answered = 0;
            int due = 0;
            for (int i = 0; i < QUESTIONS; i++) {
                long now = times[i * times.length / QUESTIONS];
                stand.cache.control(settings, Long.MAX_VALUE, TimeUnit.MILLISECONDS.toNanos(now));
                Known name = names.get(random.nextInt(NAMES));
                KernelCacheQuestion question = question(name.guid);
                byte[] frame = question.frame();
                Ran ran = stand.run(frame);
                if (ran.verdict() == KernelCacheStand.SENT) {
                    answered++;
                    assertSame(stand, question, ran.frame(), stand.door(question, now));
                } else {
                    assertThat(ran.verdict()).isEqualTo(KernelCacheStand.PASS);
                    assertThat(ran.frame()).as("a frame that is passed on").isEqualTo(frame);
                }
                boolean plain = isOfClients(question.options()) && name.alike && name.places == 1 && now < name.plainUntil
                        && sameSource(question) && question.guid().equals(name.guid);
                due += plain ? 1 : 0;
                assertThat(!plain || ran.verdict() == KernelCacheStand.SENT || !isFilled(stand, name.guid))
                        .as("question %d, %s, is answered", i, name)
                        .isTrue();
            }
            assertThat(answered).isGreaterThan(QUESTIONS / 10).isLessThan(QUESTIONS * 9 / 10);
            assertThat(due).isGreaterThan(QUESTIONS / 20);
            assertThat(stand.cache.counter(KernelCacheProgram.ANSWERED)).isEqualTo(answered);
        }
    }

    private static boolean isOfClients(byte[] options) {
        return options.length == 0 || Stream.of(CLIENTS).anyMatch(each -> Arrays.equals(each, options));
    }

    private static GnrsSettings settings(Optional<InetSocketAddress> advertised) {
        GnrsSettings d = GnrsSettings.defaults();
        return new GnrsSettings(
                d.bindingsMax(), d.answerBytesMax(), d.amplificationMax(), d.trusted(), d.writers(), 0, 0, 0, 0,
                d.writesInFlightMax(), d.lookupsDeferredMax(), advertised);
    }

    /** Returns whether the line of a name is its own: names that came later may share it. */
    private static boolean isFilled(KernelCacheStand stand, Guid guid) {
        return stand.run(KernelCacheQuestion.of(CLIENT, KernelCacheStand.IPV4, 9, guid).frame()).verdict() == KernelCacheStand.SENT;
    }

    private Known known(KernelCacheStand stand) throws IOException {
        Guid guid = new Guid(random.nextLong(), random.nextLong(), random.nextInt());
        int count = 1 + random.nextInt(4);
        List<Binding> places = new ArrayList<>();
        boolean alike = true;
        long until = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(12);
            Locator locator = switch (kind) {
                case 0 -> Locator.of(new Guid(random.nextLong(), 1, 1));
                case 1 -> Locator.of(URI.create("http://example.org/" + i));
                case 2 -> new Locator(Locator.Type.NETWORK_ADDRESS.code(), bytes(1 + random.nextInt(20)));
                case 3 -> new Locator(0, bytes(random.nextInt(6)));
                default -> new Locator(0, bytes(6));
            };
            alike &= kind > 1;
            long expiry = random.nextInt(3) == 0 ? LATER : 0;
            long ttl = random.nextInt(2) * 1000L * random.nextInt(600);
            until = Math.min(until, expiry == 0 ? Long.MAX_VALUE : expiry - ttl);
            places.add(new Binding(locator, ttl, expiry));
        }
        // A name has each place once.
        Map<Locator, Binding> distinct = new LinkedHashMap<>();
        places.forEach(each -> distinct.putIfAbsent(each.locator(), each));
        stand.put(guid, List.copyOf(distinct.values()));
        return new Known(guid, distinct.size(), alike, until);
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A question as clients send them, and as none should. */
    private KernelCacheQuestion question(Guid known) {
        boolean four = random.nextBoolean();
        Address source = four ? CLIENT : CLIENT_IPV6;
        Guid guid = random.nextInt(10) == 0 ? new Guid(random.nextLong(), 2, 3) : known;
        byte[] options = options();
        return new KernelCacheQuestion(
                source,
                four ? KernelCacheStand.IPV4 : KernelCacheStand.IPV6,
                1 + random.nextInt(65_535),
                random.nextInt(),
                origin(source, four),
                guid,
                options);
    }

    /** Options as clients send them, and as none should. */
    private byte[] options() {
        byte[] options = switch (random.nextInt(10)) {
            case 0 -> new byte[] {(byte) 0xe1, 0};
            case 1 -> new byte[] {0, 2, 0, 1, (byte) 0xe1, 2, 0, (byte) random.nextInt(256)};
            case 2 -> new byte[random.nextInt(5)];
            case 3, 4 -> CLIENTS[random.nextInt(CLIENTS.length)].clone();
            case 5, 6 -> CLIENTS[0].clone();
            default -> new byte[0];
        };
        if (options.length > 0 && random.nextInt(4) == 0) {
            options[random.nextInt(options.length)] ^= (byte) (1 + random.nextInt(255));
        }
        return options;
    }

    private byte[] origin(Address source, boolean four) {
        byte[] whole = new byte[four ? 6 : 18];
        switch (random.nextInt(6)) {
            case 0 -> {
                return new byte[0];
            }
            case 1 -> {
                return whole;
            }
            case 2 -> random.nextBytes(whole);
            case 3 -> whole[whole.length - 1] = 9;
            default -> {
                byte[] address = Addresses.toInetAddress(source.high(), source.low()).getAddress();
                System.arraycopy(address, 0, whole, 0, address.length);
                whole[whole.length - 1] = (byte) random.nextInt(3);
            }
        }
        return whole;
    }

    private static boolean sameSource(KernelCacheQuestion question) {
        byte[] origin = question.origin();
        byte[] address = Arrays.copyOf(origin, Math.max(0, origin.length - 2));
        return origin.length == 0
                || Arrays.equals(address, new byte[address.length])
                || Arrays.equals(address, Addresses.toInetAddress(question.source().high(), question.source().low()).getAddress());
    }

    private static void assertSame(KernelCacheStand stand, KernelCacheQuestion question, byte[] frame, byte[] expected) {
        boolean four = KernelCacheStand.isIpv4(question.source());
        int at = four ? 42 : 62;
        assertThat(Arrays.copyOfRange(frame, at, frame.length)).isEqualTo(expected);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(frame.length);
            MemorySegment.copy(frame, 0, memory, Memory.BYTE, 0, frame.length);
            HeaderParser headers = new HeaderParser();
            assertThat(headers.read(memory.address(), frame.length)).isTrue();
            assertThat(InternetChecksum.check(headers)).isEqualTo(InternetChecksum.State.RIGHT);
            assertThat(Memory.u16(memory.address() + at - 8)).isEqualTo(KernelCacheStand.PORT);
            assertThat(Memory.u16(memory.address() + at - 6)).isEqualTo(stand.doorPort());
            assertThat(Memory.u16(memory.address() + at - 4)).isEqualTo(8 + expected.length);
        }
        byte[] asked = question.frame();
        int address = four ? 4 : 16;
        int source = four ? 26 : 22;
        assertThat(Arrays.copyOfRange(frame, 0, 12)).isEqualTo(swapped(asked, 0, 6));
        assertThat(Arrays.copyOfRange(frame, source, source + 2 * address)).isEqualTo(swapped(asked, source, address));
    }

    private static byte[] swapped(byte[] frame, int at, int bytes) {
        byte[] both = Arrays.copyOfRange(frame, at + bytes, at + 3 * bytes);
        System.arraycopy(frame, at, both, bytes, bytes);
        return both;
    }

    @Test
    void framesThatAreNoPlainLookUpForThisServerArePassedAsTheyAre() throws IOException {
        try (KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), false)) {
            Guid guid = new Guid(1, 2, 3);
            stand.put(guid, List.of(Binding.of(new Locator(0, bytes(6)))));
            stand.fill(guid);
            int changed = 0;
            for (Address[] each : new Address[][] {{CLIENT, KernelCacheStand.IPV4}, {CLIENT_IPV6, KernelCacheStand.IPV6}}) {
                KernelCacheQuestion question = KernelCacheQuestion.of(each[0], each[1], 4000, guid);
                byte[] frame = question.frame();
                assertThat(stand.run(frame).verdict()).isEqualTo(KernelCacheStand.SENT);
                int message = frame.length - question.message().length;
                for (int i = 0; i < frame.length; i++) {
                    byte[] other = frame.clone();
                    other[i] ^= (byte) (1 + random.nextInt(255));
                    Ran ran = stand.run(other);
                    if (ran.verdict() == KernelCacheStand.SENT) {
                        changed++;
                        assertThat(isOfTheClient(i, message)).as("byte %d of %d", i, frame.length).isTrue();
                    } else {
                        assertThat(ran.frame()).isEqualTo(other);
                    }
                }
                for (int length = 14; length < frame.length; length++) {
                    byte[] cut = Arrays.copyOf(frame, length);
                    assertThat(stand.run(cut)).usingRecursiveComparison().isEqualTo(new Ran(KernelCacheStand.PASS, cut));
                }
                byte[] padded = Arrays.copyOf(frame, frame.length + 9);
                assertThat(stand.run(padded).frame()).as("without what stood behind the datagram").isEqualTo(stand.run(frame).frame());
            }
            assertThat(changed).isPositive();
        }
    }

    /** Returns whether a byte of a frame says who asks, or is one that no receiver looks at. */
    private static boolean isOfTheClient(int at, int message) {
        boolean four = message == 42;
        boolean station = at >= 6 && at < 12;
        boolean header = four ? at == 15 || at >= 18 && at < 30 && at != 20 && at != 21 && at != 23 : at >= 14 && at < 38 && at != 20;
        boolean lengths = !four && (at == 18 || at == 19) || four && (at == 16 || at == 17);
        boolean port = at == message - 8 || at == message - 7;
        boolean checksum = at == message - 2 || at == message - 1;
        boolean id = at >= message + 4 && at < message + 8;
        return station || header && !lengths || port || checksum || id;
    }

    @Test
    void lookUpsWithTheOptionsOfClientsAreAnsweredWhereNoOtherServerMayKnowBetter() throws IOException {
        try (KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), false)) {
            Guid guid = new Guid(1, 2, 3);
            stand.put(guid, List.of(Binding.of(new Locator(0, bytes(6)))));
            stand.fill(guid);
            for (byte[] options : CLIENTS) {
                for (Address[] each : new Address[][] {{CLIENT, KernelCacheStand.IPV4}, {CLIENT_IPV6, KernelCacheStand.IPV6}}) {
                    byte[] origin = Addresses.toInetAddress(each[0].high(), each[0].low()).getAddress();
                    for (byte[] from : new byte[][] {{}, Arrays.copyOf(origin, origin.length + 2)}) {
                        KernelCacheQuestion question = new KernelCacheQuestion(each[0], each[1], 4000, 7, from, guid, options);
                        Ran ran = stand.run(question.frame());
                        assertThat(ran.verdict()).isEqualTo(KernelCacheStand.SENT);
                        assertSame(stand, question, ran.frame(), stand.door(question, KernelCacheStand.NOW));
                        stand.cache.alone(false);
                        assertThat(stand.run(question.frame()).verdict()).isEqualTo(KernelCacheStand.PASS);
                        stand.cache.alone(true);
                    }
                }
            }
        }
    }

    @Test
    void namesThatShareALineStandInTheOther() throws IOException {
        try (KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), false, Integer.MAX_VALUE, 1)) {
            for (int name = 1; name <= 2; name++) {
                stand.put(new Guid(name, 2, 3), List.of(Binding.of(new Locator(0, bytes(6)))));
                stand.fill(new Guid(name, 2, 3));
            }
            for (int name = 1; name <= 2; name++) {
                assertThat(isFilled(stand, new Guid(name, 2, 3))).as("name %d is in the kernel", name).isTrue();
            }
        }
    }

    @Test
    void nothingIsAnsweredBehindTheEndOfTheLease() throws IOException {
        try (KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), false)) {
            Guid guid = new Guid(1, 2, 3);
            stand.put(guid, List.of(Binding.of(new Locator(0, bytes(6)))));
            stand.fill(guid);
            byte[] frame = KernelCacheQuestion.of(CLIENT, KernelCacheStand.IPV4, 4000, guid).frame();
            stand.cache.control(GnrsSettings.defaults(), System.nanoTime() - 1, NOW_NANOS);
            assertThat(stand.run(frame).verdict()).isEqualTo(KernelCacheStand.PASS);
            stand.cache.control(GnrsSettings.defaults(), System.nanoTime() + 600_000_000_000L, NOW_NANOS);
            assertThat(stand.run(frame).verdict()).isEqualTo(KernelCacheStand.SENT);
        }
    }

    @Test
    void aNetworkGetsNoMoreThanItsBudgetAndOthersGetTheirs() throws IOException {
        // One answer in a window, which is 16.8 ms: of ten thousand questions most come in the window of another.
        GnrsSettings settings = GnrsSettings.defaults();
        try (KernelCacheStand stand = new KernelCacheStand(settings, Optional.empty(), false, 60, KernelCacheStand.LINE_BITS)) {
            Guid guid = new Guid(1, 2, 3);
            stand.put(guid, List.of(Binding.of(new Locator(0, bytes(6)))));
            stand.fill(guid);
            long begun = System.nanoTime();
            int sent = 0;
            int others = 0;
            for (int i = 0; i < 10_000; i++) {
                byte[] frame = KernelCacheQuestion.of(CLIENT, KernelCacheStand.IPV4, 4000 + i, guid).frame();
                sent += stand.run(frame).verdict() == KernelCacheStand.SENT ? 1 : 0;
                Address other = Address.ofIpv4(10 << 24 | (i % 5000 + 1) << 8 | 1);
                byte[] theirs = KernelCacheQuestion.of(other, KernelCacheStand.IPV4, 4000, guid).frame();
                others += stand.run(theirs).verdict() == KernelCacheStand.SENT ? 1 : 0;
            }
            long windows = (System.nanoTime() - begun >>> KernelCacheProgram.WINDOW_BITS) + 2;
            assertThat(sent).isPositive();
            // Each processor counts for itself.
            assertThat((long) sent).isLessThanOrEqualTo(windows * Runtime.getRuntime().availableProcessors());
            assertThat(others).isGreaterThan(2000);
            assertThat(stand.cache.counter(KernelCacheProgram.OVER_BUDGET)).isEqualTo(20_000 - sent - others);
        }
    }

    @Test
    void aServerOfOneFamilyOrSeveralAddressesAnswersAtThese() throws IOException {
        try (KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), false)) {
            Guid guid = new Guid(1, 2, 3);
            stand.put(guid, List.of(Binding.of(new Locator(0, bytes(6)))));
            stand.fill(guid);
            Address second = Address.ofIpv4(10 << 24 | 3);
            Address third = new Address(0xfd00L << 48, 3);
            List<Address> all = List.of(KernelCacheStand.IPV4, KernelCacheStand.IPV6, second, third);
            for (List<Address> own : List.of(
                    List.of(KernelCacheStand.IPV4), List.of(KernelCacheStand.IPV6), List.of(second, third), all, List.of(second, second))) {
                int program = stand.load(own, Optional.empty());
                for (Address each : all) {
                    Address source = KernelCacheStand.isIpv4(each) ? CLIENT : CLIENT_IPV6;
                    Ran ran = KernelCacheStand.run(program, KernelCacheQuestion.of(source, each, 4000, guid).frame());
                    assertThat(ran.verdict()).isEqualTo(own.contains(each) ? KernelCacheStand.SENT : KernelCacheStand.PASS);
                }
            }
        }
    }

    @Test
    void onlyNamesOfOnePlaceAreInItWhereTheNearestComesFirst() throws IOException {
        try (KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), true)) {
            for (int places = 1; places <= 2; places++) {
                Guid guid = new Guid(places, 2, 3);
                stand.put(guid, Stream.generate(() -> Binding.of(new Locator(0, bytes(6)))).limit(places).toList());
                stand.fill(guid);
                int verdict = stand.run(KernelCacheQuestion.of(CLIENT, KernelCacheStand.IPV4, 4000, guid).frame()).verdict();
                assertThat(verdict).isEqualTo(places == 1 ? KernelCacheStand.SENT : KernelCacheStand.PASS);
            }
        }
    }
}
