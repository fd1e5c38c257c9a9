package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.RandomControlMessages;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages of each kind that are sealed, changed and forged in all manners by who has no key: none is heard. */
class ForgeryTest {
    private static final int AUTHENTIC = 32;
    private static final int SEQUENCE_AT = 24;

    private final SplittableRandom chance = new SplittableRandom(22);
    private final Seal seal = new Seal();
    private final ControlMessage message = new ControlMessage();
    private final Association sender;
    private final Association receiver;

    ForgeryTest() throws Malformed {
        SecureRandom random = new SecureRandom();
        HostKey a = HostKey.generate(random);
        HostKey aShare = HostKey.generate(random);
        HostKey b = HostKey.generate(random);
        HostKey bShare = HostKey.generate(random);
        sender = Association.agree(a, aShare, b.open(), bShare.open());
        receiver = Association.agree(b, bShare, a.open(), aShare.open());
    }

    private byte[] authentic(MessageType type) {
        byte[] bytes = RandomControlMessages.message(chance, type);
        ByteBuffer.wrap(bytes).putInt(SEQUENCE_AT, sender.nextSequence());
        seal.put(sender, MemorySegment.ofArray(bytes), 0, bytes.length - ControlMessage.SEAL_BYTES);
        return bytes;
    }

    private boolean isHeard(byte[] bytes) {
        return message.parse(MemorySegment.ofArray(bytes), 0, bytes.length) == ControlFault.NONE && seal.check(receiver, message);
    }

    /** Most changes leave the form as it is, so that the seal alone decides. */
    private byte[] forged(List<byte[]> all) {
        byte[] one = all.get(chance.nextInt(all.size()));
        byte[] other = all.get(chance.nextInt(all.size()));
        int bare = one.length - ControlMessage.SEAL_BYTES;
        byte[] forged = one.clone();
        switch (chance.nextInt(8)) {
            // What stands in the header: flows, epoch, number.
            case 0, 1 -> change(forged, 2, ControlMessage.HEADER_BYTES);
            case 2, 3 -> change(forged, bare - Math.min(bare, 20), bare);
            // Another seal: of chance, of one bit, of another message.
            case 4 -> {
                byte[] made = new byte[ControlMessage.SEAL_BYTES];
                chance.nextBytes(made);
                System.arraycopy(made, 0, forged, bare, made.length);
            }
            case 5 -> forged[bare + chance.nextInt(ControlMessage.SEAL_BYTES)] ^= (byte) (1 << chance.nextInt(8));
            case 6 -> System.arraycopy(other, other.length - ControlMessage.SEAL_BYTES, forged, bare, ControlMessage.SEAL_BYTES);
            default -> {
                change(forged, 0, forged.length);
                forged = Arrays.copyOf(forged, Math.max(1, forged.length + chance.nextInt(9) - 4));
            }
        }
        return forged;
    }

    private void change(byte[] bytes, int from, int to) {
        for (int i = 0; i <= chance.nextInt(4); i++) {
            bytes[from + chance.nextInt(to - from)] = (byte) chance.nextInt(256);
        }
    }

    private void forge(MessageType type, int times) {
        if (!type.sealed()) {
            return;
        }
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < AUTHENTIC; i++) {
            all.add(authentic(type));
        }
        int heard = 0;
        for (int i = 0; i < times; i++) {
            byte[] forged = forged(all);
            if (all.stream().noneMatch(each -> Arrays.equals(each, forged)) && isHeard(forged)) {
                heard++;
            }
        }
        assertThat(heard).as("of %d forged messages %s", times, type).isZero();
        assertThat(all).as("what was forged uses up no number").allMatch(this::isHeard).noneMatch(this::isHeard);
    }

    @ParameterizedTest
    @EnumSource
    void noneIsHeard(MessageType type) {
        forge(type, 5_000);
    }

    /** With {@code -Dtest.forgeries} as many of each kind. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void noneOfTenMillionIsHeard(MessageType type) {
        forge(type, Integer.getInteger("test.forgeries", 10_000_000));
    }
}
