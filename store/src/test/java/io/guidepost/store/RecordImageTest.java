package io.guidepost.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Stored records of which a field says something else: every field, every width, every value that counts and lengths are
 * wrong by. Each is refused, or is another record whose parts lie within its bytes; nothing else escapes.
 */
class RecordImageTest {
    private static final byte[] KEY = Name.of(Guid.ofAscii("a name")).key();
    private static final List<Binding> PLACES = List.of(
            new Binding(Locator.of(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 80)), 1000, 0),
            new Binding(Locator.of(new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 80)), 2000, 5_000),
            new Binding(Locator.of(Guid.ofAscii("another")), 0, 0));
    private static final List<Value> VALUES = List.of(
            new Value(1, "URL", new byte[] {1, 2, 3}, 86_400, 0, 14, 7, List.of(new Value.Reference("10.5/x", 2))),
            new Value(2, "EMAIL", new byte[0], 1, 2, 3, 4, List.of()));

    private static List<byte[]> images() {
        return List.of(
                RecordImage.write(KEY, 5, List.of(), List.of()),
                RecordImage.write(KEY, 5, PLACES, List.of()),
                RecordImage.write(KEY, 5, PLACES, VALUES),
                RecordImage.writeForm(KEY, 5, new byte[] {1, 2, 3}),
                RecordImage.writeDerived(KEY, 5, PLACES));
    }

    private static List<Integer> wrongs(int was, int length) {
        List<Integer> all = new ArrayList<>(List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0xff, 0x7fff, 0xffff));
        all.addAll(List.of(was - 1, was + 1, was + 4, was - 4, length, length - 1, length + 1));
        return all;
    }

    private static void put(ByteBuffer to, int at, int width, int value) {
        switch (width) {
            case 1 -> to.put(at, (byte) value);
            case 2 -> to.putShort(at, (short) value);
            default -> to.putInt(at, value);
        }
    }

    /** Whether an image is refused. */
    private static boolean refused(byte[] image) {
        try {
            new ImageRows(image);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("do not lie within it");
        }
        try {
            Record read = RecordImage.read(image);
            assertThat(read.bindings().size() + read.values().size()).isLessThan(image.length);
            return false;
        } catch (Malformed e) {
            assertThat(e.reason()).isNotEmpty();
            return true;
        }
    }

    @Test
    void aWrongFieldIsRefusedOrAnotherRecord() {
        int refused = 0;
        int taken = 0;
        for (byte[] image : images()) {
            assertThat(refused(image)).isFalse();
            for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                for (int width : new int[] {1, 2, 4}) {
                    for (int at = 0; at + width <= image.length; at++) {
                        int was = ByteBuffer.wrap(image).order(order).get(at);
                        for (int wrong : wrongs(was, image.length)) {
                            byte[] changed = image.clone();
                            put(ByteBuffer.wrap(changed).order(order), at, width, wrong);
                            if (refused(changed)) {
                                refused++;
                            } else {
                                taken++;
                            }
                        }
                    }
                }
            }
        }
        assertThat(refused).isPositive();
        assertThat(taken).isPositive();
    }

    @Test
    void whatIsCutOffOrLongerThanItSaysIsRefused() {
        for (byte[] image : images()) {
            for (int length = 0; length < image.length; length++) {
                assertThat(refused(Arrays.copyOf(image, length))).isTrue();
                byte[] says = Arrays.copyOf(image, Math.max(length, 8));
                ByteBuffer.wrap(says).putInt(4, says.length);
                refused(says);
            }
            assertThat(refused(Arrays.copyOf(image, image.length + 1))).isTrue();
        }
    }

    @Test
    void saysWhatIsWrong() {
        byte[] image = RecordImage.write(KEY, 5, PLACES, List.of());
        byte[] longer = Arrays.copyOf(image, image.length + 3);
        ByteBuffer.wrap(longer).putInt(4, longer.length);
        assertThatThrownBy(() -> RecordImage.read(longer))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("bytes follow the places");
        byte[] other = image.clone();
        other[0] = 9;
        assertThatThrownBy(() -> RecordImage.read(other))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("format 9 is unknown");
        assertThatThrownBy(() -> RecordImage.read(new byte[39]))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("an image has at least 40 bytes");
    }
}
