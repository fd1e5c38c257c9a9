package io.guidepost.gnrs.wire;

import static io.guidepost.gnrs.GnrsDoorStand.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.GnrsDoorStand.Answer;
import io.guidepost.gnrs.GnrsDoorStand.Peer;
import io.guidepost.gnrs.GnrsDoorTest;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What leaves for an address that has proven nothing is at most three times what came from it, errors at most as long as
 * the question: a million generated requests, alone and several in a datagram.
 */
class AmplificationTest {
    private static final int REQUESTS = 1_000_000;
    private static final int MALFORMED = 100_000;
    private static final int NAMES = 200;

    @Test
    void answersAreBoundedByTheirQuestions() {
        long seed = 1_948;
        SplittableRandom random = new SplittableRandom(seed);
        GnrsDoorStand stand = new GnrsDoorStand();
        stand.placer = (segment, offset) -> (segment.get(GnrsWire.BYTE, offset + 1) & 1) == 0;
        fill(stand, random);
        stand.local = Peer.of("2001:db8::1", 5001);
        int requests = 0;
        while (requests < REQUESTS) {
            int messages = random.nextInt(8) == 0 ? 1 + random.nextInt(16) : 1;
            byte[][] parts = new byte[messages][];
            for (int i = 0; i < messages; i++) {
                parts[i] = request(random).write();
            }
            byte[] datagram = messages == 1 ? parts[0] : GnrsDoorTest.concat(parts);
            if (random.nextInt(1000) == 0) {
                stand.now += random.nextInt(100_000);
                stand.local = random.nextBoolean() ? Peer.of("2001:db8::1", 5001) : Peer.of("192.0.2.5", 5001);
            }
            check(stand.ask(CLIENT, datagram), datagram, messages, seed);
            requests += messages;
        }
        assertThat(stand.count(GnrsCount.TRUNCATED_RESPONSES)).isPositive();
        assertThat(stand.count(GnrsCount.BYTES_SENT)).isLessThanOrEqualTo(3 * stand.count(GnrsCount.BYTES_RECEIVED));
    }

    @Test
    void malformedRequestsAreNotAmplified() {
        long seed = 20_261_123;
        SplittableRandom random = new SplittableRandom(seed);
        GnrsDoorStand stand = new GnrsDoorStand();
        fill(stand, random);
        int malformed = 0;
        while (malformed < MALFORMED) {
            byte[] datagram = broken(random, request(random).write());
            if (isMalformed(datagram)) {
                malformed++;
                int out = stand.ask(CLIENT, datagram).stream().mapToInt(each -> each.bytes().length).sum();
                if (out > datagram.length) {
                    throw new AssertionError("seed " + seed + ": " + out + " bytes in answer to "
                            + java.util.HexFormat.of().formatHex(datagram));
                }
            }
        }
        assertThat(stand.count(GnrsCount.DROPS_MALFORMED)).isGreaterThanOrEqualTo(MALFORMED);
    }

    private static byte[] broken(SplittableRandom random, byte[] request) {
        byte[] bytes = random.nextBoolean() ? request : Arrays.copyOf(request, 1 + random.nextInt(request.length + 8));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            // What decides most stands at the beginning.
            int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 24) : bytes.length);
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1 << random.nextInt(8));
        }
        return bytes;
    }

    /** Returns whether the first message of a datagram is malformed. */
    private static boolean isMalformed(byte[] datagram) {
        int length = datagram.length < 4 ? 0 : (datagram[2] & 0xff) << 8 | datagram[3] & 0xff;
        try {
            GnrsMessage.read(length >= 16 && length < datagram.length ? Arrays.copyOf(datagram, length) : datagram);
            return false;
        } catch (Malformed e) {
            return true;
        }
    }

    private static void check(List<Answer> answers, byte[] datagram, int messages, long seed) {
        int out = 0;
        int errors = 0;
        for (Answer answer : answers) {
            out += answer.bytes().length;
            GnrsMessage.Response response = (GnrsMessage.Response) answer.message();
            errors += response.code() == GnrsMessage.Code.FAILED ? answer.bytes().length : 0;
        }
        if (out > 3 * datagram.length || errors > datagram.length || answers.size() > messages) {
            throw new AssertionError("seed " + seed + ": " + out + " bytes, " + errors + " of them errors, in answer to "
                    + java.util.HexFormat.of().formatHex(datagram));
        }
    }

    private static GnrsMessage request(SplittableRandom random) {
        Guid guid = name(random.nextInt(2 * NAMES));
        Locator origin = random.nextBoolean() ? GnrsMessage.noOrigin() : GnrsDoorTest.place("192.0.2.1", 5);
        List<GnrsOption> options = new ArrayList<>();
        if (random.nextBoolean()) {
            options.add(GnrsOption.recursion(random.nextBoolean()));
        }
        if (random.nextInt(3) == 0) {
            options.add(random.nextBoolean() ? GnrsOption.accept() : GnrsOption.accept(random.nextInt(65_536)));
        }
        if (random.nextInt(3) == 0) {
            options.addAll(GnrsOption.padding(random.nextInt(600)));
        }
        return switch (random.nextInt(10)) {
            case 0 -> GnrsMessage.Insert.of(1, origin, guid, bindings(random, 3), options.toArray(GnrsOption[]::new));
            case 1 -> GnrsMessage.Update.of(1, origin, guid, bindings(random, 20), options.toArray(GnrsOption[]::new));
            default -> new GnrsMessage.Lookup(random.nextInt(), origin, guid, options);
        };
    }

    private static void fill(GnrsDoorStand stand, SplittableRandom random) {
        for (int i = 0; i < NAMES; i++) {
            stand.one(CLIENT, GnrsMessage.Update.of(1, GnrsMessage.noOrigin(), name(i), bindings(random, 31)));
        }
    }

    private static Guid name(int number) {
        return new Guid((long) number << 48, 1, number);
    }

    private static List<Binding> bindings(SplittableRandom random, int most) {
        List<Binding> bindings = new ArrayList<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            Locator locator =
                    random.nextInt(4) == 0 ? Locator.of(name(random.nextInt(NAMES))) : RandomGnrsMessages.locator(random);
            long expiry = random.nextBoolean() ? 0 : 1_700_000_000_000L + random.nextInt(100_000_000);
            bindings.add(new Binding(locator, random.nextInt(100_000), expiry));
        }
        return bindings;
    }
}
